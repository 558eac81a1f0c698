/* The engine that carries users: MPI-IO. What is believed: the code of every call, and on explicit offsets
 * the count (Open MPI's OMPIO returns MPI_SUCCESS for failed writes; its count tells). Where the count stays
 * at nothing the bytes go through pwrite or pread instead: either they arrive or the system says why not.
 * Collective calls have no count that tells, and OMPIO's codes do not: transfers together
 * are exchanges (twophase.h), by explicit offsets. */

#include "mpifile.h"
#include "alloc.h"
#include "bigcount.h"
#include "blocksums.h"
#include "sieve.h"
#include "posixio.h"
#include "readtogether.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK = 1 << 20 /* of one explicit-offset call; README.md has the measurement */
};

int pcdf_mpifile_error(struct pcdf_mpifile *m, int err, int fallback, const char *what)
{
    return pcdf_error_from_mpi(err, fallback, what, m->path);
}

/* --- explicit offsets --- */

/* The last word when MPI moved nothing: the system's own call. */
static int posix_put(struct pcdf_mpifile *m, const char *data, int64_t length, int64_t offset)
{
    const char *path = pcdf_path_posix(m->path);
    int fd = pcdf_posix_open(path, O_WRONLY), err;

    if (fd < 0)
        return PCDF_FAIL(NC_EWRITE, "writing %s: MPI accepted nothing of %lld bytes at %lld", m->path,
                         (long long)length, (long long)offset);
    err = pcdf_posix_put(fd, data, length, offset, path);
    if (close(fd) && errno != EINTR)
        pcdf_first(&err, pcdf_posix_error(errno, NC_EWRITE, "closing", path));
    return err;
}

static int posix_get(struct pcdf_mpifile *m, char *data, int64_t length, int64_t offset, int64_t *got)
{
    const char *path = pcdf_path_posix(m->path);
    int fd = pcdf_posix_open(path, O_RDONLY), err;

    if (fd < 0)
        return PCDF_FAIL(NC_EREAD,
                         "reading %s: MPI gave nothing of %lld bytes at %lld, which is before the end",
                         m->path, (long long)length, (long long)offset);
    err = pcdf_posix_get(fd, data, length, offset, got, path);
    close(fd);
    return err;
}

/* The count of an explicit-offset call if it can be true, else 0. */
static int count_of(MPI_Status *status, int asked)
{
    int count;

    if (MPI_Get_count(status, MPI_BYTE, &count) || count < 0 || count > asked)
        return 0;
    return count;
}

static void reached(struct pcdf_mpifile *m, int64_t end)
{
    if (end > m->written_end)
        m->written_end = end;
    if (end > m->engine.reach)
        m->engine.reach = end;
}

static int put_piece(struct pcdf_mpifile *m, const char *data, int64_t length, int64_t offset)
{
    int64_t end = offset + length;
    int idle = 0;

    while (length > 0) {
        int n = (int)(length < CHUNK ? length : CHUNK), err;
        MPI_Status status;

        m->engine.counts->write_at++;
        err = MPI_File_write_at(m->plain, offset, data, n, MPI_BYTE, &status);
        if (err)
            return pcdf_mpifile_error(m, err, NC_EWRITE, "writing");
        n = count_of(&status, n);
        idle = n ? 0 : idle + 1;
        if (idle == 2) {
            PCDF_TRY(posix_put(m, data, length, offset));
            break;
        }
        data += n;
        offset += n;
        length -= n;
    }
    reached(m, end);
    return NC_NOERR;
}

int pcdf_mpifile_put_piece(void *file, const char *data, int64_t length, int64_t offset)
{
    struct pcdf_mpifile *m = file;
    int err = put_piece(m, data, length, offset);

    pcdf_blocksums_put(m->engine.sums, err ? NULL : data, offset, length);
    return err;
}

static int mpifile_size(struct pcdf_engine *e, int64_t *bytes)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    MPI_Offset size;
    int err = MPI_File_get_size(m->plain, &size);

    if (err)
        return pcdf_mpifile_error(m, err, NC_EFILE, "asking for the size of");
    *bytes = size;
    return NC_NOERR;
}

int pcdf_mpifile_get_piece(void *file, char *data, int64_t length, int64_t offset, int64_t *got)
{
    struct pcdf_mpifile *m = file;
    while (length > 0) {
        int n = (int)(length < CHUNK ? length : CHUNK), err;
        int64_t size = 0;
        MPI_Status status;

        m->engine.counts->read_at++;
        err = MPI_File_read_at(m->plain, offset, data, n, MPI_BYTE, &status);
        if (err)
            return pcdf_mpifile_error(m, err, NC_EREAD, "reading");
        n = count_of(&status, n);
        if (n == 0) {
            PCDF_TRY(mpifile_size(&m->engine, &size));
            if (offset < size) /* not the end: a failure that came back as success */
                return posix_get(m, data, length, offset, got);
            memset(data, 0, (size_t)length);
            return NC_NOERR;
        }
        data += n;
        offset += n;
        length -= n;
        *got += n;
    }
    return NC_NOERR;
}

