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

void pcdf_meta_free(struct pcdf_meta *meta)
{
    for (int i = 0; i < meta->nvars && meta->natt_indexes > 0; i++)
        pcdf_names_free(meta->vars[i].atts.index);
    pcdf_names_free(meta->gatts.index);
    pcdf_names_free(meta->dim_index);
    pcdf_names_free(meta->var_index);
    pcdf_free(meta->dims);
    pcdf_free(meta->vars);
    pcdf_arena_free(&meta->arena);
    pcdf_meta_init(meta, meta->version);
}

/* ---- room */

static int too_many(int64_t n)
{
    return PCDF_FAIL(NC_ENOMEM, "a list of %lld definitions is too long", (long long)n);
}

/* Room for n elements in all. */
static int expect(void **x, int *room, int64_t n, size_t size)
{
    if (n <= *room)
        return NC_NOERR;
    if (n > INT_MAX || (uint64_t)n > SIZE_MAX / size)
        return too_many(n);
    void *grown = pcdf_realloc(*x, (size_t)n * size);
    if (!grown)
        return NC_ENOMEM;
    *x = grown;
    *room = (int)n;
    return NC_NOERR;
}

/* Room for one element more than n. */
static int reserve(void **x, int *room, int n, size_t size)
{
    int64_t more = *room < 4 ? 4 : (int64_t)*room + *room / 2;
    if (n < *room)
        return NC_NOERR;
    return n == INT_MAX ? too_many((int64_t)n + 1) : expect(x, room, more < INT_MAX ? more : INT_MAX, size);
}

int pcdf_meta_expect_dims(struct pcdf_meta *meta, int n)
{
    return expect((void **)&meta->dims, &meta->dims_room, n, sizeof *meta->dims);
}

int pcdf_meta_expect_vars(struct pcdf_meta *meta, int n)
{
    return expect((void **)&meta->vars, &meta->vars_room, n, sizeof *meta->vars);
}

int pcdf_atts_expect(struct pcdf_meta *meta, struct pcdf_atts *atts, int n)
{
    const size_t size = sizeof *atts->x;
    if (n <= atts->room)
        return NC_NOERR;
    if ((size_t)n > SIZE_MAX / size)
        return too_many(n);
    void *x = pcdf_arena_lengthen(&meta->arena, atts->x, (size_t)atts->room * size, (size_t)n * size);
    if (!x)
        return NC_ENOMEM;
    atts->x = x;
    atts->room = n;
    return NC_NOERR;
}

static int reserve_att(struct pcdf_meta *meta, struct pcdf_atts *atts)
{
    if (atts->n < atts->room)
        return NC_NOERR;
    if (atts->n == INT_MAX)
        return too_many((int64_t)atts->n + 1);
    int64_t more = atts->room < 4 ? 4 : 2 * (int64_t)atts->room;
    return pcdf_atts_expect(meta, atts, more < INT_MAX ? (int)more : INT_MAX);
}

/* ---- by name */

static const char *name_in(const struct pcdf_list *list, int i)
{
    return *(const char *const *)(const void *)((const char *)list->x + (size_t)i * list->stride);
}

static int find_listed(const char *name, const struct pcdf_list *list)
{
    for (int i = 0; i < list->n; i++)
        if (strcmp(name_in(list, i), name) == 0)
            return i;
    return -1;
}

void pcdf_index_heir(struct pcdf_names *index, const char *name, const struct pcdf_list *list)
{
    if (!index || pcdf_names_count(index) == (size_t)list->n)
        return;
    int id = find_listed(name, list), there;
    if (id >= 0) /* one was removed before, so there is room */
        pcdf_names_enter(index, name, strlen(name), id, list->x, list->stride, &there);
}

/* A file may hold a name twice: the first is found, and the table keeps one only, since equal names in it
 * would make each look-up longer. */
static int make_index(struct pcdf_names **index, const struct pcdf_list *list)
{
    int there, room = list->room > list->n ? list->room : list->n + 1;
    struct pcdf_names *made;
    PCDF_TRY(pcdf_names_new(&made, (size_t)room)); /* has room, so the additions below cannot fail */
    for (int i = 0; i < list->n; i++) {
        const char *name = name_in(list, i);
        pcdf_names_enter(made, name, strlen(name), i, list->x, list->stride, &there);
    }
    *index = made;
    return NC_NOERR;
}

int pcdf_index_enter(struct pcdf_names **index, const char *name, size_t length, const struct pcdf_list *list,
                     int *there)
{
    if (!*index && list->n < PCDF_INDEX_FROM) {
        *there = find_listed(name, list);
        return NC_NOERR;
    }
    if (!*index)
        PCDF_TRY(make_index(index, list));
    return pcdf_names_enter(*index, name, length, list->n, list->x, list->stride, there);
}

