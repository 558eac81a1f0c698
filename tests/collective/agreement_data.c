/* Fixes what ranks learn of one rank's bad argument in a data call: every family (put, get, mput, mget, typed
 * and flexible; iput, iget, bput with wait_all; six forms) x every argument error that applies x each rank.
 * Nobody hangs; the bad rank gets the documented code, the others succeed and their data is in the file; in
 * safe mode all get the code and nothing is moved. The file goes on, and in the end its bytes are the
 * expected ones. Errors of the file's mode come back on all ranks. Ranks without data or memory: bad_rank.c.
 */

#include "agreement_calls.h"

/* ---- one case */

static bool moves(const struct act *a, int rank)
{
    if (!a->wrong || a->wrong == RANGE || a->wrong == WAIT_STRANGE)
        return true;
    return rank != a->bad && !(my_safe && !is_posted(a->d));
}

static bool concerns(const struct act *a, int v)
{
    return is_many(a->d) || v == a->v;
}

/* What a put leaves in the file. */
static void expect(const struct act *a)
{
    for (int v = FIXED; v <= RECORD; v++)
        for (int rank = 0; rank < my_size && concerns(a, v); rank++) {
            if (!moves(a, rank))
                continue;
            int n = places_of(a, v, rank, places);
            for (int i = 0; i < n; i++)
                s.values[v][places[i]] = value_put(a, v, i, places[i], rank);
        }
    for (int rank = 0; rank < my_size && concerns(a, RECORD) && a->d->form != FORM_VAR; rank++)
        if (moves(a, rank) && a->base + rank >= s.records)
            s.records = a->base + rank + 1;
}

static void check_got(const struct act *a)
{
    for (int v = FIXED; v <= RECORD; v++) {
        struct entry *e = &entries[v];
        int n = places_of(a, v, my_rank, places);
        if (!concerns(a, v) || (a->wrong == RANGE && my_rank == a->bad))
            continue;
        for (int i = 0; i <= n; i++) {
            int want = moves(a, my_rank) && i < n ? s.values[v][places[i]] : GUARD;
            int got = (int)mem_int(e->buf, mem_of(a->d), (size_t)i);
            CHECK(got == want, "rank %d: %s: element %d is %d, not %d", my_rank, a->what, i, got, want);
        }
    }
}

/* The call's rows on all ranks, which is a good collective get. */
static void check_rows(const struct act *a, int v)
{
    static int row[ROOM];
    int first = v == RECORD ? a->base : 0, n = rows_of(v) - first < my_size ? rows_of(v) - first : my_size;
    MPI_Offset start[2] = { first, 0 }, count[2] = { n, COLS }, records = -1;
    check_code(a->what, ncmpi_inq_dimlen(s.ncid, 0, &records), NC_NOERR);
    CHECK(records == s.records, "rank %d: %s: %lld records, not %d", my_rank, a->what, (long long)records,
          s.records);
    if (n == 0)
        return;
    check_code(a->what, ncmpi_get_vara_int_all(s.ncid, v, start, count, row), NC_NOERR);
    for (int i = 0; i < n * COLS; i++)
        CHECK(row[i] == s.values[v][first * COLS + i], "rank %d: %s: row %d column %d is %d, not %d", my_rank,
              a->what, first + i / COLS, i % COLS, row[i], s.values[v][first * COLS + i]);
}

/* The file goes on: a good put, got by another rank. */
static void go_on(const struct act *a)
{
    int mine = s.serial * 10 + my_rank, other = (my_rank + 1) % my_size, got = -1;
    check_code(a->what, ncmpi_put_var1_int_all(s.ncid, AFTER, (MPI_Offset[]){ my_rank }, &mine), NC_NOERR);
    check_code(a->what, ncmpi_get_var1_int_all(s.ncid, AFTER, (MPI_Offset[]){ other }, &got), NC_NOERR);
    CHECK(got == s.serial * 10 + other, "rank %d: after %s: %d, not %d", my_rank, a->what, got,
          s.serial * 10 + other);
}

