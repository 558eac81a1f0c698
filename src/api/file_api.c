/* Files: from create to close, and what can be done with a file that is not open. */
#include <parcdf.h>
#include <pnetcdf.h>
#include "calllog.h"
#include "dataset.h"
#include "lock.h"
#include "repair.h"
#include "status.h"

/* The handle goes out also beside an error: a file whose mode differs between the ranks is open all the same.
 */
int ncmpi_create(MPI_Comm comm, const char *path, int cmode, MPI_Info info, int *ncidp)
{
    int ncid = -1;
    int err = pcdf_create_all(comm, path, cmode, info, &ncid);
    if (ncidp)
        *ncidp = ncid;
    return pcdf_report(NULL, err);
}

int ncmpi_open(MPI_Comm comm, const char *path, int omode, MPI_Info info, int *ncidp)
{
    int ncid = -1;
    int err = pcdf_open_all(comm, path, omode, info, &ncid);
    if (ncidp)
        *ncidp = ncid;
    return pcdf_report(NULL, err);
}

/* No report from here: the file is gone then. */
int ncmpi_close(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_close_all(ds);
}

int ncmpi_abort(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_abort_all(ds);
}

int ncmpi_enddef(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "enddef", -1, pcdf_enddef_all(ds, NULL)));
}

/* What the arguments may be is said where all ranks hear of it. */
int ncmpi__enddef(int ncid, MPI_Offset h_minfree, MPI_Offset v_align, MPI_Offset v_minfree,
                  MPI_Offset r_align)
{
    struct pcdf_dataset *ds;
    struct pcdf_alignment arguments = {
        .h_minfree = h_minfree, .v_align = v_align, .v_minfree = v_minfree, .r_align = r_align
    };
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "_enddef", -1, pcdf_enddef_all(ds, &arguments)));
}

int ncmpi_redef(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "redef", -1, pcdf_redef_all(ds)));
}

int ncmpi_sync(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "sync", -1, pcdf_sync_all(ds)));
}

int ncmpi_flush(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "flush", -1, pcdf_flush_all(ds)));
}

int ncmpi_sync_numrecs(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "sync_numrecs", -1, pcdf_sync_numrecs_all(ds)));
}

int ncmpi_begin_indep_data(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "begin_indep_data", -1, pcdf_begin_indep_all(ds)));
}

int ncmpi_end_indep_data(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "end_indep_data", -1, pcdf_end_indep_all(ds)));
}

int ncmpi_delete(const char *filename, MPI_Info info)
{
    (void)info;
    return pcdf_report(NULL, pcdf_file_delete(filename));
}

int ncmpi_set_default_format(int format, int *old_formatp)
{
    return pcdf_default_format(format, old_formatp);
}

int ncmpi_inq_default_format(int *formatp)
{
    if (!formatp)
        return PCDF_FAIL(NC_EINVAL, "the place for the default format is NULL");
    *formatp = pcdf_default_format_now();
    return NC_NOERR;
}

int ncmpi_inq_file_format(const char *filename, int *formatp)
{
    int format = NC_FORMAT_UNKNOWN;
    int err = pcdf_file_format(filename, &format);
    if (formatp)
        *formatp = format;
    return pcdf_report(NULL, err);
}

int ncmpi_inq_files_opened(int *num, int *ncids)
{
    if (!num)
        return PCDF_FAIL(NC_EINVAL, "the place for the number of open files is NULL");
    *num = pcdf_dataset_list(ncids);
    return NC_NOERR;
}

int parcdf_repair_with(const char *path, const char *journal, int flags, char *report, size_t size)
{
    return pcdf_report(NULL, pcdf_repair(path, journal, flags, report, size));
}

int parcdf_repair(const char *path, int flags, char *report, size_t size)
{
    return pcdf_report(NULL, pcdf_repair(path, NULL, flags, report, size));
}
