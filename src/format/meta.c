/* Adding, finding, copying and comparing definitions. */
#include "meta.h"
#include "alloc.h"
#include "metaindex.h"
#include "rules.h"
#include "status.h"

#include <limits.h>
#include <string.h>

/* pcdf_names finds a name at the start of each struct. */
_Static_assert(offsetof(struct pcdf_dim, name) == 0, "names.h wants the name first");
_Static_assert(offsetof(struct pcdf_var, name) == 0, "names.h wants the name first");
_Static_assert(offsetof(struct pcdf_att, name) == 0, "names.h wants the name first");

void pcdf_meta_init(struct pcdf_meta *meta, enum pcdf_version version)
{
    *meta = (struct pcdf_meta){ .version = version, .record_dim = -1 };
}

void pcdf_atts_free(struct pcdf_atts *atts)
{
    for (int i = 0; i < atts->n; i++) {
        pcdf_free(atts->x[i].name);
        pcdf_free(atts->x[i].values);
    }
    pcdf_free(atts->x);
    pcdf_names_free(atts->index);
    *atts = (struct pcdf_atts){ 0 };
}

static void free_var(struct pcdf_var *var)
{
    pcdf_free(var->name);
    pcdf_free(var->dimids);
    pcdf_atts_free(&var->atts);
}

void pcdf_meta_free(struct pcdf_meta *meta)
{
    for (int i = 0; i < meta->ndims; i++)
        pcdf_free(meta->dims[i].name);
    for (int i = 0; i < meta->nvars; i++)
        free_var(&meta->vars[i]);
    pcdf_free(meta->dims);
    pcdf_free(meta->vars);
    pcdf_atts_free(&meta->gatts);
    pcdf_names_free(meta->dim_index);
    pcdf_names_free(meta->var_index);
    pcdf_meta_init(meta, meta->version);
}

/* Room for one element more than n. */
static int reserve(void **x, int *room, int n, size_t size)
{
    if (n < *room)
        return NC_NOERR;
    int64_t more = *room < 4 ? 4 : (int64_t)*room + *room / 2;
    if (more > INT_MAX)
        more = INT_MAX;
    if (n >= more || (uint64_t)more > SIZE_MAX / size)
        return PCDF_FAIL(NC_ENOMEM, "a list of more than %d definitions is too long", n);
    void *grown = pcdf_realloc(*x, (size_t)more * size);
    if (!grown)
        return NC_ENOMEM;
    *x = grown;
    *room = (int)more;
    return NC_NOERR;
}

static int find(const struct pcdf_names *index, const char *name, const void *list, int n, size_t stride)
{
    if (index)
        return pcdf_names_find(index, name, list, stride);
    for (int i = 0; i < n; i++) {
        const char *const *there = (const void *)((const char *)list + (size_t)i * stride);
        if (strcmp(*there, name) == 0)
            return i;
    }
    return -1;
}

/* A file may hold a name twice: the first is found, and the table keeps one only, since equal names in it
 * would make each look-up longer. */
static int add_first(struct pcdf_names *index, const char *name, const void *list, int id, size_t stride)
{
    return pcdf_names_find(index, name, list, stride) < 0 ? pcdf_names_add(index, name, id) : NC_NOERR;
}

void pcdf_index_heir(struct pcdf_names *index, const char *name, const void *list, int n, size_t stride)
{
    if (!index || pcdf_names_count(index) == (size_t)n)
        return;
    int id = find(NULL, name, list, n, stride);
    if (id >= 0 && pcdf_names_find(index, name, list, stride) < 0)
        pcdf_names_add(index, name, id); /* one was removed before, so there is room */
}

int pcdf_index_add(struct pcdf_names **index, const char *name, const void *list, int n, size_t stride)
{
    if (*index)
        return add_first(*index, name, list, n, stride);
    if (n < PCDF_INDEX_FROM)
        return NC_NOERR;
    struct pcdf_names *made;
    PCDF_TRY(pcdf_names_new(&made, (size_t)n + 1)); /* has room, so the additions below cannot fail */
    for (int i = 0; i < n; i++) {
        const char *const *there = (const void *)((const char *)list + (size_t)i * stride);
        add_first(made, *there, list, i, stride);
    }
    add_first(made, name, list, n, stride);
    *index = made;
    return NC_NOERR;
}

