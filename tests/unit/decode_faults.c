/* Every way that decode refuses a header: the rule, the NC_ code and the offset it names; and what it must
 * not refuse, because old archives hold it. Each rule of faults.def has a row, or the test fails. */
#include "../check.h"
#include "alloc.h"
#include "decode.h"
#include "encode.h"
#include "headertext.h"
#include "status.h"

static const struct refused {
    enum pcdf_fault_rule rule;
    int code;
    const char *header;
} refused[] = {
    { PCDF_FAULT_MAGIC, NC_ENOTNC, "@ b43444501 c0 z z z" },
    { PCDF_FAULT_MAGIC, NC_ENOTNC, "@ b894844460d0a1a0a p64" },
    { PCDF_FAULT_VERSION, NC_ENOTNC, "b434446 @ b03 c0 z z z" },
    { PCDF_FAULT_VERSION, NC_ENOTNC, "b434446 @ b81 c0 z z z" }, /* the guard byte of a journal */
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC, "@" },
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC, "@ b434446" },
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC, "M1 @" },
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC, "M5 @ p7" },
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC, "M1 c0 @" },
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC, "M1 c0 z z w0 @ b000000" },
    { PCDF_FAULT_TRUNCATED, NC_ENOTNC,
      "M1 c0 z w12 c1 sa w1 c6 @ p7" }, /* the values fit, their padding does not */
    { PCDF_FAULT_NUMRECS, NC_ENOTNC, "M1 @ c0x80000000 z z z" },
    { PCDF_FAULT_NUMRECS, NC_ENOTNC, "M2 @ c0xFFFFFFFE z z z" },
    { PCDF_FAULT_NUMRECS, NC_ENOTNC, "M5 @ c0x8000000000000000 z z z" },
    { PCDF_FAULT_TAG, NC_ENOTNC, "M1 c0 @ w11 c1 sa c5 z z" },
    { PCDF_FAULT_TAG, NC_ENOTNC, "M1 c0 @ w0 c1 sa c5 z z" },
    { PCDF_FAULT_TAG, NC_ENOTNC, "M5 c0 z @ w10 c1 sa w1 c0 z" },
    { PCDF_FAULT_TAG, NC_ENOTNC, "M2 c0 z z @ w12 c1 p100" },
    { PCDF_FAULT_ABSENT, NC_ENOTNC, "M1 c0 @ w11 c0 z z" },
    { PCDF_FAULT_ABSENT, NC_ENOTNC, "M1 c0 z @ w10 c0 z" },
    { PCDF_FAULT_MANY_DIMS, NC_EMAXDIMS, "M5 c0 w10 @ c0x80000000 z z" },
    { PCDF_FAULT_MANY_DIMS, NC_EMAXDIMS, "M1 c0 w10 @ c0xFFFFFFFF z z" },
    { PCDF_FAULT_MANY_ATTS, NC_EMAXATTS, "M5 c0 z w12 @ c0xFFFFFFFFFFFFFFFF z" },
    { PCDF_FAULT_MANY_VARS, NC_EMAXVARS, "M2 c0 z z w11 @ c0x80000000" },
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 w10 @ c0x7FFFFFFF sa c1 z z" },
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 w10 @ c3 sa c1 z b000000" }, /* 23 bytes are less than 3 * 12 */
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 z w12 @ c2 sa w1 c0 z" },
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 z z w11 @ c1 sv c0 z w1 c4" }, /* begin is missing */
    { PCDF_FAULT_EMPTY_NAME, NC_EBADNAME, "M1 c0 w10 c1 @ c0 c1 z z" },
    { PCDF_FAULT_LONG_NAME, NC_EMAXNAME, "M1 c0 w10 c1 @ L257 c1 z z" },
    { PCDF_FAULT_LONG_NAME, NC_EMAXNAME, "M5 c0 w10 c1 @ c0xFFFFFFFFFFFFFFFF p20 z z" },
    { PCDF_FAULT_NUL_IN_NAME, NC_EBADNAME, "M1 c0 w10 c1 c3 b61 @ b00 b6200 c1 z z" },
    { PCDF_FAULT_DIM_LENGTH, NC_EDIMSIZE, "M2 c0 w10 c1 sa @ c0x80000000 z z" },
    { PCDF_FAULT_DIM_LENGTH, NC_EDIMSIZE, "M5 c0 w10 c1 sa @ c0x8000000000000000 z z" },
    { PCDF_FAULT_TWO_UNLIMITED, NC_EUNLIMIT, "M1 c0 w10 c2 sa c0 sb @ c0 z z" },
    { PCDF_FAULT_DIM_TWICE, NC_ENAMEINUSE, "M1 c0 w10 c2 sa c1 @ sa c2 z z" },
    { PCDF_FAULT_DIM_TWICE, NC_ENAMEINUSE,
      "M1 c0 w10 c2 c2 b1B0A0000 c1 @ c2 b1B0A0000 c2 z z" }, /* printed as ?? */
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M1 c0 z w12 c1 sa @ w7 c1 w0 z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M5 c0 z w12 c1 sa @ w12 c1 w0 z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M5 c0 z w12 c1 sa @ w0xFFFFFFFF c1 w0 z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M5 c0 z w12 c1 sa @ w0 c0 z" },
    { PCDF_FAULT_LONG_ATT, NC_ENOTNC, "M1 c0 z w12 c1 sa w4 @ c4 w1 z" },
    { PCDF_FAULT_LONG_ATT, NC_ENOTNC, "M5 c0 z w12 c1 sa w6 @ c0x2000000000000000 p8 z" }, /* 2^61 doubles */
    { PCDF_FAULT_ATT_TWICE, NC_ENAMEINUSE, "M1 c0 z w12 c2 sa w4 c1 w1 @ sa w1 c0 z" },
    { PCDF_FAULT_ATT_TWICE, NC_ENAMEINUSE, "M1 c0 z z w11 c1 sv c0 w12 c2 sa w1 c0 @ sa w1 c0 w1 c4 o200" },
    { PCDF_FAULT_MANY_DIMIDS, NC_EMAXDIMS, "M5 c0 z z w11 c1 sv @ c0x80000000 p100" },
    { PCDF_FAULT_LONG_DIMIDS, NC_ENOTNC, "M1 c0 z z w11 c1 sv @ c26 p100" },
    { PCDF_FAULT_DIMID, NC_EBADDIM, "M1 c0 w10 c1 sx c5 z w11 c1 sv c2 c0 @ c1 z w4 c20 o200" },
    { PCDF_FAULT_DIMID, NC_EBADDIM, "M5 c0 w10 c1 sx c5 z w11 c1 sv c1 @ c0xFFFFFFFFFFFFFFFF z w4 c20 o200" },
    { PCDF_FAULT_UNLIMITED_POSITION, NC_EUNLIMPOS,
      "M1 c0 w10 c2 st c0 sx c5 z w11 c1 sv c2 c1 @ c0 z w4 c20 o200" },
    { PCDF_FAULT_UNLIMITED_POSITION, NC_EUNLIMPOS,
      "M2 c0 w10 c1 st c0 z w11 c1 sv c2 c0 @ c0 z w4 c20 o200" },
    { PCDF_FAULT_VAR_TYPE, NC_EBADTYPE, "M1 c0 z z w11 c1 sv c0 z @ w11 c4 o200" },
    { PCDF_FAULT_VAR_TYPE, NC_EBADTYPE, "M5 c0 z z w11 c1 sv c0 z @ w0x80000001 c4 o200" },
    { PCDF_FAULT_VAR_TWICE, NC_ENAMEINUSE, "M1 c0 z z w11 c2 sv c0 z w1 c4 o200 @ sv c0 z w1 c4 o204" },
    { PCDF_FAULT_VAR_SIZE, NC_EVARSIZE,
      "M5 c0 w10 c1 sx c0x10000000000 z w11 c1 @ sv c2 c0 c0 z w1 c4 o1000" },
    { PCDF_FAULT_VAR_SIZE, NC_EVARSIZE, "M1 c0 w10 c1 sx c0x7FFFFFFF z w11 c1 @ sv c2 c0 c0 z w4 c4 o1000" },
    { PCDF_FAULT_VAR_SIZE, NC_EVARSIZE, /* 2^63-3 bytes cannot be padded */
      "M5 c0 w10 c1 sx c0x7FFFFFFFFFFFFFFD z w11 c1 @ sv c1 c0 z w1 c4 o1000" },
    { PCDF_FAULT_BEGIN_RANGE, NC_ENOTNC, "M1 c0 z z w11 c1 sv c0 z w1 c4 @ o0x80000000" },
    { PCDF_FAULT_BEGIN_RANGE, NC_ENOTNC, "M2 c0 z z w11 c1 sv c0 z w1 c4 @ o0x8000000000000000" },
    { PCDF_FAULT_VAR_END, NC_ENOTNC, "M2 c0 z z w11 c1 sv c0 z w4 c4 @ o0x7FFFFFFFFFFFFFFC" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, "M1 c0 z z w11 c2 sv c0 z w4 c4 o200 sw c0 z w4 c4 @ o203" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, "M1 c0 z z w11 c2 sv c0 z w4 c4 o204 sw c0 z w4 c4 @ o200" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC,
      "M5 c0 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 o400 sw c1 c0 z w4 c4 @ o400" },
    { PCDF_FAULT_BEGIN_IN_HEADER, NC_ENOTNC, "M1 c0 z z w11 c1 sv c0 z w1 c4 @ o63" },
    { PCDF_FAULT_BEGIN_IN_HEADER, NC_ENOTNC, "M2 c0 w10 c1 st c0 z w11 c1 sv c1 c0 z w1 c4 @ o0" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC,
      "M1 c0 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o200 sw c0 z w4 c4 o204" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC, /* begins inside the fixed section */
      "M1 c0 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o207 sw c0 z w4 c4 o204" },
    { PCDF_FAULT_SIZES, NC_EVARSIZE,
      "M2 c0 w10 c1 sx c0x7FFFFFFF z w11 c2 sv c1 c0 z w3 c4 o200 sw c0 z w1 c4 o0x100000100 @" },
    { PCDF_FAULT_SIZES, NC_EVARSIZE, /* the unlimited dimension is not among the fixed variable's */
      "M2 c0 w10 c2 sx c0x7FFFFFFF st c0 z w11 c2 sv c1 c0 z w4 c4 o300 sw c1 c1 z w1 c4 o0x300000100 @" },
    { PCDF_FAULT_RECORD_OVERLAP, NC_ENOTNC,
      "M1 c0 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o200 sw c1 c0 z w4 c4 o208" },
    { PCDF_FAULT_RECORDS_END, NC_EVARSIZE,
      "M5 @ c0x7FFFFFFFFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o400" },
    { PCDF_FAULT_RECORDS_END, NC_EVARSIZE,
      "M5 @ c0x7FFFFFFFFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w1 c4 o400" },
};

