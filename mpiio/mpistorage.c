/* See mpistorage.h. What is believed: the code of every call, and on explicit offsets the count (Open MPI's
 * OMPIO returns MPI_SUCCESS for failed writes; its count tells). Where the count stays at nothing the bytes
 * go through pwrite or pread instead: either they arrive or the system says why not. Collective calls have no
 * count that tells, and OMPIO's codes do not: they are used only where hint pcdf_debug_strategy asks for
 * views. */

#include "mpistorage.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include "numbers.h"
#include "piecetype.h"
#include "posixio.h"
#include "mpilibrary.h"
#include "status.h"

enum {
    CHUNK = 1 << 20 /* bytes of one explicit-offset call: README.md */
};

static int mpi_size(struct pcdf_storage *s, int64_t *bytes)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)s;
    MPI_Offset size;
    int err = MPI_File_get_size(m->plain, &size);

    if (err)
        return pcdf_error_from_mpi(err, NC_EFILE, "asking for the size of", m->storage.path);
    *bytes = size;
    return NC_NOERR;
}

/* ---- explicit offsets */

/* The last word when MPI moved nothing: the system's own call. */
static int move_by_system(struct pcdf_mpifile *m, enum pcdf_dir dir, struct pcdf_piece rest, int64_t *got)
{
    const char *path = pcdf_path_posix(m->storage.path);

    if (m->storage.fd < 0)
        return PCDF_FAIL(dir == PCDF_PUT ? NC_EWRITE : NC_EREAD,
                         "%s: MPI %s nothing of %lld bytes at %lld, and the file cannot be opened without it",
                         path, dir == PCDF_PUT ? "accepted" : "gave", (long long)rest.length,
                         (long long)rest.offset);
    return pcdf_posix_move(m->storage.fd, dir, rest.data, rest.length, rest.offset, got, path);
}

/* One call. *n: the count, where it can be true, else 0. */
static int call_mpi(struct pcdf_mpifile *m, enum pcdf_dir dir, const struct pcdf_piece *p, int *n)
{
    int asked = (int)(p->length < CHUNK ? p->length : CHUNK), err;
    MPI_Status status;

    if (dir == PCDF_PUT) {
        m->storage.counts->write_at++;
        err = MPI_File_write_at(m->plain, p->offset, p->data, asked, MPI_BYTE, &status);
    } else {
        m->storage.counts->read_at++;
        err = MPI_File_read_at(m->plain, p->offset, p->data, asked, MPI_BYTE, &status);
    }
    if (err)
        return pcdf_error_from_mpi(err, dir == PCDF_PUT ? NC_EWRITE : NC_EREAD,
                                   dir == PCDF_PUT ? "writing" : "reading", m->storage.path);
    if (MPI_Get_count(&status, MPI_BYTE, n) || *n < 0 || *n > asked)
        *n = 0;
    return NC_NOERR;
}

/* Moves one piece. Two calls in a row that take nothing of a put leave the word to the system; so does a get
 * that gives nothing before the end of the file: a failure that came back as success. */
static int move_piece(struct pcdf_mpifile *m, enum pcdf_dir dir, struct pcdf_piece p, int64_t *got)
{
    int64_t size = 0;
    int n;

    for (int idle = 0; p.length > 0; idle = n ? 0 : idle + 1) {
        PCDF_TRY(call_mpi(m, dir, &p, &n));
        p.data += n;
        p.offset += n;
        p.length -= n;
        *got += n;
        if (n > 0 || (dir == PCDF_PUT && idle == 0))
            continue;
        if (dir == PCDF_GET)
            PCDF_TRY(mpi_size(&m->storage, &size));
        if (dir == PCDF_PUT || p.offset < size)
            return move_by_system(m, dir, p, got);
        memset(p.data, 0, (size_t)p.length);
        return NC_NOERR;
    }
    return NC_NOERR;
}

/* ---- views */

/* One view and one transfer. Takes part in both calls whatever `status` says, with nothing where it is an
 * error. */
