/* See tooldefine.h. */
#include "tooldefine.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "toolkind.h"
#include "value.h"

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

#define FILL_VALUE "_FillValue"

/* ---- definitions */

/* The library defines no fill value that is not one of the variable's type, as other writers did: it gets
 * another name first, which no attribute of the list has. */
static int put_odd_fill(int ncid, int varid, const struct pcdf_atts *atts, const struct pcdf_att *att,
                        const void *values)
{
    char name[32];
    int i = 0;
    do
        snprintf(name, sizeof name, "fill_value_%d", i++);
    while (pcdf_atts_find(atts, name) >= 0);
    PCDF_TRY(ncmpi_put_att(ncid, varid, name, att->type, att->nelems, values));
    return ncmpi_rename_att(ncid, varid, name, FILL_VALUE);
}

static int put_att(int ncid, int varid, const struct pcdf_var *var, const struct pcdf_atts *atts,
                   const struct pcdf_att *att)
{
    int size = pcdf_type_size(att->type);
    unsigned char *values = pcdf_malloc((size_t)att->nelems * (size_t)size + 1);
    if (!values)
        return NC_ENOMEM;
    if (att->nelems > 0) /* else there are no bytes */
        memcpy(values, att->values, (size_t)att->nelems * (size_t)size);
    pcdf_values_swap(values, att->nelems, size);
    bool is_odd = var && strcmp(att->name, FILL_VALUE) == 0 && (att->type != var->type || att->nelems != 1);
    int err = is_odd ? put_odd_fill(ncid, varid, atts, att, values)
                     : ncmpi_put_att(ncid, varid, att->name, att->type, att->nelems, values);
    pcdf_free(values);
    return err;
}

static int put_atts(int ncid, int varid, const struct pcdf_var *var, const struct pcdf_atts *atts)
{
    for (int i = 0; i < atts->n; i++)
        PCDF_TRY(put_att(ncid, varid, var, atts, &atts->x[i]));
    return NC_NOERR;
}

int pcdf_tool_define(int ncid, const struct pcdf_meta *meta)
{
    int id;
    for (int i = 0; i < meta->ndims; i++)
        PCDF_TRY(ncmpi_def_dim(ncid, meta->dims[i].name,
                               i == meta->record_dim ? NC_UNLIMITED : meta->dims[i].length, &id));
    PCDF_TRY(put_atts(ncid, NC_GLOBAL, NULL, &meta->gatts));
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        PCDF_TRY(ncmpi_def_var(ncid, var->name, var->type, var->ndims, var->dimids, &id));
        PCDF_TRY(put_atts(ncid, i, var, &var->atts));
        if (var->quantize.mode)
            PCDF_TRY(parcdf_def_var_quantize(ncid, i, var->quantize.mode, var->quantize.digits));
    }
    return NC_NOERR;
}

int pcdf_tool_define_fits_model(const char *to, const struct pcdf_meta *meta)
{
    for (int i = 0; i < meta->nvars; i++)
        if (!pcdf_type_allowed(PCDF_CDF1, meta->vars[i].type))
            return pcdf_tool_unusable(
                to, "variable %s has the type %s, which the classic model does not know; -k netcdf4 would do",
                meta->vars[i].name, pcdf_type_cdl(meta->vars[i].type));
    return PCDF_TOOL_GOOD;
}

int pcdf_tool_define_mode(int format)
{
    switch (format) {
    case PCDF_TOOL_NETCDF4:
        return NC_CLOBBER | NC_NETCDF4;
    case PCDF_TOOL_NETCDF4_CLASSIC:
        return NC_CLOBBER | NC_NETCDF4 | NC_CLASSIC_MODEL;
    case PCDF_CDF5:
        return NC_CLOBBER | NC_64BIT_DATA;
    case PCDF_CDF2:
        return NC_CLOBBER | NC_64BIT_OFFSET;
    default:
        return NC_CLOBBER;
    }
}
