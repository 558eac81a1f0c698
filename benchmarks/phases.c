/* Writing and reading a checkpoint, timed and counted. */

#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "benchvalues.h"

struct run {
    const struct workload *w;
    const struct settings *s;
    MPI_Comm comm;
    int rank, nranks, ncid;
    struct pieces *pieces; /* of this rank, one a shape */
    int64_t *most;         /* elements of the rank that has most, one a shape: equal on all ranks */
    struct measured *m;
    int repeat;
    bool has_steps; /* the program computes before each record */
    double began;
};

/* --- phases
 * ------------------------------------------------------------------------------------------------- */

static void start_clock(struct run *r, enum phase phase)
{
    PMPI_Barrier(r->comm);
    mpi_count_into(r->repeat == 0 ? r->m->counts[phase] : NULL);
    r->began = bench_seconds();
}

static void stop_clock(struct run *r, enum phase phase)
{
    r->m->seconds[phase][r->repeat] += bench_seconds() - r->began;
    mpi_count_into(NULL);
}

static void note_slowest(struct run *r, enum phase phase)
{
    r->m->slowest[phase][r->repeat] = bench_max_all(r->comm, r->m->seconds[phase][r->repeat]);
}

static void start_run(struct run *r)
{
    PMPI_Comm_rank(r->comm, &r->rank);
    PMPI_Comm_size(r->comm, &r->nranks);
    r->pieces = bench_alloc((size_t)r->w->ndecomps, sizeof *r->pieces);
    r->most = bench_alloc((size_t)r->w->ndecomps, sizeof *r->most);
    for (int k = 0; k < r->w->ndecomps; k++) {
        workload_pieces(&r->w->decomps[k], r->rank, r->nranks, &r->pieces[k]);
        r->most[k] = bench_largest_all(r->comm, r->pieces[k].nelems);
    }
}

static void end_run(struct run *r)
{
    for (int k = 0; k < r->w->ndecomps; k++)
        pieces_free(&r->pieces[k]);
    free(r->pieces);
    free(r->most);
}

/* --- definitions
 * -------------------------------------------------------------------------------------------- */

static void define_atts(int ncid, int varid, const struct pcdf_atts *atts)
{
    for (int i = 0; i < atts->n; i++)
        bench_check(values_put_att(ncid, varid, &atts->x[i]), "attribute", atts->x[i].name);
}

static void define(const struct workload *w, int ncid)
{
    const struct pcdf_meta *meta = &w->meta;
    int id;
    for (int i = 0; i < meta->ndims; i++) {
        const struct pcdf_dim *dim = &meta->dims[i];
        MPI_Offset length = i == meta->record_dim ? NC_UNLIMITED : dim->length;
        bench_check(ncmpi_def_dim(ncid, dim->name, length, &id), "dimension", dim->name);
    }
    define_atts(ncid, NC_GLOBAL, &meta->gatts);
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        bench_check(ncmpi_def_var(ncid, var->name, var->type, var->ndims, var->dimids, &id), "variable",
                    var->name);
        define_atts(ncid, id, &var->atts);
    }
    bench_check(ncmpi_enddef(ncid), "enddef of", w->name);
}

