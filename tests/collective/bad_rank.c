/* Fixes: in every collective put and get (six forms, fixed and record variables) a rank that asks for nothing
 * succeeds, one without memory gets NC_ENOMEM whichever allocation fails, or its data is right (a transfer
 * can do without some of its memory); no rank hangs; the others succeed, their data is right, and all ranks
 * know the same number of records. The peer hangs or corrupts here (models.md 2.3). Bad arguments:
 * agreement_data.c. */

#include "together.h"
#include "forms.h"
#include "alloc.h"
#include "dataset.h"

enum { COLS = 6 };
enum wrong { GOOD, ZERO, ZERO_WIDTH, NO_MEMORY, WRONGS };
static const char *const wrong_names[WRONGS] = { "nothing wrong", "count 0", "width 0", "no memory" };

struct scene {
    int ncid, fixed, record, format;
    MPI_Offset records; /* that exist */
};

static void scene_open(struct scene *s, int format, MPI_Info info)
{
    int d[3];
    *s = (struct scene){ .format = format };
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | format_cmode(format), info, &s->ncid),
             NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "x", COLS, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "r", my_size, &d[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s->ncid, "fixed", NC_INT, 2, (int[]){ d[2], d[1] }, &s->fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s->ncid, "record", NC_SHORT, 2, d, &s->record), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s->ncid, "other", NC_BYTE, 2, d, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_enddef(s->ncid), NC_NOERR);
}

/* One call: every rank one row of the variable, the bad rank spoilt. */
struct ask {
    bool put, record;
    enum form form;
    enum wrong wrong;
    int bad, value;
    int64_t fail_at; /* NO_MEMORY: which allocation */
    MPI_Offset base; /* first row of a record variable */
    bool managed;    /* the bad rank's call succeeded without that memory */
};

static bool applies(const struct ask *a)
{
    return a->form >= FORM_VARA || (a->wrong != ZERO && a->wrong != ZERO_WIDTH);
}

static int code_of(const struct ask *a)
{
    return a->wrong == NO_MEMORY && !a->managed ? NC_ENOMEM : NC_NOERR;
}

static int width_of(const struct ask *a)
{
    return a->form == FORM_VAR1 ? 1 : COLS;
}

/* The call on this rank; returns its code. For form var every rank puts or gets the whole variable. */
static int ask(const struct scene *s, const struct ask *a, int *buf)
{
    MPI_Offset start[2] = { (a->record ? a->base : 0) + my_rank, 0 }, count[2] = { 1, width_of(a) },
               stride[2] = { 1, 1 }, imap[2] = { COLS, 1 }, *starts = start, *counts = count;
    bool bad = my_rank == a->bad;
    enum wrong w = bad ? a->wrong : GOOD;
    struct call c = { .ncid = s->ncid,
                      .varid = a->record ? s->record : s->fixed,
                      .put = a->put,
                      .collective = true,
                      .form = a->form,
                      .mem = MEM_INT,
                      .start = start,
                      .count = count,
                      .stride = stride,
                      .imap = imap,
                      .num = 1,
                      .starts = &starts,
                      .counts = &counts,
                      .buf = buf };
    if (w == ZERO)
        count[0] = c.num = 0;
    else if (w == ZERO_WIDTH)
        count[1] = 0;
    if (w == NO_MEMORY)
        pcdf_alloc_fail_at(a->fail_at, 0);
    int err = call_run(&c);
    if (w == NO_MEMORY && pcdf_alloc_asked() < a->fail_at)
        err = err ? err : NC_ENOMEM + 1000; /* it never came to that */
    if (w == NO_MEMORY)
        pcdf_alloc_fail_at(0, 0);
    return err;
}

static void check_records(const struct scene *s, const char *what)
{
    MPI_Offset n = -1;
    CHECK_NC(ncmpi_inq_dimlen(s->ncid, 0, &n), NC_NOERR);
    CHECK(n == s->records, "rank %d knows %lld records, not %lld (%s)", my_rank, (long long)n,
          (long long)s->records, what);
}

/* All ranks read the rows of the good ranks back, alone, through a good call. */
static void check_rows(const struct scene *s, const struct ask *a, const char *what)
{
    int row[COLS];
    for (int r = 0; r < my_size; r++) {
        MPI_Offset start[2] = { (a->record ? a->base : 0) + r, 0 }, count[2] = { 1, width_of(a) };
        if (r == a->bad && code_of(a))
            continue;
        if (r == a->bad && a->wrong != GOOD && !a->managed)
            continue;
        CHECK_NC(ncmpi_get_vara_int_all(s->ncid, a->record ? s->record : s->fixed, start, count, row),
                 NC_NOERR);
        for (int i = 0; i < width_of(a); i++)
            CHECK(row[i] == a->value + 10 * r + i, "%s: row %d column %d is %d, not %d", what, r, i, row[i],
                  a->value + 10 * r + i);
    }
}

static void make_row(const struct ask *a, int *buf, int rank)
{
    for (int i = 0; i < COLS; i++)
        buf[i] = a->value + 10 * rank + i;
}

