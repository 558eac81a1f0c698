/* The CDL parser: the six real headers give the counts that netCDF-C finds in them and the bytes that ncgen
 * writes; a table of corner cases gives the definitions or the error with its line and column; no truncation
 * and no changed byte of a header crashes it. Argument: the folder with the real headers (default
 * ../shared/data); their part is left out where it is absent, the round trip where ncgen is. */

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "equalmeta.h"
#include "alloc.h"
#include "cdl.h"
#include "check.h"
#include "decode.h"

/* --- corner cases -----------------------------------------------------------------------------------------
 */

struct good { /* what `text` defines, printed by describe() */
    const char *text, *want;
};

#define BODY(x)   "netcdf t {" x "}"
#define GLOBAL(x) BODY(":a = " x " ;")

static const struct good goods[] = {
    { BODY(""), "1" },
    { "NETCDF a-b c\\{.nc{ }\n", "1" },
    { BODY("dimensions: variables: data:"), "1" },
    { "netcdf t { // file format: CDF-2 (large file)\n}", "2" },
    { "netcdf t { // file format: CDF-5\n}", "5" },
    { "netcdf t { // file format: CDF-55\n}", "1" },
    { BODY(":_Format = \"64-bit offset\" ;"), "2" },
    { BODY("dimensions: n = 2, m = 3; u = unlimited ;"), "1 n=2 m=3 u=0" },
    { "netcdf t {dimensions:\n u = UNLIMITED ; // (25 currently)\n}", "1 u=0 records 25" },
    { "netcdf t {dimensions:\n n = 4 ; // (25 currently)\nu = UNLIMITED ;\n}", "1 n=4 u=0" },
    { BODY("dimensions: n = 5LL, m = 0x10, k = 010 ;"), "1 n=5 m=16 k=8" },
    { BODY("dimensions: n = 3000000000 ;"), "5 n=3000000000" },
    { BODY("dimensions: int = 4 ; variables: int x(int) ;"), "1 int=4 int x(0)" },
    { BODY("dimensions: n = 2, m = 3; variables: float a(n), b, c(m,n); LONG e;"),
      "1 n=2 m=3 float a(0) float b float c(1,0) int e" },
    { BODY("variables: ubyte a; ushort b; uint c; int64 d; uint64 e; real f; byte g; short h; char i; double "
           "j;"),
      "5 ubyte a ushort b uint c int64 d uint64 e float f byte g short h char i double j" },
    { BODY("variables: int x ; x : a = 1 ; :g = 2s ; int y ;"),
      "1 int x{int a:00000001} int y {short g:0002}" },
    { BODY("variables: int data ; data:u = 1 ; data: data = 4 ;"), "1 int data{int u:00000001}" },
    { BODY("variables: int variables ; variables:u = 1 ; int y ;"), "1 int variables{int u:00000001} int y" },
    { BODY("variables: int \\1a\\ b ; \\1a\\ b:c\\:d = 1 ;"), "1 int 1a b{int c:d:00000001}" },
    { BODY("variables: int \xc3\xa9, e\xcc\x81x.y@z+w-v ;"), "1 int \xc3\xa9 int \xc3\xa9x.y@z+w-v" },
    { BODY("variables: int Data, \\int ; Data:x = 1b ;"), "1 int Data{byte x:01} int int" },
    { BODY("variables: int x ; // comment ; } {\n x:a = \"// no comment\" ;"),
      "1 int x{char a:2f2f206e6f20636f6d6d656e74}" },
    { "netcdf t { variables: int x ; data: x = }{ anything \" at all", "1 int x" },
    { GLOBAL("1b, 2B"), "1 {byte a:0102}" },
    { GLOBAL("-1b, 255b, 0xff, -128"), "1 {int a:ffffffff000000ff000000ffffffff80}" },
    { BODY("byte :a = -1, 255, 0xff, -128 ;"), "1 {byte a:ffffff80}" },
    { GLOBAL("3s, -2S"), "1 {short a:0003fffe}" },
    { GLOBAL("3l, 4L, 010, 0x1f, -0x10, +5"), "1 {int a:0000000300000004000000080000001ffffffff000000005}" },
    { GLOBAL("-2147483648, 2147483647"), "1 {int a:800000007fffffff}" },
    { GLOBAL("2147483648"), "5 {uint a:80000000}" },
    { GLOBAL("5000000000"), "5 {uint64 a:000000012a05f200}" },
    { GLOBAL("-5000000000"), "5 {int64 a:fffffffed5fa0e00}" },
    { GLOBAL("1LL, -1ll"), "5 {int64 a:0000000000000001ffffffffffffffff}" },
    { GLOBAL("18446744073709551615ULL"), "5 {uint64 a:ffffffffffffffff}" },
    { GLOBAL("1UB, 255ub"), "5 {ubyte a:01ff}" },
    { GLOBAL("65535US"), "5 {ushort a:ffff}" },
    { GLOBAL("1U, 2UL"), "5 {uint a:0000000100000002}" },
    { BODY("int :a = 0xffffffff, 2.7, -2.7 ;"), "1 {int a:ffffffff00000002fffffffe}" },
    { GLOBAL("1, 2.5f"), "1 {float a:3f80000040200000}" },
    { GLOBAL("1., .5, 1e3, 2D"),
      "1 {double a:3ff00000000000003fe0000000000000408f4000000000004000000000000000}" },
    { GLOBAL("1.e+36f"), "1 {float a:7b4097ce}" },
    { GLOBAL("Infinity, -Infinityf"), "1 {double a:7ff0000000000000fff0000000000000}" },
    { GLOBAL("inf, -INFF"), "1 {double a:7ff0000000000000fff0000000000000}" },
    { GLOBAL("-Infinityf"), "1 {float a:ff800000}" },
    { GLOBAL("NaNf"), "1 {float a:7fc00000}" },
    { GLOBAL("nan"), "1 {double a:7ff8000000000000}" },
    { GLOBAL("'a', '\\n', '\\x41', '\\101', '\\''"), "1 {byte a:610a414127}" },
    { GLOBAL("\"ab\", \"c\", \"\", 'd'"), "1 {char a:61626364}" },
    { GLOBAL("\"\\n\\t\\\"\\\\\\000\\1x\\x7Fg\\q\\\r\""), "1 {char a:0a09225c0001787f67710d}" },
    { GLOBAL("\"a\\\nb\nc\""), "1 {char a:61620a63}" },
    { GLOBAL("\"\""), "1 {char a:00}" },
    { GLOBAL("\"\", \"\""), "1 {char a:00}" },
    { BODY(":a = ;"), "1 {char a:00}" },
    { BODY("int :a = ;"), "1 {int a:}" },
    { BODY("char :a = \"a\", 66b ;"), "1 {char a:6142}" },
    { BODY("string :a = \"ab\", \"cd\" ;"), "1 {char a:61626364}" },
    { BODY(":a = 1 ; :b = 2b ; :a = 3s ;"), "1 {short a:0003 byte b:02}" },
    { BODY("variables: float x ; x:_FillValue = 1 ; double x:y = 1 ;"),
      "1 float x{float _FillValue:3f800000 double y:3ff0000000000000}" },
    { BODY("variables: char x ; x:_FillValue = \"q\" ; x:_Storage = \"contiguous\" ;"),
      "1 char x{char _FillValue:71}" },
    { BODY(";;"), "1" },
};

