/* Fixes the whole surface: the 915 ncmpi_ and 9 cdl_hdr_ functions exist with the types of the reference, and
 * each is called. Each data function moves known values of its memory type to and from two external types,
 * one chosen in turn, in CDF-1, 2 and 5, a fixed variable and a record variable; all other values stay as
 * they were. Without a buffer it is NC_EINVAL. On any number of ranks; each has its own plane, and the form
 * `var` moves all planes. */

#include <parcdf.h>
#include "symbols.h"
#include "symbols_other.h"
#include "together.h"

struct data {
    const char *name;
    symbol address;
    int (*run)(const struct job *j);
    enum way way;
    enum form form;
    int mem;
};

/* clang-format off */
#define RUN(way, FORM, mem, name, form, arity, tail, type)                                                   \
    PROVE(name, int (*)(HEAD_T_##arity, FORM_T_##arity##_##form type TAIL_T_##tail))                         \
    static int run_##name(const struct job *j)                                                               \
    { return name(HEAD_V_##arity, FORM_V_##arity##_##form (type)BUF_##arity TAIL_V_##tail); }
#define ROW(way, FORM, mem, name, form, arity, tail, type)                                                   \
    { #name, (symbol)name, run_##name, way, FORM, mem },

DATA_FUNCTIONS(RUN)

static const struct data functions[] = { DATA_FUNCTIONS(ROW) };
/* clang-format on */

enum { DATA = sizeof functions / sizeof *functions, CDL = 9 };
static int data_calls[DATA];

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_table(void)
{
    static const char *names[DATA + OTHERS];
    int cdl = 0;
    for (int i = 0; i < DATA + OTHERS; i++) {
        names[i] = i < DATA ? functions[i].name : others[i - DATA].name;
        CHECK((i < DATA ? functions[i].address : others[i - DATA].address) != NULL, "%s is missing",
              names[i]);
        cdl += strncmp(names[i], "cdl_hdr_", 8) == 0;
    }
    CHECK_INT(cdl, CDL);
    CHECK_INT(DATA + OTHERS - cdl, 915);
    qsort(names, DATA + OTHERS, sizeof *names, by_name);
    for (int i = 1; i < DATA + OTHERS; i++)
        CHECK(strcmp(names[i - 1], names[i]) != 0, "%s stands in the table twice", names[i]);
}

/* ---- data */

enum { Y = 4, X = 6, PLANE = Y * X, MAX_RANKS = 16, ROOM = MAX_RANKS * PLANE + 1, GUARD = 77 };

struct file {
    int ncid, format, alone;   /* independent data mode */
    int vars[12][2];           /* of each external type: fixed, record */
    long long values[2][ROOM]; /* what the variables under test hold */
};

static const int own_mem[12] = { 0,          MEM_SCHAR, MEM_TEXT,   MEM_SHORT, MEM_INT,      MEM_FLOAT,
                                 MEM_DOUBLE, MEM_UCHAR, MEM_USHORT, MEM_UINT,  MEM_LONGLONG, MEM_ULONGLONG };
static const bool mem_signed[MEMS] = {
    [MEM_SCHAR] = true, [MEM_SHORT] = true,  [MEM_INT] = true,     [MEM_LONG] = true,
    [MEM_FLOAT] = true, [MEM_DOUBLE] = true, [MEM_LONGLONG] = true
};

static MPI_Datatype mpi_type(int mem)
{
    const MPI_Datatype types[MEMS] = { MPI_CHAR,     MPI_SIGNED_CHAR,    MPI_UNSIGNED_CHAR,
                                       MPI_SHORT,    MPI_UNSIGNED_SHORT, MPI_INT,
                                       MPI_UNSIGNED, MPI_LONG,           MPI_FLOAT,
                                       MPI_DOUBLE,   MPI_LONG_LONG,      MPI_UNSIGNED_LONG_LONG };
    return types[mem];
}

/* Where element i of a rank's request stands in the variable; returns their number. */
static int places_of(enum form form, int rank, int *places)
{
    int n = 0, first = rank * PLANE;
    if (form == FORM_VAR)
        for (; n < my_size * PLANE; n++)
            places[n] = n;
    if (form == FORM_VAR1)
        places[n++] = first + X + 2;
    if (form == FORM_VARA)
        for (; n < 6; n++)
            places[n] = first + (1 + n / 3) * X + 1 + n % 3;
    if (form == FORM_VARS)
        for (; n < 6; n++)
            places[n] = first + 2 * (n / 3) * X + 1 + 2 * (n % 3);
    if (form == FORM_VARM) /* the same, transposed in memory */
        for (; n < 6; n++)
            places[n] = first + 2 * (n % 2) * X + 1 + 2 * (n / 2);
    if (form == FORM_VARN)
        for (; n < 7; n++)
            places[n] = n < 3 ? first + n : first + 3 * X + 1 + n - 3;
    return n;
}

static long long value_of(int serial, int v, int place, bool negative)
{
    int value = (serial * 7 + v * 50 + place * 3) % 100 + 1;
    return negative && place % 2 ? -value : value;
}

static void in_step(const struct file *f)
{
    if (f->alone) {
        together_written();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* The whole of both variables by one pair of functions. */
static void whole(struct file *f, int type, bool put, long long (*values)[ROOM])
{
    in_step(f);
    for (int v = 0; v < 2; v++) {
        long long numbers[ROOM];
        struct call c = { .ncid = f->ncid, .varid = f->vars[type][v], .put = put, .collective = !f->alone };
        c.form = FORM_VAR;
        c.mem = type == NC_CHAR ? MEM_TEXT : MEM_LONGLONG;
        c.buf = numbers;
        for (int i = 0; put && i < my_size * PLANE; i++)
            mem_set(numbers, c.mem, (size_t)i, values[v][i]);
        CHECK_NC(call_run(&c), NC_NOERR);
        for (int i = 0; !put && i < my_size * PLANE; i++)
            values[v][i] = mem_int(numbers, c.mem, (size_t)i);
    }
    in_step(f);
}

static bool is_put(enum way way)
{
    return way == PUT || way == PUT_ALL || way == IPUT || way == BPUT || way == MPUT || way == MPUT_ALL;
}

static bool is_posted(enum way way)
{
    return way == IPUT || way == IGET || way == BPUT;
}

/* The arguments of function `d`; posted ones wait at once. */
static void run_it(const struct file *f, const struct data *d, int type, int mem, int v, int n, int serial,
                   void **bufs)
{
    MPI_Offset start[3] = { my_rank, 0, 1 }, count[3] = { 1, 2, 3 }, stride[3] = { 1, 2, 2 },
               imap[3] = { 6, 1, 2 };
    MPI_Offset first[3] = { my_rank, 0, 0 }, second[3] = { my_rank, 3, 1 }, three[3] = { 1, 1, 3 },
               four[3] = { 1, 1, 4 };
    int ids[2] = { f->vars[type][0], f->vars[type][1] }, request = -5, status = -5;
    MPI_Datatype packed;
    MPI_Type_contiguous(n, mpi_type(mem), &packed);
    MPI_Type_commit(&packed);
    int kind = serial % 3; /* of describing a flexible buffer */
    MPI_Datatype buftype = kind ? mpi_type(mem) : packed;
    MPI_Offset bufcount = kind == 0 ? 1 : kind == 1 ? n : NC_COUNT_IGNORE;
    if (d->form == FORM_VAR1 || d->form == FORM_VARA)
        start[1] = 1, start[2] = d->form == FORM_VAR1 ? 2 : 1;
    struct job j = { .ncid = f->ncid, .varid = ids[v], .num = 2, .nvars = 2 };
    j.start = start, j.count = count, j.stride = stride, j.imap = imap;
    j.starts = (MPI_Offset *[]){ first, second };
    j.counts = (MPI_Offset *[]){ three, four };
    j.vstarts = (MPI_Offset *[]){ start, start };
    j.vcounts = (MPI_Offset *[]){ count, count };
    j.vstrides = (MPI_Offset *[]){ stride, stride };
    j.vimaps = (MPI_Offset *[]){ imap, imap };
    j.varids = ids, j.reqid = &request;
    j.bufcount = bufcount, j.bufcounts = (MPI_Offset[]){ bufcount, bufcount };
    j.buftype = buftype, j.buftypes = (MPI_Datatype[]){ buftype, buftype };
    j.buf = NULL, j.bufs = (void *[]){ NULL, NULL };
    int got = d->run(&j);
    CHECK(got == NC_EINVAL && strstr(parcdf_last_error(), "buffer is NULL"),
          "rank %d: %s without a buffer: %s: %s", my_rank, d->name, ncmpi_strerrno(got), parcdf_last_error());
    j.buf = bufs[v], j.bufs = bufs;
    got = d->run(&j);
    CHECK(got == NC_NOERR, "rank %d: %s: %s", my_rank, d->name, ncmpi_strerrno(got));
    if (is_posted(d->way)) {
        if (d->way == BPUT)
            memset(bufs[v], 0, (size_t)n * mem_sizes[mem]);
        got = (f->alone ? ncmpi_wait : ncmpi_wait_all)(f->ncid, 1, &request, &status);
        CHECK(got == NC_NOERR && status == NC_NOERR, "%s: the wait gives %s", d->name, ncmpi_strerrno(got));
    }
    MPI_Type_free(&packed);
}

static void check_variables(struct file *f, const struct data *d, int type)
{
    static long long now[2][ROOM];
    whole(f, type, false, now);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < my_size * PLANE; i++)
            CHECK(now[v][i] == f->values[v][i], "CDF-%d %s, %s: element %d of variable %d is %lld, not %lld",
                  f->format, d->name, ext_names[type], i, v, now[v][i], f->values[v][i]);
}

/* One function on one external type. The variables hold known values first; a get finds those, a put changes
 * its own.
 */
static void one_call(struct file *f, int row, int type, int serial)
{
    const struct data *d = &functions[row];
    static long long memory[2][ROOM];
    void *bufs[2] = { memory[0], memory[1] };
    int places[ROOM], mem = d->mem;
    if (d->mem == ANY_TYPE)
        mem = type == NC_CHAR ? MEM_TEXT : 1 + serial % (MEMS - 1);
    bool negative = mem_signed[mem] && type != NC_CHAR && mem_signed[own_mem[type]];
    int low = d->way >= MPUT ? 0 : serial / 3 % 2, high = d->way >= MPUT ? 1 : low;
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < my_size * PLANE; i++)
            f->values[v][i] = value_of(serial, v, i, negative);
    whole(f, type, true, f->values);
    int n = places_of(d->form, my_rank, places);
    for (int v = low; v <= high; v++)
        for (int i = 0; i <= n; i++)
            mem_set(memory[v], (enum mem)mem, (size_t)i,
                    is_put(d->way) && i < n ? value_of(serial + 5, v, places[i], negative) : GUARD);
    run_it(f, d, type, mem, low, n, serial, bufs);
    data_calls[row]++;
    for (int v = low; v <= high; v++) {
        for (int i = 0; i < n && d->way != BPUT; i++) {
            long long got = mem_int(memory[v], (enum mem)mem, (size_t)i),
                      want = value_of(serial + (is_put(d->way) ? 5 : 0), v, places[i], negative);
            CHECK(got == want, "CDF-%d %s, %s: element %d of the buffer is %lld, not %lld", f->format,
                  d->name, ext_names[type], i, got, want);
        }
        CHECK_INT(mem_int(memory[v], (enum mem)mem, (size_t)n), GUARD);
    }
    for (int rank = 0; is_put(d->way) && rank < my_size; rank++)
        for (int i = 0, m = places_of(d->form, rank, places); i < m; i++)
            for (int v = low; v <= high; v++)
                f->values[v][places[i]] = value_of(serial + 5, v, places[i], negative);
    check_variables(f, d, type);
}

/* The external type that holds a memory type, where the format has it, and a number type in turn. */
static void one_function(struct file *f, int row)
{
    static int serial;
    const struct data *d = &functions[row];
    int last = ext_last(f->format), own = NC_INT;
    for (int type = NC_BYTE; type <= last; type++)
        if (own_mem[type] == d->mem)
            own = type;
    if (d->mem == ANY_TYPE)
        own = NC_CHAR;
    one_call(f, row, own, serial++);
    if (d->mem == MEM_TEXT)
        return;
    int turn = NC_BYTE + serial % last;
    one_call(f, row, turn == NC_CHAR ? NC_BYTE : turn, serial++);
}

static void define(struct file *f)
{
    int time, row, y, x;
    char name[16];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, format_cmode(f->format), MPI_INFO_NULL, &f->ncid),
             NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f->ncid, "time", NC_UNLIMITED, &time), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f->ncid, "row", my_size, &row), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f->ncid, "y", Y, &y), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f->ncid, "x", X, &x), NC_NOERR);
    for (int type = NC_BYTE; type <= ext_last(f->format); type++)
        for (int v = 0; v < 2; v++) {
            snprintf(name, sizeof name, "%s_%d", ext_names[type], v);
            CHECK_NC(
                ncmpi_def_var(f->ncid, name, type, 3, (int[]){ v ? time : row, y, x }, &f->vars[type][v]),
                NC_NOERR);
        }
    CHECK_NC(ncmpi_enddef(f->ncid), NC_NOERR);
    /* so many records that `var` means as much in both */
    const char last[1] = { 1 };
    CHECK_NC(ncmpi_put_var1_text_all(f->ncid, f->vars[NC_CHAR][1], (MPI_Offset[]){ my_size - 1, 0, 0 }, last),
             NC_NOERR);
    CHECK_NC(ncmpi_buffer_attach(f->ncid, ROOM * 8), NC_NOERR);
}

