/* See joinfiles.h. */
#include "joinfiles.h"
#include "joinalong.h"
#include "jointiles.h"
#include "alloc.h"
#include "encode.h"
#include "meaningtext.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolfit.h"

#include <inttypes.h>
#include <string.h>

int64_t pcdf_join_first_att(const struct pcdf_meta *meta, int varid)
{
    int64_t first = varid == NC_GLOBAL ? 0 : meta->gatts.n;
    for (int i = 0; i < varid; i++)
        first += meta->vars[i].atts.n;
    return first;
}

/* ---- attributes */

static bool same_att(const struct pcdf_att *a, const struct pcdf_atts *others)
{
    int id = pcdf_atts_find(others, a->name);
    const struct pcdf_att *b = id < 0 ? NULL : &others->x[id];
    if (pcdf_meaning_same_text(a, b))
        return true;
    return b && a->type == b->type && a->nelems == b->nelems &&
           (a->nelems == 0 ||
            memcmp(a->values, b->values, (size_t)a->nelems * (size_t)pcdf_type_size(a->type)) == 0);
}

static void note_differences(const struct pcdf_atts *mine, const struct pcdf_atts *others, int64_t *differs)
{
    for (int i = 0; i < mine->n; i++)
        differs[i] |= !same_att(&mine->x[i], others);
}

/* Units of time may differ: they are converted. */
static int check_times(const struct pcdf_join_plan *plan, const struct pcdf_tool_fit *fit, int varid)
{
    const struct pcdf_join_var *v = &plan->vars[varid];
    const char *name = plan->in.vars[varid].name;
    struct pcdf_join_change change;
    int other = pcdf_meta_find_var(fit->mine, name);
    if (v->time)
        return pcdf_join_change_of(v, fit->path, fit->mine, other, &change);
    const char *att = pcdf_time_differs(&plan->in, varid, fit->mine, other);
    return att ? pcdf_tool_unusable(
                     fit->path, "attribute %.200s:%s is not as in %.300s: its numbers mean something else",
                     name, att, fit->first_path)
               : PCDF_TOOL_GOOD;
}

/* ---- definitions */

static int64_t length_of(const void *plan, int dimid)
{
    const struct pcdf_join_plan *p = plan;
    return p->axis_of[dimid] >= 0 ? -1 : pcdf_tool_dim_length(&p->in, dimid);
}

static int check_definitions(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds)
{
    static const char shape[] = "variable $v has another type or shape than in $f";
    static const char *const words[PCDF_FIT_MISFITS] = {
        [PCDF_FIT_ABSENT] = "there is no variable $v, which $f has",
        [PCDF_FIT_TYPE] = shape,
        [PCDF_FIT_DIM] = "variable $v has other dimensions than in $f",
        /* it has another place in the file */
        [PCDF_FIT_UNLIMITED] = "dimension $e is unlimited, and not in $f",
        [PCDF_FIT_FIXED] = "dimension $e is of fixed length, and not in $f",
        [PCDF_FIT_RECORDS] = "$n records, and $f has $m",
        [PCDF_FIT_LENGTH] = "dimension $e has length $n, and $m in $f",
        [PCDF_FIT_MEANING] = "attribute $v:$a is not as in $f: its numbers mean something else",
        [PCDF_FIT_MORE] = "there is a variable $v, which $f has not",
    };
    const struct pcdf_tool_fit fit = { words,         &plan->in,           &ds->meta, plan->options->from[0],
                                       ds->file.path, plan->in.record_dim, length_of, plan,
                                       true };
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < plan->in.nvars && !status; i++) {
        status = pcdf_tool_fit_variable(&fit, i);
        status = status ? status : check_times(plan, &fit, i);
    }
    return status ? status : pcdf_tool_fit_no_more(&fit);
}

/* ---- values of variables that are taken from the first file */

static int hash_all(const struct pcdf_join_plan *plan, struct pcdf_tool_dataset *ds, uint64_t *hashes,
                    bool compares)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < plan->in.nvars && !status; i++) {
        uint64_t hash;
        if (plan->vars[i].axes)
            continue;
        status = pcdf_tool_values_hash(ds, pcdf_meta_find_var(&ds->meta, plan->in.vars[i].name), &hash);
        if (!status && ds->read_behind)
            status = pcdf_tool_unusable(ds->file.path, "the file became shorter while it was read");
        if (!status && compares && hash != hashes[i])
            status = pcdf_tool_unusable(
                ds->file.path, "variable %.200s, which is not joined, has other values than in %.300s",
                plan->in.vars[i].name, plan->options->from[0]);
        if (!compares)
            hashes[i] = hash;
    }
    return status;
}

/* ---- one file */

struct look { /* what a rank needs to look at its files */
    struct pcdf_join_plan *plan;
    uint64_t *hashes; /* of the first file, by variable */
};

static void keep_facts(struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds, int file)
{
    struct pcdf_join_facts *f = &plan->facts[file];
    f->sum = pcdf_tool_dataset_sum(ds, 0);
    f->is_image = pcdf_tool_source_is_image(ds->file.source);
    f->stamp = ds->file.stamp;
    for (int k = 0; k < plan->naxes; k++) {
        int dim = pcdf_meta_find_dim(&ds->meta, plan->axes[k].name);
        f->length[k] = plan->axes[k].dim < 0 || dim < 0 ? 1 : pcdf_tool_dim_length(&ds->meta, dim);
    }
}

