/* Fixes: what gets fill values and what does not (reference 4.12). Modes and values in every type and format;
 * attributes _FillValue of other types; new variables at enddef, fixed ones and the records that exist, byte
 * by byte in the file; one record by fill_var_rec, which may add it; the order of errors; ranks that
 * disagree; a variable much larger than the staging buffer, and none to be had; a disk that fails before the
 * header is written. */

#include "together.h"
#include "alloc.h"
#include "dataset.h"
#include <math.h>

enum { N = 5 };

static const struct type {
    nc_type type;
    const char *name;
    unsigned char normal[8], own[8]; /* as they stand in a file: the default, and what the test defines */
    int size;
} types[] = {
    { NC_BYTE, "byte", { 0x81 }, { 0x07 }, 1 },
    { NC_CHAR, "char", { 0 }, { 'x' }, 1 },
    { NC_SHORT, "short", { 0x80, 0x01 }, { 0x01, 0x02 }, 2 },
    { NC_INT, "int", { 0x80, 0, 0, 1 }, { 1, 2, 3, 4 }, 4 },
    { NC_FLOAT, "float", { 0x7c, 0xf0 }, { 0x3f, 0x80 }, 4 },
    { NC_DOUBLE, "double", { 0x47, 0x9e }, { 0xc0, 0, 0, 0, 0, 0, 0, 1 }, 8 },
    { NC_UBYTE, "ubyte", { 0xff }, { 0xfe }, 1 },
    { NC_USHORT, "ushort", { 0xff, 0xff }, { 0xfe, 1 }, 2 },
    { NC_UINT, "uint", { 0xff, 0xff, 0xff, 0xff }, { 0xfe, 1, 2, 3 }, 4 },
    { NC_INT64, "int64", { 0x80, 0, 0, 0, 0, 0, 0, 2 }, { 1, 2, 3, 4, 5, 6, 7, 8 }, 8 },
    { NC_UINT64,
      "uint64",
      { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe },
      { 0xf1, 2, 3, 4, 5, 6, 7, 8 },
      8 },
};
enum { TYPES = sizeof types / sizeof *types };

static int ncid, time_dim, x_dim;

/* ---- helpers */

static void to_memory(unsigned char *memory, const unsigned char *file, int size)
{
    const int one = 1;
    for (int i = 0; i < size; i++)
        memory[i] = file[*(const char *)&one ? size - 1 - i : i];
}

static const struct type *type_of(nc_type type)
{
    const struct type *t = types;
    while (t->type != type)
        t++;
    return t;
}

static void create_with(int cmode, const char *hint, const char *value, MPI_Offset length)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (hint)
        MPI_Info_set(info, hint, value);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | cmode, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &time_dim), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", length, &x_dim), NC_NOERR);
}

static int define(const char *name, nc_type type, bool is_record)
{
    int id = -1, dims[2] = { time_dim, x_dim };
    CHECK_NC(ncmpi_def_var(ncid, name, type, 1 + is_record, is_record ? dims : dims + 1, &id), NC_NOERR);
    return id;
}

/* The file's bytes from `offset` on, as another program sees them; zeros behind the end. */
static void bytes_at(MPI_Offset offset, unsigned char *to, size_t n)
{
    FILE *f = fopen(my_path, "rb");
    memset(to, 0, n);
    CHECK(f && fseek(f, (long)offset, SEEK_SET) == 0, "%s cannot be read", my_path);
    if (f) {
        (void)!fread(to, 1, n, f);
        fclose(f);
    }
}

/* Every value of record `record` of a variable (0: a fixed one) in the file is `want`; on all ranks. */
static void check_bytes(int varid, MPI_Offset record, MPI_Offset nelems, const unsigned char *want, int size)
{
    static unsigned char bytes[8 * 400000];
    MPI_Offset begin, recsize;
    long bad = 0;
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(ncid, varid, &begin), NC_NOERR);
    CHECK_NC(ncmpi_inq_recsize(ncid, &recsize), NC_NOERR);
    bytes_at(begin + record * recsize, bytes, (size_t)(nelems * size));
    for (MPI_Offset i = 0; i < nelems; i++)
        bad += memcmp(bytes + i * size, want, (size_t)size) != 0;
    CHECK(bad == 0, "variable %d, record %lld: %ld of %lld values are not what was expected", varid,
          (long long)record, bad, (long long)nelems);
}

