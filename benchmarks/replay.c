/* The checkpoint cases made of real headers: E3SM with its decomposition map, WRF with blocks. */

#include "workload.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "bench.h"
#include "cdl.h"

struct map { /* one decomposition of a map file */
    int ndims, nparts;
    int64_t dims[WORKLOAD_MAX_DIMS];
    int64_t *first;  /* nparts + 1: where the pieces of each process begin */
    int *fill_start; /* of each process: from this piece on, fill values */
    int *offset, *length;
};

/* --- the header
 * --------------------------------------------------------------------------------------------- */

static void read_header(struct workload *w, const char *path)
{
    struct pcdf_cdl_fault fault;
    size_t n = 0, room = 1 << 16, got;
    char *text = bench_alloc(room, 1);
    FILE *f = fopen(path, "rb");
    if (!f)
        bench_fail("%s: %s", path, strerror(errno));
    while ((got = fread(text + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room)
            text = bench_grow(text, room *= 2, 1);
    }
    if (ferror(f))
        bench_fail("%s: %s", path, strerror(errno));
    fclose(f);
    *w = (struct workload){ .name = path };
    if (pcdf_cdl_parse(text, n, PCDF_CDL_EMPTY, &w->meta, &fault))
        bench_fail("%s:%d:%d: %s", path, fault.line, fault.column, fault.text);
    free(text);
    w->meta.numrecs = 0;
    w->decomp_of = bench_alloc((size_t)w->meta.nvars, sizeof *w->decomp_of);
    for (int v = 0; v < w->meta.nvars; v++)
        w->decomp_of[v] = -1;
}

/* --- the map
 * ------------------------------------------------------------------------------------------------ */

static int *read_ints(int ncid, int number, const char *what, int64_t *n)
{
    char name[64];
    int varid, ndims, dimid;
    MPI_Offset length;
    snprintf(name, sizeof name, "D%d.%s", number, what);
    bench_check(ncmpi_inq_varid(ncid, name, &varid), "map variable", name);
    bench_check(ncmpi_inq_varndims(ncid, varid, &ndims), "map variable", name);
    if (ndims != 1)
        bench_fail("map variable %s has %d dimensions, not 1", name, ndims);
    bench_check(ncmpi_inq_vardimid(ncid, varid, &dimid), "map variable", name);
    bench_check(ncmpi_inq_dimlen(ncid, dimid, &length), "map variable", name);
    int *values = bench_alloc((size_t)length, sizeof *values);
    bench_check(ncmpi_get_var_int_all(ncid, varid, values), "reading map variable", name);
    *n = length;
    return values;
}

static void read_map_dims(int ncid, int number, struct map *m)
{
    char name[64];
    MPI_Offset n;
    int dims[WORKLOAD_MAX_DIMS];
    snprintf(name, sizeof name, "D%d.dims", number);
    bench_check(ncmpi_inq_attlen(ncid, NC_GLOBAL, name, &n), "map attribute", name);
    if (n < 1 || n > WORKLOAD_MAX_DIMS)
        bench_fail("map attribute %s has %lld values, not 1 to %d", name, (long long)n, WORKLOAD_MAX_DIMS);
    bench_check(ncmpi_get_att_int(ncid, NC_GLOBAL, name, dims), "map attribute", name);
    m->ndims = (int)n;
    for (int i = 0; i < m->ndims; i++) {
        m->dims[i] = dims[i];
        if (dims[i] < 1)
            bench_fail("map attribute %s has the length %d", name, dims[i]);
    }
}

static void check_map(const struct map *m, int number, const int *nreqs, int64_t total)
{
    int64_t size = 1;
    for (int i = 0; i < m->ndims; i++)
        if (__builtin_mul_overflow(size, m->dims[i], &size))
            bench_fail("the product of D%d.dims does not fit in 63 bits", number);
    if (m->first[m->nparts] != total)
        bench_fail("D%d.nreqs add up to %lld, but there are %lld offsets", number,
                   (long long)m->first[m->nparts], (long long)total);
    for (int p = 0; p < m->nparts; p++)
        if (m->fill_start[p] < 0 || m->fill_start[p] > nreqs[p])
            bench_fail("D%d.fill_starts of process %d is %d of %d pieces", number, p, m->fill_start[p],
                       nreqs[p]);
    for (int64_t i = 0; i < total; i++)
        if (m->offset[i] < 0 || m->length[i] < 1 || m->offset[i] > size - m->length[i])
            bench_fail("D%d: piece %lld (offset %d, length %d) lies outside 0 .. %lld", number, (long long)i,
                       m->offset[i], m->length[i], (long long)size);
}

static struct map *read_map(int ncid, int number, int nprocs)
{
    struct map *m = bench_alloc(1, sizeof *m);
    int64_t n, total, lengths;
    read_map_dims(ncid, number, m);
    int *nreqs = read_ints(ncid, number, "nreqs", &n);
    if (n != nprocs)
        bench_fail("D%d.nreqs has %lld values for %d processes", number, (long long)n, nprocs);
    m->fill_start = read_ints(ncid, number, "fill_starts", &n);
    m->offset = read_ints(ncid, number, "offsets", &total);
    m->length = read_ints(ncid, number, "lengths", &lengths);
    if (n != nprocs || lengths != total)
        bench_fail("the variables of D%d differ in length", number);
    m->nparts = nprocs;
    m->first = bench_alloc((size_t)nprocs + 1, sizeof *m->first);
    for (int p = 0; p < nprocs; p++) {
        if (nreqs[p] < 0)
            bench_fail("D%d.nreqs of process %d is %d", number, p, nreqs[p]);
        m->first[p + 1] = m->first[p] + nreqs[p];
    }
    check_map(m, number, nreqs, total);
    free(nreqs);
    return m;
}

static void build_map(const struct decomp *d, int part, int nparts, bool fill, struct pieces *p)
{
    const struct map *m = d->data;
    int64_t middle = m->first[part] + m->fill_start[part];
    int64_t begin = fill ? middle : m->first[part], end = fill ? m->first[part + 1] : middle;
    (void)nparts;
    for (int64_t i = begin; i < end; i++)
        pieces_add_run(p, d->dims, m->offset[i], m->length[i]);
}

static void read_maps(struct workload *w, MPI_Comm comm, const char *path)
{
    int ncid, dimid;
    MPI_Offset n, nprocs;
    bench_check(ncmpi_open(comm, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "opening map", path);
    bench_check(ncmpi_inq_dimid(ncid, "num_decomp", &dimid), "map dimension", "num_decomp");
    bench_check(ncmpi_inq_dimlen(ncid, dimid, &n), "map dimension", "num_decomp");
    bench_check(ncmpi_inq_dimid(ncid, "decomp_nprocs", &dimid), "map dimension", "decomp_nprocs");
    bench_check(ncmpi_inq_dimlen(ncid, dimid, &nprocs), "map dimension", "decomp_nprocs");
    if (n < 1 || n > 1000 || nprocs < 1 || nprocs > 1 << 20)
        bench_fail("%s: %lld decompositions of %lld processes", path, (long long)n, (long long)nprocs);
    for (int i = 1; i <= (int)n; i++) {
        struct map *m = read_map(ncid, i, (int)nprocs);
        struct decomp d = {
            .ndims = m->ndims, .partitioned = true, .max_parts = m->nparts, .build = build_map, .data = m
        };
        memcpy(d.dims, m->dims, sizeof d.dims);
        workload_add_decomp(w, &d);
    }
    bench_check(ncmpi_close(ncid), "closing map", path);
    w->max_ranks = (int)nprocs;
}

/* --- header and map together
 * -------------------------------------------------------------------------------- */

static void set_dim(struct workload *w, const char *name, size_t n, int64_t length)
{
    for (int i = 0; i < w->meta.ndims; i++)
        if (strlen(w->meta.dims[i].name) == n && memcmp(w->meta.dims[i].name, name, n) == 0 &&
            i != w->meta.record_dim) {
            w->meta.dims[i].length = length;
            return;
        }
    bench_fail("the header has no dimension %.*s of fixed length", (int)n, name);
}

static void set_dims(struct workload *w, const char *dims)
{
    while (dims && *dims) {
        size_t n = strcspn(dims, "=,");
        char *end;
        long long length = dims[n] == '=' ? strtoll(dims + n + 1, &end, 10) : 0;
        if (length < 1 || (*end && *end != ','))
            bench_fail("dimensions are given like nCells=285,nEdges=879, not %s", dims);
        set_dim(w, dims, n, length);
        dims = *end ? end + 1 : end;
    }
}

static bool header_has(const struct workload *w, int64_t length)
{
    for (int i = 0; i < w->meta.ndims; i++)
        if (i != w->meta.record_dim && w->meta.dims[i].length == length)
            return true;
    return false;
}

/* The header's dimension that an integer factor brings down to `length`. -1: none. */
static int shrunk_dim(const struct workload *w, int64_t length, int64_t factor)
{
    for (int i = 0; i < w->meta.ndims; i++)
        if (i != w->meta.record_dim && w->meta.dims[i].length / factor == length)
            return i;
    return -1;
}

/* A map's lengths override the header's. Some maps come from a run that was cut down (G: 28571 cells in the
 * header, 285 in the map), all lengths by the same factor: find the factor that explains every length that
 * the header lacks. */
static void shrink_dims(struct workload *w)
{
    int64_t missing[64];
    int n = 0;
    for (int k = 0; k < w->ndecomps; k++)
        for (int i = 0; i < w->decomps[k].ndims && n < 64; i++)
            if (!header_has(w, w->decomps[k].dims[i]))
                missing[n++] = w->decomps[k].dims[i];
    if (n == 0)
        return;
    for (int64_t factor = 2; factor <= 100000; factor++) {
        int explained = 0;
        while (explained < n && shrunk_dim(w, missing[explained], factor) >= 0)
            explained++;
        if (explained < n)
            continue;
        for (int i = 0; i < n; i++) {
            int dim = shrunk_dim(w, missing[i], factor);
            if (dim >= 0) /* not set by an equal length before */
                w->meta.dims[dim].length = missing[i];
        }
        return;
    }
    bench_fail("no dimension of the header fits the map's length %lld; name it with --dims",
               (long long)missing[0]);
}

/* Where several maps have one shape the last one serves, except for `area` of the F case, which E3SM writes
 * on the grid of the dynamics, the first. */
static int choose_map(const struct workload *w, int varid)
{
    int64_t dims[WORKLOAD_MAX_DIMS] = { 0 };
    int ndims = workload_shape(w, varid, dims), chosen = -1;
    bool first = strcmp(w->meta.vars[varid].name, "area") == 0;
    for (int k = 0; k < w->ndecomps; k++) {
        const struct decomp *d = &w->decomps[k];
        bool fits = d->ndims == ndims && memcmp(d->dims, dims, (size_t)ndims * sizeof *dims) == 0;
        if (fits && !(first && chosen >= 0))
            chosen = k;
    }
    return chosen;
}

void workload_replay(struct workload *w, MPI_Comm comm, const char *header, const char *map, const char *dims)
{
    read_header(w, header);
    read_maps(w, comm, map);
    set_dims(w, dims);
    shrink_dims(w);
    for (int v = 0; v < w->meta.nvars; v++)
        w->decomp_of[v] = choose_map(w, v);
    workload_rest(w);
}

/* --- WRF
 * ---------------------------------------------------------------------------------------------------- */

static const int split_two = 2;

static bool is_horizontal(const char *name, const char *direction)
{
    size_t n = strlen(direction);
    return strncmp(name, direction, n) == 0 && (name[n] == '\0' || strcmp(name + n, "_stag") == 0);
}

/* A staggered dimension has one more point than there are cells, at any size. */
static void scale_horizontal(struct workload *w, int64_t scale)
{
    for (int i = 0; i < w->meta.ndims; i++) {
        struct pcdf_dim *dim = &w->meta.dims[i];
        if (!is_horizontal(dim->name, "south_north") && !is_horizontal(dim->name, "west_east"))
            continue;
        int64_t extra = strstr(dim->name, "_stag") != NULL, cells = (dim->length - extra) / scale;
        dim->length = (cells < 1 ? 1 : cells) + extra;
    }
}

void workload_wrf(struct workload *w, const char *header, int scale)
{
    read_header(w, header);
    scale_horizontal(w, scale < 1 ? 1 : scale);
    for (int v = 0; v < w->meta.nvars; v++) {
        const struct pcdf_var *var = &w->meta.vars[v];
        struct decomp d = {
            .partitioned = true, .one_piece = true, .build = workload_build_blocks, .data = &split_two
        };
        if (var->ndims < 2 || !is_horizontal(w->meta.dims[var->dimids[var->ndims - 2]].name, "south_north") ||
            !is_horizontal(w->meta.dims[var->dimids[var->ndims - 1]].name, "west_east"))
            continue;
        d.ndims = workload_shape(w, v, d.dims);
        for (int k = 0; k < w->ndecomps && w->decomp_of[v] < 0; k++)
            if (w->decomps[k].ndims == d.ndims && memcmp(w->decomps[k].dims, d.dims, sizeof d.dims) == 0)
                w->decomp_of[v] = k;
        if (w->decomp_of[v] < 0)
            w->decomp_of[v] = workload_add_decomp(w, &d);
    }
    workload_rest(w);
}
