/* See fieldfile.h: with this library, by hints alone, as an unchanged program would. */
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "bench.h"
#include "codecs.h"
#include "fieldfile.h"
#include "status.h"

static const char *const dim_names[FIELD_DIMS] = { "z", "y", "x" };

bool fields_can(enum field_way way)
{
    return way < FIELD_WAYS;
}

static void set_hint(MPI_Info info, char *name)
{
    char *value = strchr(name, '=');
    if (!value)
        bench_fail("hint %s has no value", name);
    *value = 0;
    MPI_Info_set(info, name, value + 1);
}

static MPI_Info make_info(const struct fields *f)
{
    char text[1024], *rest = NULL;
    MPI_Info info;
    MPI_Info_create(&info);
    snprintf(text, sizeof text, "z:%lld,y:%lld,x:%lld", (long long)f->chunk[0], (long long)f->chunk[1],
             (long long)f->chunk[2]);
    if (f->way >= FIELD_CHUNKED)
        MPI_Info_set(info, "pcdf_chunks", text);
    snprintf(text, sizeof text, "shuffle,%s:%d", f->way == FIELD_ZSTD ? "zstd" : "deflate", f->level);
    if (f->way > FIELD_CHUNKED)
        MPI_Info_set(info, "pcdf_compress", text);
    snprintf(text, sizeof text, "%s", f->hints);
    for (char *one = strtok_r(text, ";", &rest); one; one = strtok_r(NULL, ";", &rest))
        set_hint(info, one);
    return info;
}

int fields_create(const char *path, const struct fields *f)
{
    int dims[FIELD_DIMS], file, id;
    char name[16];
    MPI_Info info = make_info(f);
    int cmode = NC_CLOBBER | (f->way == FIELD_CDF5 ? NC_64BIT_DATA : NC_NETCDF4);
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, cmode, info, &file), "creating", path);
    MPI_Info_free(&info);
    for (int d = 0; d < FIELD_DIMS; d++)
        bench_check(ncmpi_def_dim(file, dim_names[d], f->shape[d], &dims[d]), "dimension of", path);
    for (int i = 0; i < fields_count(f); i++) {
        snprintf(name, sizeof name, "field%d", i);
        bench_check(
            ncmpi_def_var(file, name, fields_is_double(f, i) ? NC_DOUBLE : NC_FLOAT, FIELD_DIMS, dims, &id),
            "variable of", path);
    }
    bench_check(ncmpi_enddef(file), "enddef of", path);
    return file;
}

static void widen(MPI_Offset *to, const int64_t *from)
{
    for (int d = 0; d < FIELD_DIMS; d++)
        to[d] = from[d];
}

void fields_put(int file, int i, bool is_double, const int64_t *start, const int64_t *count,
                const void *values)
{
    MPI_Offset s[FIELD_DIMS], c[FIELD_DIMS];
    widen(s, start);
    widen(c, count);
    bench_check(is_double ? ncmpi_put_vara_double_all(file, i, s, c, values)
                          : ncmpi_put_vara_float_all(file, i, s, c, values),
                "writing", "a field");
}

void fields_close(int file)
{
    bench_check(ncmpi_close(file), "closing", "the file");
}

int fields_open(const char *path)
{
    int file;
    bench_check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file), "opening", path);
    return file;
}

void fields_get(int file, int i, bool is_double, const int64_t *start, const int64_t *count, void *values)
{
    MPI_Offset s[FIELD_DIMS], c[FIELD_DIMS];
    widen(s, start);
    widen(c, count);
    bench_check(is_double ? ncmpi_get_vara_double_all(file, i, s, c, values)
                          : ncmpi_get_vara_float_all(file, i, s, c, values),
                "reading", "a field");
}

int64_t fields_encode(const struct fields *f, bool is_double, const void *values, int64_t nchunks, int64_t n,
                      int fd, int64_t at)
{
    static struct pcdf_codec_scratch scratch;
    const struct pcdf_chain chain = {
        .n = 2,
        .x = { { .id = PCDF_CODEC_SHUFFLE, .nparams = 1, .params = { is_double ? 8 : 4 } },
               { .id = f->way == FIELD_ZSTD ? PCDF_CODEC_ZSTD : PCDF_CODEC_ZLIB,
                 .nparams = 1,
                 .params = { (uint32_t)f->level } } }
    };
    const unsigned char *in = values, *out;
    int64_t sum = 0;
    size_t got;
    uint32_t mask;
    for (int64_t i = 0; i < nchunks; i++) {
        if (pcdf_chain_encode_here(&chain, in + i * n, (size_t)n, &out, &got, &mask, &scratch))
            bench_fail("%s", pcdf_fail_text());
        if (fd >= 0 && pwrite(fd, out, got, (off_t)(at + sum)) != (ssize_t)got)
            bench_fail("a chunk is not written");
        sum += (int64_t)got;
    }
    return sum;
}
