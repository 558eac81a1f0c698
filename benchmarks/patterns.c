/* The patterns that simulations are made of, one after another, each in a file of its own: written, closed,
 * read back by the rank beside the one that wrote, and compared value by value. Where a pattern is written in
 * a way of its own (one call after another, pending requests, lists), that is what is timed: from the first
 * put to the end of close. */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "timing.h"

struct settings {
    int64_t percent, repeat, pieces, requests;
    const char *folder, *only;
    bool json;
};

struct bench { /* one pattern, in one file */
    const struct settings *s;
    int rank, nranks, ncid;
    int peer; /* whose values this rank reads back */
    int vars[128];
    void *values, *others; /* made before the clock starts; read to */
    int64_t n;             /* of each */
    MPI_Offset **starts, **counts;
    MPI_Offset *numbers;
};

struct pattern {
    const char *name;
    void (*define)(struct bench *b);         /* between create and enddef */
    void (*make)(struct bench *b, int rank); /* values of a rank, and its lists */
    void (*put)(struct bench *b);
    void (*get)(struct bench *b);
    size_t width; /* bytes of a value in memory */
};

static void check(int err, const char *what)
{
    bench_check(err, what, "patterns.nc");
}

static int64_t scaled(const struct bench *b, int64_t n)
{
    int64_t m = n * b->s->percent / 100;
    return m < 1 ? 1 : m;
}

/* Whole numbers below 2^23: exact in every type. */
static uint32_t value_of(int rank, int64_t i)
{
    uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + (uint64_t)rank * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((x ^ x >> 29) & 0x7fffff);
}

static void make_floats(struct bench *b, int rank)
{
    float *v = b->values;
    for (int64_t i = 0; i < b->n; i++)
        v[i] = (float)value_of(rank, i);
}

static void make_doubles(struct bench *b, int rank)
{
    double *v = b->values;
    for (int64_t i = 0; i < b->n; i++)
        v[i] = (double)value_of(rank, i);
}

/* ---- float slabs: each rank has a contiguous half of one variable; double to float */

enum { SLAB_CALLS = 4 };

static void define_slabs(struct bench *b, int64_t mib)
{
    int dims[2];
    b->n = scaled(b, mib << 20) / 4 / b->nranks / SLAB_CALLS * SLAB_CALLS;
    check(ncmpi_def_dim(b->ncid, "part", b->nranks, &dims[0]), "dimension of");
    check(ncmpi_def_dim(b->ncid, "x", b->n, &dims[1]), "dimension of");
    check(ncmpi_def_var(b->ncid, "slabs", NC_FLOAT, 2, dims, b->vars), "variable of");
}

static void define_large(struct bench *b)
{
    define_slabs(b, 256);
}

static void define_converted(struct bench *b)
{
    define_slabs(b, 64);
}

static void move_slabs(struct bench *b, bool puts, bool doubles)
{
    MPI_Offset part = b->n / SLAB_CALLS, count[2] = { 1, part };
    for (int i = 0; i < SLAB_CALLS; i++) {
        MPI_Offset start[2] = { puts ? b->rank : b->peer, i * part };
        void *at = (char *)(puts ? b->values : b->others) + i * part * (doubles ? 8 : 4);
        if (doubles)
            check(puts ? ncmpi_put_vara_double_all(b->ncid, b->vars[0], start, count, at)
                       : ncmpi_get_vara_double_all(b->ncid, b->vars[0], start, count, at),
                  "moving slabs of");
        else
            check(puts ? ncmpi_put_vara_float_all(b->ncid, b->vars[0], start, count, at)
                       : ncmpi_get_vara_float_all(b->ncid, b->vars[0], start, count, at),
                  "moving slabs of");
    }
}

static void put_slabs(struct bench *b)
{
    move_slabs(b, true, false);
}

static void get_slabs(struct bench *b)
{
    move_slabs(b, false, false);
}

static void put_converted(struct bench *b)
{
    move_slabs(b, true, true);
}

static void get_converted(struct bench *b)
{
    move_slabs(b, false, true);
}

/* ---- 2-D blocks in a 3-D variable of doubles: rows of 256 values; ranks stand in a near-square grid */

enum { ROW = 256, ROWS = 256 };

