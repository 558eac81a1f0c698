/* See setcalls.h: what a library without the part `sets` says (option PARCDF_PARTS). */
#include "setcalls.h"
#include "status.h"

static int absent(void)
{
    return PCDF_FAIL(NC_ENOTBUILT, "this library was built without sets (option PARCDF_PARTS)");
}

int pcdf_set_begin_all(MPI_Comm comm, const char *set, const char *step, MPI_Info info)
{
    (void)comm, (void)set, (void)step, (void)info;
    return absent();
}

int pcdf_set_commit_all(MPI_Comm comm)
{
    (void)comm;
    return absent();
}

int pcdf_set_abort_all(MPI_Comm comm)
{
    (void)comm;
    return absent();
}

int pcdf_restart_find_all(MPI_Comm comm, const char *set, int flags, long long *generation, char *report,
                          size_t size)
{
    (void)comm, (void)set, (void)flags, (void)generation, (void)report, (void)size;
    return absent();
}
