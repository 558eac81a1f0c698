/* Fixes: equal programs give equal files. One family of small programs over formats, access forms, types,
 * range errors, alignments, record shapes, attributes and redefs, each writing one file through the public
 * API alone. It is compiled against Debian's libpnetcdf and against parcdf; run.py compares what the two
 * leave.
 *
 *     equal_cases --list              "name gaps" a line; gaps = strict or free
 *     equal_cases DIR [NAME]          writes DIR/<name>.nc for every case (or one) on all ranks
 *
 * A case must define every byte it leaves (no unwritten records), keep every rank's part of a collective put
 * to a record variable non-empty, and use no NaN, infinity or 2^63 (where the two differ, or the peer is
 * broken). */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "forms.h"
#include "check.h"

enum { ROWS = 4, COLS = 8, RECS = 4 }; /* all divide by 1, 2 and 4 ranks */

struct run {
    int rank, size, format, ncid, arg;
    const char *name, *text; /* text: an argument of the row */
    const char *dir;
    char path[1024];
};

static int wanted(struct run *r, int err, int want, const char *what, int line)
{
    check_made++;
    if (err != want) {
        check_bad++;
        fprintf(stderr, "case %s rank %d line %d: %s gives %s, not %s\n", r->name, r->rank, line, what,
                ncmpi_strerrno(err), ncmpi_strerrno(want));
    }
    return err;
}
#define OK(call)          wanted(r, (call), NC_NOERR, #call, __LINE__)
#define GIVES(code, call) wanted(r, (call), (code), #call, __LINE__)

/* ---- helpers */
static void create(struct run *r, MPI_Info info)
{
    OK(ncmpi_create(MPI_COMM_WORLD, r->path, NC_CLOBBER | format_cmode(r->format), info, &r->ncid));
}

static void finish(struct run *r)
{
    OK(ncmpi_close(r->ncid));
}

static void reopen(struct run *r, MPI_Info info)
{
    finish(r);
    OK(ncmpi_open(MPI_COMM_WORLD, r->path, NC_WRITE, info, &r->ncid));
}

static MPI_Info hint(const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, name, value);
    return info;
}

static int dim(struct run *r, const char *name, MPI_Offset length)
{
    int id = -1;
    OK(ncmpi_def_dim(r->ncid, name, length, &id));
    return id;
}

static int var(struct run *r, const char *name, nc_type type, int ndims, const int *dims)
{
    int id = -1;
    OK(ncmpi_def_var(r->ncid, name, type, ndims, dims, &id));
    return id;
}

static void att(struct run *r, int varid, const char *name, const char *value)
{
    OK(ncmpi_put_att_text(r->ncid, varid, name, (MPI_Offset)strlen(value), value));
}

static enum mem mem_of(nc_type type)
{
    static const enum mem of[12] = {
        MEM_TEXT,   MEM_SCHAR, MEM_TEXT,   MEM_SHORT, MEM_INT,      MEM_FLOAT,
        MEM_DOUBLE, MEM_UCHAR, MEM_USHORT, MEM_UINT,  MEM_LONGLONG, MEM_ULONGLONG
    };
    return of[type];
}

static void *values(enum mem mem, size_t n, long long from)
{
    char *buf = calloc(n + 1, mem_sizes[mem]);
    for (size_t i = 0; i < n; i++)
        mem_set(buf, mem, i, (from + (long long)i * 7) % 100 + 20);
    return buf;
}

/* Puts this rank's share of the block start..start+count: a slice of dimension `split`, in the type's own
 * memory type. Collective. */
static void put_share(struct run *r, int varid, const MPI_Offset *start, const MPI_Offset *count, int split)
{
    MPI_Offset s[8] = { 0 }, c[8] = { 0 }, n = 1;
    nc_type type;
    int ndims;
    OK(ncmpi_inq_vartype(r->ncid, varid, &type));
    OK(ncmpi_inq_varndims(r->ncid, varid, &ndims));
    for (int i = 0; i < ndims; i++) {
        s[i] = start[i];
        c[i] = count[i];
        if (i == split) {
            c[i] = count[i] / r->size + (r->rank == r->size - 1 ? count[i] % r->size : 0);
            s[i] += count[i] / r->size * r->rank;
        }
        n *= c[i];
    }
    enum mem mem = mem_of(type);
    void *buf = values(mem, (size_t)n, varid * 3 + (ndims ? r->rank * 11 + start[0] : 0));
    struct call call = { .ncid = r->ncid,
                         .varid = varid,
                         .put = true,
                         .collective = true,
                         .form = FORM_VARA,
                         .mem = mem,
                         .start = s,
                         .count = c,
                         .buf = buf };
    OK(call_run(&call));
    free(buf);
}

/* Every byte of a variable: `records` records if it has the record dimension, split over the ranks along its
 * last dimension (along records when it has no other). */
static void put_all(struct run *r, int varid, MPI_Offset records)
{
    int ndims, dims[8], unlimited;
    MPI_Offset start[8] = { 0 }, count[8];
    OK(ncmpi_inq_varndims(r->ncid, varid, &ndims));
    OK(ncmpi_inq_vardimid(r->ncid, varid, dims));
    OK(ncmpi_inq_unlimdim(r->ncid, &unlimited));
    for (int i = 0; i < ndims; i++) {
        OK(ncmpi_inq_dimlen(r->ncid, dims[i], &count[i]));
        if (dims[i] == unlimited)
            count[i] = records;
    }
    put_share(r, varid, start, count, ndims - 1);
}

static void put_every(struct run *r, MPI_Offset records)
{
    int nvars;
    OK(ncmpi_inq_nvars(r->ncid, &nvars));
    for (int v = 0; v < nvars; v++)
        put_all(r, v, records);
}

/* Two fixed and (optionally) two record variables with odd sizes. */
static void define_mix(struct run *r, bool records)
{
    int t = records ? dim(r, "time", NC_UNLIMITED) : -1, x = dim(r, "x", 5), y = dim(r, "y", 4);
    int yx[2] = { y, x }, ty[2] = { t, y }, tx[2] = { t, x };
    var(r, "fixed_byte", NC_BYTE, 1, &x);
    if (records)
        var(r, "rec_short", NC_SHORT, 2, tx);
    var(r, "fixed_double", NC_DOUBLE, 2, yx);
    if (records)
        var(r, "rec_int", NC_INT, 2, ty);
    att(r, NC_GLOBAL, "title", "a mix");
}

