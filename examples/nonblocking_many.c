/* Many small variables: one nonblocking call for each, and one wait that moves all of them.
 *
 *     mpicc nonblocking_many.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * A blocking put of each variable would need a message among the ranks for each. ncmpi_wait_all makes one
 * large, ordered access. There are two kinds of nonblocking puts:
 *   iput   do not change the buffer before the wait;
 *   bput   the values are copied into the attached buffer at once: one array of the program is enough.
 * iget is a nonblocking get. Each request has a number, and the wait returns a code for each. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err != NC_NOERR) {                                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #call, ncmpi_strerror(err), parcdf_last_error());               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { VARIABLES = 20, LENGTH = 100 }; /* elements of each rank */

static int value(int variable, MPI_Offset i)
{
    return 100000 * variable + (int)i;
}

static void define(int ncid, int ranks, int varids[VARIABLES])
{
    char name[32];
    int dimid;

    TRY(ncmpi_def_dim(ncid, "i", (MPI_Offset)LENGTH * ranks, &dimid));
    for (int v = 0; v < VARIABLES; v++) {
        snprintf(name, sizeof name, "tracer_%02d", v);
        TRY(ncmpi_def_var(ncid, name, NC_INT, 1, &dimid, &varids[v]));
    }
    TRY(ncmpi_enddef(ncid));
}

/* Waits for all of `requests` and checks the code of each. */
static void finish(int ncid, int n, int requests[])
{
    int codes[VARIABLES];

    TRY(ncmpi_wait_all(ncid, n, requests, codes));
    for (int i = 0; i < n; i++)
        TRY(codes[i]);
}

/* The first half uses iput, with one buffer for each request. */
static void post_iput(int ncid, const int varids[VARIABLES], MPI_Offset start, MPI_Offset count)
{
    static int buffers[VARIABLES / 2][LENGTH];
    int requests[VARIABLES / 2];

    for (int v = 0; v < VARIABLES / 2; v++) {
        for (int i = 0; i < LENGTH; i++)
            buffers[v][i] = value(v, start + i);
        TRY(ncmpi_iput_vara_int(ncid, varids[v], &start, &count, buffers[v], &requests[v]));
    }
    finish(ncid, VARIABLES / 2, requests);
}

/* The second half uses bput, with the same buffer for all requests. */
static void post_bput(int ncid, const int varids[VARIABLES], MPI_Offset start, MPI_Offset count)
{
    int buffer[LENGTH];

    TRY(ncmpi_buffer_attach(ncid, sizeof(int) * LENGTH * (VARIABLES - VARIABLES / 2)));
    for (int v = VARIABLES / 2; v < VARIABLES; v++) {
        for (int i = 0; i < LENGTH; i++)
            buffer[i] = value(v, start + i);
        TRY(ncmpi_bput_vara_int(ncid, varids[v], &start, &count, buffer,
                                NULL)); /* its number is not needed */
    }
    TRY(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL)); /* all pending requests */
    TRY(ncmpi_buffer_detach(ncid));
}

static int check(const char *path, MPI_Offset start, MPI_Offset count)
{
    static int buffers[VARIABLES][LENGTH];
    int ncid, requests[VARIABLES], wrong = 0;

    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    for (int v = 0; v < VARIABLES; v++) /* the ids of variables are 0, 1, ... in the order of definition */
        TRY(ncmpi_iget_vara_int(ncid, v, &start, &count, buffers[v], &requests[v]));
    finish(ncid, VARIABLES, requests);
    TRY(ncmpi_close(ncid));
    for (int v = 0; v < VARIABLES; v++)
        for (int i = 0; i < LENGTH; i++)
            wrong += buffers[v][i] != value(v, start + i);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "nonblocking_many.nc";
    int rank, ranks, ncid, varids[VARIABLES];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Offset start = (MPI_Offset)LENGTH * rank, count = LENGTH;

    TRY(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    define(ncid, ranks, varids);
    post_iput(ncid, varids, start, count);
    post_bput(ncid, varids, start, count);
    TRY(ncmpi_close(ncid));

    int wrong = check(path, start, count);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d variables in %s, three waits: %d values wrong\n", VARIABLES, path, wrong);
    MPI_Finalize();
    return wrong != 0;
}
