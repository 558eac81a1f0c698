/* What one collective put and get cost in messages, bytes, system calls and memory, whatever the seconds:
 * each rank has a column of a 2-D variable, so that pieces of all ranks alternate in the file. The calls are
 * made --puts and --gets times; a program that runs this twice with different numbers takes the difference
 * for the cost of one call, also of what MPI counts only for a whole run (benchmarks/model). */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "timing.h"

enum phase { PHASE_FIRST, PHASE_PUT, PHASE_GET };

struct settings {
    int64_t pieces, bytes, puts, gets;
    const char *folder;
    bool json;
};

struct column {
    const struct settings *s;
    int ncid, varid, rank, nranks;
    unsigned char *mine, *read;
    int64_t memory; /* KiB that the first put added to the most that this rank ever held */
};

static void check(int err, const char *what)
{
    bench_check(err, what, "ranks.nc");
}

static unsigned char value_of(int rank, int64_t i, int64_t call)
{
    return (unsigned char)(i * 31 + rank * 7 + call);
}

static void make(struct column *c, unsigned char *values, int rank, int64_t call)
{
    for (int64_t i = 0; i < c->s->pieces * c->s->bytes; i++)
        values[i] = value_of(rank, i, call);
}

static void define(struct column *c, const char *path)
{
    int dims[2];
    check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &c->ncid),
          "creating");
    check(ncmpi_def_dim(c->ncid, "piece", c->s->pieces, &dims[0]), "dimension of");
    check(ncmpi_def_dim(c->ncid, "column", c->s->bytes * c->nranks, &dims[1]), "dimension of");
    check(ncmpi_def_var(c->ncid, "columns", NC_UBYTE, 2, dims, &c->varid), "variable of");
    check(ncmpi_enddef(c->ncid), "enddef of");
}

static void move(struct column *c, int rank, bool puts)
{
    MPI_Offset start[2] = { 0, rank * c->s->bytes }, count[2] = { c->s->pieces, c->s->bytes };
    check(puts ? ncmpi_put_vara_uchar_all(c->ncid, c->varid, start, count, c->mine)
               : ncmpi_get_vara_uchar_all(c->ncid, c->varid, start, count, c->read),
          "moving columns of");
}

static void compare(struct column *c, int rank, int64_t call)
{
    make(c, c->mine, rank, call);
    if (memcmp(c->mine, c->read, (size_t)(c->s->pieces * c->s->bytes)) != 0)
        bench_fail("the column of rank %d is not what it wrote last", rank);
    memset(c->read, 0, (size_t)(c->s->pieces * c->s->bytes));
}

/* The first put makes what later ones find made (windows, communicators), so it is a phase of its own. */
static void put_and_get(struct column *c, struct timing *t)
{
    int next = (c->rank + 1) % c->nranks;
    int64_t before = bench_peak_kib();
    make(c, c->mine, c->rank, 0);
    timing_start(t, PHASE_FIRST);
    move(c, c->rank, true);
    timing_stop(t, PHASE_FIRST);
    c->memory = bench_peak_kib() - before;
    make(c, c->mine, c->rank, c->s->puts);
    timing_start(t, PHASE_PUT);
    for (int64_t i = 0; i < c->s->puts; i++)
        move(c, c->rank, true);
    timing_stop(t, PHASE_PUT);
    timing_start(t, PHASE_GET);
    for (int64_t i = 0; i < c->s->gets; i++)
        move(c, next, false);
    timing_stop(t, PHASE_GET);
    if (c->s->gets > 0)
        compare(c, next, c->s->puts);
}

static void add_sizes(struct bench_json *j, const void *context)
{
    const struct column *c = context;
    bench_json_int(j, "pieces", c->s->pieces);
    bench_json_int(j, "piece_bytes", c->s->bytes);
    bench_json_int(j, "puts", c->s->puts);
    bench_json_int(j, "gets", c->s->gets);
    bench_json_int(j, "first_put_kib", c->memory);
}

static void run(const struct settings *s)
{
    char path[BENCH_PATH], title[128];
    struct timing t = { .names = { "first put", "put", "get" }, .repeats = 1 };
    struct column c = { .s = s };
    PMPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &c.nranks);
    bench_path(path, s->folder, "ranks.nc");
    c.mine = bench_alloc((size_t)s->pieces, (size_t)s->bytes);
    c.read = bench_alloc((size_t)s->pieces, (size_t)s->bytes);
    timing_begin(&t);
    define(&c, path);
    put_and_get(&c, &t);
    check(ncmpi_close(c.ncid), "closing");
    PMPI_Barrier(MPI_COMM_WORLD);
    if (c.rank == 0)
        check(ncmpi_delete(path, MPI_INFO_NULL), "removing");
    c.memory = bench_largest_all(MPI_COMM_WORLD, c.memory);
    snprintf(title, sizeof title, "columns of %lld pieces of %lld bytes", (long long)s->pieces,
             (long long)s->bytes);
    timing_report(&t, "ranks", title, s->json, add_sizes, &c);
    timing_end(&t);
    free(c.mine);
    free(c.read);
}

int main(int argc, char **argv)
{
    struct settings s = { .pieces = 1024, .bytes = 64, .puts = 1, .gets = 1, .folder = "." };
    const struct bench_option options[] = {
        { "pieces", 'n', &s.pieces, "N", "pieces a rank" },
        { "bytes", 'n', &s.bytes, "N", "bytes of a piece" },
        { "puts", 'n', &s.puts, "N", "collective puts after the first" },
        { "gets", 'n', &s.gets, "N", "collective gets" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code =
        bench_begin(&argc, &argv, "ranks", "ranks: what a collective put and get cost in messages and bytes",
                    options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.pieces < 1 || s.pieces > 1 << 28 || s.bytes < 1 || s.bytes > 1 << 20 ||
                             s.pieces * s.bytes > (int64_t)1 << 32 || s.puts > 10000 || s.gets > 10000))
        code = bench_misused("--pieces and --bytes begin at 1, --puts and --gets end at 10000");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
