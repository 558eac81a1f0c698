/* What it costs that every collective call agrees and checks: a put of nothing is only that. Beside it, in
 * the same run: one MPI_Allreduce of as many bytes as our message has, and a put of --mib a rank, which is
 * read back and compared. Seconds are of one call. */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "timing.h"

enum phase { PHASE_REDUCE, PHASE_EMPTY, PHASE_PUT, PHASE_GET };
enum { WORDS = 16 };

struct settings {
    int64_t mib, calls, repeat;
    const char *folder;
    bool json;
};

static void share(struct timing *t, int phase, int64_t calls)
{
    timing_stop(t, phase);
    t->seconds[phase][t->repeat] /= (double)calls;
}

static void reduce(const struct settings *s, struct timing *t)
{
    long long mine[WORDS] = { 0 }, all[WORDS];
    timing_start(t, PHASE_REDUCE);
    for (int64_t i = 0; i < s->calls; i++)
        PMPI_Allreduce(mine, all, WORDS, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    share(t, PHASE_REDUCE, s->calls);
}

static void put_nothing(const struct settings *s, int ncid, MPI_Offset start, struct timing *t)
{
    const MPI_Offset count = 0;
    timing_start(t, PHASE_EMPTY);
    for (int64_t i = 0; i < s->calls; i++)
        bench_check(ncmpi_put_vara_double_all(ncid, 0, &start, &count, NULL), "writing", "nothing");
    share(t, PHASE_EMPTY, s->calls);
}

static void once(const struct settings *s, const char *path, double *values, MPI_Offset start,
                 MPI_Offset count, MPI_Offset all, struct timing *t)
{
    enum { PUTS = 8 };
    int ncid, dim, var;
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
                "creating", path);
    bench_check(ncmpi_def_dim(ncid, "x", all, &dim), "dimension of", path);
    bench_check(ncmpi_def_var(ncid, "v", NC_DOUBLE, 1, &dim, &var), "variable of", path);
    bench_check(ncmpi_enddef(ncid), "enddef of", path);
    bench_check(ncmpi_put_vara_double_all(ncid, var, &start, &count, values), "writing", path); /* warm */
    reduce(s, t);
    put_nothing(s, ncid, start, t);
    timing_start(t, PHASE_PUT);
    for (int i = 0; i < PUTS; i++)
        bench_check(ncmpi_put_vara_double_all(ncid, var, &start, &count, values), "writing", path);
    share(t, PHASE_PUT, PUTS);
    memset(values, 0, (size_t)count * sizeof *values);
    timing_start(t, PHASE_GET);
    bench_check(ncmpi_get_vara_double_all(ncid, var, &start, &count, values), "reading", path);
    share(t, PHASE_GET, 1);
    for (MPI_Offset i = 0; i < count; i++)
        if (values[i] < (double)(start + i) || values[i] > (double)(start + i))
            bench_fail("value %lld is wrong", (long long)(start + i));
    bench_check(ncmpi_close(ncid), "closing", path);
}

static void add_size(struct bench_json *j, const void *settings)
{
    bench_json_int(j, "mib", ((const struct settings *)settings)->mib);
}

static void run(const struct settings *s)
{
    int rank, nranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    struct timing t = { .names = { "reduce", "empty", "put", "get" }, .repeats = s->repeat };
    MPI_Offset count = (s->mib << 20) / (MPI_Offset)sizeof(double), start = count * rank;
    double *values = bench_alloc((size_t)count, sizeof *values);
    char path[BENCH_PATH], title[128];
    bench_path(path, s->folder, "agree.nc");
    for (MPI_Offset i = 0; i < count; i++)
        values[i] = (double)(start + i);
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++) {
        once(s, path, values, start, count, count * nranks, &t);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        bench_check(ncmpi_delete(path, MPI_INFO_NULL), "removing", path);
    snprintf(title, sizeof title, "one call: of nothing, and of %lld MiB a rank", (long long)s->mib);
    timing_report(&t, "agree", title, s->json, add_size, s);
    timing_end(&t);
    free(values);
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 4, .calls = 2000, .repeat = 5, .folder = "." };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB that a rank puts at once" },
        { "calls", 'n', &s.calls, "N", "calls of nothing" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code =
        bench_begin(&argc, &argv, "agree", "agree: what it costs that collective calls agree and check",
                    options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.mib < 1 || s.mib > 4096 || s.calls < 1 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib, --calls and --repeat begin at 1");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
