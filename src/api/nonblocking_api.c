/* Pending requests and the buffer attached for bput; the deprecated vard family. */
#include "calllog.h"
#include "dataset.h"
#include "lock.h"
#include "pnetcdf.h"

int ncmpi_wait(int ncid, int num, int reqids[], int statuses[])
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "wait", -1, pcdf_wait(ds, num, reqids, statuses)));
}

int ncmpi_wait_all(int ncid, int num, int reqids[], int statuses[])
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "wait_all", -1, pcdf_wait_all(ds, num, reqids, statuses)));
}

int ncmpi_cancel(int ncid, int num, int *reqids, int *statuses)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, PCDF_CALLED(ds, "cancel", -1, pcdf_cancel(ds, num, reqids, statuses)));
}

int ncmpi_inq_nreqs(int ncid, int *nreqs)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (nreqs)
        *nreqs = ds->queue.pending;
    return NC_NOERR;
}

/* The buffer is a promise of so many bytes, kept by counting; the bytes come with each bput. */
int ncmpi_buffer_attach(int ncid, MPI_Offset bufsize)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (bufsize <= 0)
        return pcdf_report(ds, PCDF_FAIL(NC_ENULLBUF, "a buffer of %lld bytes", (long long)bufsize));
    if (ds->queue.has_buffer)
        return pcdf_report(ds, PCDF_FAIL(NC_EPREVATTACHBUF, "a buffer of %lld bytes is attached already",
                                         (long long)ds->queue.buffer_size));
    ds->queue.has_buffer = true;
    ds->queue.buffer_size = bufsize;
    return NC_NOERR;
}

static int need_buffer(const struct pcdf_dataset *ds)
{
    return ds->queue.has_buffer ? NC_NOERR
                                : pcdf_report(ds, PCDF_FAIL(NC_ENULLABUF, "no buffer is attached"));
}

int ncmpi_buffer_detach(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    PCDF_TRY(need_buffer(ds));
    if (ds->queue.buffer_used > 0)
        return pcdf_report(ds, PCDF_FAIL(NC_EPENDINGBPUT, "%lld bytes of bput requests are pending",
                                         (long long)ds->queue.buffer_used));
    ds->queue.has_buffer = false;
    ds->queue.buffer_size = 0;
    return NC_NOERR;
}

int ncmpi_inq_buffer_usage(int ncid, MPI_Offset *usage)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (!usage)
        return NC_NOERR;
    PCDF_TRY(need_buffer(ds));
    *usage = ds->queue.buffer_used;
    return NC_NOERR;
}

int ncmpi_inq_buffer_size(int ncid, MPI_Offset *buf_size)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (!buf_size)
        return NC_NOERR;
    PCDF_TRY(need_buffer(ds));
    *buf_size = ds->queue.buffer_size;
    return NC_NOERR;
}

/* ---- vard */

static int no_vard(int ncid)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(
        ds, PCDF_FAIL(NC_ENOTSUPPORT, "the vard functions are deprecated; varn does what they did"));
}

/* clang-format off */
#define VARD(name, buffer)                                                                                   \
    int ncmpi_##name(int ncid, int varid, MPI_Datatype filetype, buffer buf, MPI_Offset bufcount,            \
                     MPI_Datatype buftype)                                                                   \
    { (void)varid, (void)filetype, (void)buf, (void)bufcount, (void)buftype; return no_vard(ncid); }

VARD(put_vard, const void *)
VARD(put_vard_all, const void *)
VARD(get_vard, void *)
VARD(get_vard_all, void *)
