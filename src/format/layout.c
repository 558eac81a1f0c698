/* The layout rules of reference 4.9. Sections in the file: header, room, fixed variables, room, records. */
#include "layout.h"
#include "alloc.h"
#include "encode.h"
#include "numbers.h"
#include "status.h"

enum { DATA_ALIGNMENT = 512, RECORD_ALIGNMENT = 4 }; /* where nothing else is asked for */

void pcdf_layout_free(struct pcdf_layout *layout)
{
    pcdf_free(layout->begin);
    *layout = (struct pcdf_layout){ 0 };
}

int64_t pcdf_layout_recsize(const struct pcdf_meta *meta)
{
    int64_t size = 0;
    for (int i = 0; i < meta->nvars; i++) {
        if (!meta->vars[i].is_record)
            continue;
        /* SPEC: Note on padding. The records of a single record variable follow each other unpadded. */
        if (meta->nrecord_vars == 1)
            return meta->vars[i].nbytes;
        size += pcdf_layout_padded(meta->vars[i].nbytes);
    }
    return size;
}

/* *at up to the next multiple of `unit`; false when that does not fit in 63 bits. */
static bool advance(int64_t *at, int64_t unit)
{
    int64_t sum;
    if (__builtin_add_overflow(*at, unit - 1, &sum))
        return false;
    *at = sum - sum % unit;
    return true;
}

static int not_in_63_bits(const char *what)
{
    return PCDF_FAIL(NC_EVARSIZE, "the layout of %s does not fit in 63 bits", what);
}

/* Places the variables of one section from *at on, which ends behind the last. */
static int place_section(struct pcdf_layout *layout, const struct pcdf_meta *meta,
                         const struct pcdf_layout *old, bool records, int64_t *at)
{
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        bool is_old = old && i < old->nvars;
        if (var->is_record != records)
            continue;
        /* Records move as a whole, so a variable keeps its place in the record, though another writer left
         * room before it or did not pad what lies before it. */
        if (records && is_old) {
            if (__builtin_add_overflow(layout->begin_rec, old->begin[i] - old->begin_rec, at))
                return not_in_63_bits("the record section");
        } else if (!advance(at, 4)) {
            return not_in_63_bits("the variables");
        } else if (is_old) {
            *at = pcdf_larger(*at, old->begin[i]);
        }
        if (meta->version == PCDF_CDF1 && *at > INT32_MAX)
            return PCDF_FAIL(NC_EVARSIZE,
                             "variable %d \"%.80s\" would begin at %lld, CDF-1 has offsets up to 2147483647",
                             i, var->name, (long long)*at);
        layout->begin[i] = *at;
        if (__builtin_add_overflow(*at, var->nbytes, at))
            return not_in_63_bits("the variables");
    }
    return NC_NOERR;
}

/* Where it fails the caller frees what `layout` has by then. */
static int build(struct pcdf_layout *layout, const struct pcdf_meta *meta, const struct pcdf_layout *old,
                 const struct pcdf_alignment *align)
{
    const bool has_fixed = meta->nvars > meta->nrecord_vars;
    const int64_t size = pcdf_encode_size(meta);
    int64_t room = pcdf_larger(align->h_minfree, 0), at;

    *layout = (struct pcdf_layout){ .header_size = size,
                                    .header_extent = size,
                                    .begin_rec = size,
                                    .recsize = pcdf_layout_recsize(meta),
                                    .nvars = meta->nvars };
    if (meta->nvars == 0)
        return NC_NOERR;
    layout->begin = pcdf_malloc((size_t)meta->nvars * sizeof *layout->begin);
    if (!layout->begin)
        return NC_ENOMEM;

    /* The data section is placed anew when it is new, or when the header grows into it. */
    if (!old || old->nvars == 0 || __builtin_add_overflow(size, room, &at) || at > old->header_extent)
        room = pcdf_larger(room, align->reserve);
    int64_t unit = align->v_align > 0 ? align->v_align : DATA_ALIGNMENT;
    if (__builtin_add_overflow(size, room, &at))
        return not_in_63_bits("the header");
    if (old)
        at = pcdf_larger(at, old->header_extent);
    if (has_fixed && (!advance(&unit, 4) || !advance(&at, unit)))
        return not_in_63_bits("the header");
    layout->header_extent = at;
    PCDF_TRY(place_section(layout, meta, old, false, &at));

    room = has_fixed ? pcdf_larger(align->v_minfree, 0) : 0;
    unit = align->r_align > 0 ? align->r_align : has_fixed ? RECORD_ALIGNMENT : DATA_ALIGNMENT;
    if (!advance(&at, 4))
        return not_in_63_bits("the fixed variables");
    if (!advance(&unit, 4) || __builtin_add_overflow(at, room, &at))
        return not_in_63_bits("the record section");
    if (old)
        at = pcdf_larger(at, old->begin_rec);
    if (!advance(&at, unit))
        return not_in_63_bits("the record section");
    layout->begin_rec = at;
    if (!has_fixed)
        layout->header_extent = at;
    return place_section(layout, meta, old, true, &at);
}

