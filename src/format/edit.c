/* Renaming and deleting. A rename first gets everything that can fail. */
#include "meta.h"
#include "alloc.h"
#include "metaindex.h"
#include "status.h"

#include <string.h>

static int rename_in(struct pcdf_names *index, char **slot, int id, const char *name)
{
    char *copy = pcdf_strndup(name, strlen(name));
    if (!copy)
        return NC_ENOMEM;
    if (index) {
        int err = pcdf_names_add(index, copy, id);
        if (err) {
            pcdf_free(copy);
            return err;
        }
        pcdf_names_remove(index, *slot, id);
    }
    pcdf_free(*slot);
    *slot = copy;
    return NC_NOERR;
}

int pcdf_meta_rename_dim(struct pcdf_meta *meta, int dimid, const char *name)
{
    return rename_in(meta->dim_index, &meta->dims[dimid].name, dimid, name);
}

int pcdf_meta_rename_var(struct pcdf_meta *meta, int varid, const char *name)
{
    return rename_in(meta->var_index, &meta->vars[varid].name, varid, name);
}

int pcdf_atts_rename(struct pcdf_atts *atts, int attid, const char *name)
{
    return rename_in(atts->index, &atts->x[attid].name, attid, name);
}

void pcdf_atts_delete(struct pcdf_atts *atts, int attid)
{
    struct pcdf_att *att = &atts->x[attid];

    if (atts->index) {
        pcdf_names_remove(atts->index, att->name, attid);
        pcdf_names_close_gap(atts->index, attid);
    }
    pcdf_free(att->name);
    pcdf_free(att->values);
    memmove(att, att + 1, (size_t)(atts->n - attid - 1) * sizeof *att);
    atts->n--;
}