int pcdf_meta_find_dim(const struct pcdf_meta *meta, const char *name)
{
    const struct pcdf_list list = PCDF_LIST(meta->dims, meta->ndims, meta->dims_room);
    return meta->dim_index ? pcdf_names_find(meta->dim_index, name, list.x, list.stride)
                           : find_listed(name, &list);
}

int pcdf_meta_find_var(const struct pcdf_meta *meta, const char *name)
{
    const struct pcdf_list list = PCDF_LIST(meta->vars, meta->nvars, meta->vars_room);
    return meta->var_index ? pcdf_names_find(meta->var_index, name, list.x, list.stride)
                           : find_listed(name, &list);
}

int pcdf_atts_find(const struct pcdf_atts *atts, const char *name)
{
    if (atts->index)
        return pcdf_names_find(atts->index, name, atts->x, sizeof *atts->x);
    for (int i = 0; i < atts->n; i++) /* most differ in their first letter */
        if (atts->x[i].name[0] == name[0] && strcmp(atts->x[i].name, name) == 0)
            return i;
    return -1;
}

const struct pcdf_atts *pcdf_meta_atts_const(const struct pcdf_meta *meta, int varid)
{
    if (varid == NC_GLOBAL)
        return &meta->gatts;
    return varid >= 0 && varid < meta->nvars ? &meta->vars[varid].atts : NULL;
}

struct pcdf_atts *pcdf_meta_atts(struct pcdf_meta *meta, int varid)
{
    return (struct pcdf_atts *)(uintptr_t)pcdf_meta_atts_const(meta, varid);
}

/* ---- adding */

int pcdf_meta_adopt_dim(struct pcdf_meta *meta, const struct pcdf_dim *dim, int *there)
{
    PCDF_TRY(reserve((void **)&meta->dims, &meta->dims_room, meta->ndims, sizeof *meta->dims));
    const struct pcdf_list list = PCDF_LIST(meta->dims, meta->ndims, meta->dims_room);
    PCDF_TRY(pcdf_index_enter(&meta->dim_index, dim->name, (size_t)dim->name_length, &list, there));
    if (dim->length == 0)
        meta->record_dim = meta->ndims;
    meta->dims[meta->ndims++] = *dim;
    return NC_NOERR;
}

int pcdf_meta_adopt_var(struct pcdf_meta *meta, const struct pcdf_var *var, int *there)
{
    PCDF_TRY(reserve((void **)&meta->vars, &meta->vars_room, meta->nvars, sizeof *meta->vars));
    const struct pcdf_list list = PCDF_LIST(meta->vars, meta->nvars, meta->vars_room);
    PCDF_TRY(pcdf_index_enter(&meta->var_index, var->name, (size_t)var->name_length, &list, there));
    meta->nrecord_vars += var->is_record;
    meta->vars[meta->nvars++] = *var;
    return NC_NOERR;
}

/* A list that is searched one by one is not asked whether it has the name already. */
static int push_att(struct pcdf_meta *meta, struct pcdf_atts *atts, const struct pcdf_att *att, int *there)
{
    PCDF_TRY(reserve_att(meta, atts));
    if (atts->index || atts->n >= PCDF_INDEX_FROM) {
        bool had_index = atts->index != NULL;
        const struct pcdf_list list = PCDF_LIST(atts->x, atts->n, atts->room);
        PCDF_TRY(pcdf_index_enter(&atts->index, att->name, (size_t)att->name_length, &list, there));
        meta->natt_indexes += !had_index;
    }
    atts->x[atts->n++] = *att;
    return NC_NOERR;
}

int pcdf_atts_adopt(struct pcdf_meta *meta, struct pcdf_atts *atts, const struct pcdf_att *att, int *there)
{
    *there = -1;
    for (int i = 0; !atts->index && i < atts->n && *there < 0; i++) /* most differ in their lengths */
        if (atts->x[i].name_length == att->name_length &&
            memcmp(atts->x[i].name, att->name, (size_t)att->name_length) == 0)
            *there = i;
    return push_att(meta, atts, att, there);
}

int pcdf_meta_add_dim(struct pcdf_meta *meta, const char *name, int64_t length, int *id)
{
    size_t n = strlen(name);
    int there;
    struct pcdf_dim dim = { .name = pcdf_arena_text(&meta->arena, name, n),
                            .name_length = (int)n,
                            .length = length };
    if (!dim.name)
        return NC_ENOMEM;
    PCDF_TRY(pcdf_meta_adopt_dim(meta, &dim, &there));
    if (id)
        *id = meta->ndims - 1;
    return NC_NOERR;
}

