/* See joinfiles.h. */
#include "joinfiles.h"
#include "joinalong.h"
#include "jointiles.h"
#include "alloc.h"
#include "encode.h"
#include "meaningsame.h"
#include "meaningtext.h"
#include "hash.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolmember.h"

#include <inttypes.h>
#include <string.h>

enum { PIECE = 1 << 20 };

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

/* Attributes that say what the numbers mean. Units of time may differ: they are converted. */
static int check_meaning(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds, int varid,
                         int other)
{
    const struct pcdf_var *var = &plan->in.vars[varid];
    const struct pcdf_join_var *v = &plan->vars[varid];
    struct pcdf_join_change change;
    const char *att = pcdf_meaning_differs(var, &ds->meta.vars[other]);
    if (!att && v->time)
        return pcdf_join_change_of(v, ds->file.path, &ds->meta, other, &change);
    att = att ? att : pcdf_time_differs(&plan->in, varid, &ds->meta, other);
    return att ? pcdf_tool_unusable(
                     ds->file.path,
                     "attribute %.200s:%s is not as in %.300s: its numbers mean something else", var->name,
                     att, plan->options->from[0])
               : PCDF_TOOL_GOOD;
}

/* ---- shapes */

static int check_dim(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds,
                     const struct pcdf_var *var, int dim, int other)
{
    const char *first = plan->options->from[0], *name = plan->in.dims[dim].name;
    int64_t mine = pcdf_tool_dim_length(&plan->in, dim), its = pcdf_tool_dim_length(&ds->meta, other);
    if (strcmp(name, ds->meta.dims[other].name) != 0)
        return pcdf_tool_unusable(ds->file.path, "variable %.200s has other dimensions than in %.300s",
                                  var->name, first);
    bool is_record = other == ds->meta.record_dim;
    if (is_record != (dim == plan->in.record_dim)) /* it has another place in the file */
        return pcdf_tool_unusable(ds->file.path, "dimension %.200s is %s, and not in %.300s", name,
                                  is_record ? "unlimited" : "of fixed length", first);
    if (plan->axis_of[dim] >= 0 || mine == its)
        return PCDF_TOOL_GOOD;
    if (dim == plan->in.record_dim)
        return pcdf_tool_unusable(ds->file.path, "%" PRId64 " records, and %.300s has %" PRId64, its, first,
                                  mine);
    return pcdf_tool_unusable(ds->file.path,
                              "dimension %.200s has length %" PRId64 ", and %" PRId64 " in %.300s", name, its,
                              mine, first);
}

static int check_var(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds, int varid)
{
    const struct pcdf_var *var = &plan->in.vars[varid];
    const char *first = plan->options->from[0];
    int id = pcdf_meta_find_var(&ds->meta, var->name);
    if (id < 0)
        return pcdf_tool_unusable(ds->file.path, "there is no variable %.200s, which %.300s has", var->name,
                                  first);
    const struct pcdf_var *other = &ds->meta.vars[id];
    if (other->type != var->type || other->ndims != var->ndims)
        return pcdf_tool_unusable(ds->file.path, "variable %.200s has another type or shape than in %.300s",
                                  var->name, first);
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < var->ndims && !status; i++)
        status = check_dim(plan, ds, var, var->dimids[i], other->dimids[i]);
    return status ? status : check_meaning(plan, ds, varid, id);
}

/* ---- values of variables that are taken from the first file */

static int hash_values(struct pcdf_tool_dataset *ds, int varid, unsigned char *bytes, uint64_t *hash)
{
    int size = pcdf_type_size(ds->meta.vars[varid].type), status = PCDF_TOOL_GOOD;
    int64_t n = pcdf_tool_count(&ds->meta, varid), most = PIECE / size;
    uint64_t pair[2] = { 0, 0 };
    for (int64_t at = 0, some; at < n && !status; at += some) {
        some = n - at < most ? n - at : most;
        status = pcdf_tool_values(ds, varid, at, some, bytes);
        pair[1] = status ? 0 : pcdf_hash_bytes(bytes, (size_t)some * (size_t)size);
        pair[0] = pcdf_hash_bytes(pair, sizeof pair);
    }
    if (!status && ds->read_behind)
        status = pcdf_tool_unusable(ds->file.path, "the file became shorter while it was read");
    *hash = pair[0];
    return status;
}

static int hash_all(const struct pcdf_join_plan *plan, struct pcdf_tool_dataset *ds, unsigned char *bytes,
                    uint64_t *hashes, bool compares)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < plan->in.nvars && !status; i++) {
        uint64_t hash;
        if (plan->vars[i].axes)
            continue;
        status = hash_values(ds, pcdf_meta_find_var(&ds->meta, plan->in.vars[i].name), bytes, &hash);
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
    unsigned char *bytes;
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
    int status = PCDF_TOOL_GOOD;
    if (ds->behind > 0)
        return pcdf_tool_unusable(ds->file.path, "the file ends %" PRId64 " bytes before its data does",
                                  ds->behind);
    for (int i = 0; i < in->nvars && !status; i++)
        status = check_var(plan, ds, i);
    for (int i = 0; i < ds->meta.nvars && !status; i++)
        if (pcdf_meta_find_var(in, ds->meta.vars[i].name) < 0)
            status = pcdf_tool_unusable(ds->file.path, "there is a variable %.200s, which %.300s has not",
                                        ds->meta.vars[i].name, plan->options->from[0]);
    if (!status && (plan->way == PCDF_JOIN_FMS || plan->way == PCDF_JOIN_WRF || plan->way == PCDF_JOIN_NEMO))
        status = pcdf_join_tiles_place(plan, ds, plan->spans + (int64_t)file * plan->naxes);
    if (!status && file > 0 && !plan->options->keep_first)
        status = hash_all(plan, ds, l->bytes, l->hashes, true);
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
    return status ? status : hash_all(l->plan, ds, l->bytes, l->hashes, false);
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
    l->bytes = pcdf_malloc(PIECE);
    l->hashes = pcdf_calloc((size_t)plan->in.nvars + 1, sizeof *l->hashes);
    plan->ntiles = plan->options->nfrom;
    for (int64_t i = 0; i < plan->ntiles && plan->tile_file; i++)
        plan->tile_file[i] = i;
    bool has_all = plan->facts && plan->tile_file && plan->spans && plan->differs && l->bytes && l->hashes;
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
    pcdf_free(l.bytes);
    pcdf_free(l.hashes);
    return status;
}