/* ---- access forms: arg = form, text = "fixed" or "record", with "+indep" for independent mode */
struct piece {
    MPI_Offset start[2], count[2], stride[2], imap[2];
};

static void form_call(struct run *r, int varid, enum form form, const struct piece *p, bool collective)
{
    size_t n = form == FORM_VAR1 ? 1 : (size_t)(p->count[0] * p->count[1]);
    int *buf = values(MEM_INT, n, p->start[0] * 31 + p->start[1] * 3);
    struct call call = { .ncid = r->ncid,
                         .varid = varid,
                         .put = true,
                         .collective = collective,
                         .form = form,
                         .mem = MEM_INT,
                         .start = p->start,
                         .count = p->count,
                         .stride = p->stride,
                         .imap = p->imap,
                         .buf = buf };
    OK(call_run(&call));
    free(buf);
}

static void form_varn(struct run *r, int varid, bool collective)
{
    MPI_Offset starts[64][2], counts[64][2], *s[64], *c[64];
    int n = 0, total = 0;
    for (int row = ROWS - 1; row >= 0; row--) { /* last first; each rank owns columns of its own */
        int width = COLS / r->size, left = r->rank * width;
        for (int part = 0; part < 2; part++, n++) {
            int cut = width / 2;
            starts[n][0] = row;
            starts[n][1] = part ? left : left + cut;
            counts[n][0] = 1;
            counts[n][1] = part ? cut : width - cut;
            s[n] = starts[n];
            c[n] = counts[n];
            total += (int)counts[n][1];
        }
    }
    short *buf = values(MEM_SHORT, (size_t)total, r->rank);
    struct call call = { .ncid = r->ncid,
                         .varid = varid,
                         .put = true,
                         .collective = collective,
                         .form = FORM_VARN,
                         .mem = MEM_SHORT,
                         .num = n,
                         .starts = s,
                         .counts = c,
                         .buf = buf };
    OK(call_run(&call));
    free(buf);
}

static void put_form(struct run *r, int varid, enum form form, bool collective)
{
    int width = COLS / r->size;
    struct piece p = { { 0, r->rank * width }, { ROWS, width }, { 1, 1 }, { width, 1 } };
    switch (form) {
    case FORM_VAR: /* every rank writes the same values over the whole variable */
        p = (struct piece){ { 0, 0 }, { ROWS, COLS }, { 1, 1 }, { 0, 0 } };
        if (collective || r->rank == 0)
            form_call(r, varid, form, &p, collective);
        break;
    case FORM_VAR1:
        for (int i = r->rank; i < ROWS * COLS; i += r->size) {
            p.start[0] = i / COLS;
            p.start[1] = i % COLS;
            form_call(r, varid, form, &p, collective);
        }
        break;
    case FORM_VARS:
        p.start[1] = r->rank;
        p.stride[1] = r->size;
        form_call(r, varid, form, &p, collective);
        break;
    case FORM_VARM:
        p.imap[0] = 1;
        p.imap[1] = ROWS;
        form_call(r, varid, form, &p, collective);
        break;
    case FORM_VARN:
        form_varn(r, varid, collective);
        break;
    default:
        form_call(r, varid, form, &p, collective);
    }
}

static void case_form(struct run *r)
{
    bool record = !strncmp(r->text, "record", 6), indep = strstr(r->text, "indep") != NULL;
    create(r, MPI_INFO_NULL);
    int d[2] = { dim(r, "row", record ? NC_UNLIMITED : ROWS), dim(r, "col", COLS) };
    int other = var(r, "other", NC_SHORT, 2, d), v = var(r, "v", NC_INT, 2, d),
        w = var(r, "w", NC_DOUBLE, 2, d);
    OK(ncmpi_enddef(r->ncid));
    put_all(r, other, ROWS); /* makes the records that the form var covers */
    if (indep)
        OK(ncmpi_begin_indep_data(r->ncid));
    put_form(r, v, r->arg, !indep);
    put_form(r, w, r->arg, !indep);
    if (indep)
        OK(ncmpi_end_indep_data(r->ncid));
    finish(r);
}

/* ---- types: arg = memory type; every external type of the format */
static void put_values(struct run *r, int varid, enum mem mem, void *buf, MPI_Offset n, int want)
{
    MPI_Offset start[1] = { r->rank * n }, count[1] = { n };
    struct call call = { .ncid = r->ncid,
                         .varid = varid,
                         .put = true,
                         .collective = true,
                         .form = FORM_VARA,
                         .mem = mem,
                         .start = start,
                         .count = count,
                         .buf = buf };
    GIVES(want, call_run(&call));
}

static void case_types(struct run *r)
{
    enum mem mem = r->arg;
    enum { N = 1500 }; /* above the peer's 4096 bytes, where it swaps in place */
    create(r, MPI_INFO_NULL);
    int d = dim(r, "n", N * r->size), ids[12];
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++)
        ids[t] = var(r, ext_names[t], t, 1, &d);
    OK(ncmpi_enddef(r->ncid));
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++) {
        enum mem m = t == NC_CHAR ? MEM_TEXT : mem == MEM_TEXT ? mem_of(t) : mem;
        void *buf = values(m, N, r->rank * 5 + t);
        put_values(r, ids[t], m, buf, N, NC_NOERR);
        free(buf);
    }
    finish(r);
}

/* Values at and beyond the limits of the external types, as far as the memory type holds them. */
static const double real_edges[] = {
    0,      1.5,   -2.9,  127,  128,          255,  256,   -128,         -129,         32767,         32768,
    -32769, 65535, 65536, -1.5, 2147483647.0, 1e10, -1e10, 4294967295.0, 4294967296.0, -2147483649.0, 1e15,
    -1e15,  1e20,  -1e20
};
static const long long whole_edges[] = { 0,
                                         1,
                                         -1,
                                         127,
                                         128,
                                         255,
                                         256,
                                         -128,
                                         -129,
                                         32767,
                                         32768,
                                         -32768,
                                         -32769,
                                         65535,
                                         65536,
                                         2147483647LL,
                                         2147483648LL,
                                         -2147483648LL,
                                         -2147483649LL,
                                         4294967295LL,
                                         4294967296LL,
                                         16777217LL,
                                         9007199254740993LL,
                                         9223372036854775807LL,
                                         -9223372036854775807LL };
enum { EDGES = 25 };