static MPI_Offset numrecs(void)
{
    MPI_Offset n = -1;
    CHECK_NC(ncmpi_inq_dimlen(ncid, time_dim, &n), NC_NOERR);
    return n;
}

static void check_mode(int varid, int want)
{
    int no_fill = -1;
    CHECK_NC(ncmpi_inq_var_fill(ncid, varid, &no_fill, NULL), NC_NOERR);
    CHECK(no_fill == want, "variable %d: no_fill %d, not %d", varid, no_fill, want);
}

static void check_value(int varid, const unsigned char *file, int size)
{
    unsigned char got[9], want[9];
    memset(got, 0xaa, sizeof got);
    memset(want, 0xaa, sizeof want);
    to_memory(want, file, size);
    CHECK_NC(ncmpi_inq_var_fill(ncid, varid, NULL, got), NC_NOERR);
    CHECK(memcmp(got, want, sizeof got) == 0, "variable %d: inq_var_fill gives another value", varid);
}

/* ---- parts */

static void every_type(int cmode)
{
    int plain[TYPES], own[TYPES], record[TYPES], last = cmode == NC_64BIT_DATA ? TYPES : 6;
    unsigned char value[8];
    char name[32];
    create_with(cmode, NULL, NULL, N);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, NULL), NC_NOERR);
    for (int i = 0; i < last; i++) {
        const struct type *t = &types[i];
        plain[i] = define(t->name, t->type, false);
        snprintf(name, sizeof name, "%s_own", t->name);
        own[i] = define(name, t->type, false);
        to_memory(value, t->own, t->size);
        CHECK_NC(ncmpi_def_var_fill(ncid, own[i], 0, value), NC_NOERR);
        snprintf(name, sizeof name, "%s_record", t->name);
        record[i] = define(name, t->type, true);
        check_value(plain[i], t->normal, t->size);
        check_value(own[i], t->own, t->size);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_INT(numrecs(), 0);
    for (int i = 0; i < last; i++) {
        CHECK_NC(ncmpi_fill_var_rec(ncid, record[i], 2), NC_NOERR);
        check_bytes(plain[i], 0, N, types[i].normal, types[i].size);
        check_bytes(own[i], 0, N, types[i].own, types[i].size);
        check_bytes(record[i], 2, N, types[i].normal, types[i].size);
    }
    CHECK_INT(numrecs(), 3);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void modes(void)
{
    int a, b, c, d, old = -1, seven = 7;
    create_with(0, NULL, NULL, N);
    a = define("a", NC_INT, false);
    b = define("b", NC_INT, false);
    check_mode(a, 1); /* a file is created with NC_NOFILL */
    CHECK_NC(ncmpi_set_fill(ncid, 77, &old), NC_EINVAL);
    CHECK_INT(old, -1);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, &old), NC_NOERR);
    CHECK_INT(old, NC_NOFILL);
    check_mode(a, 0);
    CHECK_NC(ncmpi_def_var_fill(ncid, b, 1, &seven), NC_NOERR); /* the value is not looked at */
    CHECK_NC(ncmpi_inq_attid(ncid, b, "_FillValue", NULL), NC_ENOTATT);
    c = define("c", NC_INT, false);
    check_mode(b, 1);
    check_mode(c, 0);
    CHECK_NC(ncmpi_set_fill(ncid, NC_NOFILL, &old), NC_NOERR);
    CHECK_INT(old, NC_FILL);
    CHECK_NC(ncmpi_def_var_fill(ncid, c, 5, NULL), NC_NOERR);
    check_mode(c, 1);
    CHECK_NC(ncmpi_def_var_fill(ncid, c, 0, NULL), NC_NOERR);
    check_mode(a, 1);
    check_mode(c, 0);
    CHECK_NC(ncmpi_put_att_int(ncid, a, "_FillValue", NC_INT, 1, &seven), NC_NOERR); /* switches nothing */
    check_mode(a, 1);
    d = define("d", NC_INT, false);
    check_mode(d, 1);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_bytes(c, 0, N, types[3].normal, 4);
    check_bytes(a, 0, N, (const unsigned char[4]){ 0 }, 4);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    /* a file does not tell modes */
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    check_mode(a, 0);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    d = define("e", NC_INT, false);
    check_mode(d, 1);
    CHECK_NC(ncmpi_def_var_fill(ncid, b, 1, NULL), NC_NOERR);
    check_mode(a, 0);
    check_mode(b, 1);
    check_mode(c, 0);
    CHECK_NC(ncmpi_def_var_fill(ncid, a, 0, &seven), NC_ELATEFILL);
    check_mode(a, 0);
    CHECK_NC(ncmpi_set_fill(ncid, NC_NOFILL, &old), NC_NOERR);
    CHECK_INT(old, NC_NOFILL);
    check_mode(c, 1);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
}

