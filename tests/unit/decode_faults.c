/* Every way that decode refuses a header: the rule, the NC_ code and the offset it names; what only a file
 * that may be written to is refused for; what it tells of and refuses nobody for; and what it must take
 * without a word, because old archives hold it. Each rule of faults.def has a row, or the test fails. */
#include "check.h"
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
    { PCDF_FAULT_MANY_DIMS, NC_EMAXDIMS, "M5 c0 w10 @ c0x80000000 z z" },
    { PCDF_FAULT_MANY_DIMS, NC_EMAXDIMS, "M1 c0 w10 @ c0xFFFFFFFF z z" },
    { PCDF_FAULT_MANY_ATTS, NC_EMAXATTS, "M5 c0 z w12 @ c0xFFFFFFFFFFFFFFFF z" },
    { PCDF_FAULT_MANY_VARS, NC_EMAXVARS, "M2 c0 z z w11 @ c0x80000000" },
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 w10 @ c0x7FFFFFFF sa c1 z z" },
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 w10 @ c3 sa c1 z b000000" }, /* 23 bytes are less than 3 * 8 */
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 z w12 @ c3 sa w1 c0 z" },
    { PCDF_FAULT_LONG_LIST, NC_ENOTNC, "M1 c0 z z w11 @ c1 sv c0 z w1" }, /* vsize and begin are missing */
    { PCDF_FAULT_LONG_NAME, NC_EMAXNAME, "M1 c0 w10 c1 @ L257 c1 z z" },
    { PCDF_FAULT_LONG_NAME, NC_EMAXNAME, "M5 c0 w10 c1 @ c0xFFFFFFFFFFFFFFFF p20 z z" },
    { PCDF_FAULT_DIM_LENGTH, NC_EDIMSIZE, "M2 c0 w10 c1 sa @ c0xFFFFFFFD z z" },
    { PCDF_FAULT_DIM_LENGTH, NC_EDIMSIZE, "M5 c0 w10 c1 sa @ c0x8000000000000000 z z" },
    { PCDF_FAULT_TWO_UNLIMITED, NC_EUNLIMIT, "M1 c0 w10 c2 sa c0 sb @ c0 z z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M1 c0 z w12 c1 sa @ w12 c1 w0 z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M5 c0 z w12 c1 sa @ w12 c1 w0 z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M5 c0 z w12 c1 sa @ w0xFFFFFFFF c1 w0 z" },
    { PCDF_FAULT_ATT_TYPE, NC_EBADTYPE, "M5 c0 z w12 c1 sa @ w0 c0 z" },
    { PCDF_FAULT_LONG_ATT, NC_ENOTNC, "M1 c0 z w12 c1 sa w4 @ c4 w1 z" },
    { PCDF_FAULT_LONG_ATT, NC_ENOTNC, "M5 c0 z w12 c1 sa w6 @ c0x2000000000000000 p8 z" }, /* 2^61 doubles */
    { PCDF_FAULT_MANY_DIMIDS, NC_EMAXDIMS, "M5 c0 z z w11 c1 sv @ c0x80000000 p100" },
    { PCDF_FAULT_LONG_DIMIDS, NC_ENOTNC, "M1 c0 z z w11 c1 sv @ c26 p100" },
    { PCDF_FAULT_DIMID, NC_EBADDIM, "M1 c0 w10 c1 sx c5 z w11 c1 sv c2 c0 @ c1 z w4 c20 o200" },
    { PCDF_FAULT_DIMID, NC_EBADDIM, "M5 c0 w10 c1 sx c5 z w11 c1 sv c1 @ c0xFFFFFFFFFFFFFFFF z w4 c20 o200" },
    { PCDF_FAULT_UNLIMITED_POSITION, NC_EUNLIMPOS,
      "M1 c0 w10 c2 st c0 sx c5 z w11 c1 sv c2 c1 @ c0 z w4 c20 o200" },
    { PCDF_FAULT_UNLIMITED_POSITION, NC_EUNLIMPOS,
      "M2 c0 w10 c1 st c0 z w11 c1 sv c2 c0 @ c0 z w4 c20 o200" },
    { PCDF_FAULT_VAR_TYPE, NC_EBADTYPE, "M1 c0 z z w11 c1 sv c0 z @ w12 c4 o200" },
    { PCDF_FAULT_VAR_TYPE, NC_EBADTYPE, "M2 c0 z z w11 c1 sv c0 z @ w0 c4 o200" },
    { PCDF_FAULT_VAR_TYPE, NC_EBADTYPE, "M5 c0 z z w11 c1 sv c0 z @ w0x80000001 c4 o200" },
    { PCDF_FAULT_VAR_SIZE, NC_EVARSIZE,
      "M5 c0 w10 c1 sx c0x10000000000 z w11 c1 @ sv c2 c0 c0 z w1 c4 o1000" },
    { PCDF_FAULT_VAR_SIZE, NC_EVARSIZE, "M1 c0 w10 c1 sx c0x7FFFFFFF z w11 c1 @ sv c2 c0 c0 z w4 c4 o1000" },
    { PCDF_FAULT_VAR_SIZE, NC_EVARSIZE, /* 2^63-3 bytes cannot be padded */
      "M5 c0 w10 c1 sx c0x7FFFFFFFFFFFFFFD z w11 c1 @ sv c1 c0 z w1 c4 o1000" },
    { PCDF_FAULT_BEGIN_RANGE, NC_ENOTNC, "M1 c0 z z w11 c1 sv c0 z w1 c4 @ o0x80000000" },
    { PCDF_FAULT_BEGIN_RANGE, NC_ENOTNC, "M2 c0 z z w11 c1 sv c0 z w1 c4 @ o0x8000000000000000" },
    { PCDF_FAULT_VAR_END, NC_ENOTNC, "M2 c0 z z w11 c1 sv c0 z w4 c4 @ o0x7FFFFFFFFFFFFFFC" },
    { PCDF_FAULT_BEGIN_IN_HEADER, NC_ENOTNC, "M1 c0 z z w11 c1 sv c0 z w1 c4 @ o63" },
    { PCDF_FAULT_BEGIN_IN_HEADER, NC_ENOTNC, "M2 c0 w10 c1 st c0 z w11 c1 sv c1 c0 z w1 c4 @ o0" },
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

