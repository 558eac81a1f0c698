/* A program that uses MPI sessions alone, without MPI_Init: files of all ranks and of one, both engines of
 * disks, every way to move, closes in the background, which end when the communicator is freed, repair; then
 * again with another session. Skipped where MPI has no sessions. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <unistd.h>
#include "check.h"

/* Repair needs no MPI: Open MPI 4.1 ends the process of who calls it before MPI_Init. */
static void repair_without_mpi(void)
{
    static const char nothing[32] = "CDF\1"; /* no dimensions, attributes and variables */
    char name[64], report[512];
    snprintf(name, sizeof name, "sessions_repair.%d.nc", (int)getpid());
    FILE *file = fopen(name, "wb");
    CHECK(file && fwrite(nothing, 1, sizeof nothing, file) == sizeof nothing && !fclose(file), "%s", name);
    CHECK_INT(parcdf_repair(name, 0, report, sizeof report), NC_NOERR);
    unlink(name);
}

#if MPI_VERSION < 4
int main(void)
{
    repair_without_mpi();
    if (check_bad)
        return check_done("sessions");
    puts("skipped: this MPI has no sessions (MPI_VERSION is below 4)");
    return CHECK_SKIP;
}
#else

enum { MINE = 1000 }; /* values of a rank */

static int rank, size;
static char path[64];

#define TRY(call) CHECK_INT(call, NC_NOERR)

static MPI_Comm comm_of(MPI_Session session, const char *set)
{
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK_INT(MPI_Group_from_session_pset(session, set, &group), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_create_from_group(group, "parcdf.sessions", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm),
              MPI_SUCCESS);
    MPI_Group_free(&group);
    return comm;
}

static MPI_Info hints_of(const char *engine, const char *strategy, const char *closing)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", engine);
    MPI_Info_set(info, "pcdf_debug_strategy", strategy);
    MPI_Info_set(info, "pcdf_async_close", closing);
    return info;
}

/* All ranks of comm write, in two turns, and leave the file to close. */
static void write_file(MPI_Comm comm, MPI_Info info, const char *name)
{
    int ncid, dim, var, me, all, values[MINE];
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    TRY(ncmpi_create(comm, name, NC_CLOBBER | NC_64BIT_DATA, info, &ncid));
    TRY(ncmpi_def_dim(ncid, "x", (MPI_Offset)MINE * all, &dim));
    TRY(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var));
    TRY(ncmpi_enddef(ncid));
    for (int i = 0; i < MINE; i++)
        values[i] = i * all + me;
    const MPI_Offset start = me, count = MINE, stride = all;
    TRY(ncmpi_put_vars_int_all(ncid, var, &start, &count, &stride, values));
    TRY(ncmpi_close(ncid));
}

static void check_file(MPI_Comm comm, MPI_Info info, const char *name)
{
    int ncid, me, all, bad = 0, values[MINE];
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    TRY(ncmpi_open(comm, name, NC_NOWRITE, info, &ncid));
    const MPI_Offset start = (MPI_Offset)MINE * me, count = MINE;
    TRY(ncmpi_get_vara_int_all(ncid, 0, &start, &count, values));
    for (int i = 0; i < MINE; i++)
        bad += values[i] != (int)start + i;
    CHECK(bad == 0, "%s: %d wrong values", name, bad);
    TRY(ncmpi_close(ncid));
}

static void one_way(MPI_Comm comm, const char *engine, const char *strategy, const char *closing)
{
    MPI_Info info = hints_of(engine, strategy, closing);
    write_file(comm, info, path);
    check_file(comm, info, path);
    MPI_Info_free(&info);
}

/* Rank 0: what was closed in the background is whole, a file of its own, and a repair, which needs no MPI. */
static void alone(MPI_Session session, const char *last)
{
    char own[96], report[4096];
    int ncid, values[MINE], bad = 0;
    MPI_Comm self = comm_of(session, "mpi://SELF");
    TRY(ncmpi_open(self, last, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    const MPI_Offset start = 0, count = MINE;
    TRY(ncmpi_get_vara_int_all(ncid, 0, &start, &count, values));
    for (int i = 0; i < MINE; i++)
        bad += values[i] != i;
    CHECK(bad == 0, "%s: %d wrong values", last, bad);
    TRY(ncmpi_close(ncid));
    snprintf(own, sizeof own, "%s.%d", path, rank);
    write_file(self, MPI_INFO_NULL, own);
    check_file(self, MPI_INFO_NULL, own);
    MPI_Comm_free(&self);
    TRY(parcdf_repair(own, 0, report, sizeof report));
}

/* MPICH 4.0's MPI-IO asks for MPI_Init. Then this must be an error that says so on all ranks, and nothing
 * worse. */
static void by_mpiio(MPI_Comm comm)
{
    MPI_File probe;
    int ncid;
    if (MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &probe) == MPI_SUCCESS) {
        MPI_File_close(&probe);
        one_way(comm, "mpiio", "independent", "false");
        return;
    }
    MPI_Info info = hints_of("mpiio", "auto", "false");
    CHECK_INT(ncmpi_create(comm, path, NC_CLOBBER, info, &ncid), NC_EFILE);
    MPI_Info_free(&info);
}

/* All that a program does between the first and the last use of a session. */
static void in_session(MPI_Session session, const char *last)
{
    MPI_Comm comm = comm_of(session, "mpi://WORLD");
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    snprintf(path, sizeof path, "sessions_%d.nc", size);
    one_way(comm, "posix", "independent", "false");
    one_way(comm, "posix", "two-phase", "false");
    one_way(comm, "posix", "two-phase", "true");
    by_mpiio(comm);
    MPI_Info info = hints_of("posix", "auto", "true");
    write_file(comm, info, last); /* left in the background: freeing the communicator completes it */
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    if (rank == 0)
        alone(session, last);
}

/* The second session begins before the first one ends, as MPICH 4.0 cannot start again; but in between no
 * communicator is left, so that the library has nothing of MPI's either. */
int main(void)
{
    MPI_Session first = MPI_SESSION_NULL, second = MPI_SESSION_NULL;
    alarm(60);
    repair_without_mpi();
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first) != MPI_SUCCESS) {
        puts("skipped: this MPI has no sessions (MPI_Session_init fails)");
        return check_bad ? check_done("sessions") : CHECK_SKIP;
    }
    in_session(first, "sessions_first.nc");
    CHECK_INT(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second), MPI_SUCCESS);
    CHECK_INT(MPI_Session_finalize(&first), MPI_SUCCESS);
    in_session(second, "sessions_second.nc");
    CHECK_INT(MPI_Session_finalize(&second), MPI_SUCCESS);
    return check_done("sessions");
}
#endif