static void check_definitions(const struct workload *w, int ncid)
{
    const struct pcdf_meta *meta = &w->meta;
    int ndims, nvars, ngatts, record_dim;
    bench_check(ncmpi_inq(ncid, &ndims, &nvars, &ngatts, &record_dim), "inquiring", w->name);
    if (ndims != meta->ndims || nvars != meta->nvars || ngatts != meta->gatts.n ||
        record_dim != meta->record_dim)
        bench_fail("the file has %d dimensions, %d variables and %d global attributes, not %d, %d and %d",
                   ndims, nvars, ngatts, meta->ndims, meta->nvars, meta->gatts.n);
    for (int i = -1; i < nvars; i++) {
        const struct pcdf_atts *atts = i < 0 ? &meta->gatts : &meta->vars[i].atts;
        for (int k = 0; k < atts->n; k++)
            if (!values_att_equal(ncid, i < 0 ? NC_GLOBAL : i, &atts->x[k]))
                bench_fail("attribute %s of variable %d is not what was written", atts->x[k].name, i);
    }
    for (int i = 0; i < nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        char name[NC_MAX_NAME + 1];
        nc_type type;
        int rank, natts, dimids[WORKLOAD_MAX_DIMS];
        bench_check(ncmpi_inq_varndims(ncid, i, &rank), "variable", var->name);
        if (rank != var->ndims)
            bench_fail("variable %s has %d dimensions, not %d", var->name, rank, var->ndims);
        bench_check(ncmpi_inq_var(ncid, i, name, &type, &rank, dimids, &natts), "variable", var->name);
        if (strcmp(name, var->name) || type != var->type || natts != var->atts.n ||
            memcmp(dimids, var->dimids, (size_t)rank * sizeof *dimids))
            bench_fail("variable %d is %s, not the %s that was defined", i, name, var->name);
    }
}

/* --- data
 * --------------------------------------------------------------------------------------------------- */

struct item { /* one collective call */
    int varid;
    int64_t record; /* -1: the variable has none */
    size_t at;      /* where its values begin in the batch */
};

/* Fixed variables first, then record after record, as a model run does. */
static struct item *list_items(const struct run *r, size_t *n)
{
    const struct pcdf_meta *meta = &r->w->meta;
    int64_t records = meta->nrecord_vars > 0 ? r->s->records : 0;
    struct item *items = bench_alloc((size_t)meta->nvars * (size_t)(records + 1), sizeof *items);
    *n = 0;
    for (int64_t record = -1; record < records; record++)
        for (int v = 0; v < meta->nvars; v++)
            if (meta->vars[v].ndims > 0 && meta->vars[v].is_record == (record >= 0))
                items[(*n)++] = (struct item){ v, record, 0 };
    return items;
}

static size_t item_bytes(const struct run *r, const struct item *item, int64_t nelems)
{
    return (size_t)nelems * (size_t)pcdf_type_size(r->w->meta.vars[item->varid].type);
}

/* Does the item belong to a later wait, or step, than the one that `first` begins? */
static bool is_next_step(const struct run *r, const struct item *first, const struct item *item)
{
    return (r->has_steps || strcmp(r->s->pending, "record") == 0) && item->record != first->record;
}

/* How many items from `first` on make one batch: no rank holds more than the limit, unless one item does;
 * pending, what one wait carries out; with steps, one of them. The same on all ranks. *bytes: what this rank
 * needs. */
static size_t fill_batch(const struct run *r, struct item *items, size_t first, size_t n, size_t *bytes)
{
    size_t limit = (size_t)r->s->batch << 20, most = 0, i;
    *bytes = 0;
    for (i = first; i < n; i++) {
        int k = r->w->decomp_of[items[i].varid];
        most += item_bytes(r, &items[i], r->most[k]);
        if (r->has_steps || *r->s->pending ? is_next_step(r, &items[first], &items[i])
                                           : i > first && most > limit)
            break;
        items[i].at = *bytes;
        *bytes += (item_bytes(r, &items[i], r->pieces[k].nelems) + 7) / 8 * 8;
    }
    return i;
}

static void move_item(struct run *r, const struct item *item, bool put, char *buffer)
{
    int k = r->w->decomp_of[item->varid];
    const struct pcdf_var *var = &r->w->meta.vars[item->varid];
    const struct pieces *p = &r->pieces[k];
    bool one_piece = r->w->decomps[k].one_piece;
    if (var->is_record)
        for (size_t i = 0; i < p->n; i++)
            p->starts[1][i][0] = item->record;
    int (*const put_it)(int, int, nc_type, bool, bool, const struct pieces *, const void *) =
        *r->s->pending ? values_post_put : values_put_all;
    int (*const get_it)(int, int, nc_type, bool, bool, const struct pieces *, void *) =
        *r->s->pending ? values_post_get : values_get_all;
    int err = put ? put_it(r->ncid, item->varid, var->type, var->is_record, one_piece, p, buffer)
                  : get_it(r->ncid, item->varid, var->type, var->is_record, one_piece, p, buffer);
    bench_check(err, put ? "writing" : "reading", var->name);
}

