/* Where the data of a header being decoded lies: order, overlap, and how many records there are. SPEC:
 * non_recs, varslab; reference 4.10. Data need not begin at a multiple of 4, nor be padded: the specification
 * says so of writers only, and all readers take such files. */
#include <limits.h>
#include <stdlib.h>
#include "alloc.h"
#include "decoder.h"
#include "followheader.h"
#include "rules.h"
#include "status.h"

int pcdf_decoder_begin(struct pcdf_decoder *d, int64_t at, uint64_t begin, const struct pcdf_var *var)
{
    struct pcdf_section *section = var->is_record ? &d->record : &d->fixed;
    int64_t end;

    if (begin > (uint64_t)(d->version == PCDF_CDF1 ? INT32_MAX : INT64_MAX))
        return pcdf_decoder_fault(d, PCDF_FAULT_BEGIN_RANGE, at,
                                  "variable \"%.80s\": begin %llu is no offset of CDF-%d", var->name,
                                  (unsigned long long)begin, d->version);
    if (__builtin_add_overflow((int64_t)begin, var->nbytes, &end))
        return pcdf_decoder_fault(d, PCDF_FAULT_VAR_END, at,
                                  "variable \"%.80s\": begin %llu and %lld bytes exceed 63 bits", var->name,
                                  (unsigned long long)begin, (long long)var->nbytes);
    if (section->n > 0 && (int64_t)begin < section->end) {
        section->in_order = false;
        PCDF_TRY(pcdf_decoder_fault(
            d, PCDF_FAULT_VAR_ORDER, at,
            "variable \"%.80s\" begins at %llu, but the %s variables before it end at %lld", var->name,
            (unsigned long long)begin, var->is_record ? "record" : "fixed", (long long)section->end));
    }
    if (section->n == 0)
        section->in_order = true;
    if (section->n == 0 || (int64_t)begin < section->first) {
        section->first = (int64_t)begin;
        section->first_at = at;
    }
    if (section->n++ == 0 || end > section->end)
        section->end = end;
    return NC_NOERR;
}

/* What can be said of the sections only when the whole header is known. *recsize: of its definitions. */
static int check_sections(struct pcdf_decoder *d, int64_t *recsize)
{
    const struct pcdf_section *fixed = &d->fixed, *record = &d->record;

    for (int i = 0; i < 2; i++) {
        const struct pcdf_section *section = i == 0 ? fixed : record;
        if (section->n > 0 && section->first < (int64_t)d->at)
            return pcdf_decoder_fault(d, PCDF_FAULT_BEGIN_IN_HEADER, section->first_at,
                                      "the first %s variable begins at %lld, inside the header of %zu bytes",
                                      i == 0 ? "fixed" : "record", (long long)section->first, d->at);
    }
    if (fixed->n > 0 && record->n > 0 && record->first < fixed->end)
        PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_SECTION_ORDER, record->first_at,
                                    "the record section begins at %lld, but the fixed section ends at %lld",
                                    (long long)record->first, (long long)fixed->end));
    if (pcdf_rules_sizes(&d->meta))
        return pcdf_decoder_fault(d, PCDF_FAULT_SIZES, (int64_t)d->at, "%s", pcdf_fail_text());
    *recsize = pcdf_layout_recsize(&d->meta);
    if (record->n > 0 && record->end - record->first > *recsize)
        return pcdf_decoder_fault(d, PCDF_FAULT_RECORD_OVERLAP, record->first_at,
                                  "a record goes from %lld to %lld, more than the record size %lld",
                                  (long long)record->first, (long long)record->end, (long long)*recsize);
    return NC_NOERR;
}

/* ---- a file whose variables do not lie in definition order: all that is asked is that none overlap */

struct place {
    int64_t begin, end;
    int varid;
};

static int by_begin(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->end != y->end ? x->end < y->end ? -1 : 1 : x->varid - y->varid;
}

/* Sorts the variables of one section by where they lie, without those that have no bytes; *n: how many. */
static int check_apart(struct pcdf_decoder *d, bool records, struct place *places, int *n)
{
    *n = 0;
    for (int i = 0; i < d->meta.nvars; i++) {
        const struct pcdf_var *var = &d->meta.vars[i];
        if (var->is_record == records && var->nbytes > 0)
            places[(*n)++] = (struct place){ d->begin[i], d->begin[i] + var->nbytes, i };
    }
    qsort(places, (size_t)*n, sizeof *places, by_begin);
    for (int i = 1; i < *n; i++)
        if (places[i].begin < places[i - 1].end)
            return pcdf_decoder_fault(d, PCDF_FAULT_OVERLAP, (int64_t)d->at,
                                      "variable \"%.80s\" begins at %lld, inside variable \"%.80s\"",
                                      d->meta.vars[places[i].varid].name, (long long)places[i].begin,
                                      d->meta.vars[places[i - 1].varid].name);
    return NC_NOERR;
}

static int check_overlaps(struct pcdf_decoder *d, int64_t records_end)
{
    /* Records that are counted by the file's size must come last, for what lies behind them would be counted.
     */
    int64_t first = d->record.first, end = d->streaming ? INT64_MAX : records_end;
    int n;
    struct place *places = pcdf_malloc((size_t)d->meta.nvars * sizeof *places);
    if (!places)
        return pcdf_decoder_fault(d, PCDF_FAULT_MEMORY, (int64_t)d->at, "no memory to sort the variables");
    int err = check_apart(d, true, places, &n);
    if (!err)
        err = check_apart(d, false, places, &n);
    for (int i = 0; i < n && !err && d->record.n > 0 && first < end; i++)
        if (places[i].begin < end && places[i].end > first)
            err = pcdf_decoder_fault(d, PCDF_FAULT_OVERLAP, d->record.first_at,
                                     "the records, from %lld to %lld, go over variable \"%.80s\" at %lld",
                                     (long long)first, (long long)end, d->meta.vars[places[i].varid].name,
                                     (long long)places[i].begin);
    pcdf_free(places);
    return err;
}

int pcdf_decoder_places(struct pcdf_decoder *d)
{
    const struct pcdf_section *fixed = &d->fixed, *record = &d->record;
    int64_t records_end = record->first, recsize = 0, all;

    PCDF_TRY(check_sections(d, &recsize));

    /* SPEC: Note on streaming data. The records that are wholly in the file. */
    if (d->streaming && record->n > 0)
        d->meta.numrecs =
            pcdf_followheader_records_in((int64_t)d->file_size, record->end, recsize, (int)d->version);

    if (record->n > 0 && d->meta.numrecs > 0) {
        if (__builtin_mul_overflow(d->meta.numrecs, recsize, &all) ||
            __builtin_add_overflow(all, record->end, &all))
            return pcdf_decoder_fault(d, PCDF_FAULT_RECORDS_END, PCDF_NUMRECS_AT,
                                      "%lld records of %lld bytes from %lld exceed 63 bits",
                                      (long long)d->meta.numrecs, (long long)recsize,
                                      (long long)record->first);
        records_end = all - recsize;
    }

    bool in_order = (fixed->n == 0 || fixed->in_order) && (record->n == 0 || record->in_order) &&
                    (fixed->n == 0 || record->n == 0 || record->first >= fixed->end);
    return in_order ? NC_NOERR : check_overlaps(d, records_end);
}