/* False when the allocation that should fail was never asked for: no more of them. */
static bool one_put(struct scene *s, struct ask *a)
{
    char what[128];
    int *buf = calloc((size_t)(COLS * (my_size + s->records + 1)), sizeof *buf);
    snprintf(what, sizeof what, "CDF-%d put %s %s, rank %d of %d: %s %lld", s->format, form_names[a->form],
             a->record ? "record" : "fixed", a->bad, my_size, wrong_names[a->wrong], (long long)a->fail_at);
    a->base = a->record && a->form != FORM_VAR ? s->records : 0;
    make_row(a, buf, my_rank);
    for (int r = 0; a->form == FORM_VAR && r < (a->record ? (int)s->records : my_size); r++)
        make_row(a, buf + r * COLS, r); /* every rank puts the same */
    int err = ask(s, a, buf), never = err == NC_ENOMEM + 1000;
    bool reached = together_all(!never);
    a->managed = !together_all(my_rank != a->bad || a->wrong != NO_MEMORY || err != NC_NOERR);
    int want = my_rank == a->bad ? code_of(a) : NC_NOERR;
    CHECK(err == want || never, "%s: rank %d gets %s, not %s", what, my_rank, ncmpi_strerrno(err),
          ncmpi_strerrno(want));
    if (a->record && a->form != FORM_VAR) {
        bool bad_is_last = a->bad == my_size - 1 && a->wrong != GOOD && reached && !a->managed;
        if (a->wrong == NO_MEMORY && !reached)
            bad_is_last = false;
        s->records += my_size - (bad_is_last ? 1 : 0);
    }
    check_records(s, what);
    if (my_size > 1 && reached)
        check_rows(s, a, what);
    free(buf);
    return reached;
}

static bool one_get(struct scene *s, struct ask *a)
{
    char what[128];
    int *buf = calloc((size_t)(COLS * (my_size + s->records + 1)), sizeof *buf);
    snprintf(what, sizeof what, "CDF-%d get %s %s, rank %d of %d: %s %lld", s->format, form_names[a->form],
             a->record ? "record" : "fixed", a->bad, my_size, wrong_names[a->wrong], (long long)a->fail_at);
    a->base = 0;
    int err = ask(s, a, buf), never = err == NC_ENOMEM + 1000;
    bool reached = together_all(!never);
    a->managed = !together_all(my_rank != a->bad || a->wrong != NO_MEMORY || err != NC_NOERR);
    int want = my_rank == a->bad ? code_of(a) : NC_NOERR;
    CHECK(err == want || never, "%s: rank %d gets %s, not %s", what, my_rank, ncmpi_strerrno(err),
          ncmpi_strerrno(want));
    for (int i = 0; i < width_of(a) && (my_rank != a->bad || a->managed); i++)
        CHECK(buf[i] == a->value + 10 * (a->form == FORM_VAR ? 0 : my_rank) + i, "%s: column %d is %d", what,
              i, buf[i]);
    check_records(s, what);
    free(buf);
    return reached;
}

static void every_wrong(int format, enum form form, bool record, bool put)
{
    struct scene s;
    struct ask good = { .put = true, .form = FORM_VARA, .record = record, .bad = -1, .value = 100 };
    scene_open(&s, format, MPI_INFO_NULL);
    one_put(&s, &good);
    for (int w = ZERO; w < NO_MEMORY; w++)
        for (int bad = 0; bad<my_size; bad += my_size> 1 ? my_size - 1 : 1) {
            struct ask a = { .put = put,
                             .form = form,
                             .record = record,
                             .wrong = w,
                             .bad = bad,
                             .value = put ? 200 + w : 100 };
            if (applies(&a))
                put ? one_put(&s, &a) : one_get(&s, &a);
        }
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* The 1st, 2nd, ... allocation of the call fails on one rank, each in a new file. */
static void every_allocation(int format, enum form form, bool record, bool put, const char *collective)
{
    MPI_Info info;
    bool more = true;
    int failed = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", collective);
    for (int64_t n = 1; more && n < 40; n++) {
        struct scene s;
        struct ask good = { .put = true, .form = FORM_VARA, .record = record, .bad = -1, .value = 100 };
        struct ask a = { .put = put,
                         .form = form,
                         .record = record,
                         .wrong = NO_MEMORY,
                         .bad = my_size - 1,
                         .value = put ? 200 : 100,
                         .fail_at = n };
        scene_open(&s, format, info);
        one_put(&s, &good);
        more = put ? one_put(&s, &a) : one_get(&s, &a);
        failed += more;
        good.value = 300; /* the file goes on */
        one_put(&s, &good);
        CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    }
    CHECK(failed > 0, "form %s asks for no memory: this tests nothing", form_names[form]);
    CHECK(!more, "form %s asks for memory without end", form_names[form]);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const char *const ways[] = { "auto", "views", "two-phase" };
    together_begin(&argc, &argv, "bad_rank", 60);
    for (int form = 0; form < FORMS; form++)
        for (int record = 0; record < 2; record++)
            for (int put = 0; put < 2; put++) {
                every_wrong(1, form, record, put);
                every_wrong(5, form, record, put);
                every_allocation(2, form, record, put, ways[(form + record + put) % 3]);
            }
    return together_end("bad_rank");
}
