/* Fixes: whatever a program does with definitions, modes and blocking data access, on any number of ranks,
 * the file and every value read are those of a plain sequential model.
 *
 *     model [--seed S] [--ops N] [--format 1|2|5] [--skip a-b,c,...] [--print] [--keep] [--tame] [--dir DIR]
 *
 * Every rank derives the same program from the seed, knows what every other rank asks for, and carries the
 * whole model along. Operation i draws from a random stream of its own (seed, i), so that leaving others out
 * (--skip) keeps it much the same: run_model.py shrinks a failing program that way. After each operation rank
 * 0 compares the file's bytes with the model. --tame leaves out what libpnetcdf 1.12.3 gets wrong, so that
 * the test itself could be tested on it. Start reading at `steps` near the end. */

#include <signal.h>
#include <time.h>
#include "state.h"
#include "pending.h"

enum { MAX_RANKS = 16, MAX_PIECES = 12, MAX_RECORDS = 12, MAX_ELEMENTS = 24000 };

enum mode { MODE_CLOSED, MODE_DEFINE, MODE_COLLECTIVE, MODE_INDEPENDENT };

static struct {
    int rank, size, ncid, formats;
    uint64_t seed;
    int64_t op;
    bool print, keep, tame;
    char path[1024], say[512], text[4096]; /* what is wrong here; this operation in words */
    uint64_t random;
    enum mode mode;
    bool is_new;                /* never left define mode */
    int64_t numrecs[MAX_RANKS]; /* as each rank knows it */
    int64_t gets, puts, posts, waits, errors, checked, elements;
} g;

static struct m_defs now, before; /* before: what the file holds while in define mode */
static struct bytes header, image;

/* ---- random numbers, words, complaints */
static uint64_t next_random(void)
{
    uint64_t z = (g.random += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static int64_t below(int64_t n)
{
    return n <= 0 ? 0 : (int64_t)(next_random() % (uint64_t)n);
}
static bool one_in(int n)
{
    return below(n) == 0;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!g.say[0]) /* the first complaint */
        vsnprintf(g.say, sizeof g.say, format, args);
    va_end(args);
}
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    va_list args;
    size_t n = strlen(g.text);
    va_start(args, format);
    vsnprintf(g.text + n, sizeof g.text - n, format, args);
    va_end(args);
}
static void expect(int got, int want, const char *what)
{
    if (got != want)
        say("%s gives %s, not %s", what, ncmpi_strerrno(got), ncmpi_strerrno(want));
}
#define EXPECT(call, want) expect((call), (want), #call)

static void on_alarm(int number)
{
    static const char text[] = "model: hangs; the operation is the last one printed\n";
    (void)number;
    if (write(2, text, sizeof text - 1) < 0 || write(2, g.text, strlen(g.text)) < 0 || write(2, "\n", 1) < 0)
        _exit(4);
    _exit(3);
}

/* ---- definitions */
static void set_header(void)
{
    header_encode(&header, &now, g.numrecs[0]);
}

static void fresh_name(char *name, char letter)
{
    int n = snprintf(name, NAME_ROOM, "%c%lld", letter, (long long)g.op);
    for (int64_t more = below(6); more > 0; more--)
        name[n++] = (char)('a' + below(26));
    name[n] = 0;
}

static int64_t shape_of(const struct m_var *v, int d, int64_t records)
{
    int64_t n = now.dims[v->dimids[d]].length;
    return n ? n : records;
}

static void step_def_dim(void)
{
    char name[NAME_ROOM];
    int64_t length = one_in(7) ? 300 + below(5000) : 1 + below(9);
    int id = -1, want = NC_NOERR;
    fresh_name(name, 'd');
    if (now.record_dim < 0 && one_in(2))
        length = 0;
    else if (now.record_dim >= 0 && one_in(20))
        length = 0, want = NC_EUNLIMIT;
    if (now.ndims == MAX_DIMS)
        return;
    tell("def_dim %s = %lld", name, (long long)length);
    EXPECT(ncmpi_def_dim(g.ncid, name, length, &id), g.mode == MODE_DEFINE ? want : NC_ENOTINDEFINE);
    if (want || g.mode != MODE_DEFINE)
        return;
    if (id != now.ndims)
        say("id of the dimension is %d, not %d", id, now.ndims);
    if (!length)
        now.record_dim = now.ndims;
    strcpy(now.dims[now.ndims].name, name);
    now.dims[now.ndims++].length = length;
}

static void put_fill_att(int id)
{
    struct m_var *v = &now.vars[id];
    struct m_att *a = &v->atts.x[v->atts.n++];
    struct value value = value_int(5 + below(90));
    long long number = (long long)value.size;
    strcpy(a->name, "_FillValue");
    a->type = v->type;
    a->n = 1;
    ext_store(a->bytes, v->type, &value);
    tell(", _FillValue %lld", number);
    EXPECT(ncmpi_put_att_longlong(g.ncid, id, "_FillValue", v->type, 1, &number), NC_NOERR);
}

static void step_def_var(void)
{
    struct m_var v = { .type = 1 + (int)below(ext_last(now.format)), .slab = 1, .is_new = true };
    int want = g.mode == MODE_DEFINE ? NC_NOERR : NC_ENOTINDEFINE, id = -1;
    if (now.nvars == MAX_VARS)
        return;
    fresh_name(v.name, 'v');
    for (int64_t n = below(MAX_NDIMS + 1); n > 0 && now.ndims; n--) {
        int d = (int)below(now.ndims);
        if (v.ndims == 0 && now.record_dim >= 0 && one_in(2))
            d = now.record_dim;
        bool record = d == now.record_dim;
        if ((record && v.ndims) ||
            v.slab * (record ? 1 : now.dims[d].length) > MAX_ELEMENTS / (v.is_record ? 8 : 1))
            continue;
        v.is_record |= record;
        v.slab *= record ? 1 : now.dims[d].length;
        v.dimids[v.ndims++] = d;
    }
    tell("def_var %s %s(", ext_names[v.type], v.name);
    for (int d = 0; d < v.ndims; d++)
        tell("%s%s", d ? "," : "", now.dims[v.dimids[d]].name);
    tell(")");
    EXPECT(ncmpi_def_var(g.ncid, v.name, v.type, v.ndims, v.dimids, &id), want);
    if (want)
        return;
    if (id != now.nvars)
        say("id of the variable is %d, not %d", id, now.nvars);
    now.vars[now.nvars++] = v;
    if (v.type != NC_CHAR && one_in(3))
        put_fill_att(now.nvars - 1);
}