static int transfer_pieces(struct pcdf_mpifile *m, const struct pcdf_extents *x, int64_t *got)
{
    char *data = x->data;

    for (size_t i = 0; i < x->n; i++) {
        if (x->dir == PCDF_PUT)
            PCDF_TRY(pcdf_mpifile_put_piece(m, data, x->length[i], x->offset[i]));
        else
            PCDF_TRY(pcdf_mpifile_get_piece(m, data, x->length[i], x->offset[i], got));
        data += x->length[i];
    }
    return NC_NOERR;
}

/* --- views --- */

/* Reads through views: their counts say nothing on either MPI, and behind the end of the file ROMIO leaves
 * what its buffers held before. So both follow from the size: *got, and the bytes set to zero after the
 * transfer. */
static void finish_get(const struct pcdf_extents *x, int64_t size, int64_t *got)
{
    char *data = x->data;

    for (size_t i = 0; i < x->n; i++) {
        int64_t there = size - x->offset[i];
        there = there < 0 ? 0 : there < x->length[i] ? there : x->length[i];
        memset(data + there, 0, (size_t)(x->length[i] - there));
        data += x->length[i];
        *got += there;
    }
}

/* ROMIO's collective buffering fills gaps between pieces by reading the file first, and behind the end of the
 * file it writes what its buffer held before: old memory in the user's file. So the file must reach to the
 * last piece of any rank before the transfer. Each rank sees to its own last byte, which is its own to write
 * and gets its final value; the transfer's first exchange comes after that on every rank. A full disk shows
 * here too, with a count. */
static int reach_end(struct pcdf_mpifile *m, const struct pcdf_extents *x)
{
    int64_t size = 0, end;

    if (!x->n)
        return NC_NOERR;
    end = x->offset[x->n - 1] + x->length[x->n - 1];
    PCDF_TRY(mpifile_size(&m->engine, &size));
    return size < end ? pcdf_mpifile_put_piece(m, x->data + x->nbytes - 1, 1, end - 1) : NC_NOERR;
}

/* One view and one transfer on `file`. Takes part in both calls whatever `status` says; x is empty where it
 * says so. `through` is the MPI call. */
static int transfer_viewed(struct pcdf_mpifile *m, MPI_File file, const struct pcdf_extents *x, int status,
                           int (*through)(MPI_File, struct pcdf_mpifile *, void *,
                                          const struct pcdf_bigcount *))
{
    static const struct pcdf_extents nothing;
    struct pcdf_view view = { 0, MPI_BYTE };
    struct pcdf_bigcount memory = { 0, MPI_BYTE };
    int err;

    if (status != NC_NOERR)
        x = &nothing;
    err = pcdf_bigcount_make(x->nbytes, &memory);
    if (err)
        pcdf_first(&status, pcdf_mpifile_error(m, err, NC_ENOMEM, "describing the memory for"));
    else
        pcdf_first(&status, pcdf_view_make(x, &view, m->path));

    m->engine.counts->set_view++;
    err = MPI_File_set_view(file, view.displacement, MPI_BYTE, view.filetype, "native", MPI_INFO_NULL);
    if (err)
        pcdf_first(&status, pcdf_mpifile_error(m, err, NC_EFILE, "setting a view of"));
    if (status != NC_NOERR) {
        pcdf_bigcount_free(&memory);
        memory.count = 0;
        memory.type = MPI_BYTE;
    }
    err = through(file, m, memory.count ? x->data : NULL, &memory);
    if (err && !status)
        status = err;
    pcdf_bigcount_free(&memory);
    pcdf_view_free(&view);
    return status;
}

static int write_all(MPI_File file, struct pcdf_mpifile *m, void *data, const struct pcdf_bigcount *memory)
{
    m->engine.counts->write_view_all++;
    int err = MPI_File_write_all(file, data, memory->count, memory->type, MPI_STATUS_IGNORE);
    return err ? pcdf_mpifile_error(m, err, NC_EWRITE, "writing together") : NC_NOERR;
}

static int read_all(MPI_File file, struct pcdf_mpifile *m, void *data, const struct pcdf_bigcount *memory)
{
    m->engine.counts->read_view_all++;
    int err;
    if (PCDF_READ_ALL_IS_SOUND) /* the library's matter: the same on all ranks */
        err = MPI_File_read_all(file, data, memory->count, memory->type, MPI_STATUS_IGNORE);
    else
        err = MPI_File_read(file, data, memory->count, memory->type, MPI_STATUS_IGNORE);
    return err ? pcdf_mpifile_error(m, err, NC_EREAD, "reading together") : NC_NOERR;
}

