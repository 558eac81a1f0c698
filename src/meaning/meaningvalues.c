/* See meaningvalues.h. */
#include "meaningvalues.h"
#include "meaningtext.h"
#include "value.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- numbers of attributes */

static const struct pcdf_att *numbers(const struct pcdf_var *var, const char *name)
{
    const struct pcdf_att *att = pcdf_meaning_att(&var->atts, name);
    return att && att->type != NC_CHAR && att->nelems > 0 ? att : NULL;
}

static const unsigned char *element(const struct pcdf_att *att, int64_t i)
{
    return att->values + i * pcdf_type_size(att->type);
}

static double real_at(const struct pcdf_att *att, int64_t i)
{
    return pcdf_value_load_real(att->type, element(att, i));
}

/* Number i as a stored one, as it is read: -1 and 255 of an unsigned byte are the same. */
static bool stored_at(const struct pcdf_meaning *m, const struct pcdf_att *att, int64_t i,
                      struct pcdf_meaning_number *to)
{
    unsigned char raw[8];
    bool has = pcdf_meaning_convert(att->type, element(att, i), m->stored, raw) ||
               pcdf_meaning_convert(att->type, element(att, i), m->packing.type, raw);
    if (has)
        *to = pcdf_meaning_number_of(m->packing.type, raw);
    return has;
}

/* ---- signs, packing */