static void compare_item(struct run *r, const struct item *item, const char *buffer)
{
    int k = r->w->decomp_of[item->varid];
    int64_t first, wrong = values_wrong(&r->w->meta, &r->w->decomps[k], &r->pieces[k], item->varid,
                                        item->record, buffer, &first);
    r->m->values += r->pieces[k].nelems;
    if (wrong && r->m->wrong == 0)
        fprintf(stderr, "%s: rank %d: %s record %lld: %lld wrong values, the first at element %lld\n",
                bench_program(), r->rank, r->w->meta.vars[item->varid].name, (long long)item->record,
                (long long)wrong, (long long)first);
    r->m->wrong += wrong;
}

/* Scalars are rank 0's alone, in independent mode, all in one go. */
static void move_scalars(struct run *r, enum phase phase)
{
    const struct pcdf_meta *meta = &r->w->meta;
    int64_t value;
    int n = 0;
    for (int v = 0; v < meta->nvars; v++)
        n += meta->vars[v].ndims == 0;
    if (n == 0)
        return;
    start_clock(r, phase);
    bench_check(ncmpi_begin_indep_data(r->ncid), "independent mode of", r->w->name);
    for (int v = 0; v < meta->nvars && r->rank == 0; v++) {
        const struct pcdf_var *var = &meta->vars[v];
        int k = r->w->decomp_of[v];
        const struct item item = { v, -1, 0 };
        if (var->ndims > 0)
            continue;
        if (phase == PHASE_WRITE) {
            values_make(meta, &r->w->decomps[k], &r->pieces[k], v, -1, &value);
            bench_check(values_put_scalar(r->ncid, v, var->type, &value), "writing", var->name);
        } else {
            memset(&value, 0xa5, sizeof value);
            bench_check(values_get_scalar(r->ncid, v, var->type, &value), "reading", var->name);
            compare_item(r, &item, (char *)&value);
        }
    }
    bench_check(ncmpi_end_indep_data(r->ncid), "collective mode of", r->w->name);
    stop_clock(r, phase);
}

/* before: the seconds of the phase so far. */
static void note_step(struct run *r, double begin, double computed, double before)
{
    struct steps *s = &r->m->steps;
    s->computed[s->n] = computed;
    s->waited[s->n] = r->m->seconds[PHASE_WRITE][r->repeat] - before;
    s->whole[s->n] = bench_seconds() - begin;
    s->n++;
}

/* Values are made and compared between the timed batches; where there are steps, they are made in the time of
 * the computation, as a model does. */
static void move_all(struct run *r, enum phase phase)
{
    size_t n, first, next, bytes, room = 0;
    struct item *items = list_items(r, &n);
    char *buffer = NULL;
    bool put = phase == PHASE_WRITE;
    move_scalars(r, phase);
    for (first = 0; first < n; first = next) {
        next = fill_batch(r, items, first, n, &bytes);
        if (bytes > room || !buffer)
            buffer = bench_grow(buffer, room = bytes, 1);
        bool is_step = r->has_steps && items[first].record >= 0;
        double begin = bench_seconds(), before = r->m->seconds[phase][r->repeat];
        for (size_t i = first; i < next; i++) {
            int v = items[i].varid, k = r->w->decomp_of[v];
            if (put)
                values_make(&r->w->meta, &r->w->decomps[k], &r->pieces[k], v, items[i].record,
                            buffer + items[i].at);
            else /* nothing right is there before */
                memset(buffer + items[i].at, 0xa5, item_bytes(r, &items[i], r->pieces[k].nelems));
        }
        double computed = is_step ? compute_run(&r->s->compute, begin) : 0;
        start_clock(r, phase);
        for (size_t i = first; i < next; i++) {
            move_item(r, &items[i], put, buffer + items[i].at);
            bench_progress(phase_names[phase], (int64_t)i + 1, (int64_t)n);
        }
        if (*r->s->pending)
            bench_check(ncmpi_wait_all(r->ncid, NC_REQ_ALL, NULL, NULL), "waiting for", r->w->name);
        stop_clock(r, phase);
        if (is_step)
            note_step(r, begin, computed, before);
        for (size_t i = first; i < next && !put; i++)
            compare_item(r, &items[i], buffer + items[i].at);
    }
    r->m->data_calls = (int64_t)n;
    free(buffer);
    free(items);
    note_slowest(r, phase);
}

