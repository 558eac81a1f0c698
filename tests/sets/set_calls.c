/* parcdf_set_begin, _commit and _abort as a program calls them, also where it calls them wrongly: every error
 * is the same on all ranks, and nothing has its name before the commit. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "parcdf.h"

static int rank, bad;
static char dir[512], set[600], own[600], common[600];

static void expect(int got, int want, const char *what)
{
    int all[2] = { got, -got };
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (got != want || all[0] != -all[1]) {
        printf("rank %d: %s gave %d instead of %d (%s)\n", rank, what, got, want, parcdf_last_error());
        bad++;
    }
}

static int is_there(const char *path)
{
    MPI_Barrier(MPI_COMM_WORLD);
    int is = access(path, F_OK) == 0;
    MPI_Barrier(MPI_COMM_WORLD);
    return is;
}

static int create(MPI_Comm comm, const char *path, int flags)
{
    int id, x, v, err = ncmpi_create(comm, path, flags, MPI_INFO_NULL, &id);
    if (!err)
        err = ncmpi_def_dim(id, "x", 4, &x);
    if (!err)
        err = ncmpi_def_var(id, "v", NC_INT, 1, &x, &v);
    return err ? err : ncmpi_enddef(id) ? -1 : id;
}

/* One file of all ranks, and one of each alone. */
static void two_files(void)
{
    int a = create(MPI_COMM_WORLD, common, NC_CLOBBER), b = create(MPI_COMM_SELF, own, NC_CLOBBER);
    expect(a >= 0 && b >= 0, 1, "create");
    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_EINVAL, "commit while files are open");
    expect(ncmpi_close(a), NC_NOERR, "close");
    expect(ncmpi_close(b), NC_NOERR, "close of its own");
}

static void find(long long want)
{
    long long number = 0;
    char report[4096];
    expect(parcdf_restart_find(MPI_COMM_WORLD, set, PARCDF_RESTART_VERIFY, &number, report, sizeof report),
           want ? NC_NOERR : NC_ENOENT, "restart_find");
    expect((int)number, (int)want, "the newest generation");
}

/* Whatever memory a rank lacks, no older generation is given for the newest one. */
static void find_without_memory(long long want)
{
    int size, failed = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; failed; n++) {
        long long number = 0;
        pcdf_alloc_fail_at(rank == size - 1 ? n : 0, 0);
        int err = parcdf_restart_find(MPI_COMM_WORLD, set, PARCDF_RESTART_VERIFY, &number, NULL, 0);
        failed = rank == size - 1 && pcdf_alloc_asked() >= n;
        pcdf_alloc_fail_at(0, 0);
        MPI_Bcast(&failed, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
        expect(err, failed ? NC_ENOMEM : NC_NOERR, "restart_find without memory");
        expect((int)number, failed ? 0 : (int)want, "what is found without memory");
    }
}

/* By the hint the newest generation is opened, and by the hint of a set whose folder is not there what has
 * the name. */
static void open_by_hint(const char *of)
{
    int ncid;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_set", of);
    int err = ncmpi_open(MPI_COMM_WORLD, common, NC_NOWRITE, info, &ncid);
    MPI_Info_free(&info);
    expect(err, NC_NOERR, "open by the hint");
    if (!err)
        expect(ncmpi_close(ncid), NC_NOERR, "close of what was opened by the hint");
}

static void go_to(const char *folder)
{
    char path[700];
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/%s", dir, folder);
    expect(chdir(path), 0, path);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A file of a set of two, from hints. */
static void one_of_two(const char *of, const char *path)
{
    char text[1700];
    MPI_Info info;
    int ncid = -1;
    MPI_Info_create(&info);
    snprintf(text, sizeof text, "%s files=2 job=job", of);
    MPI_Info_set(info, "pcdf_set", text);
    int err = ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, info, &ncid);
    MPI_Info_free(&info);
    expect(err, NC_NOERR, path);
    expect(err ? err : ncmpi_enddef(ncid), NC_NOERR, "enddef");
    expect(err ? err : ncmpi_close(ncid), NC_NOERR, "close");
}

static int create_in(const char *of, const char *path, int mode, int *ncid)
{
    char text[1700];
    MPI_Info info;
    MPI_Info_create(&info);
    snprintf(text, sizeof text, "%s step=7 job=job", of);
    MPI_Info_set(info, "pcdf_set", text);
    int err = ncmpi_create(MPI_COMM_WORLD, path, mode, info, ncid);
    MPI_Info_free(&info);
    return err ? err : ncmpi_enddef(*ncid);
}

/* However a set's name is spelled, what is begun is another generation than the one of an open file, and a
 * newer one, whichever is committed first. */
static void begin_beside_a_hint(long long newest)
{
    int a, b;
    MPI_Info info;
    go_to(".");
    expect(create_in(set, "hint.nc", NC_CLOBBER, &a), NC_NOERR, "create by the hint");
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_set_job", "job"); /* the word job=job, by its name of before */
    expect(parcdf_set_begin(MPI_COMM_WORLD, "./ckpt", "7", info), NC_NOERR, "begin beside a hint");
    MPI_Info_free(&info);
    b = create(MPI_COMM_WORLD, "begun.nc", NC_CLOBBER);
    expect(ncmpi_close(b), NC_NOERR, "close of what was begun");
    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_NOERR, "commit beside a hint");
    expect(is_there("begun.nc"), 1, "the name that was committed");
    find(newest);
    expect(ncmpi_close(a), NC_NOERR, "close of the hint's");
    expect(is_there("hint.nc"), 1, "the hint's name");
    find(newest);
}

