/* See fieldfile.h: with libnetcdf over parallel HDF5, as its manual recommends: collective access, no fill.
 */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include "bench.h"
#include "fieldfile.h"

static const char *const dim_names[FIELD_DIMS] = { "z", "y", "x" };

bool fields_can(enum field_way way)
{
    return way == FIELD_CONTIGUOUS || way == FIELD_CHUNKED || way == FIELD_DEFLATE;
}

static void check(int err, const char *what)
{
    if (err)
        bench_fail("%s: %s", what, nc_strerror(err));
}

static void define(int file, const struct fields *f, int i, const int *dims)
{
    size_t chunk[FIELD_DIMS];
    char name[16];
    int id;
    for (int d = 0; d < FIELD_DIMS; d++)
        chunk[d] = (size_t)f->chunk[d];
    snprintf(name, sizeof name, "field%d", i);
    check(nc_def_var(file, name, fields_is_double(f, i) ? NC_DOUBLE : NC_FLOAT, FIELD_DIMS, dims, &id),
          "a variable");
    bool is_chunked = f->way != FIELD_CONTIGUOUS;
    check(nc_def_var_chunking(file, id, is_chunked ? NC_CHUNKED : NC_CONTIGUOUS, is_chunked ? chunk : NULL),
          "chunks");
    if (f->way == FIELD_DEFLATE)
        check(nc_def_var_deflate(file, id, 1, 1, f->level), "deflate");
    check(nc_var_par_access(file, id, NC_COLLECTIVE), "collective access");
}

int fields_create(const char *path, const struct fields *f)
{
    int dims[FIELD_DIMS], file, old;
    check(nc_create_par(path, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "creating");
    check(nc_set_fill(file, NC_NOFILL, &old), "no fill");
    for (int d = 0; d < FIELD_DIMS; d++)
        check(nc_def_dim(file, dim_names[d], (size_t)f->shape[d], &dims[d]), "a dimension");
    for (int i = 0; i < fields_count(f); i++)
        define(file, f, i, dims);
    check(nc_enddef(file), "enddef");
    return file;
}

static void narrow(size_t *to, const int64_t *from)
{
    for (int d = 0; d < FIELD_DIMS; d++)
        to[d] = (size_t)from[d];
}

void fields_put(int file, int i, bool is_double, const int64_t *start, const int64_t *count,
                const void *values)
{
    size_t s[FIELD_DIMS], c[FIELD_DIMS];
    narrow(s, start);
    narrow(c, count);
    check(is_double ? nc_put_vara_double(file, i, s, c, values) : nc_put_vara_float(file, i, s, c, values),
          "writing");
}

void fields_close(int file)
{
    check(nc_close(file), "closing");
}

int fields_open(const char *path)
{
    int file;
    check(nc_open_par(path, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "opening");
    return file;
}

void fields_get(int file, int i, bool is_double, const int64_t *start, const int64_t *count, void *values)
{
    size_t s[FIELD_DIMS], c[FIELD_DIMS];
    narrow(s, start);
    narrow(c, count);
    check(is_double ? nc_get_vara_double(file, i, s, c, values) : nc_get_vara_float(file, i, s, c, values),
          "reading");
}

int64_t fields_encode(const struct fields *f, bool is_double, const void *values, int64_t nchunks, int64_t n,
                      int fd, int64_t at)
{
    (void)f, (void)is_double, (void)values, (void)nchunks, (void)n, (void)fd, (void)at;
    bench_fail("the peer has no codec of its own");
}
