/* A job that writes checkpoints of three files, one on all ranks and two on halves of them, and that is
 * killed at any instant (set_kill.py).
 *
 * * set_job DIR write FIRST STEPS: steps FIRST, FIRST+1... by parcdf_set_begin and commit; DIR/seen gets each
 *   step that was committed; DIR/pids the processes
 * * set_job DIR hints FIRST STEPS: the same without a call of parcdf: PNETCDF_HINTS says it all
 * * set_job DIR check [LEAST]: the newest complete set is one step, whole, and not older than LEAST */
#include <fcntl.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 3, PER_RANK = 20000, RECORDS = 2 };
static const char *const names[FILES] = { "all", "even", "odd" };
static int my_rank, my_size;

static int tell(int err, const char *what)
{
    if (err)
        fprintf(stderr, "rank %d: %s: %d %s\n", my_rank, what, err, parcdf_last_error());
    return err;
}

static void note(const char *dir, const char *name, long long value)
{
    char path[1024], text[32];
    int n = snprintf(text, sizeof text, "%lld\n", value);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd >= 0 && write(fd, text, (size_t)n) != n)
        perror(path);
    close(fd);
}

static int write_file(MPI_Comm comm, const char *path, int which, int step)
{
    int ncid, dims[2], var, rank, size, bad = 0, err;
    static int values[PER_RANK];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < PER_RANK; i++)
        values[i] = step * FILES + which;
    err = tell(ncmpi_create(comm, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid), path);
    if (err)
        return err;
    bad |= ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]);
    bad |= ncmpi_def_dim(ncid, "x", (MPI_Offset)PER_RANK * size, &dims[1]);
    bad |= ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &var);
    bad |= tell(ncmpi_enddef(ncid), "enddef");
    for (MPI_Offset r = 0; r < RECORDS && !bad; r++) {
        MPI_Offset start[2] = { r, (MPI_Offset)rank * PER_RANK }, count[2] = { 1, PER_RANK };
        bad |= tell(ncmpi_put_vara_int_all(ncid, var, start, count, values), "put");
    }
    err = tell(ncmpi_close(ncid), path);
    return bad ? bad : err;
}

/* The second and third file are of the even and the odd ranks; one rank has both. */
static int write_step(const char *dir, int step, bool by_name, MPI_Comm half)
{
    char path[1024];
    int err = 0;
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, by_name ? "%s/%s_%06d.nc" : "%s/%s.nc", dir, names[i], step);
        if (i == 0 || my_size == 1 || my_rank % 2 == i - 1) {
            int e = write_file(i == 0 ? MPI_COMM_WORLD : half, path, i, step);
            err = err ? err : e;
        }
    }
    return err;
}

static int write_steps(const char *dir, bool by_hints, int first, int steps)
{
    char set[1024], text[32];
    MPI_Comm half;
    int failed = 0;
    MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &half);
    snprintf(set, sizeof set, "%s/ckpt", dir);
    for (int step = first; step < first + steps; step++) {
        snprintf(text, sizeof text, "%06d", step);
        int begun = by_hints ? 0 : tell(parcdf_set_begin(MPI_COMM_WORLD, set, text, MPI_INFO_NULL), "begin");
        int err = begun ? begun : write_step(dir, step, by_hints, half), worst;
        if (!by_hints && !begun)
            err = tell(parcdf_set_commit(MPI_COMM_WORLD), "commit"); /* it fails if a file failed */
        MPI_Allreduce(&err, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (!worst && my_rank == 0)
            note(dir, "seen", step);
        failed |= worst;
    }
    MPI_Comm_free(&half);
    return failed != 0;
}

static int check_file(const char *path, int which, int step)
{
    int ncid, bad = 0;
    MPI_Offset nrecs = 0, nx = 0;
    int err = tell(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), path);
    if (err)
        return 1;
    ncmpi_inq_dimlen(ncid, 0, &nrecs);
    ncmpi_inq_dimlen(ncid, 1, &nx);
    int *values = malloc((size_t)(nrecs * nx + 1) * sizeof *values);
    err = tell(ncmpi_get_var_int_all(ncid, 0, values), path);
    for (MPI_Offset i = 0; i < nrecs * nx && !err; i++)
        bad += values[i] != step * FILES + which;
    if (nrecs != RECORDS || nx < PER_RANK || bad)
        printf("%s: %lld records, %lld values, %d wrong\n", path, (long long)nrecs, (long long)nx, bad);
    err |= nrecs != RECORDS || nx < PER_RANK || bad;
    free(values);
    return ncmpi_close(ncid) || err;
}

static int check(const char *dir, int least)
{
    char set[1024], report[8192] = "", *rest = NULL;
    long long generation = 0;
    int step = -1, files = 0, bad = 0;
    snprintf(set, sizeof set, "%s/ckpt", dir);
    int err =
        parcdf_restart_find(MPI_COMM_WORLD, set, PARCDF_RESTART_VERIFY, &generation, report, sizeof report);
    if (err == NC_ENOENT && least < 0) {
        if (my_rank == 0)
            puts("newest -1");
        return 0;
    }
    if (tell(err, "parcdf_restart_find"))
        return 1;
    for (char *line = strtok_r(report, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *path = strrchr(line, '\t'), *name = strchr(line, '\t');
        if (strncmp(line, "step\t", 5) == 0)
            step = atoi(line + 5);
        if (strncmp(line, "file\t", 5) != 0)
            continue;
        int which = 0;
        while (which < FILES - 1 && !strstr(strrchr(name, '/') ? strrchr(name, '/') : name, names[which]))
            which++;
        bad |= check_file(path + 1, which, step);
        files++;
    }
    if (my_rank == 0)
        printf("newest %d\n", step);
    if (files != FILES || step < least)
        printf("generation %lld: step %d, %d files; step %d was committed\n", generation, step, files, least);
    return bad || files != FILES || step < least;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    alarm(120);
    int status = 2;
    if (argc > 2 && strcmp(argv[2], "check") == 0) {
        status = check(argv[1], argc > 3 ? atoi(argv[3]) : -1);
    } else if (argc > 4) {
        note(argv[1], "pids", (long long)getpid());
        MPI_Barrier(MPI_COMM_WORLD);
        status = write_steps(argv[1], strcmp(argv[2], "hints") == 0, atoi(argv[3]), atoi(argv[4]));
    }
    MPI_Finalize();
    return status;
}
