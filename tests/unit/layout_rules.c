/* The layout is reference 4.9's: defaults, alignments, free room, what redef keeps, what does not fit. */
#include "alloc.h"
#include "check.h"
#include "encode.h"
#include "layout.h"
#include "rules.h"

#include <limits.h>

static const int rec_dim[] = { 0, 1 };
static const int fix_dim[] = { 1 };

/* Dimensions t (unlimited) and x[length]. */
static void start(struct pcdf_meta *meta, enum pcdf_version version, int64_t length)
{
    pcdf_meta_init(meta, version);
    CHECK_INT(pcdf_meta_add_dim(meta, "t", 0, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(meta, "x", length, NULL), NC_NOERR);
}

static void fixed(struct pcdf_meta *meta, const char *name, nc_type type)
{
    CHECK_INT(pcdf_meta_add_var(meta, name, type, 1, fix_dim, NULL), NC_NOERR);
}

static void record(struct pcdf_meta *meta, const char *name, nc_type type, int ndims)
{
    CHECK_INT(pcdf_meta_add_var(meta, name, type, ndims, rec_dim, NULL), NC_NOERR);
}

static struct pcdf_layout build(const struct pcdf_meta *meta, const struct pcdf_layout *old,
                                struct pcdf_alignment align)
{
    struct pcdf_layout layout = { 0 };
    CHECK_INT(pcdf_layout_build(&layout, meta, old, &align), NC_NOERR);
    return layout;
}

static void check_begins(const struct pcdf_layout *layout, int n, const int64_t *want)
{
    CHECK_INT(layout->nvars, n);
    for (int i = 0; i < n; i++)
        CHECK(layout->begin[i] == want[i], "begin of variable %d is %" PRId64 ", not %" PRId64, i,
              layout->begin[i], want[i]);
}
#define CHECK_BEGINS(layout, ...)                                                                            \
    check_begins((layout), sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), (int64_t[]){ __VA_ARGS__ })

/* {a:byte[3], b:int[3], rec byte[3], rec short}: header 204, extent 512, begins 512,516,528,532, recsize 8.
 */
static void reference_example(void)
{
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF1, 3);
    fixed(&meta, "a", NC_BYTE);
    fixed(&meta, "b", NC_INT);
    record(&meta, "c", NC_BYTE, 2);
    record(&meta, "d", NC_SHORT, 1);
    struct pcdf_layout layout = build(&meta, NULL, (struct pcdf_alignment){ 0 });
    CHECK_INT(layout.header_size, 204);
    CHECK_INT(layout.header_extent, 512);
    CHECK_BEGINS(&layout, 512, 516, 528, 532);
    CHECK_INT(layout.begin_rec, 528);
    CHECK_INT(layout.recsize, 8);
    CHECK_INT(pcdf_layout_file_end(&layout, &meta), 528);
    meta.numrecs = 2;
    CHECK_INT(pcdf_layout_file_end(&layout, &meta), 532 + 8 + 2);
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
}

static void no_variables(void)
{
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF5, 3);
    struct pcdf_layout layout = build(&meta, NULL, (struct pcdf_alignment){ 4096, 1024, 8, 64, 0, 0, 0 });
    CHECK_INT(layout.header_size, pcdf_encode_size(&meta));
    CHECK_INT(layout.header_extent, layout.header_size);
    CHECK_INT(layout.recsize, 0);
    CHECK_INT(pcdf_layout_file_end(&layout, &meta), layout.header_size);
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
}

/* One record variable: records are not padded. Only record variables: 512 is the record section's alignment.
 */
