/* The sessions. Each call is made whatever the one before said, on every rank. */

#include "faultcase.h"

int value_of(int var, int row, int column, int version)
{
    return 1000000 * (version + 1) + 100000 * var + 100 * row + column;
}

const char *title_of(int version)
{
    return version ? "the title that the file has in version 1" : "the title that the file has in version 0";
}

static bool is_of_storage(int err)
{
    return err == NC_EWRITE || err == NC_ENO_SPACE || err == NC_EQUOTA || err == NC_EFILE;
}

/* What every call is judged by: a rank that was told of a failure of storage is told again by each put and
 * sync. */
static void told(struct session *s, const char *call, int err, bool writes)
{
    if (writes && s->lasting)
        CHECK(err != NC_NOERR, "%s: rank %d: %s succeeds after a failure", s->name, s->rank, call);
    if (!err)
        return;
    if (!s->first)
        s->first = err;
    s->lasting |= writes && is_of_storage(err);
}

#define PUT(call)  told(s, #call, call, true)
#define CALL(call) told(s, #call, call, false)

/* The lines from..from+n of rank `s->rank` among all: row i belongs to rank i % size, or a block to each. */
static void fill_rows(int var, int first, int step, int n, int *rows)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i * COLUMNS + j] = value_of(var, first + i * step, j, 1);
}

static int put_block(struct session *s)
{
    int rows[ROWS * COLUMNS], n = ROWS / s->size;
    MPI_Offset start[2] = { n * s->rank, 0 }, count[2] = { n, COLUMNS };
    fill_rows(F, n * s->rank, 1, n, rows);
    return ncmpi_put_vara_int_all(s->ncid, F, start, count, rows);
}

static int put_strided(struct session *s, int var, int from, int total)
{
    int rows[(ROWS + MORE) * COLUMNS], n = total / s->size;
    MPI_Offset start[2] = { from + s->rank, 0 }, count[2] = { n, COLUMNS }, stride[2] = { s->size, 1 };
    fill_rows(var, from + s->rank, s->size, n, rows);
    return ncmpi_put_vars_int_all(s->ncid, var, start, count, stride, rows);
}

static int get_strided(struct session *s, int var)
{
    int rows[ROWS * COLUMNS], total = var == F ? ROWS : RECORDS, n = total / s->size;
    MPI_Offset start[2] = { s->rank, 0 }, count[2] = { n, COLUMNS }, stride[2] = { s->size, 1 };
    int err = ncmpi_get_vars_int_all(s->ncid, var, start, count, stride, rows);
    for (int i = 0; !err && i < n * COLUMNS; i++) {
        int row = s->rank + i / COLUMNS * s->size, column = i % COLUMNS;
        s->bad_values += rows[i] != value_of(var, row, column, 0) && rows[i] != value_of(var, row, column, 1);
    }
    return err;
}

static bool open_for(struct session *s, int mode)
{
    int err = ncmpi_open(MPI_COMM_WORLD, s->path, mode, s->info, &s->ncid);
    told(s, "open", err, false);
    return !err;
}

static void end(struct session *s)
{
    int err = ncmpi_close(s->ncid);
    told(s, "close", err, s->lasting);
}

/* ---- one thing each, on a file that is there */

static void run_put_offsets(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    PUT(put_block(s));
    CALL(get_strided(s, F));
    end(s);
}

static void run_put_view(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    PUT(put_strided(s, F, 0, ROWS));
    CALL(get_strided(s, F));
    end(s);
}

/* Every fourth row: what lies between them goes through the put as it is (data sieving). */
static void run_put_gaps(struct session *s)
{
    int rows[ROWS * COLUMNS], n = ROWS / 4 / s->size;
    MPI_Offset start[2] = { 4 * s->rank, 0 }, count[2] = { n, COLUMNS }, stride[2] = { 4 * s->size, 1 };
    if (!open_for(s, NC_WRITE))
        return;
    fill_rows(F, 4 * s->rank, 4 * s->size, n, rows);
    PUT(ncmpi_put_vars_int_all(s->ncid, F, start, count, stride, rows));
    CALL(get_strided(s, F));
    end(s);
}

static void run_put_records(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    PUT(put_strided(s, R, RECORDS, MORE / 2));
    PUT(put_strided(s, R, RECORDS + MORE / 2, MORE / 2));
    CALL(get_strided(s, R));
    end(s);
}

