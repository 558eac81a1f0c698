/* How fast netCDF-4 files are read: by libhdf5 (H5Dread), by one rank through the library, by all ranks
 * together, in turn, each into memory that was used before. The least of the repetitions counts; every value
 * is compared. And how fast one core decodes and encodes chunks by a codec, which is all that a copy of
 * compressed chunks can be held against. benchmarks/virtual starts it. */

#include <hdf5.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "alloc.h"
#include "bench.h"
#include "codecs.h"
#include "status.h"

enum { COLUMNS = 2048, CHUNK_ROWS = 256, CHUNK_COLUMNS = 1024, TABLE = 1 << 20, LAYOUTS = 3 };

struct settings {
    int64_t mib, repeat;
    const char *folder, *only, *codec;
    bool json, ours;
};

static const struct layout {
    const char *name;
    bool is_double, is_big, is_chunked, shuffle;
    unsigned deflate;
} layouts[] = {
    { "contiguous float", false, false, false, false, 0 },
    { "contiguous double", true, false, false, false, 0 },
    { "contiguous float, big-endian", false, true, false, false, 0 },
    { "contiguous double, big-endian", true, true, false, false, 0 },
    { "chunked float", false, false, true, false, 0 },
    { "chunked double, big-endian", true, true, true, false, 0 },
    { "deflated float", false, false, true, false, 4 },
    { "deflated double", true, false, true, false, 4 },
    { "shuffled, deflated float", false, false, true, true, 4 },
    { "shuffled, deflated double", true, false, true, true, 4 },
    { "shuffled, deflated float, big-endian", false, true, true, true, 4 },
};

enum way { HDF5, ONE, ALL, WAYS };

struct seconds { /* the least: of open and close too, of the get alone */
    double whole, get;
};

struct run {
    const struct settings *s;
    const struct layout *layout;
    char path[BENCH_PATH];
    int rank, nranks;
    int64_t rows;
    void *values; /* of all rows */
};

/* ---- values: a smooth field with a little noise, of which deflate takes about half */

static float table[TABLE];

static void make_table(void)
{
    uint32_t noise = 1;
    double x = 0, v = 1000;
    for (int i = 0; i < TABLE; i++) { /* a circle, in steps: no sine is needed */
        x += v / 4000;
        v -= x / 4000;
        noise = noise * 1664525 + 1013904223;
        table[i] = (float)((int)(64 * x) + (int)(noise >> 28)) / 64;
    }
}

static float value_at(int64_t i)
{
    return table[i % TABLE] + (float)(i / TABLE % 1024);
}

static void make_values(void *to, bool is_double, int64_t first, int64_t n)
{
    float *floats = to;
    double *doubles = to;
    for (int64_t i = 0; i < n; i++)
        if (is_double)
            doubles[i] = value_at(first + i);
        else
            floats[i] = value_at(first + i);
}

static int64_t size_of(const struct run *r)
{
    return r->layout->is_double ? 8 : 4;
}

static void compare(const struct run *r, int64_t first, int64_t n)
{
    const float *floats = r->values;
    const double *doubles = r->values;
    for (int64_t i = 0; i < n; i++) {
        double is = r->layout->is_double ? doubles[i] : (double)floats[i];
        if (is != value_at(first + i))
            bench_fail("%s: value %lld is %g, not %g", r->layout->name, (long long)(first + i), is,
                       (double)value_at(first + i));
    }
    memset(r->values, 0xff, (size_t)(n * size_of(r)));
}

/* ---- libhdf5 */

static void good(int64_t id, const char *what)
{
    if (id < 0)
        bench_fail("libhdf5: %s", what);
}

