/* Fixes posted requests: iput, iget and bput in every state of the file, wait and wait_all on any subset in
 * any order, each request's own status, cancel, the attached buffer, mput and mget, and what close says of
 * waited for. On any number of ranks; each rank has its own row. */
#include <string.h>
#include "together.h"

enum { COLS = 12, VARS = 6 };

struct file {
    int ncid, vars[VARS]; /* 0, 2, 4: int row x; 1, 3: record of short; 5: double */
    int row, col, time;
};

static struct file make(int format)
{
    struct file f;
    char name[8];
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, my_path, format, MPI_INFO_NULL, &f.ncid), NC_NOERR);
    ncmpi_def_dim(f.ncid, "time", NC_UNLIMITED, &f.time);
    ncmpi_def_dim(f.ncid, "row", my_size, &f.row);
    ncmpi_def_dim(f.ncid, "col", COLS, &f.col);
    for (int v = 0; v < VARS; v++) {
        int fixed[2] = { f.row, f.col }, record[3] = { f.time, f.row, f.col };
        snprintf(name, sizeof name, "v%d", v);
        CHECK_INT(ncmpi_def_var(f.ncid, name, v % 2 ? (v == 5 ? NC_DOUBLE : NC_SHORT) : NC_INT, v % 2 ? 3 : 2,
                                v % 2 ? record : fixed, &f.vars[v]),
                  NC_NOERR);
    }
    return f;
}

/* Values of variable v, written by this my_rank as the n-th. */
static void values_of(int v, int n, int *values)
{
    for (int i = 0; i < COLS; i++)
        values[i] = 1000 * v + 100 * n + 20 * my_rank + i;
}

static void check_values(const char *what, int v, int n, const int *got)
{
    int want[COLS];
    values_of(v, n, want);
    for (int i = 0; i < COLS; i++)
        CHECK(got[i] == want[i], "%s: variable %d, column %d is %d, not %d", what, v, i, got[i], want[i]);
}

static int post(const struct file *f, int v, int64_t record, const int *values, int *id, int buffered)
{
    MPI_Offset start[3] = { record, my_rank, 0 }, count[3] = { 1, 1, COLS };
    MPI_Offset *s = v % 2 ? start : start + 1, *c = v % 2 ? count : count + 1;
    return buffered ? ncmpi_bput_vara_int(f->ncid, f->vars[v], s, c, values, id)
                    : ncmpi_iput_vara_int(f->ncid, f->vars[v], s, c, values, id);
}

static int post_get(const struct file *f, int v, int64_t record, int *values, int *id)
{
    MPI_Offset start[3] = { record, my_rank, 0 }, count[3] = { 1, 1, COLS };
    return ncmpi_iget_vara_int(f->ncid, f->vars[v], v % 2 ? start : start + 1, v % 2 ? count : count + 1,
                               values, id);
}

static void check_file(const struct file *f, const char *what, int v, int64_t record, int n)
{
    int got[COLS], id, status = -1;
    CHECK_INT(post_get(f, v, record, got, &id), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f->ncid, 1, &id, &status), NC_NOERR);
    CHECK_INT(status, NC_NOERR);
    CHECK_INT(id, NC_REQ_NULL);
    check_values(what, v, n, got);
}

/* Posted in define mode, then the header grows: places are looked up at wait. */
static void define_mode(int format)
{
    struct file f = make(format);
    int values[VARS][COLS], ids[VARS + 2], statuses[VARS + 2], nreqs = -1;
    char text[3000];
    for (int v = 0; v < VARS; v++) {
        values_of(v, 0, values[v]);
        CHECK_INT(post(&f, v, 0, values[v], &ids[v], 0), NC_NOERR);
    }
    CHECK_INT(ncmpi_inq_nreqs(f.ncid, &nreqs), NC_NOERR);
    CHECK_INT(nreqs, VARS);
    CHECK_INT(ncmpi_wait_all(f.ncid, NC_REQ_ALL, NULL, NULL), NC_EINDEFINE);
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    CHECK_INT(ncmpi_redef(f.ncid), NC_NOERR);
    memset(text, 'x', sizeof text);
    CHECK_INT(ncmpi_put_att_text(f.ncid, NC_GLOBAL, "long", sizeof text, text), NC_NOERR);
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    CHECK_INT(ncmpi_wait(f.ncid, NC_REQ_ALL, NULL, NULL), NC_ENOTINDEP);
    /* backwards, with holes and a stranger in between */
    for (int v = 0; v < VARS / 2; v++) {
        int t = ids[v];
        ids[v] = ids[VARS - 1 - v];
        ids[VARS - 1 - v] = t;
    }
    ids[VARS] = NC_REQ_NULL;
    ids[VARS + 1] = 123456;
    CHECK_INT(ncmpi_wait_all(f.ncid, VARS + 2, ids, statuses), NC_EINVAL_REQUEST);
    for (int i = 0; i <= VARS; i++) {
        CHECK_INT(statuses[i], NC_NOERR);
        CHECK_INT(ids[i], NC_REQ_NULL);
    }
    CHECK_INT(statuses[VARS + 1], NC_EINVAL_REQUEST);
    for (int v = 0; v < VARS; v++)
        check_file(&f, "posted in define mode", v, 0, 0);
    CHECK_INT(ncmpi_close(f.ncid), NC_NOERR);
}