/* Attributes that put_att refuses, as other programs write them: what of _FillValue the variable stores is
 * its fill value (doc/values.md), as all commands take it (tests/tools/meaningrows.py); else the type's. */
static const struct strange {
    nc_type type, att; /* of the variable, of _FillValue */
    int n;             /* of its values; of text: letters */
    double x[2];
    const char *sign; /* _Unsigned */
    bool is_normal;   /* the type's own */
    unsigned char want[8];
} strange[] = {
    { NC_SHORT, NC_INT, 1, { -999 }, NULL, false, { 0xfc, 0x19 } },
    { NC_SHORT, NC_DOUBLE, 1, { -999 }, NULL, false, { 0xfc, 0x19 } },
    { NC_SHORT, NC_FLOAT, 1, { -999 }, NULL, false, { 0xfc, 0x19 } },
    { NC_SHORT, NC_BYTE, 1, { 77 }, NULL, false, { 0, 77 } },
    { NC_SHORT, NC_UINT64, 1, { 32767 }, NULL, false, { 0x7f, 0xff } },
    { NC_SHORT, NC_INT, 1, { 65535 }, NULL, true, { 0 } },
    { NC_SHORT, NC_USHORT, 1, { 65535 }, NULL, true, { 0 } },
    { NC_SHORT, NC_INT, 1, { 65535 }, "true", false, { 0xff, 0xff } },
    { NC_SHORT, NC_DOUBLE, 1, { 1e20 }, NULL, true, { 0 } },
    { NC_SHORT, NC_DOUBLE, 1, { 5.5 }, NULL, true, { 0 } },
    { NC_SHORT, NC_DOUBLE, 1, { (double)NAN }, NULL, true, { 0 } },
    { NC_SHORT, NC_SHORT, 2, { -999, 5 }, NULL, false, { 0xfc, 0x19 } },
    { NC_SHORT, NC_INT, 2, { 100000, 5 }, NULL, false, { 0, 5 } },
    { NC_SHORT, NC_SHORT, 0, { 0 }, NULL, true, { 0 } },
    { NC_SHORT, NC_CHAR, 1, { 0 }, NULL, true, { 0 } },
    { NC_BYTE, NC_INT, 1, { -99 }, NULL, false, { 0x9d } },
    { NC_BYTE, NC_SHORT, 1, { 255 }, NULL, true, { 0 } },
    { NC_BYTE, NC_SHORT, 1, { 255 }, "true", false, { 0xff } },
    { NC_BYTE, NC_CHAR, 1, { 0 }, NULL, true, { 0 } },
    { NC_UBYTE, NC_SHORT, 1, { 254 }, NULL, false, { 0xfe } },
    { NC_UBYTE, NC_BYTE, 1, { -2 }, NULL, true, { 0 } },
    { NC_UBYTE, NC_BYTE, 1, { -2 }, "false", false, { 0xfe } },
    { NC_USHORT, NC_INT, 1, { 65534 }, NULL, false, { 0xff, 0xfe } },
    { NC_INT, NC_SHORT, 1, { -999 }, NULL, false, { 0xff, 0xff, 0xfc, 0x19 } },
    { NC_INT, NC_DOUBLE, 1, { 2147483648.0 }, NULL, true, { 0 } },
    { NC_UINT, NC_DOUBLE, 1, { 4294967294.0 }, NULL, false, { 0xff, 0xff, 0xff, 0xfe } },
    { NC_INT64, NC_DOUBLE, 1, { 9007199254740992.0 }, NULL, false, { 0, 0x20 } },
    { NC_INT64, NC_DOUBLE, 1, { 9223372036854775808.0 }, NULL, true, { 0 } },
    { NC_UINT64, NC_INT, 1, { -1 }, NULL, true, { 0 } },
    { NC_FLOAT, NC_DOUBLE, 1, { 0.1 }, NULL, false, { 0x3d, 0xcc, 0xcc, 0xcd } },
    { NC_FLOAT, NC_INT, 1, { -9999 }, NULL, false, { 0xc6, 0x1c, 0x3c } },
    { NC_FLOAT, NC_DOUBLE, 1, { 1e300 }, NULL, true, { 0 } },
    { NC_FLOAT, NC_DOUBLE, 1, { (double)NAN }, NULL, false, { 0x7f, 0xc0 } },
    { NC_FLOAT, NC_CHAR, 1, { 0 }, NULL, true, { 0 } },
    { NC_DOUBLE, NC_FLOAT, 1, { -0.5 }, NULL, false, { 0xbf, 0xe0 } },
    { NC_DOUBLE, NC_INT, 1, { -9999 }, NULL, false, { 0xc0, 0xc3, 0x87, 0x80 } },
    { NC_CHAR, NC_INT, 1, { 65 }, NULL, true, { 0 } },
    { NC_CHAR, NC_CHAR, 2, { 0 }, NULL, true, { 0 } },
};
enum { STRANGE = sizeof strange / sizeof *strange };