int pcdf_meta_find_dim(const struct pcdf_meta *meta, const char *name)
{
    return find(meta->dim_index, name, meta->dims, meta->ndims, sizeof *meta->dims);
}

int pcdf_meta_find_var(const struct pcdf_meta *meta, const char *name)
{
    return find(meta->var_index, name, meta->vars, meta->nvars, sizeof *meta->vars);
}

int pcdf_atts_find(const struct pcdf_atts *atts, const char *name)
{
    return find(atts->index, name, atts->x, atts->n, sizeof *atts->x);
}

const struct pcdf_atts *pcdf_meta_atts_const(const struct pcdf_meta *meta, int varid)
{
    if (varid == NC_GLOBAL)
        return &meta->gatts;
    return varid >= 0 && varid < meta->nvars ? &meta->vars[varid].atts : NULL;
}

struct pcdf_atts *pcdf_meta_atts(struct pcdf_meta *meta, int varid)
{
    if (varid == NC_GLOBAL)
        return &meta->gatts;
    return varid >= 0 && varid < meta->nvars ? &meta->vars[varid].atts : NULL;
}

int pcdf_meta_add_dim(struct pcdf_meta *meta, const char *name, int64_t length, int *id)
{
    PCDF_TRY(reserve((void **)&meta->dims, &meta->dims_room, meta->ndims, sizeof *meta->dims));
    char *copy = pcdf_strndup(name, strlen(name));
    if (!copy)
        return NC_ENOMEM;
    int err = pcdf_index_add(&meta->dim_index, name, meta->dims, meta->ndims, sizeof *meta->dims);
    if (err) {
        pcdf_free(copy);
        return err;
    }
    meta->dims[meta->ndims] = (struct pcdf_dim){ copy, length };
    if (length == 0)
        meta->record_dim = meta->ndims;
    if (id)
        *id = meta->ndims;
    meta->ndims++;
    return NC_NOERR;
}

/* What a variable owns besides its attributes. */
static int copy_shape(struct pcdf_var *var, const char *name, int ndims, const int *dimids)
{
    var->name = pcdf_strndup(name, strlen(name));
    var->dimids = NULL;
    var->ndims = ndims;
    if (!var->name)
        return NC_ENOMEM;
    if (ndims > 0) {
        var->dimids = pcdf_malloc((size_t)ndims * sizeof *dimids);
        if (!var->dimids)
            return NC_ENOMEM;
        memcpy(var->dimids, dimids, (size_t)ndims * sizeof *dimids);
    }
    return NC_NOERR;
}

int pcdf_meta_add_var(struct pcdf_meta *meta, const char *name, nc_type type, int ndims, const int *dimids,
                      int *id)
{
    struct pcdf_var var = { .type = type };

    PCDF_TRY(reserve((void **)&meta->vars, &meta->vars_room, meta->nvars, sizeof *meta->vars));
    int err = copy_shape(&var, name, ndims, dimids);
    if (!err)
        err = pcdf_index_add(&meta->var_index, name, meta->vars, meta->nvars, sizeof *meta->vars);
    if (err) {
        free_var(&var);
        return err;
    }
    var.is_record = ndims > 0 && dimids[0] == meta->record_dim;
    var.nbytes = pcdf_rules_var_bytes(meta, type, ndims, dimids);
    if (id)
        *id = meta->nvars;
    meta->nrecord_vars += var.is_record;
    meta->vars[meta->nvars++] = var;
    return NC_NOERR;
}

int64_t pcdf_att_padded(nc_type type, int64_t nelems)
{
    int64_t nbytes;
    if (__builtin_mul_overflow(nelems, (int64_t)pcdf_type_size(type), &nbytes) || nbytes > INT64_MAX - 3)
        return -1;
    return (nbytes + 3) & ~(int64_t)3;
}

/* *padded: NULL for no values. `values` may lie in the attribute that is about to be replaced. */
static int copy_values(nc_type type, int64_t nelems, const void *values, unsigned char **padded)
{
    int64_t room = pcdf_att_padded(type, nelems), nbytes = nelems * pcdf_type_size(type);
    *padded = NULL;
    if (room < 0 || (uint64_t)room > (uint64_t)PTRDIFF_MAX)
        return PCDF_FAIL(NC_ENOMEM, "an attribute of %lld values of %s is too large", (long long)nelems,
                         pcdf_type_name(type));
    if (room == 0)
        return NC_NOERR;
    unsigned char *copy = values ? pcdf_malloc((size_t)room) : pcdf_calloc(1, (size_t)room);
    if (!copy)
        return NC_ENOMEM;
    if (values) {
        memcpy(copy, values, (size_t)nbytes);
        memset(copy + nbytes, 0, (size_t)(room - nbytes));
    }
    *padded = copy;
    return NC_NOERR;
}

