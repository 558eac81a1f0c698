/* What hint pcdf_verify costs a reader, from open to the end of close, in several shapes: each is read
 * without and with it, in an order that alternates, and every value of the last get is compared. With --cold,
 * the file leaves the cache of pages before each read, so that it comes from the storage. Of each shape the
 * ratio is told of the least times, which other work of the machine disturbs least; the median of the ratios
 * of the pairs; and the ratio of the CPU time of rank 0. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <pnetcdf.h>
#include "timing.h"

enum shape { CONTIGUOUS, COLUMN_BLOCKS, RECORDS, ROWS, ROW_SLABS, SLABS, SHAPES };
enum { COLUMNS = 4096, PLACES = 100000, SLAB_ROWS = 16, SLAB_COLUMNS = 64, NSLABS = 32 };

static const char *const shape_names[SHAPES] = { "contiguous",  "columns",          "records",
                                                 "rows, alone", "row slabs, alone", "small slabs" };

struct settings {
    int64_t mib, repeat, shape;
    const char *folder;
    bool cold, json;
};

struct bench_file {
    char path[BENCH_PATH];
    int rank, nranks;
    int64_t rows, records;
    float *values;
    double cpu[SHAPES][2]; /* seconds of this rank, without and with checksums */
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

/* Shapes that are read in independent mode: get after get, in the order of the file. */
static bool is_alone(enum shape shape)
{
    return shape == ROWS || shape == ROW_SLABS;
}

/* The k-th get of a shape. False: there is none. */
static bool place(const struct bench_file *f, enum shape shape, int64_t k, int *var, MPI_Offset *start,
                  MPI_Offset *count)
{
    int64_t rank = f->rank, n = f->nranks;
    *var = shape == RECORDS ? 1 + (int)k : 0;
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
    if (is_alone(shape)) {
        int64_t each = shape == ROWS ? 1 : SLAB_ROWS;
        start[0] = rows * rank / n + k * each;
        count[0] = each;
        start[1] = shape == ROWS ? 0 : 1000;
        count[1] = shape == ROWS ? COLUMNS : 2 * SLAB_COLUMNS;
        return start[0] + each <= rows * (rank + 1) / n;
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

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void read_file(struct bench_file *f, enum shape shape, bool verifies, struct timing *t)
{
    int ncid, var = 0, phase = 2 * (int)shape + verifies;
    int64_t k = 0;
    MPI_Offset start[2], count[2];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_verify", verifies ? "true" : "false");
    timing_start(t, phase);
    double before = cpu_seconds();
    bench_check(ncmpi_open(MPI_COMM_WORLD, f->path, NC_NOWRITE, info, &ncid), "opening", f->path);
    if (is_alone(shape))
        bench_check(ncmpi_begin_indep_data(ncid), "reading", f->path);
    for (; place(f, shape, k, &var, start, count); k++)
        bench_check(is_alone(shape) ? ncmpi_get_vara_float(ncid, var, start, count, f->values)
                                    : ncmpi_get_vara_float_all(ncid, var, start, count, f->values),
                    "reading", f->path);
    bench_check(ncmpi_close(ncid), "closing", f->path);
    f->cpu[shape][verifies] += cpu_seconds() - before;
    timing_stop(t, phase);
    MPI_Info_free(&info);
    if (k > 0) {
        (void)place(f, shape, k - 1, &var, start, count);
        compare(f, var, start, count);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of a shape, over the repeats, until the last rank was done. Collective. */
static void print_ratio(const struct bench_file *f, const struct timing *t, enum shape shape, bool speaks)
{
    const int plain = 2 * (int)shape, n = t->repeats;
    double *ratios = bench_alloc((size_t)n, sizeof *ratios), least[2] = { 1e9, 1e9 };
    for (int i = 0; i < n; i++) {
        double both[2];
        for (int k = 0; k < 2; k++) {
            both[k] = bench_max_all(MPI_COMM_WORLD, t->span[plain + k][i]);
            least[k] = both[k] < least[k] ? both[k] : least[k];
        }
        ratios[i] = both[1] / both[0];
    }
    qsort(ratios, (size_t)n, sizeof *ratios, by_size);
    if (speaks)
        printf("%-20s %.2f x least (%.4f s, verified %.4f s), %.2f x median of %d pairs, %.2f x CPU time\n",
               shape_names[shape], least[1] / least[0], least[0], least[1], ratios[n / 2], n,
               f->cpu[shape][1] / f->cpu[shape][0]);
    free(ratios);
}

static void add_size(struct bench_json *j, const void *settings)
{
    bench_json_int(j, "mib", ((const struct settings *)settings)->mib);
}

static void name_phases(struct timing *t, char (*room)[48])
{
    for (int i = 0; i < SHAPES; i++) {
        snprintf(room[i], sizeof room[i], "%s, verified", shape_names[i]);
        t->names[2 * i] = shape_names[i];
        t->names[2 * i + 1] = room[i];
    }
}

static void run(const struct settings *s)
{
    struct bench_file f = { .rows = s->mib * 32, .records = s->mib * 1048576 / 4 / PLACES / 4 + 1 };
    char title[128], names[SHAPES][48];
    struct timing t = { .repeats = s->repeat };
    name_phases(&t, names);
    PMPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &f.nranks);
    bench_path(f.path, s->folder, "verify.nc");
    f.values = bench_alloc((size_t)(s->mib / f.nranks + 4) * 131072 + PLACES, sizeof *f.values);
    timing_begin(&t);
    make_file(&f);
    for (; t.repeat < s->repeat; t.repeat++)
        for (int i = 0; i < 2 * SHAPES; i++) {
            if (s->shape > 0 && i / 2 != s->shape - 1)
                continue;
            if (s->cold)
                leave_cache(&f);
            read_file(&f, (enum shape)(i / 2), (i + t.repeat) % 2, &t);
        }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (f.rank == 0)
        bench_check(ncmpi_delete(f.path, MPI_INFO_NULL), "removing", f.path);
    for (int i = 0; i < SHAPES; i++)
        if (s->shape == 0 || i == s->shape - 1)
            print_ratio(&f, &t, (enum shape)i, f.rank == 0 && !s->json);
    snprintf(title, sizeof title, "%lld MiB, read without and with pcdf_verify", (long long)s->mib);
    if (s->shape == 0)
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
        { "shape", 'n', &s.shape, "N", "this shape alone, from 1 on; 0: all" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "cold", 'f', &s.cold, NULL, "before each read, the file leaves the cache of pages" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code = bench_begin(&argc, &argv, "verify", "verify: what reading costs if checksums are compared",
                           options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.mib < 1 || s.mib > 65536 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib and --repeat begin at 1");
    if (code == BENCH_GO && (s.shape < 0 || s.shape > SHAPES))
        code = bench_misused("there is no such shape");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
