/* Fixes: with hint pcdf_defer an independent put, also one that a wait carries out, leaves nothing in the
 * file and asks no other rank. Its own rank finds it at once: its gets, its number of records. Every call
 * that promises what is in the file writes it first, with data before the number of records. Of puts that
 * overlap the later wins. Memory stays within the hint, and the file is written in few operations. A failure
 * of storage is the rank's own, at the call that writes, and then everybody's; no record is counted. A rank
 * without memory loses nothing in silence. */

#include "deferral.h"
#include "alloc.h"
#include "faultstorage.h"

enum { FAULT = NC_EQUOTA };

static void begin(struct deferred_file *f, MPI_Info info)
{
    deferred_create(f, info);
    CHECK_NC(ncmpi_begin_indep_data(f->ncid), NC_NOERR);
}

enum how { PUT, POSTED, BUFFERED, HOWS };

/* Row y of this rank's columns, as defer_row, by this rank alone. */
static int own_row(struct deferred_file *f, enum how how, int var, MPI_Offset y, int first)
{
    MPI_Offset start[2] = { y, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 1, COLUMNS };
    int id, status = NC_NOERR, err;
    for (int i = 0; i < COLUMNS; i++)
        f->row[i] = first + i;
    if (how == PUT)
        err = ncmpi_put_vara_int(f->ncid, var, start, count, f->row);
    else {
        if (how == BUFFERED)
            CHECK_NC(ncmpi_buffer_attach(f->ncid, 4 * COLUMNS), NC_NOERR);
        CHECK_NC(how == BUFFERED ? ncmpi_bput_vara_int(f->ncid, var, start, count, f->row, &id)
                                 : ncmpi_iput_vara_int(f->ncid, var, start, count, f->row, &id),
                 NC_NOERR);
        err = ncmpi_wait(f->ncid, 1, &id, &status);
        CHECK_NC(status, err);
        if (how == BUFFERED)
            CHECK_NC(ncmpi_buffer_detach(f->ncid), NC_NOERR);
    }
    memset(f->row, -1, sizeof f->row); /* the buffer is the caller's again */
    return err;
}

static int own_first(struct deferred_file *f, int var, MPI_Offset y)
{
    int value = -1;
    CHECK_NC(ncmpi_get_var1_int(f->ncid, var, (MPI_Offset[]){ y, (MPI_Offset)my_rank * COLUMNS }, &value),
             NC_NOERR);
    return value;
}

/* ---- who sees it when */

enum { GET = ENDINGS, IGET, MIXED, POINTS };

static const char *name_of(int point)
{
    static const char *const own[] = { "get", "iget", "iget and iput" };
    return point < ENDINGS ? endings[point] : own[point - ENDINGS];
}

static int reach(struct deferred_file *f, int point)
{
    MPI_Offset start[2] = { 1, (MPI_Offset)my_rank * COLUMNS };
    int ids[2], statuses[2], value = 0;
    if (point < ENDINGS)
        return end_by(f, (enum ending)point);
    if (point == GET)
        return ncmpi_get_var1_int(f->ncid, f->fixed, start, &value);
    CHECK_NC(ncmpi_iget_var1_int(f->ncid, f->fixed, start, &value, &ids[0]), NC_NOERR);
    start[0] = 3;
    if (point == MIXED)
        CHECK_NC(ncmpi_iput_var1_int(f->ncid, f->fixed, start, &value, &ids[1]), NC_NOERR);
    int err = ncmpi_wait(f->ncid, point == MIXED ? 2 : 1, ids, statuses);
    if (!err)
        CHECK_INT(value, 50 + my_rank);
    return err;
}

static bool is_own(int point)
{
    return point == FLUSH || point >= GET;
}

