/* Fixes the order in which the data calls look for errors (reference 4.5, 4.15), as data: a table lists what
 * can be wrong with a call, first what is looked at first. Each fault alone gives its code; each two that one
 * call can have give the code of the first; and so does a fault with all later ones that fit. In all forms,
 * typed and flexible, alone, together, posted, two variables at a time; wait, cancel and filling, too. All
 * ranks make the same calls. A post that fails gives NC_REQ_NULL, one that is out of range a request. What is
 * out of range is counted, and the first value told with its place: exactly, in whatever parts it moves. */

#include "together.h"
#include "datafaults.h"

static MPI_Datatype types[TYPES];
static int handles[2][3]; /* read only or not; by mode */
static int values[64], got[64];

/* ---- a good call, and what a fault makes of it */

static int elements(enum form form)
{
    return form == VAR ? ROWS * COLUMNS : form == VAR1 ? 1 : form == VARN ? 5 : 4;
}

static struct call good_call(enum op op, enum form form, enum memory memory, int varid)
{
    struct call c = { .op = op,
                      .form = form,
                      .memory = memory,
                      .mode = op & (TOGETHERS | WAIT_ALL | CANCEL | FILL_VAR_REC) ? TOGETHER
                              : op & POSTS         ? (enum mode)((form / 2 + memory / 4) % 3)
                              : op == DEF_VAR_FILL ? DEFINE
                                                   : ALONE,
                      .varid = varid,
                      .num = 2,
                      .room = { { 1, 1 }, { 2, 2 }, { 1, 1 }, { 1, 2 } },
                      .buf = op & GETS ? got : values,
                      .bufcount = elements(form),
                      .buftype = MPI_INT,
                      .attached = 4096,
                      .req = 77,
                      .record = 1 };
    for (int i = 0; i < 64; i++)
        values[i] = 300;
    return c;
}

/* The arrays of c, once it is where it stays. */
static void point(struct call *c)
{
    c->start = c->room[0];
    c->count = c->room[1];
    c->stride = c->room[2];
    c->imap = c->room[3];
}

static void spoil_slab(struct call *c, const struct fault *f)
{
    switch (f->set) {
    case F_START:
        c->start = NULL;
        break;
    case F_START0:
    case F_START1:
        c->room[0][f->set == F_START1] = f->value;
        break;
    case F_COUNT:
        c->count = NULL;
        break;
    case F_COUNT0:
    case F_COUNT1:
        c->room[1][f->set == F_COUNT1] = f->value;
        break;
    case F_STRIDE0:
    case F_STRIDE1:
        c->room[2][f->set == F_STRIDE1] = f->value;
        break;
    default:
        CHECK(0, "fault \"%s\" sets nothing", f->what);
    }
}

static void spoil_memory(struct call *c, const struct fault *f)
{
    switch (f->set) {
    case F_MEMORY:
        c->memory = (enum memory)f->value;
        break;
    case F_ATTACHED:
        c->attached = f->value;
        break;
    case F_DERIVED:
        c->bufcount = NC_COUNT_IGNORE;
        c->buftype = types[f->value];
        break;
    case F_BUFTYPE:
        c->buftype = types[f->value];
        break;
    case F_BUFCOUNT:
        c->bufcount = f->value;
        break;
    case F_VALUES:
        values[0] = (int)f->value;
        break;
    default:
        spoil_slab(c, f);
    }
}

static void spoil(struct call *c, const struct fault *f)
{
    switch (f->set) {
    case F_NCID:
        c->bad_ncid = true;
        break;
    case F_READONLY:
        c->readonly = true;
        break;
    case F_MODE:
        c->mode = (enum mode)f->value;
        break;
    case F_VARID:
        c->varid = (int)f->value;
        break;
    case F_NUM:
        c->num = (int)f->value;
        break;
    case F_STARTS:
        c->no_starts = c->no_varids = true;
        break;
    case F_IDS:
        c->no_ids = f->value == NO_IDS;
        c->bad_id = f->value == BAD_ID;
        c->id_twice = f->value == ID_TWICE;
        break;
    case F_RANGE:
        c->bad_range = true;
        break;
    case F_RECORD:
        c->record = f->value;
        break;
    default:
        spoil_memory(c, f);
    }
}

