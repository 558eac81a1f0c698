/* HDF4's scientific data sets as a source: names made legal, one unlimited dimension kept as the record
 * dimension. */
#include "foreign.h"
#include "alloc.h"
#include "sdfile.h"
#include "status.h"
#include "text.h"
#include "tool.h"
#include "value.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

const bool pcdf_foreign_has_hdf4 = true;

struct sd {
    const char *path;
    const struct pcdf_foreign_options *options;
    int32_t file;
    int64_t file_size;
    struct pcdf_sd_set *sets;
    int nsets, natts;
    int *set_of; /* by variable: its set */
    int64_t **chunks;
    char record[PCDF_SD_NAME]; /* the unlimited dimension that stays one; "": none */
    struct pcdf_meta *meta;
};

static int no_memory(const struct sd *sd)
{
    return pcdf_tool_unusable(sd->path, "%s", pcdf_fail_text());
}

static int damaged(const struct sd *sd, const char *what, const char *name)
{
    return pcdf_tool_unusable(sd->path, "libhdf4 cannot read %s%s%s: %s", what, *name ? " " : "", name,
                              pcdf_sd_error());
}

static nc_type type_of(enum pcdf_sd_type type, int size)
{
    static const nc_type signed_types[] = { [1] = NC_BYTE, [2] = NC_SHORT, [4] = NC_INT, [8] = NC_INT64 };
    static const nc_type unsigned_types[] = {
        [1] = NC_UBYTE, [2] = NC_USHORT, [4] = NC_UINT, [8] = NC_UINT64
    };
    switch (type) {
    case PCDF_SD_CHAR:
        return NC_CHAR;
    case PCDF_SD_INT:
        return signed_types[size];
    case PCDF_SD_UINT:
        return unsigned_types[size];
    case PCDF_SD_FLOAT:
        return size == 4 ? NC_FLOAT : NC_DOUBLE;
    default:
        return 0;
    }
}

/* HDF4 takes any bytes for a name: what a classic file cannot have becomes '_'. */
static void make_legal(char *name)
{
    struct pcdf_name nfc;
    size_t n = strlen(name);

    while (n > 0 && name[n - 1] == ' ')
        name[--n] = '\0';
    for (size_t i = 0; i < n; i++)
        if (name[i] == '/' || (unsigned char)name[i] < 0x20 || name[i] == 0x7F)
            name[i] = '_';
    if (n == 0)
        strcpy(name, "unnamed");
    if (pcdf_name_define(name, &nfc) == NC_NOERR)
        return;
    for (size_t i = 0; i < n; i++) /* not UTF-8 */
        if ((unsigned char)name[i] >= 0x80)
            name[i] = '_';
    if (pcdf_name_define(name, &nfc) != NC_NOERR)
        name[0] = '_'; /* no name begins with its first character */
}

/* ---- dimensions */

/* Unlimited, the outermost of a set, and of no set an inner one: the first such stays the record dimension.
 */
static void choose_record(struct sd *sd)
{
    for (int i = 0; i < sd->nsets && !*sd->record; i++) {
        const struct pcdf_sd_set *set = &sd->sets[i];
        if (set->rank > 0 && set->dims[0].is_unlimited)
            strcpy(sd->record, set->dims[0].name);
    }
}

/* As the longest set has it. */
static int64_t length_of(const struct sd *sd, const struct pcdf_sd_set *set, int dim)
{
    int64_t length = set->shape[dim];
    for (int i = 0; set->dims[dim].is_unlimited && i < sd->nsets; i++) {
        const struct pcdf_sd_set *other = &sd->sets[i];
        bool has_it = other->rank > 0 && strcmp(other->dims[0].name, set->dims[dim].name) == 0;
        length = has_it && other->shape[0] > length ? other->shape[0] : length;
    }
    return length;
}

