/* Defining and renaming dimensions and variables; fill modes and fill values. */
#include "api.h"
#include <parcdf.h>
#include "metadata.h"
#include "fill.h"

PCDF_ON_FILE(def_dim, (int ncid, const char *name, MPI_Offset len, int *idp),
             pcdf_dim_define_all(ds, name, len, idp))
PCDF_ON_FILE(rename_dim, (int ncid, int dimid, const char *name),
             pcdf_rename_all(ds, PCDF_DIMENSION, dimid, NULL, name))
PCDF_ON_FILE(def_var, (int ncid, const char *name, nc_type xtype, int ndims, const int *dimids, int *varidp),
             pcdf_var_define_all(ds, name, xtype, ndims, dimids, varidp))
PCDF_ON_FILE(rename_var, (int ncid, int varid, const char *name),
             pcdf_rename_all(ds, PCDF_VARIABLE, varid, NULL, name))

PCDF_ON_FILE(set_fill, (int ncid, int fillmode, int *old_modep), pcdf_fill_set_all(ds, fillmode, old_modep))
PCDF_ON_FILE(def_var_fill, (int ncid, int varid, int no_fill, const void *fill_value),
             pcdf_fill_define_all(ds, varid, no_fill, fill_value))
PCDF_ON_FILE(inq_var_fill, (int ncid, int varid, int *no_fill, void *fill_value),
             pcdf_fill_inquire(ds, varid, no_fill, fill_value))
PCDF_ON_FILE_LOGGED(fill_var_rec, (int ncid, int varid, MPI_Offset recno), varid,
                    pcdf_fill_record_all(ds, varid, recno))

/* Not of PnetCDF: parcdf.h. */
int parcdf_def_var_quantize(int ncid, int varid, int quantize_mode, int nsd)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_quantize_define_all(ds, varid, quantize_mode, nsd));
}

int parcdf_inq_var_quantize(int ncid, int varid, int *quantize_modep, int *nsdp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_quantize_inquire(ds, varid, quantize_modep, nsdp));
}