static void *edge_values(enum mem mem)
{
    char *buf = calloc(EDGES + 2, mem_sizes[mem]);
    for (size_t i = 0; i < EDGES; i++) {
        if (mem == MEM_DOUBLE)
            ((double *)buf)[i] = real_edges[i];
        else if (mem == MEM_FLOAT)
            ((float *)buf)[i] = (float)real_edges[i];
        else
            mem_set(buf, mem, i, whole_edges[i]);
    }
    if (mem == MEM_DOUBLE) {
        ((double *)buf)[EDGES] = 1e40;
        ((double *)buf)[EDGES + 1] = -1e40;
    }
    return buf;
}

/* Does one of the values miss the external type? Asked of the types' limits, not of either library. */
static bool misses(struct run *r, nc_type t, enum mem mem, const void *buf, int n)
{
    static const double low[12] = {
        0, -128, 0, -32768, -2147483648.0, -3.5e38, -1.7e308, 0, 0, 0, -9.3e18, 0
    };
    static const double high[12] = { 0,       127, 0,     32767,        2147483647.0, 3.5e38,
                                     1.7e308, 255, 65535, 4294967295.0, 9.3e18,       1.85e19 };
    if (r->format < 5 && t == NC_BYTE && mem == MEM_UCHAR)
        return false; /* raw copy */
    for (int i = 0; i < n; i++) {
        double v = mem == MEM_DOUBLE      ? ((const double *)buf)[i]
                   : mem == MEM_FLOAT     ? ((const float *)buf)[i]
                   : mem == MEM_ULONGLONG ? (double)((const unsigned long long *)buf)[i]
                                          : (double)mem_int(buf, mem, (size_t)i);
        if (v < low[t] || v > high[t] || (t == NC_INT64 && v > 9.3e18))
            return true;
        if (t == NC_INT64 && mem == MEM_ULONGLONG && v > 9.2233720368547758e18)
            return true;
    }
    return false;
}

static void case_range(struct run *r)
{
    enum mem mem = r->arg;
    const bool user_fill = r->text[0] == 'f';
    create(r, MPI_INFO_NULL);
    int d = dim(r, "n", (EDGES + 2) * r->size), ids[12];
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++) {
        ids[t] = var(r, ext_names[t], t, 1, &d);
        signed char fill = 42;
        if (user_fill && t != NC_CHAR)
            OK(ncmpi_put_att_schar(r->ncid, ids[t], "_FillValue", t, 1, &fill));
    }
    OK(ncmpi_enddef(r->ncid));
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++) {
        int n = EDGES + 2;
        void *buf = t == NC_CHAR ? values(MEM_TEXT, (size_t)n, 0) : edge_values(mem);
        bool miss = t != NC_CHAR && misses(r, t, mem, buf, n);
        put_values(r, ids[t], t == NC_CHAR ? MEM_TEXT : mem, buf, n, miss ? NC_ERANGE : NC_NOERR);
        free(buf);
    }
    finish(r);
}

/* ---- layout */
struct enddef_args {
    MPI_Offset h_minfree, v_align, v_minfree, r_align;
};
static const struct enddef_args enddef_args[] = {
    { 0, 0, 0, 0 }, { 1000, 0, 0, 0 },       { 0, 0, 1000, 0 }, { 0, 0, 0, 1024 }, { 700, 0, 33, 64 },
    { 0, 0, 0, 6 }, { 3000, 0, 5000, 4096 }, { 0, 4, 0, 4 },    { 0, 100, 0, 0 },  { 0, 2048, 0, 8 },
};

/* arg: row of enddef_args; text: "mix", "fixed", "record" or "one" (a single fixed variable: 1.12.3 aligns
 * every fixed variable to v_align, so a row with v_align above 4 has just one). 1.12.3 also aligns the data
 * section to r_align where v_align is 0 and no hint says otherwise, hence the hint. */
static void case_enddef(struct run *r)
{
    const struct enddef_args *a = &enddef_args[r->arg];
    MPI_Info info = hint("nc_header_align_size", "512");
    create(r, a->r_align && !a->v_align ? info : MPI_INFO_NULL);
    MPI_Info_free(&info);
    if (!strcmp(r->text, "one") || !strcmp(r->text, "record")) {
        int d[2] = { dim(r, "t", NC_UNLIMITED), dim(r, "x", 5) };
        if (!strcmp(r->text, "one"))
            var(r, "fixed", NC_SHORT, 1, &d[1]);
        var(r, "rec", NC_SHORT, 2, d);
        var(r, "rec2", NC_BYTE, 2, d);
    } else {
        define_mix(r, strcmp(r->text, "fixed") != 0);
    }
    OK(ncmpi__enddef(r->ncid, a->h_minfree, a->v_align, a->v_minfree, a->r_align));
    put_every(r, RECS);
    finish(r);
}

/* text: hint=value; arg 1: the call's own arguments are there too and must lose */
static void case_hint(struct run *r)
{
    char name[64];
    const char *value = strchr(r->text, '=') + 1;
    snprintf(name, sizeof name, "%.*s", (int)(value - 1 - r->text), r->text);
    MPI_Info info = hint(name, value);
    create(r, info);
    MPI_Info_free(&info);
    define_mix(r, true);
    if (r->arg)
        OK(ncmpi__enddef(r->ncid, 0, 4, 0, 128));
    else
        OK(ncmpi_enddef(r->ncid));
    put_every(r, RECS);
    finish(r);
}

/* arg: external type; text: which shape */
static void case_record(struct run *r)
{
    create(r, MPI_INFO_NULL);
    int d[2] = { dim(r, "t", NC_UNLIMITED), dim(r, "x", 5) }, n = 0;
    const char *shape = r->text;
    var(r, "a", (nc_type)r->arg, shape[0] == 's' ? 1 : 2, d), n++; /* s: one value a record */
    if (!strcmp(shape, "two"))
        var(r, "b", (nc_type)r->arg, 2, d), n++;
    if (!strcmp(shape, "fixed"))
        var(r, "b", NC_INT, 1, &d[1]), n++;
    OK(ncmpi_enddef(r->ncid));
    for (int v = 0; v < n; v++) {
        if (!strcmp(shape, "fixed") && v == 1)
            put_all(r, v, 0);
        else
            put_share(r, v, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ RECS * 3, 5 }, 0);
    }
    finish(r);
}

static void case_zero_records(struct run *r)
{
    create(r, MPI_INFO_NULL);
    define_mix(r, true);
    OK(ncmpi_enddef(r->ncid));
    put_all(r, 0, 0);
    put_all(r, 2, 0);
    finish(r);
}

