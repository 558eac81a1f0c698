/* Fixes: what goes wrong with hint pcdf_defer. A put whose own arguments are bad, or whose values do not fit,
 * is told at once and the others wait; in safe mode nothing of it waits. A failure of storage is told by the
 * call that writes what waits, on every rank, and stays; no record is counted then, and nobody hangs,
 * whichever rank and operation it is. A rank without memory writes at once, or fails alone. Ranks that call
 * different things hear it. */

#include "deferral.h"
#include "faultstorage.h"
#include "alloc.h"
#include <parcdf.h>

enum { FAULT = NC_EQUOTA };

/* ---- of one rank */

static void bad_arguments(void)
{
    struct deferred_file f;
    bool mine = my_rank == my_size - 1;
    MPI_Offset x = (MPI_Offset)my_rank * COLUMNS;
    double big[1] = { mine ? 1e9 : 1.0 };
    deferred_create(&f, defer_info("1000000", NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.record, 2, 70), NC_NOERR);
    CHECK_NC(defer_row(&f, f.fixed, mine ? 99 : 1, 50), mine ? NC_EINVALCOORDS : NC_NOERR);
    CHECK_NC(defer_row(&f, mine ? 77 : f.fixed, 0, 50), mine ? NC_ENOTVAR : NC_NOERR);
    CHECK_NC(ncmpi_put_vara_double_all(f.ncid, f.other, (MPI_Offset[]){ 3, x }, (MPI_Offset[]){ 1, 1 }, big),
             mine ? NC_ERANGE : NC_NOERR);
    CHECK(!mine || strstr(parcdf_last_error(), ": 1 value does not fit in "), "\"%s\"", parcdf_last_error());
    CHECK_INT(records(&f), 4);
    CHECK_NC(ncmpi_put_vara_int_all(f.ncid, mine ? f.record : f.fixed, (MPI_Offset[]){ mine ? -1 : 2, x },
                                    (MPI_Offset[]){ 1, 1 }, f.row),
             mine ? NC_EINVALCOORDS : NC_NOERR);
    CHECK_INT(records(&f), 4);
    CHECK(f.ds->deferral.holds, "nothing waits");
    CHECK_NC(ncmpi_flush(f.ncid), NC_NOERR); /* NC_ERANGE was said */
    expect_disk(&f, &p, mine ? 0 : 50, 70, 4, "bad arguments on one rank");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

static void safe_mode(void)
{
    struct deferred_file f;
    bool mine = my_rank == my_size - 1;
    setenv("PNETCDF_SAFE_MODE", "1", 1);
    deferred_create(&f, defer_info("1000000", NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.record, 2, 70), NC_NOERR);
    int64_t used = f.ds->deferral.used;
    CHECK_NC(defer_row(&f, f.record, mine ? -1 : 5, 80), NC_EINVALCOORDS);
    CHECK(f.ds->deferral.n == 1 && f.ds->deferral.used == used, "%d puts of %lld bytes wait",
          f.ds->deferral.n, (long long)f.ds->deferral.used);
    CHECK_INT(records(&f), 3);
    CHECK_NC(defer_row(&f, f.fixed, 1, 50), NC_NOERR);
    CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    expect_disk(&f, &p, 50, 70, 3, "safe mode");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    unsetenv("PNETCDF_SAFE_MODE");
}

/* ---- of the storage */

enum { GET = ENDINGS, OVER, OVERLAP, POINTS };

static const char *name_of(int point)
{
    static const char *const own[] = { "get", "a put too many", "an overlapping put" };
    return point < ENDINGS ? endings[point] : own[point - ENDINGS];
}

static int reach(struct deferred_file *f, int point)
{
    MPI_Offset start[2] = { 2, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 1, COLUMNS };
    static int rows[30 * COLUMNS];
    if (point < ENDINGS)
        return end_by(f, (enum ending)point);
    if (point == GET)
        return ncmpi_get_vara_int_all(f->ncid, f->fixed, start, count, rows);
    if (point == OVER) /* by the last rank alone */
        count[0] = my_rank == my_size - 1 ? 30 : 0;
    return ncmpi_put_vara_int_all(f->ncid, f->record, start, count, rows);
}

/* With pcdf_async: is the call over before what waited for it is written? */
static bool writes_later(int point)
{
    return point == WAIT || point == FILL || point == OVER || point == OVERLAP;
}

static int carried_out; /* faults, in how many runs */

/* Where the fault hit a write, on whatever rank that was, all ranks are told. A rank's bytes may go through
 * another, but for those of an independent put. */
static void one_failure(int point, const char *fault, bool adds_records, const char *strategy)
{
    struct deferred_file f;
    long before = fault_carried_out();
    MPI_Info info = defer_info("1000", "pcdf_fault", fault);
    MPI_Info_set(info, "pcdf_debug_strategy", strategy);
    deferred_create(&f, info);
    for (int y = 0; y < 3; y++) {
        CHECK_NC(defer_row(&f, f.fixed, y, 50), NC_NOERR);
        if (adds_records)
            CHECK_NC(defer_row(&f, f.record, y, 70), NC_NOERR);
    }
    CHECK_INT(records(&f), adds_records ? 3 : 0);
    CHECK_INT(fault_carried_out(), before);
    bool queues = together_queues(f.ncid);
    int err = reach(&f, point);
    if (!err && queues && writes_later(point))
        err = parcdf_wait(my_path);
    bool hit = !together_all(fault_carried_out() == before);
    CHECK(err == (hit ? FAULT : NC_NOERR), "%s, %s: rank %d gets %s", name_of(point), fault, my_rank,
          ncmpi_strerrno(err));
    carried_out += hit;
    if (point != CLOSE && point != ABORT) {
        CHECK(!f.ds->deferral.holds, "%s: something waits", name_of(point));
        if (hit && !queues)
            CHECK_INT(records(&f), 0);
        if (hit && f.ds->mode == PCDF_MODE_COLLECTIVE)
            CHECK_NC(defer_row(&f, f.fixed, 3, 90), FAULT);
        err = ncmpi_close(f.ncid);
        hit = !together_all(fault_carried_out() == before);
        CHECK_NC(err, hit ? FAULT : NC_NOERR);
    }
    if (hit)
        CHECK_INT(records_on_disk(), 0);
}

static void storage(void)
{
    char order[64];
    int runs = 0;
    for (int point = 0; point < POINTS; point++)
        for (int rank = 0; rank < my_size && ends_in((enum ending)point, false);
             rank += my_size > 2 ? my_size - 1 : 1, runs++) {
            snprintf(order, sizeof order, "write:%d+@%d=NC_EQUOTA", rank == 0 ? 2 : 1, rank);
            const char *strategy = rank == 0 ? "auto" : "independent";
            one_failure(point, order, true, strategy); /* rank 0's first is the header */
            if (point != OVERLAP && point != FILL)     /* those begin with records */
                one_failure(point, order, false, strategy);
        }
    CHECK(carried_out >= runs / 2, "only %d faults in %d runs", carried_out, runs);
}

/* ---- of memory */

/* The n-th allocation fails on the last rank, in a put that would wait. True while there are so many. */
static bool no_memory_in_put(int n, bool something_waits)
{
    struct deferred_file f;
    bool mine = my_rank == my_size - 1, reached;
    int64_t before = pcdf_alloc_now();
    deferred_create(&f, defer_info("2000000", NULL, NULL));
    struct places p = places_of(&f);
    if (something_waits)
        CHECK_NC(defer_row(&f, f.fixed, 1, 50), NC_NOERR);
    pcdf_alloc_fail_at(mine ? n : 0, 0);
    int err = defer_row(&f, f.record, 2, 70);
    reached = mine && pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    CHECK(err == NC_NOERR || err == NC_ENOMEM, "allocation %d: rank %d gets %s", n, my_rank,
          ncmpi_strerrno(err));
    bool all_well = together_all(err == NC_NOERR), lost = !together_all(f.ds->io_error == NC_NOERR);
    if (!something_waits)
        CHECK_NC(defer_row(&f, f.fixed, 1, 50), lost ? NC_ENOMEM : NC_NOERR);
    int end = ncmpi_close(f.ncid);
    CHECK_INT(end, lost ? NC_ENOMEM : NC_NOERR);
    CHECK(!lost || !all_well, "allocation %d: values were lost and the put said nothing", n);
    if (!lost) {
        int row = on_disk(&f, p.record, p.recsize, 2);
        CHECK_INT(on_disk(&f, p.fixed, 0, 1), 50);
        CHECK(row == (err ? 0 : 70), "allocation %d: rank %d: %d on the disk after %s", n, my_rank, row,
              ncmpi_strerrno(err));
    }
    CHECK_INT(pcdf_alloc_now(), before);
    MPI_Bcast(&reached, 1, MPI_C_BOOL, my_size - 1, MPI_COMM_WORLD);
    return reached;
}

/* And in the sync that writes: what cannot be written is a failure of storage, of all ranks. */
static bool no_memory_in_sync(int n)
{
    struct deferred_file f;
    bool mine = my_rank == my_size - 1, reached;
    deferred_create(&f, defer_info("2000000", NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.fixed, 1, 50), NC_NOERR);
    CHECK_NC(defer_row(&f, f.record, 2, 70), NC_NOERR);
    pcdf_alloc_fail_at(mine ? n : 0, 0);
    int err = ncmpi_sync(f.ncid);
    reached = mine && pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    CHECK(together_all(err == NC_NOERR) || together_all(err == NC_ENOMEM),
          "allocation %d of sync: ranks differ", n);
    CHECK_NC(ncmpi_close(f.ncid), err);
    int64_t n_records = records_on_disk();
    CHECK(n_records == 3 || (err && n_records == 0), "allocation %d of sync: %lld records", n,
          (long long)n_records);
    if (n_records)
        expect_disk(&f, &p, 50, 70, 3, "sync with little memory");
    MPI_Bcast(&reached, 1, MPI_C_BOOL, my_size - 1, MPI_COMM_WORLD);
    return reached;
}

static void memory(void)
{
    int n[3] = { 0 };
    while (n[0] < 200 && no_memory_in_put(n[0] + 1, false))
        n[0]++;
    while (n[1] < 200 && no_memory_in_put(n[1] + 1, true))
        n[1]++;
    while (n[2] < 200 && no_memory_in_sync(n[2] + 1))
        n[2]++;
    CHECK(n[0] > 1 && n[2] > 3, "a put makes %d or %d allocations, a sync %d", n[0], n[1], n[2]);
}

/* ---- of the program */

static void mismatch(int point)
{
    struct deferred_file f;
    deferred_create(&f, defer_info("1000000", NULL, NULL));
    CHECK_NC(defer_row(&f, f.fixed, 1, 50), NC_NOERR);
    int err = my_rank == 0 ? reach(&f, point) : defer_row(&f, f.fixed, 2, 50);
    CHECK_NC(err, NC_EMULTIDEFINE_FNC_ARGS);
    CHECK(point == ABORT || strstr(parcdf_last_error(), "is put"), "%s: \"%s\"", name_of(point),
          parcdf_last_error());
    if (my_rank != 0 || (point != CLOSE && point != ABORT))
        CHECK_NC(ncmpi_close(f.ncid), NC_EMULTIDEFINE_FNC_ARGS);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "defer_errors", 100);
    bad_arguments();
    safe_mode();
    storage();
    memory();
    for (int point = 0; point <= GET; point++)
        if (my_size > 1 && ends_in((enum ending)point, false))
            mismatch(point);
    return together_end("defer_errors");
}
