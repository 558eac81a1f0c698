/* Fixes hint pcdf_commit=record, for every way in which a file gets records: each rank has what it wrote on
 * the storage before rank 0 counts the record, and the number is on the storage when the call returns. By the
 * trace of each rank's file operations; the vote between the two is the calls' own. */
#include "together.h"
#include "tracelog.h"

enum { X = 100, NUMRECS = 4 };

static char my_trace[1100];
static int records;

static void own_row(MPI_Offset *start, MPI_Offset *count)
{
    start[0] = records;
    start[1] = my_rank * (X / my_size);
    count[0] = 1;
    count[1] = X / my_size;
}

static void by_put(int ncid)
{
    MPI_Offset start[2], count[2];
    int values[X] = { 1 };
    own_row(start, count);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
}

static void by_scattered_put(int ncid)
{
    MPI_Offset start[2] = { records, my_rank }, count[2] = { 1, X / my_size }, stride[2] = { 1, my_size };
    int values[X] = { 1 };
    CHECK_NC(ncmpi_put_vars_int_all(ncid, 0, start, count, stride, values), NC_NOERR);
}

static void by_wait(int ncid)
{
    MPI_Offset start[2], count[2];
    int values[X] = { 1 }, ids[2], statuses[2];
    own_row(start, count);
    CHECK_NC(ncmpi_iput_vara_int(ncid, 0, start, count, values, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_iput_vara_int(ncid, 1, start, count, values, &ids[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(ncid, 2, ids, statuses), NC_NOERR);
}

static void by_fill(int ncid)
{
    CHECK_NC(ncmpi_fill_var_rec(ncid, 0, records), NC_NOERR);
}

static void put_alone(int ncid)
{
    MPI_Offset start[2], count[2];
    int values[X] = { 1 };
    own_row(start, count);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int(ncid, 0, start, count, values), NC_NOERR);
}

static void by_end_indep(int ncid)
{
    put_alone(ncid);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void by_sync_numrecs(int ncid)
{
    put_alone(ncid);
    CHECK_NC(ncmpi_sync_numrecs(ncid), NC_NOERR);
}

static void by_sync(int ncid)
{
    put_alone(ncid);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
}

static void by_redef(int ncid)
{
    put_alone(ncid);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
}

static void by_close(int ncid)
{
    put_alone(ncid);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static const struct way {
    const char *name;
    void (*add)(int ncid);
    bool closes;
} ways[] = {
    { "put", by_put, false },
    { "scattered put", by_scattered_put, false },
    { "wait_all", by_wait, false },
    { "fill_var_rec", by_fill, false },
    { "end_indep_data", by_end_indep, false },
    { "sync_numrecs", by_sync_numrecs, false },
    { "sync", by_sync, false },
    { "redef", by_redef, false },
    { "close", by_close, true },
};

static bool is_put(const struct trace_row *row)
{
    return trace_is(row, "put") || trace_is(row, "put_all");
}

static bool is_flush(const struct trace_row *row)
{
    return trace_is(row, "flush") || trace_is(row, "sync_all");
}

static void check_order(const char *name, int skip, bool is_due)
{
    struct trace_log log = trace_read(my_trace, my_rank, skip);
    int counted = 0, puts = 0;
    bool dirty = false;
    for (int i = 0; i < log.n; i++) {
        bool counts = is_put(&log.rows[i]) && log.rows[i].first == NUMRECS;
        if (counts && is_due)
            CHECK(!dirty, "%s, rank %d: the record is counted before its data is on the storage", name,
                  my_rank);
        counted += counts;
        puts += is_put(&log.rows[i]);
        dirty = is_put(&log.rows[i]) || (dirty && !is_flush(&log.rows[i]));
    }
    CHECK(counted == (my_rank == 0), "%s, rank %d counted %d records in %d puts", name, my_rank, counted,
          puts);
    if (is_due)
        CHECK(!dirty, "%s, rank %d: returns before what it wrote is on the storage", name, my_rank);
    else if (my_rank == 0)
        CHECK(dirty, "%s: without the hint nothing flushes", name);
    free(log.rows);
}

static int open_file(const char *commit)
{
    MPI_Info info;
    int ncid = -1, dims[2];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_trace", my_trace);
    MPI_Info_set(info, "pcdf_commit", commit);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", X, &dims[1]);
    ncmpi_def_var(ncid, "a", NC_INT, 2, dims, &(int){ 0 });
    ncmpi_def_var(ncid, "b", NC_INT, 2, dims, &(int){ 0 });
    ncmpi_def_var_fill(ncid, 0, 0, NULL);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    records = 0;
    return ncid;
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "record_order", 60);
    snprintf(my_trace, sizeof my_trace, "%s.trace", my_path);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int ncid = open_file("record"), skip = trace_length(my_trace, my_rank);
        ways[i].add(ncid);
        check_order(ways[i].name, skip, true);
        if (!ways[i].closes)
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    int ncid = open_file("none"), skip = trace_length(my_trace, my_rank);
    by_put(ncid);
    CHECK_NC(ncmpi_flush(ncid), NC_NOERR);
    check_order("put without the hint", skip, false);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    trace_remove(my_trace, my_rank);
    return together_end("record_order");
}
