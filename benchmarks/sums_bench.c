/* What hint pcdf_checksum costs: the same file written without and with it, once so that each rank writes
 * whole blocks, which are summed as they pass, once so that the ranks' pieces lie between each other; from
 * create to the end of close. Then it is read without and with pcdf_verify, and every value compared. */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "timing.h"

enum phase { PLAIN_WHOLE, SUMMED_WHOLE, PLAIN_PIECES, SUMMED_PIECES, PLAIN_READ, VERIFIED_READ, PHASES };
enum { COLUMNS = 1024 }; /* of a rank: a piece is 4 KiB */

struct settings {
    int64_t mib, repeat;
    const char *folder;
    bool json;
};

struct share { /* of this rank */
    int rank, nranks;
    int64_t rows; /* of nranks * COLUMNS values */
    int *values;
};

static int value_of(int64_t row, int64_t column)
{
    return (int)((row * 40503 + column) * 2654435761 % 2147483647);
}

static MPI_Info hint(const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, name, value);
    MPI_Info_set(info, "nc_var_align_size", "1048576");
    return info;
}

/* Where this rank's values are: some rows of all columns, or some columns of all rows. */
static void place(const struct share *s, bool whole, MPI_Offset *start, MPI_Offset *count)
{
    start[0] = whole ? s->rows / s->nranks * s->rank : 0;
    start[1] = whole ? 0 : (MPI_Offset)COLUMNS * s->rank;
    count[0] = whole ? s->rows / s->nranks : s->rows;
    count[1] = whole ? (MPI_Offset)COLUMNS * s->nranks : COLUMNS;
}

static void make(const struct share *s, bool whole)
{
    MPI_Offset start[2], count[2];
    int *to = s->values;
    place(s, whole, start, count);
    for (MPI_Offset row = start[0]; row < start[0] + count[0]; row++)
        for (MPI_Offset column = start[1]; column < start[1] + count[1]; column++)
            *to++ = value_of(row, column);
}

static void write_file(const char *path, const struct share *s, struct timing *t, enum phase phase)
{
    bool whole = phase == PLAIN_WHOLE || phase == SUMMED_WHOLE;
    bool summed = phase == SUMMED_WHOLE || phase == SUMMED_PIECES;
    MPI_Info info = hint("pcdf_checksum", summed ? "crc32c" : "none");
    MPI_Offset start[2], count[2];
    int ncid, dims[2], var;
    place(s, whole, start, count);
    make(s, whole);
    timing_start(t, phase);
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), "creating",
                path);
    bench_check(ncmpi_def_dim(ncid, "y", s->rows, &dims[0]), "dimension of", path);
    bench_check(ncmpi_def_dim(ncid, "x", (MPI_Offset)COLUMNS * s->nranks, &dims[1]), "dimension of", path);
    bench_check(ncmpi_def_var(ncid, "field", NC_INT, 2, dims, &var), "variable of", path);
    bench_check(ncmpi_enddef(ncid), "enddef of", path);
    bench_check(ncmpi_put_vara_int_all(ncid, var, start, count, s->values), "writing", path);
    bench_check(ncmpi_close(ncid), "closing", path);
    timing_stop(t, phase);
    MPI_Info_free(&info);
}

static void read_file(const char *path, const struct share *s, struct timing *t, enum phase phase)
{
    MPI_Info info = hint("pcdf_verify", phase == VERIFIED_READ ? "true" : "false");
    MPI_Offset start[2], count[2];
    const int *from = s->values;
    int ncid;
    place(s, true, start, count);
    memset(s->values, 0, (size_t)(count[0] * count[1]) * sizeof *s->values);
    timing_start(t, phase);
    bench_check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, info, &ncid), "opening", path);
    bench_check(ncmpi_get_vara_int_all(ncid, 0, start, count, s->values), "reading", path);
    bench_check(ncmpi_close(ncid), "closing", path);
    timing_stop(t, phase);
    MPI_Info_free(&info);
    for (MPI_Offset row = start[0]; row < start[0] + count[0]; row++)
        for (MPI_Offset column = 0; column < count[1]; column++)
            if (*from++ != value_of(row, column))
                bench_fail("row %lld column %lld of %s is not what was written", (long long)row,
                           (long long)column, path);
}

/* The fastest repeat of a phase, on the slowest rank. Collective. */
static double best(const struct timing *t, enum phase phase)
{
    double least = t->seconds[phase][0];
    for (int i = 1; i < t->repeats; i++)
        least = t->seconds[phase][i] < least ? t->seconds[phase][i] : least;
    return bench_max_all(MPI_COMM_WORLD, least);
}

static void print_cost(struct timing *t, bool speaks)
{
    double seconds[PHASES];
    for (int i = 0; i < PHASES; i++)
        seconds[i] = best(t, (enum phase)i);
    for (int i = 0; speaks && i < PHASES; i += 2)
        printf("%-28s %+.1f %% (%.4f s on %.4f s)\n", t->names[i + 1],
               100 * (seconds[i + 1] / seconds[i] - 1), seconds[i + 1] - seconds[i], seconds[i]);
}

static void add_size(struct bench_json *j, const void *settings)
{
    bench_json_int(j, "mib", ((const struct settings *)settings)->mib);
}

static void run(const struct settings *s)
{
    struct share share;
    PMPI_Comm_rank(MPI_COMM_WORLD, &share.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &share.nranks);
    struct timing t = { .names = { "whole blocks", "whole blocks, checksums", "pieces", "pieces, checksums",
                                   "read", "read and verified" },
                        .repeats = s->repeat };
    char path[BENCH_PATH], title[128];
    bench_path(path, s->folder, "sums.nc");
    /* Rows of this many ranks make whole blocks only in such numbers. */
    share.rows = s->mib * 1048576 / COLUMNS / 4 / 256 * 256;
    share.values = bench_alloc((size_t)share.rows * COLUMNS, sizeof *share.values);
    share.rows = share.rows / share.nranks * share.nranks;
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++) {
        for (int phase = PLAIN_WHOLE; phase <= SUMMED_PIECES; phase++)
            write_file(path, &share, &t, (enum phase)phase);
        for (int phase = PLAIN_READ; phase <= VERIFIED_READ; phase++)
            read_file(path, &share, &t, (enum phase)phase);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    if (share.rank == 0)
        bench_check(ncmpi_delete(path, MPI_INFO_NULL), "removing", path);
    print_cost(&t, share.rank == 0 && !s->json);
    snprintf(title, sizeof title, "%lld MiB a rank, without and with checksums", (long long)s->mib);
    timing_report(&t, "sums", title, s->json, add_size, s);
    timing_end(&t);
    free(share.values);
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 64, .repeat = 3, .folder = "." };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB that a rank writes" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code = bench_begin(&argc, &argv, "sums", "sums: what checksums of a file cost", options,
                           sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.mib < 1 || s.mib > 65536 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib and --repeat begin at 1");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