struct bad {
    const char *text;
    int code, line, column;
};

static const struct bad bads[] = {
    { "", NC_ENOTNC, 1, 1 },
    { "netcdf", NC_ENOTNC, 1, 7 },
    { "hdf t { }", NC_ENOTNC, 1, 1 },
    { "netcdf t ;", NC_ENOTNC, 1, 7 },
    { "netcdf t {", NC_ENOTNC, 1, 11 },
    { "netcdf t { } x", NC_ENOTNC, 1, 14 },
    { "netcdf t {\n  5 ; }", NC_ENOTNC, 2, 3 },
    { "netcdf t {\n  x ; }", NC_ENOTNC, 2, 3 },
    { "netcdf t {\n  ( }", NC_ENOTNC, 2, 3 },
    { "netcdf t {\n  \x01 }", NC_ENOTNC, 2, 3 },
    { "netcdf t {\n  % }", NC_ENOTNC, 2, 3 },
    { BODY("group: g { }"), NC_ENOTNC, 1, 11 },
    { BODY("types: int x ;"), NC_ENOTNC, 1, 11 },
    { BODY("dimensions: n 5 ;"), NC_ENOTNC, 1, 23 },
    { BODY("dimensions: n = ;"), NC_ENOTNC, 1, 27 },
    { BODY("dimensions: n = 2.5 ;"), NC_ENOTNC, 1, 27 },
    { BODY("dimensions: n = -2 ;"), NC_EDIMSIZE, 1, 27 },
    { BODY("dimensions: n = 9223372036854775808ULL ;"), NC_EDIMSIZE, 1, 27 },
    { BODY("dimensions: n = 2 ; n = 3 ;"), NC_ENAMEINUSE, 1, 31 },
    { BODY("dimensions: a = UNLIMITED ; b = UNLIMITED ;"), NC_EUNLIMIT, 1, 39 },
    { BODY("dimensions: n = 2 m = 3 ;"), NC_ENOTNC, 1, 29 },
    { BODY("dimensions: a/b = 2 ;"), NC_ENOTNC, 1, 23 },
    { BODY("dimensions: a\\/b = 2 ;"), NC_EBADNAME, 1, 23 },
    { "netcdf t { // file format: CDF-1\n dimensions: n = 3000000000 ; }", NC_EDIMSIZE, 2, 14 },
    { BODY("variables: int x(n) ;"), NC_EBADDIM, 1, 28 },
    { BODY("variables: int x() ;"), NC_ENOTNC, 1, 28 },
    { BODY("variables: int x ; float x ;"), NC_ENAMEINUSE, 1, 36 },
    { BODY("variables: int x y ;"), NC_ENOTNC, 1, 28 },
    { BODY("variables: int ; "), NC_ENOTNC, 1, 26 },
    { BODY("variables: string x ; "), NC_EBADTYPE, 1, 29 },
    { BODY("variables: Int x ; "), NC_ENOTNC, 1, 22 },
    { "netcdf t { // file format: CDF-1\n variables: int64 x ; }", NC_ESTRICTCDF2, 2, 19 },
    { BODY("dimensions: u = UNLIMITED, n = 2 ; variables: int x(n, u) ;"), NC_EUNLIMPOS, 1, 61 },
    { BODY("variables: int x ; y:a = 1 ;"), NC_ENOTVAR, 1, 30 },
    { BODY("variables: int x ; x:a 1 ;"), NC_ENOTNC, 1, 34 },
    { BODY("variables: int x ; x: = 1 ;"), NC_ENOTNC, 1, 33 },
    { BODY("variables: int x ; int x:a = q ;"), NC_ENOTNC, 1, 40 },
    { GLOBAL("1, \"a\""), NC_ECHAR, 1, 16 },
    { BODY("int :a = \"x\" ;"), NC_ECHAR, 1, 20 },
    { BODY("char :a = 65 ;"), NC_ECHAR, 1, 21 },
    { GLOBAL("1 2"), NC_ENOTNC, 1, 18 },
    { GLOBAL("1,"), NC_ENOTNC, 1, 19 },
    { GLOBAL("_"), NC_ENOTNC, 1, 16 },
    { GLOBAL("\"abc"), NC_ENOTNC, 1, 16 },
    { GLOBAL("'abc'"), NC_ENOTNC, 1, 16 },
    { GLOBAL("''"), NC_ENOTNC, 1, 16 },
    { GLOBAL("'a\n'"), NC_ENOTNC, 1, 16 },
    { GLOBAL("\"\\400\""), NC_ERANGE, 1, 21 },
    { GLOBAL("\"\\xg\""), NC_ENOTNC, 1, 19 },
    { GLOBAL("300b"), NC_ERANGE, 1, 16 },
    { GLOBAL("70000s"), NC_ERANGE, 1, 16 },
    { GLOBAL("-5u"), NC_ERANGE, 1, 16 },
    { GLOBAL("4294967296u"), NC_ERANGE, 1, 16 },
    { GLOBAL("18446744073709551616"), NC_ERANGE, 1, 16 },
    { GLOBAL("1e999"), NC_ERANGE, 1, 16 },
    { GLOBAL("1e39f"), NC_ERANGE, 1, 16 },
    { BODY("float :a = 1e39 ;"), NC_ERANGE, 1, 22 },
    { BODY("int :a = NaN ;"), NC_ERANGE, 1, 20 },
    { BODY("int :a = 3000000000 ;"), NC_ERANGE, 1, 20 },
    { BODY("uint64 :a = 1e30 ;"), NC_ERANGE, 1, 23 },
    { GLOBAL("08"), NC_ENOTNC, 1, 16 },
    { GLOBAL("0x"), NC_ENOTNC, 1, 16 },
    { GLOBAL("1.5s"), NC_ENOTNC, 1, 16 },
    { GLOBAL("1.5.2"), NC_ENOTNC, 1, 16 },
    { GLOBAL("5q"), NC_ENOTNC, 1, 16 },
    { BODY(":_Format = \"netCDF-4\" ;"), NC_ENOTNC, 1, 12 },
    { BODY(":_Format = 'x', \"classic\" ;"), NC_ENOTNC, 1, 12 },
    { "netcdf t { // file format: CDF-1\n :a = 1LL ; }", NC_ESTRICTCDF2, 2, 3 },
    { "netcdf t {\n variables:\n\tint x\\", NC_ENOTNC, 3, 8 },
};