static void only_records(void)
{
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF1, 3);
    record(&meta, "c", NC_BYTE, 2);
    struct pcdf_layout one = build(&meta, NULL, (struct pcdf_alignment){ 0, 0, 9999, 0, 0, 0, 0 });
    CHECK_INT(one.recsize, 3);
    CHECK_INT(one.begin_rec, 512); /* v_minfree is nothing without fixed variables */
    CHECK_INT(one.header_extent, 512);
    meta.numrecs = 3;
    CHECK_INT(pcdf_layout_file_end(&one, &meta), 512 + 9);
    record(&meta, "d", NC_SHORT, 1);
    struct pcdf_layout two = build(&meta, &one, (struct pcdf_alignment){ 0 });
    CHECK_INT(two.recsize, 8);
    CHECK_BEGINS(&two, 512, 516);
    struct pcdf_layout wide = build(&meta, NULL, (struct pcdf_alignment){ 500, 0, 0, 100, 0, 0, 0 });
    CHECK_INT(wide.begin_rec, 700); /* 132 + 500 up to a multiple of 100 */
    CHECK_INT(wide.header_extent, 700);
    pcdf_layout_free(&one);
    pcdf_layout_free(&two);
    pcdf_layout_free(&wide);
    pcdf_meta_free(&meta);
}

static void alignments(void)
{
    static const struct {
        struct pcdf_alignment align;
        int64_t extent, first, begin_rec;
    } rows[] = {
        { { 0, 0, 0, 0, 0, 0, 0 }, 512, 512, 528 },
        { { 0, 1, 0, 1, 0, 0, 0 }, 204, 204, 220 }, /* alignments count up to a multiple of 4 */
        { { 0, 1024, 0, 0, 0, 0, 0 }, 1024, 1024, 1040 },
        { { 400, 0, 0, 0, 0, 0, 0 }, 1024, 1024, 1040 }, /* 204 + 400 > 512 */
        { { 308, 0, 0, 0, 0, 0, 0 }, 512, 512, 528 },    /* 204 + 308 = 512 */
        { { 0, 0, 100, 0, 0, 0, 0 }, 512, 512, 628 },
        { { 0, 0, 101, 0, 0, 0, 0 }, 512, 512, 632 },
        { { 0, 0, 0, 1000, 0, 0, 0 }, 512, 512, 1000 },
        { { 10, 50, 1, 30, 0, 0, 0 }, 260, 260, 288 },  /* 52 and 32: 214 -> 260; 276 + 1 -> 288 */
        { { -5, -5, -5, -5, 0, 0, 0 }, 512, 512, 528 }, /* not positive: the default */
    };
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF1, 3);
    fixed(&meta, "a", NC_BYTE);
    fixed(&meta, "b", NC_INT);
    record(&meta, "c", NC_BYTE, 2);
    record(&meta, "d", NC_SHORT, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pcdf_layout layout = build(&meta, NULL, rows[i].align);
        CHECK(layout.header_extent == rows[i].extent && layout.begin[0] == rows[i].first &&
                  layout.begin[2] == rows[i].begin_rec && layout.begin_rec == rows[i].begin_rec,
              "row %zu: extent %" PRId64 ", first %" PRId64 ", record section %" PRId64, i,
              layout.header_extent, layout.begin[0], layout.begin_rec);
        pcdf_layout_free(&layout);
    }
    pcdf_meta_free(&meta);
}

/* redef: nothing moves down, the extent never shrinks, what fits stays. */
static void redef_keeps(void)
{
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF2, 3);
    fixed(&meta, "a", NC_BYTE);
    record(&meta, "c", NC_BYTE, 2);
    struct pcdf_layout first = build(&meta, NULL, (struct pcdf_alignment){ 2000, 0, 1000, 0, 0, 0, 0 });
    CHECK_BEGINS(&first, 2560, 3564);
    fixed(&meta, "b", NC_INT); /* fits into the free room before the records */
    record(&meta, "d", NC_SHORT, 1);
    struct pcdf_layout second = build(&meta, &first, (struct pcdf_alignment){ 0 });
    CHECK_INT(second.header_extent, 2560);
    CHECK_BEGINS(&second, 2560, 3564, 2564, 3568);
    CHECK_INT(second.recsize, 8);
    struct pcdf_layout third = build(&meta, &second, (struct pcdf_alignment){ 3000, 0, 0, 4096, 0, 0, 0 });
    CHECK_BEGINS(&third, 3584, 4096, 3588, 4100);
    pcdf_layout_free(&first);
    pcdf_layout_free(&second);
    pcdf_layout_free(&third);
    pcdf_meta_free(&meta);
}