/* ---- the calls */

static int post_and_wait(struct call *c, int ncid)
{
    int ids[4], statuses[4] = { 1, 1, 1, 1 }, n = 0, at_range = -1, at_id = -1;
    c->bad_ncid = false;
    CHECK_NC(ncmpi_iput_vara_int(ncid, FIXED, good_start, good_count, values, &ids[n++]), NC_NOERR);
    if (c->bad_range) {
        at_range = n;
        CHECK_NC(ncmpi_iget_var_schar(ncid, FIXED, (signed char *)got, &ids[n++]), NC_NOERR);
    }
    if (c->bad_id || c->id_twice) {
        at_id = n;
        ids[n++] = c->bad_id ? 4000 : ids[0];
    }
    n = c->num < 0 ? c->num : n;
    int *some = c->no_ids ? NULL : ids;
    int err = c->op == WAIT       ? ncmpi_wait(c->ncid, n, some, statuses)
              : c->op == WAIT_ALL ? ncmpi_wait_all(c->ncid, n, some, statuses)
                                  : ncmpi_cancel(c->ncid, n, some, statuses);
    if (err == NC_ERANGE || err == NC_EINVAL_REQUEST || err == NC_NOERR) { /* carried out */
        CHECK_NC(statuses[0], NC_NOERR);
        if (at_range >= 0)
            CHECK_NC(statuses[at_range], NC_ERANGE);
        if (at_id >= 0)
            CHECK_NC(statuses[at_id], NC_EINVAL_REQUEST);
    }
    return err;
}

