/* nf90mpi_def_var and nf90mpi_inquire_variable: dimension ids are one number or an array of any length and
 * step. */
#include <limits.h>
#include <stdlib.h>
#include <ISO_Fortran_binding.h>
#include "f77support.h"

/* Element i of a scalar or of an array of one dimension. */
static int *id_at(const CFI_cdesc_t *ids, CFI_index_t i)
{
    return (int *)((char *)ids->base_addr + (ids->rank ? i * ids->dim[0].sm : 0));
}

/* ids is NULL for a scalar variable. */
static int define(int ncid, const CFI_cdesc_t *name, int xtype, const CFI_cdesc_t *ids, int *varid)
{
    CFI_index_t n = ids ? ids->rank ? ids->dim[0].extent : 1 : 0;
    if (ids && (ids->rank > 1 || n < 0 || n > INT_MAX))
        return NC_EINVAL;
    int *dimids = malloc(((size_t)n + 1) * sizeof *dimids);
    if (!dimids)
        return NC_ENOMEM;
    for (CFI_index_t i = 0; i < n; i++)
        dimids[n - 1 - i] = *id_at(ids, i) - 1;
    struct pcdf_text text;
    pcdf_text_in(&text, name->base_addr, name->elem_len);
    int err = pcdf_text_free(&text, ncmpi_def_var(ncid, text.text, xtype, (int)n, dimids, varid));
    free(dimids);
    if (!err)
        *varid += 1;
    return err;
}

PCDF_FORTRAN_API int pcdf_f90_def_scalar(int ncid, const CFI_cdesc_t *name, int xtype, int *varid)
{
    return define(ncid, name, xtype, NULL, varid);
}

PCDF_FORTRAN_API int pcdf_f90_def_var(int ncid, const CFI_cdesc_t *name, int xtype, const CFI_cdesc_t *dimids,
                                      int *varid)
{
    return define(ncid, name, xtype, dimids, varid);
}

static int give_dimids(int ncid, int varid, const CFI_cdesc_t *dimids)
{
    int ndims, err = ncmpi_inq_varndims(ncid, varid, &ndims);
    if (err)
        return err;
    int *ids = malloc(((size_t)ndims + 1) * sizeof *ids);
    if (!ids)
        return NC_ENOMEM;
    err = ncmpi_inq_vardimid(ncid, varid, ids);
    for (CFI_index_t i = 0; !err && i < ndims && i < dimids->dim[0].extent; i++)
        *id_at(dimids, i) = ids[ndims - 1 - i] + 1;
    free(ids);
    return err;
}

PCDF_FORTRAN_API int pcdf_f90_inquire_variable(int ncid, int varid, const CFI_cdesc_t *name, int *xtype,
                                               int *ndims, const CFI_cdesc_t *dimids, int *natts)
{
    char text[NC_MAX_NAME + 1];
    int err = ncmpi_inq_var(ncid, varid - 1, name ? text : NULL, xtype, ndims, NULL, natts);
    if (!err && dimids)
        err = give_dimids(ncid, varid - 1, dimids);
    if (!err && name)
        err = pcdf_text_out(name->base_addr, name->elem_len, text);
    return err;
}