static void one_case(struct act *a)
{
    bool is_local = is_posted(a->d) || a->wrong == RANGE;
    s.serial++;
    my_cases++;
    a->base = is_put(a->d) && a->d->form != FORM_VAR ? s.records : 0;
    snprintf(a->what, sizeof a->what, "CDF-%d %s %s, rank %d: %s", s.format, a->d->name,
             a->v == RECORD ? "record" : "fixed", a->bad, errors[a->wrong].name);
    check_code(a->what, call(a), code_here(a->bad, errors[a->wrong].code, my_safe && !is_local));
    if (is_put(a->d))
        expect(a);
    else
        check_got(a);
    for (int v = FIXED; v <= RECORD; v++)
        if (concerns(a, v) && is_put(a->d))
            check_rows(a, v);
    go_on(a);
}

/* ---- files */

static void scene_open(int format)
{
    static const char *const names[VARS] = { "fixed", "record", "text", "scalar", "large", "after" };
    static const int types[VARS] = { NC_INT, NC_SHORT, NC_CHAR, NC_INT, NC_DOUBLE, NC_INT };
    static const int ndims[VARS] = { 2, 2, 2, 0, 2, 1 };
    double large[MOST_RANKS * COLS];
    int d[3], id;
    s.format = format;
    s.records = s.serial = 0;
    memset(s.values, 0, sizeof s.values);
    check_code("create", ncmpi_create(MPI_COMM_WORLD, my_path, format_cmode(format), MPI_INFO_NULL, &s.ncid),
               NC_NOERR);
    check_code("def_dim", ncmpi_def_dim(s.ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    check_code("def_dim", ncmpi_def_dim(s.ncid, "x", COLS, &d[1]), NC_NOERR);
    check_code("def_dim", ncmpi_def_dim(s.ncid, "r", my_size, &d[2]), NC_NOERR);
    for (int v = 0; v < VARS; v++)
        check_code("def_var",
                   ncmpi_def_var(s.ncid, names[v], types[v], ndims[v],
                                 (int[]){ v == RECORD ? d[0] : d[2], d[1] }, &id),
                   NC_NOERR);
    check_code("enddef", ncmpi_enddef(s.ncid), NC_NOERR);
    check_code("attach", ncmpi_buffer_attach(s.ncid, ROOM * 8), NC_NOERR);
    for (int i = 0; i < my_size * COLS; i++)
        large[i] = 1e20;
    check_code("put", ncmpi_put_var_double_all(s.ncid, LARGE, large), NC_NOERR);
}

/* Values for gets, and records for form var. */
static void put_first(void)
{
    static const struct data puts = { .name = "the first put", .way = PUT_ALL, .form = FORM_VARA };
    for (int v = FIXED; v <= RECORD; v++) {
        struct act a = { .d = &puts, .v = v, .bad = -1 };
        int rows[COLS];
        MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLS };
        for (int i = 0; i < my_size * COLS; i++)
            s.values[v][i] = value_of(v, i);
        memcpy(rows, &s.values[v][my_rank * COLS], sizeof rows);
        check_code("put", ncmpi_put_vara_int_all(s.ncid, v, start, count, rows), NC_NOERR);
        s.records = v == RECORD ? my_size : 0;
        if (v == RECORD)
            check_rows(&a, v);
    }
}

/* Rank 0 reads what stands in the file, big-endian, where the header says. */
static void check_bytes(const char *what)
{
    MPI_Offset begin[2] = { 0 }, recsize = 0, records = 0;
    int ncid;
    check_code(what, ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    check_code(what, ncmpi_inq_varoffset(ncid, FIXED, &begin[0]), NC_NOERR);
    check_code(what, ncmpi_inq_varoffset(ncid, RECORD, &begin[1]), NC_NOERR);
    check_code(what, ncmpi_inq_recsize(ncid, &recsize), NC_NOERR);
    check_code(what, ncmpi_inq_dimlen(ncid, 0, &records), NC_NOERR);
    check_code(what, ncmpi_close(ncid), NC_NOERR);
    CHECK(records == s.records, "%s: the file has %lld records, not %d", what, (long long)records, s.records);
    FILE *file = my_rank == 0 ? fopen(my_path, "rb") : NULL;
    for (int v = FIXED; file && v <= RECORD; v++)
        for (int row = 0; row < rows_of(v); row++) {
            unsigned char bytes[COLS * 4] = { 0 };
            fseek(file, (long)(begin[v] + row * (v == RECORD ? recsize : COLS * 4)), SEEK_SET);
            size_t n =
                fread(bytes, v == RECORD ? 2 : 4, COLS, file); /* the last columns are put by few calls */
            CHECK(n == COLS || row == rows_of(v) - 1, "%s: the file ends in row %d", what, row);
            for (int i = 0; i < COLS; i++) {
                const unsigned char *b = bytes + i * (v == RECORD ? 2 : 4);
                unsigned wide =
                    v == RECORD ? 0 : (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | b[2] << 8 | b[3];
                int got = v == RECORD ? (int16_t)(b[0] << 8 | b[1]) : (int32_t)wide;
                CHECK(got == s.values[v][row * COLS + i], "%s: variable %d row %d column %d is %d, not %d",
                      what, v, row, i, got, s.values[v][row * COLS + i]);
            }
        }
    if (file)
        fclose(file);
}

/* Every error of one function. */
static void every_error(const struct data *d, int format)
{
    scene_open(format);
    put_first();
    for (int v = FIXED; v <= RECORD; v++)
        for (int w = GOOD + 1; w < WRONGS; w++)
            for (int bad = 0; bad < my_size; bad++) {
                struct act a = { .d = d, .v = v, .wrong = (enum wrong)w, .bad = bad };
                if (applies(&a))
                    one_case(&a);
            }
    check_code("detach", ncmpi_buffer_detach(s.ncid), NC_NOERR);
    check_code("close", ncmpi_close(s.ncid), NC_NOERR);
    check_bytes(d->name);
}

/* ---- errors of the file's mode: every rank's */

static void every_function_fails(const char *mode, int code, bool gets)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct data *d = &functions[i];
        struct act a = { .d = d, .bad = -1 };
        if (!is_tested(d) || is_posted(d) || (!gets && !is_put(d)))
            continue;
        my_cases++;
        snprintf(a.what, sizeof a.what, "%s in %s", d->name, mode);
        check_code(a.what, call(&a), code);
    }
    if (gets)
        check_code(mode, ncmpi_wait_all(s.ncid, NC_REQ_ALL, NULL, NULL), code);
}

static void every_mode(int format)
{
    scene_open(format);
    put_first();
    check_code("begin_indep", ncmpi_begin_indep_data(s.ncid), NC_NOERR);
    every_function_fails("independent mode", NC_EINDEP, true);
    check_code("end_indep", ncmpi_end_indep_data(s.ncid), NC_NOERR);
    check_code("redef", ncmpi_redef(s.ncid), NC_NOERR);
    every_function_fails("define mode", NC_EINDEFINE, true);
    check_code("close", ncmpi_close(s.ncid), NC_NOERR);
    every_function_fails("a closed file", NC_EBADID, true);
    check_code("open", ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    every_function_fails("a read-only file", NC_EPERM, false);
    check_code("close", ncmpi_close(s.ncid), NC_NOERR);
    check_bytes("modes");
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "agreement_data", 220);
    make_types();
    for (int safe = 0; safe < 2; safe++) {
        int turn = 0;
        set_safe(safe);
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
            if (is_tested(&functions[i]))
                every_error(&functions[i], (int[]){ 1, 2, 5 }[turn++ % 3]);
        every_mode(safe ? 5 : 1);
    }
    MPI_Type_free(&pair_type);
    MPI_Type_free(&mixed_type);
    return agreements_end("agreement_data");
}
