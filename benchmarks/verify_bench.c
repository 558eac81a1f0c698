/* What hint pcdf_verify costs a reader, from open to the end of close, in several shapes: each is read
 * without and with it, in an order that alternates, and every value is compared. With --cold, the file leaves
 * the cache of pages before each read, so that it comes from the storage. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pnetcdf.h>
#include "timing.h"

enum shape { CONTIGUOUS, COLUMN_BLOCKS, RECORDS, SLABS, SHAPES };
enum { COLUMNS = 4096, PLACES = 100000, SLAB_ROWS = 16, SLAB_COLUMNS = 64, NSLABS = 32 };

struct settings {
    int64_t mib, repeat;
    const char *folder;
    bool cold, json;
};

struct bench_file {
    char path[BENCH_PATH];
    int rank, nranks;
    int64_t rows, records;
    float *values;
};

static float value_of(int var, int64_t index)
{
    return (float)((index * 40503 + var) % 1000003);
}

/* Half of the file is a plane, half are two record variables. Each rank writes some rows of each. */
static void write_part(const struct bench_file *f, int ncid, int var, int64_t rows, int64_t columns)
{
    MPI_Offset start[2] = { rows * f->rank / f->nranks, 0 },
               count[2] = { rows * (f->rank + 1) / f->nranks - start[0], columns };
    for (int64_t i = 0; i < count[0] * columns; i++)
        f->values[i] = value_of(var, start[0] * columns + i);
    bench_check(ncmpi_put_vara_float_all(ncid, var, start, count, f->values), "writing", f->path);
}

static void make_file(const struct bench_file *f)
{
    int ncid, plane[2], record[2], var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", "crc32c");
    bench_check(ncmpi_create(MPI_COMM_WORLD, f->path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), "creating",
                f->path);
    MPI_Info_free(&info);
    bench_check(ncmpi_def_dim(ncid, "y", f->rows, &plane[0]), "dimension of", f->path);
    bench_check(ncmpi_def_dim(ncid, "x", COLUMNS, &plane[1]), "dimension of", f->path);
    bench_check(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &record[0]), "dimension of", f->path);
    bench_check(ncmpi_def_dim(ncid, "place", PLACES, &record[1]), "dimension of", f->path);
    bench_check(ncmpi_def_var(ncid, "plane", NC_FLOAT, 2, plane, &var), "variable of", f->path);
    bench_check(ncmpi_def_var(ncid, "a", NC_FLOAT, 2, record, &var), "variable of", f->path);
    bench_check(ncmpi_def_var(ncid, "b", NC_FLOAT, 2, record, &var), "variable of", f->path);
    bench_check(ncmpi_enddef(ncid), "enddef of", f->path);
    write_part(f, ncid, 0, f->rows, COLUMNS);
    write_part(f, ncid, 1, f->records, PLACES);
    write_part(f, ncid, 2, f->records, PLACES);
    bench_check(ncmpi_close(ncid), "closing", f->path);
}

/* The k-th get of a shape. False: there is none. */
static bool place(const struct bench_file *f, enum shape shape, int k, int *var, MPI_Offset *start,
                  MPI_Offset *count)
{
    int64_t rank = f->rank, n = f->nranks;
    *var = shape == RECORDS ? 1 + k : 0;
    int64_t rows = *var ? f->records : f->rows, columns = *var ? PLACES : COLUMNS;
    bool by_rows = shape == CONTIGUOUS;
    start[0] = by_rows ? rows * rank / n : 0;
    count[0] = by_rows ? rows * (rank + 1) / n - start[0] : rows;
    start[1] = by_rows ? 0 : columns * rank / n;
    count[1] = by_rows ? columns : columns * (rank + 1) / n - start[1];
    if (shape == SLABS) {
        start[0] = (k * n + rank) * (rows - SLAB_ROWS) / (NSLABS * n);
        start[1] = (k * 977 + rank * 311) % (COLUMNS - SLAB_COLUMNS);
        count[0] = SLAB_ROWS;
        count[1] = SLAB_COLUMNS;
    }
    return k < (shape == RECORDS ? 2 : shape == SLABS ? NSLABS : 1);
}