/* One of two pending puts waited for: its record counts, the other stays pending (PnetCDF loses the record).
 */
static void subsets(int format)
{
    struct file f = make(format);
    int a[COLS], b[COLS], ids[2], status[2] = { -1, -1 };
    MPI_Offset records = -1;
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    values_of(1, 1, a);
    values_of(3, 2, b);
    CHECK_INT(post(&f, 1, 0, a, &ids[0], 0), NC_NOERR);
    CHECK_INT(post(&f, 3, 5, b, &ids[1], 0), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, &ids[1], status), NC_NOERR);
    CHECK_INT(ncmpi_inq_dimlen(f.ncid, f.time, &records), NC_NOERR);
    CHECK_INT(records, 6);
    check_file(&f, "a subset", 3, 5, 2);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, ids, status), NC_NOERR);
    check_file(&f, "the rest", 1, 0, 1);
    /* rank 0 waits for one, the others take part with nothing */
    values_of(0, 3, a);
    CHECK_INT(post(&f, 0, 0, a, &ids[0], 0), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, my_rank == 0 ? 1 : 0, ids, status), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, NC_PUT_REQ_ALL, NULL, NULL), NC_NOERR);
    check_file(&f, "with nothing", 0, 0, 3);
    CHECK_INT(ncmpi_close(f.ncid), NC_NOERR);
}

/* Writes before reads; of overlapping puts the later posted wins, whatever their offsets. */
static void order(int format)
{
    struct file f = make(format);
    int a[COLS], b[COLS], got[COLS], id[3];
    MPI_Offset start[2] = { my_rank, 4 }, count[2] = { 1, 6 };
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    values_of(0, 1, a);
    values_of(0, 2, b);
    CHECK_INT(post_get(&f, 0, 0, got, &id[0]), NC_NOERR);
    CHECK_INT(ncmpi_iput_vara_int(f.ncid, f.vars[0], start, count, b, &id[1]), NC_NOERR);
    CHECK_INT(post(&f, 0, 0, a, &id[2], 0), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, 3, id, NULL), NC_NOERR);
    check_values("the later put", 0, 1, got);
    CHECK_INT(post(&f, 0, 0, a, NULL, 0), NC_NOERR);
    CHECK_INT(ncmpi_iput_vara_int(f.ncid, f.vars[0], start, count, b, NULL), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    CHECK_INT(post_get(&f, 0, 0, got, &id[0]), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, NC_GET_REQ_ALL, NULL, NULL), NC_NOERR);
    for (int i = 0; i < COLS; i++)
        CHECK_INT(got[i], i >= 4 && i < 10 ? b[i - 4] : a[i]);
    CHECK_INT(ncmpi_close(f.ncid), NC_NOERR);
}