static void one_point(int point, enum how how, const char *key, const char *value)
{
    struct deferred_file f;
    MPI_Offset bytes = 0;
    begin(&f, defer_info("1000000", key, value));
    struct places p = places_of(&f);
    CHECK_NC(own_row(&f, how, f.fixed, 1, 50 + my_rank), NC_NOERR);
    CHECK_NC(own_row(&f, how, f.record, 2, 70 + my_rank), NC_NOERR);
    CHECK_INT(records(&f), 3);
    CHECK_NC(ncmpi_inq_put_size(f.ncid, &bytes), NC_NOERR);
    CHECK(bytes >= 2 * COLUMNS * 4, "%lld bytes are counted as put", (long long)bytes);
    CHECK_INT(f.ds->deferral.n, 2);
    expect_disk(&f, &p, 0, 0, 0, "before");
    CHECK_NC(reach(&f, point), NC_NOERR);
    if (point != CLOSE && point != ABORT) {
        CHECK(f.ds->deferral.n == 0, "%s: %d puts still wait", name_of(point), f.ds->deferral.n);
        CHECK_INT(records(&f), 3);
        expect_disk(&f, &p, 50 + my_rank, 70 + my_rank, is_own(point) ? 0 : 3, name_of(point));
        CHECK_NC(ncmpi_abort(f.ncid), NC_NOERR);
    }
    expect_disk(&f, &p, 50 + my_rank, 70 + my_rank, 3, name_of(point));
}

/* Gets elsewhere leave what waits alone; a get finds what the rank put last; of overlapping puts the later
 * wins, also one that does not fit. Without the hint the file has each put at once. */
