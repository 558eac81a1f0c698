/* Fixes what enddef does when ranks defined different things: rank 0's definitions are taken by all, the call
 * succeeds, the difference is named, once on standard error; with the hint pcdf_debug_consistency=error it
 * fails on all ranks. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
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

/* ---- what is printed */

static int old_stderr;

static void listen(void)
{
    char name[600];
    snprintf(name, sizeof name, "%s.said.%d", path, rank);
    fflush(stderr);
    old_stderr = dup(STDERR_FILENO);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(old_stderr >= 0 && fd >= 0 && dup2(fd, STDERR_FILENO) >= 0, "%s cannot be made", name);
    close(fd);
}

/* How often all ranks printed that since then. */
static int said(const char *what)
{
    static char text[4000];
    char name[600];
    int n = 0;
    ssize_t got = pread(STDERR_FILENO, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    dup2(old_stderr, STDERR_FILENO);
    close(old_stderr);
    snprintf(name, sizeof name, "%s.said.%d", path, rank);
    unlink(name);
    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return n;
}

/* Each kind of difference is named, by one rank; the same one again is not told. */
static void differences(void)
{
    static const char *const names[] = {
        "dimension 0 is z1 = 5 on rank 1, and z0 = 5 on rank 0",
        "dimension y is defined on rank 1, and not on rank 0",
        "variable 0 is v1 on rank 1, and v0 on rank 0",
        "variable v has another type or shape on rank 1 than on rank 0",
        "attribute v:a has another value on rank 1 than on rank 0",
        "attribute :a is defined on rank 0, and not on rank 1",
        "attribute 0 of the file is a1 on rank 1, and a0 on rank 0",
    };
    for (int i = 0; i < 7 && ranks > 1; i++)
        for (int again = 0; again < 2; again++) {
            const int other = rank == 1;
            int ncid, dim, var;
            CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
            CHECK_INT(ncmpi_def_dim(ncid, i == 0 && other ? "z1" : "z0", 5, &dim), NC_NOERR);
            if (i == 1 && other)
                CHECK_INT(ncmpi_def_dim(ncid, "y", 2, &var), NC_NOERR);
            CHECK_INT(ncmpi_def_var(ncid, i == 2 ? (other ? "v1" : "v0") : "v",
                                    i == 3 && other ? NC_INT : NC_BYTE, 1, &dim, &var),
                      NC_NOERR);
            CHECK_INT(ncmpi_put_att_text(ncid, var, "a", 1, i == 4 && other ? "x" : "y"), NC_NOERR);
            if (i != 5 || !other)
                CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, i == 6 ? (other ? "a1" : "a0") : "a", 1, "z"),
                          NC_NOERR);
            listen();
            CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
            CHECK(!other || strstr(parcdf_last_error(), names[i]), "%d: %s", i, parcdf_last_error());
            int n = said(names[i]);
            CHECK(n == !again, "%d, time %d: \"%s\" was told %d times", i, again, names[i], n);
            CHECK_INT(ncmpi_close(ncid), NC_NOERR);
        }
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
    MPI_Info_set(info, "pcdf_debug_consistency", "error");
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
    differences();
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