/* Another writer's room between fixed variables stays too. */
static void room_between_fixed(void)
{
    struct pcdf_meta meta;
    struct pcdf_layout old;
    start(&meta, PCDF_CDF2, 5);
    fixed(&meta, "a", NC_BYTE);
    fixed(&meta, "b", NC_BYTE);
    int64_t *begin = pcdf_malloc(2 * sizeof *begin);
    begin[0] = 512;
    begin[1] = 2001;
    pcdf_layout_from_begins(&old, &meta, begin, pcdf_encode_size(&meta));
    CHECK_INT(old.begin_rec, 2008); /* the padded end of the fixed section */
    fixed(&meta, "c", NC_INT);
    record(&meta, "r", NC_INT, 1);
    struct pcdf_layout grown = build(&meta, &old, (struct pcdf_alignment){ 0 });
    CHECK_BEGINS(&grown, 512, 2001, 2008, 2028);
    pcdf_layout_free(&old);
    pcdf_layout_free(&grown);
    pcdf_meta_free(&meta);
}

/* Another writer's room between the variables of a record stays, and more variables still fit into the
 * record. */
static void room_in_record(void)
{
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF1, 5);
    record(&meta, "c", NC_BYTE, 2);
    record(&meta, "d", NC_BYTE, 1);
    int64_t *begin = pcdf_malloc(2 * sizeof *begin);
    begin[0] = 512;
    begin[1] = 523; /* 520 would do; the record has 12 bytes */
    struct pcdf_layout old;
    pcdf_layout_from_begins(&old, &meta, begin, pcdf_encode_size(&meta));
    record(&meta, "e", NC_INT, 1);
    struct pcdf_layout grown = build(&meta, &old, (struct pcdf_alignment){ 0 });
    CHECK_BEGINS(&grown, 512, 523, 524);
    CHECK_INT(grown.recsize, 16);
    pcdf_layout_free(&old);
    pcdf_layout_free(&grown);
    pcdf_meta_free(&meta);
}

/* Room behind the header is made where the data is placed anew, and is there to be used up. */
static void reserves_room(void)
{
    const struct pcdf_alignment reserve = { .reserve = 10000 };
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF2, 4);
    fixed(&meta, "a", NC_INT);
    struct pcdf_layout first = build(&meta, NULL, reserve);
    CHECK_INT(first.header_extent, (first.header_size + 10000 + 511) / 512 * 512);
    fixed(&meta, "b", NC_INT); /* the header is longer, and still fits: nothing moves */
    struct pcdf_layout second = build(&meta, &first, reserve);
    CHECK_BEGINS(&second, first.header_extent, first.header_extent + 16);
    struct pcdf_layout third = build(&meta, &second, (struct pcdf_alignment){ 10200, 0, 0, 0, 20000, 0, 0 });
    CHECK(third.header_extent >= third.header_size + 20000, "what has to move gets the room: %lld",
          (long long)third.header_extent);
    pcdf_layout_free(&first);
    pcdf_layout_free(&second);
    pcdf_layout_free(&third);
    pcdf_meta_free(&meta);
}

