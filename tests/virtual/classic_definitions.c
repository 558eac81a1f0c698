/* Definitions of other formats become those of the classic model (src/virtual/classic.h). */
#include <stdlib.h>
#include "alloc.h"
#include "check.h"
#include "classicvalue.h"
#include "decode.h"
#include "status.h"

static struct pcdf_image image;
static struct pcdf_classic *c;

static void begin(void)
{
    pcdf_image_init(&image, PCDF_SOURCE_NETCDF4);
    CHECK_INT(pcdf_classic_begin(&image, &c), NC_NOERR);
}

static int dim(const char *group, const char *name, int64_t length, bool is_unlimited)
{
    int id = -1;
    CHECK_INT(pcdf_classic_dim(c, group, name, length, is_unlimited, &id), NC_NOERR);
    return id;
}

/* Of whole chunks, as long as its dimensions are, but for the first: `first` there, unless it is -1. */
static int var(const char *group, const char *name, enum pcdf_stored stored, int size, int ndims,
               const int *dims, const int64_t *shape)
{
    struct pcdf_chunked v = { .ndims = ndims, .stored = stored, .size = size, .chain = -1 };
    int id;
    v.shape = pcdf_calloc((size_t)ndims + 1, sizeof *v.shape);
    v.chunk = pcdf_calloc((size_t)ndims + 1, sizeof *v.chunk);
    for (int i = 0; i < ndims; i++) {
        v.shape[i] = shape[i];
        v.chunk[i] = shape[i] > 0 ? shape[i] : 1;
    }
    CHECK_INT(pcdf_classic_var(c, group, name, dims, &v, &id), NC_NOERR);
    return id;
}

/* The header decodes to the same definitions, strictly. */
static void finish(void)
{
    struct pcdf_reading reading = { 0 };
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need = 0;
    CHECK_INT(pcdf_classic_finish(c), NC_NOERR);
    CHECK_INT(pcdf_image_write_header(&image), NC_NOERR);
    int err = pcdf_decode(&reading, image.header, (size_t)image.header_size,
                          pcdf_layout_file_end(&image.layout, &image.meta), &need, &meta, &layout, &fault);
    CHECK(err == NC_NOERR && need == 0 && reading.ntold == 0, "%s", err ? fault.text : reading.first.text);
    if (!err && need == 0) {
        CHECK_INT(meta.nvars, image.nvars);
        CHECK_INT(meta.numrecs, image.meta.numrecs);
        pcdf_layout_free(&layout);
        pcdf_meta_free(&meta);
    }
}

static bool tells(const char *words)
{
    return image.left_out && strstr(image.left_out, words);
}

static const struct pcdf_att *att_of(int varid, const char *name)
{
    const struct pcdf_atts *atts = pcdf_meta_atts(&image.meta, varid);
    int id = pcdf_atts_find(atts, name);
    return id < 0 ? NULL : &atts->x[id];
}

static bool att_is(int varid, const char *name, const void *bytes, int64_t n)
{
    const struct pcdf_att *a = att_of(varid, name);
    return a && a->nelems * pcdf_type_size(a->type) == n &&
           (n == 0 || memcmp(a->values, bytes, (size_t)n) == 0);
}

static void test_records_and_groups(void)
{
    begin();
    int t = dim("", "time", 3, true), x = dim("/g/h", "x", 4, false), u = dim("", "u", 5, true);
    var("", "a", PCDF_STORED_REAL, 4, 2, (int[]){ t, x }, (int64_t[]){ 2, 4 });
    var("/g/h", "b", PCDF_STORED_INT, 8, 2, (int[]){ x, u }, (int64_t[]){ 4, 5 });
    int texts = var("/g", "s", PCDF_STORED_TEXT, 6, 1, (int[]){ t }, (int64_t[]){ 3 });
    const struct pcdf_classic_values title = { PCDF_STORED_TEXT, 4, 2, "ab\0\0cdef" };
    CHECK_INT(pcdf_classic_att(c, "/g", -1, "title", &title), NC_NOERR);
    CHECK_INT(pcdf_classic_att(c, "", texts, "note", &title), NC_NOERR);
    finish();
    CHECK_INT(image.meta.numrecs, 3);
    CHECK_INT(image.meta.record_dim, 0);
    CHECK_INT(image.meta.dims[pcdf_meta_find_dim(&image.meta, "u")].length, 5);
    CHECK(pcdf_meta_find_dim(&image.meta, "g.h.x") == 1, "%s", image.meta.dims[1].name);
    int b = pcdf_meta_find_var(&image.meta, "g.h.b"), s = pcdf_meta_find_var(&image.meta, "g.s");
    CHECK_INT(image.meta.vars[b].type, NC_INT64);
    CHECK(!image.meta.vars[b].is_record, "b has records");
    CHECK_INT(image.meta.vars[s].ndims, 2);
    CHECK_INT(image.meta.dims[image.meta.vars[s].dimids[1]].length, 6);
    CHECK(att_is(b, "_path", "/g/h/b", 6), "no path");
    CHECK(!att_of(pcdf_meta_find_var(&image.meta, "a"), "_path"), "a path that the name tells");
    CHECK(att_is(NC_GLOBAL, "g.title", "ab\ncdef", 7), "title");
    CHECK(att_is(s, "note", "ab\ncdef", 7), "note");
    CHECK(!image.left_out, "%s", image.left_out);
    pcdf_image_free(&image);
}

