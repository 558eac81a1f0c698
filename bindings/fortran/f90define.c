/* nf90mpi_def_var and nf90mpi_inquire_variable: dimension ids are one number or an array of any length and
 * step. */
#include <stdlib.h>
#include <ISO_Fortran_binding.h>
#include "f77support.h"

static int *id_at(const CFI_cdesc_t *ids, CFI_index_t i)
{
    return (int *)((char *)ids->base_addr + i * ids->dim[0].sm);
}

PCDF_FORTRAN_API int pcdf_f90_def_var(int ncid, const CFI_cdesc_t *name, int xtype, int ndims,
                                      const CFI_cdesc_t *dimids, int *varid)
{
    int *ids = malloc(((size_t)ndims + 1) * sizeof *ids);
    if (!ids)
        return NC_ENOMEM;
    for (int i = 0; i < ndims; i++)
        ids[ndims - 1 - i] = *id_at(dimids, i) - 1;
    struct pcdf_text text;
    pcdf_text_in(&text, name->base_addr, name->elem_len);
    pcdf_begin_f90();
    int err = pcdf_end(pcdf_text_free(&text, ncmpi_def_var(ncid, text.text, xtype, ndims, ids, varid)));
    free(ids);
    if (!err)
        *varid += 1;
    return err;
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
    pcdf_begin_f90();
    int err = pcdf_end(ncmpi_inq_var(ncid, varid - 1, name ? text : NULL, xtype, ndims, NULL, natts));
    if (!err && dimids)
        err = give_dimids(ncid, varid - 1, dimids);
    if (!err && name)
        err = pcdf_text_out(name->base_addr, name->elem_len, text);
    return err;
}
