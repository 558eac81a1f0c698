/* No test: creates two files, FILE and FILE.2, each process by itself (MPI_COMM_SELF, with its rank at the
 * end of the name) or all together. For launcher_test.py.
 *
 *     launcher_create FILE [self] */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char path[1000];
    int rank, ncid, err = NC_NOERR, alone = argc > 2 && strcmp(argv[2], "self") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i <= 2 && !err; i++) {
        snprintf(path, sizeof path, "%s.%d.%d", argv[1], i, alone ? rank : 0);
        err = ncmpi_create(alone ? MPI_COMM_SELF : MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &ncid);
        err = err ? err : ncmpi_close(ncid);
    }
    MPI_Finalize();
    return err != NC_NOERR;
}
