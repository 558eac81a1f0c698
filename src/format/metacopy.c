/* A copy of definitions: each list in one piece, the indexes as they are. */
#include "alloc.h"
#include "metaindex.h"
#include "status.h"

#include <string.h>

static int copy_index(struct pcdf_names **to, const struct pcdf_names *from)
{
    return from ? pcdf_names_copy(to, from) : NC_NOERR;
}

static int copy_name(struct pcdf_meta *to, char **name, const char *from, int length)
{
    *name = pcdf_arena_text(&to->arena, from, (size_t)length);
    return *name ? NC_NOERR : NC_ENOMEM;
}

static int copy_atts(struct pcdf_meta *to, struct pcdf_atts *atts, const struct pcdf_atts *from)
{
    PCDF_TRY(pcdf_atts_expect(to, atts, from->n));
    for (int i = 0; i < from->n; i++) {
        struct pcdf_att *att = &atts->x[i];
        *att = from->x[i];
        PCDF_TRY(copy_name(to, &att->name, from->x[i].name, att->name_length));
        PCDF_TRY(pcdf_meta_copy_values(to, att->type, att->nelems, from->x[i].values, &att->values));
    }
    atts->n = from->n;
    return copy_index(&atts->index, from->index);
}

static int copy_var(struct pcdf_meta *to, const struct pcdf_var *from)
{
    struct pcdf_var *var = &to->vars[to->nvars];
    *var = *from;
    var->atts = (struct pcdf_atts){ 0 };
    to->nvars++;
    PCDF_TRY(copy_name(to, &var->name, from->name, var->name_length));
    if (var->ndims > 0) {
        var->dimids = pcdf_arena_take(&to->arena, (size_t)var->ndims * sizeof *var->dimids);
        if (!var->dimids)
            return NC_ENOMEM;
        memcpy(var->dimids, from->dimids, (size_t)var->ndims * sizeof *var->dimids);
    }
    PCDF_TRY(copy_atts(to, &var->atts, &from->atts));
    to->natt_indexes += var->atts.index != NULL;
    return NC_NOERR;
}

static int copy_into(struct pcdf_meta *to, const struct pcdf_meta *from)
{
    PCDF_TRY(pcdf_meta_expect_dims(to, from->ndims));
    PCDF_TRY(pcdf_meta_expect_vars(to, from->nvars));
    for (int i = 0; i < from->ndims; i++) {
        to->dims[i] = from->dims[i];
        PCDF_TRY(copy_name(to, &to->dims[i].name, from->dims[i].name, from->dims[i].name_length));
        to->ndims++;
    }
    for (int i = 0; i < from->nvars; i++)
        PCDF_TRY(copy_var(to, &from->vars[i]));
    PCDF_TRY(copy_atts(to, &to->gatts, &from->gatts));
    PCDF_TRY(copy_index(&to->dim_index, from->dim_index));
    return copy_index(&to->var_index, from->var_index);
}

int pcdf_meta_copy(struct pcdf_meta *to, const struct pcdf_meta *from)
{
    pcdf_meta_init(to, from->version);
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