static int make(struct call *c)
{
    static const short late = 7;
    int ncid = handles[c->readonly][c->readonly && c->mode == DEFINE ? TOGETHER : c->mode];
    c->ncid = c->bad_ncid ? 1000 : ncid;
    if (c->op == DEF_VAR_FILL)
        return ncmpi_def_var_fill(c->ncid, c->varid, 0, &late);
    if (c->op == FILL_VAR_REC)
        return ncmpi_fill_var_rec(c->ncid, c->varid, c->record);
    if (c->op == BPUT && c->attached)
        CHECK_NC(ncmpi_buffer_attach(ncid, c->attached), NC_NOERR);
    int err = c->op & (WAIT | WAIT_ALL | CANCEL) ? post_and_wait(c, ncid) : call_data(c);
    CHECK_NC(ncmpi_cancel(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    if (c->op == BPUT && c->attached)
        CHECK_NC(ncmpi_buffer_detach(ncid), NC_NOERR);
    return err;
}

/* ---- all faults of a call */

struct row {
    const struct fault *faults;
    int n;
    enum op op;
    enum form form;
    enum memory memory;
    int varid;
};

static bool fits(const struct row *row, const struct fault *f)
{
    unsigned varid = 1u << row->varid;
    return f->ops & row->op && f->forms & row->form && f->memories & row->memory &&
           (!f->varids || f->varids & varid);
}

/* A good call with faults a and b, and, from `more` on, every one that does not touch what is spoilt already;
 * b NULL: a alone; a NULL: a good one. */
static void try(const struct row *row, const struct fault *a, const struct fault *b, bool more)
{
    struct call c = good_call(row->op, row->form, row->memory, row->varid);
    int want = a ? a->code : NC_NOERR;
    unsigned spoilt = 0;
    point(&c);
    for (const struct fault *f = a; f && f < row->faults + row->n; f++) {
        bool wanted = f == a || f == b || more;
        if (!wanted || !fits(row, f) || spoilt & (f->set | f->also))
            continue;
        spoil(&c, f);
        spoilt |= f->set | f->also;
    }
    int err = make(&c);
    CHECK(err == want, "function %d, form %d, memory %d, variable %d, %s%s%s%s: %s, not %s", row->op,
          row->form, row->memory, row->varid, a ? a->what : "good", b ? " and " : "", b ? b->what : "",
          more ? " and all later" : "", ncmpi_strerrno(err), ncmpi_strerrno(want));
    if (row->op & POSTS && err != NC_EBADID)
        CHECK((c.req == NC_REQ_NULL) == (err != NC_NOERR && err != NC_ERANGE), "%s gives request %d",
              ncmpi_strerrno(err), c.req);
}

static void try_all(const struct row *row)
{
    const struct fault *end = row->faults + row->n;
    try(row, NULL, NULL, false);
    for (const struct fault *a = row->faults; a < end; a++) {
        if (!fits(row, a))
            continue;
        try(row, a, NULL, false);
        try(row, a, NULL, true);
        for (const struct fault *b = a + 1; b < end; b++)
            if (fits(row, b) && !((a->set | a->also) & (b->set | b->also)))
                try(row, a, b, false);
    }
}

#define TRY_ALL(faults_, op_, form_, memory_, varid_)                                                        \
    try_all(&(struct row){ faults_, (int)(sizeof(faults_) / sizeof *(faults_)), (enum op)(op_),              \
                           (enum form)(form_), (enum memory)(memory_), (varid_) })

static void try_data(void)
{
    for (int op = PUT; op <= MGET_ALL; op *= 2)
        for (int form = VAR; form <= VARN; form *= 2)
            for (int memory = INT; memory <= FLEXIBLE; memory *= 2) {
                if (op & MANIES && form == VARN)
                    continue;
                TRY_ALL(data_faults, op, form, memory, FIXED);
                if (form & (VARA | VARS) || (form == VARN && memory == INT))
                    TRY_ALL(data_faults, op, form, memory, RECORD);
            }
}

/* ---- what the sentence tells of values that do not fit */

struct told {
    enum op op;
    enum form form;
    enum memory memory;
    int bad[2];           /* of a put: which values of the memory do not fit; -1: none */
    int stride;           /* in both dimensions */
    int buftype;          /* of flexible memory, or TYPES: that of the memory's own type */
    int waits;            /* so many of these are posted, and the wait tells it */
    const char *sentence; /* %d: 100000 and the first of bad, and more on other ranks */
    int varid;
};

static const struct told told[] = {
#define ONE_VALUE "variable fixed: 1 value does not fit in NC_SHORT and became a fill value: %d at index "
#define TWO_VALUES                                                                                           \
    "variable fixed: 2 values do not fit in NC_SHORT and became fill values, the first is %d at index "
#define SCALAR_VALUE "variable scalar: 1 value does not fit in NC_SHORT and became a fill value: %d"
#define REQUESTS                                                                                             \
    "12 values of 3 requests do not fit their types and became fill values, the first is 300 at index (1, "  \
    "1) of "                                                                                                 \
    "variable fixed"
#define NO_SCHARS " values do not fit in signed char and became fill values, the first is 300 at index "
    { PUT_ALL, VAR, INT, { 7, 12 }, 1, TYPES, 0, TWO_VALUES "(1, 2)", FIXED },
    { PUT_ALL, VARA, INT, { 3, -1 }, 1, TYPES, 0, ONE_VALUE "(2, 2)", FIXED },
    { PUT, VAR1, INT, { 0, -1 }, 1, TYPES, 0, ONE_VALUE "(1, 1)", FIXED },
    { PUT_ALL, VARS, INT, { 2, -1 }, 2, TYPES, 0, ONE_VALUE "(3, 1)", FIXED },
    { PUT, VARM, INT, { 1, -1 }, 1, TYPES, 0, ONE_VALUE "(2, 1)", FIXED },
    { PUT_ALL, VARN, INT, { 3, 4 }, 1, TYPES, 0, TWO_VALUES "(2, 1)", FIXED },
    { PUT_ALL, VARA, FLEXIBLE, { 1, 2 }, 1, TYPES, 0, TWO_VALUES "(1, 2)", FIXED },
    { PUT, VARA, FLEXIBLE, { 2, 6 }, 1, SPREAD, 0, TWO_VALUES "(1, 2)", FIXED },
    { IPUT, VARA, INT, { 1, 2 }, 1, TYPES, 0, TWO_VALUES "(1, 2)", FIXED },
    { IPUT, VARN, FLEXIBLE, { 4, -1 }, 1, TYPES, 0, ONE_VALUE "(2, 2)", FIXED },
    { IPUT, VARA, FLEXIBLE, { 2, 6 }, 1, SPREAD, 0, TWO_VALUES "(1, 2)", FIXED },
    { BPUT, VARM, INT, { 2, 1 }, 1, TYPES, 0, TWO_VALUES "(1, 2)", FIXED },
    { MPUT_ALL, VARA, INT, { 3, -1 }, 1, TYPES, 0, ONE_VALUE "(2, 2)", FIXED },
    { PUT_ALL, VAR, INT, { 0, -1 }, 1, TYPES, 0, SCALAR_VALUE, SCALAR },
    { GET_ALL, VARA, SCHAR, { -1, -1 }, 1, TYPES, 0, "variable fixed: 4" NO_SCHARS "(1, 1)", FIXED },
    { GET, VARS, SCHAR, { -1, -1 }, 2, TYPES, 0, "variable fixed: 4" NO_SCHARS "(1, 1)", FIXED },
    { GET, VARM, SCHAR, { -1, -1 }, 1, TYPES, 0, "variable fixed: 4" NO_SCHARS "(1, 1)", FIXED },
    { GET_ALL, VARN, SCHAR, { -1, -1 }, 1, TYPES, 0, "variable fixed: 5" NO_SCHARS "(0, 0)", FIXED },
    { GET_ALL, VAR, FLEXIBLE, { -1, -1 }, 1, SMALL, 0, "variable fixed: 20" NO_SCHARS "(0, 0)", FIXED },
    { IGET, VARA, SCHAR, { -1, -1 }, 1, TYPES, 1, "variable fixed: 4" NO_SCHARS "(1, 1)", FIXED },
    { IGET, VARN, SCHAR, { -1, -1 }, 1, TYPES, 1, "variable fixed: 5" NO_SCHARS "(0, 0)", FIXED },
    { IGET, VARA, SCHAR, { -1, -1 }, 1, TYPES, 3, REQUESTS, FIXED },
};

static const struct told told_fortran = { PUT_ALL, VAR, INT, { 7, 12 }, 1, TYPES, 0, TWO_VALUES "(3, 2)",
                                          FIXED };

/* The sentence ends so; the file and the rank stand before. */
static void expect_told(const char *want)
{
    const char *is = parcdf_last_error();
    size_t length = strlen(is), end = strlen(want);
    CHECK(length >= end && strcmp(is + length - end, want) == 0, "rank %d: \"%s\", not \"%s\"", my_rank, is,
          want);
}

static void put_good(const struct call *c, const MPI_Offset *start, const MPI_Offset *count)
{
    for (int i = 0; i < 64; i++)
        values[i] = 300;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(c->mode == TOGETHER ? ncmpi_put_vara_int_all(c->ncid, FIXED, start, count, values)
                                 : ncmpi_put_vara_int(c->ncid, FIXED, start, count, values),
             NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void try_told(const struct told *t)
{
    struct call c = good_call(t->op, t->form, t->memory, t->varid);
    int value = 100000 + t->bad[0] + 1000 * my_rank, statuses[3] = { 0 }, ids[3];
    char want[256];
    point(&c);
    c.mode = t->op & (PUT | GET) ? ALONE : TOGETHER;
    c.ncid = handles[false][c.mode];
    c.stride[0] = c.stride[1] = t->stride;
    c.buftype = t->buftype == TYPES ? MPI_INT : types[t->buftype];
    c.bufcount = t->buftype == SPREAD ? 1 : c.bufcount;
    put_good(&c, good_start, (MPI_Offset[]){ ROWS, COLUMNS });
    for (int i = 0; i < 2; i++)
        if (t->bad[i] >= 0)
            values[t->bad[i]] = 100000 + t->bad[i] + 1000 * my_rank;
    snprintf(want, sizeof want, t->sentence, value);
    if (t->op == BPUT)
        CHECK_NC(ncmpi_buffer_attach(c.ncid, 4096), NC_NOERR);
    for (int i = 0; i < t->waits; i++) {
        CHECK_NC(call_data(&c), NC_NOERR);
        ids[i] = c.req;
    }
    CHECK_NC(t->waits > 0 ? ncmpi_wait_all(c.ncid, t->waits, ids, statuses) : call_data(&c), NC_ERANGE);
    expect_told(want);
    for (int i = 0; i < t->waits; i++)
        CHECK_NC(statuses[i], NC_ERANGE);
    if (t->op & POSTS) /* a put said it */
        CHECK_NC(ncmpi_wait_all(c.ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    if (t->op == BPUT)
        CHECK_NC(ncmpi_buffer_detach(c.ncid), NC_NOERR);
}

enum { MANY_ROWS = 500, MANY = 64 };

/* Small stages, several rounds, values of the ranks between each other. */
static void told_of_many(void)
{
    static double many[MANY_ROWS * MANY];
    static signed char small[MANY_ROWS * MANY];
    static int ids[MANY_ROWS];
    int ncid, dims[2], v, bad = 0, large = 0;
    MPI_Info info;
    MPI_Offset start[2] = { 0, my_rank }, count[2] = { MANY_ROWS, MANY }, stride[2] = { 1, my_size };
    char want[256];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_stage_size", "65536");
    MPI_Info_set(info, "pcdf_debug_chunk_size", "4096");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", MANY_ROWS, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)MANY * my_size, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "many", NC_SHORT, 2, dims, &v), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < MANY_ROWS * MANY; i++) {
        bool is_bad = i % 7 == 6 && i > 70, is_large = !is_bad && i % 11 == 0 && i > 0;
        many[i] = is_bad ? -1e300 : is_large ? 1000 : 5;
        bad += is_bad;
        large += is_large;
    }
    CHECK_NC(ncmpi_put_vars_double_all(ncid, v, start, count, stride, many), NC_ERANGE);
    snprintf(
        want, sizeof want,
        "variable many: %d values do not fit in NC_SHORT and became fill values, the first is -1e+300 at "
        "index (1, %d)",
        bad, my_rank + 12 * my_size);
    expect_told(want);
    CHECK_NC(ncmpi_get_vars_schar_all(ncid, v, start, count, stride, small), NC_ERANGE);
    snprintf(
        want, sizeof want,
        "variable many: %d values do not fit in signed char and became fill values, the first is 1000 at "
        "index (0, %d)",
        bad + large, my_rank + 11 * my_size);
    expect_told(want);
    for (MPI_Offset i = 0, row[2] = { 0, my_rank }, one[2] = { 1, MANY }; i < MANY_ROWS; i++, row[0]++)
        CHECK_NC(ncmpi_iget_vars_schar(ncid, v, row, one, stride, small + i * MANY, &ids[i]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(ncid, MANY_ROWS, ids, NULL), NC_ERANGE);
    snprintf(want, sizeof want,
             "%d values of %d requests do not fit their types and became fill values, the first is 1000 at "
             "index (0, %d) of variable many",
             bad + large, MANY_ROWS, my_rank + 11 * my_size);
    expect_told(want);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
}

/* ---- the files */

static int define_file(const char *path)
{
    int ncid, d[2], x[2], v;
    const short fill = 999;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", ROWS, &x[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", COLUMNS, &x[1]), NC_NOERR);
    d[1] = x[1];
    CHECK_NC(ncmpi_def_var(ncid, "fixed", NC_SHORT, 2, x, &v), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "record", NC_SHORT, 2, d, &v), NC_NOERR);
    CHECK_NC(ncmpi_put_att_short(ncid, v, "_FillValue", NC_SHORT, 1, &fill), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "scalar", NC_SHORT, 0, NULL, &v), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "bare", NC_SHORT, 2, d, &v), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "letters", NC_CHAR, 2, x, &v), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (v = FIXED; v <= RECORD; v++)
        CHECK_NC(ncmpi_put_vara_int_all(ncid, v, good_start, (MPI_Offset[]){ ROWS, COLUMNS }, values),
                 NC_NOERR);
    return ncid;
}

static void open_files(char paths[][1100])
{
    for (int i = 0; i < 64; i++)
        values[i] = good_values[i] = 300;
    for (int i = 0; i < 4; i++)
        snprintf(paths[i], 1100, "%s.%d", my_path, i);
    for (int mode = DEFINE; mode <= ALONE; mode++)
        handles[false][mode] = define_file(paths[mode]);
    CHECK_NC(ncmpi_redef(handles[false][DEFINE]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(handles[false][DEFINE], "novel", NC_SHORT, 0, NULL, NULL), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(handles[false][ALONE]), NC_NOERR);
    CHECK_NC(ncmpi_close(define_file(paths[3])), NC_NOERR);
    for (int mode = TOGETHER; mode <= ALONE; mode++)
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, paths[3], NC_NOWRITE, MPI_INFO_NULL, &handles[true][mode]),
                 NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(handles[true][ALONE]), NC_NOERR);
}