static void account(struct pcdf_mpifile *m, const struct pcdf_extents *x, int64_t there, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &m->engine.counts->bytes_written : &m->engine.counts->bytes_read) += x->nbytes;
    if (got)
        *got = there;
}

/* Puts alone go piece by piece whatever their number: OMPIO calls failed writes through a view a success,
 * Open MPI 5 sieves them (it would write neighbours' bytes), and ROMIO without sieving does one pwrite a
 * piece just so. */
static int mpifile_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    int64_t there = 0, size = 0;

    if (x->dir == PCDF_PUT || x->n < 2 || (int64_t)x->n < m->view_threshold) {
        PCDF_TRY(transfer_pieces(m, x, &there));
    } else {
        PCDF_TRY(pcdf_sieve_get(&m->exchange.mover, x));
        if (got)
            PCDF_TRY(mpifile_size(e, &size));
        there = pcdf_bytes_before(x, size);
    }
    account(m, x, there, got);
    return NC_NOERR;
}

static int mpifile_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    int64_t there = 0, size = 0;
    int status;

    status = pcdf_mpifile_open_viewed_all(m);
    if (status != NC_NOERR) /* the same on all ranks */
        return status;
    status = x->dir == PCDF_PUT ? reach_end(m, x) : mpifile_size(e, &size);
    status = transfer_viewed(m, m->viewed, x, status, x->dir == PCDF_PUT ? write_all : read_all);
    if (x->dir == PCDF_PUT)
        pcdf_blocksums_put_extents(e->sums, x, !status);
    if (status == NC_NOERR && x->dir == PCDF_GET)
        finish_get(x, size, &there);
    if (status == NC_NOERR) {
        int64_t end = x->n ? x->offset[x->n - 1] + x->length[x->n - 1] : 0;
        if (x->dir == PCDF_PUT)
            reached(m, end);
        account(m, x, there, got);
    }
    return status;
}

static int mpifile_exchange_all(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done,
                                int64_t *moved)
{
    return pcdf_twophase_all(&((struct pcdf_mpifile *)e)->exchange, flow, done, moved);
}

/* --- the file as a whole --- */

static int mpifile_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    int err;

    e->counts->resize++;
    m->written_end = 0;
    e->reach = bytes;
    err = MPI_File_set_size(m->plain, bytes);
    return err ? pcdf_mpifile_error(m, err, NC_EWRITE, "resizing") : NC_NOERR;
}

/* A collective write may have failed where nobody was told (OMPIO): then the file is too short. Every rank
 * has finished its writes before any comes here, see the callers. */
int pcdf_mpifile_check_end(struct pcdf_mpifile *m)
{
    int64_t size = 0;

    PCDF_TRY(mpifile_size(&m->engine, &size));
    if (size < m->written_end)
        return PCDF_FAIL(NC_EWRITE,
                         "%s ends at %lld, but bytes up to %lld were written: a write failed silently",
                         m->path, (long long)size, (long long)m->written_end);
    return NC_NOERR;
}

static int mpifile_sync_all(struct pcdf_engine *e)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    int err;

    e->counts->sync++;
    err = MPI_File_sync(m->plain);
    /* After a failed fsync the pages are lost and a second one succeeds: the first verdict stays. */
    if (err && !m->sync_failed)
        m->sync_failed = pcdf_mpifile_error(m, err, NC_EWRITE, "syncing");
    else if (m->sync_failed)
        PCDF_FAIL(m->sync_failed, "an earlier sync of %s failed", m->path);
    return m->sync_failed ? m->sync_failed : pcdf_mpifile_check_end(m);
}

/* MPI_File_sync is for all ranks together. fsync on any descriptor of this machine takes all that was written
 * here; neither ROMIO nor OMPIO keeps written bytes to itself. */
static int mpifile_flush(struct pcdf_engine *e)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    const char *path = pcdf_path_posix(m->path);
    bool failed = false;

    e->counts->sync++;
    if (m->sync_failed)
        return PCDF_FAIL(m->sync_failed, "an earlier sync of %s failed", m->path);
    if (m->fd < 0)
        m->fd = pcdf_posix_open(path, O_WRONLY);
    if (m->fd < 0)
        return pcdf_posix_error(errno, NC_EWRITE, "opening", path);
    int err = pcdf_posix_sync(m->fd, path, &failed);
    if (failed)
        m->sync_failed = err;
    return err;
}

const struct pcdf_engine_ops pcdf_mpifile_ops = {
    .name = "mpiio",
    .close_all = pcdf_mpifile_close_all,
    .size = mpifile_size,
    .resize_all = mpifile_resize_all,
    .sync_all = mpifile_sync_all,
    .flush = mpifile_flush,
    .transfer = mpifile_transfer,
    .transfer_all = mpifile_transfer_all,
    .exchange_all = mpifile_exchange_all,
    .info = pcdf_mpifile_info,
    .renamed = pcdf_mpifile_renamed,
};