static void write_file(const struct run *r)
{
    const struct layout *l = r->layout;
    hsize_t shape[2] = { (hsize_t)r->rows, COLUMNS }, chunk[2] = { CHUNK_ROWS, CHUNK_COLUMNS };
    hid_t file = H5Fcreate(r->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, shape, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t type = l->is_double ? l->is_big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE
                 : l->is_big  ? H5T_IEEE_F32BE
                              : H5T_IEEE_F32LE;
    good(file, "creating the file");
    if (l->is_chunked)
        good(H5Pset_chunk(list, 2, chunk), "chunks");
    if (l->shuffle)
        good(H5Pset_shuffle(list), "shuffle");
    if (l->deflate)
        good(H5Pset_deflate(list, l->deflate), "deflate");
    hid_t set = H5Dcreate2(file, "v", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    good(set, "creating the data set");
    make_values(r->values, l->is_double, 0, r->rows * COLUMNS);
    good(H5Dwrite(set, l->is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  r->values),
         "writing");
    good(H5Dclose(set) | H5Pclose(list) | H5Sclose(space) | H5Fclose(file), "closing");
}

static double read_hdf5(const struct run *r)
{
    hid_t file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "v", H5P_DEFAULT);
    double began = bench_seconds();
    good(H5Dread(set, r->layout->is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL,
                 H5P_DEFAULT, r->values),
         "reading");
    double took = bench_seconds() - began;
    good(H5Dclose(set) | H5Fclose(file), "closing");
    return took;
}

/* ---- ours */

static double read_ours(const struct run *r, MPI_Comm comm, int64_t first, int64_t rows)
{
    MPI_Offset start[2] = { first, 0 }, count[2] = { rows, COLUMNS };
    int ncid;
    bench_check(ncmpi_open(comm, r->path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "opening", r->path);
    PMPI_Barrier(comm);
    double began = bench_seconds();
    int err = r->layout->is_double ? ncmpi_get_vara_double_all(ncid, 0, start, count, r->values)
                                   : ncmpi_get_vara_float_all(ncid, 0, start, count, r->values);
    bench_check(err, "reading", r->path);
    PMPI_Barrier(comm);
    double took = bench_seconds() - began;
    bench_check(ncmpi_close(ncid), "closing", r->path);
    return took;
}

/* ---- one repetition */

/* Ranks that have nothing to do leave processor and memory to the others. */
static void wait_for_all(void)
{
    const struct timespec moment = { .tv_nsec = 500000 };
    MPI_Request request;
    int done = 0;
    PMPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done) {
        PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            nanosleep(&moment, NULL);
    }
}

static void read_one_way(const struct run *r, enum way way, struct seconds *least)
{
    int64_t from = way == ALL ? r->rows / CHUNK_ROWS * r->rank / r->nranks * CHUNK_ROWS : 0;
    int64_t to = way == ALL ? r->rows / CHUNK_ROWS * (r->rank + 1) / r->nranks * CHUNK_ROWS : r->rows;
    struct seconds took = { 1e9, 1e9 };
    wait_for_all();
    if (way == ALL || r->rank == 0) {
        double began = bench_seconds();
        took.get = way == HDF5 ? read_hdf5(r)
                               : read_ours(r, way == ALL ? MPI_COMM_WORLD : MPI_COMM_SELF, from, to - from);
        took.whole = bench_seconds() - began;
        compare(r, from * COLUMNS, (to - from) * COLUMNS);
    }
    least->get = took.get < least->get ? took.get : least->get;
    least->whole = took.whole < least->whole ? took.whole : least->whole;
}

static void print_layout(const struct run *r, const struct seconds *least, struct bench_json *j)
{
    double mb = (double)(r->rows * COLUMNS * size_of(r)) / 1e6;
    if (!r->s->json) {
        printf(
            "%-38s %7.3f %7.3f %7.3f  %5.2f  %5.2f | %7.3f %7.3f %7.3f  %5.2f  %5.2f | %6.0f %6.0f %6.0f\n",
            r->layout->name, least[HDF5].get, least[ONE].get, least[ALL].get,
            least[HDF5].get / least[ONE].get, least[ONE].get / least[ALL].get, least[HDF5].whole,
            least[ONE].whole, least[ALL].whole, least[HDF5].whole / least[ONE].whole,
            least[ONE].whole / least[ALL].whole, mb / least[HDF5].get, mb / least[ONE].get,
            mb / least[ALL].get);
        fflush(stdout);
        return;
    }
    bench_json_begin(j, NULL, '{');
    bench_json_text(j, "layout", r->layout->name);
    bench_json_real(j, "mb", mb);
    static const char *const names[WAYS] = { "hdf5", "one", "all" };
    for (int i = 0; i < WAYS; i++) {
        bench_json_begin(j, names[i], '{');
        bench_json_real(j, "get", least[i].get);
        bench_json_real(j, "whole", least[i].whole);
        bench_json_end(j, '{');
    }
    bench_json_end(j, '{');
}

static void run_layout(struct run *r, struct bench_json *j)
{
    struct seconds least[WAYS] = { { 1e9, 1e9 }, { 1e9, 1e9 }, { 1e9, 1e9 } };
    r->rows = r->s->mib * 1048576 / COLUMNS / size_of(r) / CHUNK_ROWS * CHUNK_ROWS;
    if (r->rank == 0)
        write_file(r);
    memset(r->values, 0xff, (size_t)(r->rows * COLUMNS * size_of(r)));
    for (int64_t i = 0; i < r->s->repeat; i++)
        for (int way = r->s->ours ? ONE : HDF5; way < WAYS; way++)
            read_one_way(r, (enum way)way, &least[way]);
    if (r->rank == 0) {
        print_layout(r, least, j);
        remove(r->path);
    }
}

static void run(const struct settings *s)
{
    struct run r = { .s = s };
    struct bench_json j = { .f = stdout };
    PMPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &r.nranks);
    bench_path(r.path, s->folder, "virtual_bench.nc4");
    bench_remove_on_failure(r.rank == 0 ? r.path : NULL);
    r.values = bench_alloc((size_t)s->mib, 1048576);
    if (r.rank == 0 && s->json)
        bench_json_begin(&j, NULL, '[');
    if (r.rank == 0 && !s->json)
        printf("%lld MiB, least of %lld; get: seconds of libhdf5, one rank, %d ranks; one rank by libhdf5, "
               "ranks by "
               "one | the same with open and close | MB/s of the gets\n",
               (long long)s->mib, (long long)s->repeat, r.nranks);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        r.layout = &layouts[i];
        if (!*s->only || strstr(layouts[i].name, s->only))
            run_layout(&r, &j);
    }
    if (r.rank == 0 && s->json) {
        bench_json_end(&j, '[');
        puts("");
    }
    free(r.values);
}

