#ifndef AGREEMENT_CALLS_H
#define AGREEMENT_CALLS_H
/* The table of agreement_data.c: the data functions, the errors with their codes and where they apply, and
 * one call of all ranks that is spoilt on one. */

#include "agreements.h"
#include "symbols.h"

enum { COLS = 6, WIDE = 3, MOST_RANKS = 8, ROOM = 3000 * COLS, GUARD = -77, OUT_OF_RANGE = 2000000000 };
enum { FIXED, RECORD, TEXT, SCALAR, LARGE, AFTER, VARS };

/* ---- the functions: of twelve types two, and the flexible one */

struct data {
    const char *name;
    int (*run)(const struct job *j);
    enum way way;
    enum form form;
    int mem;
};
/* clang-format off */
#define RUN(way, FORM, mem, name, form, arity, tail, type)                                                   \
    static int run_##name(const struct job *j)                                                               \
    { return name(HEAD_V_##arity, FORM_V_##arity##_##form (type)BUF_##arity TAIL_V_##tail); }
#define ROW(way, FORM, mem, name, form, arity, tail, type) { #name, run_##name, way, FORM, mem },
DATA_FUNCTIONS(RUN)
static const struct data functions[] = { DATA_FUNCTIONS(ROW) };
/* clang-format on */

static bool is_posted(const struct data *d)
{
    return d->way == IPUT || d->way == IGET || d->way == BPUT;
}

static bool is_put(const struct data *d)
{
    return d->way == PUT_ALL || d->way == MPUT_ALL || d->way == IPUT || d->way == BPUT;
}

static bool is_many(const struct data *d)
{
    return d->way == MPUT_ALL || d->way == MGET_ALL;
}

static bool is_tested(const struct data *d)
{
    bool collective = d->way == PUT_ALL || d->way == GET_ALL || is_many(d) || is_posted(d);
    bool doubles =
        d->mem == MEM_DOUBLE && !is_posted(d) && my_size < 4; /* many ranks take turns on few cores */
    return collective && (d->mem == ANY_TYPE || d->mem == MEM_INT || doubles);
}

static enum mem mem_of(const struct data *d)
{
    return d->mem == ANY_TYPE ? MEM_INT : (enum mem)d->mem;
}

/* ---- the errors */

enum on { /* which calls an error applies to */
          ON_ANY,
          ON_COORDS, /* all but var */
          ON_COUNTS, /* vara, vars, varm, varn */
          ON_ARRAYS, /* vara, vars, varm */
          ON_STRIDES,
          ON_LIST, /* varn */
          ON_FLEX,
          ON_MANY,
          ON_WAIT
};
enum wrong {
    GOOD,
    NOT_VAR,
    NO_VAR_BELOW,
    GLOBAL,
    AS_TEXT,
    START_FAR,
    START_BELOW,
    COLUMN_FAR,
    START_NULL,
    RECORD_FAR,
    COUNT_NULL,
    EDGE,
    NEGATIVE,
    STRIDE_0,
    STRIDE_BELOW,
    LIST_NULL,
    LIST_HOLE,
    LIST_NEGATIVE,
    LIST_SCALAR,
    FLEX_MORE,
    FLEX_LESS,
    FLEX_NONE,
    FLEX_IGNORE,
    FLEX_ALIEN,
    FLEX_MIXED,
    FLEX_BYTES,
    MANY_NEGATIVE,
    MANY_NO_IDS,
    MANY_NO_BUFFERS,
    WAIT_STRANGE,
    WAIT_NEGATIVE,
    WAIT_NULL,
    RANGE,
    WRONGS
};
static const struct error {
    const char *name;
    enum on on;
    int code;
} errors[WRONGS] = {
#include "agreement_errors.def"
};

/* ---- the file, and what it should hold */

struct scene {
    int ncid, format, serial;
    int records;
    int values[2][ROOM]; /* of FIXED and RECORD */
};
static struct scene s;

struct act { /* one call of all ranks */
    const struct data *d;
    int v; /* FIXED or RECORD; of mput and mget the one that is spoilt */
    enum wrong wrong;
    int bad, base;
    char what[160];
};

static bool applies(const struct act *a)
{
    const struct data *d = a->d;
    bool grows = is_put(d) && a->v == RECORD, coords = d->form != FORM_VAR, flex = d->mem == ANY_TYPE;
    if (a->wrong == START_NULL && d->form == FORM_VARN)
        return false; /* LIST_NULL */
    if (a->wrong == START_FAR && grows)
        return false;
    if (a->wrong == RECORD_FAR && (!grows || s.format == 5))
        return false;
    if (a->wrong == FLEX_NONE && is_posted(d))
        return false; /* a post of nothing: reference 4.3 */
    if (a->wrong == RANGE)
        return is_put(d) ? a->v == RECORD || mem_of(d) == MEM_DOUBLE : mem_of(d) == MEM_INT;
    switch (errors[a->wrong].on) {
    case ON_COORDS:
        return coords;
    case ON_COUNTS:
        return coords && d->form != FORM_VAR1;
    case ON_ARRAYS:
        return coords && d->form != FORM_VAR1 && d->form != FORM_VARN;
    case ON_STRIDES:
        return d->form == FORM_VARS || d->form == FORM_VARM;
    case ON_LIST:
        return d->form == FORM_VARN;
    case ON_FLEX:
        return flex;
    case ON_MANY:
        return is_many(d) && a->v == FIXED;
    case ON_WAIT:
        return is_posted(d);
    default:
        return true;
    }
}

static int rows_of(int v)
{
    return v == RECORD ? s.records : my_size;
}

/* Where element i of a rank's request for variable v stands; returns their number. */
static int places_of(const struct act *a, int v, int rank, int *places)
{
    enum form form = a->d->form;
    int n = 0, first = ((v == RECORD ? a->base : 0) + rank) * COLS;
    int many = form == FORM_VAR ? rows_of(v) * COLS : form == FORM_VAR1 ? 1 : WIDE;
    int step = form == FORM_VARS || form == FORM_VARM ? 2 : 1;
    for (; n < many; n++)
        places[n] = form == FORM_VAR ? n : form == FORM_VARN ? first + n + n / 2 : first + n * step;
    return n;
}

static int value_of(int v, int place)
{
    return (s.serial * 37 + v * 1009 + place * 11) % 30000 + 1;
}

static bool is_range_put(const struct act *a, int v)
{
    return a->wrong == RANGE && is_put(a->d) && v == a->v;
}

/* In form var all ranks put the same, so the fill value too, which the bad rank makes of a value out of
 * range.
 */
static int value_put(const struct act *a, int v, int i, int place, int rank)
{
    bool is_fill = i == 0 && is_range_put(a, v) && (rank == a->bad || a->d->form == FORM_VAR);
    return !is_fill ? value_of(v, place) : v == RECORD ? NC_FILL_SHORT : NC_FILL_INT;
}

/* ---- one call */

struct entry { /* what a call asks of one variable, and room for it */
    MPI_Offset start[2], count[2], stride[2], imap[2], bufcount;
    int varid, n;
    MPI_Datatype buftype;
    double buf[ROOM];
};
static struct entry entries[2];
static int places[ROOM];

static void fill_entry(const struct act *a, int v)
{
    struct entry *e = &entries[v];
    enum form form = a->d->form;
    e->n = places_of(a, v, my_rank, places);
    e->varid = v;
    e->start[0] = (v == RECORD ? a->base : 0) + my_rank, e->start[1] = 0;
    e->count[0] = 1, e->count[1] = form == FORM_VARN ? 2 : WIDE;
    e->stride[0] = 1, e->stride[1] = 2;
    e->imap[0] = WIDE, e->imap[1] = 1;
    e->bufcount = e->n;
    e->buftype = MPI_INT;
    for (int i = 0; i <= e->n; i++) {
        bool mine = is_put(a->d) && i < e->n;
        mem_set(e->buf, mem_of(a->d), (size_t)i, mine ? value_put(a, v, i, places[i], my_rank) : GUARD);
    }
    if (is_range_put(a, v) && my_rank == a->bad) {
        mem_set(e->buf, mem_of(a->d), 0, OUT_OF_RANGE);
        if (a->d->mem == MEM_DOUBLE)
            e->buf[0] = 1e30;
    }
}

/* A buffer and a place for a variable that has rows of the fixed one's shape. */
static void use_other(const struct act *a, struct entry *e, int varid)
{
    e->varid = varid;
    e->start[0] = my_rank;
    e->bufcount = a->d->form == FORM_VAR ? my_size * COLS : e->n;
}

/* Once for the program: types that the errors need. */
static MPI_Datatype pair_type, mixed_type;

static void make_types(void)
{
    MPI_Type_contiguous(1, MPI_INT, &pair_type);
    MPI_Type_create_struct(2, (int[]){ 1, 1 }, (MPI_Aint[]){ 0, 8 }, (MPI_Datatype[]){ MPI_INT, MPI_DOUBLE },
                           &mixed_type);
    MPI_Type_commit(&pair_type);
    MPI_Type_commit(&mixed_type);
}

static void spoil_entry(const struct act *a, struct entry *e)
{
    switch (a->wrong) {
    case NOT_VAR:
    case NO_VAR_BELOW:
        e->varid = a->wrong == NOT_VAR ? 99 : -5;
        break;
    case GLOBAL:
        e->varid = NC_GLOBAL;
        break;
    case AS_TEXT:
        use_other(a, e, TEXT);
        break;
    case START_FAR:
        e->start[0] += 100000;
        break;
    case START_BELOW:
        e->start[0] = -1;
        break;
    case COLUMN_FAR:
        e->start[1] = COLS;
        break;
    case RECORD_FAR:
        e->start[0] = NC_MAX_INT;
        break;
    case EDGE:
    case NEGATIVE:
        e->count[1] = a->wrong == EDGE ? COLS + 1 : -1;
        break;
    case STRIDE_0:
    case STRIDE_BELOW:
        e->stride[1] = a->wrong == STRIDE_0 ? 0 : -1;
        break;
    case LIST_SCALAR:
        e->varid = SCALAR;
        break;
    case FLEX_MORE:
        e->bufcount++;
        break;
    case FLEX_LESS:
    case FLEX_NONE:
        e->bufcount = a->wrong == FLEX_LESS ? -2 : 0;
        break;
    case FLEX_IGNORE:
        e->bufcount = NC_COUNT_IGNORE;
        e->buftype = pair_type;
        break;
    case FLEX_ALIEN:
    case FLEX_MIXED:
    case FLEX_BYTES:
        e->buftype = a->wrong == FLEX_ALIEN   ? MPI_LONG_DOUBLE
                     : a->wrong == FLEX_MIXED ? mixed_type
                                              : MPI_BYTE;
        break;
    case RANGE:
        if (!is_put(a->d))
            use_other(a, e, LARGE);
        break;
    default:
        break;
    }
}

/* wait_all of this rank's one request. */
static int wait_for(const struct act *a, int request, enum wrong w)
{
    int ids[2] = { request, 9998 }, statuses[2] = { -1, -1 }, n = w == WAIT_STRANGE ? 2 : 1;
    if (w == WAIT_NEGATIVE)
        n = -7;
    int err = ncmpi_wait_all(s.ncid, n, w == WAIT_NULL ? NULL : ids, statuses);
    if (w == WAIT_NEGATIVE || w == WAIT_NULL) { /* the request is still there */
        check_code(a->what, ncmpi_cancel(s.ncid, 1, ids, statuses), NC_NOERR);
        return err;
    }
    bool is_range_get = w == RANGE && !is_put(a->d);
    check_code(a->what, statuses[0], is_range_get ? NC_ERANGE : NC_NOERR);
    if (w == WAIT_STRANGE)
        check_code(a->what, statuses[1], NC_EINVAL_REQUEST);
    CHECK_INT(ids[0], NC_REQ_NULL);
    return err;
}

/* The call on this rank, spoilt on the bad one. A post that fails is no one else's affair: all wait. */
static int call(const struct act *a)
{
    enum wrong w = my_rank == a->bad ? a->wrong : GOOD;
    struct entry *e = &entries[a->v];
    int request = NC_REQ_NULL;
    fill_entry(a, FIXED);
    fill_entry(a, RECORD);
    if (w)
        spoil_entry(a, e);
    MPI_Offset second[2] = { e->start[0], e->start[1] + 3 }, one[2] = { 1, 1 }, *first = e->start;
    struct job j = { .ncid = s.ncid, .varid = e->varid, .num = w == LIST_NEGATIVE ? -1 : 2, .nvars = 2 };
    j.start = w == START_NULL ? NULL : e->start, j.count = w == COUNT_NULL ? NULL : e->count;
    j.stride = e->stride, j.imap = e->imap;
    j.starts = w == LIST_NULL ? NULL : (MPI_Offset *[]){ first, w == LIST_HOLE ? NULL : second };
    j.counts = (MPI_Offset *[]){ e->count, one };
    j.vstarts = (MPI_Offset *[]){ entries[0].start, entries[1].start };
    j.vcounts = (MPI_Offset *[]){ entries[0].count, entries[1].count };
    j.vstrides = (MPI_Offset *[]){ entries[0].stride, entries[1].stride };
    j.vimaps = (MPI_Offset *[]){ entries[0].imap, entries[1].imap };
    if (w == START_NULL)
        j.vstarts[a->v] = NULL;
    if (w == COUNT_NULL)
        j.vcounts[a->v] = NULL;
    j.varids = w == MANY_NO_IDS ? NULL : (int[]){ entries[0].varid, entries[1].varid };
    j.nvars = w == MANY_NEGATIVE ? -1 : 2;
    j.reqid = &request;
    j.buf = e->buf;
    j.bufs = w == MANY_NO_BUFFERS ? NULL : (void *[]){ entries[0].buf, entries[1].buf };
    j.bufcount = e->bufcount, j.bufcounts = (MPI_Offset[]){ entries[0].bufcount, entries[1].bufcount };
    j.buftype = e->buftype, j.buftypes = (MPI_Datatype[]){ entries[0].buftype, entries[1].buftype };
    int err = a->d->run(&j);
    if (!is_posted(a->d))
        return err;
    int waited = wait_for(a, request, w);
    return err ? err : waited;
}
#endif