/* Refused where the file may be written to, with this code and rule at @; where it is only read it is told
 * of, unless the lenient reading refuses it too, for the rule `reader`. */
static const struct departed {
    enum pcdf_fault_rule rule;
    int code;
    enum pcdf_fault_rule reader;
    const char *header;
} departed[] = {
    { PCDF_FAULT_ABSENT, NC_ENOTNC, PCDF_FAULT_NONE, "M1 c0 @ w11 c0 z z" },
    { PCDF_FAULT_ABSENT, NC_ENOTNC, PCDF_FAULT_NONE, "M1 c0 z @ w10 c0 z" },
    { PCDF_FAULT_ABSENT, NC_ENOTNC, PCDF_FAULT_NONE, "M5 c0 z z @ w0xFFFFFFFF c0" },
    { PCDF_FAULT_NUL_IN_NAME, NC_EBADNAME, PCDF_FAULT_NONE, "M1 c0 w10 c1 c3 b61 @ b00 b6200 c1 z z" },
    { PCDF_FAULT_NUL_IN_NAME, NC_EBADNAME, PCDF_FAULT_NONE, "M5 c0 w10 c1 c4 @ b00 b616263 c1 z z" },
    { PCDF_FAULT_LONG_DIM, NC_EDIMSIZE, PCDF_FAULT_NONE, "M2 c0 w10 c1 sa @ c0x80000000 z z" },
    { PCDF_FAULT_LONG_DIM, NC_EDIMSIZE, PCDF_FAULT_NONE, "M1 c0 w10 c1 sa @ c0xFFFFFFFC z z" },
    { PCDF_FAULT_LATER_TYPE, NC_EBADTYPE, PCDF_FAULT_LATER_TYPE, "M1 c0 z w12 c1 sa @ w7 c1 w0 z" },
    { PCDF_FAULT_LATER_TYPE, NC_EBADTYPE, PCDF_FAULT_LATER_TYPE, "M1 c0 z z w11 c1 sv c0 z @ w11 c4 o200" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, PCDF_FAULT_NONE,
      "M1 c0 z z w11 c2 sv c0 z w4 c4 o204 sw c0 z w4 c4 @ o200" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, PCDF_FAULT_NONE, /* between the two before it */
      "M2 c0 z z w11 c3 su c0 z w4 c4 o200 sv c0 z w4 c4 o208 sw c0 z w4 c4 @ o204" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, PCDF_FAULT_NONE, /* of a record */
      "M1 c3 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 o204 sw c1 c0 z w4 c4 @ o200" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, PCDF_FAULT_OVERLAP,
      "M1 c0 z z w11 c2 sv c0 z w4 c4 o200 sw c0 z w4 c4 @ o203" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, PCDF_FAULT_OVERLAP, /* the same place twice */
      "M5 c0 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 o400 sw c1 c0 z w4 c4 @ o400" },
    { PCDF_FAULT_VAR_ORDER, NC_ENOTNC, PCDF_FAULT_OVERLAP, /* the second lies inside the first */
      "M1 c0 w10 c1 sx c5 z w11 c2 sv c1 c0 z w4 c4 o200 sw c0 z w4 c4 @ o208" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC, PCDF_FAULT_NONE,
      "M1 c1 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o200 sw c0 z w4 c4 o204" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC, PCDF_FAULT_NONE, /* no record, no overlap */
      "M1 c0 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o207 sw c0 z w4 c4 o204" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC, PCDF_FAULT_OVERLAP, /* begins inside the fixed section */
      "M1 c1 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o207 sw c0 z w4 c4 o204" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC, PCDF_FAULT_OVERLAP, /* the second record is in its way */
      "M1 c2 w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o200 sw c0 z w4 c4 o204" },
    { PCDF_FAULT_SECTION_ORDER, NC_ENOTNC, PCDF_FAULT_OVERLAP, /* where records are counted by the size */
      "M1 c0xFFFFFFFF w10 c1 st c0 z w11 c2 sv c1 c0 z w4 c4 @ o200 sw c0 z w4 c4 o204 f208" },
};