/* -1 (global) or a variable; its attributes. */
static struct m_atts *some_atts(int *varid)
{
    *varid = (int)below(now.nvars + 1) - 1;
    return *varid < 0 ? &now.gatts : &now.vars[*varid].atts;
}
static struct m_att *some_att(struct m_atts *atts)
{
    struct m_att *a = atts->n ? &atts->x[below(atts->n)] : NULL;
    return a && strcmp(a->name, "_FillValue") ? a : NULL; /* changing that one has rules of its own */
}
static int64_t att_padded(const struct m_att *a)
{
    return (a->n * (int64_t)ext_sizes[a->type] + 3) / 4 * 4;
}

static void random_att(struct m_att *a, void *text, long long *numbers)
{
    bool big = one_in(12);
    a->type = 1 + (int)below(big ? NC_CHAR : ext_last(now.format));
    a->n = (int)(big ? below(ATT_ROOM) : below(7));
    for (int i = 0; i < a->n; i++) {
        struct value v = value_int(1 + below(100));
        numbers[i] = (long long)v.size;
        ((char *)text)[i] = (char)numbers[i];
        if (a->type == NC_CHAR)
            a->bytes[i] = (unsigned char)numbers[i];
        else
            ext_store(a->bytes + (size_t)i * ext_sizes[a->type], a->type, &v);
    }
}

static void step_put_att(void)
{
    static long long numbers[ATT_ROOM];
    static char text[ATT_ROOM];
    int varid, want = NC_NOERR;
    struct m_atts *atts = some_atts(&varid);
    struct m_att a = { .n = 0 }, *old = one_in(2) ? some_att(atts) : NULL;
    if (old)
        strcpy(a.name, old->name);
    else
        fresh_name(a.name, 'a');
    random_att(&a, text, numbers);
    if (!old && atts->n == MAX_ATTS)
        return;
    if (g.mode != MODE_DEFINE && (!old || att_padded(&a) > att_padded(old)))
        want = NC_ENOTINDEFINE;
    tell("put_att %d %s %s[%d]%s", varid, a.name, ext_names[a.type], a.n, old ? " again" : "");
    if (a.type == NC_CHAR)
        EXPECT(ncmpi_put_att_text(g.ncid, varid, a.name, a.n, text), want);
    else
        EXPECT(ncmpi_put_att_longlong(g.ncid, varid, a.name, a.type, a.n, numbers), want);
    if (want == NC_NOERR)
        *(old ? old : &atts->x[atts->n++]) = a;
}

static void step_get_att(void)
{
    long long numbers[ATT_ROOM];
    char text[ATT_ROOM];
    int varid;
    struct m_att *a = some_att(some_atts(&varid));
    if (!a)
        return;
    tell("get_att %d %s", varid, a->name);
    if (a->type == NC_CHAR) {
        EXPECT(ncmpi_get_att_text(g.ncid, varid, a->name, text), NC_NOERR);
        if (memcmp(text, a->bytes, (size_t)a->n))
            say("the text of attribute %s differs", a->name);
        return;
    }
    EXPECT(ncmpi_get_att_longlong(g.ncid, varid, a->name, numbers), NC_NOERR);
    for (int i = 0; i < a->n; i++) {
        struct value v = ext_value(a->bytes + (size_t)i * ext_sizes[a->type], a->type);
        long long right = v.real ? (long long)v.d : (long long)value_bits(&v);
        if (numbers[i] != right)
            say("value %d of attribute %s is %lld, not %lld", i, a->name, numbers[i], right);
    }
}

static void step_del_att(void)
{
    int varid;
    struct m_atts *atts = some_atts(&varid);
    struct m_att *a = some_att(atts);
    int want = g.mode == MODE_DEFINE ? NC_NOERR : NC_ENOTINDEFINE;
    if (!a)
        return;
    tell("del_att %d %s", varid, a->name);
    EXPECT(ncmpi_del_att(g.ncid, varid, a->name), want);
    if (want)
        return;
    memmove(a, a + 1, (size_t)(&atts->x[--atts->n] - a) * sizeof *a);
}

static void step_copy_att(void)
{
    int from, to;
    struct m_att *a = some_att(some_atts(&from));
    struct m_atts *atts = some_atts(&to);
    if (!a)
        return;
    struct m_att *old = NULL;
    for (int i = 0; i < atts->n; i++)
        if (!strcmp(atts->x[i].name, a->name))
            old = &atts->x[i];
    if (!old && atts->n == MAX_ATTS)
        return;
    int want =
        g.mode != MODE_DEFINE && (!old || att_padded(a) > att_padded(old)) ? NC_ENOTINDEFINE : NC_NOERR;
    if (from == to)
        want = NC_NOERR;
    tell("copy_att %d %s to %d", from, a->name, to);
    EXPECT(ncmpi_copy_att(g.ncid, from, a->name, g.ncid, to), want);
    if (want == NC_NOERR && from != to)
        *(old ? old : &atts->x[atts->n++]) = *a;
}

static void step_rename(void)
{
    char name[NAME_ROOM], *old = NULL;
    int varid = -1, which = (int)below(3), dimid = (int)below(now.ndims), id = (int)below(now.nvars);
    struct m_att *a = which == 2 ? some_att(some_atts(&varid)) : NULL;
    fresh_name(name, "dva"[which]);
    if (which == 0 && now.ndims)
        old = now.dims[dimid].name;
    else if (which == 1 && now.nvars)
        old = now.vars[id].name;
    else if (a)
        old = a->name;
    if (!old || !strcmp(old, name))
        return;
    int want = g.mode != MODE_DEFINE && strlen(name) > strlen(old) ? NC_ENOTINDEFINE : NC_NOERR;
    tell("rename %s to %s", old, name);
    if (which == 0)
        EXPECT(ncmpi_rename_dim(g.ncid, dimid, name), want);
    else if (which == 1)
        EXPECT(ncmpi_rename_var(g.ncid, id, name), want);
    else
        EXPECT(ncmpi_rename_att(g.ncid, varid, old, name), want);
    if (want == NC_NOERR)
        strcpy(old, name);
}

