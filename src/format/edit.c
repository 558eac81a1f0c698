/* Renaming and deleting. A rename first gets everything that can fail. */
#include "meta.h"
#include "metaindex.h"
#include "status.h"

#include <string.h>

/* The name at `slot`, of element `id` of the list; *length: its length. */
static int rename_in(struct pcdf_meta *meta, struct pcdf_names *index, const struct pcdf_list *list, int id,
                     char **slot, int *length, const char *name)
{
    char *old = *slot;
    size_t n = strlen(name);
    char *copy = pcdf_arena_text(&meta->arena, name, n);
    if (!copy)
        return NC_ENOMEM;
    if (index) {
        PCDF_TRY(pcdf_names_add(index, copy, id));
        pcdf_names_remove(index, old, id);
    }
    meta->arena.lost += (size_t)*length + 1;
    *slot = copy;
    *length = (int)n;
    pcdf_index_heir(index, old, list);
    return NC_NOERR;
}

int pcdf_meta_rename_dim(struct pcdf_meta *meta, int dimid, const char *name)
{
    struct pcdf_dim *dim = &meta->dims[dimid];
    const struct pcdf_list list = PCDF_LIST(meta->dims, meta->ndims, meta->dims_room);
    return rename_in(meta, meta->dim_index, &list, dimid, &dim->name, &dim->name_length, name);
}

int pcdf_meta_rename_var(struct pcdf_meta *meta, int varid, const char *name)
{
    struct pcdf_var *var = &meta->vars[varid];
    const struct pcdf_list list = PCDF_LIST(meta->vars, meta->nvars, meta->vars_room);
    return rename_in(meta, meta->var_index, &list, varid, &var->name, &var->name_length, name);
}

int pcdf_atts_rename(struct pcdf_meta *meta, struct pcdf_atts *atts, int attid, const char *name)
{
    struct pcdf_att *att = &atts->x[attid];
    const struct pcdf_list list = PCDF_LIST(atts->x, atts->n, atts->room);
    return rename_in(meta, atts->index, &list, attid, &att->name, &att->name_length, name);
}

void pcdf_atts_delete(struct pcdf_meta *meta, struct pcdf_atts *atts, int attid)
{
    struct pcdf_att *att = &atts->x[attid];
    const char *name = att->name;

    if (atts->index) {
        pcdf_names_remove(atts->index, name, attid);
        pcdf_names_close_gap(atts->index, attid);
    }
    meta->arena.lost += (size_t)pcdf_att_padded(att->type, att->nelems) + (size_t)att->name_length + 1;
    memmove(att, att + 1, (size_t)(atts->n - attid - 1) * sizeof *att);
    atts->n--;
    const struct pcdf_list list = PCDF_LIST(atts->x, atts->n, atts->room);
    pcdf_index_heir(atts->index, name, &list);
}
