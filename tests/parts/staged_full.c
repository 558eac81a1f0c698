/* Logs of puts (hint pcdf_stage_dir) in a folder that is full, or whose storage fails: puts wait for the file
 * then, syncs too, and nothing is lost or fails; the log of the run says so. Needs the shim, which makes the
 * k-th write or sync of a log fail, for each k, on all ranks or on one.
 *
 *   staged_full FOLDER          by the shim
 *   staged_full FOLDER full     the folder is small: it has no room itself */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shimcontrol.h"
#include "stagedrecords.h"

enum { RECORDS = 7 };

static char stage[1100], trace[1200];

/* All puts and syncs, of which none fails. */
static void write_all(void)
{
    int ncid;
    MPI_Info info = staged_hints(stage);
    MPI_Info_set(info, "pcdf_trace", trace);
    int varid = staged_create(info, &ncid);
    for (int i = 0; i < RECORDS; i++) {
        staged_put(ncid, varid, i, 1);
        if (i == RECORDS - 2)
            CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Operations of all ranks in the logs of the run, which are removed: `stage` with and without a code, `full`.
 */
static void count_lines(int *taken, int *refused, int *full)
{
    int *const counts[] = { taken, refused, full };
    char name[1300], line[400], op[40];
    int code;
    snprintf(name, sizeof name, "%s.%d", trace, my_rank);
    FILE *f = fopen(name, "r");
    CHECK(f, "no log of the run %s", name);
    *taken = *refused = *full = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%39s %*s %*s %*s %d", op, &code) != 2)
            continue;
        *taken += strcmp(op, "stage") == 0 && code == 0;
        *refused += strcmp(op, "stage") == 0 && code != 0;
        *full += strcmp(op, "full") == 0;
    }
    if (f)
        fclose(f);
    unlink(name);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(MPI_IN_PLACE, counts[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* The k-th call of a kind on a log fails, on each rank or on the last one. Returns how many did on any; adds
 * up the puts that found no room. */
static int fail_one(const char *kind, int k, bool alone, int *without)
{
    char order[60];
    int taken, refused, full;
    bool fails = !alone || my_rank == my_size - 1;
    snprintf(order, sizeof order, "%s:%d+:%s", kind, k, strcmp(kind, "write") == 0 ? "ENOSPC" : "EIO");
    long before = shim_order(fails ? order : NULL);
    write_all();
    int fired = (int)(shim_order(NULL) - before), any = fired;
    staged_check_file(RECORDS, 1);
    staged_check_no_logs(stage);
    count_lines(&taken, &refused, &full);
    *without += refused;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any;
}

static void check_failures(void)
{
    static const char *const kinds[] = { "write", "sync", "truncate" };
    int cases = 0, writes = 0, refused = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int alone = 0; alone < (my_size > 1 ? 2 : 1); alone++)
            for (int k = 1; fail_one(kinds[i], k, alone, &refused); k++) {
                cases++;
                writes += i == 0;
            }
    CHECK(cases >= 8 && writes >= 4 && refused > 0, "%d cases, %d of writes, %d puts without room", cases,
          writes, refused);
}

int main(int argc, char **argv)
{
    int taken, refused, full;
    char watched[1200];
    together_begin(&argc, &argv, "staged_full", 200);
    bool is_small = argc > 2;
    snprintf(stage, sizeof stage, "%s%s", is_small ? argv[2] : my_path, is_small ? "" : ".stage");
    snprintf(trace, sizeof trace, "%s.run", my_path);
    snprintf(watched, sizeof watched, "%s/x", stage);
    if (my_rank == 0 && !is_small)
        CHECK(mkdir(stage, 0777) == 0, "%s", stage);
    MPI_Barrier(MPI_COMM_WORLD);
    setenv("PARCDF_QUIET", "1", 1);
    write_all();
    staged_check_file(RECORDS, 1);
    staged_check_no_logs(stage);
    count_lines(&taken, &refused, &full);
    CHECK(taken > 0 && (refused > 0) == is_small && (full > 0) == is_small,
          "%d puts went to the log, %d found no room, %d waited", taken, refused, full);
    if (!is_small) {
        CHECK(shim_watch(watched), "the shim is not there");
        check_failures();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0 && !is_small)
        CHECK(rmdir(stage) == 0, "%s has something", stage);
    return together_end("staged_full");
}