static void run_wait_all(struct session *s)
{
    int rows[2][ROWS * COLUMNS], got[COLUMNS], ids[3], statuses[3] = { 0 }, n = ROWS / s->size;
    MPI_Offset start[2] = { s->rank, 0 }, count[2] = { n, COLUMNS }, stride[2] = { s->size, 1 };
    MPI_Offset last[2] = { RECORDS + s->rank, 0 }, one[2] = { 1, COLUMNS }, first[2] = { 0, 0 };
    if (!open_for(s, NC_WRITE))
        return;
    CALL(ncmpi_buffer_attach(s->ncid, COLUMNS * (MPI_Offset)sizeof(int)));
    fill_rows(F, s->rank, s->size, n, rows[0]);
    fill_rows(R, RECORDS + s->rank, 1, 1, rows[1]);
    CALL(ncmpi_iput_vars_int(s->ncid, F, start, count, stride, rows[0], &ids[0]));
    CALL(ncmpi_bput_vara_int(s->ncid, R, last, one, rows[1], &ids[1]));
    CALL(ncmpi_iget_vara_int(s->ncid, R, first, one, got, &ids[2]));
    int err = ncmpi_wait_all(s->ncid, 3, ids, statuses);
    CALL(err);
    if (!err || statuses[0] || statuses[1]) /* else the puts were not begun, or it was the get */
        PUT(statuses[0] ? statuses[0] : statuses[1]);
    for (int j = 0; !err && ids[2] == NC_REQ_NULL && !statuses[2] && !s->first && j < COLUMNS; j++)
        s->bad_values += got[j] != value_of(R, 0, j, 0);
    CALL(ncmpi_buffer_detach(s->ncid));
    end(s);
}

static void run_independent(struct session *s)
{
    int rows[ROWS * COLUMNS], n = ROWS / s->size;
    MPI_Offset start[2] = { n * s->rank, 0 }, count[2] = { n, COLUMNS / 2 }, one[2] = { 1, COLUMNS };
    MPI_Offset record[2] = { RECORDS + s->rank, 0 };
    if (!open_for(s, NC_WRITE))
        return;
    CALL(ncmpi_begin_indep_data(s->ncid));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS / 2; j++)
            rows[i * (COLUMNS / 2) + j] = value_of(F, n * s->rank + i, j, 1);
    PUT(ncmpi_put_vara_int(s->ncid, F, start, count, rows));
    fill_rows(R, RECORDS + s->rank, 1, 1, rows);
    PUT(ncmpi_put_vara_int(s->ncid, R, record, one, rows));
    CALL(ncmpi_end_indep_data(s->ncid));
    PUT(ncmpi_sync(s->ncid));
    end(s);
}

static void run_sync(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    PUT(put_strided(s, F, 0, ROWS));
    PUT(ncmpi_sync(s->ncid));
    PUT(put_strided(s, R, RECORDS, MORE));
    PUT(ncmpi_sync(s->ncid));
    CALL(ncmpi_sync_numrecs(s->ncid));
    end(s);
}

static void run_read(struct session *s)
{
    if (!open_for(s, NC_NOWRITE))
        return;
    CALL(get_strided(s, F));
    CALL(get_strided(s, R));
    end(s);
}

/* ---- definitions */

static void run_fill(struct session *s)
{
    int dims[2] = { 1, 2 }, n;
    if (!open_for(s, NC_WRITE))
        return;
    CALL(ncmpi_redef(s->ncid));
    CALL(ncmpi_def_var(s->ncid, "n", NC_INT, 2, dims, &n));
    CALL(ncmpi_def_var_fill(s->ncid, n, 0, NULL));
    CALL(ncmpi_enddef(s->ncid));
    end(s);
}

static void lengthen_header(struct session *s, int length)
{
    static char text[LONG_HISTORY];
    memset(text, 'h', sizeof text);
    CALL(ncmpi_redef(s->ncid));
    CALL(ncmpi_put_att_text(s->ncid, NC_GLOBAL, "history", length, text));
    CALL(ncmpi_enddef(s->ncid));
}

/* Data moves by less than a round, so that its bytes go through the journal. */
static void run_move(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    lengthen_header(s, HISTORY);
    CALL(get_strided(s, R));
    end(s);
}

/* By more than a round. */
static void run_move_long(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    lengthen_header(s, LONG_HISTORY);
    CALL(get_strided(s, F));
    end(s);
}

static void run_move_records(struct session *s)
{
    int dims[2] = { 0, 2 }, q;
    if (!open_for(s, NC_WRITE))
        return;
    CALL(ncmpi_redef(s->ncid));
    CALL(ncmpi_def_var(s->ncid, "q", NC_INT, 2, dims, &q));
    CALL(ncmpi_enddef(s->ncid));
    PUT(put_strided(s, R, RECORDS, MORE));
    end(s);
}