static int transfer_viewed_all(struct pcdf_mpifile *m, const struct pcdf_extents *x, int status)
{
    struct pcdf_counts *counts = m->storage.counts;
    bool puts = x->dir == PCDF_PUT; /* the same on all ranks */
    size_t n = status ? 0 : x->n;
    int64_t nbytes = pcdf_pieces_bytes(x->pieces, n);
    const struct pcdf_piece memory = { .length = nbytes };
    MPI_Datatype filetype = MPI_BYTE, type = MPI_BYTE;
    int count = nbytes > INT_MAX ? 1 : (int)nbytes, err = MPI_SUCCESS;
    if (n > 1)
        err = pcdf_piecetype_make(x->pieces, n, &filetype);
    if (!err && nbytes > INT_MAX)
        err = pcdf_piecetype_make(&memory, 1, &type);
    if (err)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_ENOMEM, "describing the pieces of", m->storage.path));

    counts->set_view++;
    err =
        MPI_File_set_view(m->viewed, n ? x->pieces->offset : 0, MPI_BYTE, filetype, "native", MPI_INFO_NULL);
    if (err)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EFILE, "setting a view of", m->storage.path));

    *(puts ? &counts->write_view_all : &counts->read_view_all) += 1;
    count = status ? 0 : count;
    void *data = count ? x->pieces->data : NULL;
    if (puts)
        err = MPI_File_write_all(m->viewed, data, count, type, MPI_STATUS_IGNORE);
    else if (pcdf_mpilibrary_reads_together()) /* the library's matter: the same on all ranks */
        err = MPI_File_read_all(m->viewed, data, count, type, MPI_STATUS_IGNORE);
    else
        err = MPI_File_read(m->viewed, data, count, type, MPI_STATUS_IGNORE);
    if (err)
        pcdf_first(&status,
                   pcdf_error_from_mpi(err, puts ? NC_EWRITE : NC_EREAD,
                                       puts ? "writing together" : "reading together", m->storage.path));
    pcdf_piecetype_free(&type);
    pcdf_piecetype_free(&filetype);
    return status;
}

/* What the MPI libraries do behind the end of the file is done before or after them.
 *
 * ROMIO's collective buffering fills gaps between pieces by reading the file first, and behind the end of the
 * file it writes what its buffer held before: old memory in the user's file. So the file must reach to the
 * last piece of any rank before the transfer. Each rank sees to its own last byte, which is its own to write
 * and gets its final value; the transfer's first message comes after that on every rank. A full disk shows
 * here too, with a count.
 *
 * Reads through views: their counts say nothing on either MPI, and behind the end of the file ROMIO leaves
 * what its buffers held before. So the bytes there are set to zero after the transfer. */
static int move_together_all(struct pcdf_mpifile *m, const struct pcdf_extents *x, int64_t *got)
{
    int64_t size = 0, moved = 0;
    int status = pcdf_mpifile_open_viewed_all(m);
    if (status) /* the same on all ranks */
        return status;
    if (x->n)
        status = mpi_size(&m->storage, &size);
    if (x->n && !status && x->dir == PCDF_PUT) {
        const struct pcdf_piece *last = x->pieces + x->n - 1;
        int64_t end = last->offset + last->length;
        const struct pcdf_piece byte = { end - 1, 1, last->data + last->length - 1 };
        status = size < end ? move_piece(m, PCDF_PUT, byte, &moved) : NC_NOERR;
    }
    status = transfer_viewed_all(m, x, status);
    for (size_t i = 0; i < x->n && !status && x->dir == PCDF_GET; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        int64_t there = size - p->offset;
        there = there < 0 ? 0 : there < p->length ? there : p->length;
        memset(p->data + there, 0, (size_t)(p->length - there));
        *got += there;
    }
    return status;
}

/* A thread that may not call MPI. */
static int move_without_mpi(struct pcdf_mpifile *m, const struct pcdf_extents *x, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &m->storage.counts->write_at : &m->storage.counts->read_at) += (int64_t)x->n;
    for (size_t i = 0; i < x->n; i++) {
        PCDF_TRY(move_by_system(m, x->dir, x->pieces[i], got));
        if (x->dir == PCDF_PUT)
            m->written_end = pcdf_larger(m->written_end, x->pieces[i].offset + x->pieces[i].length);
    }
    return NC_NOERR;
}