/* ---- modes */
static int64_t most_records(void)
{
    int64_t most = 0;
    for (int r = 0; r < g.size; r++)
        most = g.numrecs[r] > most ? g.numrecs[r] : most;
    return most;
}
static void agree_records(void)
{
    int64_t most = most_records();
    for (int r = 0; r < g.size; r++)
        g.numrecs[r] = most;
}

static MPI_Info random_hints(void)
{
    static const char *const whether[] = { "auto", "always", "never" };
    MPI_Info info;
    char number[32];
    MPI_Info_create(&info);
#define HINT(name, ...)                                                                                      \
    do {                                                                                                     \
        snprintf(number, sizeof number, __VA_ARGS__);                                                        \
        MPI_Info_set(info, name, number);                                                                    \
        tell(" %s=%s", name, number);                                                                        \
    } while (0)
    HINT("pcdf_stage_size", "%d", 65536 << below(3));
    HINT("pcdf_stage_pieces", "%d", (int)(16 + below(100)));
    HINT("pcdf_chunk_size", "%d", (int)(4096 + below(8192)));
    HINT("pcdf_view_threshold", "%d", (int)(2 + below(20)));
    HINT("pcdf_collective", "%s", whether[below(3)]);
    HINT("nc_data_move_chunk_size", "%d", (int)(1024 + below(8192)));
#undef HINT
    return info;
}

static void defs_free(void)
{
    for (int i = 0; i < now.nvars; i++) {
        free(now.vars[i].data);
        free(now.vars[i].mask);
    }
    memset(&now, 0, sizeof now);
    now.record_dim = -1;
}

static void create_file(void)
{
    static const int formats[] = { 1, 2, 5 };
    defs_free();
    now.format = g.formats ? g.formats : formats[below(3)];
    tell("create CDF-%d", now.format);
    MPI_Info info = random_hints();
    EXPECT(ncmpi_create(MPI_COMM_WORLD, g.path, format_cmode(now.format), info, &g.ncid), NC_NOERR);
    MPI_Info_free(&info);
    memset(g.numrecs, 0, sizeof g.numrecs);
    g.mode = MODE_DEFINE;
    g.is_new = true;
}

static void open_file(void)
{
    tell("; open");
    MPI_Info info = random_hints();
    EXPECT(ncmpi_open(MPI_COMM_WORLD, g.path, NC_WRITE, info, &g.ncid), NC_NOERR);
    MPI_Info_free(&info);
    agree_records();
    set_header();
    g.mode = MODE_COLLECTIVE;
}

/* After define mode: where did the library put things? They may be anywhere that the format allows, except
 * lower than before. (Exactly where is what tests/equal and the tests of the layout fix.) */
static void learn_layout(void)
{
    int64_t end = 0;
    struct m_defs *m = &now;
    g.mode = MODE_COLLECTIVE;
    g.is_new = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < m->nvars; i++) {
            struct m_var *v = &m->vars[i];
            MPI_Offset at = -1;
            if (v->is_record != (pass == 1))
                continue;
            EXPECT(ncmpi_inq_varoffset(g.ncid, i, &at), NC_NOERR);
            if (at < end || (!v->is_new && at < v->begin))
                say("variable %s begins at %lld, after %lld, and was at %lld", v->name, (long long)at,
                    (long long)end, (long long)v->begin);
            v->begin = at;
            v->is_new = false;
            end = at + var_bytes(v);
        }
    set_header();
}

static void step_enddef(void)
{
    bool plain = one_in(2), aligned = g.tame ? false : one_in(3);
    MPI_Offset h = below(600), v_align = aligned ? 1 + below(700) : 4, v = below(300),
               r_align = 1 + below(600);
    if (plain)
        tell("enddef");
    else
        tell("_enddef %lld %lld %lld %lld", (long long)h, (long long)v_align, (long long)v,
             (long long)r_align);
    int err = plain ? ncmpi_enddef(g.ncid) : ncmpi__enddef(g.ncid, h, v_align, v, r_align);
    expect(err, g.mode == MODE_DEFINE ? NC_NOERR : NC_ENOTINDEFINE, "enddef");
    if (g.mode == MODE_DEFINE)
        learn_layout();
}