static void describe_atts(const struct pcdf_atts *atts, char *to, size_t room)
{
    size_t n = 0;
    for (int i = 0; i < atts->n && n < room; i++) {
        const struct pcdf_att *att = &atts->x[i];
        n += (size_t)snprintf(to + n, room - n, "%s%s %s:", i ? " " : "{", pcdf_type_cdl(att->type),
                              att->name);
        for (int64_t k = 0; k < att->nelems * pcdf_type_size(att->type) && n < room; k++)
            n += (size_t)snprintf(to + n, room - n, "%02x", att->values[k]);
    }
    if (n < room && atts->n > 0)
        snprintf(to + n, room - n, "}");
}

static void describe(const struct pcdf_meta *meta, char *to, size_t room)
{
    char atts[1024] = "";
    size_t n = (size_t)snprintf(to, room, "%d", meta->version);
    for (int i = 0; i < meta->ndims; i++)
        n += (size_t)snprintf(to + n, room - n, " %s=%lld", meta->dims[i].name,
                              (long long)meta->dims[i].length);
    if (meta->numrecs > 0)
        n += (size_t)snprintf(to + n, room - n, " records %lld", (long long)meta->numrecs);
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        n += (size_t)snprintf(to + n, room - n, " %s %s", pcdf_type_cdl(var->type), var->name);
        for (int d = 0; d < var->ndims; d++)
            n += (size_t)snprintf(to + n, room - n, "%s%d%s", d ? "," : "(", var->dimids[d],
                                  d + 1 < var->ndims ? "" : ")");
        atts[0] = '\0';
        describe_atts(&var->atts, atts, sizeof atts);
        n += (size_t)snprintf(to + n, room - n, "%s", atts);
    }
    atts[0] = '\0';
    describe_atts(&meta->gatts, atts, sizeof atts);
    snprintf(to + n, room - n, "%s%s", *atts ? " " : "", atts);
}