/* ---- fill values. arg & 1: own _FillValue; & 2: records by fill_var_rec; & 4: def_var_fill instead of
 * set_fill; & 8: a redef adds variables, which enddef fills; & 16: part of what was filled is written */
static void fill_values(struct run *r, nc_type type, int varid)
{
    void *value = values(mem_of(type), 1, 7);
    if (r->arg & 1)
        OK(ncmpi_def_var_fill(r->ncid, varid, 0, value));
    else if (r->arg & 4)
        OK(ncmpi_def_var_fill(r->ncid, varid, 0, NULL));
    free(value);
}

static void define_filled(struct run *r, const char *prefix, const int *dims)
{
    char name[40];
    for (nc_type t = NC_BYTE; t <= (r->format == 5 ? NC_UINT64 : NC_DOUBLE); t++) {
        snprintf(name, sizeof name, "%s_fixed_%d", prefix, t);
        fill_values(r, t, var(r, name, t, 1, dims + 1));
        snprintf(name, sizeof name, "%s_record_%d", prefix, t);
        fill_values(r, t, var(r, name, t, 2, dims));
    }
}

static void case_fill(struct run *r)
{
    int old, nvars;
    create(r, MPI_INFO_NULL);
    int dims[2] = { dim(r, "t", NC_UNLIMITED), dim(r, "x", 7) };
    if (!(r->arg & 4))
        OK(ncmpi_set_fill(r->ncid, NC_FILL, &old));
    define_filled(r, "first", dims);
    OK(ncmpi_enddef(r->ncid));
    OK(ncmpi_inq_nvars(r->ncid, &nvars));
    for (int v = 1; (r->arg & 2) && v < nvars; v += 2)
        for (int rec = 2; rec >= 0; rec--)
            OK(ncmpi_fill_var_rec(r->ncid, v, rec));
    for (int v = 0; (r->arg & 16) && v < nvars; v++)
        put_share(r, v, (MPI_Offset[]){ v % 2 ? 1 : 0, 0 }, (MPI_Offset[]){ v % 2 ? 1 : 4, 4 }, v % 2);
    if (r->arg & 8) {
        OK(ncmpi_redef(r->ncid));
        define_filled(r, "second", dims);
        OK(ncmpi_enddef(r->ncid));
    }
    finish(r);
}

static void case_record_order(struct run *r)
{
    static const int order[] = { 3, 0, 5, 1, 4, 2 };
    create(r, MPI_INFO_NULL);
    define_mix(r, true);
    OK(ncmpi_enddef(r->ncid));
    put_all(r, 0, 0);
    put_all(r, 2, 0);
    for (int i = 0; i < 6; i++) {
        put_share(r, 1, (MPI_Offset[]){ order[i], 0 }, (MPI_Offset[]){ 1, 5 }, 1);
        put_share(r, 3, (MPI_Offset[]){ order[i], 0 }, (MPI_Offset[]){ 1, 4 }, 1);
    }
    finish(r);
}

static void case_record_indep(struct run *r)
{
    create(r, MPI_INFO_NULL);
    define_mix(r, true);
    OK(ncmpi_enddef(r->ncid));
    put_all(r, 0, 0);
    put_all(r, 2, 0);
    OK(ncmpi_begin_indep_data(r->ncid));
    for (int rec = RECS - 1; rec >= 0; rec--) {
        if (rec % r->size != r->rank)
            continue;
        short a[5] = { 1, 2, 3, 4, (short)rec };
        int b[4] = { 5, 6, 7, rec };
        OK(ncmpi_put_vara_short(r->ncid, 1, (MPI_Offset[]){ rec, 0 }, (MPI_Offset[]){ 1, 5 }, a));
        OK(ncmpi_put_vara_int(r->ncid, 3, (MPI_Offset[]){ rec, 0 }, (MPI_Offset[]){ 1, 4 }, b));
    }
    if (r->arg == 0)
        OK(ncmpi_end_indep_data(r->ncid));
    else if (r->arg == 1)
        OK(ncmpi_sync(r->ncid));
    finish(r);
}

static void case_scalar(struct run *r)
{
    create(r, MPI_INFO_NULL);
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++)
        var(r, ext_names[t], t, 0, NULL);
    if (r->arg) {
        int d[1] = { dim(r, "t", NC_UNLIMITED) };
        var(r, "rec", NC_BYTE, 1, d);
    }
    OK(ncmpi_enddef(r->ncid));
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++) {
        void *buf = values(mem_of(t), 1, t);
        struct call call = { .ncid = r->ncid,
                             .varid = t - 1,
                             .put = true,
                             .collective = true,
                             .form = t % 2 ? FORM_VAR : FORM_VAR1,
                             .mem = mem_of(t),
                             .buf = buf };
        OK(call_run(&call));
        free(buf);
    }
    if (r->arg)
        put_all(r, ext_last(r->format), RECS);
    finish(r);
}

/* ---- files without data */
static void case_bare(struct run *r)
{
    create(r, MPI_INFO_NULL);
    if (r->arg >= 1) {
        dim(r, "x", 7);
        dim(r, "time", NC_UNLIMITED);
    }
    if (r->arg >= 2)
        att(r, NC_GLOBAL, "title", "no variables");
    if (r->arg >= 3)
        var(r, "v", NC_DOUBLE, 1, (int[]){ 0 });
    if (r->arg >= 4)
        var(r, "w", NC_SHORT, 1, (int[]){ 1 });
    if (r->arg != 2)
        OK(ncmpi_enddef(r->ncid)); /* 2: close ends define mode */
    finish(r);
}

static void case_many(struct run *r)
{
    create(r, MPI_INFO_NULL);
    int d[3] = { dim(r, "t", NC_UNLIMITED), dim(r, "y", 2), dim(r, "x", 4) };
    char name[64];
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "variable_%.*s%d", i % 7, "aeiouyy", i);
        bool record = i % 3 == 0;
        int v = var(r, name, 1 + i % 6, record ? 3 : 2, record ? d : d + 1);
        snprintf(name, sizeof name, "attribute number %d", i);
        att(r, v, name, name);
    }
    OK(ncmpi_enddef(r->ncid));
    put_every(r, RECS);
    finish(r);
}