/* The type of the same size with, or without, a sign; itself where there is none. */
static nc_type turned(nc_type type, bool is_unsigned)
{
    static const nc_type pairs[][2] = {
        { NC_BYTE, NC_UBYTE }, { NC_SHORT, NC_USHORT }, { NC_INT, NC_UINT }, { NC_INT64, NC_UINT64 }
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (type == pairs[i][!is_unsigned])
            return pairs[i][is_unsigned];
    return type;
}

static bool says(struct pcdf_meaning_slice slice, const char *word)
{
    return slice.length == strlen(word) && strncasecmp(slice.text, word, slice.length) == 0;
}

static bool is_wide(const struct pcdf_att *att)
{
    return att && att->type != NC_FLOAT;
}

static void find_packing(struct pcdf_meaning_packing *p, const struct pcdf_var *var)
{
    const struct pcdf_att *scale = numbers(var, "scale_factor"), *offset = numbers(var, "add_offset");

    scale = scale && scale->nelems == 1 ? scale : NULL;
    offset = offset && offset->nelems == 1 ? offset : NULL;
    p->scale = scale ? real_at(scale, 0) : 1;
    p->offset = offset ? real_at(offset, 0) : 0;
    p->is_packed = scale || offset;
    p->is_float = p->is_packed && var->type != NC_DOUBLE && !is_wide(scale) && !is_wide(offset);
}

/* ---- limits */

/* From the narrowest on. */
static int rank_of(nc_type type)
{
    static const int ranks[PCDF_TYPE_ROWS] = {
        [NC_BYTE] = 1, [NC_UBYTE] = 1, [NC_SHORT] = 2,  [NC_USHORT] = 2, [NC_INT] = 3,
        [NC_UINT] = 3, [NC_INT64] = 4, [NC_UINT64] = 4, [NC_FLOAT] = 5,  [NC_DOUBLE] = 6
    };
    return ranks[type];
}

/* NUG: "If valid_range is the same type as scale_factor (actually the wider of scale_factor and add_offset)
 * and this is wider than the external data, then valid_range will be interpreted as being in the units of the
 * internal (unpacked) data." Fractions are no limits of integers, so other real types are taken so, too. */
static bool is_of_values(const struct pcdf_meaning *m, const struct pcdf_var *var, const struct pcdf_att *att)
{
    const struct pcdf_att *scale = numbers(var, "scale_factor"), *offset = numbers(var, "add_offset");
    int a = scale ? rank_of(scale->type) : 0, b = offset ? rank_of(offset->type) : 0;
    bool is_real = pcdf_value_is_real(att->type) && !pcdf_value_is_real(var->type);
    return m->packing.is_packed &&
           (is_real || (rank_of(att->type) == (a > b ? a : b) && rank_of(att->type) > rank_of(var->type)));
}

/* Where a limit is written: att NULL where there is none. */
struct told_limit {
    const struct pcdf_att *att;
    int64_t i;
};

static void look_for_limits(const struct pcdf_var *var, struct told_limit *least, struct told_limit *most)
{
    const struct pcdf_att *range = numbers(var, "valid_range"), *low = numbers(var, "valid_min"),
                          *high = numbers(var, "valid_max");
    bool has_range = range && range->nelems == 2;
    *least = (struct told_limit){ has_range ? range : low && low->nelems == 1 ? low : NULL, 0 };
    *most = (struct told_limit){ has_range ? range : high && high->nelems == 1 ? high : NULL, has_range };
}

/* A lower limit as a stored number, but for its size: what counts is whether it is below 0. */
static double low_stored(const struct pcdf_meaning *m, const struct pcdf_var *var, struct told_limit low)
{
    double least = real_at(low.att, low.i);
    return is_of_values(m, var, low.att) ? least - m->packing.offset : least;
}

/* CF 2.2: bytes are unsigned if their limits are. */
static bool has_unsigned_limits(const struct pcdf_meaning *m, const struct pcdf_var *var)
{
    struct told_limit low, high;

    look_for_limits(var, &low, &high);
    if (var->type != NC_BYTE || !high.att || is_of_values(m, var, high.att))
        return false;
    double most = real_at(high.att, high.i), least = low.att ? low_stored(m, var, low) : 0;
    if (high.att->type == NC_BYTE)
        return low.att && least >= 0 && most < 0;
    return least >= 0 && most > 127 && most <= 255;
}

static struct pcdf_meaning_limit limit_of(const struct pcdf_meaning *m, const struct pcdf_var *var,
                                          struct told_limit at)
{
    struct pcdf_meaning_limit l = { 0 };

    if (!at.att || isnan(real_at(at.att, at.i)))
        return l;
    l.is_there = true;
    l.is_of_values = is_of_values(m, var, at.att);
    l.is_float = l.is_of_values && (m->packing.is_float || at.att->type == NC_FLOAT);
    if (l.is_of_values || !stored_at(m, at.att, at.i, &l.number))
        l.number = pcdf_meaning_number_of(at.att->type, element(at.att, at.i));
    return l;
}

static void find_limits(struct pcdf_meaning *m, const struct pcdf_var *var)
{
    struct told_limit least, most;

    look_for_limits(var, &least, &most);
    m->least = limit_of(m, var, least);
    m->most = limit_of(m, var, most);
}

/* ---- missing values */

static void add_missing(struct pcdf_meaning *m, struct pcdf_meaning_number x, const struct pcdf_att *of)
{
    if (isnan(x.x)) {
        m->has_nan = true;
        return;
    }
    for (int i = 0; i < m->nmissing; i++)
        if (m->missing[i].x == x.x && m->missing[i].rest == x.rest)
            return;
    if (m->nmissing < PCDF_MEANING_MISSING)
        m->missing[m->nmissing++] = x;
    else
        m->more = of;
}

/* All numbers of an attribute; false: the variable's type has none of them. */
static bool add_missing_of(struct pcdf_meaning *m, const struct pcdf_att *att)
{
    struct pcdf_meaning_number x;
    bool has = false;

    for (int64_t i = 0; att && i < att->nelems; i++) {
        bool is_one = stored_at(m, att, i, &x);
        if (is_one)
            add_missing(m, x, att);
        has |= is_one;
    }
    return has;
}

static void find_missing(struct pcdf_meaning *m, const struct pcdf_var *var)
{
    bool has_fill = add_missing_of(m, numbers(var, "_FillValue"));
    if (!has_fill && pcdf_type_size(var->type) > 1)
        add_missing(m, pcdf_meaning_number_of(m->packing.type, pcdf_type_fill(var->type)), NULL);
    add_missing_of(m, numbers(var, "missing_value"));
}

struct pcdf_meaning pcdf_meaning_of(const struct pcdf_var *var)
{
    struct pcdf_meaning m = { .packing = { .type = var->type, .scale = 1 }, .stored = var->type };
    const struct pcdf_meaning_slice sign = pcdf_meaning_slice_of(pcdf_meaning_att(&var->atts, "_Unsigned"));

    if (var->type == NC_CHAR)
        return m;
    find_packing(&m.packing, var);
    if (says(sign, "true") || says(sign, "false"))
        m.packing.type = turned(var->type, says(sign, "true"));
    else if (has_unsigned_limits(&m, var))
        m.packing.type = NC_UBYTE;
    find_missing(&m, var);
    find_limits(&m, var);
    return m;
}

struct pcdf_meaning pcdf_meaning_of_stored(const struct pcdf_var *var)
{
    struct pcdf_meaning m = { .packing = { .type = var->type, .scale = 1 }, .stored = var->type };

    if (var->type != NC_CHAR)
        find_missing(&m, var);
    return m;
}

struct pcdf_meaning_packing pcdf_meaning_packing_of(const struct pcdf_var *var)
{
    return pcdf_meaning_of(var).packing;
}

double pcdf_meaning_unpack(const struct pcdf_meaning_packing *p, double stored)
{
    return p->is_packed ? stored * p->scale + p->offset : stored;
}

void pcdf_meaning_round(const struct pcdf_meaning_packing *p, int64_t n, double *values)
{
    enum { AT_ONCE = 8 }; /* gcc -O2 makes vectors of loops whose length it knows */
    const int64_t whole = n - n % AT_ONCE;

    if (!p->is_float)
        return;
    for (int64_t i = 0; i < whole; i += AT_ONCE)
        for (int k = 0; k < AT_ONCE; k++)
            values[i + k] = (double)(float)values[i + k];
    for (int64_t i = whole; i < n; i++)
        values[i] = (double)(float)values[i];
}

/* ---- which numbers are missing */

bool pcdf_meaning_has_limits(const struct pcdf_meaning *m)
{
    return m->least.is_there || m->most.is_there;
}

bool pcdf_meaning_is_long(const struct pcdf_meaning *m)
{
    return m->nmissing > 2 || pcdf_meaning_has_limits(m);
}

static void mark_equal(struct pcdf_meaning_number hole, int64_t n, double *x, const double *rest, double mark)
{
    for (int64_t i = 0; !rest && i < n; i++)
        x[i] = x[i] == hole.x ? mark : x[i];
    for (int64_t i = 0; rest && i < n; i++)
        x[i] = x[i] == hole.x && rest[i] == hole.rest ? mark : x[i];
}

static void mark_missing(const struct pcdf_meaning *m, int64_t n, double *x, const double *rest, double mark)
{
    struct pcdf_meaning_number hole;

    for (int k = 0; k < m->nmissing; k++)
        mark_equal(m->missing[k], n, x, rest, mark);
    for (int64_t k = 0; m->more && k < m->more->nelems; k++)
        if (stored_at(m, m->more, k, &hole))
            mark_equal(hole, n, x, rest, mark);
    for (int64_t i = 0; m->has_nan && i < n; i++)
        x[i] = isnan(x[i]) ? mark : x[i];
}

/* A limit of values, for numbers that are packed. */
static void mark_far_values(const struct pcdf_meaning *m, bool is_least, int64_t n, double *x, double mark)
{
    const struct pcdf_meaning_limit *l = is_least ? &m->least : &m->most;
    const struct pcdf_meaning_packing p = m->packing;
    const double limit = l->is_float ? (double)(float)l->number.x : l->number.x;
    const double least = is_least ? limit : -(double)INFINITY, most = is_least ? (double)INFINITY : limit;

    for (int64_t i = 0; i < n; i++) {
        double value = x[i] * p.scale + p.offset;
        value = l->is_float ? (double)(float)value : value;
        x[i] = value < least || value > most ? mark : x[i];
    }
}

/* A limit of stored numbers. */
static void mark_far(const struct pcdf_meaning *m, bool is_least, int64_t n, double *x, const double *rest,
                     double mark)
{
    const struct pcdf_meaning_number limit = is_least ? m->least.number : m->most.number;

    for (int64_t i = 0; !rest && is_least && i < n; i++)
        x[i] = x[i] < limit.x ? mark : x[i];
    for (int64_t i = 0; !rest && !is_least && i < n; i++)
        x[i] = x[i] > limit.x ? mark : x[i];
    for (int64_t i = 0; rest && i < n; i++) {
        const struct pcdf_meaning_number v = { x[i], rest[i] };
        if (is_least ? pcdf_meaning_is_less(v, limit) : pcdf_meaning_is_less(limit, v))
            x[i] = mark;
    }
}

void pcdf_meaning_screen(const struct pcdf_meaning *m, int64_t n, double *x, const double *rest, double mark)
{
    for (int k = 0; k < 2; k++) {
        const bool is_least = k == 0;
        const struct pcdf_meaning_limit *l = is_least ? &m->least : &m->most;
        if (l->is_there && l->is_of_values)
            mark_far_values(m, is_least, n, x, mark);
        else if (l->is_there)
            mark_far(m, is_least, n, x, rest, mark);
    }
    mark_missing(m, n, x, rest, mark);
}

double pcdf_meaning_value(const struct pcdf_meaning *m, const unsigned char *bytes)
{
    struct pcdf_meaning_number v = pcdf_meaning_number_of(m->packing.type, bytes);
    pcdf_meaning_screen(m, 1, &v.x, &v.rest, (double)NAN);
    double value = pcdf_meaning_unpack(&m->packing, v.x);
    pcdf_meaning_round(&m->packing, 1, &value);
    return value;
}

bool pcdf_meaning_is_value(const struct pcdf_meaning *m, const unsigned char *bytes)
{
    struct pcdf_meaning_number v = pcdf_meaning_number_of(m->packing.type, bytes);
    pcdf_meaning_screen(m, 1, &v.x, &v.rest, (double)NAN);
    return !isnan(v.x);
}

/* ---- numbers to store, ranges to show */

/* The first number of an attribute that the variable's type has. */
static bool first_stored(const struct pcdf_var *var, const char *name, unsigned char to[8])
{
    const struct pcdf_att *att = numbers(var, name);

    if (!att || var->type == NC_CHAR)
        return false;
    const nc_type type = att->type == var->type ? var->type : pcdf_meaning_packing_of(var).type;
    for (int64_t i = 0; i < att->nelems; i++)
        if (pcdf_meaning_convert(att->type, element(att, i), var->type, to) ||
            pcdf_meaning_convert(att->type, element(att, i), type, to)) /* of the same size */
            return true;
    return false;
}

bool pcdf_meaning_own_fill(const struct pcdf_var *var, unsigned char fill[8])
{
    const struct pcdf_att *att = pcdf_meaning_att(&var->atts, "_FillValue");
    bool is_letter = att && att->type == NC_CHAR && var->type == NC_CHAR && att->nelems == 1;

    if (!att) /* as of most variables: each put that converts asks */
        return false;
    if (is_letter)
        *fill = *att->values;
    return is_letter || first_stored(var, "_FillValue", fill);
}

void pcdf_meaning_fill(const struct pcdf_var *var, unsigned char fill[8])
{
    if (!pcdf_meaning_own_fill(var, fill))
        memcpy(fill, pcdf_type_fill(var->type), (size_t)pcdf_type_size(var->type));
}

bool pcdf_meaning_has_missing(const struct pcdf_var *var)
{
    unsigned char fill[8];
    return pcdf_type_size(var->type) > 1 || first_stored(var, "_FillValue", fill) ||
           first_stored(var, "missing_value", fill);
}

void pcdf_meaning_missing(const struct pcdf_var *var, unsigned char missing[8])
{
    if (first_stored(var, "_FillValue", missing) || !first_stored(var, "missing_value", missing))
        pcdf_meaning_fill(var, missing);
}

static bool ordered(double a, double b, double *least, double *most)
{
    *least = a < b ? a : b;
    *most = a < b ? b : a;
    return isfinite(a) && isfinite(b);
}

static double limit_as_value(const struct pcdf_meaning *m, const struct pcdf_meaning_limit *l)
{
    return l->is_of_values ? l->number.x : pcdf_meaning_unpack(&m->packing, l->number.x);
}

bool pcdf_meaning_valid_range(const struct pcdf_meaning *m, double *least, double *most)
{
    const struct pcdf_meaning_limit *low = &m->least, *high = &m->most;
    const double a = limit_as_value(m, low), b = limit_as_value(m, high);

    if (!low->is_there || !high->is_there)
        return false;
    if (low->is_of_values == high->is_of_values) /* a negative scale turns them */
        return !pcdf_meaning_is_less(high->number, low->number) && ordered(a, b, least, most);
    return m->packing.scale > 0 && a <= b && ordered(a, b, least, most); /* else both are on one side */
}

bool pcdf_meaning_actual_range(const struct pcdf_var *var, double *least, double *most)
{
    const struct pcdf_att *att = numbers(var, "actual_range");
    const struct pcdf_meaning_packing p = pcdf_meaning_packing_of(var);

    if (!att || att->nelems != 2)
        return false;
    nc_type type = att->type == var->type && !p.is_packed ? p.type : att->type;
    return ordered(pcdf_value_load_real(type, element(att, 0)), pcdf_value_load_real(type, element(att, 1)),
                   least, most);
}
