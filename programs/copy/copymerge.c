/* See copymerge.h. */
#include "copymerge.h"
#include "copyinput.h"
#include "copymove.h"
#include "alloc.h"
#include "status.h"
#include "toolfit.h"
#include "toolsay.h"

#include <inttypes.h>

struct merging {
    struct pcdf_copy_merge *merge;
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_copy_options *options;
    struct pcdf_tool_files *inputs;
    struct pcdf_meta names; /* one variable for each name; what else it has does not count */
    int *first, *owner;     /* by its varid: the first file that has it, and the one whose values are taken */
    int room;
};

static int failed(const struct pcdf_tool_dataset *ds)
{
    return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
}

/* ---- dimensions */

/* The first record dimension is that of the copy; another one becomes fixed. */
static int merge_dim(struct merging *m, const struct pcdf_tool_dataset *ds, int dimid)
{
    struct pcdf_meta *all = &m->merge->meta;
    const char *name = ds->meta.dims[dimid].name;
    int there = pcdf_meta_find_dim(all, name);
    int64_t length = pcdf_tool_dim_length(&ds->meta, dimid);
    bool is_record = dimid == ds->meta.record_dim && all->record_dim < 0;

    if (dimid == ds->meta.record_dim && ds->meta.nrecord_vars == 0) /* nothing has these records */
        return PCDF_TOOL_GOOD;
    if (there >= 0 && pcdf_tool_dim_length(all, there) != length)
        return pcdf_tool_unusable(ds->file.path,
                                  "dimension %.200s has length %" PRId64 ", in the files before %" PRId64,
                                  name, length, pcdf_tool_dim_length(all, there));
    if (there >= 0)
        return PCDF_TOOL_GOOD;
    if (!is_record && length == 0)
        return pcdf_tool_unusable(ds->file.path, "the copy cannot have a second record dimension, %.200s",
                                  name);
    if (is_record)
        all->numrecs = length;
    return pcdf_meta_add_dim(all, name, is_record ? 0 : length, NULL) ? failed(ds) : PCDF_TOOL_GOOD;
}

/* ---- which file has which variable */

static int add_name(struct merging *m, const struct pcdf_tool_dataset *ds, const char *name, int file)
{
    int id;
    if (m->names.nvars == m->room) {
        int room = m->room ? 2 * m->room : 64;
        int *first = pcdf_realloc(m->first, (size_t)room * sizeof *first);
        m->first = first ? first : m->first;
        int *owner = first ? pcdf_realloc(m->owner, (size_t)room * sizeof *owner) : NULL;
        m->owner = owner ? owner : m->owner;
        if (!owner)
            return failed(ds);
        m->room = room;
    }
    if (pcdf_meta_add_var(&m->names, name, NC_BYTE, 0, NULL, &id))
        return failed(ds);
    m->first[id] = m->owner[id] = file;
    return PCDF_TOOL_GOOD;
}

/* Those that are first in file `a`, and have to be the same in `ds`. */
static int compare_with(const struct merging *m, struct pcdf_tool_dataset *a, int file,
                        struct pcdf_tool_dataset *ds, bool *chosen)
{
    static const char shape[] = "variable $v has another type or shape than in $f";
    static const char *const words[PCDF_FIT_MISFITS] = {
        [PCDF_FIT_TYPE] = shape,
        [PCDF_FIT_DIM] = shape,
        [PCDF_FIT_RECORDS] = shape,
        [PCDF_FIT_LENGTH] = shape,
    };
    const struct pcdf_tool_fit fit = { words,        &a->meta,      &ds->meta,
                                       a->file.path, ds->file.path, a->meta.record_dim,
                                       NULL,         NULL,          false };
    bool keeps = m->options->keep_first || m->options->keep_last, any = false;
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < ds->meta.nvars && !status; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        int id = pcdf_meta_find_var(&m->names, var->name), there = pcdf_meta_find_var(&a->meta, var->name);
        chosen[i] = id >= 0 && m->first[id] == file && there >= 0 &&
                    (!keeps || pcdf_tool_is_coordinate(&ds->meta, i));
        status = chosen[i] ? pcdf_tool_fit_variable(&fit, there) : status;
        any |= chosen[i];
    }
    return any && !status ? pcdf_copy_compare(m->ranks, a, ds, chosen) : status;
}

/* Is one of its variables first in file `a`? */
static bool shares(const struct merging *m, const struct pcdf_tool_dataset *ds, int a)
{
    bool is = false;
    for (int i = 0; i < ds->meta.nvars && !is; i++) {
        int id = pcdf_meta_find_var(&m->names, ds->meta.vars[i].name);
        is = id >= 0 && m->first[id] == a;
    }
    return is;
}

