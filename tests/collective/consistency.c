/* Fixes what enddef does when ranks defined different things: rank 0's definitions are taken by all, the call
 * succeeds, the difference is named; with the hint pcdf_consistency=error it fails on all ranks. */
#include <mpi.h>
#include <stdlib.h>
#include "check.h"
#include "parcdf.h"
#include "pnetcdf.h"

static int rank, ranks;
static char path[512];

/* A time stamp of each rank's own, of its own length, as real programs have; rank 0's header is the longest
 * or the shortest, so that begins differ too. */
static void define(int ncid, int longest)
{
    char stamp[900], name[32];
    int dim, var, n = 600 * (rank == 0) == longest * 600 ? 600 : 20 + rank;
    memset(stamp, 'a' + rank, sizeof stamp);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", n, stamp), NC_NOERR);
    snprintf(name, sizeof name, "x_of_rank_%d", rank);
    CHECK_INT(ncmpi_def_dim(ncid, name, 10 * ranks, &dim), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
}

static void rank_zero_counts(int format, int longest)
{
    int ncid, var = -1, values[10], back[10];
    MPI_Offset start = 10 * rank, count = 10, length = 0, offset = 0, offset0;
    char name[NC_MAX_NAME + 1] = "", history[900] = "";
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, format, MPI_INFO_NULL, &ncid), NC_NOERR);
    define(ncid, longest);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    if (ranks > 1)
        CHECK(strstr(parcdf_last_error(), "differ") != NULL, "the sentence is \"%s\"", parcdf_last_error());
    CHECK_INT(ncmpi_inq_varid(ncid, "v", &var), NC_NOERR);
    CHECK_INT(ncmpi_inq_dimname(ncid, 0, name), NC_NOERR);
    CHECK(strcmp(name, "x_of_rank_0") == 0, "the dimension is %s", name);
    CHECK_INT(ncmpi_inq_attlen(ncid, NC_GLOBAL, "history", &length), NC_NOERR);
    CHECK_INT(ncmpi_get_att_text(ncid, NC_GLOBAL, "history", history), NC_NOERR);
    CHECK(history[0] == 'a' && history[length - 1] == 'a', "the history is of rank %d", history[0] - 'a');
    CHECK_INT(ncmpi_inq_varoffset(ncid, var, &offset), NC_NOERR);
    offset0 = offset;
    MPI_Bcast(&offset0, 1, MPI_OFFSET, 0, MPI_COMM_WORLD);
    CHECK_INT(offset, offset0);
    for (int i = 0; i < 10; i++)
        values[i] = 100 * rank + i;
    CHECK_INT(ncmpi_put_vara_int_all(ncid, var, &start, &count, values), NC_NOERR);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_get_vara_int_all(ncid, 0, &start, &count, back), NC_NOERR);
    CHECK(memcmp(values, back, sizeof values) == 0, "the values of rank %d differ", rank);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

/* The room of the header is what rank 0 made it, too. ndims: of the variable, 1: a record variable; -1: none.
 */
static void extents_agree(int ndims)
{
    int ncid, dim, n = 20 + 30 * rank;
    char stamp[900];
    MPI_Offset mine[2] = { -1, -1 }, root[2];
    memset(stamp, 'a' + rank, sizeof stamp);
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", n, stamp), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim), NC_NOERR);
    if (ndims >= 0)
        CHECK_INT(ncmpi_def_var(ncid, "v", NC_INT, ndims, &dim, NULL), NC_NOERR);
    CHECK_INT(ncmpi__enddef(ncid, 700, 64, 0, 4096), NC_NOERR);
    CHECK_INT(ncmpi_inq_header_size(ncid, &mine[0]), NC_NOERR);
    CHECK_INT(ncmpi_inq_header_extent(ncid, &mine[1]), NC_NOERR);
    memcpy(root, mine, sizeof root);
    MPI_Bcast(root, 2, MPI_OFFSET, 0, MPI_COMM_WORLD);
    CHECK_INT(mine[0], root[0]);
    CHECK(mine[1] == root[1], "rank %d, %d dimensions: the extent is %lld, rank 0's %lld", rank, ndims,
          (long long)mine[1], (long long)root[1]);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

static void error_on_all(void)
{
    MPI_Info info;
    int ncid, err;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_consistency", "error");
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    define(ncid, 1);
    err = ncmpi_enddef(ncid);
    CHECK_INT(err, ranks > 1 ? NC_EMULTIDEFINE : NC_NOERR);
    err = ncmpi_close(ncid);
    CHECK_INT(err, ranks > 1 ? NC_EMULTIDEFINE : NC_NOERR);
}

int main(int argc, char **argv)
{
    static const int formats[] = { 0, NC_64BIT_OFFSET, NC_64BIT_DATA };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/consistency.nc", argc > 1 ? argv[1] : ".");
    for (int f = 0; f < 3; f++)
        for (int longest = 0; longest < 2; longest++)
            rank_zero_counts(formats[f], longest);
    for (int ndims = -1; ndims < 2; ndims++)
        extents_agree(ndims);
    error_on_all();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        remove(path);
    MPI_Finalize();
    return check_done("consistency");
}