static void define_strange(int varid, const struct strange *row)
{
    if (row->att == NC_CHAR)
        CHECK_NC(ncmpi_put_att_text(ncid, varid, "AFillValue", row->n, "12"), NC_NOERR);
    else
        CHECK_NC(ncmpi_put_att_double(ncid, varid, "AFillValue", row->att, row->n, row->x), NC_NOERR);
    CHECK_NC(ncmpi_rename_att(ncid, varid, "AFillValue", "_FillValue"), NC_NOERR);
    if (row->sign)
        CHECK_NC(ncmpi_put_att_text(ncid, varid, "_Unsigned", (MPI_Offset)strlen(row->sign), row->sign),
                 NC_NOERR);
}

/* Values that do not fit become fill values: of a put, and of one that is posted. */
static void put_misfits(int varid, const struct strange *row, const unsigned char *want, int size)
{
    const double ones[N] = { 1, 1, 1, 1, 1 }, large[N] = { 1e300, 1e300, 1e300, 1e300, 1e300 };
    int id;
    if (row->type == NC_CHAR || row->type == NC_DOUBLE)
        return;
    CHECK_NC(ncmpi_put_var_double_all(ncid, varid, ones), NC_NOERR);
    CHECK_NC(ncmpi_put_var_double_all(ncid, varid, large), NC_ERANGE);
    check_bytes(varid, 0, N, want, size);
    CHECK_NC(ncmpi_put_var_double_all(ncid, varid, ones), NC_NOERR);
    CHECK_NC(ncmpi_iput_var_double(ncid, varid, large, &id), NC_ERANGE);
    CHECK_NC(ncmpi_wait_all(ncid, 1, &id, NULL), NC_NOERR);
    check_bytes(varid, 0, N, want, size);
}

