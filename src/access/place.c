/* See place.h. */
#include <string.h>
#include "alloc.h"
#include "place.h"
#include "status.h"

/* SPEC: Notes on Computing File Offsets (product vector). */
static void file_steps(struct pcdf_place *place, const struct pcdf_meta *meta,
                       const struct pcdf_layout *layout)
{
    const struct pcdf_var *var = &meta->vars[place->varid];
    int64_t bytes = place->xsize;
    for (int i = var->ndims - 1; i >= 0; i--) {
        int64_t length = meta->dims[var->dimids[i]].length;
        place->step[i] = bytes;
        if (i > 0)
            bytes *= length > 0 ? length : 1;
    }
    if (var->is_record)
        place->step[0] = layout->recsize;
}

/* The variable's _FillValue where it is one value of the variable's type, else the type's default. */
static void fill_value(struct pcdf_place *place, const struct pcdf_var *var)
{
    int id = pcdf_atts_find(&var->atts, "_FillValue");
    const struct pcdf_att *att = id >= 0 ? &var->atts.x[id] : NULL;
    bool usable = att && att->type == var->type && att->nelems == 1;
    memcpy(place->fill, usable ? att->values : pcdf_type_fill(var->type), (size_t)place->xsize);
}

int pcdf_place_make(struct pcdf_place *place, const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                    int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];
    *place = (struct pcdf_place){ .begin = varid < layout->nvars ? layout->begin[varid] : 0,
                                  .xsize = pcdf_type_size(var->type),
                                  .ndims = var->ndims,
                                  .varid = varid,
                                  .type = var->type };
    place->step = pcdf_malloc(((size_t)var->ndims + 1) * sizeof *place->step);
    if (!place->step)
        return PCDF_FAIL(NC_ENOMEM, "variable %s: no memory for a request", var->name);
    file_steps(place, meta, layout);
    fill_value(place, var);
    return NC_NOERR;
}

void pcdf_place_free(struct pcdf_place *place)
{
    pcdf_free(place->step);
    place->step = NULL;
}