/* ---- a codec alone */

static const struct {
    const char *name;
    enum pcdf_codec_id id;
    unsigned level;
} codecs[] = { { "zlib", PCDF_CODEC_ZLIB, 4 },
               { "gzip", PCDF_CODEC_GZIP, 4 },
               { "zstd", PCDF_CODEC_ZSTD, 3 } };

/* MB/s of one core, of chunks as `parcdf copy` makes them of the same values. */
static void run_codec(const struct settings *s, enum pcdf_codec_id id, unsigned level)
{
    enum { CHUNK = 1 << 18 };
    struct pcdf_chain chain = { .n = 1, .x = { { .id = id, .nparams = 1, .params = { level } } } };
    struct pcdf_codec_scratch scratch = { 0 };
    double encodes = 1e9, decodes = 1e9;
    int64_t chunks = s->mib, done = 0;
    float *values = bench_alloc(CHUNK, sizeof *values), *back = bench_alloc(CHUNK, sizeof *back);
    unsigned char **encoded = bench_alloc((size_t)chunks, sizeof *encoded);
    size_t *n = bench_alloc((size_t)chunks, sizeof *n);
    for (int64_t k = 0; k < s->repeat; k++) {
        double encode = 0, decode = 0, began;
        for (int64_t i = 0; i < chunks; i++) {
            make_values(values, false, i * CHUNK, CHUNK);
            began = bench_seconds();
            if (pcdf_chain_encode(&chain, (unsigned char *)values, CHUNK * 4, &encoded[i], &n[i], &scratch))
                bench_fail("%s", pcdf_fail_text());
            encode += bench_seconds() - began;
        }
        for (int64_t i = 0; i < chunks; i++) {
            began = bench_seconds();
            if (pcdf_chain_decode(&chain, 0, encoded[i], n[i], (unsigned char *)back, CHUNK * 4, &scratch))
                bench_fail("%s", pcdf_fail_text());
            decode += bench_seconds() - began;
            make_values(values, false, i * CHUNK, CHUNK);
            if (memcmp(values, back, CHUNK * 4) != 0)
                bench_fail("chunk %lld is not what was encoded", (long long)i);
            done += (int64_t)n[i];
            pcdf_free(encoded[i]);
        }
        encodes = encode < encodes ? encode : encodes;
        decodes = decode < decodes ? decode : decodes;
    }
    double mb = (double)chunks * CHUNK * 4 / 1e6;
    printf("{\"encode\": %.1f, \"decode\": %.1f, \"share\": %.3f}\n", mb / encodes, mb / decodes,
           (double)done / (double)s->repeat / 1e6 / mb);
    pcdf_free(scratch.a);
    pcdf_free(scratch.b);
    free(values);
    free(back);
    free(encoded);
    free(n);
}