/* A failed create counts also while the set's folder cannot be looked at, and is told by its own sentence. */
static void refuse_without_folder(void)
{
    int a, b;
    snprintf(set, sizeof set, "%s/away/s", dir);
    expect(rank == 0 ? mkdir("away", 0700) : 0, 0, "mkdir of away");
    go_to(".");
    expect(create_in("away/s", "away/a.nc", NC_CLOBBER, &a), NC_NOERR, "create in away");
    go_to(".");
    expect(rank == 0 ? rename("away", "gone") : 0, 0, "rename of away");
    go_to(".");
    expect(create_in("away/s", "b.nc", NC_CLOBBER, &b) != NC_NOERR, 1, "create without the set's folder");
    expect(create_in("away/s", "b.nc", NC_64BIT_OFFSET | NC_64BIT_DATA, &b), NC_EINVAL_CMODE, "a wrong mode");
    expect(strstr(parcdf_last_error(), "away") == NULL, 1, "the sentence of what failed first");
    go_to(".");
    expect(rank == 0 ? rename("gone", "away") : 0, 0, "rename back");
    go_to(".");
    (void)ncmpi_close(a);
    find(0);
    snprintf(set, sizeof set, "%s/ckpt", dir);
}

/* A relative name of a set is of the folder in which it was said. */
static void after_chdir(long long want)
{
    char path[700];
    snprintf(path, sizeof path, "%s/there", dir);
    expect(rank == 0 ? mkdir(path, 0700) : 0, 0, "mkdir");
    go_to(".");
    unlink(own);
    if (rank == 0)
        unlink(common);
    expect(parcdf_set_begin(MPI_COMM_WORLD, "./ckpt", "5", MPI_INFO_NULL), NC_NOERR, "begin");
    go_to("there");
    two_files();
    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_NOERR, "commit from another folder");
    expect(is_there(common) && access(own, F_OK) == 0, 1, "the names after this commit");
    find(want);

    go_to(".");
    one_of_two("./pair", "a.nc");
    go_to("there");
    one_of_two("./pair", "a.nc"); /* another set */
    snprintf(set, sizeof set, "%s/pair", dir);
    find(0);
    one_of_two("../pair", "../b.nc"); /* the first one, by another name */
    find(1);
    go_to(".");
    snprintf(set, sizeof set, "%s/ckpt", dir);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(dir, sizeof dir, "%s/set_calls.XXXXXX", argc > 1 ? argv[1] : "/tmp");
    if (rank == 0 && !mkdtemp(dir))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(dir, sizeof dir, MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(set, sizeof set, "%s/ckpt", dir);
    snprintf(own, sizeof own, "%s/own.%d.nc", dir, rank);
    snprintf(common, sizeof common, "%s/common.nc", dir);

    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_EINVAL, "commit without begin");
    expect(parcdf_set_abort(MPI_COMM_WORLD), NC_EINVAL, "abort without begin");
    expect(parcdf_set_begin(MPI_COMM_WORLD, "ckpt", "1", MPI_INFO_NULL), NC_EINVAL, "begin without a folder");
    expect(parcdf_set_begin(MPI_COMM_WORLD, set, "1", MPI_INFO_NULL), NC_NOERR, "begin");
    expect(parcdf_set_begin(MPI_COMM_WORLD, set, "1", MPI_INFO_NULL), NC_EINVAL, "begin twice");
    two_files();
    expect(is_there(common) || is_there(own), 0, "a name before the commit");
    find(0);
    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_NOERR, "commit");
    expect(is_there(common) && access(own, F_OK) == 0, 1, "the names after the commit");
    find(1);

    expect(parcdf_set_begin(MPI_COMM_WORLD, set, "2", MPI_INFO_NULL), NC_NOERR, "begin the second");
    two_files();
    expect(parcdf_set_abort(MPI_COMM_WORLD), NC_NOERR, "abort");
    find(1);
    expect(parcdf_set_begin(MPI_COMM_WORLD, set, "3", MPI_INFO_NULL), NC_NOERR, "begin after the abort");
    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_EINVAL, "commit of nothing");
    find(1);
    expect(parcdf_set_begin(MPI_COMM_WORLD, set, "4", MPI_INFO_NULL), NC_NOERR, "begin the next");
    two_files();
    expect(parcdf_set_commit(MPI_COMM_WORLD), NC_NOERR, "commit the next");
    find(2);
    find_without_memory(2);
    open_by_hint(set);
    open_by_hint("/nowhere/ckpt");
    after_chdir(3);
    begin_beside_a_hint(5);
    refuse_without_folder();
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        char command[600];
        snprintf(command, sizeof command, "rm -rf '%s'", dir);
        bad += system(command) != 0;
    }
    MPI_Finalize();
    return bad != 0;
}