static int add_dim(struct sd *sd, const struct pcdf_sd_set *set, int i, int *dimid)
{
    const struct pcdf_sd_dim *dim = &set->dims[i];
    bool is_record = *sd->record && strcmp(dim->name, sd->record) == 0;
    int64_t length = length_of(sd, set, i);

    *dimid = pcdf_meta_find_dim(sd->meta, dim->name);
    if (is_record && i > 0)
        return pcdf_tool_unusable(
            sd->path, "the unlimited dimension %s is an inner one of %s, which no classic file has",
            dim->name, set->name);
    if (*dimid >= 0 && !is_record && sd->meta->dims[*dimid].length != length)
        return pcdf_tool_unusable(sd->path, "two dimensions would have the name %s", dim->name);
    if (!is_record && length == 0)
        return pcdf_tool_unusable(
            sd->path,
            "dimension %s has the length 0 and is not the record dimension: a classic file has no "
            "such dimension",
            dim->name);
    if (is_record && length > sd->meta->numrecs)
        sd->meta->numrecs = length;
    if (*dimid < 0 && pcdf_meta_add_dim(sd->meta, dim->name, is_record ? 0 : length, dimid))
        return no_memory(sd);
    return PCDF_TOOL_GOOD;
}

/* ---- attributes */

static int add_att(struct sd *sd, int32_t owner, int index, int varid)
{
    struct pcdf_sd_att att;
    if (!pcdf_sd_att(owner, index, &att))
        return damaged(sd, "an attribute", "");
    make_legal(att.name);
    nc_type type = type_of(att.type, att.size);
    if (type == 0 || att.n > sd->file_size / att.size)
        return damaged(sd, "attribute", att.name);
    if (pcdf_atts_find(pcdf_meta_atts(sd->meta, varid), att.name) >= 0)
        return pcdf_tool_unusable(sd->path, "two attributes would have the name %s", att.name);
    void *values = pcdf_calloc((size_t)att.n + 1, (size_t)att.size);
    if (!values)
        return no_memory(sd);
    int status =
        pcdf_sd_att_values(owner, index, values) ? PCDF_TOOL_GOOD : damaged(sd, "attribute", att.name);
    pcdf_values_swap(values, att.n, att.size);
    if (!status && pcdf_atts_put(sd->meta, pcdf_meta_atts(sd->meta, varid), att.name, type, att.n, values))
        status = no_memory(sd);
    pcdf_free(values);
    return status;
}

static int add_atts(struct sd *sd, int32_t owner, int n, int varid)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < n && !status; i++)
        status = add_att(sd, owner, i, varid);
    return status;
}

/* ---- sets */

static int add_set(struct sd *sd, int index)
{
    struct pcdf_sd_set *set = &sd->sets[index];
    nc_type type = type_of(set->type, set->size);
    int dimids[PCDF_SD_RANK], varid;

    if (type == 0) {
        pcdf_tool_say(sd->path, "variable %s has a type that classic files do not know%s", set->name,
                      sd->options->copy.skip_unsupported ? ": left out"
                                                         : " (--skip-unsupported leaves it out)");
        return sd->options->copy.skip_unsupported ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
    }
    if (pcdf_meta_find_var(sd->meta, set->name) >= 0)
        return pcdf_tool_unusable(sd->path, "two variables would have the name %s", set->name);
    for (int i = 0; i < set->rank; i++) {
        int status = add_dim(sd, set, i, &dimids[i]);
        if (status)
            return status;
    }
    if (pcdf_meta_add_var(sd->meta, set->name, type, set->rank, dimids, &varid))
        return no_memory(sd);
    if (sd->meta->vars[varid].nbytes < 0)
        return pcdf_tool_unusable(sd->path, "variable %s has more values than can be counted", set->name);
    sd->set_of[varid] = index;
    sd->chunks[varid] = set->rank > 0 && set->chunk[0] > 0 ? set->chunk : NULL;
    return add_atts(sd, set->id, set->natts, varid);
}