static void run_attribute(struct session *s)
{
    if (!open_for(s, NC_WRITE))
        return;
    CALL(ncmpi_put_att_text(s->ncid, NC_GLOBAL, "title", (MPI_Offset)strlen(title_of(1)), title_of(1)));
    CALL(ncmpi_rename_dim(s->ncid, 1, "Y"));
    PUT(ncmpi_sync(s->ncid));
    CALL(ncmpi_rename_dim(s->ncid, 2, "X"));
    end(s);
}

/* ---- from nothing */

static int define_with(struct session *s, int version)
{
    int dims[3], var, err;
    if ((err = ncmpi_def_dim(s->ncid, "t", NC_UNLIMITED, &dims[0])) ||
        (err = ncmpi_def_dim(s->ncid, "y", ROWS, &dims[1])) ||
        (err = ncmpi_def_dim(s->ncid, "x", COLUMNS, &dims[2])) ||
        (err = ncmpi_def_var(s->ncid, "f", NC_INT, 2, dims + 1, &var)))
        return err;
    dims[1] = dims[2];
    if ((err = ncmpi_def_var(s->ncid, "r", NC_INT, 2, dims, &var)))
        return err;
    return ncmpi_put_att_text(s->ncid, NC_GLOBAL, "title", (MPI_Offset)strlen(title_of(0)),
                              title_of(version));
}

static int define(struct session *s, int version)
{
    int err = define_with(s, version);
    s->undefined = err != NC_NOERR;
    return err;
}

static bool create(struct session *s)
{
    int err = ncmpi_create(MPI_COMM_WORLD, s->path, NC_CLOBBER | NC_64BIT_OFFSET, s->info, &s->ncid);
    told(s, "create", err, false);
    return !err;
}

static void run_create(struct session *s)
{
    if (!create(s))
        return;
    CALL(define(s, 1));
    CALL(ncmpi_enddef(s->ncid));
    end(s);
}

static void run_whole(struct session *s)
{
    if (!create(s))
        return;
    CALL(define(s, 1));
    CALL(ncmpi_enddef(s->ncid));
    PUT(put_strided(s, F, 0, ROWS));
    PUT(put_strided(s, R, 0, RECORDS));
    PUT(ncmpi_sync(s->ncid));
    lengthen_header(s, HISTORY);
    PUT(put_strided(s, R, RECORDS, MORE));
    end(s);
}

void make_base_file(MPI_Comm comm, const char *path)
{
    struct session base = { .name = "base", .path = path, .info = MPI_INFO_NULL }, *s = &base;
    int rows[ROWS * COLUMNS];
    MPI_Offset start[2] = { 0, 0 }, all[2] = { ROWS, COLUMNS }, some[2] = { RECORDS, COLUMNS };
    CHECK(!ncmpi_create(comm, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &s->ncid), "create");
    CALL(define(s, 0));
    CALL(ncmpi_enddef(s->ncid));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        rows[i] = value_of(F, i / COLUMNS, i % COLUMNS, 0);
    CALL(ncmpi_put_vara_int_all(s->ncid, F, start, all, rows));
    for (int i = 0; i < RECORDS * COLUMNS; i++)
        rows[i] = value_of(R, i / COLUMNS, i % COLUMNS, 0);
    CALL(ncmpi_put_vara_int_all(s->ncid, R, start, some, rows));
    end(s);
    CHECK(s->first == NC_NOERR, "the file before the failures: %s", ncmpi_strerrno(s->first));
}

const struct scenario scenarios[] = {
    { "put_offsets", run_put_offsets, false, false },
    { "put_view", run_put_view, false, false },
    { "put_gaps", run_put_gaps, false, false },
    { "put_records", run_put_records, false, false },
    { "wait_all", run_wait_all, false, false },
    { "independent", run_independent, false, false },
    { "sync", run_sync, false, false },
    { "read", run_read, false, true },
    { "fill", run_fill, false, false },
    { "move", run_move, false, false },
    { "move_long", run_move_long, false, false },
    { "move_records", run_move_records, false, false },
    { "attribute", run_attribute, false, false },
    { "create", run_create, true, false },
    { "whole", run_whole, true, false },
};
const int scenario_count = sizeof scenarios / sizeof *scenarios;

void add_scenario_checks(long *made, long *bad)
{
    *made += check_made;
    *bad += check_bad;
}
