/* What a model writes at once: fields of three dimensions, smooth with some noise, divided among the ranks by
 * planes (a chunk belongs to one rank) or by tiles (to several), in one of several ways: CDF-5, contiguous,
 * chunked, compressed; or their codec alone, in memory. Printed are the seconds of the slowest rank and the
 * bytes of the file; every value is read back and compared. The same source is built with libnetcdf over
 * parallel HDF5 (fields_peer). benchmarks/fields runs both in turn. */

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "bench.h"
#include "fieldfile.h"

enum phase { DEFINE, PUT, CLOSE, PHASES };
static const char *const phase_names[PHASES] = { "define", "put", "close" };
static const char *const way_names[FIELD_WAYS] = {
    "cdf5", "contiguous", "chunked", "deflate", "zstd", "codec"
};

struct settings {
    int64_t floats, doubles, level;
    int64_t compute; /* milliseconds before each put */
    const char *shape, *chunk, *way, *codec, *folder, *hints, *keep;
    bool tiles, unchecked, written;
};

struct run {
    const struct settings *s;
    struct fields f;
    char path[BENCH_PATH];
    int rank, nranks;
    int64_t start[FIELD_DIMS], count[FIELD_DIMS], n; /* this rank's part */
    void *values, *got;
    double *waves[FIELD_DIMS];
    double seconds[PHASES], cpu; /* this rank takes cpu in them */
    /* What a memcpy takes instead of each put: wall clock, and this thread's cpu, which tells it from what
     * others take of the machine. */
    double copy, copy_cpu, put_cpu;
};

static bool read_shape(const char *text, int64_t *shape)
{
    char end;
    long long x[FIELD_DIMS];
    if (sscanf(text, "%lldx%lldx%lld%c", &x[0], &x[1], &x[2], &end) != FIELD_DIMS)
        return false;
    for (int d = 0; d < FIELD_DIMS; d++)
        shape[d] = x[d];
    return x[0] > 0 && x[1] > 0 && x[2] > 0;
}

static int64_t part_from(int64_t n, int64_t i, int64_t parts)
{
    return n * i / parts;
}

/* Planes: along z. Tiles: along y and x, the more along y. */
static void take_part(struct run *r)
{
    int grid[FIELD_DIMS] = { r->nranks, 1, 1 };
    if (r->s->tiles) {
        int columns = (int)sqrt((double)r->nranks);
        while (r->nranks % columns)
            columns--;
        grid[0] = 1, grid[1] = r->nranks / columns, grid[2] = columns;
    }
    int rest = r->rank;
    r->n = 1;
    for (int d = FIELD_DIMS - 1; d >= 0; d--) {
        int64_t at = rest % grid[d];
        rest /= grid[d];
        r->start[d] = part_from(r->f.shape[d], at, grid[d]);
        r->count[d] = part_from(r->f.shape[d], at + 1, grid[d]) - r->start[d];
        r->n *= r->count[d];
    }
}

static void make_waves(struct run *r)
{
    for (int d = 0; d < FIELD_DIMS; d++) {
        r->waves[d] = bench_alloc((size_t)r->f.shape[d], sizeof(double));
        for (int64_t k = 0; k < r->f.shape[d]; k++)
            r->waves[d][k] = sin(6.2832 * (double)((d + 2) * k) / (double)r->f.shape[d] + d);
    }
}

/* Smooth, and noise of about a thousandth of that, in steps of 1/4096: deflate takes a bit more than half. */
static inline double value_at(const struct run *r, int field, int64_t z, int64_t y, int64_t x)
{
    uint32_t noise = (uint32_t)(((z * 8191 + y) * 8191 + x) * 64 + field) * 2654435761u;
    noise ^= noise >> 15;
    double smooth = 280 + field + 20 * r->waves[1][y] * r->waves[2][x] + 10 * r->waves[0][z];
    return (double)((int)((smooth + (double)(noise >> 16 & 1023) / 4096) * 4096)) / 4096;
}

static void make_values(struct run *r, int field)
{
    bool is_double = fields_is_double(&r->f, field);
    int64_t k = 0;
    for (int64_t z = 0; z < r->count[0]; z++)
        for (int64_t y = 0; y < r->count[1]; y++)
            for (int64_t x = 0; x < r->count[2]; x++, k++) {
                double v = value_at(r, field, r->start[0] + z, r->start[1] + y, r->start[2] + x);
                if (is_double)
                    ((double *)r->values)[k] = v;
                else
                    ((float *)r->values)[k] = (float)v;
            }
}

