/* Fill modes and fill values. */
#include <pnetcdf.h>
#include "calllog.h"
#include "dataset.h"
#include "lock.h"
#include "metadata.h"
#include "status.h"

int ncmpi_set_fill(int ncid, int fillmode, int *old_modep)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_fill_set_all(ds, fillmode, old_modep));
}

int ncmpi_def_var_fill(int ncid, int varid, int no_fill, const void *fill_value)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_fill_define_all(ds, varid, no_fill, fill_value));
}

int ncmpi_inq_var_fill(int ncid, int varid, int *no_fill, void *fill_value)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_fill_inquire(ds, varid, no_fill, fill_value));
}

int ncmpi_fill_var_rec(int ncid, int varid, MPI_Offset recno)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "fill_var_rec", varid, pcdf_fill_record_all(ds, varid, recno)));
}
