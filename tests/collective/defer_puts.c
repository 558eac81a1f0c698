/* Fixes: with hint pcdf_defer the file is byte for byte what it is without, whatever the number of bytes that
 * may wait: forms, types, ranks that put nothing or much more than others, overlapping puts (the later wins,
 * also over and under posted ones); memory stays within the hint; the file is written in far fewer
 * operations. */

#include "deferral.h"
#include "alloc.h"

static const char *const budgets[] = { "1", "200", "700", "3000", "100000000" };

/* ---- the same bytes */

static unsigned state;

static unsigned number(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
}

/* One put by all ranks; what each gives depends on its own numbers. */
static void any_put(struct deferred_file *f)
{
    static double values[8 * COLUMNS];
    MPI_Offset x = (MPI_Offset)my_rank * COLUMNS;
    int form = (int)number(7);
    unsigned kept = state;
    state += (unsigned)my_rank * 77777u;
    MPI_Offset y = number(4), width = 1 + number(COLUMNS);
    MPI_Offset start[2] = { y, x }, count[2] = { number(5) ? 1 : 0, width }, stride[2] = { 1, 2 };
    MPI_Offset more[2] = { y, x + COLUMNS - 1 }, one[2] = { 1, 1 };
    for (int i = 0; i < 8 * COLUMNS; i++)
        values[i] = number(30000);
    state = kept;
    if (form == 0)
        CHECK_NC(ncmpi_put_vara_double_all(f->ncid, f->fixed, start, count, values), NC_NOERR);
    else if (form == 1)
        CHECK_NC(ncmpi_put_vara_double_all(f->ncid, f->record, start, count, values), NC_NOERR);
    else if (form == 2) {
        count[1] = (width + 1) / 2;
        CHECK_NC(ncmpi_put_vars_double_all(f->ncid, f->other, start, count, stride, values), NC_NOERR);
    } else if (form == 3)
        CHECK_NC(ncmpi_put_varn_double_all(f->ncid, f->record, 2, (MPI_Offset *[]){ start, more },
                                           (MPI_Offset *[]){ count, one }, values),
                 NC_NOERR);
    else if (form == 4) {
        char text[COLUMNS];
        memset(text, 'a' + (int)values[0] % 26, sizeof text);
        CHECK_NC(ncmpi_put_vara_text_all(f->ncid, f->text, &x, (MPI_Offset[]){ COLUMNS }, text), NC_NOERR);
    } else if (form == 5)
        CHECK_NC(ncmpi_put_vara_all(f->ncid, f->other, start, count, values, count[0] * width, MPI_DOUBLE),
                 NC_NOERR);
    else
        CHECK_NC(ncmpi_mput_vara_double_all(
                     f->ncid, 2, (int[]){ f->record, f->fixed }, (MPI_Offset *[]){ start, start },
                     (MPI_Offset *[]){ count, count }, (double *[]){ values, values + COLUMNS }),
                 NC_NOERR);
    memset(values, 0, sizeof values); /* the buffer is the caller's again */
}

/* A put of the whole variable; each rank's value differs, so one rank alone puts. */
static void whole_put(struct deferred_file *f)
{
    int n = 4 * COLUMNS * my_size, *values = calloc((size_t)n, sizeof *values);
    MPI_Offset zero[2] = { 0, 0 }, none[2] = { 0, 0 };
    for (int i = 0; i < n; i++)
        values[i] = i;
    CHECK_NC(my_rank == 0 ? ncmpi_put_var_int_all(f->ncid, f->fixed, values)
                          : ncmpi_put_vara_int_all(f->ncid, f->fixed, zero, none, values),
             NC_NOERR);
    free(values);
}

static unsigned char *write_file(const char *budget, size_t *size)
{
    struct deferred_file f;
    unsigned char *bytes = NULL;
    state = 5;
    deferred_create(&f, defer_info(budget, NULL, NULL));
    for (int i = 0; i < 120; i++) {
        any_put(&f);
        if (i % 40 == 13)
            whole_put(&f);
        if (i % 50 == 20)
            CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *in = fopen(my_path, "rb");
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    bytes = malloc(*size);
    rewind(in);
    CHECK_INT(fread(bytes, 1, *size, in), *size);
    fclose(in);
    MPI_Barrier(MPI_COMM_WORLD);
    return bytes;
}

static void same_bytes(void)
{
    size_t want_size, size;
    unsigned char *want = write_file("0", &want_size);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        unsigned char *got = write_file(budgets[i], &size);
        CHECK(size == want_size && memcmp(got, want, size) == 0, "pcdf_defer=%s: another file", budgets[i]);
        free(got);
    }
    free(want);
}

