/* The patterns that simulations are made of, one after another, each in a file of its own: written, closed,
 * read back by the rank beside the one that wrote, and compared value by value. Where a pattern is written in
 * a way of its own (one call after another, pending requests, lists), that is what is timed: from the first
 * put to the end of close. */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "patterns.h"

void pattern_check(int err, const char *what)
{
    bench_check(err, what, "patterns.nc");
}

int64_t pattern_scaled(const struct bench *b, int64_t n)
{
    int64_t m = n * b->s->percent / 100;
    return m < 1 ? 1 : m;
}

/* Whole numbers below 2^23: exact in every type. */
uint32_t pattern_value(int rank, int64_t i)
{
    uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + (uint64_t)rank * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((x ^ x >> 29) & 0x7fffff);
}

void pattern_doubles(struct bench *b, int rank)
{
    double *v = b->values;
    for (int64_t i = 0; i < b->n; i++)
        v[i] = (double)pattern_value(rank, i);
}

void pattern_floats(struct bench *b, int rank)
{
    float *v = b->values;
    for (int64_t i = 0; i < b->n; i++)
        v[i] = (float)pattern_value(rank, i);
}

/* Returns the bytes that all ranks put, by the library's own count. */
static int64_t once(struct bench *b, const struct pattern *p, const char *path, struct timing *t, int phase)
{
    MPI_Offset bytes;
    b->peer = (b->rank + 1) % b->nranks;
    pattern_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &b->ncid),
                  "creating");
    p->define(b);
    pattern_check(ncmpi_enddef(b->ncid), "enddef of");
    b->values = bench_alloc((size_t)b->n, p->width);
    b->others = bench_alloc((size_t)b->n, p->width);
    memset(b->others, 0xff, (size_t)b->n * p->width);
    p->make(b, b->rank);
    timing_start(t, phase);
    p->put(b);
    pattern_check(ncmpi_inq_put_size(b->ncid, &bytes), "bytes of");
    pattern_check(ncmpi_close(b->ncid), "closing");
    if (b->s->fsync)
        bench_fsync(path);
    timing_stop(t, phase);
    p->make(b, b->peer); /* what the get must bring */
    pattern_check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &b->ncid), "opening");
    timing_start(t, phase + 1);
    p->get(b);
    timing_stop(t, phase + 1);
    if (p->check)
        p->check(b);
    pattern_check(ncmpi_close(b->ncid), "closing");
    if (memcmp(b->values, b->others, (size_t)b->n * p->width) != 0)
        bench_fail("pattern %s: what was read is not what rank %d wrote", p->name, b->peer);
    free(b->values);
    free(b->others);
    free(b->starts);
    free(b->numbers);
    b->starts = NULL;
    b->numbers = NULL;
    return bench_sum_all(MPI_COMM_WORLD, bytes);
}

/* Is the pattern's name in the list "one,another"? An empty list names all. */
static bool is_named(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return *list == '\0';
}

enum { MOST = 16 };

/* The chosen rows of all tables, in order. Returns how many; */
static int choose(const char *list, const struct pattern *chosen[MOST])
{
    const struct pattern *const tables[] = { access_patterns, gap_patterns, kernel_patterns };
    int n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct pattern *p = tables[i]; p->name; p++)
            if (is_named(list, p->name))
                chosen[n++] = p;
    return n;
}

static int names_in(const char *list)
{
    int n = *list != '\0';
    for (; *list; list++)
        n += *list == ',';
    return n;
}

struct written {
    const struct pattern **chosen;
    int64_t *bytes;
    int n;
};

static void add_bytes(struct bench_json *j, const void *context)
{
    const struct written *w = context;
    bench_json_begin(j, "bytes", '{');
    for (int i = 0; i < w->n; i++)
        bench_json_int(j, w->chosen[i]->name, w->bytes[i]);
    bench_json_end(j, '{');
}

static void run(const struct settings *s)
{
    static char names[2 * MOST][24];
    char path[BENCH_PATH];
    int64_t bytes[MOST];
    struct timing t = { .repeats = s->repeat };
    struct bench b = { .s = s };
    const struct pattern *chosen[MOST];
    int n = choose(s->only, chosen);
    for (int i = 0; i < n; i++) {
        snprintf(names[2 * i], sizeof names[0], "%s", chosen[i]->name);
        snprintf(names[2 * i + 1], sizeof names[0], "%s_read", chosen[i]->name);
        t.names[2 * i] = names[2 * i];
        t.names[2 * i + 1] = names[2 * i + 1];
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &b.nranks);
    bench_path(path, s->folder, "patterns.nc");
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++)
        for (int i = 0; i < n; i++) {
            bytes[i] = once(&b, chosen[i], path, &t, 2 * i);
            bench_progress("pattern", (int64_t)t.repeat * n + i + 1, s->repeat * n);
        }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (b.rank == 0)
        pattern_check(ncmpi_delete(path, MPI_INFO_NULL), "removing");
    const struct written written = { chosen, bytes, n };
    timing_report(&t, "patterns", "patterns of access, written to the end of close, read", s->json, add_bytes,
                  &written);
    timing_end(&t);
}

int main(int argc, char **argv)
{
    struct settings s = { .percent = 100,
                          .repeat = 5,
                          .pieces = 200000,
                          .requests = 100000,
                          .width = 8,
                          .folder = ".",
                          .only = "" };
    const struct bench_option options[] = {
        { "percent", 'n', &s.percent, "N", "sizes, in percent of the usual" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "pieces", 'n', &s.pieces, "N", "pieces a rank of the list" },
        { "width", 'n', &s.width, "N", "values of a piece of the list" },
        { "requests", 'n', &s.requests, "N", "pending requests a rank" },
        { "pattern", 't', &s.only, "NAME,...",
          "only these of slabs, converted, blocks, records, pending, list, requests, small, sparse, "
          "strided, flash, btio, s3d" },
        { "fsync", 'f', &s.fsync, NULL, "every rank waits for the disk, in the time of writing" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code =
        bench_begin(&argc, &argv, "patterns", "patterns of access: written, closed, read back, compared",
                    options, sizeof options / sizeof *options);
    if (code == BENCH_GO &&
        (s.percent < 1 || s.percent > 10000 || s.repeat < 1 || s.repeat > 10000 || s.pieces < 1 ||
         s.pieces > 1 << 28 || s.requests < 1 || s.requests > 1 << 28 || s.width < 1 || s.width > 1 << 20))
        code = bench_misused("--percent, --repeat, --pieces, --width and --requests begin at 1");
    const struct pattern *chosen[MOST];
    if (code == BENCH_GO && *s.only && choose(s.only, chosen) != names_in(s.only))
        code = bench_misused("--pattern: see --help");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
