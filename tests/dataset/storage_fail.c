/* Fixes: whichever operation of the storage fails on one rank, in whichever call of a session, no rank hangs;
 * the rank whose bytes they were is told at once and the others at the next call at the latest; puts and
 * syncs then fail until close, and close fails everywhere; gets go on. Where every call succeeded, every byte
 * and every record is there; where one failed, no record is counted whose data is not. */

#include "together.h"

/* So large that the last round of a move, 1024 bytes a rank, has bytes of every rank. */
enum { ROWS = 12, COLUMNS = 50, RECORDS = 12, FAULT = NC_EQUOTA };

struct session {
    int ncid, fixed, record, first;
    bool failed;     /* this rank was told of a failure that lasts */
    bool all_failed; /* every rank was */
    bool
        queues; /* puts may wait (pcdf_async): what became of them, the next call that waits for them tells */
    bool fixed_put, record_put, second_put, third_put, synced; /* succeeded on all ranks */
    char order[96];
};

static void told(struct session *s, const char *call, int err, bool writes)
{
    bool was = s->all_failed;
    CHECK(err == NC_NOERR || err == FAULT, "%s: rank %d: %s gives %s", s->order, my_rank, call,
          ncmpi_strerrno(err));
    if (writes && (s->failed || was))
        CHECK(err == FAULT, "%s: rank %d: %s gives %s after a failure", s->order, my_rank, call,
              ncmpi_strerrno(err));
    s->all_failed = !together_all(!s->failed); /* some rank knew before this call, so all know after it */
    if (writes && err)
        s->failed = true;
}

/* A call that every rank makes. */
#define STEP(what, writes)                                                                                   \
    do {                                                                                                     \
        int step_err_ = (what);                                                                              \
        told(s, #what, step_err_, writes);                                                                   \
    } while (0)

static int fixed_rows(struct session *s, bool get, int *rows)
{
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { ROWS / my_size, COLUMNS }, stride[2] = { my_size, 1 };
    return get ? ncmpi_get_vars_int_all(s->ncid, s->fixed, start, count, stride, rows)
               : ncmpi_put_vars_int_all(s->ncid, s->fixed, start, count, stride, rows);
}

static int record_rows(struct session *s, int from, int n, int *rows)
{
    MPI_Offset start[2] = { from + my_rank, 0 }, count[2] = { n / my_size, COLUMNS },
               stride[2] = { my_size, 1 };
    return ncmpi_put_vars_int_all(s->ncid, s->record, start, count, stride, rows);
}

static int record_alone(struct session *s, int record, int *rows)
{
    MPI_Offset start[2] = { record, 0 }, count[2] = { 1, COLUMNS };
    return ncmpi_put_vara_int(s->ncid, s->record, start, count, rows);
}

static void values(int first_row, int step, int n, int *rows)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i * COLUMNS + j] = 100 * (first_row + i * step) + j + 1;
}

static bool begin(struct session *s, const char *order, const char *strategy)
{
    MPI_Info info;
    int d[3];
    snprintf(s->order, sizeof s->order, "%s, %s", order, strategy);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_fault", order);
    MPI_Info_set(info, "pcdf_debug_strategy", strategy);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    int err = ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &s->ncid);
    MPI_Info_free(&info);
    CHECK(err == NC_NOERR || err == FAULT, "%s: create gives %s", order, ncmpi_strerrno(err));
    CHECK(together_all(err == NC_NOERR) || together_all(err != NC_NOERR), "%s: some ranks have the file",
          order);
    if (err)
        return false;
    CHECK_NC(ncmpi_def_dim(s->ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "y", ROWS, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "x", COLUMNS, &d[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s->ncid, "fixed", NC_INT, 2, d + 1, &s->fixed), NC_NOERR);
    d[1] = d[2];
    CHECK_NC(ncmpi_def_var(s->ncid, "record", NC_INT, 2, d, &s->record), NC_NOERR);
    STEP(ncmpi_enddef(s->ncid), true);
    s->queues = !together_all(!together_queues(s->ncid));
    return true;
}

static void put_data(struct session *s)
{
    int rows[ROWS * COLUMNS];
    values(my_rank, my_size, ROWS / my_size, rows);
    STEP(fixed_rows(s, false, rows), true);
    s->fixed_put = together_all(!s->failed);
    STEP(record_rows(s, 0, RECORDS, rows), true);
    s->record_put = together_all(!s->failed);
    STEP(ncmpi_begin_indep_data(s->ncid), true);
    if (s->queues)
        s->fixed_put = s->record_put = together_all(!s->failed);
    values(RECORDS + my_rank, 1, 1, rows);
    STEP(record_alone(s, RECORDS + my_rank, rows), true);
    s->second_put = together_all(!s->failed);
    STEP(ncmpi_sync(s->ncid), true); /* in independent mode */
    s->synced = together_all(!s->failed);
    if (s->queues && strncmp(s->order, "write", 5) == 0)
        s->second_put = s->synced;
    values(RECORDS + my_size + my_rank, 1, 1, rows);
    STEP(record_alone(s, RECORDS + my_size + my_rank, rows), true);
    STEP(ncmpi_end_indep_data(s->ncid), true);
    s->third_put = together_all(!s->failed);
    STEP(ncmpi_sync(s->ncid), true);
}