static int open_sets(struct sd *sd)
{
    int n = sd->nsets;

    sd->nsets = 0; /* opened */
    /* Each has a few tags of 12 bytes in the file. */
    if (n < 0 || n > sd->file_size)
        return damaged(sd, "the list of data sets", "");
    sd->sets = pcdf_calloc((size_t)n + 1, sizeof *sd->sets);
    sd->set_of = pcdf_calloc((size_t)n + 1, sizeof *sd->set_of);
    sd->chunks = pcdf_calloc((size_t)n + 1, sizeof *sd->chunks);
    if (!sd->sets || !sd->set_of || !sd->chunks)
        return no_memory(sd);
    for (; sd->nsets < n; sd->nsets++) {
        struct pcdf_sd_set *set = &sd->sets[sd->nsets];
        if (!pcdf_sd_set_open(sd->file, sd->nsets, set))
            return damaged(sd, "a data set", "");
        make_legal(set->name);
        for (int i = 0; i < set->rank; i++)
            make_legal(set->dims[i].name);
    }
    return PCDF_TOOL_GOOD;
}

static int define(struct sd *sd)
{
    int status = open_sets(sd);

    if (status)
        return status;
    choose_record(sd);
    status = add_atts(sd, sd->file, sd->natts, NC_GLOBAL);
    for (int i = 0; i < sd->nsets && !status; i++)
        status = add_set(sd, i);
    return status;
}

/* ---- values */

static void fill(const struct pcdf_var *var, int64_t n, unsigned char *values)
{
    int size = pcdf_type_size(var->type);

    for (int64_t i = 0; i < n; i++)
        memcpy(values + i * size, pcdf_var_fill(var), (size_t)size);
    pcdf_values_swap(values, n, size);
}

/* A set may have fewer records than another: the others are fill values. */
static int read_values(struct pcdf_foreign_source *source, int varid, const struct pcdf_foreign_slab *slab,
                       void *values)
{
    struct sd *sd = source->state;
    const struct pcdf_sd_set *set = &sd->sets[sd->set_of[varid]];
    const struct pcdf_var *var = &source->meta.vars[varid];
    int64_t count[PCDF_SD_RANK], there = set->rank > 0 ? slab->count[0] : 1;

    while (there > 0 && set->rank > 0 && slab->start[0] + (there - 1) * slab->stride[0] >= set->shape[0])
        there--;
    if (set->rank > 0 && there < slab->count[0])
        fill(var, slab->n, values);
    for (int i = 0; i < set->rank; i++)
        count[i] = i == 0 ? there : slab->count[i];
    if (there > 0 && !pcdf_sd_read(set, slab->start, count, slab->stride, values))
        return damaged(sd, "the values of", var->name);
    return PCDF_TOOL_GOOD;
}

static void close_sd(struct pcdf_foreign_source *source)
{
    struct sd *sd = source->state;

    for (int i = 0; sd->sets && i < sd->nsets; i++)
        pcdf_sd_set_close(&sd->sets[i]);
    pcdf_sd_close(sd->file);
    pcdf_free(sd->sets);
    pcdf_free(sd->set_of);
    pcdf_free(sd->chunks);
    pcdf_free(sd);
    pcdf_meta_free(&source->meta);
}

int pcdf_foreign_open_sd(struct pcdf_foreign_source *source, const struct pcdf_foreign_options *options)
{
    struct sd *sd = pcdf_calloc(1, sizeof *sd);
    struct stat st;

    if (!sd)
        return pcdf_tool_unusable(source->path, "%s", pcdf_fail_text());
    *sd = (struct sd){ .path = source->path, .options = options, .meta = &source->meta };
    sd->file_size = stat(source->path, &st) == 0 ? st.st_size : 0;
    sd->file = pcdf_sd_open(source->path, &sd->nsets, &sd->natts);
    if (sd->file < 0) {
        int status = damaged(sd, "this", "");
        pcdf_free(sd);
        return status;
    }
    pcdf_meta_init(&source->meta, PCDF_CDF5);
    source->state = sd;
    source->read = read_values;
    source->close = close_sd;
    int status = define(sd);
    source->chunks = sd->chunks;
    if (status)
        close_sd(source);
    return status;
}
