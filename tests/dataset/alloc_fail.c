/* Fixes: whichever allocation fails on one rank, in whichever collective call, no rank hangs, that rank gets
 * NC_ENOMEM, the call can be made again and then works, the others' data is right, and no memory is lost.
 * What one rank alone can bear (a put, a get) succeeds on the others; what all do together or not at all
 * fails on all. Memory that a transfer can do without (twophase.h, independent.h) may fail unseen: then that
 * rank's own data is right, too. So may that of a write queue (pcdf_async): then the rank has none; and that
 * of logs of puts (pcdf_stage_dir).
 * usage: alloc_fail FOLDER [FIRST [LAST]]: rows of the table below */

#include "together.h"
#include "alloc.h"
#include "dataset.h"
#include "writequeue.h"

enum { ROWS = 24, COLUMNS = 8 };

static int victim;          /* the rank whose memory fails: 0, then the last */
static bool victim_managed; /* its call succeeded all the same */

struct state {
    int ncid, fixed, record;
    int row[ROWS * COLUMNS];
};

/* ---- the calls */

static int call_create(struct state *s)
{
    return ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &s->ncid);
}

static int call_open(struct state *s)
{
    return ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &s->ncid);
}

static int call_redef(struct state *s)
{
    return ncmpi_redef(s->ncid);
}

static int call_enddef(struct state *s)
{
    return ncmpi_enddef(s->ncid);
}

static int call_sync(struct state *s)
{
    return ncmpi_sync(s->ncid);
}

/* Rows of this rank's own: each rank the rows whose number it divides. */
static int strided(struct state *s, int varid, bool get)
{
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { ROWS / my_size, COLUMNS / 2 },
               stride[2] = { my_size, 2 };
    return get ? ncmpi_get_vars_int_all(s->ncid, varid, start, count, stride, s->row)
               : ncmpi_put_vars_int_all(s->ncid, varid, start, count, stride, s->row);
}

static int call_put_fixed(struct state *s)
{
    return strided(s, s->fixed, false);
}

static int call_put_record(struct state *s)
{
    return strided(s, s->record, false);
}

static int call_get(struct state *s)
{
    return strided(s, s->fixed, true);
}

static int call_put_varm(struct state *s)
{
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { ROWS / my_size, COLUMNS }, stride[2] = { my_size, 1 };
    MPI_Offset imap[2] = { 1, ROWS / my_size };
    return ncmpi_put_varm_int_all(s->ncid, s->fixed, start, count, stride, imap, s->row);
}

/* Pieces of no regular shape: the view is a list. */
static int varn(struct state *s, bool get)
{
    MPI_Offset starts[5][2], counts[5][2], *start[5], *count[5];
    for (int i = 0; i < 5; i++) {
        starts[i][0] = my_rank + my_size * i;
        starts[i][1] = i * i % COLUMNS;
        counts[i][0] = 1;
        counts[i][1] = 1 + i % 2;
        start[i] = starts[i];
        count[i] = counts[i];
    }
    return get ? ncmpi_get_varn_int_all(s->ncid, s->fixed, 5, start, count, s->row)
               : ncmpi_put_varn_int_all(s->ncid, s->fixed, 5, start, count, s->row);
}

static int call_put_varn(struct state *s)
{
    return varn(s, false);
}

static int call_get_varn(struct state *s)
{
    return varn(s, true);
}

static int call_put_var(struct state *s)
{
    return ncmpi_put_var_int_all(s->ncid, s->fixed, s->row);
}

static int call_close(struct state *s)
{
    return ncmpi_close(s->ncid);
}

/* ---- what comes before and behind them */

static void nothing(struct state *s)
{
    s->ncid = -1;
}

static void define(struct state *s)
{
    int d[3];
    CHECK_NC(call_create(s), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "y", ROWS, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "x", COLUMNS, &d[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s->ncid, "fixed", NC_INT, 2, d + 1, &s->fixed), NC_NOERR);
    int r[2] = { d[0], d[2] };
    CHECK_NC(ncmpi_def_var(s->ncid, "record", NC_SHORT, 2, r, &s->record), NC_NOERR);
}

static void ready(struct state *s)
{
    define(s);
    CHECK_NC(ncmpi_enddef(s->ncid), NC_NOERR);
}

static void written(struct state *s)
{
    ready(s);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        s->row[i] = i;
    CHECK_NC(ncmpi_put_var_int_all(s->ncid, s->fixed, s->row), NC_NOERR);
}

static void closed(struct state *s)
{
    written(s);
    CHECK_NC(ncmpi_close(s->ncid), NC_NOERR);
    s->ncid = -1;
}

