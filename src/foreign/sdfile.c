/* See sdfile.h. */
#include "sdfile.h"

#include <mfhdf.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int32 code;
    enum pcdf_sd_type type;
    int size;
} types[] = {
    { DFNT_CHAR8, PCDF_SD_CHAR, 1 },  { DFNT_UCHAR8, PCDF_SD_CHAR, 1 },   { DFNT_INT8, PCDF_SD_INT, 1 },
    { DFNT_UINT8, PCDF_SD_UINT, 1 },  { DFNT_INT16, PCDF_SD_INT, 2 },     { DFNT_UINT16, PCDF_SD_UINT, 2 },
    { DFNT_INT32, PCDF_SD_INT, 4 },   { DFNT_UINT32, PCDF_SD_UINT, 4 },   { DFNT_INT64, PCDF_SD_INT, 8 },
    { DFNT_UINT64, PCDF_SD_UINT, 8 }, { DFNT_FLOAT32, PCDF_SD_FLOAT, 4 }, { DFNT_FLOAT64, PCDF_SD_FLOAT, 8 },
};

/* How the bytes lie in the file is libhdf4's business: it gives the machine's. */
static enum pcdf_sd_type type_of(int32 code, int *size)
{
    code &= ~(DFNT_NATIVE | DFNT_CUSTOM | DFNT_LITEND);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code) {
            *size = types[i].size;
            return types[i].type;
        }
    *size = 0;
    return PCDF_SD_OTHER;
}

int32_t pcdf_sd_open(const char *path, int *nsets, int *natts)
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

void pcdf_sd_close(int32_t file)
{
    SDend(file);
}

static bool note_dims(struct pcdf_sd_set *set)
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

static void note_chunks(struct pcdf_sd_set *set)
{
    HDF_CHUNK_DEF chunk;
    int32 flags = 0;

    memset(&chunk, 0, sizeof chunk);
    if (set->rank == 0 || SDgetchunkinfo(set->id, &chunk, &flags) == FAIL || !(flags & HDF_CHUNK))
        return;
    for (int i = 0; i < set->rank; i++)
        set->chunk[i] = chunk.chunk_lengths[i] > 0 ? chunk.chunk_lengths[i] : 1;
}

bool pcdf_sd_set_open(int32_t file, int index, struct pcdf_sd_set *set)
{
    char name[H4_MAX_NC_NAME + 1] = "";
    int32 rank, shape[H4_MAX_VAR_DIMS], type, natts;

    memset(set, 0, sizeof *set);
    set->id = SDselect(file, index);
    if (set->id == FAIL)
        return false;
    if (SDgetinfo(set->id, name, &rank, shape, &type, &natts) == FAIL || rank < 0 || rank > PCDF_SD_RANK ||
        natts < 0) {
        SDendaccess(set->id);
        return false;
    }
    snprintf(set->name, sizeof set->name, "%.256s", name);
    set->rank = rank;
    set->natts = natts;
    set->type = type_of(type, &set->size);
    for (int i = 0; i < rank; i++)
        set->shape[i] = shape[i];
    bool good = note_dims(set);
    note_chunks(set);
    for (int i = 0; i < rank; i++)
        good = good && shape[i] >= 0;
    if (!good)
        SDendaccess(set->id);
    return good;
}

void pcdf_sd_set_close(const struct pcdf_sd_set *set)
{
    SDendaccess(set->id);
}

bool pcdf_sd_att(int32_t owner, int index, struct pcdf_sd_att *att)
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

bool pcdf_sd_att_values(int32_t owner, int index, void *values)
{
    return SDreadattr(owner, index, values) != FAIL;
}

bool pcdf_sd_read(const struct pcdf_sd_set *set, const int64_t *start, const int64_t *count,
                  const int64_t *stride, void *values)
{
    int32 first[PCDF_SD_RANK] = { 0 }, edge[PCDF_SD_RANK] = { 1 }, step[PCDF_SD_RANK] = { 1 };
    bool is_dense = true;

    for (int i = 0; i < set->rank; i++) { /* shapes are 32 bits wide, and so is what lies in them */
        first[i] = (int32)start[i];
        edge[i] = (int32)count[i];
        step[i] = (int32)(count[i] > 1 ? stride[i] : 1);
        is_dense = is_dense && step[i] == 1;
    }
    return SDreaddata(set->id, first, is_dense ? NULL : step, edge, values) != FAIL;
}

const char *pcdf_sd_error(void)
{
    return HEstring((hdf_err_code_t)HEvalue(1));
}