static void buffers(int format)
{
    struct file f = make(format);
    int values[COLS], id = 7, id2, id3;
    MPI_Offset used = -1, size = -1;
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    values_of(0, 1, values);
    CHECK_INT(post(&f, 0, 0, values, &id, 1), NC_ENULLABUF);
    CHECK_INT(id, NC_REQ_NULL);
    CHECK_INT(ncmpi_inq_buffer_usage(f.ncid, &used), NC_ENULLABUF);
    CHECK_INT(ncmpi_buffer_detach(f.ncid), NC_ENULLABUF);
    CHECK_INT(ncmpi_buffer_attach(f.ncid, 0), NC_ENULLBUF);
    CHECK_INT(ncmpi_buffer_attach(f.ncid, COLS * 6), NC_NOERR);
    CHECK_INT(ncmpi_buffer_attach(f.ncid, COLS), NC_EPREVATTACHBUF);
    CHECK_INT(post(&f, 0, 0, values, &id, 1), NC_NOERR);
    memset(values, 0, sizeof values); /* bput took a copy */
    values_of(1, 2, values);
    CHECK_INT(post(&f, 1, 0, values, &id2, 1), NC_NOERR);
    memset(values, 0, sizeof values);
    CHECK_INT(post(&f, 2, 0, values, &id3, 1), NC_EINSUFFBUF);
    CHECK_INT(ncmpi_inq_buffer_usage(f.ncid, &used), NC_NOERR);
    CHECK_INT(used, COLS * 6);
    CHECK_INT(ncmpi_inq_buffer_size(f.ncid, &size), NC_NOERR);
    CHECK_INT(size, COLS * 6);
    CHECK_INT(ncmpi_buffer_detach(f.ncid), NC_EPENDINGBPUT);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, &id, NULL), NC_NOERR);
    CHECK_INT(ncmpi_inq_buffer_usage(f.ncid, &used), NC_NOERR);
    CHECK_INT(used, COLS * 2);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, &id2, NULL), NC_NOERR);
    CHECK_INT(ncmpi_buffer_detach(f.ncid), NC_NOERR);
    check_file(&f, "bput", 0, 0, 1);
    check_file(&f, "bput", 1, 0, 2);
    CHECK_INT(ncmpi_close(f.ncid), NC_NOERR);
}

/* Range errors: of puts when posted, with the request queued; of gets at wait. Cancel. Independent mode.
 * Close. */
static void statuses(int format)
{
    struct file f = make(format);
    int values[COLS], got[COLS], id, ids[2], status = -1;
    signed char small[COLS];
    MPI_Offset start[3] = { 0, my_rank, 0 }, count[3] = { 1, 1, COLS };
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    values_of(1, 0, values);
    values[3] = 100000;
    CHECK_INT(post(&f, 1, 0, values, &id, 0), NC_ERANGE);
    CHECK(id != NC_REQ_NULL, "a put with a range error is not queued");
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, &id, &status), NC_NOERR);
    CHECK_INT(status, NC_NOERR);
    CHECK_INT(ncmpi_iget_vara_schar(f.ncid, f.vars[1], start, count, small, &id), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, &id, &status), NC_ERANGE);
    CHECK_INT(status, NC_ERANGE);
    values_of(0, 5, values);
    CHECK_INT(post(&f, 0, 0, values, &ids[0], 0), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, ids, NULL), NC_NOERR);
    values_of(0, 6, values);
    CHECK_INT(post(&f, 0, 0, values, &ids[0], 0), NC_NOERR);
    CHECK_INT(post_get(&f, 0, 0, got, &ids[1]), NC_NOERR);
    CHECK_INT(ncmpi_cancel(f.ncid, 1, ids, &status), NC_NOERR);
    CHECK_INT(ids[0], NC_REQ_NULL);
    CHECK_INT(ncmpi_cancel(f.ncid, -4, NULL, NULL), NC_EINVAL);
    CHECK_INT(ncmpi_begin_indep_data(f.ncid), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(f.ncid, 1, &ids[1], &status), NC_EINDEP);
    CHECK_INT(ncmpi_wait(f.ncid, 1, &ids[1], &status), NC_NOERR);
    check_values("what was cancelled", 0, 5, got);
    CHECK_INT(post(&f, 3, 2 + my_rank, values, NULL, 0), NC_NOERR);
    CHECK_INT(ncmpi_wait(f.ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    CHECK_INT(ncmpi_end_indep_data(f.ncid), NC_NOERR);
    MPI_Offset records = 0;
    CHECK_INT(ncmpi_inq_dimlen(f.ncid, f.time, &records), NC_NOERR);
    CHECK_INT(records, 2 + my_size);
    count[0] = 0; /* nothing to do: no request */
    id = 5;
    CHECK_INT(ncmpi_iput_vara_int(f.ncid, f.vars[1], start, count, values, &id), NC_NOERR);
    CHECK_INT(id, NC_REQ_NULL);
    CHECK_INT(ncmpi_iput_var1_int(f.ncid, 99, start, values, &id), NC_ENOTVAR);
    CHECK_INT(post(&f, 0, 0, values, &id, 0), NC_NOERR);
    CHECK_INT(ncmpi_close(f.ncid), NC_EPENDING);
}

static void many(int format)
{
    struct file f = make(format);
    int values[3][COLS], got[3][COLS], *puts[3] = { values[0], values[1], values[2] },
                                       *gets[3] = { got[0], got[1], got[2] };
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLS }, *starts[3] = { start, start, start },
               *counts[3] = { count, count, count };
    int ids[3] = { f.vars[0], f.vars[2], f.vars[4] }, bad[3] = { f.vars[0], 99, f.vars[4] };
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    for (int i = 0; i < 3; i++)
        values_of(2 * i, 4, values[i]);
    CHECK_INT(ncmpi_mput_vara_int_all(f.ncid, 3, ids, starts, counts, puts), NC_NOERR);
    CHECK_INT(ncmpi_mget_vara_int_all(f.ncid, 3, ids, starts, counts, gets), NC_NOERR);
    for (int i = 0; i < 3; i++)
        check_values("mput", 2 * i, 4, got[i]);
    /* one rank's bad variable is its own error */
    CHECK_INT(ncmpi_mput_vara_int_all(f.ncid, 3, my_rank == 0 ? bad : ids, starts, counts, puts),
              my_rank == 0 ? NC_ENOTVAR : NC_NOERR);
    CHECK_INT(ncmpi_close(f.ncid), NC_NOERR);
}

