#include "workload.h"

#include <stdlib.h>
#include <string.h>
#include "bench.h"

/* --- pieces
 * ------------------------------------------------------------------------------------------------- */

void pieces_add(struct pieces *p, const int64_t *start, const int64_t *count)
{
    size_t columns = (size_t)p->ndims + 1, row = p->n * columns;
    int64_t nelems = 1;
    if (p->n == p->room) {
        p->room = p->room < 16 ? 16 : 2 * p->room;
        p->start = bench_grow(p->start, p->room * columns, sizeof *p->start);
        p->count = bench_grow(p->count, p->room * columns, sizeof *p->count);
    }
    p->start[row] = 0;
    p->count[row] = 1;
    for (int d = 0; d < p->ndims; d++) {
        p->start[row + 1 + (size_t)d] = start[d];
        p->count[row + 1 + (size_t)d] = count[d];
        nelems *= count[d];
    }
    p->nelems += nelems;
    p->n++;
}

void pieces_add_run(struct pieces *p, const int64_t *dims, int64_t offset, int64_t length)
{
    int64_t start[WORKLOAD_MAX_DIMS], count[WORKLOAD_MAX_DIMS];
    while (length > 0) {
        /* The outermost dimension of which whole rows begin here and fit. */
        int d = p->ndims - 1;
        int64_t row = 1; /* elements of one step along d */
        while (d > 0 && offset % (row * dims[d]) == 0 && length >= row * dims[d])
            row *= dims[d--];
        int64_t rest = offset / row;
        for (int i = p->ndims - 1; i > d; i--)
            start[i] = 0, count[i] = dims[i];
        for (int i = d; i >= 0; i--)
            start[i] = rest % dims[i], count[i] = 1, rest /= dims[i];
        int64_t steps = length / row, room = dims[d] - start[d];
        count[d] = steps < room ? steps : room;
        pieces_add(p, start, count);
        offset += count[d] * row;
        length -= count[d] * row;
    }
}

void pieces_ready(struct pieces *p)
{
    size_t columns = (size_t)p->ndims + 1;
    for (size_t k = 0; k < 2; k++) {
        p->starts[k] = bench_alloc(p->n, sizeof *p->starts[k]);
        p->counts[k] = bench_alloc(p->n, sizeof *p->counts[k]);
        for (size_t i = 0; i < p->n; i++) {
            p->starts[k][i] = p->start + i * columns + (1 - k);
            p->counts[k][i] = p->count + i * columns + (1 - k);
        }
    }
}

void pieces_free(struct pieces *p)
{
    for (int k = 0; k < 2; k++) {
        free(p->starts[k]);
        free(p->counts[k]);
    }
    free(p->start);
    free(p->count);
    *p = (struct pieces){ 0 };
}

/* --- shapes
 * ------------------------------------------------------------------------------------------------- */

void workload_pieces(const struct decomp *d, int rank, int nranks, struct pieces *p)
{
    int nparts = d->max_parts ? d->max_parts : nranks;
    int first = (int)((int64_t)rank * nparts / nranks), end = (int)((int64_t)(rank + 1) * nparts / nranks);
    *p = (struct pieces){ .ndims = d->ndims };
    for (int part = first; part < end; part++)
        d->build(d, part, nparts, false, p);
    p->nreal = p->n;
    for (int part = first; part < end; part++)
        d->build(d, part, nparts, true, p);
    pieces_ready(p);
}

int workload_add_decomp(struct workload *w, const struct decomp *d)
{
    w->decomps = bench_grow(w->decomps, (size_t)w->ndecomps + 1, sizeof *w->decomps);
    w->decomps[w->ndecomps] = *d;
    return w->ndecomps++;
}

int workload_shape(const struct workload *w, int varid, int64_t dims[WORKLOAD_MAX_DIMS])
{
    const struct pcdf_var *var = &w->meta.vars[varid];
    int ndims = 0;
    if (var->ndims > WORKLOAD_MAX_DIMS)
        bench_fail("variable %s has %d dimensions, above %d", var->name, var->ndims, WORKLOAD_MAX_DIMS);
    for (int i = var->is_record ? 1 : 0; i < var->ndims; i++)
        dims[ndims++] = w->meta.dims[var->dimids[i]].length;
    return ndims;
}

static void build_whole(const struct decomp *d, int part, int nparts, bool fill, struct pieces *p)
{
    static const int64_t zeros[WORKLOAD_MAX_DIMS];
    (void)nparts;
    if (part == 0 && !fill)
        pieces_add(p, zeros, d->dims);
}

void workload_rest(struct workload *w)
{
    int first = w->ndecomps;
    for (int v = 0; v < w->meta.nvars; v++) {
        struct decomp d = { .one_piece = true, .build = build_whole };
        if (w->decomp_of[v] >= 0)
            continue;
        d.ndims = workload_shape(w, v, d.dims);
        d.one_piece =
            w->meta.vars[v].ndims > 0; /* a scalar has no count that could be 0: varn with no piece */
        for (int k = first; k < w->ndecomps && w->decomp_of[v] < 0; k++)
            if (w->decomps[k].ndims == d.ndims && memcmp(w->decomps[k].dims, d.dims, sizeof d.dims) == 0)
                w->decomp_of[v] = k;
        if (w->decomp_of[v] < 0)
            w->decomp_of[v] = workload_add_decomp(w, &d);
    }
}

int workload_partitioned(const struct workload *w)
{
    int n = 0;
    for (int v = 0; v < w->meta.nvars; v++)
        n += w->decomps[w->decomp_of[v]].partitioned;
    return n;
}

void workload_free(struct workload *w)
{
    pcdf_meta_free(&w->meta);
    free(w->decomp_of);
    free(w->decomps);
}

/* --- blocks
 * ------------------------------------------------------------------------------------------------- */

/* Gives each prime factor of nparts, largest first, to the dimension whose blocks are longest. */
static void process_grid(const int64_t *dims, int ndims, int nparts, int64_t *grid)
{
    for (int d = 0; d < ndims; d++)
        grid[d] = 1;
    int factors[32], n = 0;
    for (int f = 2; nparts > 1; f++)
        for (; nparts % f == 0; nparts /= f)
            factors[n++] = f;
    while (n-- > 0) {
        int longest = 0;
        for (int d = 1; d < ndims; d++)
            if (dims[d] * grid[longest] > dims[longest] * grid[d])
                longest = d;
        grid[longest] *= factors[n];
    }
}

void workload_build_blocks(const struct decomp *d, int part, int nparts, bool fill, struct pieces *p)
{
    int nsplit = *(const int *)d->data, fixed = d->ndims - nsplit;
    int64_t grid[WORKLOAD_MAX_DIMS], start[WORKLOAD_MAX_DIMS] = { 0 }, count[WORKLOAD_MAX_DIMS];
    if (fill)
        return;
    process_grid(d->dims + fixed, nsplit, nparts, grid);
    for (int i = 0; i < fixed; i++)
        count[i] = d->dims[i];
    int64_t rest = part;
    for (int i = d->ndims - 1; i >= fixed; i--) {
        int64_t at = rest % grid[i - fixed];
        rest /= grid[i - fixed];
        start[i] = d->dims[i] * at / grid[i - fixed];
        count[i] = d->dims[i] * (at + 1) / grid[i - fixed] - start[i];
        if (count[i] == 0)
            return;
    }
    pieces_add(p, start, count);
}
