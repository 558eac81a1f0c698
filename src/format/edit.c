/* Renaming and deleting. A rename first gets everything that can fail. */
#include "meta.h"
#include "metaindex.h"
#include "status.h"

#include <assert.h>
#include <string.h>

int pcdf_meta_rename(struct pcdf_meta *meta, enum pcdf_named what, struct pcdf_atts *atts, int id,
                     const char *name)
{
    struct pcdf_list list;
    struct pcdf_names *index;
    char **slot; /* where the name stands */
    int *length, there;
    if (what == PCDF_DIMENSION) {
        list = PCDF_LIST(meta->dims, meta->ndims, meta->dims_room);
        index = meta->dim_index;
        slot = &meta->dims[id].name;
        length = &meta->dims[id].name_length;
    } else if (what == PCDF_VARIABLE) {
        list = PCDF_LIST(meta->vars, meta->nvars, meta->vars_room);
        index = meta->var_index;
        slot = &meta->vars[id].name;
        length = &meta->vars[id].name_length;
    } else {
        list = PCDF_LIST(atts->x, atts->n, atts->room);
        index = atts->index;
        slot = &atts->x[id].name;
        length = &atts->x[id].name_length;
    }

    char *old = *slot;
    size_t n = strlen(name);
    char *copy = pcdf_arena_text(&meta->arena, name, n);
    if (!copy)
        return NC_ENOMEM;
    if (index) {
        PCDF_TRY(pcdf_names_enter(index, copy, n, id, list.x, list.stride, &there));
        assert(there < 0); /* the caller refuses a name in use, the own one too */
        pcdf_names_remove(index, old, id);
    }
    meta->arena.lost += (size_t)*length + 1;
    *slot = copy;
    *length = (int)n;
    pcdf_index_heir(index, old, &list);
    return NC_NOERR;
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