static void case_names(struct run *r)
{
    char longest[257];
    memset(longest, 'n', 256);
    longest[256] = 0;
    create(r, MPI_INFO_NULL);
    int d = dim(r, "\xc3\xa9t\xc3\xa9", 4), e = dim(r, longest, 4);
    int v = var(r, "temp\xc3\xa9rature de l'air (2 m)", NC_FLOAT, 1, &d), w = var(r, "_1", NC_INT, 1, &e);
    var(r, "e\xcc\x81", NC_INT, 1, &e); /* stored composed */
    att(r, v, "unit\xc3\xa9s",
        "\xc2\xb0"
        "C");
    att(r, w, longest, longest);
    OK(ncmpi_enddef(r->ncid));
    put_every(r, 0);
    finish(r);
}

/* vsize fields of variables beyond 2 GiB and 4 GiB; nothing written */
static void case_huge(struct run *r)
{
    create(r, MPI_INFO_NULL);
    int d[2] = { dim(r, "big", 2147483640), dim(r, "x", 3) }, e[2] = { d[1], d[0] };
    if (r->format > 1)
        var(r, "near", NC_BYTE, 1, d);
    var(r, "last", NC_INT, 2, e);
    OK(ncmpi_enddef(r->ncid));
    finish(r);
}

/* ---- attributes */
static int put_att(struct run *r, int varid, const char *name, nc_type t, enum mem m, MPI_Offset n,
                   const void *v)
{
    switch (m) {
#define ATT_OF(tag, suffix, ctype)                                                                           \
    case tag:                                                                                                \
        return ncmpi_put_att_##suffix(r->ncid, varid, name, t, n, (const ctype *)v);
#define ncmpi_put_att_text(ncid, varid, name, t, n, v) ncmpi_put_att_text(ncid, varid, name, n, v)
        MEM_TYPES(ATT_OF)
#undef ncmpi_put_att_text
#undef ATT_OF
    default:
        return NC_EINVAL;
    }
}

/* arg: memory type; text "plain" or "range" */
static void case_atts(struct run *r)
{
    bool range = r->text[0] == 'r';
    char name[64];
    create(r, MPI_INFO_NULL);
    int d = dim(r, "x", 4), v = var(r, "v", NC_INT, 1, &d);
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++) {
        enum mem m = t == NC_CHAR ? MEM_TEXT : r->arg == MEM_TEXT ? mem_of(t) : (enum mem)r->arg;
        for (int n = range ? EDGES : 0; n <= (range ? EDGES : 5); n++) {
            snprintf(name, sizeof name, "%s_%d", ext_names[t], n);
            void *buf = range && t != NC_CHAR ? edge_values(m) : values(m, (size_t)n, t);
            bool miss = range && t != NC_CHAR && misses(r, t, m, buf, n);
            GIVES(miss ? NC_ERANGE : NC_NOERR, put_att(r, n % 2 ? v : NC_GLOBAL, name, t, m, n, buf));
            free(buf);
        }
    }
    OK(ncmpi_enddef(r->ncid));
    put_all(r, v, 0);
    finish(r);
}

static void case_att_generic(struct run *r)
{
    create(r, MPI_INFO_NULL);
    for (nc_type t = NC_BYTE; t <= ext_last(r->format); t++) {
        void *buf = values(mem_of(t), 3, t);
        OK(ncmpi_put_att(r->ncid, NC_GLOBAL, ext_names[t], t, 3, buf));
        free(buf);
    }
    finish(r);
}

/* arg 0: all in define mode (grow, shrink, new type); 1: in data mode, never larger; 2: delete; 3: data mode,
 * independent */
static void case_att_change(struct run *r)
{
    int i4[4] = { 1, 2, 3, 4 };
    short s = 9;
    create(r, MPI_INFO_NULL);
    define_mix(r, true);
    OK(ncmpi_put_att_int(r->ncid, 0, "counts", NC_INT, 4, i4));
    att(r, 0, "units", "degrees");
    att(r, 2, "note", "abc");
    if (r->arg == 0) {
        att(r, 0, "units", "a much longer text than before");
        att(r, NC_GLOBAL, "title", "x");
        OK(ncmpi_put_att_short(r->ncid, 0, "counts", NC_SHORT, 1, &s));
    }
    if (r->arg == 2) {
        OK(ncmpi_del_att(r->ncid, 0, "counts"));
        OK(ncmpi_del_att(r->ncid, NC_GLOBAL, "title"));
        att(r, 0, "again", "added later");
    }
    OK(ncmpi_enddef(r->ncid));
    put_every(r, RECS);
    if (r->arg == 3)
        OK(ncmpi_begin_indep_data(r->ncid));
    if (r->arg == 1 || r->arg == 3) {
        att(r, 0, "units", "kelvin!");
        att(r, 2, "note", "z");
        OK(ncmpi_put_att_short(r->ncid, 0, "counts", NC_DOUBLE, 1, &s));
        GIVES(NC_ENOTINDEFINE, ncmpi_put_att_int(r->ncid, 0, "note", NC_INT, 4, i4));
        GIVES(NC_ENOTINDEFINE, ncmpi_put_att_text(r->ncid, 0, "new", 1, "n"));
        GIVES(NC_ENOTINDEFINE, ncmpi_del_att(r->ncid, 0, "units"));
    }
    finish(r);
}

static void case_att_copy(struct run *r)
{
    char other[1100];
    int source;
    snprintf(other, sizeof other, "%s.source", r->path);
    OK(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER | format_cmode(r->format), MPI_INFO_NULL, &source));
    OK(ncmpi_put_att_text(source, NC_GLOBAL, "history", 11, "made before"));
    double v[2] = { 1.25, -3e300 };
    OK(ncmpi_put_att_double(source, NC_GLOBAL, "range", NC_DOUBLE, 2, v));
    create(r, MPI_INFO_NULL);
    define_mix(r, false);
    att(r, 0, "units", "m");
    OK(ncmpi_copy_att(source, NC_GLOBAL, "history", r->ncid, NC_GLOBAL));
    OK(ncmpi_copy_att(source, NC_GLOBAL, "range", r->ncid, 1));
    OK(ncmpi_copy_att(r->ncid, 0, "units", r->ncid, 1));
    OK(ncmpi_copy_att(r->ncid, 0, "units", r->ncid, 0));
    OK(ncmpi_close(source));
    OK(ncmpi_enddef(r->ncid));
    put_every(r, 0);
    finish(r);
    if (r->rank == 0)
        unlink(other);
}

