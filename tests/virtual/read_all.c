/* Reads everything of files of other formats through the library, by one call a variable and by random boxes,
 * which must be the same values.    read_all FILE...: writes FILE.values, for a script to compare */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

enum { MOST_DIMS = 32, BOXES = 6 };

struct type {
    nc_type type;
    MPI_Datatype mpi;
    int size;
};

static struct type type_of(nc_type type)
{
    const struct type types[] = {
        { NC_BYTE, MPI_SIGNED_CHAR, 1 },
        { NC_CHAR, MPI_CHAR, 1 },
        { NC_SHORT, MPI_SHORT, 2 },
        { NC_INT, MPI_INT, 4 },
        { NC_FLOAT, MPI_FLOAT, 4 },
        { NC_DOUBLE, MPI_DOUBLE, 8 },
        { NC_UBYTE, MPI_UNSIGNED_CHAR, 1 },
        { NC_USHORT, MPI_UNSIGNED_SHORT, 2 },
        { NC_UINT, MPI_UNSIGNED, 4 },
        { NC_INT64, MPI_LONG_LONG_INT, 8 },
        { NC_UINT64, MPI_UNSIGNED_LONG_LONG, 8 },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return types[i];
    return types[0];
}

static uint64_t state = 88172645463325252u;

static int64_t draw(int64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)n);
}

/* A box with strides, compared with what was read whole. */
static void check_box(int nc, int var, const char *name, struct type t, int ndims, const MPI_Offset *shape,
                      const char *whole)
{
    MPI_Offset start[MOST_DIMS], count[MOST_DIMS], stride[MOST_DIMS], at[MOST_DIMS] = { 0 }, n = 1;
    for (int i = 0; i < ndims; i++) {
        start[i] = draw(shape[i]);
        stride[i] = 1 + draw(3);
        count[i] = 1 + draw((shape[i] - start[i] + stride[i] - 1) / stride[i]);
        n *= count[i];
    }
    char *part = malloc((size_t)(n * t.size) + 1);
    int err = ncmpi_get_vars_all(nc, var, start, count, stride, part, n, t.mpi);
    CHECK(err == NC_NOERR, "%s: %s", name, ncmpi_strerror(err));
    for (MPI_Offset k = 0; k < n && !err; k++) {
        MPI_Offset from = 0;
        for (int i = 0; i < ndims; i++)
            from = from * shape[i] + start[i] + at[i] * stride[i];
        if (memcmp(part + k * t.size, whole + from * t.size, (size_t)t.size) != 0) {
            CHECK(0, "%s: element %lld of a box is not that of the whole", name, (long long)k);
            break;
        }
        for (int i = ndims - 1; i >= 0 && ++at[i] == count[i]; i--)
            at[i] = 0;
    }
    free(part);
}

static void dump_var(int nc, int var, int rank, FILE *to)
{
    char name[NC_MAX_NAME + 1], dim[NC_MAX_NAME + 1];
    int ndims, dims[MOST_DIMS], natts;
    nc_type type;
    MPI_Offset shape[MOST_DIMS], n = 1;
    int err = ncmpi_inq_var(nc, var, name, &type, &ndims, dims, &natts);
    CHECK_INT(err, NC_NOERR);
    struct type t = type_of(type);
    for (int i = 0; i < ndims; i++) {
        ncmpi_inq_dimlen(nc, dims[i], &shape[i]);
        n *= shape[i];
    }
    char *whole = calloc((size_t)(n * t.size) + 1, 1);
    err = ncmpi_get_var_all(nc, var, whole, n, t.mpi);
    if (rank == 0) {
        fprintf(to, "V\t%s\t%d\t%d\t%lld\t%d", name, type, err, (long long)(err ? 0 : n * t.size), ndims);
        for (int i = 0; i < ndims; i++) {
            ncmpi_inq_dimname(nc, dims[i], dim);
            fprintf(to, "\t%s=%lld", dim, (long long)shape[i]);
        }
        fprintf(to, "\n");
        fwrite(whole, 1, err ? 0 : (size_t)(n * t.size), to);
        if (err)
            fprintf(to, "S\t%s\t%s\n", name, parcdf_last_error());
    }
    for (int i = 0; i < BOXES && n > 0 && !err; i++)
        check_box(nc, var, name, t, ndims, shape, whole);
    free(whole);
}

static void dump_atts(int nc, int var, const char *of, FILE *to)
{
    char name[NC_MAX_NAME + 1];
    int natts = 0;
    nc_type type;
    MPI_Offset n;
    CHECK_INT(var == NC_GLOBAL ? ncmpi_inq_natts(nc, &natts) : ncmpi_inq_varnatts(nc, var, &natts), NC_NOERR);
    for (int i = 0; i < natts; i++) {
        ncmpi_inq_attname(nc, var, i, name);
        CHECK_INT(ncmpi_inq_att(nc, var, name, &type, &n), NC_NOERR);
        struct type t = type_of(type);
        char *values = calloc((size_t)(n * t.size) + 1, 1);
        CHECK_INT(ncmpi_get_att(nc, var, name, values), NC_NOERR);
        fprintf(to, "A\t%s\t%s\t%d\t%lld\n", of, name, type, (long long)(n * t.size));
        fwrite(values, 1, (size_t)(n * t.size), to);
        free(values);
    }
}

static void dump(const char *path, int rank)
{
    char out[2000], name[NC_MAX_NAME + 1];
    int nc, ndims = 0, nvars = 0, format = 0,
            err = ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &nc);
    const char *last = strstr(path, "://") ? strrchr(path, '/') + 1 : path; /* of a URL: here */
    snprintf(out, sizeof out, "%s.values", last);
    FILE *to = fopen(rank == 0 ? out : "/dev/null", "wb");
    if (!to)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (err) {
        fprintf(to, "E\t%d\t%s\n", err, parcdf_last_error());
        fclose(to);
        return;
    }
    if (strncmp(parcdf_last_error(), "warning", 7) == 0)
        fprintf(to, "W\t%s\n", parcdf_last_error());
    ncmpi_inq(nc, &ndims, &nvars, NULL, NULL);
    ncmpi_inq_format(nc, &format);
    fprintf(to, "F\t%d\n", format);
    for (int i = 0; i < ndims; i++) {
        ncmpi_inq_dimname(nc, i, name);
        fprintf(to, "D\t%s\n", name);
    }
    if (rank == 0)
        dump_atts(nc, NC_GLOBAL, "", to);
    for (int var = 0; var < nvars; var++) {
        dump_var(nc, var, rank, to);
        ncmpi_inq_varname(nc, var, name);
        if (rank == 0)
            dump_atts(nc, var, name, to);
    }
    fclose(to);
    CHECK_INT(ncmpi_close(nc), NC_NOERR);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < argc; i++)
        dump(argv[i], rank);
    MPI_Finalize();
    return rank == 0 ? check_done("read_all") : check_bad != 0;
}