static void close_files(char paths[][1100])
{
    for (int mode = DEFINE; mode <= ALONE; mode++)
        CHECK_NC(ncmpi_close(handles[false][mode]), NC_NOERR);
    for (int mode = TOGETHER; mode <= ALONE; mode++)
        CHECK_NC(ncmpi_close(handles[true][mode]), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; my_rank == 0 && i < 4; i++)
        unlink(paths[i]);
}

static void make_types(void)
{
    MPI_Datatype both[2] = { MPI_INT, MPI_DOUBLE };
    int lengths[2] = { 1, 1 };
    MPI_Aint at[2] = { 0, 8 };
    MPI_Type_contiguous(2, MPI_INT, &types[PAIR]);
    MPI_Type_create_struct(2, lengths, at, both, &types[MIXED]);
    MPI_Type_commit(&types[PAIR]);
    MPI_Type_commit(&types[MIXED]);
    MPI_Type_vector(4, 1, 2, MPI_INT, &types[SPREAD]);
    MPI_Type_commit(&types[SPREAD]);
    types[LONG_DOUBLE] = MPI_LONG_DOUBLE;
    types[BYTE] = MPI_BYTE;
    types[CHAR] = MPI_CHAR;
    types[SMALL] = MPI_SIGNED_CHAR;
}

int main(int argc, char **argv)
{
    static char paths[4][1100];
    together_begin(&argc, &argv, "data_errors", 110);
    good_varid = FIXED;
    good_letters = LETTERS;
    good_size = ROWS * COLUMNS;
    make_types();
    open_files(paths);
    try_data();
    for (int op = WAIT; op <= CANCEL; op *= 2)
        TRY_ALL(wait_faults, op, VAR, INT, FIXED);
    TRY_ALL(fill_faults, DEF_VAR_FILL, VAR, INT, NOVEL);
    TRY_ALL(fill_faults, FILL_VAR_REC, VAR, INT, RECORD);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        try_told(&told[i]);
    parcdf_tell_fortran(1);
    try_told(&told_fortran);
    parcdf_tell_fortran(0);
    told_of_many();
    close_files(paths);
    MPI_Type_free(&types[PAIR]);
    MPI_Type_free(&types[MIXED]);
    MPI_Type_free(&types[SPREAD]);
    return together_end("data_errors");
}