/* ---- renames: arg 0 define mode, 1 data mode, 2 redef to longer names, 3 independent mode */
static void case_rename(struct run *r)
{
    create(r, MPI_INFO_NULL);
    define_mix(r, true);
    att(r, 2, "units", "m");
    if (r->arg > 0) {
        OK(ncmpi_enddef(r->ncid));
        put_every(r, RECS);
    }
    if (r->arg == 2)
        OK(ncmpi_redef(r->ncid));
    if (r->arg == 3)
        OK(ncmpi_begin_indep_data(r->ncid));
    bool longer = r->arg == 0 || r->arg == 2;
    OK(ncmpi_rename_dim(r->ncid, 0, longer ? "time_of_day" : "day"));
    OK(ncmpi_rename_dim(r->ncid, 1, "z"));
    OK(ncmpi_rename_var(r->ncid, 0, longer ? "fixed_byte_renamed" : "fb"));
    OK(ncmpi_rename_var(r->ncid, 3, "q"));
    OK(ncmpi_rename_att(r->ncid, 2, "units", longer ? "units_of_it" : "u"));
    OK(ncmpi_rename_att(r->ncid, NC_GLOBAL, "title", "TITLE"));
    if (!longer)
        GIVES(NC_ENOTINDEFINE, ncmpi_rename_var(r->ncid, 2, "a name that is longer than it was"));
    if (r->arg == 0 || r->arg == 2)
        OK(ncmpi_enddef(r->ncid));
    if (r->arg == 0)
        put_every(r, RECS);
    finish(r);
}

/* ---- redef */
static void add_header_bytes(struct run *r, int nbytes)
{
    char *text = malloc((size_t)nbytes);
    memset(text, 'h', (size_t)nbytes);
    OK(ncmpi_put_att_text(r->ncid, NC_GLOBAL, "more", nbytes, text));
    free(text);
}

static void leave_define(struct run *r)
{
    if (r->arg & 16)
        OK(ncmpi__enddef(r->ncid, 300, 4, 200, 4));
    else
        OK(ncmpi_enddef(r->ncid));
}

/* text: letters of what the redef adds: a attribute within the free room, h 2000 bytes of header, d
 * dimension, f fixed variable, r record variable, R large record variable, s scalar, n nothing. A leading "1"
 * starts from one record variable, "0" from fixed ones only, "v" from a single unpadded byte variable. Bits
 * of arg: 1 reopen first, 2 twice, 4 write the new data, too, 8 fewer records before, 16 _enddef, 32 larger
 * alignment by hint at reopen. */
static void redef_start(struct run *r)
{
    int d[2];
    switch (r->text[0]) {
    case '1':
        d[0] = dim(r, "t", NC_UNLIMITED);
        d[1] = dim(r, "x", 5);
        var(r, "f", NC_SHORT, 1, &d[1]);
        var(r, "rec", NC_DOUBLE, 2, d);
        break;
    case 'v':
        d[0] = dim(r, "t", NC_UNLIMITED);
        d[1] = dim(r, "x", 5);
        var(r, "rec", NC_BYTE, 2, d);
        break;
    case '0':
        define_mix(r, false);
        break;
    default:
        define_mix(r, true);
    }
}

static void redef_add(struct run *r, int round)
{
    char name[32];
    int t, x;
    OK(ncmpi_inq_unlimdim(r->ncid, &t));
    OK(ncmpi_inq_dimid(r->ncid, "x", &x));
    for (const char *p = r->text; *p; p++) {
        snprintf(name, sizeof name, "new_%c%d", *p, round);
        if (*p == 'a')
            att(r, NC_GLOBAL, name, "small");
        if (*p == 'h')
            add_header_bytes(r, 2000 * (round + 1));
        if (*p == 'd')
            x = dim(r, name, 12);
        if (*p == 'f')
            var(r, name, NC_INT, 1, &x);
        if (*p == 's')
            var(r, name, NC_DOUBLE, 0, NULL);
        if (*p == 't')
            t = dim(r, name, NC_UNLIMITED);
        if (*p == 'r')
            var(r, name, NC_SHORT, 2, (int[]){ t, x });
        if (*p == 'R') {
            snprintf(name, sizeof name, "big%d", round);
            var(r, "R", NC_DOUBLE, 2, (int[]){ t, dim(r, name, 200) });
        }
    }
}

static void case_redef(struct run *r)
{
    MPI_Offset records = r->arg & 8 ? 1 * r->size : 3 * r->size;
    create(r, MPI_INFO_NULL);
    redef_start(r);
    leave_define(r);
    put_every(r, records);
    for (int round = 0; round < (r->arg & 2 ? 2 : 1); round++) {
        if (r->arg & 32) {
            MPI_Info info = hint("nc_record_align_size", "2048");
            MPI_Info_set(info, "nc_header_align_size", "1024");
            reopen(r, info);
            MPI_Info_free(&info);
        } else if (r->arg & 1) {
            reopen(r, MPI_INFO_NULL);
        }
        OK(ncmpi_redef(r->ncid));
        redef_add(r, round);
        leave_define(r);
        if (r->arg & 4) { /* all but the first variable, which keeps what was moved */
            int nvars;
            OK(ncmpi_inq_nvars(r->ncid, &nvars));
            for (int v = 1; v < nvars; v++)
                put_all(r, v, records);
        }
    }
    finish(r);
}

/* Much data to move, more than one piece of the peer's 1 MiB a rank. */
static void case_redef_large(struct run *r)
{
    create(r, MPI_INFO_NULL);
    int d[2] = { dim(r, "t", NC_UNLIMITED), dim(r, "x", 200000) };
    var(r, "f", NC_DOUBLE, 1, &d[1]);
    if (r->arg)
        var(r, "rec", NC_FLOAT, 2, d);
    OK(ncmpi_enddef(r->ncid));
    put_every(r, 3);
    OK(ncmpi_redef(r->ncid));
    add_header_bytes(r, 5000);
    if (r->arg) {
        var(r, "rec2", NC_SHORT, 2, d);
        var(r, "f2", NC_INT, 1, &d[1]);
    }
    OK(ncmpi_enddef(r->ncid));
    if (r->arg) {
        put_all(r, 2, 3);
        put_all(r, 3, 3);
    }
    finish(r);
}

/* arg 0: abort of a new file (it is gone), 1: abort after redef, 2: abort in data mode, 3: close in define
 * mode after a redef, 4: abort after redef with records put before */