/* *ds: the file, which may be opened anew for this: then it has the definitions that it had. */
static int compare_with_all(const struct merging *m, struct pcdf_tool_dataset **ds, int file)
{
    bool *chosen = pcdf_calloc((size_t)(*ds)->meta.nvars + 1, sizeof *chosen);
    int status = chosen ? PCDF_TOOL_GOOD : failed(*ds);

    for (int i = 0; i < file && !status; i++) {
        struct pcdf_tool_dataset *a;
        if (!shares(m, *ds, i))
            continue;
        status = pcdf_copy_inputs_get(m->inputs, i, m->options, &a);
        status = status ? status : pcdf_copy_inputs_get(m->inputs, file, m->options, ds);
        if (status)
            break;
        status = compare_with(m, a, i, *ds, chosen);
        pcdf_tool_dataset_rest(a);
    }
    pcdf_free(chosen);
    return status;
}

static int look_at(struct merging *m, struct pcdf_tool_dataset *ds, int file)
{
    struct pcdf_meta *all = &m->merge->meta;
    int status = PCDF_TOOL_GOOD;

    m->merge->sum = pcdf_tool_dataset_sum(ds, m->merge->sum);
    all->version = ds->meta.version > all->version ? ds->meta.version : all->version;
    for (int i = 0; i < ds->meta.ndims && !status; i++)
        status = merge_dim(m, ds, i);
    status = status || m->options->header_only ? status : compare_with_all(m, &ds, file);
    for (int i = 0; i < ds->meta.nvars && !status; i++) {
        int id = pcdf_meta_find_var(&m->names, ds->meta.vars[i].name);
        if (id < 0)
            status = add_name(m, ds, ds->meta.vars[i].name, file);
        else if (m->options->keep_last && !pcdf_tool_is_coordinate(&ds->meta, i))
            m->owner[id] = file;
    }
    return status;
}

/* ---- definitions */

static int add_atts(struct pcdf_meta *all, int varid, const struct pcdf_atts *from)
{
    for (int i = 0; i < from->n; i++)
        PCDF_TRY(pcdf_atts_append(all, pcdf_meta_atts(all, varid), from->x[i].name, from->x[i].type,
                                  from->x[i].nelems, from->x[i].values));
    return NC_NOERR;
}

static int add_var(struct merging *m, const struct pcdf_tool_dataset *ds, const struct pcdf_var *var,
                   int file)
{
    struct pcdf_meta *all = &m->merge->meta;
    int id, *dimids = pcdf_malloc((size_t)(var->ndims + 1) * sizeof *dimids);

    if (!dimids)
        return NC_ENOMEM;
    bool has_all = true;
    for (int i = 0; i < var->ndims; i++) {
        dimids[i] = pcdf_meta_find_dim(all, ds->meta.dims[var->dimids[i]].name);
        has_all = has_all && dimids[i] >= 0;
    }
    int err = has_all ? pcdf_meta_add_var(all, var->name, var->type, var->ndims, dimids, &id)
                      : PCDF_FAIL(NC_EBADDIM, "the file changes while it is read");
    pcdf_free(dimids);
    PCDF_TRY(err);
    m->merge->owner[id] = file;
    return add_atts(all, id, &var->atts);
}

static int define(struct merging *m, const struct pcdf_tool_dataset *ds, int file)
{
    int err = file == 0 ? add_atts(&m->merge->meta, NC_GLOBAL, &ds->meta.gatts) : NC_NOERR;

    for (int i = 0; i < ds->meta.nvars && !err; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        int id = pcdf_meta_find_var(&m->names, var->name);
        if (id >= 0 && m->owner[id] == file && pcdf_meta_find_var(&m->merge->meta, var->name) < 0)
            err = add_var(m, ds, var, file);
    }
    return err ? failed(ds) : PCDF_TOOL_GOOD;
}

static int for_files(struct merging *m, bool defines)
{
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < m->options->nfrom && !status; i++) {
        struct pcdf_tool_dataset *ds;
        status = pcdf_copy_inputs_get(m->inputs, i, m->options, &ds);
        if (status)
            break;
        status = defines ? define(m, ds, i) : look_at(m, ds, i);
    }
    return status;
}

int pcdf_copy_merge_make(struct pcdf_copy_merge *merge, const struct pcdf_tool_ranks *ranks,
                         const struct pcdf_copy_options *options, struct pcdf_tool_files *inputs)
{
    struct merging m = { .merge = merge, .ranks = ranks, .options = options, .inputs = inputs };

    *merge = (struct pcdf_copy_merge){ 0 };
    pcdf_meta_init(&merge->meta, PCDF_CDF1);
    pcdf_meta_init(&m.names, PCDF_CDF5);
    int status = for_files(&m, false);
    if (!status) {
        merge->owner = pcdf_calloc((size_t)m.names.nvars + 1, sizeof *merge->owner);
        status = merge->owner ? for_files(&m, true) : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    }
    pcdf_meta_free(&m.names);
    pcdf_free(m.first);
    pcdf_free(m.owner);
    if (status)
        pcdf_copy_merge_free(merge);
    return status;
}

void pcdf_copy_merge_free(struct pcdf_copy_merge *merge)
{
    pcdf_meta_free(&merge->meta);
    pcdf_free(merge->owner);
    *merge = (struct pcdf_copy_merge){ 0 };
}