/* What has to move goes behind the end of the old data; what need not stays. */
static void moves_far(void)
{
    struct pcdf_alignment far = { 0 };
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF2, 4);
    fixed(&meta, "a", NC_INT);
    record(&meta, "r", NC_INT, 1);
    meta.numrecs = 10;
    struct pcdf_layout first = build(&meta, NULL, (struct pcdf_alignment){ 0 });
    far.far_from = pcdf_layout_file_end(&first, &meta);
    struct pcdf_layout same = build(&meta, &first, far);
    CHECK_BEGINS(&same, first.begin[0], first.begin[1]);
    fixed(&meta, "b", NC_INT); /* takes the place of records: they go */
    struct pcdf_layout second = build(&meta, &first, far);
    CHECK_BEGINS(&second, first.begin[0], far.far_from, first.begin[0] + 16);
    far.far_from = pcdf_layout_file_end(&second, &meta);
    far.h_minfree = 512; /* moves the fixed ones: all go */
    struct pcdf_layout third = build(&meta, &second, far);
    CHECK(third.begin[0] >= far.far_from && third.begin[1] > third.begin[2] &&
              third.begin[2] > third.begin[0],
          "%lld %lld %lld, not behind %lld", (long long)third.begin[0], (long long)third.begin[1],
          (long long)third.begin[2], (long long)far.far_from);
    far.far_from = pcdf_layout_file_end(&third, &meta);
    far.h_minfree = 0;
    record(&meta, "s", NC_INT, 1); /* longer records: they go, the fixed ones stay */
    struct pcdf_layout fourth = build(&meta, &third, far);
    CHECK_BEGINS(&fourth, third.begin[0], far.far_from, third.begin[2], fourth.begin[1] + 4);
    struct pcdf_alignment near = { .far_from = INT64_MAX - 8 }; /* too far: no further than it must */
    struct pcdf_layout fifth = build(&meta, &third, near);
    CHECK_BEGINS(&fifth, third.begin[0], third.begin[1], third.begin[2], third.begin[1] + 4);
    pcdf_layout_free(&first);
    pcdf_layout_free(&same);
    pcdf_layout_free(&second);
    pcdf_layout_free(&third);
    pcdf_layout_free(&fourth);
    pcdf_layout_free(&fifth);
    pcdf_meta_free(&meta);
}

/* What has to move moves by whole units, the records with the fixed ones. */
static void moves_by_units(void)
{
    enum { UNIT = 65536 };
    struct pcdf_alignment units = { .move_unit = UNIT };
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF2, 4);
    fixed(&meta, "a", NC_INT);
    record(&meta, "r", NC_INT, 1);
    meta.numrecs = 10;
    struct pcdf_layout first = build(&meta, NULL, (struct pcdf_alignment){ .v_minfree = 40 });
    struct pcdf_layout same = build(&meta, &first, units);
    CHECK_BEGINS(&same, first.begin[0], first.begin[1]);
    units.h_minfree = 1000; /* the header grows into the data */
    struct pcdf_layout second = build(&meta, &first, units);
    CHECK_BEGINS(&second, first.begin[0] + UNIT, first.begin[1] + UNIT);
    units.h_minfree = 0;
    fixed(&meta, "b", NC_INT); /* takes the place of records */
    units.v_minfree = 70000;
    struct pcdf_layout third = build(&meta, &second, units);
    CHECK_BEGINS(&third, second.begin[0], second.begin[1] + 2 * UNIT, second.begin[0] + 16);
    record(&meta, "s", NC_INT, 1); /* longer records move by different lengths: no further than they must */
    units.v_minfree = 0;
    struct pcdf_layout fourth = build(&meta, &third, units);
    CHECK_BEGINS(&fourth, third.begin[0], third.begin[1], third.begin[2], third.begin[1] + 4);
    pcdf_layout_free(&first);
    pcdf_layout_free(&same);
    pcdf_layout_free(&second);
    pcdf_layout_free(&third);
    pcdf_layout_free(&fourth);
    pcdf_meta_free(&meta);
}

