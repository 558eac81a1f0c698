/* Hints pcdf_stage_dir and pcdf_async_close together: a close in the background leaves the logs of puts as
 * they are until all ranks complete the file, and nobody else gets the file before the logs are gone.
 *
 * If rank 0 completed it alone, as it does where there are no logs, whoever creates the file anew would get
 * it while each rank still has its log: empty, but with the number of the last sync, and of the records then.
 * Where the new file has the inode and the definitions of the older one, and all ranks are killed before they
 * remove their logs, the next open would raise its number of records to that, with records that nobody put.
 */
#include <sys/stat.h>
#include "stagedrecords.h"

enum { RECORDS = 6, NEWER = 2 };

static char folder[1100], link_path[1100];

/* By rank 0, with the names of the file and of the folder of logs. */
static void run(const char *commands)
{
    char line[2500];
    if (my_rank == 0) {
        snprintf(line, sizeof line, "file='%s'; logs='%s'; %s", my_path, folder, commands);
        CHECK(system(line) == 0, "%s", line);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All that was put is acknowledged by a sync of the logs, which have it also after the close. */
static void close_with_logs(void)
{
    int64_t bytes;
    int ncid;
    MPI_Info info = staged_hints(folder);
    MPI_Info_set(info, "pcdf_async_close", "true");
    MPI_Info_set(info, "pcdf_watchdog_s", "5"); /* so long rank 0 waits for the others */
    int varid = staged_create(info, &ncid);
    for (int i = 0; i < RECORDS; i++)
        staged_put(ncid, varid, i, 1);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(staged_logs(folder, &bytes), my_size);
    CHECK(bytes > (int64_t)my_size * RECORDS / 2 << 20, "only %" PRId64 " bytes are left in the logs", bytes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 alone makes the file anew, with the same definitions and fewer records; by a symbolic link, so that
 * it keeps its inode. Returns what the create says. */
static int create_alone(void)
{
    int ncid, dims[2], varid;
    int err = ncmpi_create(MPI_COMM_SELF, link_path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid);
    if (err)
        return err;
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * ELEMENTS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < NEWER; i++)
        staged_put(ncid, varid, i, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return NC_NOERR;
}

/* Without the other ranks the file is not complete, so rank 0 does not get it, and the logs have all that
 * they had. One rank alone completes it, and there is no log. Returns whether there is a new file. */
static bool check_create_alone(void)
{
    int64_t bytes = 0;
    int said = my_rank == 0 ? create_alone() : NC_NOERR;
    MPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD); /* the others are in no call until then */
    CHECK_NC(said, my_size == 1 ? NC_NOERR : NC_EACCESS);
    int logs = staged_logs(folder, &bytes);
    CHECK(logs == (said ? my_size : 0), "rank %d: the file %s, and there are %d logs", my_rank,
          said ? "is not complete" : "was given away", logs);
    CHECK(!said || bytes > (int64_t)my_size * RECORDS / 2 << 20,
          "only %" PRId64 " bytes are left in the logs", bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return !said;
}

/* The number of records that an open for writing finds; it brings in what logs have. */
static void check_open(int records)
{
    int ncid;
    MPI_Offset n = 0;
    MPI_Info info = staged_hints(folder);
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid);
    MPI_Info_free(&info);
    CHECK(!err, "rank %d: an open after a crash: %s", my_rank, parcdf_last_error());
    if (err)
        return;
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &n), NC_NOERR);
    CHECK_INT(n, records);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    staged_check_no_logs(folder);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "staged_close", 120);
    snprintf(folder, sizeof folder, "%s.stage", my_path);
    snprintf(link_path, sizeof link_path, "%s.link", my_path);
    if (my_rank == 0)
        CHECK(mkdir(folder, 0777) == 0, "%s", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    close_with_logs();
    run("ln -s ${file##*/} $file.link");
    bool is_new = check_create_alone();
    run("cp $file $file.saved && cp -r $logs $logs.saved");
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    staged_check_no_logs(folder);
    if (!is_new)
        staged_check_file(RECORDS, 1);
    /* As if all ranks had been killed when that create had returned. The file keeps its inode. */
    MPI_Barrier(MPI_COMM_WORLD);
    run("cat $file.saved >$file && cp -r $logs.saved/. $logs");
    check_open(is_new ? NEWER : RECORDS);
    if (!is_new)
        staged_check_file(RECORDS, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    run("rm -r $file.link $file.saved $logs.saved && rmdir $logs");
    return together_end("staged_close");
}
