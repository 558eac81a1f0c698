/* Fixes: with hint pcdf_defer a collective put leaves nothing in the file, all ranks know its records, and
 * every call that reads the file, ends a mode or promises what is in the file writes it first, with data
 * before the number of records: get, mget, wait_all, sync, flush, sync_numrecs, redef, begin_indep_data,
 * fill_var_rec, close and abort; abort of a new file forgets it. */

#include "deferral.h"

enum { GET = ENDINGS, MGET, VARN, IGET, POINTS };

static const char *name_of(int point)
{
    static const char *const own[] = { "get", "mget", "varn", "iget" };
    return point < ENDINGS ? endings[point] : own[point - ENDINGS];
}

static void read_row(const struct deferred_file *f, int point)
{
    int row[COLUMNS] = { 0 }, id, status = -1;
    int *bufs[1] = { row };
    MPI_Offset start[2] = { 2, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 1, COLUMNS };
    MPI_Offset *starts[1] = { start }, *counts[1] = { count };
    if (point == GET)
        CHECK_NC(ncmpi_get_vara_int_all(f->ncid, f->record, start, count, row), NC_NOERR);
    else if (point == MGET)
        CHECK_NC(ncmpi_mget_vara_int_all(f->ncid, 1, (int[]){ f->record }, starts, counts, bufs), NC_NOERR);
    else if (point == VARN)
        CHECK_NC(ncmpi_get_varn_int_all(f->ncid, f->record, 1, starts, counts, row), NC_NOERR);
    else {
        CHECK_NC(ncmpi_iget_vara_int(f->ncid, f->record, start, count, row, &id), NC_NOERR);
        CHECK_NC(ncmpi_wait_all(f->ncid, 1, &id, &status), NC_NOERR);
        CHECK_INT(status, NC_NOERR);
    }
    CHECK(row[0] == 70 + my_rank && row[COLUMNS - 1] == 70 + my_rank + COLUMNS - 1,
          "%s: rank %d reads %d .. %d", name_of(point), my_rank, row[0], row[COLUMNS - 1]);
}

static void one_point(int point, const char *key, const char *value)
{
    struct deferred_file f;
    MPI_Offset bytes = 0;
    deferred_create(&f, defer_info("1000000", key, value));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.fixed, 1, 50 + my_rank), NC_NOERR);
    CHECK_NC(defer_row(&f, f.record, 2, 70 + my_rank), NC_NOERR);
    CHECK_INT(records(&f), 3);
    CHECK_NC(ncmpi_inq_put_size(f.ncid, &bytes), NC_NOERR);
    CHECK(bytes >= 2 * COLUMNS * 4, "%lld bytes are counted as put", (long long)bytes);
    CHECK(f.ds->deferral.holds, "nothing waits");
    if (point != ABORT || !key)
        expect_disk(&f, &p, 0, 0, 0, "before");
    if (point < ENDINGS)
        CHECK_NC(end_by(&f, (enum ending)point), NC_NOERR);
    else
        read_row(&f, point);
    bool has_closed = point == CLOSE || point == ABORT;
    if (!has_closed) {
        CHECK(!f.ds->deferral.holds && f.ds->deferral.n == 0, "%s: puts still wait", name_of(point));
        CHECK_INT(records(&f), 3);
        expect_disk(&f, &p, 50 + my_rank, 70 + my_rank, 3, name_of(point));
        CHECK_NC(ncmpi_abort(f.ncid), NC_NOERR);
    }
    expect_disk(&f, &p, 50 + my_rank, 70 + my_rank, 3, name_of(point));
}

/* The name that pcdf_atomic_create keeps back is not taken by a file that is given up. */
static void abort_of_new(void)
{
    struct deferred_file f;
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    deferred_create(&f, defer_info("1000000", "pcdf_atomic_create", "true"));
    CHECK_NC(defer_row(&f, f.record, 2, 70), NC_NOERR);
    CHECK_NC(ncmpi_abort(f.ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(access(my_path, F_OK) != 0, "the aborted file is there");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What waited is in the file before independent mode, and below its puts (defer_own.c). */
static void in_independent_mode(void)
{
    struct deferred_file f;
    MPI_Offset start[2] = { 1, (MPI_Offset)my_rank * COLUMNS };
    int value = 99;
    deferred_create(&f, defer_info("1000000", NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.fixed, 1, 50), NC_NOERR);
    CHECK_NC(defer_row(&f, f.record, 2, 70), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(f.ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_put_var1_int(f.ncid, f.fixed, start, &value), NC_NOERR);
    expect_disk(&f, &p, 50, 70, 3, "independent mode");
    CHECK_NC(ncmpi_end_indep_data(f.ncid), NC_NOERR);
    expect_disk(&f, &p, 99, 70, 3, "the end of independent mode");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

/* Of ranks that ask for different numbers rank 0's counts, and the handle says so. */
static void one_hint(void)
{
    struct deferred_file f;
    MPI_Info used;
    char value[64] = "";
    int found = 0;
    deferred_create(&f, defer_info(my_rank == 0 ? "5000" : "0", NULL, NULL));
    CHECK_NC(ncmpi_inq_file_info(f.ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_defer", 63, value, &found);
    CHECK(found && strcmp(value, "5000") == 0, "rank %d: pcdf_defer is \"%s\"", my_rank, value);
    MPI_Info_free(&used);
    CHECK_NC(defer_row(&f, f.fixed, 1, 50), NC_NOERR);
    CHECK(f.ds->deferral.holds, "nothing waits");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "defer_points", 100);
    for (int point = 0; point < POINTS; point++)
        if (ends_in((enum ending)point, false))
            one_point(point, NULL, NULL);
    one_point(CLOSE, "pcdf_commit", "record");
    one_point(GET, "pcdf_checksum", "crc32c");
    one_point(SYNC, "pcdf_watchdog_s", "60");
    one_point(MGET, "pcdf_engine", "serial");
    abort_of_new();
    in_independent_mode();
    one_hint();
    return together_end("defer_points");
}
