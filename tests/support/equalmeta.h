#ifndef PCDF_TEST_EQUALMETA_H
#define PCDF_TEST_EQUALMETA_H
/* Are two definitions the same, names, values and order? */

#include <string.h>
#include "meta.h"

static inline bool equal_atts(const struct pcdf_atts *a, const struct pcdf_atts *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++) {
        const struct pcdf_att *x = &a->x[i], *y = &b->x[i];
        if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->nelems != y->nelems)
            return false;
        if (x->nelems > 0 && memcmp(x->values, y->values, (size_t)pcdf_att_padded(x->type, x->nelems)) != 0)
            return false;
    }
    return true;
}

static inline bool equal_meta(const struct pcdf_meta *a, const struct pcdf_meta *b)
{
    if (a->version != b->version || a->numrecs != b->numrecs || a->ndims != b->ndims || a->nvars != b->nvars)
        return false;
    for (int i = 0; i < a->ndims; i++)
        if (strcmp(a->dims[i].name, b->dims[i].name) != 0 || a->dims[i].length != b->dims[i].length)
            return false;
    for (int i = 0; i < a->nvars; i++) {
        const struct pcdf_var *x = &a->vars[i], *y = &b->vars[i];
        if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->ndims != y->ndims ||
            (x->ndims > 0 && memcmp(x->dimids, y->dimids, (size_t)x->ndims * sizeof *x->dimids) != 0) ||
            !equal_atts(&x->atts, &y->atts))
            return false;
    }
    return equal_atts(&a->gatts, &b->gatts);
}
#endif