/* A redef whose enddef moves the data, then all again. */
static void move_data(struct session *s)
{
    static char text[20000];
    int rows[ROWS * COLUMNS], again[ROWS * COLUMNS];
    int err = ncmpi_redef(s->ncid);
    told(s, "redef", err, true);
    if (err)
        return;
    memset(text, 'x', sizeof text);
    CHECK_NC(ncmpi_put_att_text(s->ncid, NC_GLOBAL, "a", sizeof text, text), NC_NOERR);
    err = ncmpi_enddef(s->ncid);
    bool untouched = strncmp(s->order, "size", 4) == 0; /* nothing was begun: once more */
    CHECK(err == NC_NOERR || err == FAULT, "%s: enddef gives %s", s->order, ncmpi_strerrno(err));
    if (err && untouched)
        CHECK_NC(ncmpi_enddef(s->ncid), NC_NOERR);
    else
        told(s, "enddef", err, true);
    values(my_rank, my_size, ROWS / my_size, rows);
    err = fixed_rows(s, true, again);
    if (err == NC_EINDEFINE) /* not all was on the storage before the first move: nothing was begun */
        CHECK(s->failed && strncmp(s->order, "sync", 4) == 0, "%s: rank %d stays in define mode", s->order,
              my_rank);
    else
        told(s, "get", err, false);
    if (!err && !s->failed)
        CHECK(memcmp(rows, again, sizeof(int) * (size_t)(ROWS / my_size * COLUMNS)) == 0,
              "%s: rank %d reads other values", s->order, my_rank);
}

/* The file as it is left. Whole: no call failed. */
static void look(const struct session *s, bool whole)
{
    int ncid, row[COLUMNS], want[COLUMNS], bad = 0;
    MPI_Offset records = 0;
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    if (whole)
        CHECK_NC(err, NC_NOERR);
    if (err)
        return;
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &records), NC_NOERR);
    CHECK(records == 0 || s->record_put, "%s: %lld records, but their put failed", s->order,
          (long long)records);
    CHECK(records <= RECORDS + my_size || s->third_put, "%s: %lld records, but a put failed", s->order,
          (long long)records);
    CHECK(records <= RECORDS || s->second_put, "%s: %lld records, but a put failed", s->order,
          (long long)records);
    CHECK(records >= RECORDS + my_size || !s->synced, "%s: %lld records, although sync succeeded", s->order,
          (long long)records);
    if (whole)
        CHECK_INT(records, RECORDS + 2 * my_size);
    for (int i = 0; i < records; i++) {
        MPI_Offset start[2] = { i, 0 }, count[2] = { 1, COLUMNS };
        CHECK_NC(ncmpi_get_vara_int_all(ncid, s->record, start, count, row), NC_NOERR);
        values(i, 1, 1, want);
        bad += memcmp(row, want, sizeof row) != 0;
    }
    for (int i = 0; i < ROWS && s->fixed_put; i++) {
        MPI_Offset start[2] = { i, 0 }, count[2] = { 1, COLUMNS };
        CHECK_NC(ncmpi_get_vara_int_all(ncid, s->fixed, start, count, row), NC_NOERR);
        values(i, 1, 1, want);
        bad += memcmp(row, want, sizeof row) != 0;
    }
    /* Also after a move that failed: the new place of the data does not overlap the old, and the header came
     * last. */
    CHECK(bad == 0, "%s: %d of %d rows and %lld records are wrong", s->order, bad, ROWS, (long long)records);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* True when some call failed: there may be more to fail. */
static bool session(const char *order, const char *strategy)
{
    static struct session fresh;
    struct session mine = fresh, *s = &mine;
    if (!begin(s, order, strategy))
        return true;
    put_data(s);
    move_data(s);
    int err = ncmpi_close(s->ncid);
    told(s, "close", err, !together_all(!s->failed));
    CHECK(together_all(err == NC_NOERR) || together_all(err != NC_NOERR), "%s: close differs", order);
    look(s, err == NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    return err != NC_NOERR;
}

int main(int argc, char **argv)
{
    static const char *const ops[][2] = { { "open", "auto" },        { "write", "auto" },
                                          { "read", "auto" },        { "write", "independent" },
                                          { "read", "independent" }, { "write", "views" },
                                          { "sync", "auto" },        { "size", "auto" },
                                          { "resize", "auto" },      { "close", "auto" } };
    char order[64];
    together_begin(&argc, &argv, "storage_fail", 200);
    for (int victim = 0; victim<my_size; victim += my_size> 1 ? my_size - 1 : 1)
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
            for (int n = 1, quiet = 0; n < 60 && quiet < 3; n++) {
                snprintf(order, sizeof order, "%s:%d@%d=NC_EQUOTA", ops[i][0], n, victim);
                quiet = session(order, ops[i][1]) ? 0 : quiet + 1;
            }
    return together_end("storage_fail");
}
