/* Opens a file that is far, and the same file here, and compares what the library reads of both.
 *
 *   far_open URL FILE WHAT     open: nothing else; all: each variable, by blocks of the ranks, collectively,
 * then each rank alone; time: each variable whole by rank 0, prints the seconds of the far one
 *     same: each variable, the whole of it by each rank, collectively; steps: the same, 20000 values at a
 * time; rows: each rank every n-th row of 1000 values; long: of 50000
 *
 * A get of the far file may fail (counted, printed), but has no other values. URL "-": the environment's
 * FAR_URL. */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

enum { DIMS = 8 };
static int rank, size, failed;

/* This rank's share of the first dimension; of scalars all. */
static MPI_Offset box_of(int ncid, int var, int *ndims, MPI_Offset *start, MPI_Offset *count)
{
    int dims[DIMS];
    MPI_Offset n = 1;
    ncmpi_inq_varndims(ncid, var, ndims);
    ncmpi_inq_vardimid(ncid, var, dims);
    for (int i = 0; i < *ndims; i++) {
        ncmpi_inq_dimlen(ncid, dims[i], &count[i]);
        start[i] = 0;
        if (i == 0) {
            MPI_Offset all = count[0];
            start[0] = all * rank / size;
            count[0] = all * (rank + 1) / size - start[0];
        }
        n *= count[i];
    }
    return n;
}

static void told(int err)
{
    if (failed++ == 0)
        fprintf(stderr, "%d %s\n", err, parcdf_last_error());
}

/* From `at` to `end`: each `every`-th row, from this one on. */
static void compare_rows(int far, int near, int var, MPI_Offset at, MPI_Offset end, MPI_Offset row, int every)
{
    enum { MOST = 4096 };
    static MPI_Offset starts[MOST], counts[MOST], *s[MOST], *c[MOST];
    int n = 0;
    MPI_Offset values = 0;
    for (; at < end && n < MOST; at += row * every, n++) {
        starts[n] = at;
        counts[n] = end - at < row ? end - at : row;
        values += counts[n];
        s[n] = &starts[n];
        c[n] = &counts[n];
    }
    double *a = calloc((size_t)values + 1, sizeof *a), *b = calloc((size_t)values + 1, sizeof *b);
    int err = ncmpi_get_varn_double_all(far, var, n, s, c, a);
    CHECK_INT(ncmpi_get_varn_double_all(near, var, n, s, c, b), NC_NOERR);
    if (err)
        told(err);
    else
        CHECK(memcmp(a, b, (size_t)values * sizeof *a) == 0, "variable %d: other values", var);
    free(a);
    free(b);
}

/* Of variables of one dimension, what all ranks read together. */
static void shared_of(int far, int near, const char *what)
{
    enum { STEP = 20000 };
    int n;
    ncmpi_inq_nvars(near, &n);
    for (int i = 0; i < n; i++) {
        int dim;
        MPI_Offset all, row = !strcmp(what, "rows") ? 1000 : 50000;
        ncmpi_inq_vardimid(near, i, &dim);
        ncmpi_inq_dimlen(near, dim, &all);
        if (!strcmp(what, "same"))
            compare_rows(far, near, i, 0, all, all, 1);
        else if (strcmp(what, "steps"))
            compare_rows(far, near, i, rank * row, all, row, size);
        else
            for (MPI_Offset at = 0; at < all; at += STEP)
                compare_rows(far, near, i, at, at + STEP < all ? at + STEP : all, STEP, 1);
    }
}

