/* Renaming and deleting. A rename first gets everything that can fail. */
#include "meta.h"
#include "alloc.h"
#include "metaindex.h"
#include "status.h"

#include <string.h>

/* The list of n structs of `stride` bytes, each with its name first. */
static int rename_in(struct pcdf_names *index, void *list, int n, size_t stride, int id, const char *name)
{
    char **slot = (void *)((char *)list + (size_t)id * stride), *old = *slot;
    char *copy = pcdf_strndup(name, strlen(name));
    if (!copy)
        return NC_ENOMEM;
    if (index) {
        int err = pcdf_names_add(index, copy, id);
        if (err) {
            pcdf_free(copy);
            return err;
        }
        pcdf_names_remove(index, old, id);
    }
    *slot = copy;
    pcdf_index_heir(index, old, list, n, stride);
    pcdf_free(old);
    return NC_NOERR;
}

int pcdf_meta_rename_dim(struct pcdf_meta *meta, int dimid, const char *name)
{
    return rename_in(meta->dim_index, meta->dims, meta->ndims, sizeof *meta->dims, dimid, name);
}

int pcdf_meta_rename_var(struct pcdf_meta *meta, int varid, const char *name)
{
    return rename_in(meta->var_index, meta->vars, meta->nvars, sizeof *meta->vars, varid, name);
}

int pcdf_atts_rename(struct pcdf_atts *atts, int attid, const char *name)
{
    return rename_in(atts->index, atts->x, atts->n, sizeof *atts->x, attid, name);
}

void pcdf_atts_delete(struct pcdf_atts *atts, int attid)
{
    struct pcdf_att *att = &atts->x[attid];

    if (atts->index) {
        pcdf_names_remove(atts->index, att->name, attid);
        pcdf_names_close_gap(atts->index, attid);
    }
    char *name = att->name;
    pcdf_free(att->values);
    memmove(att, att + 1, (size_t)(atts->n - attid - 1) * sizeof *att);
    atts->n--;
    pcdf_index_heir(atts->index, name, atts->x, atts->n, sizeof *atts->x);
    pcdf_free(name);
}