/* In all that the library does: at enddef, where values do not fit, and behind the end of the file. */
static void strange_values(void)
{
    int ids[STRANGE];
    char name[32];
    MPI_Offset begin;
    create_with(NC_64BIT_DATA, NULL, NULL, N);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, NULL), NC_NOERR);
    for (int i = 0; i < STRANGE; i++) {
        snprintf(name, sizeof name, "v%d", i);
        ids[i] = define(name, strange[i].type, false);
        define_strange(ids[i], &strange[i]);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(ncid, ids[0], &begin), NC_NOERR);
    for (int i = 0; i < STRANGE; i++) {
        const struct type *t = type_of(strange[i].type);
        const unsigned char *want = strange[i].is_normal ? t->normal : strange[i].want;
        check_value(ids[i], want, t->size);
        check_bytes(ids[i], 0, N, want, t->size);
        put_misfits(ids[i], &strange[i], want, t->size);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    if (my_rank == 0)
        CHECK_INT(truncate(my_path, begin), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    for (int i = 0; i < STRANGE; i++) {
        const struct type *t = type_of(strange[i].type);
        unsigned char got[N * 8] = { 0 }, want[8];
        to_memory(want, strange[i].is_normal ? t->normal : strange[i].want, t->size);
        CHECK_NC(ncmpi_get_var_all(ncid, ids[i], got, -1, MPI_DATATYPE_NULL), NC_ETRUNC);
        for (int k = 0; k < N; k++)
            CHECK(memcmp(got + k * t->size, want, (size_t)t->size) == 0, "row %d: value %d is no fill value",
                  i, k);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* A redef adds a fixed and two record variables to `records` records; what was there stays. */
static void redef_adds(MPI_Offset records)
{
    MPI_Offset count[2] = { records, N };
    int old_fixed, old_record, fixed, record, wide, bare, last;
    short *buf = malloc((size_t)records * N * sizeof *buf), value = 0x0102;
    long bad = 0;
    create_with(0, NULL, NULL, N);
    old_fixed = define("old_fixed", NC_SHORT, false);
    old_record = define("old_record", NC_SHORT, true);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (MPI_Offset i = 0; i < records * N; i++)
        buf[i] = (short)(i % 1000);
    CHECK_NC(ncmpi_put_vara_short_all(ncid, old_record, (MPI_Offset[2]){ 0 }, count, buf), NC_NOERR);
    CHECK_NC(ncmpi_put_var_short_all(ncid, old_fixed, buf), NC_NOERR);

    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, NULL), NC_NOERR); /* of old ones too, which are not filled again */
    record = define("record", NC_BYTE, true);
    fixed = define("fixed", NC_SHORT, false);
    wide = define("wide", NC_SHORT, true);
    bare = define("bare", NC_SHORT, true);
    last = define("last", NC_DOUBLE, true);
    CHECK_NC(ncmpi_def_var_fill(ncid, bare, 1, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid, wide, 0, &value), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_INT(numrecs(), records);
    check_bytes(fixed, 0, N, types[2].normal, 2);
    for (MPI_Offset r = 0; r<records; r += records> 20 ? records / 7 : 1) {
        check_bytes(record, r, N, types[0].normal, 1);
        check_bytes(wide, r, N, types[2].own, 2);
        check_bytes(last, r, N, types[5].normal, 8);
    }
    check_bytes(record, records - 1, N, types[0].normal, 1);
    check_bytes(last, records - 1, N, types[5].normal, 8);
    memset(buf, 0, (size_t)records * N * sizeof *buf);
    CHECK_NC(ncmpi_get_vara_short_all(ncid, old_record, (MPI_Offset[2]){ 0 }, count, buf), NC_NOERR);
    for (MPI_Offset i = 0; i < records * N; i++)
        bad += buf[i] != i % 1000;
    CHECK_NC(ncmpi_get_var_short_all(ncid, old_fixed, buf), NC_NOERR);
    for (int i = 0; i < N; i++)
        bad += buf[i] != i;
    CHECK_INT(bad, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(buf);
}

static void records(void)
{
    const signed char data[N] = { 1, 2, 3, 4, 5 };
    signed char got[N] = { 0 };
    int a, b;
    create_with(NC_64BIT_OFFSET, NULL, NULL, N);
    a = define("a", NC_BYTE, true);
    b = define("b", NC_BYTE, true);
    CHECK_NC(ncmpi_put_att_schar(ncid, a, "_FillValue", NC_BYTE, 1, (const signed char[]){ 7 }), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_schar_all(ncid, a, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, N }, data),
             NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, b, 0), NC_ENOTFILL);
    CHECK_NC(ncmpi_fill_var_rec(ncid, a, 1), NC_NOERR); /* mode off, but the attribute is there */
    CHECK_INT(numrecs(), 2);
    CHECK_NC(ncmpi_fill_var_rec(ncid, a, 4), NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, a, 3), NC_NOERR);
    CHECK_INT(numrecs(), 5);
    check_bytes(a, 1, N, types[0].own, 1);
    check_bytes(a, 2, N, (const unsigned char[]){ 0 }, 1);
    check_bytes(a, 4, N, types[0].own, 1);
    CHECK_NC(ncmpi_get_vara_schar_all(ncid, a, (MPI_Offset[]){ 0, 0 }, (MPI_Offset[]){ 1, N }, got),
             NC_NOERR);
    CHECK(memcmp(got, data, N) == 0, "record 0 was touched");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    unsigned char field[4];
    bytes_at(4, field, 4);
    CHECK_INT(field[3], 5);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, b, 0), NC_NOERR);
    check_bytes(b, 0, N, types[0].normal, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Each row is wrong in its own argument and in what is looked at later. */
static void errors(void)
{
    int fixed, record, off;
    create_with(0, NULL, NULL, N);
    fixed = define("fixed", NC_INT, false);
    record = define("record", NC_INT, true);
    off = define("off", NC_INT, true);
    CHECK_NC(ncmpi_def_var_fill(ncid, record, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid + 1, NC_GLOBAL, 0, NULL), NC_EBADID);
    CHECK_NC(ncmpi_set_fill(ncid + 1, 77, NULL), NC_EBADID);
    CHECK_NC(ncmpi_def_var_fill(ncid, NC_GLOBAL, 0, NULL), NC_EGLOBAL);
    CHECK_NC(ncmpi_def_var_fill(ncid, 9, 0, NULL), NC_ENOTVAR);
    CHECK_NC(ncmpi_def_var_fill(ncid, -7, 0, NULL), NC_ENOTVAR);
    CHECK_NC(ncmpi_inq_var_fill(ncid + 1, 9, NULL, NULL), NC_EBADID);
    CHECK_NC(ncmpi_inq_var_fill(ncid, NC_GLOBAL, NULL, NULL), NC_EGLOBAL);
    CHECK_NC(ncmpi_inq_var_fill(ncid, 9, NULL, NULL), NC_ENOTVAR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, NC_GLOBAL, -1), NC_EINDEFINE);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_set_fill(ncid, 77, NULL), NC_ENOTINDEFINE);
    CHECK_NC(ncmpi_def_var_fill(ncid, NC_GLOBAL, 0, NULL), NC_ENOTINDEFINE);
    for (int indep = 0; indep < 2; indep++) {
        if (indep)
            CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
        CHECK_NC(ncmpi_fill_var_rec(ncid + 1, NC_GLOBAL, -1), NC_EBADID);
        CHECK_NC(ncmpi_fill_var_rec(ncid, NC_GLOBAL, -1), NC_EGLOBAL);
        CHECK_NC(ncmpi_fill_var_rec(ncid, 9, -1), NC_ENOTVAR);
        CHECK_NC(ncmpi_fill_var_rec(ncid, fixed, -1), NC_ENOTRECVAR);
        CHECK_NC(ncmpi_fill_var_rec(ncid, off, -1), indep ? NC_EINDEP : NC_ENOTFILL);
        CHECK_NC(ncmpi_fill_var_rec(ncid, record, -1), indep ? NC_EINDEP : NC_EINVALCOORDS);
        CHECK_NC(ncmpi_fill_var_rec(ncid, record, (MPI_Offset)1 << 40), indep ? NC_EINDEP : NC_EINTOVERFLOW);
    }
    CHECK_INT(numrecs(), 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_set_fill(ncid, 77, NULL), NC_EPERM);
    CHECK_NC(ncmpi_def_var_fill(ncid, NC_GLOBAL, 0, NULL), NC_ENOTINDEFINE);
    CHECK_NC(ncmpi_fill_var_rec(ncid, NC_GLOBAL, -1), NC_EPERM);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* A variable of many times the staging buffer, in the share of every rank; the bytes held stay few. */