/* ---- a file for copies: CDF-5, of the same values */

static void write_classic(const struct settings *s, const char *path)
{
    enum { ROWS = CHUNK_ROWS };
    int64_t rows = s->mib * 1048576 / COLUMNS / 4;
    float *values = bench_alloc((size_t)ROWS * COLUMNS, sizeof *values);
    int ncid, dims[2], var;
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
                "creating", path);
    bench_check(ncmpi_def_dim(ncid, "y", rows, &dims[0]), "dimension of", path);
    bench_check(ncmpi_def_dim(ncid, "x", COLUMNS, &dims[1]), "dimension of", path);
    bench_check(ncmpi_def_var(ncid, "v", NC_FLOAT, 2, dims, &var), "variable of", path);
    bench_check(ncmpi_enddef(ncid), "enddef of", path);
    for (int64_t row = 0; row < rows; row += ROWS) {
        MPI_Offset start[2] = { row, 0 }, count[2] = { rows - row < ROWS ? rows - row : ROWS, COLUMNS };
        make_values(values, false, row * COLUMNS, count[0] * COLUMNS);
        bench_check(ncmpi_put_vara_float_all(ncid, var, start, count, values), "writing", path);
    }
    bench_check(ncmpi_close(ncid), "closing", path);
    free(values);
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 256, .repeat = 5, .folder = ".", .only = "", .codec = "" };
    const char *classic = "";
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB of values" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "only", 't', &s.only, "TEXT", "layouts that have this in their name" },
        { "codec", 't', &s.codec, "NAME", "a codec alone: zlib, gzip, zstd" },
        { "classic", 't', &classic, "FILE", "write this CDF-5 file, and nothing else" },
        { "ours", 'f', &s.ours, NULL, "without libhdf5's reading, to profile ours" },
        { "json", 'f', &s.json, NULL, "print one JSON array" },
    };
    int code = bench_begin(&argc, &argv, "virtual_bench",
                           "virtual_bench: how fast netCDF-4 files are read, beside libhdf5; codecs alone",
                           options, sizeof options / sizeof *options);
    size_t codec = 0;
    while (*s.codec && codec < sizeof codecs / sizeof *codecs && strcmp(codecs[codec].name, s.codec) != 0)
        codec++;
    if (code == BENCH_GO && (s.mib < 8 || s.mib > 65536 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib begins at 8, --repeat at 1");
    if (code == BENCH_GO && codec == sizeof codecs / sizeof *codecs)
        code = bench_misused("there is no such codec");
    make_table();
    if (code == BENCH_GO && *classic)
        write_classic(&s, classic);
    else if (code == BENCH_GO && *s.codec)
        run_codec(&s, codecs[codec].id, codecs[codec].level);
    else if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
