/* Adding and finding definitions. */
#include "meta.h"
#include "alloc.h"
#include "metaindex.h"
#include "status.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* pcdf_names finds a name at the start of each struct. */
_Static_assert(offsetof(struct pcdf_dim, name) == 0, "names.h wants the name first");
_Static_assert(offsetof(struct pcdf_var, name) == 0, "names.h wants the name first");
_Static_assert(offsetof(struct pcdf_att, name) == 0, "names.h wants the name first");

void pcdf_meta_init(struct pcdf_meta *meta, enum pcdf_version version)
{
    *meta = (struct pcdf_meta){ .version = version, .ranges = version, .record_dim = -1 };
}

void pcdf_meta_set_version(struct pcdf_meta *meta, enum pcdf_version version)
{
    meta->version = meta->ranges = version;
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

/* ---- lists, and names in them */

int pcdf_list_reserve(struct pcdf_arena *arena, void **x, int *room, int64_t n, size_t size)
{
    if (n <= *room)
        return NC_NOERR;
    int64_t more = *room + (int64_t)*room / 2;
    if (more < n)
        more = n;
    if (more > INT_MAX || (uint64_t)more > SIZE_MAX / size)
        return PCDF_FAIL(NC_ENOMEM, "a list of %lld definitions is too long", (long long)n);
    size_t had = (size_t)*room * size, wants = (size_t)more * size;
    void *grown = !arena     ? pcdf_realloc(*x, wants)
                  : had == 0 ? pcdf_arena_take(arena, wants)
                             : pcdf_arena_lengthen(arena, *x, had, wants);
    if (!grown)
        return NC_ENOMEM;
    *x = grown;
    *room = (int)more;
    return NC_NOERR;
}

static const char *name_in(const struct pcdf_list *list, int i)
{
    return *(const char *const *)(const void *)((const char *)list->x + (size_t)i * list->stride);
}

/* The first of the name, or -1. */
static int find(const struct pcdf_names *index, const struct pcdf_list *list, const char *name)
{
    if (index)
        return pcdf_names_find(index, name, list->x, list->stride);
    for (int i = 0; i < list->n; i++) /* most differ in their first letter */
        if (name_in(list, i)[0] == name[0] && strcmp(name_in(list, i), name) == 0)
            return i;
    return -1;
}

/* Enters `name`, which is about to become element n of the list; makes the index, for as many as the list has
 * room for, when the list becomes long. *there: the element that has the name already (and is found from now
 * on, too), -1: none. NC_ENOMEM: nothing changed. */
static int enter(struct pcdf_names **index, const struct pcdf_list *list, const char *name, int length,
                 int *there)
{
    if (!*index && list->n < PCDF_INDEX_FROM) {
        *there = find(NULL, list, name);
        return NC_NOERR;
    }
    if (!*index) {
        struct pcdf_names *made;
        int ignored;
        assert(list->room > list->n);
        PCDF_TRY(pcdf_names_new(&made, (size_t)list->room)); /* so the additions below cannot fail */
        /* A file may hold a name twice: the first is found, and the table keeps one only, since equal names
         * in it would make each look-up longer. */
        for (int i = 0; i < list->n; i++)
            pcdf_names_enter(made, name_in(list, i), strlen(name_in(list, i)), i, list->x, list->stride,
                             &ignored);
        *index = made;
    }
    return pcdf_names_enter(*index, name, (size_t)length, list->n, list->x, list->stride, there);
}

void pcdf_index_heir(struct pcdf_names *index, const char *name, const struct pcdf_list *list)
{
    if (!index || pcdf_names_count(index) == (size_t)list->n)
        return;
    int id = find(NULL, list, name), there;
    if (id >= 0) /* one was removed before, so there is room */
        pcdf_names_enter(index, name, strlen(name), id, list->x, list->stride, &there);
}

int pcdf_meta_find_dim(const struct pcdf_meta *meta, const char *name)
{
    return find(meta->dim_index, &PCDF_LIST(meta->dims, meta->ndims, meta->dims_room), name);
}

int pcdf_meta_find_var(const struct pcdf_meta *meta, const char *name)
{
    return find(meta->var_index, &PCDF_LIST(meta->vars, meta->nvars, meta->vars_room), name);
}

int pcdf_atts_find(const struct pcdf_atts *atts, const char *name)
{
    return find(atts->index, &PCDF_LIST(atts->x, atts->n, atts->room), name);
}

struct pcdf_atts *pcdf_meta_atts(const struct pcdf_meta *meta, int varid)
{
    const struct pcdf_atts *atts = varid == NC_GLOBAL                  ? &meta->gatts
                                   : varid >= 0 && varid < meta->nvars ? &meta->vars[varid].atts
                                                                       : NULL;
    return (struct pcdf_atts *)(uintptr_t)atts;
}

/* ---- adding */

int pcdf_meta_adopt_dim(struct pcdf_meta *meta, const struct pcdf_dim *dim, int *there)
{
    if (meta->ndims == meta->dims_room)
        PCDF_TRY(pcdf_list_reserve(NULL, (void **)&meta->dims, &meta->dims_room, (int64_t)meta->ndims + 4,
                                   sizeof *meta->dims));
    PCDF_TRY(enter(&meta->dim_index, &PCDF_LIST(meta->dims, meta->ndims, meta->dims_room), dim->name,
                   dim->name_length, there));
    if (dim->length == 0)
        meta->record_dim = meta->ndims;
    meta->dims[meta->ndims++] = *dim;
    return NC_NOERR;
}

int pcdf_meta_adopt_var(struct pcdf_meta *meta, const struct pcdf_var *var, int *there)
{
    if (meta->nvars == meta->vars_room)
        PCDF_TRY(pcdf_list_reserve(NULL, (void **)&meta->vars, &meta->vars_room, (int64_t)meta->nvars + 4,
                                   sizeof *meta->vars));
    PCDF_TRY(enter(&meta->var_index, &PCDF_LIST(meta->vars, meta->nvars, meta->vars_room), var->name,
                   var->name_length, there));
    meta->nrecord_vars += var->is_record;
    meta->vars[meta->nvars++] = *var;
    return NC_NOERR;
}

int pcdf_atts_adopt(struct pcdf_meta *meta, struct pcdf_atts *atts, const struct pcdf_att *att, int *there)
{
    if (atts->n == atts->room)
        PCDF_TRY(pcdf_list_reserve(&meta->arena, (void **)&atts->x, &atts->room, (int64_t)atts->n + 4,
                                   sizeof *atts->x));
    if (there || atts->index || atts->n >= PCDF_INDEX_FROM) {
        bool had_index = atts->index != NULL;
        int ignored;
        PCDF_TRY(enter(&atts->index, &PCDF_LIST(atts->x, atts->n, atts->room), att->name, att->name_length,
                       there ? there : &ignored));
        meta->natt_indexes += !had_index && atts->index;
    }
    atts->x[atts->n++] = *att;
    return NC_NOERR;
}

int64_t pcdf_meta_var_bytes(const struct pcdf_meta *meta, nc_type type, int ndims, const int *dimids)
{
    int64_t nbytes = pcdf_type_size(type);
    for (int i = 0; i < ndims; i++) {
        if (i == 0 && dimids[0] == meta->record_dim)
            continue;
        if (__builtin_mul_overflow(nbytes, meta->dims[dimids[i]].length, &nbytes))
            return -1;
    }
    return nbytes > INT64_MAX - 3 ? -1 : nbytes;
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
    var.nbytes = pcdf_meta_var_bytes(meta, type, ndims, dimids);
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

    PCDF_TRY(pcdf_meta_copy_values(meta, type, nelems, values, &att.values));
    att.name = pcdf_arena_text(&meta->arena, name, n);
    return att.name ? pcdf_atts_adopt(meta, atts, &att, NULL) : NC_ENOMEM;
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

void pcdf_var_shape(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t *shape)
{
    for (int i = 0; i < var->ndims; i++) {
        int dimid = var->dimids[i];
        shape[i] = dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length;
    }
}