static void own_gets(const char *budget)
{
    struct deferred_file f;
    MPI_Offset start[2] = { 0, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 4, COLUMNS };
    int rows[4 * COLUMNS];
    begin(&f, defer_info(budget, NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(own_row(&f, PUT, f.fixed, 1, 10), NC_NOERR);
    CHECK_NC(own_row(&f, PUT, f.record, 2, 20), NC_NOERR);
    bool waits = f.ds->deferral.n > 0;
    CHECK(waits == (atoi(budget) >= 1000), "pcdf_defer=%s: %d puts wait", budget, f.ds->deferral.n);
    CHECK_INT(own_first(&f, f.fixed, 3), 0);
    CHECK(f.ds->deferral.n == 2 * waits, "a get elsewhere wrote what waits");
    CHECK_INT(own_first(&f, f.fixed, 1), 10);
    CHECK_INT(own_first(&f, f.record, 2), 20);
    CHECK_NC(own_row(&f, PUT, f.fixed, 1, 30), NC_NOERR);
    CHECK_NC(own_row(&f, POSTED, f.fixed, 1, 40), NC_NOERR);
    CHECK_NC(own_row(&f, PUT, f.fixed, 2, 50), NC_NOERR);
    CHECK_INT(own_first(&f, f.fixed, 1), 40);
    CHECK_NC(own_row(&f, PUT, f.fixed, 2, 60), NC_NOERR);
    for (int i = 0; i < 4 * COLUMNS; i++)
        rows[i] = 100 + i;
    CHECK_NC(ncmpi_put_vara_int(f.ncid, f.fixed, start, count, rows), NC_NOERR);
    CHECK_NC(own_row(&f, PUT, f.fixed, 0, 70), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int(f.ncid, f.fixed, start, count, rows), NC_NOERR);
    CHECK(rows[0] == 70 && rows[COLUMNS] == 100 + COLUMNS && rows[4 * COLUMNS - 1] == 100 + 4 * COLUMNS - 1,
          "pcdf_defer=%s: %d, %d, %d", budget, rows[0], rows[COLUMNS], rows[4 * COLUMNS - 1]);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    expect_disk(&f, &p, 100 + COLUMNS, 20, 3, "own gets");
}

/* One rank puts, the others are elsewhere until it is done. */
static void alone(void)
{
    struct deferred_file f;
    begin(&f, defer_info("2000", NULL, NULL));
    struct places p = places_of(&f);
    if (my_rank == my_size - 1)
        for (int i = 0; i < 100; i++) {
            CHECK_NC(own_row(&f, PUT, f.fixed, i % 4, 10 + i), NC_NOERR);
            CHECK(f.ds->deferral.used <= 2000, "%lld bytes wait", (long long)f.ds->deferral.used);
        }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    int got = on_disk(&f, p.fixed, 0, 1);
    CHECK_INT(got, my_rank == my_size - 1 ? 10 + 97 : 0);
}

/* ---- arguments */

static void bad_arguments(void)
{
    struct deferred_file f;
    MPI_Offset x = (MPI_Offset)my_rank * COLUMNS;
    double big = 1e9;
    begin(&f, defer_info("1000000", NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(own_row(&f, PUT, f.record, 2, 70), NC_NOERR);
    CHECK_NC(own_row(&f, PUT, f.fixed, 99, 50), NC_EINVALCOORDS);
    CHECK_NC(own_row(&f, PUT, 77, 0, 50), NC_ENOTVAR);
    CHECK_NC(ncmpi_put_vara_double(f.ncid, f.other, (MPI_Offset[]){ 3, x }, (MPI_Offset[]){ 1, 1 }, &big),
             NC_ERANGE);
    CHECK_INT(records(&f), 4);
    CHECK_NC(own_row(&f, PUT, f.fixed, 1, 50), NC_NOERR);
    CHECK_INT(f.ds->deferral.n, 3);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR); /* NC_ERANGE was said */
    expect_disk(&f, &p, 50, 70, 4, "bad arguments");
}

/* ---- the storage */

static int carried_out; /* faults, in how many runs */

/* The first write of what the last rank put fails. */
static void one_failure(int point)
{
    struct deferred_file f;
    bool mine = my_rank == my_size - 1;
    char order[64];
    long before = fault_carried_out();
    snprintf(order, sizeof order, "write:%d+@%d=NC_EQUOTA", my_size == 1 ? 2 : 1, my_size - 1);
    begin(&f, defer_info("1000000", "pcdf_fault", order)); /* rank 0's first is the header */
    CHECK_NC(own_row(&f, PUT, f.fixed, 1, 50 + my_rank), NC_NOERR);
    CHECK_NC(own_row(&f, POSTED, f.record, 2, 70), NC_NOERR);
    CHECK_NC(own_row(&f, PUT, f.record, 0, 70), NC_NOERR);
    CHECK_INT(fault_carried_out(), before);
    bool waits = together_queues(f.ncid);
    int err = reach(&f, point);
    carried_out += fault_carried_out() > before;
    CHECK_NC(err, mine || !is_own(point) ? FAULT : NC_NOERR);
    if (is_own(point)) {
        CHECK_INT(records(&f), mine && !waits ? 0 : 3);
        CHECK(f.ds->deferral.n == 0, "%s: %d puts still wait", name_of(point), f.ds->deferral.n);
        CHECK_NC(own_row(&f, PUT, f.fixed, 0, 10), mine ? FAULT : NC_NOERR);
        CHECK(f.ds->deferral.n == !mine, "%s: a put waits that cannot be written", name_of(point));
        CHECK_NC(ncmpi_sync_numrecs(f.ncid), FAULT);
        CHECK_NC(own_row(&f, PUT, f.fixed, 0, 10), FAULT);
    }
    if (point != CLOSE && point != ABORT)
        CHECK_NC(ncmpi_close(f.ncid), FAULT);
    CHECK_INT(records_on_disk(), 0);
}

/* ---- memory */

/* The n-th allocation fails on each rank while `puts` calls put, or while what they put is written. True
 * while there are so many. */
static bool no_memory(int n, bool in_writing)
{
    struct deferred_file f;
    int64_t before = pcdf_alloc_now();
    int err = NC_NOERR, errs[2];
    begin(&f, defer_info("2000000", NULL, NULL));
    struct places p = places_of(&f);
    pcdf_alloc_fail_at(in_writing ? 0 : n, 0);
    errs[0] = own_row(&f, PUT, f.fixed, 1, 50);
    errs[1] = own_row(&f, PUT, f.record, 2, 70);
    if (in_writing) {
        pcdf_alloc_fail_at(n, 0);
        err = ncmpi_flush(f.ncid);
    }
    bool reached = pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    for (int i = 0; i < 2; i++)
        CHECK(errs[i] == NC_NOERR || errs[i] == NC_ENOMEM, "allocation %d: put %d gets %s", n, i,
              ncmpi_strerrno(errs[i]));
    CHECK(err == NC_NOERR || err == NC_ENOMEM, "allocation %d: flush gets %s", n, ncmpi_strerrno(err));
    CHECK_NC(own_row(&f, PUT, f.fixed, 3, 5), err);
    CHECK_NC(ncmpi_close(f.ncid), err);
    if (!err)
        expect_disk(&f, &p, errs[0] ? 0 : 50, errs[1] ? 0 : 70, errs[1] ? 0 : 3, "little memory");
    else
        CHECK_INT(records_on_disk(), 0);
    CHECK_INT(pcdf_alloc_now(), before);
    return reached;
}

static void memory(void)
{
    int n[2] = { 0 };
    for (int in_writing = 0; in_writing < 2; in_writing++)
        while (n[in_writing] < 200 && no_memory(n[in_writing] + 1, in_writing))
            n[in_writing]++;
    CHECK(n[0] > 2 && n[1] > 2, "two puts make %d allocations, a flush %d", n[0], n[1]);
}

/* ---- what it costs */

enum { PIECES = 2000, ELEMENTS = 256, BUDGET = 262144 };

static bool queues; /* with pcdf_async: its lists are counted memory, too */

/* Operations of this rank to write 2,000 pieces of 1 KiB in no order; *kept: bytes of memory at most. */
static int64_t operations(const char *budget, int64_t *kept)
{
    static int values[ELEMENTS];
    int ncid, x, var;
    struct pcdf_dataset *ds;
    MPI_Info info = defer_info(budget, NULL, NULL);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)PIECES * ELEMENTS * my_size, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &x, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    queues = together_queues(ncid);
    int64_t before = ds->counts.write_at, held = pcdf_alloc_now();
    for (int i = 0; i < PIECES; i++) { /* 16 steps forward, 1 beyond: neighbours come in one batch */
        int piece = i / 16 * 16 + i * 7 % 16;
        MPI_Offset start = ((MPI_Offset)my_rank * PIECES + piece) * ELEMENTS, count = ELEMENTS;
        values[0] = piece;
        CHECK_NC(ncmpi_put_vara_int(ncid, var, &start, &count, values), NC_NOERR);
        int64_t now = pcdf_alloc_now() - held;
        *kept = now > *kept ? now : *kept;
    }
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    int64_t writes = ds->counts.write_at - before;
    for (int piece = 0; piece < PIECES; piece += 333) {
        MPI_Offset at = ((MPI_Offset)my_rank * PIECES + piece) * ELEMENTS;
        CHECK_NC(ncmpi_get_var1_int_all(ncid, var, &at, values), NC_NOERR);
        CHECK_INT(values[0], piece);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return writes;
}

static void costs(void)
{
    int64_t kept = 0, kept_without = 0, limit = BUDGET + BUDGET / 8;
    int64_t with = operations("262144", &kept), without = operations("0", &kept_without);
    kept -= kept_without;
    CHECK(queues || (kept > BUDGET / 2 && kept <= limit), "%lld bytes wait at most, not %lld",
          (long long)kept, (long long)limit);
    CHECK(without >= PIECES, "only %lld writes", (long long)without);
    CHECK(with * 20 <= without, "%lld writes, %lld without", (long long)with, (long long)without);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "defer_own", 100);
    for (int point = 0; point < POINTS; point++)
        for (int how = 0; how < HOWS && ends_in((enum ending)point, true); how++)
            one_point(point, (enum how)how, NULL, NULL);
    one_point(END_INDEP, PUT, "pcdf_commit", "record");
    one_point(NUMRECS, PUT, "pcdf_checksum", "crc32c");
    one_point(GET, PUT, "pcdf_engine", "mpiio");
    own_gets("0");
    own_gets("300");
    own_gets("1000");
    own_gets("1000000");
    alone();
    bad_arguments();
    int runs = 0;
    for (int point = 0; point < POINTS; point++)
        if (ends_in((enum ending)point, true)) {
            one_failure(point);
            runs++;
        }
    CHECK(carried_out == (my_rank == my_size - 1) * runs, "only %d faults in %d runs", carried_out, runs);
    memory();
    costs();
    return together_end("defer_own");
}
