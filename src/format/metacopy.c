/* A copy of definitions: each list in one piece, the indexes as they are. */
#include "alloc.h"
#include "metaindex.h"
#include "status.h"

#include <string.h>

static int copy_atts(struct pcdf_meta *to, struct pcdf_atts *atts, const struct pcdf_atts *from)
{
    PCDF_TRY(pcdf_list_reserve(&to->arena, (void **)&atts->x, &atts->room, from->n, sizeof *atts->x));
    for (int i = 0; i < from->n; i++) {
        struct pcdf_att *att = &atts->x[i];
        *att = from->x[i];
        att->name = pcdf_arena_text(&to->arena, from->x[i].name, (size_t)att->name_length);
        if (!att->name)
            return NC_ENOMEM;
        PCDF_TRY(pcdf_meta_copy_values(to, att->type, att->nelems, from->x[i].values, &att->values));
    }
    atts->n = from->n;
    return from->index ? pcdf_names_copy(&atts->index, from->index) : NC_NOERR;
}

static int copy_into(struct pcdf_meta *to, const struct pcdf_meta *from)
{
    PCDF_TRY(pcdf_list_reserve(NULL, (void **)&to->dims, &to->dims_room, from->ndims, sizeof *to->dims));
    PCDF_TRY(pcdf_list_reserve(NULL, (void **)&to->vars, &to->vars_room, from->nvars, sizeof *to->vars));
    for (int i = 0; i < from->ndims; i++) {
        to->dims[i] = from->dims[i];
        to->dims[i].name = pcdf_arena_text(&to->arena, from->dims[i].name, (size_t)from->dims[i].name_length);
        if (!to->dims[i].name)
            return NC_ENOMEM;
        to->ndims++;
    }
    for (int i = 0; i < from->nvars; i++) {
        struct pcdf_var *var = &to->vars[i];
        size_t size = (size_t)from->vars[i].ndims * sizeof *var->dimids;
        *var = from->vars[i];
        var->atts = (struct pcdf_atts){ 0 };
        to->nvars++;
        var->name = pcdf_arena_text(&to->arena, from->vars[i].name, (size_t)var->name_length);
        if (!var->name)
            return NC_ENOMEM;
        if (size > 0) {
            var->dimids = pcdf_arena_take(&to->arena, size);
            if (!var->dimids)
                return NC_ENOMEM;
            memcpy(var->dimids, from->vars[i].dimids, size);
        }
        PCDF_TRY(copy_atts(to, &var->atts, &from->vars[i].atts));
        to->natt_indexes += var->atts.index != NULL;
    }
    PCDF_TRY(copy_atts(to, &to->gatts, &from->gatts));
    if (from->dim_index)
        PCDF_TRY(pcdf_names_copy(&to->dim_index, from->dim_index));
    return from->var_index ? pcdf_names_copy(&to->var_index, from->var_index) : NC_NOERR;
}

int pcdf_meta_copy(struct pcdf_meta *to, const struct pcdf_meta *from)
{
    pcdf_meta_init(to, from->version);
    to->ranges = from->ranges;
    to->numrecs = from->numrecs;
    to->record_dim = from->record_dim;
    to->nrecord_vars = from->nrecord_vars;
    int err = copy_into(to, from);
    if (err)
        pcdf_meta_free(to);
    return err;
}

void pcdf_meta_tidy(struct pcdf_meta *meta)
{
    const size_t worth = 64 << 10;
    struct pcdf_meta tidy;
    if (meta->arena.lost < worth || meta->arena.lost < meta->arena.held / 2)
        return;
    meta->arena.lost = 0; /* not again at once, should there be no memory for the copy */
    if (pcdf_meta_copy(&tidy, meta))
        return;
    pcdf_meta_free(meta);
    *meta = tidy;
}