static int check_file(struct look *l, struct pcdf_tool_dataset *ds, int file)
{
    struct pcdf_join_plan *plan = l->plan;
    const struct pcdf_meta *in = &plan->in;
    if (ds->behind > 0)
        return pcdf_tool_unusable(ds->file.path, "the file ends %" PRId64 " bytes before its data does",
                                  ds->behind);
    int status = check_definitions(plan, ds);
    if (!status && (plan->way == PCDF_JOIN_FMS || plan->way == PCDF_JOIN_WRF || plan->way == PCDF_JOIN_NEMO))
        status = pcdf_join_tiles_place(plan, ds, plan->spans + (int64_t)file * plan->naxes);
    if (!status && file > 0 && !plan->options->keep_first)
        status = hash_all(plan, ds, l->hashes, true);
    if (status)
        return status;
    keep_facts(plan, ds, file);
    int64_t *differs = plan->differs;
    note_differences(&in->gatts, &ds->meta.gatts, differs);
    for (int i = 0; i < in->nvars; i++)
        note_differences(&in->vars[i].atts,
                         &ds->meta.vars[pcdf_meta_find_var(&ds->meta, in->vars[i].name)].atts,
                         differs + pcdf_join_first_att(in, i));
    return PCDF_TOOL_GOOD;
}

static int look_at(struct look *l, int file)
{
    struct pcdf_tool_dataset *ds;
    int status = pcdf_tool_files_get(l->plan->files, file, &ds);
    return status ? status : check_file(l, ds, file);
}

static int hash_first(struct look *l)
{
    struct pcdf_tool_dataset *ds;
    int status = pcdf_tool_files_get(l->plan->files, 0, &ds);
    return status ? status : hash_all(l->plan, ds, l->hashes, false);
}

/* ---- all files */

static int make_room(struct look *l)
{
    struct pcdf_join_plan *plan = l->plan;
    size_t nfrom = (size_t)plan->options->nfrom;
    plan->facts = pcdf_calloc(nfrom, sizeof *plan->facts);
    plan->tile_file = pcdf_calloc(nfrom, sizeof *plan->tile_file);
    plan->spans = pcdf_calloc(nfrom * (size_t)plan->naxes + 1, sizeof *plan->spans);
    plan->differs =
        pcdf_calloc((size_t)pcdf_join_first_att(&plan->in, plan->in.nvars) + 1, sizeof *plan->differs);
    l->hashes = pcdf_calloc((size_t)plan->in.nvars + 1, sizeof *l->hashes);
    plan->ntiles = plan->options->nfrom;
    for (int64_t i = 0; i < plan->ntiles && plan->tile_file; i++)
        plan->tile_file[i] = i;
    bool has_all = plan->facts && plan->tile_file && plan->spans && plan->differs && l->hashes;
    return has_all ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

/* How many files may be open: of other formats, which take much memory, few. */
static int64_t room_of(const struct pcdf_join_plan *plan)
{
    int64_t room = pcdf_tool_files_most(pcdf_encode_size(&plan->in));
    for (int i = 0; i < plan->options->nfrom; i++)
        room = plan->facts[i].is_image ? plan->files->images : room;
    return pcdf_smaller(room, plan->options->nfrom);
}

/* What a rank did not look at is zeros, so that sums are what all know. */
static void share_all(struct pcdf_join_plan *plan)
{
    const struct pcdf_tool_ranks *ranks = plan->ranks;
    int nfrom = plan->options->nfrom, each = (int)(sizeof *plan->facts / sizeof(int64_t));
    int spans = (int)(sizeof *plan->spans / sizeof(int64_t)) * plan->naxes;
    int many = 1 << 16; /* files at once */
    for (int i = 0; i < nfrom; i += many) {
        int n = nfrom - i < many ? nfrom - i : many;
        pcdf_tool_sum_all(ranks, (int64_t *)(void *)&plan->facts[i], n * each);
        pcdf_tool_sum_all(ranks, (int64_t *)(void *)&plan->spans[(int64_t)i * plan->naxes], n * spans);
    }
    pcdf_tool_max_all(ranks, plan->differs, (int)pcdf_join_first_att(&plan->in, plan->in.nvars));
    int64_t room = -room_of(plan); /* ranks may have other limits */
    pcdf_tool_max_all(ranks, &room, 1);
    plan->files->room = (int)-room;
    for (int i = 0; i < nfrom; i++)
        pcdf_tool_files_know(plan->files, i, (uint32_t)plan->facts[i].sum, plan->facts[i].stamp);
}

int pcdf_join_files_all(struct pcdf_join_plan *plan)
{
    const struct pcdf_tool_ranks *ranks = plan->ranks;
    struct look l = { .plan = plan };
    int status = make_room(&l);
    status = pcdf_tool_worst_all(ranks, status);
    if (!status && !plan->options->keep_first && plan->options->nfrom > 1)
        status = hash_first(&l);
    for (int i = ranks->rank; i < plan->options->nfrom && !status; i += ranks->size)
        status = look_at(&l, i);
    status = pcdf_tool_worst_all(ranks, status);
    if (!status) /* the same on all ranks */
        share_all(plan);
    pcdf_free(l.hashes);
    return status;
}
