/* Fixes that the write queue (hint pcdf_async) adds nothing to what a program must do where nodes see the
 * writes of others late: on a storage that keeps what a rank puts until it syncs or closes, and what it read
 * for good (hint pcdf_stale=late), a file that is opened after a sync, a close (after a redef, too), or
 * parcdf_wait after a close in the background, has all values that all ranks put before. That holds as if
 * each rank were a node (PARCDF_NODES), and where the file system is said to be one on which the library has
 * no queue, too: there none is told of. statfs is this program's own. */

#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include "together.h"

enum { RECORDS = 3, ROWS = 16, X = 700, NFS = 0x6969, EXT4 = 0xef53 };

static long fake_type; /* of every file system */

int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    fs->f_type = fake_type;
    return err;
}

enum end { CLOSE, SYNC, REDEF, WAIT, ENDS }; /* after which another open must find everything */
static const char *const end_names[ENDS] = { "close", "sync", "redef", "wait" };

static const struct way {
    const char *hints; /* name=value;... */
    long type;
    bool has_queue;
} ways[] = {
    { "pcdf_async=0", EXT4, false },
    { "pcdf_async=4M", EXT4, true },
    { "pcdf_async=4M;pcdf_engine=posix;pcdf_debug_strategy=independent", EXT4, true },
    { "pcdf_async=4M;pcdf_engine=posix;pcdf_debug_strategy=two-phase;pcdf_sieve=off", EXT4, true },
    { "pcdf_async=4M;pcdf_debug_async_rate=1;pcdf_engine=posix;pcdf_defer=1M", EXT4, true },
    { "pcdf_async=4M;pcdf_debug_async_rate=1;pcdf_engine=mpiio", EXT4, true },
    { "pcdf_async=4M;pcdf_engine=posix", NFS, false },
    { "pcdf_async=4M;pcdf_engine=mpiio", NFS, false },
};

static MPI_Info info_of(const struct way *w, enum end end)
{
    char text[256], *rest, *word;
    MPI_Info info;
    snprintf(text, sizeof text, "%s;pcdf_stale=late;pcdf_async_close=%s", w->hints,
             end == WAIT ? "true" : "false");
    MPI_Info_create(&info);
    for (word = strtok_r(text, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
        char *value = strchr(word, '=');
        *value = '\0';
        MPI_Info_set(info, word, value + 1);
    }
    return info;
}

static int value_of(int var, int64_t at)
{
    return (var + 1) * 10000000 + (int)at;
}

/* Variable 0: a block of rows of each rank. 1: every my_size-th column. 2: records, columns of each rank's.
 * 3: a block of each rank, put without the others: first, since the change of mode writes what waits. */
static void put(int ncid, const int *vars)
{
    static int values[ROWS * X];
    const MPI_Offset rows[2] = { (MPI_Offset)my_rank * ROWS, 0 }, all[2] = { ROWS, X };
    const MPI_Offset column[2] = { 0, my_rank }, columns[2] = { ROWS, X }, stride[2] = { 1, my_size };
    const MPI_Offset alone = (MPI_Offset)my_rank * X, length = X;
    for (int i = 0; i < X; i++)
        values[i] = value_of(3, alone + i);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int(ncid, vars[3], &alone, &length, values), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    for (int i = 0; i < ROWS * X; i++)
        values[i] = value_of(0, (int64_t)my_rank * ROWS * X + i);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, vars[0], rows, all, values), NC_NOERR);
    for (int i = 0; i < ROWS * X; i++)
        values[i] = value_of(1, (int64_t)i * my_size + my_rank);
    CHECK_NC(ncmpi_put_vars_int_all(ncid, vars[1], column, columns, stride, values), NC_NOERR);
    for (int r = 0; r < RECORDS; r++) {
        const MPI_Offset start[2] = { r, (MPI_Offset)my_rank * X }, count[2] = { 1, X };
        for (int i = 0; i < X; i++)
            values[i] = value_of(2, ((int64_t)r * my_size + my_rank) * X + i);
        CHECK_NC(ncmpi_put_vara_int_all(ncid, vars[2], start, count, values), NC_NOERR);
    }
}

/* Through a new handle, whose cache is empty; every rank all values. */
static void find_all(const char *hints, const char *when)
{
    static int got[RECORDS * ROWS * 8 * X];
    const int64_t sizes[4] = { (int64_t)ROWS * my_size * X, (int64_t)ROWS * my_size * X,
                               (int64_t)RECORDS * my_size * X, (int64_t)my_size * X };
    int ncid;
    MPI_Offset records = -1;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &records), NC_NOERR);
    CHECK(records == RECORDS, "%s, %s: %lld records", hints, when, (long long)records);
    for (int var = 0; var < 4 && records == RECORDS; var++) {
        int64_t bad = 0;
        CHECK_NC(ncmpi_get_var_int_all(ncid, var, got), NC_NOERR);
        for (int64_t i = 0; i < sizes[var]; i++)
            bad += got[i] != value_of(var, i);
        CHECK(bad == 0, "%s, %s: rank %d: %lld of %lld values of variable %d are wrong", hints, when, my_rank,
              (long long)bad, (long long)sizes[var], var);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void write_file(const struct way *w, enum end end)
{
    int ncid, time, wide, rows, columns, vars[4];
    MPI_Info info = info_of(w, end);
    fake_type = w->type;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &time), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "rows", (MPI_Offset)ROWS * my_size, &rows), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "wide", (MPI_Offset)X * my_size, &wide), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "columns", X, &columns), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "rows", NC_INT, 2, (int[]){ rows, columns }, &vars[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "few", ROWS, &rows), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "columns", NC_INT, 2, (int[]){ rows, wide }, &vars[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "records", NC_INT, 2, (int[]){ time, wide }, &vars[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "alone", NC_INT, 1, &wide, &vars[3]), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK(together_queues(ncid) == w->has_queue, "%s, file system %lx: the file has %s queue", w->hints,
          w->type, w->has_queue ? "no" : "a");
    put(ncid, vars);
    struct stat st = { 0 };
    CHECK(!stat(my_path, &st) && st.st_size < 4 * X, "%s: %lld bytes are seen early", w->hints,
          (long long)st.st_size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (end == SYNC)
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    if (end == REDEF)
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    if (end == SYNC)
        find_all(w->hints, end_names[end]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (end == WAIT)
        CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    find_all(w->hints, end_names[end]);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "late_writes", 60);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int end = 0; end < ENDS; end++)
            write_file(&ways[i], (enum end)end);
    return together_end("late_writes");
}