static void case_abort(struct run *r)
{
    create(r, MPI_INFO_NULL);
    define_mix(r, r->arg == 4);
    if (r->arg) {
        OK(ncmpi_enddef(r->ncid));
        put_every(r, RECS);
    }
    if (r->arg == 1 || r->arg == 3 || r->arg == 4) {
        OK(ncmpi_redef(r->ncid));
        add_header_bytes(r, 3000);
        var(r, "scalar", NC_INT, 0, NULL);
    }
    if (r->arg == 3)
        finish(r);
    else if (r->arg == 0)
        (void)ncmpi_abort(r->ncid); /* 1.12.3 unlinks on every rank: all but one get NC_ENOENT */
    else
        OK(ncmpi_abort(r->ncid));
}

/* Mode switches, syncs and reopenings between writes. */
static void case_switches(struct run *r)
{
    create(r, MPI_INFO_NULL);
    define_mix(r, true);
    OK(ncmpi_enddef(r->ncid));
    put_all(r, 0, 0);
    OK(ncmpi_sync(r->ncid));
    OK(ncmpi_begin_indep_data(r->ncid));
    OK(ncmpi_begin_indep_data(r->ncid));
    if (r->rank == 0) {
        int v[4] = { 1, 2, 3, 4 };
        short s[5] = { 1, 2, 3, 4, 5 };
        OK(ncmpi_put_vara_int(r->ncid, 3, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, 4 }, v));
        OK(ncmpi_put_vara_short(r->ncid, 1, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, 5 }, s));
    }
    OK(ncmpi_sync_numrecs(r->ncid));
    OK(ncmpi_end_indep_data(r->ncid));
    OK(ncmpi_end_indep_data(r->ncid));
    put_all(r, 2, 0);
    reopen(r, MPI_INFO_NULL);
    OK(ncmpi_redef(r->ncid));
    OK(ncmpi_enddef(r->ncid));
    put_share(r, 1, (MPI_Offset[]){ 1, 0 }, (MPI_Offset[]){ r->size, 5 }, 0);
    put_share(r, 3, (MPI_Offset[]){ 1, 0 }, (MPI_Offset[]){ r->size, 4 }, 0);
    finish(r);
}

/* Ranks put to different variables, with different forms and types, in one collective call. */
static void case_different(struct run *r)
{
    create(r, MPI_INFO_NULL);
    int d[2] = { dim(r, "y", ROWS), dim(r, "x", COLS) };
    char name[16];
    for (int i = 0; i < r->size; i++) {
        snprintf(name, sizeof name, "v%d", i);
        var(r, name, i % 2 ? NC_FLOAT : NC_INT, 2, d);
    }
    OK(ncmpi_enddef(r->ncid));
    struct piece p = { { 0, 0 }, { ROWS, COLS }, { 1, 1 }, { 1, ROWS } };
    form_call(r, r->rank, r->rank % 2 ? FORM_VARM : FORM_VARA, &p, true);
    finish(r);
}

/* A rank without data in a collective put to a fixed variable (to a record variable 1.12.3 is broken). */
static void case_empty_part(struct run *r)
{
    create(r, MPI_INFO_NULL);
    int d[2] = { dim(r, "y", ROWS), dim(r, "x", COLS) };
    int v = var(r, "v", NC_INT, 2, d);
    OK(ncmpi_enddef(r->ncid));
    struct piece p = { { 0, 0 }, { r->rank == r->size - 1 ? ROWS : 0, COLS }, { 1, 1 }, { 0, 0 } };
    form_call(r, v, FORM_VARA, &p, true);
    finish(r);
}

/* ---- the table */
struct row {
    const char *name;
    void (*run)(struct run *);
    int arg;
    const char *text;
    bool free_gaps; /* data was moved: what lies between the variables is not defined */
};

#define FORM_ROWS(form, tag)                                                                                 \
    { form "_fixed", case_form, tag, "fixed", false }, { form "_record", case_form, tag, "record", false },  \
        { form "_fixed_indep", case_form, tag, "fixed+indep", false },                                       \
    {                                                                                                        \
        form "_record_indep", case_form, tag, "record+indep", false                                          \
    }