/* ---- order */

static void later_wins(const char *budget)
{
    struct deferred_file f;
    int row[COLUMNS], ids[2], statuses[2];
    MPI_Offset start[2] = { 1, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 1, COLUMNS };
    deferred_create(&f, defer_info(budget, NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.fixed, 1, 10), NC_NOERR);
    CHECK_NC(defer_row(&f, f.fixed, 1, 20), NC_NOERR);
    CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    CHECK_INT(on_disk(&f, p.fixed, 0, 1), 20);
    CHECK_NC(defer_row(&f, f.fixed, 1, 30), NC_NOERR); /* below a posted one that comes later */
    for (int i = 0; i < COLUMNS; i++)
        row[i] = 40;
    CHECK_NC(ncmpi_iput_vara_int(f.ncid, f.fixed, start, count, row, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(f.ncid, 1, ids, statuses), NC_NOERR);
    CHECK_INT(on_disk(&f, p.fixed, 0, 1), 40);
    for (int i = 0; i < COLUMNS; i++)
        row[i] = 50;
    CHECK_NC(ncmpi_iput_vara_int(f.ncid, f.fixed, start, count, row, &ids[0]), NC_NOERR); /* put at wait: */
    CHECK_NC(defer_row(&f, f.fixed, 1, 60), NC_NOERR);                                    /* after this */
    CHECK_NC(ncmpi_wait_all(f.ncid, 1, ids, statuses), NC_NOERR);
    CHECK_INT(on_disk(&f, p.fixed, 0, 1), 50);
    CHECK_NC(defer_row(&f, f.other, 0, 9), NC_NOERR); /* below a fill value that comes later */
    CHECK_NC(ncmpi_fill_var_rec(f.ncid, f.other, 0), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(f.ncid, f.other, (MPI_Offset[]){ 0, start[1] }, count, row), NC_NOERR);
    CHECK_INT(row[0], NC_FILL_SHORT);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

/* Rank 0 puts to what another rank put to before, and the other way round; the ranges of others are in
 * between.
 */
static void later_rank_wins(const char *budget)
{
    struct deferred_file f;
    int n = COLUMNS * my_size, *row = calloc((size_t)n, sizeof *row);
    MPI_Offset zero[2] = { 1, 0 }, whole[2] = { my_rank == 0, n };
    deferred_create(&f, defer_info(budget, NULL, NULL));
    struct places p = places_of(&f);
    for (int record = 0; record < 2; record++) {
        int var = record ? f.record : f.fixed;
        CHECK_NC(ncmpi_put_vara_int_all(f.ncid, var, zero, whole, row), NC_NOERR);
        CHECK_NC(defer_row(&f, var, 1, 20), NC_NOERR);
    }
    CHECK_NC(ncmpi_flush(f.ncid), NC_NOERR);
    CHECK_INT(on_disk(&f, p.fixed, 0, 1), 20);
    CHECK_INT(on_disk(&f, p.record, p.recsize, 1), 20);
    CHECK_NC(defer_row(&f, f.fixed, 1, 20), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(f.ncid, f.fixed, zero, whole, row), NC_NOERR);
    CHECK_NC(ncmpi_flush(f.ncid), NC_NOERR);
    CHECK_INT(on_disk(&f, p.fixed, 0, 1), 0);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    free(row);
}

/* ---- who decides */

/* The last rank holds much, the others little or nothing: all write at the same call. */
static void one_rank_is_full(void)
{
    struct deferred_file f;
    bool last = my_rank == my_size - 1;
    int row[4 * COLUMNS] = { 0 };
    deferred_create(&f, defer_info("2000", NULL, NULL));
    MPI_Offset start[2] = { 0, (MPI_Offset)my_rank * COLUMNS },
               count[2] = { last ? 4 : my_rank == 0, COLUMNS };
    for (int i = 0, written = 0; i < 30; i++) {
        CHECK_NC(ncmpi_put_vara_int_all(f.ncid, f.fixed, start, count, row), NC_NOERR);
        written += !f.ds->deferral.holds;
        CHECK(f.ds->deferral.used <= 2000, "rank %d holds %lld bytes", my_rank,
              (long long)f.ds->deferral.used);
        CHECK(together_all(f.ds->deferral.holds) == f.ds->deferral.holds, "put %d: ranks differ", i);
        if (i == 29)
            CHECK(written >= 2, "%d puts were over the limit", written);
    }
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

/* One put that is larger than the hint goes straight, behind what waits. */
static void large_put(void)
{
    struct deferred_file f;
    deferred_create(&f, defer_info("1000", NULL, NULL));
    struct places p = places_of(&f);
    CHECK_NC(defer_row(&f, f.fixed, 1, 10), NC_NOERR);
    CHECK(f.ds->deferral.holds, "nothing waits");
    int64_t before = pcdf_alloc_now();
    MPI_Offset start[2] = { 0, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 200, COLUMNS };
    int *rows = calloc(200 * COLUMNS, sizeof *rows);
    rows[2 * COLUMNS] = 5;
    CHECK_NC(ncmpi_put_vara_int_all(f.ncid, f.record, start, count, rows), NC_NOERR);
    free(rows);
    CHECK(!f.ds->deferral.holds, "puts wait");
    together_written();
    CHECK(pcdf_alloc_now() <= before, "%lld bytes more than before", (long long)(pcdf_alloc_now() - before));
    expect_disk(&f, &p, 10, 5, 200, "a large put");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

/* ---- what it costs */

enum { VARIABLES = 100, STEPS = 20, ELEMENTS = 256 };

/* Operations of all ranks to write 100 variables, one call each, step by step. */
static bool queues; /* with pcdf_async: its lists are counted memory, too */

static int64_t operations(const char *budget, int64_t *kept)
{
    static int values[ELEMENTS];
    int ncid, t, x, vars[VARIABLES];
    char name[16];
    struct pcdf_dataset *ds;
    MPI_Info info = defer_info(budget, "pcdf_debug_stage_size", "65536");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)ELEMENTS * my_size, &x), NC_NOERR);
    for (int i = 0; i < VARIABLES; i++) {
        snprintf(name, sizeof name, "v%d", i);
        CHECK_NC(ncmpi_def_var(ncid, name, NC_INT, 2, (int[]){ t, x }, &vars[i]), NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    queues = together_queues(ncid);
    struct pcdf_counts before = ds->counts;
    int64_t held = pcdf_alloc_now();
    for (int step = 0; step < STEPS; step++)
        for (int i = 0; i < VARIABLES; i++) {
            MPI_Offset start[2] = { step, (MPI_Offset)ELEMENTS * my_rank }, count[2] = { 1, ELEMENTS };
            values[0] = step * VARIABLES + i;
            CHECK_NC(ncmpi_put_vara_int_all(ncid, vars[i], start, count, values), NC_NOERR);
            int64_t now = pcdf_alloc_now() - held;
            *kept = now > *kept ? now : *kept;
        }
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    int64_t mine = ds->counts.write_at + ds->counts.write_view_all - before.write_at - before.write_view_all;
    int64_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < VARIABLES; i++) {
        MPI_Offset start[2] = { STEPS - 1, (MPI_Offset)ELEMENTS * my_rank };
        CHECK_NC(ncmpi_get_var1_int_all(ncid, vars[i], start, values), NC_NOERR);
        CHECK_INT(values[0], (STEPS - 1) * VARIABLES + i);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return all;
}

/* 2,000 puts of 1 KiB a rank; with 256 KiB that wait some ten are written.
 */
static void costs(void)
{
    int64_t kept = 0, kept_without = 0, limit = 262144 + 262144 / 8;
    int64_t with = operations("262144", &kept), without = operations("0", &kept_without);
    kept -= kept_without;
    CHECK(queues || (kept > 200000 && kept <= limit), "%lld bytes wait at most, not %lld", (long long)kept,
          (long long)limit);
    if (my_rank == 0)
        printf("%d ranks: %lld writes of the file, %lld with pcdf_defer=262144\n", my_size,
               (long long)without, (long long)with);
    CHECK(without >= (int64_t)VARIABLES * STEPS * my_size, "only %lld writes", (long long)without);
    CHECK(with * 5 <= without, "%lld writes, %lld without", (long long)with, (long long)without);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "defer_puts", 100);
    costs();
    same_bytes();
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
        later_wins(budgets[i]), later_rank_wins(budgets[i]);
    one_rank_is_full();
    large_put();
    return together_end("defer_puts");
}
