/* Where the data of a header being decoded lies: order, overlap, and how many records there are. SPEC:
 * non_recs, varslab; reference 4.10. Data need not begin at a multiple of 4, nor be padded: the specification
 * says so of writers only, and all readers take such files. */
#include <limits.h>
#include <stdlib.h>
#include "alloc.h"
#include "decoder.h"
#include "rules.h"
#include "status.h"

int pcdf_decoder_begin(struct pcdf_decoder *d, int64_t at, uint64_t begin, const struct pcdf_var *var)
{
    struct pcdf_section *section = var->is_record ? &d->record : &d->fixed;
    int64_t end;

    if (begin > (uint64_t)(d->version == PCDF_CDF1 ? INT32_MAX : INT64_MAX))
        return pcdf_decoder_refuse(d, PCDF_FAULT_BEGIN_RANGE, at,
                                   "variable \"%.80s\": begin %llu is no offset of CDF-%d", var->name,
                                   (unsigned long long)begin, d->version);
    if (__builtin_add_overflow((int64_t)begin, var->nbytes, &end))
        return pcdf_decoder_refuse(d, PCDF_FAULT_VAR_END, at,
                                   "variable \"%.80s\": begin %llu and %lld bytes exceed 63 bits", var->name,
                                   (unsigned long long)begin, (long long)var->nbytes);
    if (section->n > 0 && (int64_t)begin < section->end) {
        section->in_order = false;
        PCDF_TRY(pcdf_decoder_depart(
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

static int check_behind_header(struct pcdf_decoder *d, const struct pcdf_section *section, const char *what)
{
    if (section->n > 0 && section->first < (int64_t)d->r.at)
        return pcdf_decoder_refuse(d, PCDF_FAULT_BEGIN_IN_HEADER, section->first_at,
                                   "the first %s variable begins at %lld, inside the header of %zu bytes",
                                   what, (long long)section->first, d->r.at);
    return NC_NOERR;
}

/* What can be said only when the whole header is known. */
static int check_sections(struct pcdf_decoder *d)
{
    const struct pcdf_section *fixed = &d->fixed, *record = &d->record;

    PCDF_TRY(check_behind_header(d, fixed, "fixed"));
    PCDF_TRY(check_behind_header(d, record, "record"));
    if (fixed->n > 0 && record->n > 0 && record->first < fixed->end)
        PCDF_TRY(pcdf_decoder_depart(d, PCDF_FAULT_SECTION_ORDER, record->first_at,
                                     "the record section begins at %lld, but the fixed section ends at %lld",
                                     (long long)record->first, (long long)fixed->end));
    if (pcdf_rules_sizes(&d->meta))
        return pcdf_decoder_refuse(d, PCDF_FAULT_SIZES, (int64_t)d->r.at, "%s", pcdf_fail_text());
    int64_t recsize = pcdf_layout_recsize(&d->meta);
    if (record->n > 0 && record->end - record->first > recsize)
        return pcdf_decoder_refuse(d, PCDF_FAULT_RECORD_OVERLAP, record->first_at,
                                   "a record goes from %lld to %lld, more than the record size %lld",
                                   (long long)record->first, (long long)record->end, (long long)recsize);
    return NC_NOERR;
}

/* SPEC: Note on streaming data. The records that are wholly in the file. */
static int64_t records_in_file(const struct pcdf_decoder *d)
{
    if (d->record.n == 0 || d->file_size < d->record.end)
        return 0;
    int64_t recsize = pcdf_layout_recsize(&d->meta), most = pcdf_rules_max_numrecs(d->version);
    int64_t n = 1 + (d->file_size - d->record.end) / recsize;
    return n < most ? n : most;
}

/* *end: of the last record. */
static int check_records(struct pcdf_decoder *d, int64_t *end)
{
    int64_t bytes;
    *end = d->record.first;
    if (d->streaming)
        d->meta.numrecs = records_in_file(d);
    if (d->record.n == 0 || d->meta.numrecs == 0)
        return NC_NOERR;
    if (__builtin_mul_overflow(d->meta.numrecs, pcdf_layout_recsize(&d->meta), &bytes) ||
        __builtin_add_overflow(bytes, d->record.end, &bytes))
        return pcdf_decoder_refuse(
            d, PCDF_FAULT_RECORDS_END, d->numrecs_at, "%lld records of %lld bytes from %lld exceed 63 bits",
            (long long)d->meta.numrecs, (long long)pcdf_layout_recsize(&d->meta), (long long)d->record.first);
    *end = bytes - pcdf_layout_recsize(&d->meta);
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

/* The variables of one section, by where they lie; *n: without those that have no bytes. */
static void sort_places(const struct pcdf_decoder *d, bool records, struct place *places, int *n)
{
    *n = 0;
    for (int i = 0; i < d->meta.nvars; i++) {
        const struct pcdf_var *var = &d->meta.vars[i];
        if (var->is_record == records && var->nbytes > 0)
            places[(*n)++] = (struct place){ d->begin[i], d->begin[i] + var->nbytes, i };
    }
    qsort(places, (size_t)*n, sizeof *places, by_begin);
}

static int check_apart(struct pcdf_decoder *d, const struct place *places, int n)
{
    for (int i = 1; i < n; i++)
        if (places[i].begin < places[i - 1].end)
            return pcdf_decoder_refuse(d, PCDF_FAULT_OVERLAP, (int64_t)d->r.at,
                                       "variable \"%.80s\" begins at %lld, inside variable \"%.80s\"",
                                       d->meta.vars[places[i].varid].name, (long long)places[i].begin,
                                       d->meta.vars[places[i - 1].varid].name);
    return NC_NOERR;
}

/* Records that are counted by the file's size must come last, for what lies behind them would be counted. */
static int check_between(struct pcdf_decoder *d, const struct place *fixed, int n, int64_t records_end)
{
    int64_t first = d->record.first, end = d->streaming ? INT64_MAX : records_end;
    for (int i = 0; i < n && d->record.n > 0 && first < end; i++)
        if (fixed[i].begin < end && fixed[i].end > first)
            return pcdf_decoder_refuse(d, PCDF_FAULT_OVERLAP, d->record.first_at,
                                       "the records, from %lld to %lld, go over variable \"%.80s\" at %lld",
                                       (long long)first, (long long)end, d->meta.vars[fixed[i].varid].name,
                                       (long long)fixed[i].begin);
    return NC_NOERR;
}

static int check_overlaps(struct pcdf_decoder *d, int64_t records_end)
{
    int n;
    struct place *places = pcdf_malloc((size_t)d->meta.nvars * sizeof *places);
    if (!places)
        return pcdf_decoder_refuse(d, PCDF_FAULT_MEMORY, (int64_t)d->r.at, "no memory to sort the variables");
    sort_places(d, true, places, &n);
    int err = check_apart(d, places, n);
    sort_places(d, false, places, &n);
    if (!err)
        err = check_apart(d, places, n);
    if (!err)
        err = check_between(d, places, n, records_end);
    pcdf_free(places);
    return err;
}

int pcdf_decoder_places(struct pcdf_decoder *d)
{
    const struct pcdf_section *fixed = &d->fixed, *record = &d->record;
    int64_t records_end;

    PCDF_TRY(check_sections(d));
    PCDF_TRY(check_records(d, &records_end));
    bool in_order = (fixed->n == 0 || fixed->in_order) && (record->n == 0 || record->in_order) &&
                    (fixed->n == 0 || record->n == 0 || record->first >= fixed->end);
    return in_order ? NC_NOERR : check_overlaps(d, records_end);
}