static void compare(int far, int near, int var, int together)
{
    int ndims;
    nc_type type;
    MPI_Offset start[DIMS], count[DIMS], n = box_of(near, var, &ndims, start, count);
    ncmpi_inq_vartype(near, var, &type);
    double *a = calloc((size_t)n + 1, sizeof *a), *b = calloc((size_t)n + 1, sizeof *b);
    int err, err2;
    if (type == NC_CHAR) {
        err = together ? ncmpi_get_vara_text_all(far, var, start, count, (char *)a)
                       : ncmpi_get_vara_text(far, var, start, count, (char *)a);
        err2 = together ? ncmpi_get_vara_text_all(near, var, start, count, (char *)b)
                        : ncmpi_get_vara_text(near, var, start, count, (char *)b);
    } else {
        err = together ? ncmpi_get_vara_double_all(far, var, start, count, a)
                       : ncmpi_get_vara_double(far, var, start, count, a);
        err2 = together ? ncmpi_get_vara_double_all(near, var, start, count, b)
                        : ncmpi_get_vara_double(near, var, start, count, b);
    }
    CHECK_INT(err2, NC_NOERR);
    if (err)
        told(err);
    else
        CHECK(memcmp(a, b, (size_t)n * sizeof *a) == 0, "variable %d: other values", var);
    free(a);
    free(b);
}

static void all_of(int far, int near)
{
    int n, m;
    ncmpi_inq_nvars(far, &n);
    ncmpi_inq_nvars(near, &m);
    CHECK_INT(n, m);
    for (int i = 0; i < n; i++)
        compare(far, near, i, 1);
    ncmpi_begin_indep_data(far);
    ncmpi_begin_indep_data(near);
    for (int i = 0; i < n; i++)
        compare(far, near, (i + rank) % n, 0);
    ncmpi_end_indep_data(far);
    ncmpi_end_indep_data(near);
}

static void time_it(const char *url)
{
    int ncid, n;
    double began = MPI_Wtime();
    int err = ncmpi_open(MPI_COMM_SELF, url, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    CHECK(!err, "%s", parcdf_last_error());
    if (err)
        return;
    ncmpi_inq_nvars(ncid, &n);
    for (int i = 0; i < n; i++) {
        int ndims;
        MPI_Offset start[DIMS], count[DIMS], values = box_of(ncid, i, &ndims, start, count);
        float *room = malloc((size_t)values * sizeof *room);
        CHECK_INT(ncmpi_get_var_float_all(ncid, i, room), NC_NOERR);
        free(room);
    }
    ncmpi_close(ncid);
    printf("seconds %.3f\n", MPI_Wtime() - began);
}

int main(int argc, char **argv)
{
    int far, near, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *url = argc < 4 ? "" : strcmp(argv[1], "-") ? argv[1] : getenv("FAR_URL");
    if (argc == 4 && !strcmp(argv[3], "time"))
        time_it(url);
    else if (argc == 4) {
        int err = ncmpi_open(MPI_COMM_WORLD, url, NC_NOWRITE, MPI_INFO_NULL, &far);
        if (err)
            told(err);
        else {
            CHECK_INT(ncmpi_open(MPI_COMM_WORLD, argv[2], NC_NOWRITE, MPI_INFO_NULL, &near), NC_NOERR);
            if (!strcmp(argv[3], "all"))
                all_of(far, near);
            else if (strcmp(argv[3], "open"))
                shared_of(far, near, argv[3]);
            char path[2000] = "";
            int length = 0;
            ncmpi_inq_path(far, &length, NULL);
            if (length < (int)sizeof path)
                ncmpi_inq_path(far, NULL, path);
            if (rank == 0)
                printf("path %s\n", path);
            CHECK_INT(ncmpi_redef(far), NC_EPERM);
            ncmpi_close(near);
            CHECK_INT(ncmpi_close(far), NC_NOERR);
            err = ncmpi_open(MPI_COMM_WORLD, url, NC_WRITE, MPI_INFO_NULL, &other);
            CHECK_INT(err, NC_EPERM);
            if (rank == 0)
                fprintf(stderr, "%s\n", parcdf_last_error());
        }
    }
    int sum = 0;
    MPI_Reduce(&failed, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("failed %d\n", sum);
    MPI_Finalize();
    return rank == 0 ? check_done("far_open") : check_bad != 0;
}
