/* Files: from create to close, and what can be done with a file that is not open. */
#include "api.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <parcdf.h>
#include "byname.h"
#include "debuglog.h"
#include "defer.h"
#include "define.h"
#include "file.h"
#include "refresh.h"
#include "repair.h"
#include "setcalls.h"
#include "url.h"

/* The debug log begins with what runs: where several libraries have PnetCDF's names, the loader chose. */
static void tell_library(void)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    Dl_info from = { 0 };
    if (!pcdf_debuglog_is_on() || atomic_flag_test_and_set(&is_told))
        return;
    const void *self = &is_told;
    pcdf_debuglog("parcdf %s, %s", PARCDF_VERSION, dladdr(self, &from) ? from.dli_fname : "");
}

/* What signs a URL is in no name from here on (url.h). The handle goes out also beside an error: a file whose
 * mode differs between the ranks is open all the same.
 */
int ncmpi_create(MPI_Comm comm, const char *path, int cmode, MPI_Info info, int *ncidp)
{
    int ncid = -1;
    char *made;
    tell_library();
    int err = pcdf_open_all(comm, pcdf_url_hide(path, &made), cmode, info, PCDF_KIND_CREATE, &ncid);
    pcdf_url_forget(made);
    PCDF_GIVE(ncidp, ncid);
    return pcdf_report(NULL, err);
}

int ncmpi_open(MPI_Comm comm, const char *path, int omode, MPI_Info info, int *ncidp)
{
    int ncid = -1;
    char *made;
    tell_library();
    int err = pcdf_open_all(comm, pcdf_url_hide(path, &made), omode, info, PCDF_KIND_OPEN, &ncid);
    pcdf_url_forget(made);
    PCDF_GIVE(ncidp, ncid);
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

PCDF_ON_FILE_LOGGED(enddef, (int ncid), -1, pcdf_enddef_all(ds, NULL))
/* All ranks hear what is wrong with the arguments: pcdf_enddef_all checks them. */
PCDF_ON_FILE_LOGGED(_enddef,
                    (int ncid, MPI_Offset h_minfree, MPI_Offset v_align, MPI_Offset v_minfree,
                     MPI_Offset r_align),
                    -1,
                    pcdf_enddef_all(ds, &(struct pcdf_alignment){ .h_minfree = h_minfree,
                                                                  .v_align = v_align,
                                                                  .v_minfree = v_minfree,
                                                                  .r_align = r_align }))
PCDF_ON_FILE_LOGGED(redef, (int ncid), -1, pcdf_redef_all(ds))
PCDF_ON_FILE_LOGGED(sync, (int ncid), -1, pcdf_sync_all(ds))
PCDF_ON_FILE_LOGGED(flush, (int ncid), -1, pcdf_flush_all(ds))
PCDF_ON_FILE_LOGGED(sync_numrecs, (int ncid), -1, pcdf_sync_numrecs_all(ds))
PCDF_ON_FILE_LOGGED(begin_indep_data, (int ncid), -1, pcdf_switch_mode_all(ds, PCDF_MODE_INDEPENDENT))
PCDF_ON_FILE_LOGGED(end_indep_data, (int ncid), -1, pcdf_switch_mode_all(ds, PCDF_MODE_COLLECTIVE))

int ncmpi_delete(const char *filename, MPI_Info info)
{
    (void)info;
    int before = filename ? pcdf_parts_before_delete(filename) : NC_NOERR;
    char *made;
    int err = pcdf_file_delete(pcdf_url_hide(filename, &made));
    pcdf_first(&err, before); /* of a close in the background: the file is gone all the same */
    pcdf_url_forget(made);
    return pcdf_report(NULL, err);
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
    char *made;
    int err = pcdf_file_format(pcdf_url_hide(filename, &made), &format);
    pcdf_url_forget(made);
    PCDF_GIVE(formatp, format);
    return pcdf_report(NULL, err);
}

int ncmpi_inq_files_opened(int *num, int *ncids)
{
    if (!num)
        return PCDF_FAIL(NC_EINVAL, "the place for the number of open files is NULL");
    *num = pcdf_dataset_list(ncids);
    return NC_NOERR;
}

int parcdf_refresh(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "refresh", -1, pcdf_refresh_all(ds)));
}

int parcdf_inq_generation(int ncid, long long *generation)
{
    int64_t number = 0;
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    int err = pcdf_refresh_generation(ds, &number);
    if (!err)
        PCDF_GIVE(generation, number);
    return pcdf_report(ds, err);
}

int parcdf_wait(const char *path)
{
    return pcdf_wait_files_all(path);
}

int parcdf_repair_with(const char *path, const char *journal, int flags, char *report, size_t size)
{
    return pcdf_report(NULL, pcdf_repair(path, journal, flags, report, size));
}

int parcdf_repair(const char *path, int flags, char *report, size_t size)
{
    return pcdf_report(NULL, pcdf_repair(path, NULL, flags, report, size));
}

int parcdf_set_begin(MPI_Comm comm, const char *set, const char *step, MPI_Info info)
{
    return pcdf_report(NULL, pcdf_set_begin_all(comm, set, step, info));
}

int parcdf_set_commit(MPI_Comm comm)
{
    return pcdf_report(NULL, pcdf_set_commit_all(comm));
}

int parcdf_set_abort(MPI_Comm comm)
{
    return pcdf_report(NULL, pcdf_set_abort_all(comm));
}

int parcdf_restart_find(MPI_Comm comm, const char *set, int flags, long long *generation, char *report,
                        size_t size)
{
    return pcdf_report(NULL, pcdf_restart_find_all(comm, set, flags, generation, report, size));
}
