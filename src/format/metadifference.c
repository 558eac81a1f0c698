/* See metadifference.h. */
#include "metadifference.h"
#include <stdio.h>
#include <string.h>

enum { NAME = 100 }; /* most bytes of a name in the sentence */

struct telling {
    int rank;
    char *text;
    size_t size;
};

/* what: "dimension", "variable"; of an attribute with that of what: "attribute v:". */
static bool tell_alone(const struct telling *t, const char *what, const char *name, bool is_own)
{
    snprintf(t->text, t->size, "%s%.*s is defined on rank %d, and not on rank %d", what, NAME, name,
             is_own ? t->rank : 0, is_own ? 0 : t->rank);
    return true;
}

static bool dims_differ(const struct telling *t, const struct pcdf_meta *a, const struct pcdf_meta *b)
{
    for (int i = 0; i < a->ndims && i < b->ndims; i++) {
        const struct pcdf_dim *x = &a->dims[i], *y = &b->dims[i];
        if (x->length == y->length && strcmp(x->name, y->name) == 0)
            continue;
        snprintf(t->text, t->size, "dimension %d is %.*s = %lld on rank %d, and %.*s = %lld on rank 0", i,
                 NAME, x->name, (long long)x->length, t->rank, NAME, y->name, (long long)y->length);
        return true;
    }
    if (a->ndims == b->ndims)
        return false;
    bool is_own = a->ndims > b->ndims;
    return tell_alone(t, "dimension ", is_own ? a->dims[b->ndims].name : b->dims[a->ndims].name, is_own);
}

static bool values_differ(const struct pcdf_att *x, const struct pcdf_att *y)
{
    return x->type != y->type || x->nelems != y->nelems ||
           (x->nelems > 0 && memcmp(x->values, y->values, (size_t)pcdf_att_padded(x->type, x->nelems)) != 0);
}

static bool atts_differ(const struct telling *t, const char *of, const struct pcdf_atts *a,
                        const struct pcdf_atts *b)
{
    char what[NAME + 20];
    snprintf(what, sizeof what, "attribute %.*s:", NAME, of);
    for (int i = 0; i < a->n && i < b->n; i++) {
        const struct pcdf_att *x = &a->x[i], *y = &b->x[i];
        if (strcmp(x->name, y->name) != 0)
            snprintf(t->text, t->size, "attribute %d of %.*s is %.*s on rank %d, and %.*s on rank 0", i, NAME,
                     *of ? of : "the file", NAME, x->name, t->rank, NAME, y->name);
        else if (values_differ(x, y))
            snprintf(t->text, t->size, "%s%.*s has another value on rank %d than on rank 0", what, NAME,
                     x->name, t->rank);
        else
            continue;
        return true;
    }
    if (a->n == b->n)
        return false;
    bool is_own = a->n > b->n;
    return tell_alone(t, what, is_own ? a->x[b->n].name : b->x[a->n].name, is_own);
}

static bool vars_differ(const struct telling *t, const struct pcdf_meta *a, const struct pcdf_meta *b)
{
    for (int i = 0; i < a->nvars && i < b->nvars; i++) {
        const struct pcdf_var *x = &a->vars[i], *y = &b->vars[i];
        if (strcmp(x->name, y->name) != 0)
            snprintf(t->text, t->size, "variable %d is %.*s on rank %d, and %.*s on rank 0", i, NAME, x->name,
                     t->rank, NAME, y->name);
        else if (x->type != y->type || x->ndims != y->ndims ||
                 (x->ndims > 0 && memcmp(x->dimids, y->dimids, (size_t)x->ndims * sizeof *x->dimids) != 0))
            snprintf(t->text, t->size, "variable %.*s has another type or shape on rank %d than on rank 0",
                     NAME, x->name, t->rank);
        else if (!atts_differ(t, x->name, &x->atts, &y->atts))
            continue;
        return true;
    }
    if (a->nvars == b->nvars)
        return false;
    bool is_own = a->nvars > b->nvars;
    return tell_alone(t, "variable ", is_own ? a->vars[b->nvars].name : b->vars[a->nvars].name, is_own);
}

bool pcdf_meta_difference(const struct pcdf_meta *own, const struct pcdf_meta *other, int rank, char *text,
                          size_t size)
{
    const struct telling t = { rank, text, size };
    return dims_differ(&t, own, other) || vars_differ(&t, own, other) ||
           atts_differ(&t, "", &own->gatts, &other->gatts);
}