static int append(struct pcdf_atts *atts, const char *name, struct pcdf_att att)
{
    PCDF_TRY(reserve((void **)&atts->x, &atts->room, atts->n, sizeof *atts->x));
    att.name = pcdf_strndup(name, strlen(name));
    if (!att.name)
        return NC_ENOMEM;
    int err = pcdf_index_add(&atts->index, name, atts->x, atts->n, sizeof *atts->x);
    if (err) {
        pcdf_free(att.name);
        return err;
    }
    atts->x[atts->n++] = att;
    return NC_NOERR;
}

int pcdf_atts_append(struct pcdf_atts *atts, const char *name, nc_type type, int64_t nelems,
                     const void *values)
{
    struct pcdf_att att = { .type = type, .nelems = nelems };

    PCDF_TRY(copy_values(type, nelems, values, &att.values));
    int err = append(atts, name, att);
    if (err)
        pcdf_free(att.values);
    return err;
}

int pcdf_atts_put(struct pcdf_atts *atts, const char *name, nc_type type, int64_t nelems, const void *values)
{
    struct pcdf_att att = { .type = type, .nelems = nelems };

    int there = pcdf_atts_find(atts, name);
    if (there < 0)
        return pcdf_atts_append(atts, name, type, nelems, values);
    PCDF_TRY(copy_values(type, nelems, values, &att.values));
    att.name = atts->x[there].name;
    pcdf_free(atts->x[there].values);
    atts->x[there] = att;
    return NC_NOERR;
}

static int copy_atts(struct pcdf_atts *to, const struct pcdf_atts *from)
{
    for (int i = 0; i < from->n; i++)
        PCDF_TRY(
            pcdf_atts_append(to, from->x[i].name, from->x[i].type, from->x[i].nelems, from->x[i].values));
    return NC_NOERR;
}

static int copy_into(struct pcdf_meta *to, const struct pcdf_meta *from)
{
    for (int i = 0; i < from->ndims; i++)
        PCDF_TRY(pcdf_meta_add_dim(to, from->dims[i].name, from->dims[i].length, NULL));
    for (int i = 0; i < from->nvars; i++) {
        const struct pcdf_var *var = &from->vars[i];
        PCDF_TRY(pcdf_meta_add_var(to, var->name, var->type, var->ndims, var->dimids, NULL));
        PCDF_TRY(copy_atts(&to->vars[i].atts, &var->atts));
    }
    return copy_atts(&to->gatts, &from->gatts);
}

int pcdf_meta_copy(struct pcdf_meta *to, const struct pcdf_meta *from)
{
    pcdf_meta_init(to, from->version);
    int err = copy_into(to, from);
    if (err)
        pcdf_meta_free(to);
    else
        to->numrecs = from->numrecs;
    return err;
}

static bool equal_atts(const struct pcdf_atts *a, const struct pcdf_atts *b)
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

static bool equal_vars(const struct pcdf_var *a, const struct pcdf_var *b)
{
    if (strcmp(a->name, b->name) != 0 || a->type != b->type || a->ndims != b->ndims)
        return false;
    for (int i = 0; i < a->ndims; i++)
        if (a->dimids[i] != b->dimids[i])
            return false;
    return equal_atts(&a->atts, &b->atts);
}

bool pcdf_meta_equal(const struct pcdf_meta *a, const struct pcdf_meta *b)
{
    if (a->version != b->version || a->numrecs != b->numrecs || a->ndims != b->ndims || a->nvars != b->nvars)
        return false;
    for (int i = 0; i < a->ndims; i++)
        if (strcmp(a->dims[i].name, b->dims[i].name) != 0 || a->dims[i].length != b->dims[i].length)
            return false;
    for (int i = 0; i < a->nvars; i++)
        if (!equal_vars(&a->vars[i], &b->vars[i]))
            return false;
    return equal_atts(&a->gatts, &b->gatts);
}

void pcdf_var_shape(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t *shape)
{
    for (int i = 0; i < var->ndims; i++) {
        int dimid = var->dimids[i];
        shape[i] = dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length;
    }
}
