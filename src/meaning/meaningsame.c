/* See meaningsame.h. */
#include "meaningsame.h"
#include "meaningtext.h"
#include "meaningvalues.h"

#include <math.h>
#include <string.h>

static bool same_att(const struct pcdf_var *a, const struct pcdf_var *b, const char *name)
{
    const struct pcdf_att *x = pcdf_meaning_att(&a->atts, name), *y = pcdf_meaning_att(&b->atts, name);

    if (!x || !y)
        return x == y;
    return x->type == y->type && x->nelems == y->nelems &&
           (x->nelems == 0 ||
            memcmp(x->values, y->values, (size_t)x->nelems * (size_t)pcdf_type_size(x->type)) == 0);
}

/* Of some attributes the first that is not the same, or the first: something that they say is another one. */
static const char *culprit(const struct pcdf_var *a, const struct pcdf_var *b, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!same_att(a, b, names[i]))
            return names[i];
    return names[0];
}

static bool same_real(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_number(struct pcdf_meaning_number a, struct pcdf_meaning_number b)
{
    return a.x == b.x && a.rest == b.rest;
}

static bool has_all(const struct pcdf_meaning *a, const struct pcdf_meaning *b)
{
    bool all = true;
    for (int i = 0; i < b->nmissing; i++) {
        bool has = false;
        for (int k = 0; k < a->nmissing; k++)
            has |= same_number(a->missing[k], b->missing[i]);
        all &= has;
    }
    return all;
}

/* Whether it is compared as a float is no other meaning: nor is that of the values themselves. */
static bool same_limit(const struct pcdf_meaning_limit *a, const struct pcdf_meaning_limit *b)
{
    return a->is_there == b->is_there &&
           (!a->is_there || (a->is_of_values == b->is_of_values && same_number(a->number, b->number)));
}

const char *pcdf_meaning_differs(const struct pcdf_var *a, const struct pcdf_var *b)
{
    static const char *const missing[] = { "_FillValue", "missing_value", NULL };
    static const char *const limits[] = { "valid_range", "valid_min", "valid_max", NULL };
    static const char *const signs[] = { "_Unsigned", "valid_range", "valid_min", "valid_max", NULL };
    const struct pcdf_meaning x = pcdf_meaning_of(a), y = pcdf_meaning_of(b);

    if (a->type == NC_CHAR || b->type == NC_CHAR)
        return same_att(a, b, "_FillValue") ? NULL : "_FillValue";
    if (!same_real(x.packing.scale, y.packing.scale))
        return "scale_factor";
    if (!same_real(x.packing.offset, y.packing.offset))
        return "add_offset";
    if (x.packing.type != y.packing.type)
        return culprit(a, b, signs);
    if (x.has_nan != y.has_nan || !has_all(&x, &y) || !has_all(&y, &x) ||
        ((x.more || y.more) && !same_att(a, b, "missing_value")))
        return culprit(a, b, missing);
    return same_limit(&x.least, &y.least) && same_limit(&x.most, &y.most) ? NULL : culprit(a, b, limits);
}