static void count_pieces(const struct run *r)
{
    const struct pcdf_meta *meta = &r->w->meta;
    int64_t mine = 0;
    r->m->pieces = r->m->largest = 0;
    for (int v = 0; v < meta->nvars; v++) {
        int k = r->w->decomp_of[v];
        int64_t n = (int64_t)r->pieces[k].n, times = meta->vars[v].is_record ? r->s->records : 1;
        mine += times * r->pieces[k].nelems * pcdf_type_size(meta->vars[v].type);
        if (r->w->decomps[k].partitioned) {
            r->m->pieces += n;
            r->m->largest = n > r->m->largest ? n : r->m->largest;
        }
    }
    r->m->bytes = bench_sum_all(r->comm, mine);
}

/* --- the two halves
 * ----------------------------------------------------------------------------------------- */

static int cmode(int64_t format)
{
    return format == 5 ? NC_64BIT_DATA : format == 2 ? NC_64BIT_OFFSET : 0;
}

void checkpoint_write(const struct workload *w, const struct settings *s, MPI_Comm comm, const char *path,
                      int repeat, struct measured *m)
{
    struct run r = { .w = w, .s = s, .comm = comm, .m = m, .repeat = repeat };
    r.has_steps = s->compute.seconds > 0;
    start_run(&r);
    count_pieces(&r);
    start_clock(&r, PHASE_DEFINE);
    bench_check(ncmpi_create(comm, path, NC_CLOBBER | cmode(s->format), s->info, &r.ncid), "creating", path);
    if (!s->keep) /* from now on the file is ours */
        bench_remove_on_failure(path);
    define(w, r.ncid);
    stop_clock(&r, PHASE_DEFINE);
    note_slowest(&r, PHASE_DEFINE);
    move_all(&r, PHASE_WRITE);
    if (r.rank == 0 && repeat == 0)
        bench_check(ncmpi_inq_file_info(r.ncid, &m->in_effect), "hints of", path);
    start_clock(&r, PHASE_CLOSE);
    bench_check(ncmpi_close(r.ncid), "closing", path);
    stop_clock(&r, PHASE_CLOSE);
    note_slowest(&r, PHASE_CLOSE);
    end_run(&r);
}

void checkpoint_read(const struct workload *w, const struct settings *s, MPI_Comm comm, const char *path,
                     int repeat, struct measured *m)
{
    struct run r = { .w = w, .s = s, .comm = comm, .m = m, .repeat = repeat };
    MPI_Offset records = 0, want = w->meta.nrecord_vars > 0 ? s->records : 0;
    start_run(&r);
    start_clock(&r, PHASE_OPEN);
    bench_check(ncmpi_open(comm, path, NC_NOWRITE, s->info, &r.ncid), "opening", path);
    stop_clock(&r, PHASE_OPEN);
    note_slowest(&r, PHASE_OPEN);
    check_definitions(w, r.ncid);
    if (w->meta.record_dim >= 0)
        bench_check(ncmpi_inq_dimlen(r.ncid, w->meta.record_dim, &records), "records of", path);
    if (records != want)
        bench_fail("%s has %lld records, not %lld", path, (long long)records, (long long)want);
    move_all(&r, PHASE_READ);
    bench_check(ncmpi_close(r.ncid), "closing", path);
    end_run(&r);
}
