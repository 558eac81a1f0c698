/* What decode tolerates, walked a second time: decode proved the structure, so this walk takes the counts
 * from the metadata and only reads the bytes that decode looks past (padding, vsize, tags of empty lists). */
#include "findings.h"
#include "alloc.h"
#include "bytes.h"
#include "encode.h"
#include "status.h"
#include "text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checker {
    const unsigned char *bytes;
    int64_t n, at; /* the walk stands at byte `at` */
    int64_t file_size;
    int width; /* bytes of a NON_NEG */
    const struct pcdf_meta *meta;
    const struct pcdf_layout *layout;
    pcdf_found *found;
    void *context;
    struct pcdf_check_result *result;
    int nbytes; /* of the finding that is reported next */
};

__attribute__((format(printf, 5, 6))) static void report(struct checker *c, enum pcdf_severity severity,
                                                         const char *rule, int64_t offset, const char *format,
                                                         ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->result->count[severity]++;
    c->found(c->context, &(struct pcdf_finding){ severity, NC_NOERR, offset, rule, text, c->nbytes });
}

/* What decode tolerates or refuses. Its sentence has a lead "offset 44: ", which the finding carries apart.
 */
static void tell_fault(struct checker *c, enum pcdf_severity severity, const struct pcdf_fault *fault)
{
    static const char *const rules[PCDF_FAULT_RULES] = {
        [PCDF_FAULT_NONE] = "NONE",
#define PCDF_FAULT(rule, how, code, meaning) [PCDF_FAULT_##rule] = #rule,
#include "faults.def"
#undef PCDF_FAULT
    };
    int lead = 0;
    (void)sscanf(fault->text, "offset %*[0-9]: %n", &lead);
    c->result->count[severity]++;
    c->found(c->context, &(struct pcdf_finding){ severity, fault->code, fault->offset, rules[fault->rule],
                                                 fault->text + lead, 0 });
}

/* With the code that a file opened for writing gets. */
static void found_tolerated(void *context, const struct pcdf_fault *fault)
{
    tell_fault(context, PCDF_FOUND_WARNING, fault);
}

/* --- the header -------------------------------------------------------------------------------------------
 */

/* A big-endian number of 4 or 8 bytes. */
static int64_t number_at(const struct checker *c, int64_t offset, int width)
{
    const unsigned char *field = c->bytes + offset;
    assert(offset >= 0 && offset <= c->n - width); /* decode has read it */
    return (int64_t)pcdf_bytes_get(field, (size_t)width);
}

/* SPEC: padding. Steps over nbytes of content and its padding, which must be zero. */
static void step_padded(struct checker *c, int64_t nbytes, const char *what, const char *name)
{
    int64_t pad = c->at + nbytes, end = c->at + pcdf_layout_padded(nbytes);

    assert(end <= c->n);
    while (pad < end && c->bytes[pad] == 0)
        pad++;
    c->nbytes = (int)(end - pad);
    if (pad < end)
        report(c, PCDF_FOUND_WARNING, "PADDING", pad, "the padding after %s \"%s\" is 0x%02X, not zero", what,
               name, c->bytes[pad]);
    c->nbytes = 0;
    c->at = end;
}

/* SPEC: Note on names. */
static void check_name(struct checker *c, const char *what, const char *name)
{
    int64_t offset = c->at, length = number_at(c, c->at, c->width);
    struct pcdf_name nfc;

    c->at += c->width;
    if (pcdf_name_define(name, &nfc))
        report(c, PCDF_FOUND_WARNING, "NAME", offset, "the name of %s \"%s\" is not legal: %s", what, name,
               pcdf_fail_text());
    else if (strcmp(name, nfc.text) != 0)
        report(c, PCDF_FOUND_WARNING, "NAME", offset, "the name of %s \"%s\" is not in NFC", what, name);
    pcdf_fail_clear();
    step_padded(c, length, what, name);
}

/* Tag and number of elements of a list. SPEC: ABSENT, which all writers write for an empty list; the grammar
 * allows the tag and a zero as well, and of another tag decode tells. */
static void check_list(struct checker *c, int nelems, int tag, const char *what)
{
    if (nelems == 0 && number_at(c, c->at, 4) == tag)
        report(c, PCDF_FOUND_NOTE, "EMPTY_TAG", c->at, "the empty list of %s has a tag", what);
    c->at += 4 + c->width;
}