static void corner_cases(void)
{
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        struct pcdf_meta meta;
        struct pcdf_cdl_fault fault;
        char got[2048];
        int err = pcdf_cdl_parse(goods[i].text, strlen(goods[i].text), PCDF_CDL_NUL, &meta, &fault);
        CHECK(err == NC_NOERR, "%s: %d at %d:%d: %s", goods[i].text, err, fault.line, fault.column,
              fault.text);
        describe(&meta, got, sizeof got);
        CHECK(err || strcmp(got, goods[i].want) == 0, "%s: got %s, not %s", goods[i].text, got,
              goods[i].want);
        pcdf_meta_free(&meta);
    }
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const struct bad *bad = &bads[i];
        struct pcdf_meta meta;
        struct pcdf_cdl_fault fault;
        int err = pcdf_cdl_parse(bad->text, strlen(bad->text), PCDF_CDL_NUL, &meta, &fault);
        CHECK(err == bad->code && fault.code == bad->code, "%s: %d, not %d: %s", bad->text, err, bad->code,
              fault.text);
        CHECK(fault.line == bad->line && fault.column == bad->column, "%s: %d:%d, not %d:%d: %s", bad->text,
              fault.line, fault.column, bad->line, bad->column, fault.text);
        CHECK(*fault.text, "%s: no sentence", bad->text);
        CHECK(meta.nvars == 0 && meta.ndims == 0 && meta.gatts.n == 0, "%s: meta is not empty", bad->text);
        pcdf_meta_free(&meta);
    }
    struct pcdf_meta meta;
    CHECK_INT(pcdf_cdl_parse("netcdf", 6, PCDF_CDL_NUL, &meta, NULL), NC_ENOTNC);
    CHECK_INT(pcdf_cdl_parse("netcdf t { }\0x", 14, PCDF_CDL_NUL, &meta, NULL), NC_ENOTNC);
}

