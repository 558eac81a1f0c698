/* A file full of data whose header outgrows its room: enddef must move everything. Timed, and every value is
 * compared afterwards. Half of the data is a fixed-size variable, half are records. */

#include <stdlib.h>
#include <pnetcdf.h>
#include "timing.h"

enum phase { PHASE_WRITE, PHASE_SYNC, PHASE_REDEF, PHASE_CLOSE };
enum { RECORDS = 16 };

struct settings {
    int64_t mib, grow, repeat;
    const char *folder;
    bool json, fsync;
};

struct part {         /* of this rank */
    int64_t n, start; /* of n * ranks values of a record, and RECORDS times that of the fixed variable */
    int *values;
};

static int value_of(int64_t i, int variable)
{
    return (int)(i * 2654435761 % 2147483647) + variable;
}

static void make(const struct part *p, int variable, int64_t first)
{
    for (int64_t i = 0; i < p->n; i++)
        p->values[i] = value_of(first + i, variable);
}

static void write_file(const char *path, const struct part *p, int nranks, struct timing *t, int *ncid)
{
    int dims[2], fixed, record;
    int64_t n = p->n * nranks;
    timing_start(t, PHASE_WRITE);
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, ncid),
                "creating", path);
    bench_check(ncmpi_def_dim(*ncid, "time", NC_UNLIMITED, &dims[0]), "dimension of", path);
    bench_check(ncmpi_def_dim(*ncid, "x", n, &dims[1]), "dimension of", path);
    bench_check(ncmpi_def_var(*ncid, "record", NC_INT, 2, dims, &record), "variable of", path);
    bench_check(ncmpi_def_dim(*ncid, "y", n * RECORDS, &dims[0]), "dimension of", path);
    bench_check(ncmpi_def_var(*ncid, "fixed", NC_INT, 1, dims, &fixed), "variable of", path);
    bench_check(ncmpi_enddef(*ncid), "enddef of", path);
    for (int r = 0; r < RECORDS; r++) {
        const MPI_Offset start[2] = { r, p->start }, count[2] = { 1, p->n };
        const MPI_Offset first = r * n + p->start;
        make(p, 0, first);
        bench_check(ncmpi_put_vara_int_all(*ncid, record, start, count, p->values), "writing", path);
        make(p, 1, first);
        bench_check(ncmpi_put_vara_int_all(*ncid, fixed, &first, &count[1], p->values), "writing", path);
    }
    timing_stop(t, PHASE_WRITE);
}

static void compare(const char *path, const struct part *p, int nranks)
{
    int ncid;
    int64_t n = p->n * nranks;
    bench_check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "opening", path);
    for (int r = 0; r < RECORDS; r++)
        for (int v = 0; v < 2; v++) {
            const MPI_Offset start[2] = { r, p->start }, count[2] = { 1, p->n };
            const MPI_Offset first = r * n + p->start;
            bench_check(v == 0 ? ncmpi_get_vara_int_all(ncid, 0, start, count, p->values)
                               : ncmpi_get_vara_int_all(ncid, 1, &first, &count[1], p->values),
                        "reading", path);
            for (int64_t i = 0; i < p->n; i++)
                if (p->values[i] != value_of(first + i, v))
                    bench_fail("value %lld of variable %d is wrong after the move", (long long)(first + i),
                               v);
        }
    bench_check(ncmpi_close(ncid), "closing", path);
}

static void once(const struct settings *s, const char *path, const struct part *p, int nranks,
                 struct timing *t)
{
    int ncid;
    char *text = bench_alloc((size_t)s->grow, 1);
    for (int64_t i = 0; i < s->grow; i++)
        text[i] = 'x';
    write_file(path, p, nranks, t, &ncid);
    timing_start(t, PHASE_SYNC);
    bench_check(ncmpi_sync(ncid), "syncing", path);
    timing_stop(t, PHASE_SYNC);
    timing_start(t, PHASE_REDEF);
    bench_check(ncmpi_redef(ncid), "redef of", path);
    bench_check(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", s->grow, text), "attribute of", path);
    bench_check(ncmpi_enddef(ncid), "enddef of", path);
    if (s->fsync)
        bench_fsync(path);
    timing_stop(t, PHASE_REDEF);
    timing_start(t, PHASE_CLOSE);
    bench_check(ncmpi_close(ncid), "closing", path);
    timing_stop(t, PHASE_CLOSE);
    compare(path, p, nranks);
    free(text);
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
    struct timing t = { .names = { "write", "sync", "redef", "close" }, .repeats = s->repeat };
    struct part p = { .n = (s->mib << 20) / (2 * RECORDS * (int64_t)sizeof(int)) / nranks };
    char path[BENCH_PATH], title[128];
    bench_path(path, s->folder, "redef.nc");
    p.start = p.n * rank;
    p.values = bench_alloc((size_t)p.n, sizeof *p.values);
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++) {
        once(s, path, &p, nranks, &t);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        bench_check(ncmpi_delete(path, MPI_INFO_NULL), "removing", path);
    snprintf(title, sizeof title, "redef that moves %lld MiB, an attribute of %lld bytes more",
             (long long)s->mib, (long long)s->grow);
    timing_report(&t, "redef", title, s->json, add_size, s);
    timing_end(&t);
    free(p.values);
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 256, .grow = 12288, .repeat = 3, .folder = "." };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB of data in the file" },
        { "grow", 'n', &s.grow, "BYTES", "by which the header grows" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "fsync", 'f', &s.fsync, NULL, "every rank waits for the disk, in the time of redef" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code = bench_begin(&argc, &argv, "redef", "redef: a header that grows makes enddef move all data",
                           options, sizeof options / sizeof *options);
    if (code == BENCH_GO &&
        (s.mib < 1 || s.mib > 1 << 20 || s.grow < 1 || s.grow > 1 << 30 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib, --grow and --repeat begin at 1");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