/* var: NULL for the global attributes. SPEC: Note on fill values. */
static void check_atts(struct checker *c, const struct pcdf_atts *atts, const struct pcdf_var *var)
{
    check_list(c, atts->n, PCDF_TAG_ATTRIBUTE, "attributes");
    for (int i = 0; i < atts->n; i++) {
        const struct pcdf_att *att = &atts->x[i];
        bool is_fill = var && strcmp(att->name, "_FillValue") == 0;
        int64_t offset = c->at;
        check_name(c, "attribute", att->name);
        if (is_fill && att->type != var->type)
            report(c, PCDF_FOUND_WARNING, "FILL", offset,
                   "_FillValue of variable \"%s\" has type %s, the variable %s", var->name,
                   pcdf_type_cdl(att->type), pcdf_type_cdl(var->type));
        if (is_fill && att->nelems != 1)
            report(c, PCDF_FOUND_WARNING, "FILL", offset,
                   "_FillValue of variable \"%s\" has %" PRId64 " values, not 1", var->name, att->nelems);
        c->at += 4 + c->width;
        step_padded(c, att->nelems * pcdf_type_size(att->type), "the values of attribute", att->name);
    }
}

/* Type, vsize and begin. SPEC: Note on vsize. Nobody trusts the field, since it follows from the shape. */
static void check_place(struct checker *c, const struct pcdf_var *var, int64_t begin)
{
    c->at += 4;
    uint64_t want = (uint64_t)pcdf_encode_vsize(c->meta, var),
             stored = (uint64_t)number_at(c, c->at, c->width);
    if (c->width == 4)
        want &= UINT32_MAX;
    if (stored != want)
        report(c, PCDF_FOUND_WARNING, "VSIZE", c->at,
               "vsize of variable \"%s\" is %" PRIu64 ", its shape says %" PRIu64, var->name, stored, want);
    c->at += c->width;
    if (begin % 4 != 0)
        report(c, PCDF_FOUND_WARNING, "ALIGNMENT", c->at,
               "variable \"%s\" begins at %" PRId64 ", which is no multiple of 4", var->name, begin);
    c->at += c->meta->version == PCDF_CDF1 ? 4 : 8;
}

static void check_header(struct checker *c)
{
    const struct pcdf_meta *meta = c->meta;
    int64_t stored = number_at(c, 4, c->width);

    if (stored == (c->width == 8 ? -1 : (int64_t)UINT32_MAX))
        report(c, PCDF_FOUND_WARNING, "STREAMING", 4,
               "numrecs is STREAMING; the size of the file says %" PRId64 " records", meta->numrecs);
    else if (stored > 0 && meta->nrecord_vars == 0)
        report(c, PCDF_FOUND_NOTE, "NO_RECORDS", 4, "numrecs is %" PRId64 ", but no variable has records",
               stored);

    c->at = 4 + c->width;
    check_list(c, meta->ndims, PCDF_TAG_DIMENSION, "dimensions");
    for (int i = 0; i < meta->ndims; i++) {
        check_name(c, "dimension", meta->dims[i].name);
        c->at += c->width;
    }
    check_atts(c, &meta->gatts, NULL);
    check_list(c, meta->nvars, PCDF_TAG_VARIABLE, "variables");
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        check_name(c, "variable", var->name);
        c->at += (int64_t)c->width * (1 + (int64_t)var->ndims);
        check_atts(c, &var->atts, var);
        check_place(c, var, c->layout->begin[i]);
    }
}

/* --- layout and size --------------------------------------------------------------------------------------
 */

struct placed { /* a variable, by where it lies */
    int64_t begin;
    int varid;
};

static int by_begin(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1) : x->varid - y->varid;
}

/* Of the record section the first record. The variables may lie in another order than they are defined in. */
static int check_gaps(struct checker *c)
{
    int64_t end = c->layout->header_size;
    char after[320] = "the header";
    int n = c->meta->nvars;
    struct placed *placed = pcdf_malloc((size_t)(n > 0 ? n : 1) * sizeof *placed);

    if (!placed)
        return PCDF_FAIL(NC_ENOMEM, "no memory to sort %d variables", n);
    for (int i = 0; i < n; i++)
        placed[i] = (struct placed){ c->layout->begin[i], i };
    qsort(placed, (size_t)n, sizeof *placed, by_begin);
    for (int i = 0; i < n; i++) {
        const struct pcdf_var *var = &c->meta->vars[placed[i].varid];
        if (placed[i].begin > end)
            report(c, PCDF_FOUND_NOTE, "GAP", end, "%" PRId64 " unused bytes after %s", placed[i].begin - end,
                   after);
        if (__builtin_add_overflow(placed[i].begin, pcdf_layout_padded(var->nbytes), &end))
            end = INT64_MAX;
        snprintf(after, sizeof after, "variable \"%s\"", var->name);
    }
    pcdf_free(placed);
    return NC_NOERR;
}

/* Where the fixed data ends, without its last padding. Files are not padded to their full size, so what was
 * never written may be missing at the end. */
