/* Pending requests and the buffer attached for bput; the deprecated vard family. */
#include "api.h"
#include "posting.h"

PCDF_ON_FILE_LOGGED(wait, (int ncid, int num, int reqids[], int statuses[]), -1,
                    pcdf_wait(ds, num, reqids, statuses))
PCDF_ON_FILE_LOGGED(wait_all, (int ncid, int num, int reqids[], int statuses[]), -1,
                    pcdf_wait_all(ds, num, reqids, statuses))
PCDF_ON_FILE_LOGGED(cancel, (int ncid, int num, int *reqids, int *statuses), -1,
                    pcdf_cancel(ds, num, reqids, statuses))

PCDF_ON_FILE(inq_nreqs, (int ncid, int *nreqs), (PCDF_GIVE(nreqs, ds->posted.pending), NC_NOERR))

/* The buffer is a promise of so many bytes, kept by counting; the bytes come with each bput. */
static int attach(struct pcdf_posted *posted, int64_t size)
{
    if (size <= 0)
        return PCDF_FAIL(NC_ENULLBUF, "a buffer of %lld bytes", (long long)size);
    if (posted->has_buffer)
        return PCDF_FAIL(NC_EPREVATTACHBUF, "a buffer of %lld bytes is attached already",
                         (long long)posted->buffer_size);
    posted->has_buffer = true;
    posted->buffer_size = size;
    return NC_NOERR;
}

static int detach(struct pcdf_posted *posted)
{
    if (!posted->has_buffer)
        return PCDF_FAIL(NC_ENULLABUF, "no buffer is attached");
    if (posted->buffer_used > 0)
        return PCDF_FAIL(NC_EPENDINGBPUT, "%lld bytes of bput requests are pending",
                         (long long)posted->buffer_used);
    posted->has_buffer = false;
    posted->buffer_size = 0;
    return NC_NOERR;
}

static int give_bytes(const struct pcdf_posted *posted, int64_t bytes, MPI_Offset *value)
{
    if (!value)
        return NC_NOERR;
    if (!posted->has_buffer)
        return PCDF_FAIL(NC_ENULLABUF, "no buffer is attached");
    *value = bytes;
    return NC_NOERR;
}

PCDF_ON_FILE(buffer_attach, (int ncid, MPI_Offset bufsize), attach(&ds->posted, bufsize))
PCDF_ON_FILE(buffer_detach, (int ncid), detach(&ds->posted))
PCDF_ON_FILE(inq_buffer_usage, (int ncid, MPI_Offset *usage),
             give_bytes(&ds->posted, ds->posted.buffer_used, usage))
PCDF_ON_FILE(inq_buffer_size, (int ncid, MPI_Offset *buf_size),
             give_bytes(&ds->posted, ds->posted.buffer_size, buf_size))

#define VARD(name, buffer)                                                                                   \
    PCDF_ON_FILE(                                                                                            \
        name,                                                                                                \
        (int ncid, int varid, MPI_Datatype filetype, buffer buf, MPI_Offset bufcount, MPI_Datatype buftype), \
        ((void)varid, (void)filetype, (void)buf, (void)bufcount, (void)buftype,                              \
         PCDF_FAIL(NC_ENOTSUPPORT, "the vard functions are deprecated; varn does what they did")))

VARD(put_vard, const void *)
VARD(put_vard_all, const void *)
VARD(get_vard, void *)
VARD(get_vard_all, void *)
