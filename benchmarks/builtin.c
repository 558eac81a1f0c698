/* The checkpoint cases that need no file. */

#include "workload.h"

#include <stdlib.h>
#include <string.h>
#include "bench.h"

static const int split_three = 3;

static void must(int err, const char *what)
{
    if (err)
        bench_fail("%s: code %d", what, err);
}

static void begin(struct workload *w, const char *name)
{
    *w = (struct workload){ .name = name };
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    must(pcdf_meta_add_dim(&w->meta, "time", 0, NULL), "dimension time");
    must(pcdf_atts_put(&w->meta, &w->meta.gatts, "title", NC_CHAR, (int64_t)strlen(name), name),
         "attribute title");
}

/* field_0 .. field_n-1, float and double in turn, each with a record dimension, and one fixed one. */
static void add_fields(struct workload *w, int nvars, int nspace, const int *space, int decomp)
{
    int dimids[4] = { 0 };
    for (int i = 0; i < nspace; i++)
        dimids[i + 1] = space[i];
    w->decomp_of = bench_alloc((size_t)nvars + 2, sizeof *w->decomp_of);
    for (int v = 0; v <= nvars; v++) {
        char name[32];
        int varid;
        bool is_mask = v == nvars;
        snprintf(name, sizeof name, is_mask ? "mask" : "field_%d", v);
        must(pcdf_meta_add_var(&w->meta, name,
                               is_mask ? NC_INT
                               : v % 2 ? NC_DOUBLE
                                       : NC_FLOAT,
                               is_mask ? nspace : nspace + 1, is_mask ? dimids + 1 : dimids, &varid),
             name);
        must(pcdf_atts_put(&w->meta, &w->meta.vars[varid].atts, "units", NC_CHAR, 1, "1"), "attribute units");
        w->decomp_of[varid] = decomp;
    }
    must(pcdf_meta_add_var(&w->meta, "time", NC_DOUBLE, 1, dimids, NULL), "variable time");
    w->decomp_of[nvars + 1] = -1;
    workload_rest(w);
}

void workload_block3d(struct workload *w, const char *grid, int nvars)
{
    struct decomp d = { .ndims = 3,
                        .partitioned = true,
                        .one_piece = true,
                        .build = workload_build_blocks,
                        .data = &split_three };
    static const char *const names[] = { "z", "y", "x" };
    int space[3], used = 0;
    begin(w, "3-D blocks");
    long long z, y, x;
    if (sscanf(grid, "%lldx%lldx%lld%n", &z, &y, &x, &used) != 3 || grid[used] || z < 1 || y < 1 || x < 1 ||
        z > 1 << 20 || y > 1 << 20 || x > 1 << 20)
        bench_fail("a grid is written like 64x128x128, not %s", grid);
    d.dims[0] = z, d.dims[1] = y, d.dims[2] = x;
    for (int i = 0; i < 3; i++)
        must(pcdf_meta_add_dim(&w->meta, names[i], d.dims[i], &space[i]), names[i]);
    add_fields(w, nvars, 3, space, workload_add_decomp(w, &d));
}

/* --- the cubed sphere
 * --------------------------------------------------------------------------------------- */

enum { POINTS = 3 }; /* columns along the edge of an element */

struct sphere {
    int ne;           /* elements along the edge of a face */
    int64_t *element; /* elements in the order of the curve: face * ne * ne + j * ne + i */
};

/* The cell of a Hilbert curve of side 2^k that stands at `index`. */
static void hilbert_cell(int64_t side, int64_t index, int64_t *i, int64_t *j)
{
    *i = *j = 0;
    for (int64_t s = 1; s < side; s *= 2, index /= 4) {
        int64_t right = 1 & (index / 2), up = 1 & (index ^ right);
        if (up == 0) {
            if (right == 1)
                *i = s - 1 - *i, *j = s - 1 - *j;
            int64_t swap = *i;
            *i = *j, *j = swap;
        }
        *i += s * right;
        *j += s * up;
    }
}

/* On a side that is no power of two the curve leaves out the cells beyond it. */
static void order_elements(struct sphere *s)
{
    int64_t side = 1, n = 0;
    while (side < s->ne)
        side *= 2;
    s->element = bench_alloc(6 * (size_t)s->ne * (size_t)s->ne, sizeof *s->element);
    for (int64_t face = 0; face < 6; face++)
        for (int64_t k = 0; k < side * side; k++) {
            int64_t i, j;
            hilbert_cell(side, k, &i, &j);
            if (i < s->ne && j < s->ne)
                s->element[n++] = (face * s->ne + j) * s->ne + i;
        }
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The columns of a face lie in the file row by row, so an element is POINTS short runs, and neighbours along
 * a row join. Each level repeats them. */
static void build_sphere(const struct decomp *d, int part, int nparts, bool fill, struct pieces *p)
{
    const struct sphere *s = d->data;
    int64_t ne = s->ne, row = ne * POINTS, total = 6 * ne * ne;
    int64_t first = total * part / nparts, end = total * (part + 1) / nparts, n = 0;
    if (fill || first == end)
        return;
    int64_t *runs = bench_alloc((size_t)(end - first) * POINTS, sizeof *runs);
    for (int64_t k = first; k < end; k++) {
        int64_t face = s->element[k] / (ne * ne), j = s->element[k] / ne % ne, i = s->element[k] % ne;
        for (int64_t r = 0; r < POINTS; r++)
            runs[n++] = (face * row + j * POINTS + r) * row + i * POINTS;
    }
    qsort(runs, (size_t)n, sizeof *runs, by_value);
    for (int64_t level = 0; level < d->dims[0]; level++)
        for (int64_t k = 0, next; k < n; k = next) {
            for (next = k + 1; next < n && runs[next] == runs[next - 1] + POINTS && runs[next] % row != 0;
                 next++)
                ;
            const int64_t start[2] = { level, runs[k] }, count[2] = { 1, (next - k) * POINTS };
            pieces_add(p, start, count);
        }
    free(runs);
}

void workload_sphere(struct workload *w, int ne, int levels, int nvars)
{
    static struct sphere sphere; /* lives as long as the workload, of which a program has one */
    struct decomp d = { .ndims = 2, .partitioned = true, .build = build_sphere, .data = &sphere };
    int space[2];
    if (ne < 1 || ne > 4096 || levels < 1 || levels > 100000)
        bench_fail("a cubed sphere of %d elements an edge and %d levels is not served", ne, levels);
    begin(w, "cubed sphere along a Hilbert curve");
    sphere.ne = ne;
    order_elements(&sphere);
    d.dims[0] = levels;
    d.dims[1] = (int64_t)6 * ne * ne * POINTS * POINTS;
    must(pcdf_meta_add_dim(&w->meta, "lev", d.dims[0], &space[0]), "dimension lev");
    must(pcdf_meta_add_dim(&w->meta, "ncol", d.dims[1], &space[1]), "dimension ncol");
    add_fields(w, nvars, 2, space, workload_add_decomp(w, &d));
}
