/* A program that continues after errors: what a code means, which ranks get it, and how the ranks agree on
 * what to do.
 *
 *     mpicc errors_handled.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * Every function returns a code: NC_NOERR, or an error. ncmpi_strerrno returns its name, ncmpi_strerror its
 * meaning, and parcdf_last_error() a sentence with the values. All ranks get the errors of create, open,
 * enddef, sync and close. In a collective put or get, a rank with a wrong argument gets its own code while
 * the others succeed. The program does not hang, and it decides what to do, here with one MPI_Allreduce.
 * NC_ERANGE is a warning: all other values were moved. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 4 };
static int rank, ranks, surprises;

/* Compares a code with the one that this program provokes on purpose; rank 0 prints it. */
static int expect(const char *what, int err, int expected)
{
    if (rank == 0)
        printf("%-28s %-16s %s\n", what, ncmpi_strerrno(err), err ? parcdf_last_error() : "");
    if (err != expected) {
        fprintf(stderr, "rank %d: %s: %s instead of %s\n", rank, what, ncmpi_strerrno(err),
                ncmpi_strerrno(expected));
        surprises++;
    }
    return err;
}

/* The worst code of any rank: codes are negative, so the smallest one. */
static int worst_of_all(int err)
{
    MPI_Allreduce(MPI_IN_PLACE, &err, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return err;
}

/* Opening fails on all ranks in the same way, so that a program may try another file. */
static void open_what_is_not_there(void)
{
    int ncid;

    expect("open, no such file",
           ncmpi_open(MPI_COMM_WORLD, "nothing_here.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_ENOENT);
    expect("close, a bad handle", ncmpi_close(ncid), NC_EBADID); /* ncid is -1 after a failed open */
}

/* A wrong definition does not change the file, which stays in define mode. */
static int define(int ncid, int *varid)
{
    int dimid;

    expect("def_dim", ncmpi_def_dim(ncid, "i", (MPI_Offset)LENGTH * ranks, &dimid), NC_NOERR);
    expect("def_dim, the same name", ncmpi_def_dim(ncid, "i", 7, &dimid), NC_ENAMEINUSE);
    expect("def_var", ncmpi_def_var(ncid, "small", NC_BYTE, 1, &dimid, varid), NC_NOERR);
    return expect("enddef", ncmpi_enddef(ncid), NC_NOERR);
}

/* The last rank asks for more elements than there are. Only this rank gets an error; it corrects its count,
 * and all ranks make the call again. */
static void one_rank_is_wrong(int ncid, int varid)
{
    const MPI_Offset start = (MPI_Offset)LENGTH * rank, bad = start + 1;
    const MPI_Offset count = LENGTH;
    const int values[LENGTH] = { rank, rank, rank, rank }, is_last = rank == ranks - 1;

    int err = ncmpi_put_vara_int_all(ncid, varid, is_last ? &bad : &start, &count, values);
    if (is_last)
        printf("rank %d alone gets %s: %s\n", rank, ncmpi_strerrno(err), parcdf_last_error());
    expect("put, the last rank too far", err, is_last ? NC_EEDGE : NC_NOERR);
    if (worst_of_all(err) != NC_NOERR)
        expect("put, again", ncmpi_put_vara_int_all(ncid, varid, &start, &count, values), NC_NOERR);
}

/* 300 does not fit into a signed byte: the fill value is stored in its place, and the other values are right.
 */
static void one_value_does_not_fit(int ncid, int varid)
{
    const MPI_Offset start = (MPI_Offset)LENGTH * rank, count = LENGTH;
    const int values[LENGTH] = { 1, 300, 3, 4 };
    int again[LENGTH];

    expect("put, 300 as a byte", ncmpi_put_vara_int_all(ncid, varid, &start, &count, values), NC_ERANGE);
    expect("get", ncmpi_get_vara_int_all(ncid, varid, &start, &count, again), NC_NOERR);
    surprises += again[0] != 1 || again[1] != NC_FILL_BYTE || again[2] != 3 || again[3] != 4;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "errors_handled.nc";
    int ncid, varid;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    open_what_is_not_there();

    int err = ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid);
    if (expect("create", err, NC_NOERR) == NC_NOERR) {
        if (define(ncid, &varid) == NC_NOERR) {
            one_rank_is_wrong(ncid, varid);
            one_value_does_not_fit(ncid, varid);
        }
        expect("close", ncmpi_close(ncid), NC_NOERR); /* the data is safe only if this succeeds */
    }
    expect("create, never over a file",
           ncmpi_create(MPI_COMM_WORLD, path, NC_NOCLOBBER, MPI_INFO_NULL, &ncid), NC_EEXIST);

    MPI_Allreduce(MPI_IN_PLACE, &surprises, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d codes were not what was expected\n", surprises);
    MPI_Finalize();
    return surprises != 0;
}