/* One buffer for two puts; one rank's strange id does not keep the other ranks' data back. */
static void shared_buffer(int format)
{
    struct file f = make(format);
    int values[COLS], ids[3], status[3] = { -1, -1, -1 };
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    values_of(2, 1, values);
    CHECK_INT(post(&f, 0, 0, values, &ids[0], 0), NC_NOERR);
    CHECK_INT(post(&f, 2, 0, values, &ids[1], 0), NC_NOERR);
    ids[2] = my_rank == 0 ? 777 : NC_REQ_NULL;
    CHECK_INT(ncmpi_wait_all(f.ncid, 3, ids, status), my_rank == 0 ? NC_EINVAL_REQUEST : NC_NOERR);
    CHECK_INT(status[0], NC_NOERR);
    CHECK_INT(status[2], my_rank == 0 ? NC_EINVAL_REQUEST : NC_NOERR);
    check_values("a put leaves its buffer alone", 2, 1, values);
    check_file(&f, "one buffer, twice", 2, 0, 1);
    CHECK_INT(ncmpi_close(f.ncid), NC_NOERR);
}

/* A put that the storage refused says so in its status, on the rank whose bytes they were; or, if it waited
 * in the queue, the next call after it was refused does, on all ranks. */
static void failing_storage(int format)
{
    struct file f;
    MPI_Info info;
    int values[COLS], id, status = NC_NOERR;
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLS };
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_fault", "write:2+@0"); /* the first one is the header */
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, my_path, format, info, &f.ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(f.ncid, "row", my_size, &f.row);
    ncmpi_def_dim(f.ncid, "col", COLS, &f.col);
    CHECK_INT(ncmpi_def_var(f.ncid, "v", NC_INT, 2, (int[]){ f.row, f.col }, &f.vars[0]), NC_NOERR);
    CHECK_INT(ncmpi_enddef(f.ncid), NC_NOERR);
    values_of(0, 0, values);
    CHECK_INT(ncmpi_iput_vara_int(f.ncid, f.vars[0], start, count, values, &id), NC_NOERR);
    int err = ncmpi_wait_all(f.ncid, 1, &id, &status);
    if (together_all(err == NC_NOERR && together_queues(f.ncid))) {
        CHECK(parcdf_wait(my_path) != NC_NOERR, "rank %d is not told that a write failed", my_rank);
        CHECK(ncmpi_put_vara_int_all(f.ncid, f.vars[0], start, count, values) != NC_NOERR, "it is forgotten");
    } else {
        CHECK(my_rank > 0 || (err != NC_NOERR && status == err), "wait_all gave %d, the status is %d", err,
              status);
    }
    CHECK(ncmpi_close(f.ncid) != NC_NOERR, "close hides that a write failed");
}

int main(int argc, char **argv)
{
    static const int formats[] = { 0, NC_64BIT_OFFSET, NC_64BIT_DATA };
    together_begin(&argc, &argv, "nonblocking", 60);
    for (int i = 0; i < 3; i++) {
        define_mode(formats[i]);
        subsets(formats[i]);
        order(formats[i]);
        buffers(formats[i]);
        statuses(formats[i]);
        many(formats[i]);
        shared_buffer(formats[i]);
        failing_storage(formats[i]);
    }
    return together_end("nonblocking");
}