bool pcdf_mpistorage_may_queue(const struct pcdf_storage *bottom)
{
    const struct pcdf_mpifile *m = (const struct pcdf_mpifile *)bottom;
    return bottom->ops != &pcdf_mpistorage || (bottom->fd >= 0 && !m->syncs_by_mpi);
}

/* At explicit offsets piece by piece whatever their number, without a view of this rank's own: OMPIO calls
 * failed writes through a view a success, Open MPI 5 sieves them (it would write neighbours' bytes), and
 * ROMIO without sieving does one pwrite a piece just so. */
static int mpi_move_all(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)s;
    int status = NC_NOERR;
    m->is_dirty |= x->dir == PCDF_PUT && (x->n > 0 || x->together); /* MPI writes for others then */
    if (x->by_thread)                                               /* no MPI at all */
        status = move_without_mpi(m, x, got);
    else if (x->together) /* the same on all ranks, by its meaning */
        status = move_together_all(m, x, got);
    for (size_t i = 0; i < x->n && !status && !x->by_thread; i++) {
        int64_t end = x->pieces[i].offset + x->pieces[i].length;
        if (!x->together)
            status = move_piece(m, x->dir, x->pieces[i], got);
        if (!status && x->dir == PCDF_PUT && end > m->written_end)
            m->written_end = end;
    }
    return status;
}

/* ---- the file as a whole */

static int mpi_resize_all(struct pcdf_storage *s, int64_t bytes)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)s;
    int err = MPI_File_set_size(m->plain, bytes);
    m->is_dirty = true; /* some rank's call to the system */
    if (err)
        return pcdf_error_from_mpi(err, NC_EWRITE, "resizing", s->path);
    m->written_end = 0;
    return NC_NOERR;
}

int pcdf_mpifile_check_end(struct pcdf_mpifile *m)
{
    int64_t size = 0;

    PCDF_TRY(mpi_size(&m->storage, &size));
    if (size < m->written_end)
        return PCDF_FAIL(NC_EWRITE,
                         "%s ends at %lld, but bytes up to %lld were written: a write failed silently",
                         m->storage.path, (long long)size, (long long)m->written_end);
    return NC_NOERR;
}

/* Of what this rank wrote: fsync on any descriptor of this machine takes all that was written here; neither
 * ROMIO nor OMPIO keeps written bytes to itself. */
static int sync_by_system(struct pcdf_mpifile *m, const char *path)
{
    bool failed = false;

    if (m->storage.fd < 0) /* it could not be opened at the open */
        m->storage.fd = pcdf_posix_open(path, O_WRONLY);
    if (m->storage.fd < 0)
        return pcdf_posix_error(errno, NC_EWRITE, "opening", path);
    int err = pcdf_posix_sync(m->storage.fd, path, &failed);
    if (failed)
        m->sync_failed = err;
    return err;
}

/* After a failed fsync the pages are lost and a second one succeeds: the first verdict stays. Only who wrote
 * waits for the disk, unless MPI may have the bytes elsewhere than in the system. */
static int mpi_sync_all(struct pcdf_storage *s, bool together)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)s;
    const char *path = pcdf_path_posix(s->path);
    int before = m->sync_failed, err = MPI_SUCCESS;
    bool by_mpi = together && m->syncs_by_mpi, was_dirty = m->is_dirty;

    if (by_mpi) /* the same on all ranks: agreed at open */
        err = MPI_File_sync(m->plain);
    if (before)
        return PCDF_FAIL(before, "an earlier sync of %s failed", s->path);
    if (err)
        return m->sync_failed = pcdf_error_from_mpi(err, NC_EWRITE, "syncing", path);
    if (!was_dirty)
        return NC_NOERR;
    if (!by_mpi)
        PCDF_TRY(sync_by_system(m, path));
    m->is_dirty = false;
    return together ? pcdf_mpifile_check_end(m) : NC_NOERR;
}

const struct pcdf_storage_ops pcdf_mpistorage = {
    .name = "mpiio",
    .on_disk = true,
    .is_shared = true,
    .is_collective = true,
    .has_views = true,
    .takes_hints = true,
    .move = mpi_move_all,
    .size = mpi_size,
    .resize = mpi_resize_all,
    .sync = mpi_sync_all,
    .close = pcdf_mpifile_close_all,
    .info = pcdf_mpifile_info,
};