/* Each timed stretch begins when all ranks are there, and ends when the last one is done. */
static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static double cpu_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
static double begin(struct run *r)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    r->cpu -= cpu_seconds();
    return bench_seconds();
}
static void end(struct run *r, enum phase phase, double began)
{
    r->cpu += cpu_seconds();
    r->seconds[phase] += bench_max_all(MPI_COMM_WORLD, bench_seconds() - began);
}

/* A program that computes between its puts, while the library may write. */
static void compute_field(struct run *r, int field)
{
    double began = bench_seconds();
    do
        make_values(r, field);
    while (bench_seconds() - began < (double)r->s->compute / 1000);
}

static void copy_field(struct run *r, int field)
{
    size_t bytes = (size_t)r->n * (fields_is_double(&r->f, field) ? 8 : 4);
    PMPI_Barrier(MPI_COMM_WORLD);
    double began = bench_seconds(), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    memcpy(r->got, r->values, bytes);
    r->copy_cpu += seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    r->copy += bench_max_all(MPI_COMM_WORLD, bench_seconds() - began);
}

static void write_fields(struct run *r)
{
    double began = begin(r);
    int file = fields_create(r->path, &r->f);
    end(r, DEFINE, began);
    for (int i = 0; i < fields_count(&r->f); i++) {
        compute_field(r, i);
        copy_field(r, i);
        began = begin(r);
        double cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        fields_put(file, i, fields_is_double(&r->f, i), r->start, r->count, r->values);
        r->put_cpu += seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
        end(r, PUT, began);
    }
    began = begin(r);
    fields_close(file);
    end(r, CLOSE, began);
}

static void compare(struct run *r)
{
    int file = fields_open(r->path);
    for (int i = 0; i < fields_count(&r->f); i++) {
        bool is_double = fields_is_double(&r->f, i);
        size_t bytes = (size_t)r->n * (is_double ? 8 : 4);
        make_values(r, i);
        memset(r->got, 0xff, bytes);
        fields_get(file, i, is_double, r->start, r->count, r->got);
        if (memcmp(r->got, r->values, bytes) != 0)
            bench_fail("field %d is not what was written", i);
    }
    fields_close(file);
}

/* Each rank has a stretch of the file. */
static int64_t encode_fields(struct run *r)
{
    int64_t elements = r->f.chunk[0] * r->f.chunk[1] * r->f.chunk[2], sum = 0;
    int64_t at = r->rank * r->n * fields_count(&r->f) * (int64_t)sizeof(double);
    double began = begin(r);
    int fd = r->s->written ? open(r->path, O_WRONLY | O_CREAT, 0666) : -1;
    if (r->s->written && fd < 0)
        bench_fail("%s cannot be opened", r->path);
    end(r, DEFINE, began);
    for (int i = 0; i < fields_count(&r->f); i++) {
        bool is_double = fields_is_double(&r->f, i);
        make_values(r, i);
        began = begin(r);
        sum += fields_encode(&r->f, is_double, r->values, r->n / elements, elements * (is_double ? 8 : 4), fd,
                             at + sum);
        end(r, PUT, began);
    }
    if (fd >= 0)
        close(fd);
    return bench_sum_all(MPI_COMM_WORLD, sum);
}

static int64_t file_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) ? -1 : (int64_t)st.st_size;
}

static void print(const struct run *r, int64_t bytes, double cpu, bool encodes)
{
    const struct fields *f = &r->f;
    int64_t raw = f->shape[0] * f->shape[1] * f->shape[2] * (4 * f->nfloats + 8 * f->ndoubles);
    struct bench_json j = { .f = stdout };
    double whole = 0;
    bench_json_begin(&j, NULL, '{');
    bench_json_text(&j, "way", encodes ? "codec" : way_names[f->way]);
    bench_json_text(&j, "division", r->s->tiles ? "tiles" : "planes");
    bench_json_int(&j, "ranks", r->nranks);
    bench_json_real(&j, "mib", (double)raw / 1048576);
    for (int k = 0; k < PHASES; k++) {
        bench_json_real(&j, phase_names[k], r->seconds[k]);
        whole += r->seconds[k];
    }
    bench_json_real(&j, "whole", whole);
    bench_json_real(&j, "copy", r->copy);
    bench_json_real(&j, "put_cpu", r->put_cpu);
    bench_json_real(&j, "copy_cpu", r->copy_cpu);
    bench_json_real(&j, "cpu", cpu);
    bench_json_int(&j, "bytes", bytes);
    bench_json_real(&j, "ratio", (double)raw / (double)bytes);
    bench_json_int(&j, "peak_kib", bench_peak_kib());
    bench_json_end(&j, '{');
    puts("");
}