static void too_far(void)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    static const struct pcdf_alignment far = { INT64_MAX - 100, 0, 0, 0, 0, 0, 0 },
                                       rec = { 0, 0, INT64_MAX - 100, 0, 0, 0, 0 },
                                       unit = { 0, INT64_MAX, 0, 0, 0, 0, 0 };

    start(&meta, PCDF_CDF1, INT32_MAX - 3);
    fixed(&meta, "a", NC_BYTE);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_NOERR);
    pcdf_layout_free(&layout);
    fixed(&meta, "b", NC_BYTE);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_NOERR);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_EVARSIZE);
    meta.version = PCDF_CDF2;
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, &far), NC_EVARSIZE);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, &rec), NC_EVARSIZE);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, &unit), NC_EVARSIZE);
    pcdf_meta_free(&meta);

    start(&meta, PCDF_CDF5, INT64_MAX - 3); /* fits, but behind no header */
    record(&meta, "a", NC_BYTE, 2);
    meta.numrecs = 3;
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_EVARSIZE);
    int64_t *begin = pcdf_malloc(sizeof *begin);
    *begin = 512;
    pcdf_layout_from_begins(&layout, &meta, begin, 200);
    CHECK_INT(pcdf_layout_file_end(&layout, &meta), INT64_MAX);
    meta.numrecs = 1;
    CHECK_INT(pcdf_layout_file_end(&layout, &meta), INT64_MAX);
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);

    start(&meta, PCDF_CDF5, INT64_MAX / 8);
    fixed(&meta, "a", NC_DOUBLE);
    fixed(&meta, "b", NC_BYTE);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_EVARSIZE);
    pcdf_meta_free(&meta);
}

/* Only the last variable may be too large, and a fixed one only where no records follow. */
static void large_variables(void)
{
    struct pcdf_meta meta;
    start(&meta, PCDF_CDF2, INT32_MAX);
    fixed(&meta, "big", NC_SHORT);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_NOERR); /* 4294967294 bytes, the last */
    CHECK_INT(pcdf_encode_vsize(&meta, &meta.vars[0]), UINT32_MAX);
    fixed(&meta, "more", NC_BYTE);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_EVARSIZE);
    pcdf_meta_free(&meta);

    start(&meta, PCDF_CDF2, INT32_MAX);
    fixed(&meta, "big", NC_SHORT);
    record(&meta, "r", NC_BYTE, 1);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_EVARSIZE);
    meta.version = PCDF_CDF5;
    CHECK_INT(pcdf_rules_sizes(&meta), NC_NOERR);
    pcdf_meta_free(&meta);

    start(&meta, PCDF_CDF2, INT32_MAX);
    record(&meta, "r", NC_BYTE, 1);
    record(&meta, "big", NC_DOUBLE, 2);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_NOERR);
    record(&meta, "s", NC_BYTE, 1);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_EVARSIZE);
    pcdf_meta_free(&meta);

    start(&meta, PCDF_CDF1, INT32_MAX - 2); /* one byte more than the limit of CDF-1 */
    fixed(&meta, "a", NC_BYTE);
    fixed(&meta, "b", NC_BYTE);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_EVARSIZE);
    pcdf_meta_free(&meta);
}

static void vsizes(void)
{
    static const struct {
        enum pcdf_version version;
        int64_t length, vsize;
    } rows[] = {
        { PCDF_CDF1, 1, 4 },
        { PCDF_CDF1, 4, 4 },
        { PCDF_CDF2, 5, 8 },
        { PCDF_CDF5, (int64_t)UINT32_MAX - 3, (int64_t)UINT32_MAX - 3 },
        { PCDF_CDF5, (int64_t)UINT32_MAX - 2, (int64_t)UINT32_MAX + 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pcdf_meta meta;
        start(&meta, rows[i].version, rows[i].length);
        record(&meta, "r", NC_BYTE, 2);
        CHECK_INT(pcdf_encode_vsize(&meta, &meta.vars[0]), rows[i].vsize);
        pcdf_meta_free(&meta);
    }
}

int main(void)
{
    reference_example();
    no_variables();
    only_records();
    alignments();
    redef_keeps();
    room_between_fixed();
    room_in_record();
    reserves_room();
    moves_far();
    moves_by_units();
    too_far();
    large_variables();
    vsizes();
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("layout_rules");
}
