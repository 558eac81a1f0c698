/* See h4file.h. */

#include "h4file.h"
#define DATAINFO_MASTER /* SDgetdatainfo */
#include <mfhdf.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int32 code;
    enum pcdf_h4_type type;
    int size;
} types[] = {
    { DFNT_CHAR8, PCDF_H4_CHAR, 1 },  { DFNT_UCHAR8, PCDF_H4_CHAR, 1 },   { DFNT_INT8, PCDF_H4_INT, 1 },
    { DFNT_UINT8, PCDF_H4_UINT, 1 },  { DFNT_INT16, PCDF_H4_INT, 2 },     { DFNT_UINT16, PCDF_H4_UINT, 2 },
    { DFNT_INT32, PCDF_H4_INT, 4 },   { DFNT_UINT32, PCDF_H4_UINT, 4 },   { DFNT_INT64, PCDF_H4_INT, 8 },
    { DFNT_UINT64, PCDF_H4_UINT, 8 }, { DFNT_FLOAT32, PCDF_H4_FLOAT, 4 }, { DFNT_FLOAT64, PCDF_H4_FLOAT, 8 },
};

static enum pcdf_h4_type type_of(int32 code, int *size)
{
    code &= ~(DFNT_NATIVE | DFNT_CUSTOM | DFNT_LITEND);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code) {
            *size = types[i].size;
            return types[i].type;
        }
    *size = 0;
    return PCDF_H4_OTHER;
}

int32_t pcdf_h4_open(const char *path, int *nsets, int *natts)
{
    int32 n, na, file = SDstart(path, DFACC_READ);
    if (file == FAIL)
        return -1;
    if (SDfileinfo(file, &n, &na) == FAIL) {
        SDend(file);
        return -1;
    }
    *nsets = n;
    *natts = na;
    return file;
}

void pcdf_h4_close(int32_t file)
{
    SDend(file);
}

static bool note_dims(struct pcdf_h4_set *set)
{
    for (int i = 0; i < set->rank; i++) {
        int32 size, type, natts, id = SDgetdimid(set->id, i);
        char name[H4_MAX_NC_NAME + 1] = "";
        if (id == FAIL || SDdiminfo(id, name, &size, &type, &natts) == FAIL)
            return false;
        snprintf(set->dims[i].name, sizeof set->dims[i].name, "%.256s", name);
        set->dims[i].is_unlimited = size == 0;
    }
    return true;
}

/* A set without values has neither chunks nor codecs. */
static void note_storage(struct pcdf_h4_set *set)
{
    static const char *const names[] = { "none", "RLE", "NBIT", "SKPHUFF", "DEFLATE", "SZIP" };
    HDF_CHUNK_DEF chunk;
    comp_info info;
    comp_coder_t coder = COMP_CODE_NONE;
    int32 flags = 0;
    memset(&chunk, 0, sizeof chunk);
    memset(&info, 0, sizeof info);
    set->is_elsewhere = SDgetexternalinfo(set->id, 0, NULL, NULL, NULL) > 0;
    if (set->rank > 0 && SDgetchunkinfo(set->id, &chunk, &flags) != FAIL && (flags & HDF_CHUNK)) {
        set->is_chunked = true;
        for (int i = 0; i < set->rank; i++)
            set->chunk[i] = chunk.chunk_lengths[i];
    }
    if (SDgetcompinfo(set->id, &coder, &info) == FAIL || coder == COMP_CODE_NONE)
        return;
    set->is_deflated = coder == COMP_CODE_DEFLATE;
    if (!set->is_deflated)
        set->codec = (unsigned)coder < sizeof names / sizeof *names ? names[coder] : "an unknown codec";
}

bool pcdf_h4_set_open(int32_t file, int index, struct pcdf_h4_set *set)
{
    char name[H4_MAX_NC_NAME + 1] = "";
    int32 rank, shape[H4_MAX_VAR_DIMS], type, natts;
    memset(set, 0, sizeof *set);
    set->id = SDselect(file, index);
    if (set->id == FAIL)
        return false;
    if (SDgetinfo(set->id, name, &rank, shape, &type, &natts) == FAIL || rank < 0 || rank > PCDF_H4_RANK ||
        natts < 0) {
        SDendaccess(set->id);
        return false;
    }
    snprintf(set->name, sizeof set->name, "%.256s", name);
    set->rank = rank;
    set->natts = natts;
    set->type = type_of(type, &set->size);
    set->is_big = type & DFNT_NATIVE ? __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ : !(type & DFNT_LITEND);
    bool good = note_dims(set);
    for (int i = 0; i < rank; i++) {
        set->shape[i] = shape[i];
        good = good && shape[i] >= 0;
    }
    if (!good) {
        SDendaccess(set->id);
        return false;
    }
    note_storage(set);
    set->has_fill = set->size > 0 && SDgetfillvalue(set->id, set->fill) != FAIL;
    return true;
}

void pcdf_h4_set_close(const struct pcdf_h4_set *set)
{
    SDendaccess(set->id);
}

bool pcdf_h4_att(int32_t owner, int index, struct pcdf_h4_att *att)
{
    char name[H4_MAX_NC_NAME + 1] = "";
    int32 type, n;
    if (SDattrinfo(owner, index, name, &type, &n) == FAIL || n < 0)
        return false;
    snprintf(att->name, sizeof att->name, "%.256s", name);
    att->type = type_of(type, &att->size);
    att->n = n;
    return true;
}

bool pcdf_h4_att_values(int32_t owner, int index, void *values)
{
    return SDreadattr(owner, index, values) != FAIL;
}

int pcdf_h4_runs(const struct pcdf_h4_set *set, const int64_t *chunk, int most, int32_t *offsets,
                 int32_t *lengths)
{
    int32 at[PCDF_H4_RANK];
    for (int i = 0; chunk && i < set->rank; i++)
        at[i] = (int32)chunk[i];
    intn n = SDgetdatainfo(set->id, chunk ? at : NULL, 0, 0, NULL, NULL);
    if (n == FAIL || n == 0)
        return n == FAIL ? -1 : 0;
    n = n < most ? n : most;
    return SDgetdatainfo(set->id, chunk ? at : NULL, 0, (uintn)n, offsets, lengths);
}

const char *pcdf_h4_error(void)
{
    return HEstring((hdf_err_code_t)HEvalue(1));
}