/* --- hostile input ----------------------------------------------------------------------------------------
 */

static const char sample[] =
    "netcdf sample {\n// file format: CDF-5 (big variables)\ndimensions:\n\ttime = UNLIMITED ; // (25 "
    "currently)\n"
    "\tx = 0x10, \xc3\xa9\\ y = 7LL ;\nvariables:\n\tfloat a(time, x), b(x) ;\n\t\ta:_FillValue = 1.e+36f ;\n"
    "\t\tstring a:s = \"q\\n\\x41\\101\", \"\\\"\" ;\n\tuint64 data ;\n\t\tdata:r = 1b, -2, 'c', 3.5 ;\n"
    "\n// global attributes:\n\t\t:g = NaN, -Infinityf ;\n\t\t:_Format = \"64-bit data\" ;\ndata:\n}\n";

/* The exact bytes and no more stand in memory, so that the sanitizers see a read beyond them. */
static int parse_exactly(const char *text, size_t n)
{
    struct pcdf_meta meta;
    struct pcdf_cdl_fault fault;
    char *exact = malloc(n ? n : 1);
    if (!exact)
        return NC_ENOMEM;
    memcpy(exact, text, n);
    int err = pcdf_cdl_parse(exact, n, PCDF_CDL_NUL, &meta, &fault);
    CHECK(err == NC_NOERR || (fault.line > 0 && fault.column > 0 && *fault.text),
          "no place for %d at %zu bytes", err, n);
    pcdf_meta_free(&meta);
    free(exact);
    return err;
}

static void hostile(void)
{
    size_t n = sizeof sample - 1, data = (size_t)(strstr(sample, "\ndata:") - sample);
    size_t looks_like_data =
        (size_t)(strstr(sample, "data:r") - sample) + 5; /* where nothing says otherwise */
    CHECK_INT(parse_exactly(sample, n), NC_NOERR);
    for (size_t i = 0; i < n; i++) {
        int err = parse_exactly(sample, i);
        CHECK((err == NC_NOERR) == (i > data + 5 || i == looks_like_data), "cut to %zu bytes: %d", i, err);
    }
    static const char changes[] = "\0\"'{}();:,=\\/-9x\xff";
    char *text = malloc(n);
    for (size_t i = 0; text && i < n; i++)
        for (size_t k = 0; k < sizeof changes - 1; k++) {
            memcpy(text, sample, n);
            text[i] = changes[k];
            parse_exactly(text, n);
        }
    free(text);
}

static void no_memory(void)
{
    int64_t before = pcdf_alloc_now(), asked;
    pcdf_alloc_fail_at(0, 0);
    CHECK_INT(parse_exactly(sample, sizeof sample - 1), NC_NOERR);
    asked = pcdf_alloc_asked();
    CHECK(asked > 10, "only %lld allocations", (long long)asked);
    for (int64_t i = 1; i <= asked; i++) {
        pcdf_alloc_fail_at(i, 0);
        int err = parse_exactly(sample, sizeof sample - 1);
        pcdf_alloc_fail_at(0, 0);
        CHECK(err == NC_ENOMEM || err == NC_NOERR, "allocation %lld failed: %d", (long long)i, err);
    }
    CHECK_INT(pcdf_alloc_now(), before);
}

/* --- real headers -----------------------------------------------------------------------------------------
 */