static void compare(const struct bench_file *f, int var, const MPI_Offset *start, const MPI_Offset *count)
{
    const float *value = f->values;
    for (MPI_Offset y = start[0]; y < start[0] + count[0]; y++)
        for (MPI_Offset x = start[1]; x < start[1] + count[1]; x++)
            if (*value++ != value_of(var, y * (var ? PLACES : COLUMNS) + x))
                bench_fail("%s: variable %d: %lld, %lld is wrong", f->path, var, (long long)y, (long long)x);
}

static void leave_cache(const struct bench_file *f)
{
    int fd = f->rank == 0 ? open(f->path, O_RDONLY) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        close(fd);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
}

static void read_file(const struct bench_file *f, enum shape shape, bool verifies, struct timing *t)
{
    int ncid, var, phase = 2 * (int)shape + verifies;
    MPI_Offset start[2], count[2];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_verify", verifies ? "true" : "false");
    timing_start(t, phase);
    bench_check(ncmpi_open(MPI_COMM_WORLD, f->path, NC_NOWRITE, info, &ncid), "opening", f->path);
    for (int k = 0; place(f, shape, k, &var, start, count); k++)
        bench_check(ncmpi_get_vara_float_all(ncid, var, start, count, f->values), "reading", f->path);
    bench_check(ncmpi_close(ncid), "closing", f->path);
    timing_stop(t, phase);
    MPI_Info_free(&info);
    int last = shape == RECORDS ? 1 : shape == SLABS ? NSLABS - 1 : 0;
    (void)place(f, shape, last, &var, start, count);
    compare(f, var, start, count);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Over the repeats, of the slowest rank. Collective. */
static double median(const struct timing *t, int phase)
{
    double *seconds = bench_alloc((size_t)t->repeats, sizeof *seconds);
    for (int i = 0; i < t->repeats; i++)
        seconds[i] = bench_max_all(MPI_COMM_WORLD, t->seconds[phase][i]);
    qsort(seconds, (size_t)t->repeats, sizeof *seconds, by_size);
    double middle = seconds[t->repeats / 2];
    free(seconds);
    return middle;
}

static void print_ratios(const struct timing *t, bool speaks)
{
    for (int i = 0; i < 2 * SHAPES; i += 2) {
        double plain = median(t, i), verified = median(t, i + 1);
        if (speaks)
            printf("%-24s %.2f x (%.4f s, verified %.4f s)\n", t->names[i], verified / plain, plain,
                   verified);
    }
}

static void add_size(struct bench_json *j, const void *settings)
{
    bench_json_int(j, "mib", ((const struct settings *)settings)->mib);
}

static void run(const struct settings *s)
{
    struct bench_file f = { .rows = s->mib * 32, .records = s->mib * 1048576 / 4 / PLACES / 4 + 1 };
    char title[128];
    struct timing t = { .names = { "contiguous", "contiguous, verified", "columns", "columns, verified",
                                   "records", "records, verified", "small slabs", "small slabs, verified" },
                        .repeats = s->repeat };
    PMPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &f.nranks);
    bench_path(f.path, s->folder, "verify.nc");
    f.values = bench_alloc((size_t)(s->mib + 4) * 131072 + PLACES, sizeof *f.values);
    timing_begin(&t);
    make_file(&f);
    for (; t.repeat < s->repeat; t.repeat++)
        for (int i = 0; i < 2 * SHAPES; i++) {
            if (s->cold)
                leave_cache(&f);
            read_file(&f, (enum shape)(i / 2), (i + t.repeat) % 2, &t);
        }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (f.rank == 0)
        bench_check(ncmpi_delete(f.path, MPI_INFO_NULL), "removing", f.path);
    print_ratios(&t, f.rank == 0 && !s->json);
    snprintf(title, sizeof title, "%lld MiB, read without and with pcdf_verify", (long long)s->mib);
    timing_report(&t, "verify", title, s->json, add_size, s);
    timing_end(&t);
    free(f.values);
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 256, .repeat = 5, .folder = "." };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB of the file" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "cold", 'f', &s.cold, NULL, "before each read, the file leaves the cache of pages" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code = bench_begin(&argc, &argv, "verify", "verify: what reading costs if checksums are compared",
                           options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.mib < 1 || s.mib > 65536 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib and --repeat begin at 1");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