/* numrecs and file_end of headers that are unusual, but not wrong. */
static const struct accepted {
    int64_t numrecs, data_end;
    const char *header;
} accepted[] = {
    { 0, 32, "M1 c0 z z z p100" },                      /* bytes behind the header */
    { 7, 32, "M1 c7 z z z" },                           /* records without record variables */
    { 0, 204, "M1 c0 z z w11 c1 sv c0 z w4 c99 o200" }, /* vsize is not read; data is missing */
    { 0, 204, "M1 c0 z z w11 c1 sv c0 z w1 c4 o203" },  /* unaligned */
    { 0, 205, "M1 c0 z z w11 c2 sv c0 z w1 c4 o203 sw c0 z w1 c4 o204" }, /* unpadded */
    { 0, 44, "M1 c0 w10 c1 c1 b61FFFFFF c5 z z" },                        /* padding that is not zero */
    { 0, 44, "M1 c0 w10 c1 c3 b2F2009AA c5 z z" },                   /* slash, space, control character */
    { 0, 44, "M1 c0 w10 c1 c2 bC3280000 c5 z z" },                   /* not UTF-8 */
    { 0, 296, "M1 c0 w10 c1 L256 c5 z z" },                          /* the longest name */
    { 5, 320, "M1 c5 w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o300" }, /* records beyond the end */
    { 0, 80,
      "M1 c0xFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o300 f303" }, /* STREAMING, no whole record */
    { 1, 304, "M1 c0xFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o300 f304" }, /* one */
    { 1, 304, "M1 c0xFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o300 f307" }, /* and a piece */
    { 25, 400, "M2 c0xFFFFFFFF w10 c1 st c0 z w11 c1 sv c1 c0 z w4 c4 o300 f400" },
    { 2, 410, /* recsize 8, the last variable unpadded */
      "M5 c0xFFFFFFFFFFFFFFFF w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 o396 sw c1 c0 z w3 c4 o400 f410" },
    { 0, 32, "M1 c0xFFFFFFFF z z z f1000" },
    { 0, 32, "M1 c0xFFFFFFFF z z z f3" }, /* more bytes than the file is said to have */
    { 0, 0x100000064,                     /* one too large variable, the last */
      "M2 c0 w10 c1 sx c0x7FFFFFFF z w11 c1 sv c1 c0 z w3 c0xFFFFFFFF o0x66" },
};