static void run(const struct settings *s, struct fields *f, bool encodes)
{
    struct run r = { .s = s, .f = *f };
    int64_t bytes;
    PMPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &r.nranks);
    bench_path(r.path, s->folder, *s->keep ? s->keep : "fields.nc");
    bench_remove_on_failure(r.rank == 0 ? r.path : NULL);
    take_part(&r);
    make_waves(&r);
    r.values = bench_alloc((size_t)r.n + 1, sizeof(double));
    r.got = bench_alloc((size_t)r.n + 1, sizeof(double));
    memset(r.values, 1, (size_t)r.n * sizeof(double)); /* the memory is there */
    memset(r.got, 1, (size_t)r.n * sizeof(double));
    if (encodes) {
        bytes = encode_fields(&r);
    } else {
        write_fields(&r);
        bytes = file_bytes(r.path);
        if (!s->unchecked)
            compare(&r);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    double cpu = 0;
    PMPI_Reduce(&r.cpu, &cpu, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (r.rank == 0) {
        print(&r, bytes, cpu, encodes);
        if (encodes ? s->written : !*s->keep)
            unlink(r.path);
    }
    for (int d = 0; d < FIELD_DIMS; d++)
        free(r.waves[d]);
    free(r.values);
    free(r.got);
}

static int way_of(const char *name)
{
    for (int i = 0; i < FIELD_WAYS; i++)
        if (strcmp(name, way_names[i]) == 0)
            return i;
    return FIELD_WAYS;
}

int main(int argc, char **argv)
{
    struct settings s = { .floats = 6,
                          .doubles = 1,
                          .level = 1,
                          .shape = "32x512x512",
                          .chunk = "1x512x512",
                          .way = "deflate",
                          .codec = "deflate",
                          .folder = ".",
                          .hints = "",
                          .keep = "" };
    const struct bench_option options[] = {
        { "way", 't', &s.way, "WAY", "cdf5, contiguous, chunked, deflate, zstd; codec: it alone" },
        { "codec", 't', &s.codec, "CODEC", "deflate or zstd, of --way codec" },
        { "level", 'n', &s.level, "N", "of the codec, behind shuffle" },
        { "written", 'f', &s.written, NULL, "what the codec alone makes is written, by plain pwrite" },
        { "floats", 'n', &s.floats, "N", "fields of float" },
        { "doubles", 'n', &s.doubles, "N", "fields of double" },
        { "shape", 't', &s.shape, "ZxYxX", "of each field" },
        { "chunk", 't', &s.chunk, "ZxYxX", "of each chunk" },
        { "tiles", 'f', &s.tiles, NULL, "a rank has a tile of every plane, not some planes" },
        { "compute", 'n', &s.compute, "MS", "milliseconds of computing before each put" },
        { "unchecked", 'f', &s.unchecked, NULL, "do not read the file" },
        { "hints", 't', &s.hints, "HINTS", "NAME=VALUE;... for create" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "keep", 't', &s.keep, "NAME", "the file's name: it stays" },
    };
    int code =
        bench_begin(&argc, &argv, "fields", "fields: what a model writes, and what compressing it costs",
                    options, sizeof options / sizeof *options);
    bool encodes = code == BENCH_GO && strcmp(s.way, "codec") == 0;
    int way = way_of(encodes ? s.codec : s.way);
    struct fields f = {
        .nfloats = (int)s.floats, .ndoubles = (int)s.doubles, .level = (int)s.level, .hints = s.hints
    };
    if (code == BENCH_GO && (way == FIELD_WAYS || !fields_can((enum field_way)way)))
        code = bench_misused("--way is none that this library has");
    else if (code == BENCH_GO && (!read_shape(s.shape, f.shape) || !read_shape(s.chunk, f.chunk)))
        code = bench_misused("--shape and --chunk are three numbers, as in 32x512x512");
    else if (code == BENCH_GO && (s.floats < 0 || s.doubles < 0 || s.floats + s.doubles < 1 ||
                                  s.floats + s.doubles > FIELDS_MOST))
        code = bench_misused("--floats and --doubles are 1 to 64 together");
    f.way = (enum field_way)way;
    if (code == BENCH_GO)
        run(&s, &f, encodes);
    return bench_end(code);
}
