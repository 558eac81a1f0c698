/* A job that writes records until a time is over, and says what was acknowledged; scripts/realfs harms its
 * file system meanwhile.
 *
 * * faultjob FILE put|sync|redef SECONDS: rank 0 prints "acknowledged N" when a sync on all ranks has covered
 * N records, "failed CODE" where a call failed, and "closed N". put syncs every eighth record, sync each one;
 * redef also adds a variable for each. Exits 0, or 3 where a call failed on any rank
 * * faultjob FILE check LEAST: the file opens for writing and has at least LEAST records with the values that
 * were put; exits 1 where it has not */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 5003 }; /* so that ranks share pages */
static int my_rank, my_size;

static int value_at(int which, MPI_Offset record, MPI_Offset i)
{
    return (int)(which * 77777777 + record * 1000003 + i);
}

/* The same on all ranks: an error of any. */
static int agreed(int err)
{
    int worst;
    if (err)
        fprintf(stderr, "rank %d: %s: %s\n", my_rank, ncmpi_strerrno(err), parcdf_last_error());
    MPI_Allreduce(&err, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return worst;
}

static void say(const char *what, long long n)
{
    if (my_rank == 0) {
        printf("%s %lld\n", what, n);
        fflush(stdout);
    }
}

static int put_record(int ncid, int var, int which, bool has_record, MPI_Offset record)
{
    static int values[EACH];
    MPI_Offset start[2] = { record, (MPI_Offset)EACH * my_rank }, count[2] = { 1, EACH };
    for (int i = 0; i < EACH; i++)
        values[i] = value_at(which, record, start[1] + i);
    return ncmpi_put_vara_int_all(ncid, var, start + !has_record, count + !has_record, values);
}

static int add_variable(int ncid, MPI_Offset record)
{
    char name[40];
    int x, var, err = agreed(ncmpi_redef(ncid));
    snprintf(name, sizeof name, "extra%lld", (long long)record);
    if (!err)
        err = agreed(ncmpi_inq_dimid(ncid, "x", &x));
    if (!err)
        err = agreed(ncmpi_def_var(ncid, name, NC_INT, 1, &x, &var));
    if (!err)
        err = agreed(ncmpi_enddef(ncid));
    return err ? err : agreed(put_record(ncid, var, 1, false, record));
}

static int begin_file(const char *path, int *ncid, int *var)
{
    int dims[2],
        err = agreed(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, ncid));
    if (err)
        return err;
    err = ncmpi_def_dim(*ncid, "t", NC_UNLIMITED, &dims[0]);
    if (!err)
        err = ncmpi_def_dim(*ncid, "x", (MPI_Offset)EACH * my_size, &dims[1]);
    if (!err)
        err = ncmpi_def_var(*ncid, "v", NC_INT, 2, dims, var);
    err = agreed(err);
    return err ? err : agreed(ncmpi_enddef(*ncid));
}

static bool is_time(double end)
{
    int over = MPI_Wtime() > end;
    MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return over;
}

static int write_records(const char *path, const char *mode, double seconds)
{
    int ncid, var, err = begin_file(path, &ncid, &var);
    MPI_Offset n = 0;
    double end = MPI_Wtime() + seconds;
    bool is_open = !err;
    while (!err && !is_time(end)) {
        err = agreed(put_record(ncid, var, 0, true, n));
        if (!err && !strcmp(mode, "redef"))
            err = add_variable(ncid, n);
        n++;
        if (err || (!strcmp(mode, "put") && n % 8))
            continue;
        err = agreed(ncmpi_sync(ncid));
        if (!err)
            say("acknowledged", (long long)n);
    }
    if (err)
        say("failed", err);
    if (is_open) {
        int closed = agreed(ncmpi_close(ncid));
        if (!err && !closed)
            say("closed", (long long)n);
        err = err ? err : closed;
    }
    return err ? 3 : 0;
}

static long wrong_in(int ncid, int var, int which, bool has_record, MPI_Offset record)
{
    static int values[EACH];
    MPI_Offset start[2] = { record, (MPI_Offset)EACH * my_rank }, count[2] = { 1, EACH };
    long wrong = 0;
    memset(values, 0xff, sizeof values);
    int err = ncmpi_get_vara_int_all(ncid, var, start + !has_record, count + !has_record, values);
    if (err)
        fprintf(stderr, "rank %d: record %lld: %s\n", my_rank, (long long)record, parcdf_last_error());
    for (int i = 0; i < EACH; i++)
        wrong += values[i] != value_at(which, record, start[1] + i);
    return wrong;
}

/* On as many ranks as wrote it. */
static long check_values(int ncid, MPI_Offset least)
{
    int var, extra, has_extra;
    long wrong = 0;
    char name[40];
    if (ncmpi_inq_varid(ncid, "v", &var))
        return least;
    for (MPI_Offset r = 0; r < least; r++) {
        wrong += wrong_in(ncid, var, 0, true, r);
        snprintf(name, sizeof name, "extra%lld", (long long)r);
        has_extra = !ncmpi_inq_varid(ncid, name, &extra);
        if (has_extra)
            wrong += wrong_in(ncid, extra, 1, false, r);
    }
    return wrong;
}

static int check_file(const char *path, MPI_Offset least)
{
    int ncid, dim, err = agreed(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid));
    MPI_Offset n = -1;
    long wrong = 0, all_wrong;
    if (!err)
        err = agreed(ncmpi_close(ncid));
    if (!err)
        err = agreed(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    if (!err) {
        if (!ncmpi_inq_dimid(ncid, "t", &dim))
            ncmpi_inq_dimlen(ncid, dim, &n);
        wrong = check_values(ncid, least < n ? least : n);
        err = agreed(ncmpi_close(ncid));
    }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (my_rank == 0)
        printf("check: error %d, %lld records, %lld acknowledged, %ld wrong values\n", err, (long long)n,
               (long long)least, all_wrong);
    return err || n < least || all_wrong ? 1 : 0;
}

int main(int argc, char **argv)
{
    int status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    if (argc != 4)
        fprintf(stderr, "usage: faultjob FILE put|sync|redef SECONDS, or faultjob FILE check LEAST\n");
    else if (!strcmp(argv[2], "check"))
        status = check_file(argv[1], atoll(argv[3]));
    else
        status = write_records(argv[1], argv[2], atof(argv[3]));
    MPI_Finalize();
    return status;
}