static bool fixed_move(const struct pcdf_layout *to, const struct pcdf_layout *from,
                       const struct pcdf_meta *meta)
{
    for (int i = 0; i < from->nvars; i++)
        if (!meta->vars[i].is_record && to->begin[i] != from->begin[i])
            return true;
    return false;
}

/* The layout that moves what `near` moves behind the end of the old data instead. Sections keep their order,
 * so with the fixed variables the records go, too. Fails where offsets do not reach that far. */
static int build_far(struct pcdf_layout *far, const struct pcdf_layout *near, const struct pcdf_meta *meta,
                     const struct pcdf_layout *old, const struct pcdf_alignment *align)
{
    struct pcdf_layout from = *old; /* as if it had been there */
    if (fixed_move(near, old, meta))
        from.header_extent = pcdf_larger(near->header_extent, align->far_from);
    else
        from.begin_rec = pcdf_larger(from.begin_rec, align->far_from);
    int64_t *begin = pcdf_malloc(((size_t)old->nvars + 1) * sizeof *begin);
    if (!begin)
        return NC_ENOMEM;
    for (int i = 0; i < old->nvars; i++) /* a record variable keeps its place in the record */
        begin[i] =
            meta->vars[i].is_record ? old->begin[i] + (from.begin_rec - old->begin_rec) : old->begin[i];
    from.begin = begin;
    int err = build(far, meta, &from, align);
    pcdf_free(begin);
    return err;
}

/* As if the old data had been so much further up; no alignment but what was asked for moves it on. */
static int build_shifted(struct pcdf_layout *layout, const struct pcdf_meta *meta,
                         const struct pcdf_layout *old, int64_t fixed, int64_t records,
                         const struct pcdf_alignment *align)
{
    struct pcdf_alignment asked = *align;
    struct pcdf_layout from = *old;
    asked.v_align = pcdf_larger(asked.v_align, 4);
    asked.r_align = pcdf_larger(asked.r_align, 4);
    if (__builtin_add_overflow(old->header_extent, fixed, &from.header_extent) ||
        __builtin_add_overflow(old->begin_rec, records, &from.begin_rec))
        return not_in_63_bits("the old data");
    from.begin = pcdf_malloc(((size_t)old->nvars + 1) * sizeof *from.begin);
    if (!from.begin)
        return NC_ENOMEM;
    for (int i = 0; i < old->nvars; i++)
        from.begin[i] = old->begin[i] + (meta->vars[i].is_record ? records : fixed);
    int err = build(layout, meta, &from, &asked);
    pcdf_free(from.begin);
    return err;
}

/* The layout that moves what `near` moves by a multiple of the unit: the fixed variables by as much as the
 * one that moves most, and the records behind them. Fails where offsets do not reach that far. */
