/* Defining and renaming dimensions and variables. */
#include <pnetcdf.h>
#include "metadata.h"
#include "dataset.h"
#include "lock.h"
#include "status.h"

int ncmpi_def_dim(int ncid, const char *name, MPI_Offset len, int *idp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_dim_define_all(ds, name, len, idp));
}

int ncmpi_rename_dim(int ncid, int dimid, const char *name)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_dim_rename_all(ds, dimid, name));
}

int ncmpi_def_var(int ncid, const char *name, nc_type xtype, int ndims, const int *dimids, int *varidp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_var_define_all(ds, name, xtype, ndims, dimids, varidp));
}

int ncmpi_rename_var(int ncid, int varid, const char *name)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_var_rename_all(ds, varid, name));
}