static void grid_of(int nranks, int grid[2])
{
    grid[0] = grid[1] = 0;
    MPI_Dims_create(nranks, 2, grid);
}

static void define_blocks(struct bench *b)
{
    int grid[2], dims[3];
    grid_of(b->nranks, grid);
    int64_t levels = scaled(b, 128 << 20) / 8 / ROW / ROWS / b->nranks;
    levels = levels < 1 ? 1 : levels;
    check(ncmpi_def_dim(b->ncid, "z", levels, &dims[0]), "dimension of");
    check(ncmpi_def_dim(b->ncid, "y", (MPI_Offset)ROWS * grid[1], &dims[1]), "dimension of");
    check(ncmpi_def_dim(b->ncid, "x", (MPI_Offset)ROW * grid[0], &dims[2]), "dimension of");
    check(ncmpi_def_var(b->ncid, "block", NC_DOUBLE, 3, dims, b->vars), "variable of");
    b->n = levels * ROW * ROWS;
}

static void move_blocks(struct bench *b, bool puts)
{
    int grid[2], rank = puts ? b->rank : b->peer;
    grid_of(b->nranks, grid);
    MPI_Offset start[3] = { 0, (MPI_Offset)ROWS * (rank / grid[0]), (MPI_Offset)ROW * (rank % grid[0]) };
    MPI_Offset count[3] = { b->n / ROW / ROWS, ROWS, ROW };
    check(puts ? ncmpi_put_vara_double_all(b->ncid, b->vars[0], start, count, b->values)
               : ncmpi_get_vara_double_all(b->ncid, b->vars[0], start, count, b->others),
          "moving blocks of");
}

static void put_blocks(struct bench *b)
{
    move_blocks(b, true);
}

static void get_blocks(struct bench *b)
{
    move_blocks(b, false);
}

/* ---- record variables: 100 of them, 20 steps, 4 KiB a rank and variable and step */

enum { RECORD_VARS = 100, STEPS = 20, RECORD = 1024 };

static void define_records(struct bench *b)
{
    int dims[2];
    char name[16];
    check(ncmpi_def_dim(b->ncid, "time", NC_UNLIMITED, &dims[0]), "dimension of");
    check(ncmpi_def_dim(b->ncid, "x", (MPI_Offset)RECORD * b->nranks, &dims[1]), "dimension of");
    for (int v = 0; v < RECORD_VARS; v++) {
        snprintf(name, sizeof name, "field%d", v);
        check(ncmpi_def_var(b->ncid, name, NC_FLOAT, 2, dims, &b->vars[v]), "variable of");
    }
    b->n = (int64_t)RECORD * RECORD_VARS * scaled(b, STEPS);
}

static void move_records(struct bench *b, bool puts, bool pending)
{
    int64_t steps = scaled(b, STEPS);
    float *at = puts ? b->values : b->others;
    MPI_Offset start[2] = { 0, (MPI_Offset)RECORD * (puts ? b->rank : b->peer) }, count[2] = { 1, RECORD };
    for (; start[0] < steps; start[0]++) {
        for (int v = 0; v < RECORD_VARS; v++, at += RECORD) {
            if (pending)
                check(puts ? ncmpi_iput_vara_float(b->ncid, b->vars[v], start, count, at, NULL)
                           : ncmpi_iget_vara_float(b->ncid, b->vars[v], start, count, at, NULL),
                      "posting records of");
            else
                check(puts ? ncmpi_put_vara_float_all(b->ncid, b->vars[v], start, count, at)
                           : ncmpi_get_vara_float_all(b->ncid, b->vars[v], start, count, at),
                      "moving records of");
        }
        if (pending)
            check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for records of");
    }
}

static void put_records(struct bench *b)
{
    move_records(b, true, false);
}

static void get_records(struct bench *b)
{
    move_records(b, false, false);
}

static void put_pending_records(struct bench *b)
{
    move_records(b, true, true);
}

static void get_pending_records(struct bench *b)
{
    move_records(b, false, true);
}

/* ---- lists: pieces of 64 bytes (8 doubles) dealt round to the ranks */

enum { PIECE = 8 };