/* A redef whose enddef moves the data. */
static void grown(struct state *s)
{
    static const char text[3000];
    written(s);
    CHECK_NC(ncmpi_redef(s->ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(s->ncid, NC_GLOBAL, "a", sizeof text, text), NC_NOERR);
}

static void data_is_right(struct state *s)
{
    int got[ROWS * COLUMNS], bad = 0;
    MPI_Offset start[2] = { 0, 0 }, count[2] = { ROWS, COLUMNS };
    CHECK_NC(ncmpi_get_vara_int_all(s->ncid, s->fixed, start, count, got), NC_NOERR);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        bad += got[i] != i;
    CHECK_INT(bad, 0);
}

static void no_check(struct state *s)
{
    (void)s;
}

/* The rows of ranks whose memory did not fail are there after the first try already. */
static void others_are_right(struct state *s)
{
    int got = -1;
    for (int r = 0; r < my_size; r++) {
        MPI_Offset at[2] = { r, 0 };
        CHECK_NC(ncmpi_get_var1_int_all(s->ncid, s->fixed, at, &got), NC_NOERR);
        if (r != victim || victim_managed)
            CHECK_INT(got, 1000 * (r + 1));
    }
}

static const struct row {
    const char *name;
    void (*before)(struct state *s);
    int (*call)(struct state *s);
    bool together;                   /* fails on all ranks when it fails on one */
    void (*middle)(struct state *s); /* checks between the failed and the repeated call */
    void (*check)(struct state *s);  /* and behind the repeated one */
} rows[] = {
    { "create", nothing, call_create, true, no_check, no_check },
    { "enddef", define, call_enddef, true, no_check, no_check },
    { "open", closed, call_open, true, no_check, data_is_right },
    { "redef", written, call_redef, true, data_is_right, no_check },
    { "enddef moving data", grown, call_enddef, true, no_check, data_is_right },
    { "put_vars", written, call_put_fixed, false, others_are_right, no_check },
    { "put_vars of records", written, call_put_record, false, data_is_right, data_is_right },
    { "put_varm", written, call_put_varm, false, others_are_right, no_check },
    { "put_varn", written, call_put_varn, false, others_are_right, no_check },
    { "put_var", written, call_put_var, false, no_check, no_check },
    { "get_vars", written, call_get, false, no_check, data_is_right },
    { "get_varn", written, call_get_varn, false, no_check, data_is_right },
    { "sync", written, call_sync, true, data_is_right, data_is_right },
};

/* The n-th allocation of the call fails on the victim. True while the call has so many. */
static bool fail_nth(const struct row *row, int n)
{
    static struct state state;
    static int first[ROWS * COLUMNS];
    struct state *s = &state;
    struct pcdf_dataset *ds = NULL;
    int64_t before = pcdf_alloc_now();
    bool mine = my_rank == victim;
    row->before(s);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        s->row[i] = 1000 * (my_rank + 1);
    pcdf_alloc_fail_at(mine ? n : 0, 0);
    int err = row->call(s), reached = mine && pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    MPI_Bcast(&reached, 1, MPI_INT, victim, MPI_COMM_WORLD);
    bool engine = false; /* MPI was not told of the pieces: that counts as a failure of storage */
    if (pcdf_dataset_of(s->ncid, &ds) == NC_NOERR)
        engine = !together_all(ds->io_error == NC_NOERR);
    bool all = row->together || (engine && row->call == call_put_record); /* then no record is added */
    bool has_no_queue = ds && ds->io->queues && !pcdf_writequeue_is_on(ds->io->storage);
    const char *hints = getenv("PNETCDF_HINTS");
    bool may_log = ds && hints && strstr(hints, "pcdf_stage_dir");
    victim_managed = reached && err == NC_NOERR && (!row->together || has_no_queue || may_log);
    MPI_Bcast(&victim_managed, 1, MPI_C_BOOL, victim, MPI_COMM_WORLD);
    int want = reached && (mine || all) && !victim_managed ? NC_ENOMEM : NC_NOERR;
    CHECK(err == want, "%s, allocation %d, rank %d: %s, not %s", row->name, n, my_rank, ncmpi_strerrno(err),
          ncmpi_strerrno(want));
    if (reached) {
        if (ds)
            row->middle(s);
        memcpy(first, s->row, sizeof first);
        if (ds && (row->call == call_create || row->call == call_open))
            CHECK_NC(call_close(s), NC_NOERR);
        CHECK_NC(row->call(s), engine ? NC_ENOMEM : NC_NOERR);
        CHECK(!victim_managed || memcmp(first, s->row, sizeof first) == 0,
              "%s, allocation %d: got other values", row->name, n);
    }
    if (!engine)
        row->check(s);
    CHECK_NC(call_close(s), engine ? NC_ENOMEM : NC_NOERR);
    CHECK(pcdf_alloc_now() == before, "%s, allocation %d, rank %d: %lld bytes are lost", row->name, n,
          my_rank, (long long)(pcdf_alloc_now() - before));
    MPI_Barrier(MPI_COMM_WORLD);
    return reached;
}

/* close frees the file whatever fails in it; here it is an enddef at once. */
static bool fail_in_close(int n)
{
    static struct state state;
    int64_t before = pcdf_alloc_now();
    bool mine = my_rank == victim;
    grown(&state);
    pcdf_alloc_fail_at(mine ? n : 0, 0);
    int err = ncmpi_close(state.ncid), reached = mine && pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    MPI_Bcast(&reached, 1, MPI_INT, victim, MPI_COMM_WORLD);
    CHECK_NC(err, reached ? NC_ENOMEM : NC_NOERR);
    CHECK_INT(pcdf_alloc_now(), before);
    CHECK_NC(call_open(&state), NC_NOERR); /* old header or new, the data is there */
    data_is_right(&state);
    CHECK_NC(ncmpi_close(state.ncid), NC_NOERR);
    return reached;
}

int main(int argc, char **argv)
{
    static struct state s;
    together_begin(&argc, &argv, "alloc_fail", 100);
    closed(&s); /* the communicator's duplicate is made once and kept */
    for (victim = 0; victim<my_size; victim += my_size> 1 ? my_size - 1 : 1) {
        const size_t nrows = sizeof rows / sizeof *rows;
        size_t end = argc > 3 ? strtoul(argv[3], NULL, 10) + 1 : nrows;
        for (size_t i = argc > 2 ? strtoul(argv[2], NULL, 10) : 0; i < end && i < nrows; i++)
            for (int n = 1; n < 60 && fail_nth(&rows[i], n);)
                n++;
        for (int n = 1; n < 60 && fail_in_close(n);)
            n++;
    }
    return together_end("alloc_fail");
}