static int64_t check_fixed(struct checker *c)
{
    const struct pcdf_var *first = NULL;
    int64_t end = c->layout->header_size, missing = 0, first_end = 0;

    for (int i = 0; i < c->meta->nvars; i++) {
        const struct pcdf_var *var = &c->meta->vars[i];
        int64_t last = c->layout->begin[i] + var->nbytes;
        if (var->is_record)
            continue;
        end = last > end ? last : end;
        if (last > c->file_size && missing++ == 0) {
            first = var;
            first_end = last;
        }
    }
    if (first)
        report(c, PCDF_FOUND_WARNING, "MISSING", c->file_size,
               "the file ends before the data of %" PRId64
               " fixed-size variables, the first \"%s\" (up to %" PRId64 "): never written, or truncated",
               missing, first->name, first_end);
    return end;
}

/* Where all data ends, behind fixed data that ends at `end`. Whoever raised numrecs wrote at least a byte of
 * the last record, so a file without one has lost data. */
static int64_t check_records(struct checker *c, int64_t end)
{
    const struct pcdf_layout *layout = c->layout;
    int64_t numrecs = c->meta->numrecs, back = 0;

    if (numrecs == 0 || c->meta->nrecord_vars == 0)
        return end;
    for (int i = 0; i < c->meta->nvars; i++) {
        int64_t last = c->meta->vars[i].is_record ? layout->begin[i] + c->meta->vars[i].nbytes : 0;
        end = last > end ? last : end;
    }
    if (__builtin_mul_overflow(numrecs - 1, layout->recsize, &back) ||
        __builtin_add_overflow(end, back, &end))
        end = INT64_MAX;
    if (c->file_size >= end)
        return end;
    int64_t there = c->file_size > layout->begin_rec ? c->file_size - layout->begin_rec : 0;
    int64_t whole = there / layout->recsize;
    if (whole + (there % layout->recsize > 0) < numrecs)
        report(c, PCDF_FOUND_ERROR, "LOST", 4,
               "numrecs is %" PRId64 ", but the file ends at %" PRId64 " and holds %" PRId64 " whole records",
               numrecs, c->file_size, whole);
    else
        report(c, PCDF_FOUND_WARNING, "MISSING", c->file_size,
               "the file ends within the last record, which would end at %" PRId64
               ": never written, or truncated",
               end);
    return end;
}

static void check_trailing(struct checker *c, int64_t data_end)
{
    int64_t limit = data_end > INT64_MAX - 3 ? INT64_MAX : pcdf_layout_padded(data_end);
    const struct pcdf_layout *layout = c->layout;

    if (c->meta->nrecord_vars > 0 && layout->begin_rec > limit)
        limit = layout->begin_rec;
    if (c->file_size <= limit)
        return;
    int64_t over = c->file_size - limit;
    if (c->meta->nvars == 0)
        report(c, PCDF_FOUND_WARNING, "TRAILING", limit,
               "%" PRId64 " bytes after the header, but no variable", over);
    else if (c->meta->nrecord_vars > 0 && layout->recsize > 0 && over >= layout->recsize)
        report(c, PCDF_FOUND_WARNING, "TRAILING", limit,
               "%" PRId64 " bytes after the data, room for %" PRId64 " records more than numrecs says", over,
               over / layout->recsize);
    else
        report(c, PCDF_FOUND_WARNING, "TRAILING", limit, "%" PRId64 " bytes after the data", over);
}

int pcdf_check(const unsigned char *bytes, size_t n, int64_t file_size, int64_t *need, pcdf_found *found,
               void *context, struct pcdf_check_result *result)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout = { 0 };
    struct pcdf_fault fault = { 0 };
    struct checker c = { .bytes = bytes,
                         .n = (int64_t)n,
                         .file_size = file_size,
                         .meta = &meta,
                         .layout = &layout,
                         .found = found,
                         .context = context,
                         .result = result };
    struct pcdf_reading reading = { .is_lenient = true, .context = &c };
    *result = (struct pcdf_check_result){ 0 };
    int err = pcdf_decode(&reading, bytes, n, file_size, need, &meta, &layout, &fault);
    if (*need == 0 && err != NC_ENOMEM && reading.ntold > 0) { /* once more, now that the header is whole */
        if (!err) {
            pcdf_layout_free(&layout);
            pcdf_meta_free(&meta);
        }
        reading.told = found_tolerated;
        err = pcdf_decode(&reading, bytes, n, file_size, need, &meta, &layout, &fault);
    }
    if (*need > 0 || err == NC_ENOMEM)
        return err;
    if (err) {
        tell_fault(&c, PCDF_FOUND_ERROR, &fault);
        return NC_NOERR;
    }

    result->decoded = true;
    result->version = meta.version;
    result->ndims = meta.ndims;
    result->nvars = meta.nvars;
    result->ngatts = meta.gatts.n;
    result->numrecs = meta.numrecs;
    result->header_size = layout.header_size;
    c.width = meta.version == PCDF_CDF5 ? 8 : 4;
    check_header(&c);
    err = check_gaps(&c);
    if (!err) {
        result->data_end = check_records(&c, check_fixed(&c));
        check_trailing(&c, result->data_end);
    }
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
    return err;
}