static const struct {
    const char *path;
    int version, ndims, nvars, ngatts, nvatts, nrecord_vars;
    int64_t numrecs;
} headers[] = {
    { "e3sm/f_case_h0.txt", 5, 6, 414, 19, 1402, 399, 1 },
    { "e3sm/f_case_h1.txt", 5, 6, 51, 19, 123, 36, 25 },
    { "e3sm/g_case_hist.txt", 5, 7, 52, 747, 104, 41, 1 },
    { "e3sm/i_case_h0.txt", 5, 21, 560, 27, 2741, 542, 25 },
    { "e3sm/i_case_h1.txt", 5, 21, 552, 29, 2709, 542, 1 },
    { "wrf/wrf_header.txt", 2, 10, 202, 134, 1152, 202, 13 },
};

static char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f)
        return NULL;
    char *text = fstat(fileno(f), &st) == 0 ? malloc((size_t)st.st_size + 1) : NULL;
    *n = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
    fclose(f);
    return text;
}

/* Does ncgen, reading the same text, write the header that pcdf_decode reads as equal definitions? */
static void round_trip(const char *path, const struct pcdf_meta *meta)
{
    char command[1024], made[64] = "cdl_header_XXXXXX";
    int fd = mkstemp(made);
    CHECK(fd >= 0, "no temporary file %s", made);
    if (fd < 0)
        return;
    close(fd);
    const char *kind = meta->version == PCDF_CDF5 ? "cdf5" : meta->version == PCDF_CDF2 ? "nc6" : "nc3";
    snprintf(command, sizeof command, "ncgen -k %s -x -o %s '%s'", kind, made, path);
    int status = system(command);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: status %d", command, status);
    size_t n = 0;
    char *bytes = read_all(made, &n);
    unlink(made);
    struct pcdf_meta other;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need = 0;
    int err = bytes ? pcdf_decode(NULL, (unsigned char *)bytes, n, (int64_t)n, &need, &other, &layout, &fault)
                    : NC_ENOENT;
    CHECK(err == NC_NOERR && need == 0, "%s: ncgen's file: %d %s", path, err, err ? fault.text : "");
    if (!err && need == 0) {
        other.numrecs = meta->numrecs; /* ncgen writes no records without data */
        CHECK(equal_meta(meta, &other), "%s: ncgen reads other definitions", path);
        pcdf_meta_free(&other);
        pcdf_layout_free(&layout);
    }
    free(bytes);
}

static void real_headers(const char *folder)
{
    bool have_ncgen = system("command -v ncgen >/dev/null 2>&1") == 0;
    if (!have_ncgen)
        printf("skipped: no ncgen, no round trip\n");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char path[512];
        size_t n = 0;
        snprintf(path, sizeof path, "%s/%s", folder, headers[i].path);
        char *text = read_all(path, &n);
        if (!text) {
            printf("skipped: %s is not there\n", path);
            continue;
        }
        struct pcdf_meta meta;
        struct pcdf_cdl_fault fault;
        int err = pcdf_cdl_parse(text, n, PCDF_CDL_NUL, &meta, &fault), nvatts = 0;
        CHECK(err == NC_NOERR, "%s: %d:%d: %s", path, fault.line, fault.column, fault.text);
        for (int v = 0; v < meta.nvars; v++)
            nvatts += meta.vars[v].atts.n;
        CHECK_INT(meta.version, headers[i].version);
        CHECK_INT(meta.ndims, headers[i].ndims);
        CHECK_INT(meta.nvars, headers[i].nvars);
        CHECK_INT(meta.gatts.n, headers[i].ngatts);
        CHECK_INT(nvatts, headers[i].nvatts);
        CHECK_INT(meta.nrecord_vars, headers[i].nrecord_vars);
        CHECK_INT(meta.numrecs, headers[i].numrecs);
        for (size_t cut = n > 3000 ? n - 3000 : 0; cut + 2 < n; cut += 7)
            CHECK(parse_exactly(text, cut) != NC_NOERR, "%s cut to %zu bytes", path, cut);
        if (have_ncgen && !err)
            round_trip(path, &meta);
        pcdf_meta_free(&meta);
        free(text);
    }
}

int main(int argc, char **argv)
{
    corner_cases();
    hostile();
    no_memory();
    real_headers(argc > 1 ? argv[1] : "../shared/data");
    return check_done("cdl_header");
}