/* Told of at @, and no reason to refuse any file. */
static const struct warned {
    enum pcdf_fault_rule rule;
    const char *header;
} warned[] = {
    { PCDF_FAULT_EMPTY_NAME, "M1 c0 w10 c1 @ c0 c1 z z" },
    { PCDF_FAULT_EMPTY_NAME, "M5 c0 z w12 c1 @ c0 w4 c0 z" },
    { PCDF_FAULT_DIM_TWICE, "M1 c0 w10 c2 sa c1 @ sa c2 z z" },
    { PCDF_FAULT_DIM_TWICE, "M1 c0 w10 c2 c2 b1B0A0000 c1 @ c2 b1B0A0000 c2 z z" }, /* printed as ?? */
    { PCDF_FAULT_ATT_TWICE, "M1 c0 z w12 c2 sa w4 c1 w1 @ sa w1 c0 z" },
    { PCDF_FAULT_ATT_TWICE, "M1 c0 z z w11 c1 sv c0 w12 c2 sa w1 c0 @ sa w1 c0 w1 c4 o200" },
    { PCDF_FAULT_VAR_TWICE, "M1 c0 z z w11 c2 sv c0 z w1 c4 o200 @ sv c0 z w1 c4 o204" },
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

struct decoded { /* one decoding: what came of it */
    int err;
    int64_t need;
    struct pcdf_reading reading;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
};

static void decode(struct decoded *d, bool is_lenient, const struct headertext *h, size_t n)
{
    /* A copy of exactly n bytes, so that a sanitizer sees a read past them. */
    unsigned char *bytes = malloc(n ? n : 1);
    memcpy(bytes, h->bytes, n);
    d->reading = (struct pcdf_reading){ .is_lenient = is_lenient };
    d->err = pcdf_decode(&d->reading, bytes, n, h->file_size, &d->need, &d->meta, &d->layout, &d->fault);
    free(bytes);
}

static void release(struct decoded *d)
{
    if (d->err || d->need)
        return;
    pcdf_meta_free(&d->meta);
    pcdf_layout_free(&d->layout);
}

/* The same verdict comes from fewer bytes, or they ask for more. */
static void check_prefixes(const struct headertext *h, bool is_lenient, int code, const char *text)
{
    for (size_t n = 0; n < h->n; n++) {
        struct decoded d;
        decode(&d, is_lenient, h, n);
        CHECK(d.err == code || (d.err == NC_NOERR && d.need > (int64_t)n && d.need <= h->file_size),
              "%s: %zu bytes: %d, need %" PRId64 ", %s", text, n, d.err, d.need, d.fault.text);
        release(&d);
    }
}

static void check_sentence(const char *header, const char *text)
{
    CHECK(strncmp(text, "offset ", 7) == 0, "%s: \"%s\"", header, text);
    for (const char *c = text; *c; c++)
        CHECK((unsigned char)*c >= ' ' && *c != 0x7F, "%s: the text has a control character", header);
}

/* Refused, here for `rule` at the row's mark. */
static void check_fault(const struct decoded *d, const struct headertext *h, enum pcdf_fault_rule rule,
                        int code, const char *header)
{
    const struct pcdf_fault *f = &d->fault;
    CHECK(d->err == code && f->code == code && f->rule == rule && f->offset == h->mark,
          "%s: code %d, rule %d not %d, offset %" PRId64 " not %" PRId64 ": %s", header, d->err, f->rule,
          rule, f->offset, h->mark, f->text);
    CHECK(strcmp(f->text, pcdf_fail_text()) == 0, "\"%s\" and \"%s\"", f->text, pcdf_fail_text());
    check_sentence(header, f->text);
}

/* Accepted, and the first thing told is `rule` at the row's mark. */
static void check_told(const struct decoded *d, const struct headertext *h, enum pcdf_fault_rule rule,
                       int code, const char *header)
{
    const struct pcdf_fault *f = &d->reading.first;
    CHECK(d->err == NC_NOERR && d->need == 0, "%s: %d, %s", header, d->err, d->fault.text);
    CHECK(d->reading.ntold == 1 && f->code == code && f->rule == rule && f->offset == h->mark,
          "%s: told %" PRId64 " times, code %d, rule %d not %d, offset %" PRId64 " not %" PRId64 ": %s",
          header, d->reading.ntold, f->code, f->rule, rule, f->offset, h->mark, f->text);
    check_sentence(header, f->text);
}

static void check_refused(const struct refused *row, bool *seen)
{
    static struct headertext h;
    struct decoded d;

    headertext_make(&h, row->header);
    for (int lenient = 0; lenient < 2; lenient++) {
        decode(&d, lenient, &h, h.n);
        check_fault(&d, &h, row->rule, row->code, row->header);
        release(&d);
        check_prefixes(&h, lenient, row->code, row->header);
    }
    seen[row->rule] = true;
}

static void check_departed(const struct departed *row, bool *seen)
{
    static struct headertext h;
    struct decoded d;

    headertext_make(&h, row->header);
    decode(&d, false, &h, h.n);
    check_fault(&d, &h, row->rule, row->code, row->header);
    release(&d);
    check_prefixes(&h, false, row->code, row->header);
    decode(&d, true, &h, h.n);
    if (row->reader)
        CHECK(d.err == d.fault.code && d.fault.rule == row->reader, "%s: for reading: %d, %s", row->header,
              d.err, d.fault.text);
    else
        check_told(&d, &h, row->rule, row->code, row->header);
    check_prefixes(&h, true, d.err, row->header);
    release(&d);
    seen[row->rule] = seen[row->reader] = true;
}

static void check_warned(const struct warned *row, bool *seen)
{
    static struct headertext h;
    struct decoded d;

    headertext_make(&h, row->header);
    for (int lenient = 0; lenient < 2; lenient++) {
        decode(&d, lenient, &h, h.n);
        check_told(&d, &h, row->rule, NC_NOERR, row->header);
        release(&d);
        check_prefixes(&h, lenient, NC_NOERR, row->header);
    }
    seen[row->rule] = true;
}

static void check_accepted(const struct accepted *row)
{
    static struct headertext h;
    struct decoded d;

    headertext_make(&h, row->header);
    for (int lenient = 0; lenient < 2; lenient++) {
        decode(&d, lenient, &h, h.n);
        CHECK(d.err == NC_NOERR && d.need == 0, "%s: %d, %s", row->header, d.err, d.fault.text);
        CHECK(d.reading.ntold == 0, "%s: told of %s", row->header, d.reading.first.text);
        if (d.err || d.need)
            return;
        CHECK(d.meta.numrecs == row->numrecs, "%s: numrecs %" PRId64, row->header, d.meta.numrecs);
        int64_t end = pcdf_layout_file_end(&d.layout, &d.meta);
        CHECK(end == row->data_end, "%s: the data ends at %" PRId64 ", not %" PRId64, row->header, end,
              row->data_end);
        release(&d);
        if (h.file_size >= (int64_t)h.n)
            check_prefixes(&h, lenient, NC_NOERR, row->header);
    }
}

/* Every allocation that decode makes fails once: NC_ENOMEM with its rule, and nothing is left. */
static void check_memory(bool is_lenient, const char *header, bool *seen)
{
    static struct headertext h;
    headertext_make(&h, header);
    for (int64_t at = 1;; at++) {
        struct decoded d;
        int64_t before = pcdf_alloc_now();
        pcdf_alloc_fail_at(at, 0);
        decode(&d, is_lenient, &h, h.n);
        bool failed = pcdf_alloc_asked() >= at;
        pcdf_alloc_fail_at(0, 0);
        if (!failed) {
            CHECK(d.err == NC_NOERR && at > 4, "%d after %" PRId64 " allocations: %s", d.err, at,
                  d.fault.text);
            release(&d);
            return;
        }
        CHECK(d.err == NC_ENOMEM && d.fault.rule == PCDF_FAULT_MEMORY, "allocation %" PRId64 ": %d", at,
              d.err);
        CHECK_INT(pcdf_alloc_now(), before);
        seen[d.fault.rule] = true;
    }
}

int main(void)
{
    static const char *const names[] = {
        "NONE",
#define PCDF_FAULT(rule, how, code, meaning) #rule,
#include "faults.def"
#undef PCDF_FAULT
    };
    bool seen[PCDF_FAULT_RULES] = { false };

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        check_refused(&refused[i], seen);
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++)
        check_accepted(&accepted[i]);
    for (size_t i = 0; i < sizeof departed / sizeof departed[0]; i++)
        check_departed(&departed[i], seen);
    for (size_t i = 0; i < sizeof warned / sizeof warned[0]; i++)
        check_warned(&warned[i], seen);
    check_memory(false, "M1 c0 w10 c1 sx c3 w12 c1 sa w4 c1 w7 w11 c1 sv c1 c0 w12 c1 sb w1 c3 w0 w1 c4 o300",
                 seen);
    check_memory(true, "M1 c0 z z w11 c2 sv c0 z w4 c4 o204 sw c0 z w4 c4 o200", seen); /* sorts them */
    for (int rule = PCDF_FAULT_NONE + 1; rule < PCDF_FAULT_RULES; rule++)
        CHECK(seen[rule], "no row reaches the rule %s", names[rule]);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("decode_faults");
}
