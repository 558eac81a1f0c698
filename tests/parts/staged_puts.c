/* Hint pcdf_stage_dir: puts that have no room in the memory of the write queue go to a log on each rank, and
 * a sync by the logs waits for nothing; the file gets all of it in the order of the puts, the number of
 * records after them; then the logs are gone. What needs the file itself (get, redef, independent mode) finds
 * all bytes. Without a folder, or with one that is full, puts wait for the file. */
#include <sys/stat.h>
#include "stagedrecords.h"

enum { RECORDS = 6 };

static char folder[1100];

static int64_t numrecs_on_file(void)
{
    unsigned char b[12] = { 0 };
    int64_t n = 0;
    FILE *f = fopen(my_path, "rb");
    if (f && fread(b, 1, sizeof b, f) == sizeof b)
        for (int i = 4; i < 12; i++)
            n = n << 8 | b[i];
    if (f)
        fclose(f);
    return n;
}

static void expect_dir(int ncid, const char *want)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info used = MPI_INFO_NULL;
    int found = 0;
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_stage_dir", MPI_MAX_INFO_VAL, value, &found);
    CHECK(strcmp(value, want) == 0, "pcdf_stage_dir is %s, not %s", value, want);
    MPI_Info_free(&used);
}

/* Puts beyond the memory, syncs, an older record again; then everything is in the file. */
static void check_puts(void)
{
    int64_t bytes;
    int ncid, varid = staged_create(staged_hints(folder), &ncid);
    expect_dir(ncid, folder);
    for (int i = 0; i < RECORDS; i++)
        staged_put(ncid, varid, i, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(staged_logs(folder, &bytes), my_size);
    CHECK(bytes > (int64_t)my_size << 20, "%" PRId64 " bytes in the logs", bytes);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(numrecs_on_file() < RECORDS, "the sync waited for the file");
    staged_put(ncid, varid, 0, 2);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    staged_put(ncid, varid, 0, 3);
    staged_check_get(ncid, varid, 0, 3);
    staged_check_get(ncid, varid, RECORDS - 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(staged_logs(folder, &bytes), my_size);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    staged_check_no_logs(folder);
    staged_check_file(RECORDS, 3);
}

/* Definitions change, and ranks are on their own, between puts that wait. */
static void check_modes(void)
{
    int64_t bytes;
    int ncid, varid = staged_create(staged_hints(folder), &ncid);
    for (int i = 0; i < RECORDS; i++)
        staged_put(ncid, varid, i, 1);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(staged_logs(folder, &bytes), my_size);
    CHECK_INT(bytes, my_size * 8192);
    for (int i = 0; i < 100; i++) {
        char name[20];
        snprintf(name, sizeof name, "attribute%d", i);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, name, 20,
                                    "................."
                                    "..."),
                 NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    staged_put(ncid, varid, 0, 2);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    const MPI_Offset start[] = { 0, (MPI_Offset)my_rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    staged_fill(0, 3);
    CHECK_NC(ncmpi_put_vara_int(ncid, varid, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    staged_check_get(ncid, varid, 0, 3);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    staged_check_no_logs(folder);
    staged_check_file(RECORDS, 3);
}

/* A limit, no folder, no queue: nothing is lost, and nothing fails. */
static void check_without(void)
{
    char none[1200];
    int64_t bytes;
    snprintf(none, sizeof none, "%s/none", folder);
    for (int kind = 0; kind < 3; kind++) {
        MPI_Info info = staged_hints(kind == 1 ? none : folder);
        if (kind == 0)
            MPI_Info_set(info, "pcdf_debug_stage_limit", "2500000");
        if (kind == 2)
            MPI_Info_set(info, "pcdf_async", "0");
        setenv("PARCDF_QUIET", "1", 1);
        int ncid, varid = staged_create(info, &ncid);
        unsetenv("PARCDF_QUIET");
        expect_dir(ncid, kind ? "none" : folder);
        for (int i = 0; i < RECORDS; i++)
            staged_put(ncid, varid, i, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        int n = staged_logs(folder, &bytes);
        CHECK(n == (kind ? 0 : my_size) && bytes <= my_size * 2500000, "%d: %d logs, %" PRId64 " bytes", kind,
              n, bytes);
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        staged_check_file(RECORDS, 1);
    }
}

/* PnetCDF's names. */
static void check_burst_buffer(void)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0, ncid;
    MPI_Info info, used;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_burst_buf", "enable");
    MPI_Info_set(info, "nc_burst_buf_dirname", folder);
    int varid = staged_create(info, &ncid);
    expect_dir(ncid, folder);
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_async", MPI_MAX_INFO_VAL, value, &found);
    CHECK_INT(atol(value), 64 << 20);
    MPI_Info_free(&used);
    for (int i = 0; i < RECORDS; i++)
        staged_put(ncid, varid, i, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    staged_check_no_logs(folder);
    staged_check_file(RECORDS, 1);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "staged_puts", 120);
    snprintf(folder, sizeof folder, "%s.stage", my_path);
    if (my_rank == 0)
        CHECK(mkdir(folder, 0777) == 0, "%s", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    check_puts();
    check_modes();
    check_without();
    check_burst_buffer();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(rmdir(folder) == 0, "%s has something", folder);
    return together_end("staged_puts");
}
