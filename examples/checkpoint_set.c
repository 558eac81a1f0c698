/* A job writes checkpoints of three files on two communicators, and goes on from the newest complete one.
 *
 *     mpicc checkpoint_set.c $(pkg-config --cflags --libs parcdf)
 *     mpiexec -n 4 ./a.out [FILE]
 *
 * Each step has FILE of all ranks, and FILE-0 and FILE-1 of the even and the odd ranks. From begin to commit
 * nobody sees them; then they are there together, also after a kill or a loss of power. Start it again, on
 * any number of ranks: it goes on after the last step. */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err != NC_NOERR) {                                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #call, ncmpi_strerror(err), parcdf_last_error());               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

enum { CELLS = 1000, STEPS = 3, FILES = 3, PATH = 4096 };

/* The state after a step; a real program would compute it. */
static double state(int step, int which, MPI_Offset cell)
{
    return 10.0 * (double)cell * step + which;
}

static MPI_Offset cut(MPI_Comm comm, MPI_Offset *first)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    *first = (MPI_Offset)CELLS * rank / ranks;
    return (MPI_Offset)CELLS * (rank + 1) / ranks - *first;
}

static void write_file(MPI_Comm comm, const char *path, int step, int which)
{
    int ncid, dimid, varid;
    double value[CELLS];
    MPI_Offset first, n = cut(comm, &first);
    for (MPI_Offset i = 0; i < n; i++)
        value[i] = state(step, which, first + i);
    TRY(ncmpi_create(comm, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_def_dim(ncid, "cell", CELLS, &dimid));
    TRY(ncmpi_def_var(ncid, "state", NC_DOUBLE, 1, &dimid, &varid));
    TRY(ncmpi_enddef(ncid));
    TRY(ncmpi_put_vara_double_all(ncid, varid, &first, &n, value));
    TRY(ncmpi_close(ncid));
}

/* All files of a step, or none: between begin and commit, a create on any communicator is of this step. */
static void write_step(const char *set, const char *path, int step, MPI_Comm half)
{
    char name[PATH], text[16];
    int rank;
    MPI_Info info;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_set", "keep=2"); /* the newest two checkpoints stay */
    snprintf(text, sizeof text, "%06d", step);
    TRY(parcdf_set_begin(MPI_COMM_WORLD, set, text, info));
    write_file(MPI_COMM_WORLD, path, step, 0);
    snprintf(name, sizeof name, "%s-%d", path, rank % 2);
    write_file(half, name, step, 1 + rank % 2);
    TRY(parcdf_set_commit(MPI_COMM_WORLD)); /* from here on a restart finds this step */
    MPI_Info_free(&info);
}

/* Every rank reads its part of a file by all ranks, whoever wrote it. */
static int count_wrong(const char *path, int step, int which)
{
    int ncid, varid, wrong = 0;
    double value[CELLS];
    MPI_Offset first, n = cut(MPI_COMM_WORLD, &first);
    TRY(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    TRY(ncmpi_inq_varid(ncid, "state", &varid));
    TRY(ncmpi_get_vara_double_all(ncid, varid, &first, &n, value));
    TRY(ncmpi_close(ncid));
    for (MPI_Offset i = 0; i < n; i++)
        wrong += value[i] != state(step, which, first + i); /* small whole numbers are exact */
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

/* The step to go on from, 0 if there is none. The report has a line "step TEXT", and "file NAME WHERE" for
 * each file, with tabs between: WHERE is the path to read. */
static int restart(const char *set, int *wrong)
{
    char report[FILES * 2 * PATH];
    long long generation;
    int flags = PARCDF_RESTART_VERIFY, step = 0;
    int found = parcdf_restart_find(MPI_COMM_WORLD, set, flags, &generation, report, sizeof report);
    if (found == NC_ENOENT)
        return 0; /* the first start */
    TRY(found);
    for (char *line = report, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (strncmp(line, "step\t", 5) == 0)
            step = atoi(line + 5);
        if (strncmp(line, "file\t", 5) != 0)
            continue;
        char *where = strrchr(line, '\t'), which = where[-1]; /* of FILE, FILE-0 or FILE-1 */
        *wrong += count_wrong(where + 1, step, where[-2] == '-' ? 1 + which - '0' : 0);
    }
    return step;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "checkpoint_set.nc";
    char set[PATH];
    int rank, wrong = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    snprintf(set, sizeof set, "%s%s.set", strchr(path, '/') ? "" : "./", path); /* DIR/NAME */

    int last = restart(set, &wrong);
    for (int step = last + 1; step <= last + STEPS; step++)
        write_step(set, path, step, half);
    int now = restart(set, &wrong);
    wrong += now != last + STEPS;
    if (rank == 0)
        printf("steps %d to %d in %s and its set: %d values wrong\n", last + 1, now, path, wrong);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return wrong != 0;
}