static void step_redef(void)
{
    tell("redef");
    EXPECT(ncmpi_redef(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode == MODE_DEFINE)
        return;
    agree_records();
    set_header();
    before = now;
    g.mode = MODE_DEFINE;
}

static bool drop_all_pending(void); /* posted.h */

static void close_file(void)
{
    int want = drop_all_pending() ? NC_EPENDING : NC_NOERR;
    EXPECT(ncmpi_close(g.ncid), want);
}

static void step_abort(void)
{
    if (g.is_new || g.mode != MODE_DEFINE)
        return;
    tell("abort");
    int want = drop_all_pending() ? NC_EPENDING : NC_NOERR;
    EXPECT(ncmpi_abort(g.ncid), want);
    for (int i = before.nvars; i < now.nvars; i++) {
        free(now.vars[i].data);
        free(now.vars[i].mask);
    }
    now = before;
    open_file();
}

static void check_definitions(void)
{
    int ndims, nvars, natts, unlimited;
    char name[NC_MAX_NAME + 1];
    EXPECT(ncmpi_inq(g.ncid, &ndims, &nvars, &natts, &unlimited), NC_NOERR);
    if (ndims != now.ndims || nvars != now.nvars || natts != now.gatts.n || unlimited != now.record_dim)
        say("inq: %d dimensions, %d variables, %d attributes, record dimension %d; not %d, %d, %d, %d", ndims,
            nvars, natts, unlimited, now.ndims, now.nvars, now.gatts.n, now.record_dim);
    for (int i = 0; i < now.nvars; i++) {
        nc_type type;
        int dimids[NC_MAX_VAR_DIMS > 64 ? 64 : NC_MAX_VAR_DIMS];
        EXPECT(ncmpi_inq_var(g.ncid, i, name, &type, &ndims, dimids, &natts), NC_NOERR);
        if (strcmp(name, now.vars[i].name) || type != now.vars[i].type || ndims != now.vars[i].ndims ||
            natts != now.vars[i].atts.n || memcmp(dimids, now.vars[i].dimids, (size_t)ndims * sizeof(int)))
            say("inq_var: variable %d is %s of type %d with %d dimensions", i, name, type, ndims);
    }
}

static void step_reopen(void)
{
    tell("close");
    close_file();
    for (int i = 0; i < now.nvars && g.mode == MODE_DEFINE; i++)
        now.vars[i].is_new |= g.is_new;
    bool defining = g.mode == MODE_DEFINE;
    g.mode = MODE_CLOSED;
    open_file();
    if (defining)
        learn_layout();
    check_definitions();
}

static void step_sync(void)
{
    tell("sync");
    EXPECT(ncmpi_sync(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode == MODE_DEFINE)
        return;
    agree_records();
    set_header();
}

static void step_sync_numrecs(void)
{
    if (g.mode == MODE_DEFINE)
        return;
    tell("sync_numrecs");
    EXPECT(ncmpi_sync_numrecs(g.ncid), NC_NOERR);
    agree_records();
    set_header();
}

static void step_begin_indep(void)
{
    tell("begin_indep");
    EXPECT(ncmpi_begin_indep_data(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode == MODE_COLLECTIVE)
        g.mode = MODE_INDEPENDENT;
}

static void step_end_indep(void)
{
    tell("end_indep");
    EXPECT(ncmpi_end_indep_data(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode != MODE_INDEPENDENT)
        return;
    g.mode = MODE_COLLECTIVE;
    agree_records();
    set_header();
}

/* ---- one rank's part of a put or get */
struct part {
    int rank, varid, error; /* error: what its arguments must be answered with */
    struct m_var *var;      /* NULL: no variable exists */
    enum form form;
    enum mem mem;
    MPI_Offset start[MAX_NDIMS], count[MAX_NDIMS], stride[MAX_NDIMS], imap[MAX_NDIMS];
    bool no_start, no_count, no_stride, no_imap;
    int num;
    MPI_Offset starts[MAX_PIECES][MAX_NDIMS], counts[MAX_PIECES][MAX_NDIMS];
    bool no_counts[MAX_PIECES], no_any_counts;
    enum flex flex;
    int serial;               /* among the requests that one operation posts */
    int64_t n, room, records; /* elements asked for; records that exist after a put of them */
    int64_t *element;         /* in the variable */
    size_t *place, memory;    /* in the buffer; elements of the buffer */
};

static void add_element(struct part *p, int64_t element, int64_t place)
{
    if (p->n == p->room) {
        p->room = p->room * 2 + 64;
        p->element = realloc(p->element, (size_t)p->room * sizeof *p->element);
        p->place = realloc(p->place, (size_t)p->room * sizeof *p->place);
    }
    p->element[p->n] = element;
    p->place[p->n++] = (size_t)place;
    if ((size_t)place + 1 > p->memory)
        p->memory = (size_t)place + 1;
}

/* The elements of one hyperslab in the order of the interface; place0: where its first one is in memory. */
static void add_slab(struct part *p, const MPI_Offset *start, const MPI_Offset *count,
                     const MPI_Offset *stride, const MPI_Offset *imap, int64_t place0)
{
    int nd = p->var->ndims;
    int64_t index[MAX_NDIMS] = { 0 }, total = 1;
    for (int d = 0; d < nd; d++)
        total *= count[d];
    for (int64_t k = 0; k < total; k++) {
        int64_t element = 0, place = place0 + (imap ? 0 : k);
        for (int d = 0; d < nd; d++) {
            int64_t at = start[d] + index[d] * (stride ? stride[d] : 1);
            element = element * shape_of(p->var, d, 1) + at;
            if (d == 0 && p->var->is_record)
                p->records = at + 1 > p->records ? at + 1 : p->records;
            place += imap ? index[d] * imap[d] : 0;
        }
        add_element(p, element, place);
        for (int d = nd - 1; d >= 0 && ++index[d] == count[d]; d--)
            index[d] = 0;
    }
}

/* A block within `length` of each dimension; stride only where asked. */
static void random_block(const int64_t *length, int nd, MPI_Offset *start, MPI_Offset *count,
                         MPI_Offset *stride)
{
    bool whole = one_in(3);
    for (int d = 0; d < nd; d++) {
        int64_t n = length[d];
        start[d] = whole && !one_in(4) ? 0 : below(n);
        int64_t left = n - start[d], step = stride ? 1 + below(left < 4 ? left : 4) : 1;
        int64_t most = n ? (left + step - 1) / step : 0;
        count[d] = whole || one_in(3) ? most : n ? 1 + below(most) : 0;
        if (stride)
            stride[d] = step;
    }
}

static void random_imap(struct part *p)
{
    int nd = p->var->ndims, order[MAX_NDIMS];
    int64_t step = 1 + (one_in(3) ? below(3) : 0);
    for (int d = 0; d < nd; d++)
        order[d] = d;
    for (int d = nd - 1; d > 0; d--) {
        int other = (int)below(d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    for (int i = nd - 1; i >= 0; i--) {
        p->imap[order[i]] = step;
        step *= p->count[order[i]] ? p->count[order[i]] : 1;
        step += one_in(4) ? 1 : 0;
    }
}

static void choose_pieces(struct part *p, const int64_t *length)
{
    int nd = p->var->ndims;
    p->num = nd ? 1 + (int)below(MAX_PIECES) : 1;
    p->no_any_counts = one_in(8);
    for (int i = 0; i < p->num; i++) {
        random_block(length, nd, p->starts[i], p->counts[i], NULL);
        p->no_counts[i] = p->no_any_counts || one_in(8);
        bool shrink = one_in(2); /* many small ones */
        for (int d = 0; d < nd; d++) {
            if (p->no_counts[i])
                p->counts[i][d] = 1;
            else if (shrink && p->counts[i][d] > 2)
                p->counts[i][d] = 1 + below(3);
            if (!length[d])
                p->num = 0; /* there is nothing to point at */
        }
    }
}

static void choose_slabs(struct part *p, bool put, bool empty)
{
    int64_t length[MAX_NDIMS] = { 0 }, known = g.numrecs[p->rank];
    int nd = p->var->ndims;
    for (int d = 0; d < nd; d++) {
        length[d] = shape_of(p->var, d, known);
        if (put && d == 0 && p->var->is_record && p->form != FORM_VAR)
            length[d] = known + 1 + below(3) < MAX_RECORDS ? known + 1 + below(3) : MAX_RECORDS;
    }
    random_block(length, nd, p->start, p->count, p->form >= FORM_VARS ? p->stride : NULL);
    if (p->form == FORM_VAR)
        for (int d = 0; d < nd; d++)
            p->start[d] = 0, p->count[d] = length[d];
    for (int d = 0; d < nd && p->form == FORM_VAR1; d++) {
        p->count[d] = 1;
        if (!length[d]) /* no record to get */
            p->form = FORM_VARA, p->count[d] = 0;
    }
    if (p->form == FORM_VARN)
        choose_pieces(p, length);
    if (empty && p->form == FORM_VARN)
        p->num = 0;
    else if (empty && nd && p->form >= FORM_VARA)
        p->count[below(nd)] = 0;
    if (p->form == FORM_VARM)
        random_imap(p);
    p->no_stride = p->form >= FORM_VARS && one_in(6);
    p->no_imap = p->form == FORM_VARM && one_in(8);
    if (p->no_stride)
        for (int d = 0; d < nd; d++) {
            p->stride[d] = 1;
        }
}

static void list_elements(struct part *p)
{
    if (p->form != FORM_VARN) {
        add_slab(p, p->start, p->count, p->form >= FORM_VARS ? p->stride : NULL,
                 p->form == FORM_VARM && !p->no_imap ? p->imap : NULL, 0);
        return;
    }
    for (int i = 0; i < p->num; i++)
        add_slab(p, p->starts[i], p->counts[i], NULL, NULL, p->n);
}

/* Turns a good part into one that must fail; leaves it alone when this kind of error does not fit it. */
static void spoil(struct part *p, bool put)
{
    int nd = p->var->ndims, d = (int)below(nd), kind = (int)below(9);
    bool list = p->form == FORM_VARN, grows = put && d == 0 && p->var->is_record, slab = p->form >= FORM_VARA;
    int64_t length = nd ? shape_of(p->var, d, g.numrecs[p->rank]) : 0;
    MPI_Offset *start = list ? p->starts[p->num - 1] : p->start,
               *count = list ? p->counts[p->num - 1] : p->count;
    if (kind == 0)
        p->varid = now.nvars + 3, p->error = NC_ENOTVAR;
    else if (kind == 1)
        p->varid = NC_GLOBAL, p->error = NC_EGLOBAL;
    else if (kind == 2)
        p->mem = p->mem == MEM_TEXT ? MEM_INT : MEM_TEXT, p->error = NC_ECHAR;
    else if (nd == 0 || p->form == FORM_VAR)
        return;
    else if (kind == 3)
        start[d] = grows || one_in(3) ? -1 : length + 1 + below(3), p->error = NC_EINVALCOORDS;
    else if (kind == 4 && slab && !grows && !(list && p->no_counts[p->num - 1]))
        count[d] = length - start[d] + 1 + below(3), p->error = NC_EEDGE;
    else if (kind == 5 && slab && !(list && p->no_counts[p->num - 1]))
        count[d] = -1 - below(3), p->error = NC_ENEGATIVECNT;
    else if (kind == 6 && (p->form == FORM_VARS || p->form == FORM_VARM) && !p->no_stride)
        p->stride[d] = 0, p->error = NC_ESTRIDE;
    else if (kind == 7)
        p->no_start = true, p->error = list ? NC_ENULLSTART : NC_EINVALCOORDS;
    else if (kind == 8 && slab && !list)
        p->no_count = true, p->error = NC_EEDGE;
}

static void part_free(struct part *p)
{
    free(p->element);
    free(p->place);
    p->element = NULL;
    p->place = NULL;
    p->n = p->room = 0;
    p->memory = 0;
    p->records = 0;
}

/* Bytes of memory that this operation's puts already write, one per element of each variable. */
static unsigned char *taken[MAX_VARS];

static int64_t var_elements(const struct m_var *v)
{
    return v->slab * (v->is_record ? MAX_RECORDS + 1 : 1);
}

/* Does the put touch what another put of this operation (or another piece of its own list) writes? Marks it
 * if not. */
static bool claim(const struct part *p)
{
    unsigned char **map = &taken[p->var - now.vars];
    if (!*map)
        *map = calloc((size_t)var_elements(p->var), 1);
    for (int64_t i = 0; i < p->n; i++) {
        if ((*map)[p->element[i]]) {
            while (i-- > 0)
                (*map)[p->element[i]] = 0;
            return false;
        }
        (*map)[p->element[i]] = 1;
    }
    return true;
}

/* Some blocks have a buffer that an MPI datatype describes. */
static void choose_flex(struct part *p)
{
    if (p->form != FORM_VARA || p->error || !p->n || !one_in(3))
        return;
    p->flex = FLEX_CONTIGUOUS + (enum flex)below(FLEXES - 1);
    if (p->flex == FLEX_NULL)
        p->mem = ext_mem(p->var->type);
    if (p->flex != FLEX_VECTOR)
        return;
    for (int64_t i = 0; i < p->n; i++)
        p->place[i] *= 2;
    p->memory = 2 * p->memory - 1;
}

static enum form only_form = FORMS; /* the form that all parts of an mput must have, FORMS: any */

/* False: all places tried are taken. */
static bool choose_part(struct part *p, bool put, int varid)
{
    bool is_free = false;
    static const enum form forms[] = { FORM_VAR,  FORM_VAR1, FORM_VARA, FORM_VARA, FORM_VARS,
                                       FORM_VARS, FORM_VARM, FORM_VARM, FORM_VARN, FORM_VARN };
    for (int attempt = 0; attempt < 4; attempt++) {
        bool empty = attempt == 3 || one_in(12);
        part_free(p);
        p->varid = varid;
        p->var = &now.vars[varid];
        p->flex = FLEX_NOT;
        p->form = attempt == 3 && p->var->ndims ? FORM_VARA : attempt == 3 ? FORM_VARN : forms[below(10)];
        p->mem = p->var->type == NC_CHAR ? MEM_TEXT : (enum mem)(1 + below(MEMS - 1));
        if (only_form != FORMS)
            p->form = only_form;
        choose_slabs(p, put, empty);
        if (!p->var->ndims && p->form == FORM_VARN && empty) /* a scalar's list has one piece */
            p->num = 0, p->error = NC_EINVAL;
        list_elements(p);
        is_free = !(put || (g.tame && p->form == FORM_VARN)) || claim(p); /* the peer reads a place once */
        if (is_free)
            break;
    }
    if (only_form != FORMS)
        return is_free;
    if (p->n && one_in(10)) {
        bool claimed = put;
        spoil(p, put);
        if (p->error && claimed)
            for (int64_t i = 0; i < p->n; i++)
                taken[p->var - now.vars][p->element[i]] = 0;
    }
    choose_flex(p);
    return is_free;
}

static void tell_part(const struct part *p, bool put)
{
    int nd = p->var->ndims;
    tell("\n    rank %d: %s %s %s%s %s%s%s", p->rank, put ? "put" : "get", form_names[p->form],
         mem_names[p->mem], flex_names[p->flex], p->error ? "must give " : "",
         p->error ? ncmpi_strerrno(p->error) : "", p->n ? "" : " (empty)");
    tell(" var %d %s %s(", p->varid, ext_names[p->var->type], p->var->name);
    for (int d = 0; d < nd; d++)
        tell("%s%lld", d ? "," : "", (long long)now.dims[p->var->dimids[d]].length);
    tell(")");
    if (p->form == FORM_VARN)
        tell(" %d pieces", p->num);
    for (int i = 0; p->form == FORM_VARN && i < p->num; i++)
        for (int d = 0; d < nd; d++)
            tell("%s%lld:%lld", d ? "," : " ", (long long)p->starts[i][d], (long long)p->counts[i][d]);
    for (int d = 0; p->form != FORM_VARN && p->form != FORM_VAR && d < nd; d++)
        tell(" %lld:%lld/%lld", (long long)p->start[d], (long long)p->count[d],
             (long long)(p->form >= FORM_VARS ? p->stride[d] : 1));
    for (int d = 0; p->form == FORM_VARM && d < nd; d++)
        tell(" @%lld", (long long)p->imap[d]);
    tell("%s%s%s%s", p->no_start ? " start NULL" : "", p->no_count ? " count NULL" : "",
         p->no_stride ? " stride NULL" : "", p->no_imap ? " imap NULL" : "");
}

/* ---- values */
static void random_number(void *buf, enum mem mem, size_t i, int kind)
{
    static const double reals[] = { 0,          1.5,   -2.75, 1e40,   -1e40,    3e9,      -3e9,
                                    1e19,       2e19,  -1e19, 127.25, -128,     255,      65535,
                                    2147483647, 1e-30, 1e30,  NAN,    INFINITY, -INFINITY };
    int n = sizeof reals / sizeof reals[0] - (g.tame ? 3 : 0);
    int64_t v = kind == 0 ? below(100) : (int64_t)next_random() >> below(64);
    double d = kind == 0 ? (double)v : reals[below(n)];
    if (mem == MEM_FLOAT)
        ((float *)buf)[i] = g.tame && fabs(d) > 1e38 ? 1e37f : (float)d;
    else if (mem == MEM_DOUBLE)
        ((double *)buf)[i] = d;
    else
        mem_set(buf, mem, i, v);
}

/* The buffer of a put, gaps included: the same on every rank. */
static void *make_values(const struct part *p)
{
    char *buf = calloc(p->memory + 1, mem_sizes[p->mem]);
    uint64_t kept = g.random;
    g.random = g.seed * 7919 + (uint64_t)g.op * 131 + (uint64_t)p->rank + (uint64_t)p->serial * 1000003;
    int kind = one_in(3);
    for (size_t i = 0; i < p->memory; i++)
        random_number(buf, p->mem, i, kind);
    g.random = kept;
    return buf;
}

/* What the file will hold; NC_ERANGE or NC_NOERR. */
static int model_put(const struct part *p, const void *buf)
{
    struct m_var *v = p->var;
    size_t size = ext_sizes[v->type];
    unsigned char fill[8];
    bool fits = true;
    int64_t last = -1;
    var_fill(v, fill);
    for (int64_t i = 0; i < p->n; i++)
        last = p->element[i] > last ? p->element[i] : last;
    var_reserve(v, v->is_record ? (last / v->slab + 1) * v->slab : v->slab);
    for (int64_t i = 0; i < p->n; i++) {
        size_t at = (size_t)p->element[i] * size;
        fits &= ext_put(v->data + at, now.format, v->type, fill, buf, p->mem, p->place[i]);
        memset(v->mask + at, 1, size);
    }
    g.elements += p->n;
    return fits ? NC_NOERR : NC_ERANGE;
}

/* Runs a part or posts it, the latter when id is not NULL. */
static int run_part(const struct part *p, bool put, bool collective, void *buf, enum posting way, int *id)
{
    MPI_Offset *starts[MAX_PIECES], *counts[MAX_PIECES];
    for (int i = 0; i < MAX_PIECES; i++) {
        starts[i] = (MPI_Offset *)p->starts[i];
        counts[i] = p->no_counts[i] ? NULL : (MPI_Offset *)p->counts[i];
    }
    struct call call = { .ncid = g.ncid,
                         .varid = p->varid,
                         .put = put,
                         .collective = collective,
                         .form = p->form,
                         .mem = p->mem,
                         .start = p->no_start ? NULL : p->start,
                         .count = p->no_count ? NULL : p->count,
                         .stride = p->no_stride ? NULL : p->stride,
                         .imap = p->no_imap ? NULL : p->imap,
                         .num = p->num,
                         .starts = p->no_start ? NULL : starts,
                         .counts = p->no_any_counts ? NULL : counts,
                         .buf = buf };
    if (p->flex)
        return flexible_run(&call, p->flex, p->n, way, id);
    return id ? call_post(&call, way, id) : call_run(&call);
}

static void check_code(const struct part *p, int err, int want, bool sure)
{
    if (err == want || (!sure && (err == NC_NOERR || err == NC_ERANGE)))
        return;
    say("%s of rank %d gives %s, not %s", form_names[p->form], p->rank, ncmpi_strerrno(err),
        ncmpi_strerrno(want));
}

static void put_here(const struct part *p, bool collective, int want, const void *values)
{
    size_t bytes = (p->memory + 1) * mem_sizes[p->mem];
    char *buf = malloc(bytes + 64);
    memcpy(buf, values, bytes);
    memset(buf + bytes, 0x5a, 64);
    int err = run_part(p, true, collective, buf, POST_IPUT, NULL);
    check_code(p, err, want, true);
    if (memcmp(buf, values, bytes))
        say("a put by %s changed the user's buffer", form_names[p->form]);
    free(buf);
}

/* Who writes each element, + 1, in a wait that reads too: what another rank writes may or may not be seen. */
static unsigned char *writer[MAX_VARS];

/* What a get on this rank left in buf against the model: defined elements exact, all else untouched. Returns
 * the code it must have given; false in *sure when that depends on values never written. */
static int check_got(const struct part *p, const char *buf, bool *sure)
{
    size_t one = mem_sizes[p->mem], n = p->memory + 2, size = ext_sizes[p->var->type];
    const unsigned char *by = writer[p->var - now.vars];
    char *right = malloc(n * one);
    bool fits = true, all = true;
    memset(right, 0x5a, n * one);
    for (int64_t i = 0; i < p->n && !p->error; i++) {
        int64_t at = p->element[i] * (int64_t)size;
        bool raced = by && by[p->element[i]] && by[p->element[i]] != p->rank + 1;
        if (!raced && at + (int64_t)size <= p->var->room && p->var->mask[at]) {
            fits &= ext_get(p->var->data + at, now.format, p->var->type, right, p->mem, p->place[i]);
        } else { /* never written: anything may come */
            all = false;
            memcpy(right + p->place[i] * one, buf + p->place[i] * one, one);
        }
    }
    for (size_t i = 0; i < n && !g.say[0]; i++)
        if (memcmp(buf + i * one, right + i * one, one)) {
            say("a get by %s on rank %d: element %zu of the buffer (%zu) is %lld, not %lld",
                form_names[p->form], p->rank, i, p->memory, mem_int(buf, p->mem, i),
                mem_int(right, p->mem, i));
        }
    free(right);
    *sure = p->error || all || !fits;
    return p->error ? p->error : fits ? NC_NOERR : NC_ERANGE;
}

static char *get_buffer(const struct part *p)
{
    size_t bytes = (p->memory + 2) * mem_sizes[p->mem];
    return memset(malloc(bytes), 0x5a, bytes);
}

static void get_here(const struct part *p, bool collective)
{
    char *buf = get_buffer(p);
    bool sure;
    int err = run_part(p, false, collective, buf, POST_IGET, NULL);
    int want = check_got(p, buf, &sure);
    check_code(p, err, want, sure);
    free(buf);
}

/* libpnetcdf 1.12.3 hangs when one rank has no data for a record variable and another has, or one puts a list
 * and another a block. */
static bool too_wild(const struct part *parts)
{
    bool records = false, fixed = false, odd = false, lists = false, slabs = false;
    for (int r = 0; r < g.size; r++) {
        records |= parts[r].var->is_record;
        fixed |= !parts[r].var->is_record;
        odd |= parts[r].error || !parts[r].n;
        lists |= parts[r].form == FORM_VARN;
        slabs |= parts[r].form != FORM_VARN;
    }
    return g.tame && ((records && fixed) || (lists && slabs) || odd);
}

static void move_data(bool put)
{
    static struct part parts[MAX_RANKS];
    bool collective = g.mode == MODE_COLLECTIVE, same = one_in(2);
    int shared = (int)below(now.nvars), want = NC_NOERR;
    if (!now.nvars || g.mode == MODE_DEFINE)
        return;
    tell("%s %s", collective ? "collective" : "independent", put ? "put" : "get");
    memset(taken, 0, sizeof taken);
    memset(parts, 0, sizeof parts);
    for (int r = 0; r < g.size; r++) {
        parts[r].rank = r;
        choose_part(&parts[r], put, same ? shared : (int)below(now.nvars));
        tell_part(&parts[r], put);
        g.errors += parts[r].error != 0;
    }
    void *values = NULL;
    for (int r = 0; r < g.size && put && !(collective && too_wild(parts)); r++) {
        void *buf = make_values(&parts[r]);
        int code = parts[r].error ? parts[r].error : model_put(&parts[r], buf);
        if (!parts[r].error && parts[r].n && parts[r].records > g.numrecs[r])
            g.numrecs[r] = parts[r].records;
        if (r == g.rank)
            want = code, values = buf;
        else
            free(buf);
    }
    if (!(collective && too_wild(parts))) {
        if (put)
            put_here(&parts[g.rank], collective, want, values);
        else
            get_here(&parts[g.rank], collective);
        if (put && collective) {
            agree_records();
            set_header();
        }
    }
    free(values);
    *(put ? &g.puts : &g.gets) += 1;
    for (int r = 0; r < g.size; r++)
        part_free(&parts[r]);
    for (int i = 0; i < MAX_VARS; i++)
        free(taken[i]);
}
static void step_put(void)
{
    move_data(true);
}
static void step_get(void)
{
    move_data(false);
}

#include "posted.h"

/* ---- the program */
struct step {
    void (*run)(void);
    int weight[4]; /* in each mode */
};
static const struct step steps[] = {
    /*                     closed define collective independent */
    { step_def_dim, { 0, 12, 1, 1 } },     { step_def_var, { 0, 22, 1, 1 } },
    { step_put_att, { 0, 10, 5, 3 } },     { step_get_att, { 0, 3, 3, 2 } },
    { step_del_att, { 0, 4, 1, 1 } },      { step_copy_att, { 0, 4, 2, 1 } },
    { step_rename, { 0, 6, 4, 3 } },       { step_enddef, { 0, 14, 1, 1 } },
    { step_redef, { 0, 1, 8, 4 } },        { step_abort, { 0, 2, 0, 0 } },
    { step_reopen, { 0, 2, 4, 3 } },       { step_sync, { 0, 1, 4, 4 } },
    { step_sync_numrecs, { 0, 1, 2, 4 } }, { step_begin_indep, { 0, 1, 8, 1 } },
    { step_end_indep, { 0, 1, 1, 12 } },   { step_put, { 0, 0, 80, 40 } },
    { step_get, { 0, 0, 50, 25 } },        { step_post, { 0, 12, 40, 25 } },
    { step_wait, { 0, 1, 30, 18 } },       { step_cancel, { 0, 1, 4, 2 } },
    { step_buffer, { 0, 2, 5, 3 } },       { step_many, { 0, 0, 12, 6 } },
};
enum { NSTEPS = sizeof steps / sizeof steps[0] };

static const struct step *choose_step(void)
{
    int total = 0;
    for (int i = 0; i < NSTEPS; i++)
        total += steps[i].weight[g.mode];
    int64_t at = below(total);
    for (int i = 0; i < NSTEPS; i++)
        if ((at -= steps[i].weight[g.mode]) < 0)
            return &steps[i];
    return &steps[0];
}

static void check_records(void)
{
    MPI_Offset n = -1;
    if (now.record_dim < 0)
        return;
    EXPECT(ncmpi_inq_dimlen(g.ncid, now.record_dim, &n), NC_NOERR);
    if (n != g.numrecs[g.rank])
        say("rank %d sees %lld records, not %lld", g.rank, (long long)n, (long long)g.numrecs[g.rank]);
}

static void check_file(void)
{
    char what[400];
    if (g.rank || (g.mode == MODE_DEFINE && g.is_new))
        return;
    g.checked++;
    if (!file_slurp(g.path, &image))
        say("cannot read %s", g.path);
    else if (file_differs(&image, g.mode == MODE_DEFINE ? &before : &now, &header, g.numrecs[0],
                          g.mode == MODE_INDEPENDENT, what, sizeof what))
        say("the file: %s", what);
}

/* True when some rank has a complaint; also the barrier between writing and looking. */
static bool anyone_complains(void)
{
    int mine = g.say[0] != 0, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
}

/* Reports; true ends the program. */
static bool complain(void)
{
    bool bad = anyone_complains();
    if (!bad) {
        check_file();
        bad = anyone_complains();
    }
    if (g.say[0])
        fprintf(stderr, "model: seed %llu, %d ranks, operation %lld, rank %d: %s\n",
                (unsigned long long)g.seed, g.size, (long long)g.op, g.rank, g.say);
    if (bad && g.rank == 0)
        fprintf(stderr, "model: it was: %s\n", g.text);
    return bad;
}

static bool is_skipped(const char *list, int64_t op)
{
    for (const char *p = list; p && *p;) {
        char *end;
        long long from = strtoll(p, &end, 10), to = from;
        if (*end == '-')
            to = strtoll(end + 1, &end, 10);
        if (op >= from && op <= to)
            return true;
        p = *end ? end + 1 : end;
    }
    return false;
}

static bool run_program(int64_t nops, const char *skip)
{
    for (g.op = 0; g.op < nops; g.op++) {
        if (g.op && is_skipped(skip, g.op))
            continue;
        g.random = g.seed * 0x9e3779b97f4a7c15u + (uint64_t)g.op * 0xd1342543de82ef95u;
        g.text[0] = 0;
        alarm(60);
        if (g.op == 0 || (g.op % 500 == 0 && g.mode != MODE_CLOSED)) { /* a new file now and then */
            if (g.op)
                close_file();
            create_file();
        } else {
            choose_step()->run();
            check_records();
            if (g.mode != MODE_DEFINE) /* definitions changed in data mode are in the file at once */
                set_header();
        }
        if (g.print && g.rank == 0 && g.text[0])
            printf("%lld %s\n", (long long)g.op, g.text), fflush(stdout);
        if (complain())
            return false;
    }
    close_file();
    return !anyone_complains();
}

int main(int argc, char **argv)
{
    int64_t nops = 1000;
    const char *skip = NULL, *dir = "/tmp";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.size);
    g.seed = 1;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        g.print |= !strcmp(argv[i], "--print");
        g.keep |= !strcmp(argv[i], "--keep");
        g.tame |= !strcmp(argv[i], "--tame");
        if (!strcmp(argv[i], "--seed"))
            g.seed = strtoull(value, NULL, 10);
        if (!strcmp(argv[i], "--ops"))
            nops = atoll(value);
        if (!strcmp(argv[i], "--format"))
            g.formats = atoi(value);
        if (!strcmp(argv[i], "--skip"))
            skip = value;
        if (!strcmp(argv[i], "--dir"))
            dir = value;
    }
    int id = (int)getpid();
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(g.path, sizeof g.path, "%s/model_%d.nc", dir, id);
    signal(SIGALRM, on_alarm);
    bool good = g.size <= MAX_RANKS && run_program(nops, skip);
    if (g.rank == 0) {
        printf("model: %s, seed %llu, %d ranks, %lld operations: %lld puts, %lld gets, %lld posts, %lld "
               "waits, %lld elements put, "
               "%lld bad "
               "arguments, file compared %lld times\n",
               good ? "good" : "BAD", (unsigned long long)g.seed, g.size, (long long)nops, (long long)g.puts,
               (long long)g.gets, (long long)g.posts, (long long)g.waits, (long long)g.elements,
               (long long)g.errors, (long long)g.checked);
        if (!g.keep)
            unlink(g.path);
        else
            printf("model: kept %s\n", g.path);
    }
    fflush(stdout);
    if (!good)
        MPI_Abort(MPI_COMM_WORLD, 1);
    defs_free();
    free(header.x);
    free(image.x);
    MPI_Finalize();
    return 0;
}