static void define_list(struct bench *b)
{
    int dim;
    b->n = scaled(b, b->s->pieces) * PIECE;
    check(ncmpi_def_dim(b->ncid, "x", b->n * b->nranks, &dim), "dimension of");
    check(ncmpi_def_var(b->ncid, "list", NC_DOUBLE, 1, &dim, b->vars), "variable of");
}

static void make_list(struct bench *b, int rank)
{
    int64_t pieces = b->n / PIECE;
    make_doubles(b, rank);
    if (!b->starts) {
        b->starts = bench_alloc(2 * (size_t)pieces, sizeof *b->starts);
        b->counts = b->starts + pieces;
        b->numbers = bench_alloc((size_t)pieces + 1, sizeof *b->numbers);
    }
    b->numbers[pieces] = PIECE;
    for (int64_t i = 0; i < pieces; i++) {
        b->numbers[i] = (i * b->nranks + rank) * PIECE;
        b->starts[i] = &b->numbers[i];
        b->counts[i] = &b->numbers[pieces];
    }
}

static void put_list(struct bench *b)
{
    check(
        ncmpi_put_varn_double_all(b->ncid, b->vars[0], (int)(b->n / PIECE), b->starts, b->counts, b->values),
        "writing a list to");
}

static void get_list(struct bench *b)
{
    check(
        ncmpi_get_varn_double_all(b->ncid, b->vars[0], (int)(b->n / PIECE), b->starts, b->counts, b->others),
        "reading a list from");
}

/* ---- pending requests of 16 bytes (2 doubles), dealt round to the ranks */

enum { REQUEST = 2 };

static void define_requests(struct bench *b)
{
    int dim;
    b->n = scaled(b, b->s->requests) * REQUEST;
    check(ncmpi_def_dim(b->ncid, "x", b->n * b->nranks, &dim), "dimension of");
    check(ncmpi_def_var(b->ncid, "requests", NC_DOUBLE, 1, &dim, b->vars), "variable of");
}

static void move_requests(struct bench *b, bool puts)
{
    MPI_Offset count = REQUEST;
    for (int64_t i = 0; i < b->n / REQUEST; i++) {
        MPI_Offset start = (i * b->nranks + (puts ? b->rank : b->peer)) * REQUEST;
        double *at = (double *)(puts ? b->values : b->others) + i * REQUEST;
        check(puts ? ncmpi_iput_vara_double(b->ncid, b->vars[0], &start, &count, at, NULL)
                   : ncmpi_iget_vara_double(b->ncid, b->vars[0], &start, &count, at, NULL),
              "posting to");
    }
    check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for");
}

static void put_requests(struct bench *b)
{
    move_requests(b, true);
}

static void get_requests(struct bench *b)
{
    move_requests(b, false);
}

/* ---- independent calls of 1 KiB (128 doubles) */

enum { SMALL = 128, SMALL_CALLS = 20000 };

static void define_small(struct bench *b)
{
    int dims[2];
    b->n = scaled(b, SMALL_CALLS) * SMALL;
    check(ncmpi_def_dim(b->ncid, "part", b->nranks, &dims[0]), "dimension of");
    check(ncmpi_def_dim(b->ncid, "x", b->n, &dims[1]), "dimension of");
    check(ncmpi_def_var(b->ncid, "small", NC_DOUBLE, 2, dims, b->vars), "variable of");
}

static void move_small(struct bench *b, bool puts)
{
    MPI_Offset start[2] = { puts ? b->rank : b->peer, 0 }, count[2] = { 1, SMALL };
    check(ncmpi_begin_indep_data(b->ncid), "leaving collective mode of");
    for (; start[1] < b->n; start[1] += SMALL) {
        double *at = (double *)(puts ? b->values : b->others) + start[1];
        check(puts ? ncmpi_put_vara_double(b->ncid, b->vars[0], start, count, at)
                   : ncmpi_get_vara_double(b->ncid, b->vars[0], start, count, at),
              "moving a little of");
    }
    check(ncmpi_end_indep_data(b->ncid), "returning to collective mode of");
}

static void put_small(struct bench *b)
{
    move_small(b, true);
}

static void get_small(struct bench *b)
{
    move_small(b, false);
}

/* ---- all of them */