static void large(void)
{
    enum { LONG = 399999 };
    int odd, fixed, record;
    create_with(0, "pcdf_debug_stage_size", "65536", LONG);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, NULL), NC_NOERR);
    odd = define("odd", NC_BYTE, false); /* so that shares and buffers end within values of the next */
    fixed = define("fixed", NC_DOUBLE, false);
    record = define("record", NC_SHORT, true);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, record, 1), NC_NOERR);
    CHECK(pcdf_alloc_peak() < 3 * 65536, "%lld bytes were held", (long long)pcdf_alloc_peak());
    check_bytes(odd, 0, LONG, types[0].normal, 1);
    check_bytes(fixed, 0, LONG, types[5].normal, 8);
    check_bytes(record, 1, LONG, types[2].normal, 2);
    pcdf_alloc_fail_at(my_rank == my_size - 1, 1);
    CHECK_NC(ncmpi_fill_var_rec(ncid, record, 2), NC_NOERR); /* does without memory */
    pcdf_alloc_fail_at(0, 0);
    check_bytes(record, 2, LONG, types[2].normal, 2);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Ranks that name different records or bad ones; modes that differ at enddef. */
static void unlike_ranks(void)
{
    enum { LONG = 100000 };
    int a, b, last = my_size - 1;
    create_with(0, NULL, NULL, LONG);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, NULL), NC_NOERR);
    a = define("a", NC_SHORT, true);
    b = define("b", NC_INT, true);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, my_rank % 2 ? a : b, my_rank), NC_NOERR);
    CHECK_INT(numrecs(), my_size);
    for (int r = 0; r < my_size; r++)
        check_bytes(r % 2 ? a : b, r, LONG, types[r % 2 ? 2 : 3].normal, r % 2 ? 2 : 4);
    CHECK_NC(ncmpi_fill_var_rec(ncid, my_rank == last ? 9 : a, 10), my_rank == last ? NC_ENOTVAR : NC_NOERR);
    if (my_size > 1)
        check_bytes(a, 10, LONG, types[2].normal, 2);
    CHECK_INT(numrecs(), my_size > 1 ? 11 : 1);
    struct pcdf_dataset *ds;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    ds->safe_mode = true;
    CHECK_NC(ncmpi_fill_var_rec(ncid, my_rank == last ? 9 : a, 20), NC_ENOTVAR);
    if (my_size > 1)
        CHECK_NC(ncmpi_fill_var_rec(ncid, a, my_rank == last ? 20 : 21), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_INT(numrecs(), my_size > 1 ? 11 : 1);
    CHECK_NC(ncmpi_fill_var_rec(ncid, a, 12), NC_NOERR);
    CHECK_INT(numrecs(), 13);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    create_with(0, NULL, NULL, LONG);
    CHECK_NC(ncmpi_set_fill(ncid, my_rank == 0 ? NC_FILL : NC_NOFILL, NULL), NC_NOERR);
    a = define("a", NC_SHORT, false);
    b = define("b", NC_INT, false);
    CHECK_NC(ncmpi_def_var_fill(ncid, b, my_rank == 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR); /* as rank 0 says */
    check_mode(a, 0);
    check_mode(b, 1);
    check_bytes(a, 0, LONG, types[2].normal, 2);
    check_bytes(b, 0, LONG, (const unsigned char[4]){ 0 }, 4);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The last rank's first write, which is filling, fails: all know, and the header was not written. */
static void failing_disk(void)
{
    unsigned char magic[4];
    char order[32];
    snprintf(order, sizeof order, "write:1@%d", my_size - 1);
    create_with(0, "pcdf_fault", order, 400000);
    CHECK_NC(ncmpi_set_fill(ncid, NC_FILL, NULL), NC_NOERR);
    define("a", NC_INT, false);
    int err = ncmpi_enddef(ncid);
    CHECK(err != NC_NOERR, "rank %d heard of nothing", my_rank);
    bytes_at(0, magic, 4);
    CHECK(memcmp(magic, "CDF", 3) != 0, "there is a header without data");
    CHECK(ncmpi_close(ncid) != NC_NOERR, "rank %d: close heard of nothing", my_rank);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "fill_modes", 100);
    large();
    every_type(0);
    every_type(NC_64BIT_OFFSET);
    every_type(NC_64BIT_DATA);
    modes();
    redef_adds(7);
    redef_adds(2000);
    records();
    strange_values();
    errors();
    unlike_ranks();
    failing_disk();
    return together_end("fill_modes");
}