static void test_names(void)
{
    begin();
    int x = dim("", "x", 2, false);
    var("", "a.b", PCDF_STORED_INT, 4, 1, &x, (int64_t[]){ 2 });
    var("/a", "b", PCDF_STORED_INT, 4, 1, &x, (int64_t[]){ 2 });
    var("", " odd\x01/name ", PCDF_STORED_INT, 4, 0, NULL, NULL);
    var("", "\xff\xfe", PCDF_STORED_INT, 4, 0, NULL, NULL);
    char name[600];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    var("", name, PCDF_STORED_UINT, 2, 0, NULL, NULL);
    var("", name, PCDF_STORED_UINT, 2, 0, NULL, NULL);
    var("", "", PCDF_STORED_UINT, 1, 0, NULL, NULL);
    finish();
    CHECK_INT(image.nvars, 7);
    CHECK(pcdf_meta_find_var(&image.meta, "a.b_2") == 1, "%s", image.meta.vars[1].name);
    CHECK(tells("/a/b is called a.b_2"), "%s", image.left_out);
    CHECK(att_is(1, "_path", "/a/b", 4), "no path");
    CHECK(strcmp(image.meta.vars[2].name, "_ odd__name") == 0, "'%s'", image.meta.vars[2].name);
    CHECK(strcmp(image.meta.vars[3].name, "___") == 0, "'%s'", image.meta.vars[3].name);
    CHECK_INT(image.meta.vars[5].name_length, image.meta.vars[4].name_length + 2);
    pcdf_image_free(&image);
}

/* A name that a file may have stays as it is; one that the group makes too long is cut, with room for a
 * number. */
static void test_long_names(void)
{
    char name[NC_MAX_NAME + 1], first[NC_MAX_NAME + 1] = "2";
    begin();
    memset(name, 'n', NC_MAX_NAME);
    name[NC_MAX_NAME] = '\0';
    memset(first + 1, 'm', NC_MAX_NAME - 1);
    first[NC_MAX_NAME] = '\0';
    dim("", name, 3, false);
    int v = var("", first, PCDF_STORED_INT, 4, 0, NULL, NULL);
    const struct pcdf_classic_values one = { PCDF_STORED_INT, 1, 1, "x" };
    CHECK_INT(pcdf_classic_att(c, "", v, name, &one), NC_NOERR);
    var("/g", name, PCDF_STORED_INT, 4, 0, NULL, NULL);
    var("/g", name + 9, PCDF_STORED_INT, 4, 0, NULL, NULL);
    finish();
    CHECK(strcmp(image.meta.dims[0].name, name) == 0, "%s", image.meta.dims[0].name);
    CHECK(strcmp(image.meta.vars[0].name, first) == 0, "%s", image.meta.vars[0].name);
    CHECK(att_of(0, name) != NULL, "the attribute has another name");
    CHECK_INT(strlen(image.meta.vars[1].name), NC_MAX_NAME - 12);
    CHECK_INT(strlen(image.meta.vars[2].name), NC_MAX_NAME - 7);
    pcdf_image_free(&image);
}