static int decode(const struct headertext *h, size_t n, int64_t *need, struct pcdf_meta *meta,
                  struct pcdf_layout *layout, struct pcdf_fault *fault)
{
    /* A copy of exactly n bytes, so that a sanitizer sees a read past them. */
    unsigned char *bytes = malloc(n ? n : 1);
    memcpy(bytes, h->bytes, n);
    int err = pcdf_decode(bytes, n, h->file_size, need, meta, layout, fault);
    free(bytes);
    return err;
}

/* The same verdict comes from fewer bytes, or they ask for more. */
static void check_prefixes(const struct headertext *h, int code, const char *text)
{
    for (size_t n = 0; n < h->n; n++) {
        struct pcdf_meta meta;
        struct pcdf_layout layout;
        struct pcdf_fault fault;
        int64_t need;
        int err = decode(h, n, &need, &meta, &layout, &fault);
        CHECK(err == code || (err == NC_NOERR && need > (int64_t)n && need <= h->file_size),
              "%s: %zu bytes: %d, need %" PRId64 ", %s", text, n, err, need, fault.text);
        if (!err && !need) {
            pcdf_meta_free(&meta);
            pcdf_layout_free(&layout);
        }
    }
}

static void check_refused(const struct refused *row, bool *seen)
{
    static struct headertext h;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need;

    headertext_make(&h, row->header);
    int err = decode(&h, h.n, &need, &meta, &layout, &fault);
    CHECK(err == row->code && fault.code == row->code && fault.rule == row->rule && fault.offset == h.mark,
          "%s: code %d, rule %d not %d, offset %" PRId64 " not %" PRId64 ": %s", row->header, err, fault.rule,
          row->rule, fault.offset, h.mark, fault.text);
    CHECK(strncmp(fault.text, "offset ", 7) == 0 && strcmp(fault.text, pcdf_fail_text()) == 0,
          "\"%s\" and \"%s\"", fault.text, pcdf_fail_text());
    for (const char *c = fault.text; *c; c++)
        CHECK((unsigned char)*c >= ' ' && *c != 0x7F, "%s: the text has a control character", row->header);
    seen[fault.rule] = true;
    check_prefixes(&h, row->code, row->header);
}