int pcdf_meta_add_var(struct pcdf_meta *meta, const char *name, nc_type type, int ndims, const int *dimids,
                      int *id)
{
    size_t n = strlen(name), size = (size_t)ndims * sizeof *dimids;
    int there;
    struct pcdf_var var = { .name = pcdf_arena_text(&meta->arena, name, n),
                            .name_length = (int)n,
                            .type = type,
                            .ndims = ndims,
                            .is_record = ndims > 0 && dimids[0] == meta->record_dim };
    if (!var.name)
        return NC_ENOMEM;
    if (ndims > 0) {
        var.dimids = pcdf_arena_take(&meta->arena, size);
        if (!var.dimids)
            return NC_ENOMEM;
        memcpy(var.dimids, dimids, size);
    }
    var.nbytes = pcdf_rules_var_bytes(meta, type, ndims, dimids);
    PCDF_TRY(pcdf_meta_adopt_var(meta, &var, &there));
    if (id)
        *id = meta->nvars - 1;
    return NC_NOERR;
}

int pcdf_meta_copy_values(struct pcdf_meta *meta, nc_type type, int64_t nelems, const void *values,
                          unsigned char **padded)
{
    int64_t room = pcdf_att_padded(type, nelems), nbytes = nelems * pcdf_type_size(type);
    *padded = NULL;
    if (room < 0 || (uint64_t)room > (uint64_t)PTRDIFF_MAX)
        return PCDF_FAIL(NC_ENOMEM, "an attribute of %lld values of %s is too large", (long long)nelems,
                         pcdf_type_name(type));
    if (room == 0)
        return NC_NOERR;
    unsigned char *copy = pcdf_arena_bytes(&meta->arena, (size_t)room);
    if (!copy)
        return NC_ENOMEM;
    memset(copy + room - 4, 0, 4); /* where the padding is */
    if (values)
        memcpy(copy, values, (size_t)nbytes);
    else
        memset(copy, 0, (size_t)nbytes);
    *padded = copy;
    return NC_NOERR;
}

int pcdf_atts_append(struct pcdf_meta *meta, struct pcdf_atts *atts, const char *name, nc_type type,
                     int64_t nelems, const void *values)
{
    size_t n = strlen(name);
    struct pcdf_att att = { .type = type, .nelems = nelems, .name_length = (int)n };
    int there;

    PCDF_TRY(pcdf_meta_copy_values(meta, type, nelems, values, &att.values));
    att.name = pcdf_arena_text(&meta->arena, name, n);
    return att.name ? push_att(meta, atts, &att, &there) : NC_ENOMEM;
}

int pcdf_atts_replace(struct pcdf_meta *meta, struct pcdf_atts *atts, int attid, nc_type type, int64_t nelems,
                      const void *values)
{
    struct pcdf_att *att = &atts->x[attid];
    int64_t had = pcdf_att_padded(att->type, att->nelems), wants = pcdf_att_padded(type, nelems);
    unsigned char *fresh = att->values;

    if (wants == 0 || wants < 0 || wants > had) {
        PCDF_TRY(pcdf_meta_copy_values(meta, type, nelems, values, &fresh));
        meta->arena.lost += (size_t)had;
    } else {
        size_t nbytes = (size_t)nelems * (size_t)pcdf_type_size(type);
        if (values) /* they may lie in the attribute itself */
            memmove(fresh, values, nbytes);
        memset(fresh + (values ? nbytes : 0), 0, (size_t)wants - (values ? nbytes : 0));
        meta->arena.lost += (size_t)(had - wants);
    }
    att->type = type;
    att->nelems = nelems;
    att->values = fresh;
    return NC_NOERR;
}

int pcdf_atts_put(struct pcdf_meta *meta, struct pcdf_atts *atts, const char *name, nc_type type,
                  int64_t nelems, const void *values)
{
    int there = pcdf_atts_find(atts, name);
    return there < 0 ? pcdf_atts_append(meta, atts, name, type, nelems, values)
                     : pcdf_atts_replace(meta, atts, there, type, nelems, values);
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

bool pcdf_meta_equal(const struct pcdf_meta *a, const struct pcdf_meta *b)
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

void pcdf_var_shape(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t *shape)
{
    for (int i = 0; i < var->ndims; i++) {
        int dimid = var->dimids[i];
        shape[i] = dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length;
    }
}