static void test_left_out(void)
{
    begin();
    int x = dim("", "x", 2, false), none = dim("", "none", 0, false);
    int far = dim("", "far", INT64_MAX / 2, false);
    var("", "empty", PCDF_STORED_INT, 4, 1, &none, (int64_t[]){ 0 });
    var("", "large", PCDF_STORED_INT, 4, 2, (int[]){ far, x }, (int64_t[]){ INT64_MAX / 2, 2 });
    CHECK_INT(var("", "odd", PCDF_STORED_REAL, 16, 1, &x, (int64_t[]){ 2 }), -1);
    CHECK_INT(var("", "short", PCDF_STORED_INT, 4, 1, &x, (int64_t[]){ 1 }), -1);
    CHECK_INT(var("", "lost", PCDF_STORED_INT, 4, 1, (int[]){ 99 }, (int64_t[]){ 1 }), -1);
    int kept = var("", "kept", PCDF_STORED_INT, 2, 1, &x, (int64_t[]){ 2 });
    const struct pcdf_classic_values wide = { PCDF_STORED_REAL, 16, 1, "0123456789abcdef" };
    CHECK_INT(pcdf_classic_att(c, "", kept, "wide", &wide), NC_NOERR);
    finish();
    CHECK_INT(image.nvars, 1);
    const char *words[] = { "none: its length is 0", "empty: a dimension", "large: it is too large",
                            "odd: its type",         "short: its shape",   "lost: it has a dimension",
                            "wide of kept: its type" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        CHECK(tells(words[i]), "'%s' is missing in:\n%s", words[i], image.left_out);
    pcdf_image_free(&image);
}

static void test_values(void)
{
    begin();
    int half = var("", "half", PCDF_STORED_REAL, 2, 0, NULL, NULL);
    int number = var("", "number", PCDF_STORED_INT, 4, 0, NULL, NULL);
    const uint16_t quarter = 0xB400; /* -0.25 */
    const int32_t minus = -2;
    CHECK_INT(pcdf_classic_fill(c, half, &quarter, false), NC_NOERR);
    CHECK_INT(pcdf_classic_fill(c, number, &minus, true), NC_NOERR);
    const uint32_t ucs[] = { 'a', 0x20AC, 0x1F600, 0, 'b', 0, 0, 0 };
    const struct pcdf_classic_values two = { PCDF_STORED_UCS4, 16, 2, ucs },
                                     longs = { PCDF_STORED_UINT, 8, 1, &(uint64_t){ 0x0102030405060708 } },
                                     none = { PCDF_STORED_TEXT, 0, 1, "" };
    CHECK_INT(pcdf_classic_att(c, "", number, "ucs", &two), NC_NOERR);
    CHECK_INT(pcdf_classic_att(c, "", number, "longs", &longs), NC_NOERR);
    CHECK_INT(pcdf_classic_att(c, "", number, "none", &none), NC_NOERR);
    finish();
    CHECK(att_is(half, "_FillValue", "\xbe\x80\0\0", 4), "-0.25");
    CHECK_INT(att_of(half, "_FillValue")->type, NC_FLOAT);
    CHECK(!att_of(number, "_FillValue"), "a fill value that nobody wrote");
    CHECK(memcmp(image.vars[number].fill, "\xff\xff\xff\xfe", 4) == 0, "-2");
    CHECK(att_is(number, "ucs", "a\xe2\x82\xac\xf0\x9f\x98\x80\nb", 10), "UTF-8");
    CHECK(att_is(number, "longs", "\1\2\3\4\5\6\7\x08", 8), "big-endian");
    CHECK(att_is(number, "none", "", 0), "an empty text");
    const uint16_t halves[] = { 0x3C00, 0x0001, 0x7BFF, 0x7C00, 0x8000, 0x03FF };
    const float floats[] = {
        1, 5.9604644775390625e-8f, 65504, __builtin_inff(), -0.0f, 6.097555160522461e-5f
    };
    for (size_t i = 0; i < 6; i++) {
        float got = pcdf_half_to_float(halves[i]);
        CHECK(memcmp(&got, &floats[i], 4) == 0, "%04x is %.9g, not %.9g", halves[i], got, floats[i]);
    }
    pcdf_image_free(&image);
}

int main(void)
{
    int64_t before = pcdf_alloc_now();
    test_records_and_groups();
    test_names();
    test_long_names();
    test_left_out();
    test_values();
    CHECK_INT(pcdf_alloc_now(), before);
    return check_done("classic_definitions");
}