static void check_accepted(const struct accepted *row)
{
    static struct headertext h;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need;

    headertext_make(&h, row->header);
    int err = decode(&h, h.n, &need, &meta, &layout, &fault);
    CHECK(err == NC_NOERR && need == 0, "%s: %d, %s", row->header, err, fault.text);
    if (err || need)
        return;
    CHECK(meta.numrecs == row->numrecs, "%s: numrecs %" PRId64, row->header, meta.numrecs);
    int64_t end = pcdf_layout_file_end(&layout, &meta);
    CHECK(end == row->data_end, "%s: the data ends at %" PRId64 ", not %" PRId64, row->header, end,
          row->data_end);
    pcdf_meta_free(&meta);
    pcdf_layout_free(&layout);
    if (h.file_size >= (int64_t)h.n)
        check_prefixes(&h, NC_NOERR, row->header);
}

/* Every allocation that decode makes fails once: NC_ENOMEM with its rule, and nothing is left. */
static void check_memory(bool *seen)
{
    static struct headertext h;
    headertext_make(&h,
                    "M1 c0 w10 c1 sx c3 w12 c1 sa w4 c1 w7 w11 c1 sv c1 c0 w12 c1 sb w1 c3 w0 w1 c4 o300");
    for (int64_t at = 1;; at++) {
        struct pcdf_meta meta;
        struct pcdf_layout layout;
        struct pcdf_fault fault;
        int64_t need, before = pcdf_alloc_now();
        pcdf_alloc_fail_at(at, 0);
        int err = decode(&h, h.n, &need, &meta, &layout, &fault);
        bool failed = pcdf_alloc_asked() >= at;
        pcdf_alloc_fail_at(0, 0);
        if (!failed) {
            CHECK(err == NC_NOERR && at > 8, "%d after %" PRId64 " allocations: %s", err, at, fault.text);
            pcdf_meta_free(&meta);
            pcdf_layout_free(&layout);
            return;
        }
        CHECK(err == NC_ENOMEM && fault.rule == PCDF_FAULT_MEMORY, "allocation %" PRId64 ": %d", at, err);
        CHECK_INT(pcdf_alloc_now(), before);
        seen[fault.rule] = true;
    }
}

int main(void)
{
    static const char *const names[] = {
        "NONE",
#define PCDF_FAULT(rule, code, meaning) #rule,
#include "faults.def"
#undef PCDF_FAULT
    };
    bool seen[PCDF_FAULT_RULES] = { false };

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        check_refused(&refused[i], seen);
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++)
        check_accepted(&accepted[i]);
    check_memory(seen);
    for (int rule = PCDF_FAULT_NONE + 1; rule < PCDF_FAULT_RULES; rule++)
        CHECK(seen[rule], "no row reaches the rule %s", names[rule]);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("decode_faults");
}