#define TYPE_ROWS(tag, suffix, ctype)                                                                        \
    { "types_" #suffix, case_types, tag, "", false }, { "atts_" #suffix, case_atts, tag, "plain", false },   \
        { "range_" #suffix, case_range, tag == MEM_TEXT ? MEM_INT : tag, tag == MEM_TEXT ? "fill" : "no",    \
          false },                                                                                           \
        { "att_range_" #suffix, case_atts, tag == MEM_TEXT ? MEM_INT : tag, "range", false },

static const struct row rows[] = {
    FORM_ROWS("var", FORM_VAR),
    FORM_ROWS("var1", FORM_VAR1),
    FORM_ROWS("vara", FORM_VARA),
    FORM_ROWS("vars", FORM_VARS),
    FORM_ROWS("varm", FORM_VARM),
    FORM_ROWS("varn", FORM_VARN),
    MEM_TYPES(TYPE_ROWS){ "range_fill_double", case_range, MEM_DOUBLE, "fill", false },
    { "enddef_default", case_enddef, 0, "mix", false },
    { "enddef_default_record", case_enddef, 0, "record", false },
    { "enddef_default_fixed", case_enddef, 0, "fixed", false },
    { "enddef_h_minfree", case_enddef, 1, "mix", false },
    { "enddef_h_minfree_record", case_enddef, 1, "record", false },
    { "enddef_v_minfree", case_enddef, 2, "mix", false },
    { "enddef_r_align", case_enddef, 3, "mix", false },
    { "enddef_r_align_record", case_enddef, 3, "record", false },
    { "enddef_three", case_enddef, 4, "mix", false },
    { "enddef_r_align_odd", case_enddef, 5, "mix", false },
    { "enddef_large", case_enddef, 6, "mix", false },
    { "enddef_4_4", case_enddef, 7, "mix", false },
    { "enddef_4_4_record", case_enddef, 7, "record", false },
    { "enddef_v_align_odd", case_enddef, 8, "one", false },
    { "enddef_v_align", case_enddef, 9, "one", false },
    { "hint_header_align", case_hint, 0, "nc_header_align_size=1024", false },
    { "hint_header_align_small", case_hint, 0, "nc_header_align_size=4", false },
    { "hint_header_align_odd", case_hint, 0, "nc_header_align_size=999", false },
    { "hint_header_align_wins", case_hint, 1, "nc_header_align_size=2048", false },
    { "hint_record_align", case_hint, 0, "nc_record_align_size=4096", false },
    { "hint_record_align_wins", case_hint, 1, "nc_record_align_size=512", false },
    { "hint_garbage", case_hint, 0, "nc_record_align_size=none", false },
    { "record_one_byte", case_record, NC_BYTE, "one", false },
    { "record_one_char", case_record, NC_CHAR, "one", false },
    { "record_one_short", case_record, NC_SHORT, "one", false },
    { "record_one_int", case_record, NC_INT, "one", false },
    { "record_single_byte", case_record, NC_BYTE, "single", false },
    { "record_single_short", case_record, NC_SHORT, "single", false },
    { "record_two_byte", case_record, NC_BYTE, "two", false },
    { "record_two_short", case_record, NC_SHORT, "two", false },
    { "record_byte_and_fixed", case_record, NC_BYTE, "fixed", false },
    { "record_short_and_fixed", case_record, NC_SHORT, "fixed", false },
    { "record_zero", case_zero_records, 0, "", false },
    { "fill_fixed", case_fill, 0, "", false },
    { "fill_own", case_fill, 1, "", false },
    { "fill_records", case_fill, 2, "", false },
    { "fill_records_own", case_fill, 3, "", false },
    { "fill_by_variable", case_fill, 6, "", false },
    { "fill_then_put", case_fill, 18, "", false },
    { "fill_redef", case_fill, 10, "", true },
    { "fill_redef_own", case_fill, 11, "", true },
    { "fill_redef_put", case_fill, 30, "", true },
    { "record_out_of_order", case_record_order, 0, "", false },
    { "record_indep_end", case_record_indep, 0, "", false },
    { "record_indep_sync", case_record_indep, 1, "", false },
    { "record_indep_close", case_record_indep, 2, "", false },
    { "scalar_fixed", case_scalar, 0, "", false },
    { "scalar_and_record", case_scalar, 1, "", false },
    { "bare_empty", case_bare, 0, "", false },
    { "bare_dims", case_bare, 1, "", false },
    { "bare_atts", case_bare, 2, "", false },
    { "bare_fixed", case_bare, 3, "", false },
    { "bare_record", case_bare, 4, "", false },
    { "many_variables", case_many, 0, "", false },
    { "names", case_names, 0, "", false },
    { "huge", case_huge, 0, "", false },
    { "att_generic", case_att_generic, 0, "", false },
    { "att_change_define", case_att_change, 0, "", false },
    { "att_change_data", case_att_change, 1, "", false },
    { "att_change_indep", case_att_change, 3, "", false },
    { "att_delete", case_att_change, 2, "", false },
    { "att_copy", case_att_copy, 0, "", false },
    { "rename_define", case_rename, 0, "", false },
    { "rename_data", case_rename, 1, "", false },
    { "rename_redef", case_rename, 2, "", true },
    { "rename_indep", case_rename, 3, "", false },
    { "redef_nothing", case_redef, 0, "n", true },
    { "redef_att", case_redef, 0, "a", true },
    { "redef_dim", case_redef, 0, "d", true },
    { "redef_header", case_redef, 0, "h", true },
    { "redef_header_twice", case_redef, 2, "h", true },
    { "redef_header_reopen", case_redef, 3, "h", true },
    { "redef_header_fixed", case_redef, 0, "0h", true },
    { "redef_header_byte", case_redef, 0, "vh", true },
    { "redef_fixed", case_redef, 4, "f", true },
    { "redef_fixed_unwritten", case_redef, 0, "1", true },
    { "redef_fixed_only", case_redef, 4, "0f", true },
    { "redef_fixed_new_dim", case_redef, 4, "1df", true },
    { "redef_fixed_before_record", case_redef, 4, "vf", true },
    { "redef_scalar", case_redef, 4, "s", true },
    { "redef_record", case_redef, 4, "r", true },
    { "redef_record_one", case_redef, 4, "1r", true },
    { "redef_record_byte", case_redef, 4, "vr", true },
    { "redef_record_large", case_redef, 4, "R", true },
    { "redef_record_large_byte", case_redef, 4, "vR", true },
    { "redef_record_first", case_redef, 4, "0tr", true },
    { "redef_record_few", case_redef, 12, "hfr", true },
    { "redef_all", case_redef, 4, "ahdfr", true },
    { "redef_all_twice", case_redef, 6, "ahdfr", true },
    { "redef_all_reopen", case_redef, 5, "ahdfr", true },
    { "redef_all_enddef", case_redef, 20, "ahdfr", true },
    { "redef_all_enddef_one", case_redef, 21, "1hfr", true },
    { "redef_align_reopen", case_redef, 32, "n", true },
    { "redef_align_header", case_redef, 36, "hfr", true },
    { "redef_large_fixed", case_redef_large, 0, "", true },
    { "redef_large_records", case_redef_large, 1, "", true },
    { "abort_new", case_abort, 0, "", false },
    { "abort_redef", case_abort, 1, "", true },
    { "abort_data", case_abort, 2, "", false },
    { "close_in_redef", case_abort, 3, "", true },
    { "abort_redef_records", case_abort, 4, "", true },
    { "switches", case_switches, 0, "", false },
    { "different_variables", case_different, 0, "", false },
    { "empty_part", case_empty_part, 0, "", false },
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static void run_row(const struct row *row, struct run *r, const char *only)
{
    static const int formats[] = { 1, 2, 5 };
    for (int f = 0; f < 3; f++) {
        char name[128];
        snprintf(name, sizeof name, "%s.cdf%d", row->name, formats[f]);
        if (only && strcmp(only, name) && strcmp(only, row->name))
            continue;
        r->format = formats[f];
        r->name = name;
        r->arg = row->arg;
        r->text = row->text;
        if (!r->dir) {
            printf("%s %s\n", name, row->free_gaps ? "free" : "strict");
            continue;
        }
        snprintf(r->path, sizeof r->path, "%s/%s.nc", r->dir, name);
        row->run(r);
    }
}

int main(int argc, char **argv)
{
    struct run r = { .rank = 0 };
    if (argc < 2) {
        fprintf(stderr, "usage: equal_cases --list | DIR [NAME]\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.size);
    r.dir = strcmp(argv[1], "--list") ? argv[1] : NULL;
    alarm(300);
    for (int i = 0; i < NROWS; i++)
        run_row(&rows[i], &r, argc > 2 ? argv[2] : NULL);
    long bad = check_bad, all = 0;
    MPI_Allreduce(&bad, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (!r.dir)
        return 0;
    if (r.rank == 0)
        return check_done("equal_cases") || all;
    return all != 0;
}