static void every_data_function(int format)
{
    static struct file f;
    f.format = format;
    define(&f);
    for (f.alone = 0; f.alone < 2; f.alone++) {
        if (f.alone)
            CHECK_NC(ncmpi_begin_indep_data(f.ncid), NC_NOERR);
        for (int row = 0; row < DATA; row++) {
            enum way way = functions[row].way;
            bool together = way == PUT_ALL || way == GET_ALL || way == MPUT_ALL || way == MGET_ALL;
            if (is_posted(way) || together != f.alone)
                one_function(&f, row);
        }
    }
    CHECK_NC(ncmpi_buffer_detach(f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    const int formats[3] = { 1, 2, 5 };
    together_begin(&argc, &argv, "every_symbol", 100);
    if (my_size > MAX_RANKS)
        MPI_Abort(MPI_COMM_WORLD, CHECK_SKIP);
    check_table();
    for (int i = 0; i < 3; i++) {
        every_data_function(formats[i]);
        every_other_function(formats[i]);
    }
    for (int i = 0; i < DATA; i++)
        CHECK(data_calls[i] >= 3, "%s was called %d times", functions[i].name, data_calls[i]);
    for (int i = 0; i < OTHERS; i++)
        CHECK(other_calls[i] > 0, "%s was never called", others[i].name);
    return together_end("every_symbol");
}