static const struct pattern patterns[] = {
    { "slabs", define_large, make_floats, put_slabs, get_slabs, 4 },
    { "converted", define_converted, make_doubles, put_converted, get_converted, 8 },
    { "blocks", define_blocks, make_doubles, put_blocks, get_blocks, 8 },
    { "records", define_records, make_floats, put_records, get_records, 4 },
    { "pending", define_records, make_floats, put_pending_records, get_pending_records, 4 },
    { "list", define_list, make_list, put_list, get_list, 8 },
    { "requests", define_requests, make_doubles, put_requests, get_requests, 8 },
    { "small", define_small, make_doubles, put_small, get_small, 8 },
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static void once(struct bench *b, const struct pattern *p, const char *path, struct timing *t, int phase)
{
    check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &b->ncid),
          "creating");
    p->define(b);
    check(ncmpi_enddef(b->ncid), "enddef of");
    b->values = bench_alloc((size_t)b->n, p->width);
    b->others = bench_alloc((size_t)b->n, p->width);
    memset(b->others, 0xff, (size_t)b->n * p->width);
    p->make(b, b->rank);
    timing_start(t, phase);
    p->put(b);
    check(ncmpi_close(b->ncid), "closing");
    timing_stop(t, phase);
    p->make(b, b->peer); /* what the get must bring */
    check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &b->ncid), "opening");
    timing_start(t, phase + 1);
    p->get(b);
    timing_stop(t, phase + 1);
    check(ncmpi_close(b->ncid), "closing");
    if (memcmp(b->values, b->others, (size_t)b->n * p->width) != 0)
        bench_fail("pattern %s: what was read is not what rank %d wrote", p->name, b->peer);
    free(b->values);
    free(b->others);
    free(b->starts);
    free(b->numbers);
    b->starts = NULL;
    b->numbers = NULL;
}

static void run(const struct settings *s)
{
    static char names[2 * PATTERNS][24];
    char path[BENCH_PATH];
    struct timing t = { .repeats = s->repeat };
    struct bench b = { .s = s };
    const struct pattern *chosen[PATTERNS];
    int n = 0;
    for (int i = 0; i < PATTERNS; i++) {
        if (*s->only && strcmp(s->only, patterns[i].name) != 0)
            continue;
        snprintf(names[2 * n], sizeof names[0], "%s", patterns[i].name);
        snprintf(names[2 * n + 1], sizeof names[0], "%s_read", patterns[i].name);
        t.names[2 * n] = names[2 * n];
        t.names[2 * n + 1] = names[2 * n + 1];
        chosen[n++] = &patterns[i];
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &b.nranks);
    b.peer = (b.rank + 1) % b.nranks;
    bench_path(path, s->folder, "patterns.nc");
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++)
        for (int i = 0; i < n; i++) {
            once(&b, chosen[i], path, &t, 2 * i);
            bench_progress("pattern", (int64_t)t.repeat * n + i + 1, s->repeat * n);
        }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (b.rank == 0)
        check(ncmpi_delete(path, MPI_INFO_NULL), "removing");
    timing_report(&t, "patterns", "patterns of access, written to the end of close, read", s->json, NULL,
                  NULL);
    timing_end(&t);
}

static bool is_known(const char *name)
{
    for (int i = 0; i < PATTERNS; i++)
        if (strcmp(name, patterns[i].name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct settings s = {
        .percent = 100, .repeat = 5, .pieces = 200000, .requests = 100000, .folder = ".", .only = ""
    };
    const struct bench_option options[] = {
        { "percent", 'n', &s.percent, "N", "sizes, in percent of the usual" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "pieces", 'n', &s.pieces, "N", "pieces a rank of the list" },
        { "requests", 'n', &s.requests, "N", "pending requests a rank" },
        { "pattern", 't', &s.only, "NAME",
          "only this one: slabs, converted, blocks, records, pending, list, requests, small" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code =
        bench_begin(&argc, &argv, "patterns", "patterns of access: written, closed, read back, compared",
                    options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.percent < 1 || s.percent > 10000 || s.repeat < 1 || s.repeat > 10000 ||
                             s.pieces < 1 || s.pieces > 1 << 28 || s.requests < 1 || s.requests > 1 << 28))
        code = bench_misused("--percent, --repeat, --pieces and --requests begin at 1");
    if (code == BENCH_GO && *s.only && !is_known(s.only))
        code = bench_misused("--pattern: see --help");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