static int build_by_units(struct pcdf_layout *units, const struct pcdf_layout *near,
                          const struct pcdf_meta *meta, const struct pcdf_layout *old,
                          const struct pcdf_alignment *align)
{
    struct pcdf_layout first = { 0 };
    int64_t fixed = 0;
    for (int i = 0; i < old->nvars; i++)
        if (!meta->vars[i].is_record)
            fixed = pcdf_larger(fixed, near->begin[i] - old->begin[i]);
    if (!advance(&fixed, align->move_unit))
        return not_in_63_bits("the fixed variables");
    int err = build_shifted(&first, meta, old, fixed, 0, align);
    int64_t records = err ? 0 : pcdf_larger(first.begin_rec - old->begin_rec, fixed);
    pcdf_layout_free(&first);
    PCDF_TRY(err);
    if (!advance(&records, align->move_unit))
        return not_in_63_bits("the record section");
    return build_shifted(units, meta, old, fixed, records, align);
}

int pcdf_layout_build(struct pcdf_layout *layout, const struct pcdf_meta *meta, const struct pcdf_layout *old,
                      const struct pcdf_alignment *align)
{
    static const struct pcdf_alignment usual = { 0 };
    struct pcdf_layout near = { 0 }, other = { 0 };
    int err = build(&near, meta, old, align ? align : &usual);
    if (err) {
        pcdf_layout_free(&near);
        return err;
    }
    bool has_records = old && old->recsize > 0 && meta->numrecs > 0;
    bool moves = (old && fixed_move(&near, old, meta)) ||
                 (has_records && (near.begin_rec != old->begin_rec || near.recsize != old->recsize));
    bool grows = has_records && near.recsize != old->recsize; /* each record moves by another length */
    if (moves && align && (align->far_from > 0 || (align->move_unit > 0 && !grows))) {
        err = align->far_from > 0 ? build_far(&other, &near, meta, old, align)
                                  : build_by_units(&other, &near, meta, old, align);
        pcdf_layout_free(err ? &other : &near);
        near = err ? near : other;
    }
    *layout = near;
    return NC_NOERR;
}

void pcdf_layout_from_begins(struct pcdf_layout *layout, const struct pcdf_meta *meta, int64_t *begin,
                             int64_t header_size)
{
    int64_t first = INT64_MAX, first_rec = INT64_MAX, fixed_end = header_size;

    for (int i = 0; i < meta->nvars; i++) {
        int64_t end;
        if (begin[i] < first)
            first = begin[i];
        if (meta->vars[i].is_record && begin[i] < first_rec)
            first_rec = begin[i];
        if (!meta->vars[i].is_record && !__builtin_add_overflow(begin[i], meta->vars[i].nbytes, &end) &&
            end <= INT64_MAX - 3)
            fixed_end = pcdf_larger(fixed_end, pcdf_layout_padded(end));
    }
    *layout = (struct pcdf_layout){ .header_size = header_size, .begin = begin, .nvars = meta->nvars };
    layout->header_extent = meta->nvars > 0 ? first : header_size;
    layout->begin_rec = meta->nrecord_vars > 0 ? first_rec : fixed_end;
    layout->recsize = pcdf_layout_recsize(meta);
}

int64_t pcdf_layout_file_end(const struct pcdf_layout *layout, const struct pcdf_meta *meta)
{
    int64_t most = layout->header_size;
    for (int i = 0; i < meta->nvars; i++) {
        int64_t end = layout->begin[i], before = 0;
        if (meta->vars[i].is_record) {
            if (meta->numrecs <= 0)
                continue;
            if (__builtin_mul_overflow(meta->numrecs - 1, layout->recsize, &before))
                return INT64_MAX;
        }
        if (__builtin_add_overflow(end, before, &end) ||
            __builtin_add_overflow(end, meta->vars[i].nbytes, &end))
            return INT64_MAX;
        most = pcdf_larger(most, end);
    }
    return most;
}

int64_t pcdf_layout_value_at(const struct pcdf_layout *layout, const struct pcdf_meta *meta, int varid,
                             int64_t number)
{
    const struct pcdf_var *var = &meta->vars[varid];
    int64_t size = pcdf_type_size(var->type), each = var->nbytes / size, offset;
    int64_t record = var->is_record ? number / each : 0;

    if (__builtin_mul_overflow(record, layout->recsize, &offset) ||
        __builtin_add_overflow(offset, (number - record * each) * size, &offset) ||
        __builtin_add_overflow(offset, layout->begin[varid], &offset))
        return INT64_MAX;
    return offset;
}
