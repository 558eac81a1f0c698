/* The engine that carries users: MPI-IO. Up to three MPI_File handles stand for one file:
 *   plain   opened by all ranks at open, never gets a view: explicit offsets (single pieces, the header,
 * numrecs) viewed  opened by all ranks at the first transfer together; every transfer sets its view once own
 * on MPI_COMM_SELF, opened at the first transfer alone that has enough pieces for a view set_view is
 * collective and changes what offsets mean, hence the separation.
 *
 * What is believed: the code of every call, and on explicit offsets the count (Open MPI's OMPIO returns
 * MPI_SUCCESS for failed writes; its count tells). Where the count stays at nothing the bytes go through
 * pwrite or pread instead: either they arrive or the system says why not. */

#include "engine.h"
#include "alloc.h"
#include "bigcount.h"
#include "posixio.h"
#include "readtogether.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 }; /* of one explicit-offset call; README.md has the measurement */

struct mpifile {
    struct pcdf_engine engine;
    MPI_Comm comm;
    char *path;
    MPI_Info info;
    MPI_File plain, viewed, own;
    bool may_write;
    int64_t view_threshold;
    int64_t written_end;            /* the end of the last byte that this rank handed over */
    int64_t moved;                  /* by the last read alone through a view, as MPI says */
    int sync_failed, viewed_failed; /* codes, 0 = none */
    int fd;                         /* of this rank's own, for its flush; -1 until then */
};

static int file_error(struct mpifile *m, int err, int fallback, const char *what)
{
    return pcdf_error_from_mpi(err, fallback, what, m->path);
}

/* --- explicit offsets --- */

/* The last word when MPI moved nothing: the system's own call. */
static int posix_put(struct mpifile *m, const char *data, int64_t length, int64_t offset)
{
    const char *path = pcdf_path_posix(m->path);
    int fd = open(path, O_WRONLY | O_CLOEXEC), err;

    if (fd < 0)
        return PCDF_FAIL(NC_EWRITE, "writing %s: MPI accepted nothing of %lld bytes at %lld", m->path,
                         (long long)length, (long long)offset);
    err = pcdf_posix_put(fd, data, length, offset, path);
    if (close(fd) && errno != EINTR)
        pcdf_first(&err, pcdf_posix_error(errno, NC_EWRITE, "closing", path));
    return err;
}

static int posix_get(struct mpifile *m, char *data, int64_t length, int64_t offset, int64_t *got)
{
    const char *path = pcdf_path_posix(m->path);
    int fd = open(path, O_RDONLY | O_CLOEXEC), err;

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

static int put_piece(struct mpifile *m, const char *data, int64_t length, int64_t offset)
{
    int64_t end = offset + length;
    int idle = 0;

    while (length > 0) {
        int n = (int)(length < CHUNK ? length : CHUNK), err;
        MPI_Status status;

        m->engine.counts->write_at++;
        err = MPI_File_write_at(m->plain, offset, data, n, MPI_BYTE, &status);
        if (err)
            return file_error(m, err, NC_EWRITE, "writing");
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
    if (end > m->written_end)
        m->written_end = end;
    return NC_NOERR;
}

static int mpifile_size(struct pcdf_engine *e, int64_t *bytes)
{
    struct mpifile *m = (struct mpifile *)e;
    MPI_Offset size;
    int err = MPI_File_get_size(m->plain, &size);

    if (err)
        return file_error(m, err, NC_EFILE, "asking for the size of");
    *bytes = size;
    return NC_NOERR;
}

static int get_piece(struct mpifile *m, char *data, int64_t length, int64_t offset, int64_t *got)
{
    while (length > 0) {
        int n = (int)(length < CHUNK ? length : CHUNK), err;
        int64_t size = 0;
        MPI_Status status;

        m->engine.counts->read_at++;
        err = MPI_File_read_at(m->plain, offset, data, n, MPI_BYTE, &status);
        if (err)
            return file_error(m, err, NC_EREAD, "reading");
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

static int transfer_pieces(struct mpifile *m, const struct pcdf_extents *x, int64_t *got)
{
    char *data = x->data;

    for (size_t i = 0; i < x->n; i++) {
        if (x->dir == PCDF_PUT)
            PCDF_TRY(put_piece(m, data, x->length[i], x->offset[i]));
        else
            PCDF_TRY(get_piece(m, data, x->length[i], x->offset[i], got));
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
static int reach_end(struct mpifile *m, const struct pcdf_extents *x)
{
    int64_t size = 0, end;

    if (!x->n)
        return NC_NOERR;
    end = x->offset[x->n - 1] + x->length[x->n - 1];
    PCDF_TRY(mpifile_size(&m->engine, &size));
    return size < end ? put_piece(m, x->data + x->nbytes - 1, 1, end - 1) : NC_NOERR;
}

/* One view and one transfer on `file`. Takes part in both calls whatever `status` says; x is empty where it
 * says so. `through` is the MPI call. */
static int transfer_viewed(struct mpifile *m, MPI_File file, const struct pcdf_extents *x, int status,
                           int (*through)(MPI_File, struct mpifile *, void *, const struct pcdf_bigcount *))
{
    static const struct pcdf_extents nothing;
    struct pcdf_view view = { 0, MPI_BYTE };
    struct pcdf_bigcount memory = { 0, MPI_BYTE };
    int err;

    if (status != NC_NOERR)
        x = &nothing;
    err = pcdf_bigcount_make(x->nbytes, &memory);
    if (err)
        pcdf_first(&status, file_error(m, err, NC_ENOMEM, "describing the memory for"));
    else
        pcdf_first(&status, pcdf_view_make(x, &view, m->path));

    m->engine.counts->set_view++;
    err = MPI_File_set_view(file, view.displacement, MPI_BYTE, view.filetype, "native", MPI_INFO_NULL);
    if (err)
        pcdf_first(&status, file_error(m, err, NC_EFILE, "setting a view of"));
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

static int write_all(MPI_File file, struct mpifile *m, void *data, const struct pcdf_bigcount *memory)
{
    m->engine.counts->write_view_all++;
    int err = MPI_File_write_all(file, data, memory->count, memory->type, MPI_STATUS_IGNORE);
    return err ? file_error(m, err, NC_EWRITE, "writing together") : NC_NOERR;
}

static int read_all(MPI_File file, struct mpifile *m, void *data, const struct pcdf_bigcount *memory)
{
    m->engine.counts->read_view_all++;
    int err = PCDF_READ_ALL_IS_SOUND
                  ? MPI_File_read_all(file, data, memory->count, memory->type, MPI_STATUS_IGNORE)
                  : MPI_File_read(file, data, memory->count, memory->type, MPI_STATUS_IGNORE);
    return err ? file_error(m, err, NC_EREAD, "reading together") : NC_NOERR;
}

static int read_alone(MPI_File file, struct mpifile *m, void *data, const struct pcdf_bigcount *memory)
{
    MPI_Status status;
    MPI_Count moved = -1;

    m->engine.counts->read_view++;
    int err = MPI_File_read(file, data, memory->count, memory->type, &status);
    if (err)
        return file_error(m, err, NC_EREAD, "reading through a view");
    if (MPI_Get_elements_x(&status, MPI_BYTE, &moved))
        moved = -1;
    m->moved = moved;
    return NC_NOERR;
}

static bool is_open_mpi(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;

    return !MPI_Get_library_version(text, &length) && !strncmp(text, "Open MPI", 8);
}

/* What MPI is to be told. OMPIO takes a file-system prefix for part of the name; ROMIO takes all before a
 * colon for a prefix, and programs write names such as out_12:00:00, so it gets one that says nothing. */
static const char *name_for_mpi(const char *path, char *room, size_t size)
{
    const char *posix = pcdf_path_posix(path);

    if (is_open_mpi())
        return posix;
    if (posix != path || !strchr(path, ':'))
        return path;
    return (size_t)snprintf(room, size, "ufs:%s", path) < size ? room : path;
}

static int open_handle(struct mpifile *m, MPI_Comm comm, int amode, MPI_File *file)
{
    char room[PATH_MAX + 8];
    int err;

    m->engine.counts->file_open++;
    err = MPI_File_open(comm, name_for_mpi(m->path, room, sizeof room), amode, m->info, file);
    if (err) {
        *file = MPI_FILE_NULL;
        return file_error(m, err, NC_EFILE, "opening");
    }
    MPI_File_set_errhandler(*file, MPI_ERRORS_RETURN);
    return NC_NOERR;
}

static int amode_of(const struct mpifile *m)
{
    return m->may_write ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
}

/* Can this rank open the file? Paths with a file-system prefix may mean nothing to POSIX: taken on trust. */
static int try_open(const char *path, int flags)
{
    int fd;

    if (pcdf_path_posix(path) != path)
        return NC_NOERR;
    do
        fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return pcdf_error_from_errno(errno, "opening", path);
    close(fd);
    return NC_NOERR;
}

/* Before a collective open: does anything speak against it on any rank? Only where the MPI library does not
 * ask: OMPIO waits for ever when another rank than 0 cannot open the file, ROMIO agrees inside MPI_File_open.
 */
static int agree_open_all(const struct pcdf_engine_config *config, int flags, int status)
{
    int ranks, mine, worst = 0, err;

    MPI_Comm_size(config->comm, &ranks);
    if (ranks == 1 || !is_open_mpi())
        return NC_NOERR;
    if (status == NC_NOERR)
        status = try_open(config->path ? config->path : "", flags);
    mine = -status;
    config->counts->allreduce++;
    err = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, config->comm);
    if (err)
        return pcdf_error_from_mpi(err, NC_EMPI, "agreeing on the open of", config->path);
    if (worst && !status)
        return PCDF_FAIL(-worst, "another rank cannot open %s", config->path);
    return status;
}

/* After a collective open: a handle that another rank lacks can be neither used nor closed, MPI_Finalize
 * takes it. */
static int agree_viewed_all(struct mpifile *m, int status)
{
    int ranks, worst = status, mine = status, err;

    MPI_Comm_size(m->comm, &ranks);
    if (ranks == 1)
        return status;
    m->engine.counts->allreduce++;
    err = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, m->comm);
    if (err)
        pcdf_first(&status, file_error(m, err, NC_EMPI, "agreeing on the open of"));
    if (!status && worst)
        status = PCDF_FAIL(worst, "another rank cannot open %s for transfers together", m->path);
    return status;
}

/* One try: what it left behind on some ranks cannot be taken back, so none must follow. */
static int open_viewed_all(struct mpifile *m)
{
    struct pcdf_engine_config config = { .comm = m->comm, .path = m->path, .counts = m->engine.counts };

    if (m->viewed != MPI_FILE_NULL) /* the same on all ranks */
        return NC_NOERR;
    if (m->viewed_failed) /* the same on all ranks, but for the code */
        return PCDF_FAIL(m->viewed_failed, "%s could not be opened for transfers together", m->path);
    PCDF_TRY(agree_open_all(&config, m->may_write ? O_RDWR : O_RDONLY, NC_NOERR)); /* fails on all ranks */
    m->viewed_failed = agree_viewed_all(m, open_handle(m, m->comm, amode_of(m), &m->viewed));
    if (m->viewed_failed)
        m->viewed = MPI_FILE_NULL;
    return m->viewed_failed;
}

static void account(struct mpifile *m, const struct pcdf_extents *x, int64_t there, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &m->engine.counts->bytes_written : &m->engine.counts->bytes_read) += x->nbytes;
    if (got)
        *got = there;
}

/* Through a view of this rank's own. */
static int get_alone(struct mpifile *m, const struct pcdf_extents *x, int64_t *got)
{
    int64_t size = 0;

    if (m->own == MPI_FILE_NULL)
        PCDF_TRY(open_handle(m, MPI_COMM_SELF, amode_of(m), &m->own));
    PCDF_TRY(mpifile_size(&m->engine, &size));
    PCDF_TRY(transfer_viewed(m, m->own, x, NC_NOERR, read_alone));
    finish_get(x, size, got);
    if (m->moved >= *got)
        return NC_NOERR;
    *got = 0; /* a failure that came back as success (OMPIO): piece by piece it has a code, or the bytes */
    return transfer_pieces(m, x, got);
}

/* Puts alone go piece by piece whatever their number: OMPIO calls failed writes through a view a success,
 * Open MPI 5 sieves them (it would write neighbours' bytes), and ROMIO without sieving does one pwrite a
 * piece just so. */
static int mpifile_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct mpifile *m = (struct mpifile *)e;
    int64_t there = 0;

    if (x->dir == PCDF_PUT || x->n < 2 || (int64_t)x->n < m->view_threshold)
        PCDF_TRY(transfer_pieces(m, x, &there));
    else
        PCDF_TRY(get_alone(m, x, &there));
    account(m, x, there, got);
    return NC_NOERR;
}

static int mpifile_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct mpifile *m = (struct mpifile *)e;
    int64_t there = 0, size = 0;
    int status;

    if (e->by_pieces) { /* the same on all ranks */
        PCDF_TRY(transfer_pieces(m, x, &there));
        account(m, x, there, got);
        return NC_NOERR;
    }
    status = open_viewed_all(m);
    if (status != NC_NOERR) /* the same on all ranks */
        return status;
    status = x->dir == PCDF_PUT ? reach_end(m, x) : mpifile_size(e, &size);
    status = transfer_viewed(m, m->viewed, x, status, x->dir == PCDF_PUT ? write_all : read_all);
    if (status == NC_NOERR && x->dir == PCDF_GET)
        finish_get(x, size, &there);
    if (status == NC_NOERR) {
        int64_t end = x->n ? x->offset[x->n - 1] + x->length[x->n - 1] : 0;
        if (x->dir == PCDF_PUT && end > m->written_end)
            m->written_end = end;
        account(m, x, there, got);
    }
    return status;
}

/* --- the file as a whole --- */

static int mpifile_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    struct mpifile *m = (struct mpifile *)e;
    int err;

    e->counts->resize++;
    m->written_end = 0;
    err = MPI_File_set_size(m->plain, bytes);
    return err ? file_error(m, err, NC_EWRITE, "resizing") : NC_NOERR;
}

/* A collective write may have failed where nobody was told (OMPIO): then the file is too short. Every rank
 * has finished its writes before any comes here, see the callers. */
static int check_end(struct mpifile *m)
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
    struct mpifile *m = (struct mpifile *)e;
    int err;

    e->counts->sync++;
    err = MPI_File_sync(m->plain);
    /* After a failed fsync the pages are lost and a second one succeeds: the first verdict stays. */
    if (err && !m->sync_failed)
        m->sync_failed = file_error(m, err, NC_EWRITE, "syncing");
    else if (m->sync_failed)
        PCDF_FAIL(m->sync_failed, "an earlier sync of %s failed", m->path);
    return m->sync_failed ? m->sync_failed : check_end(m);
}

/* MPI_File_sync is for all ranks together. fsync on any descriptor of this machine takes all that was written
 * here; neither ROMIO nor OMPIO keeps written bytes to itself. */
static int mpifile_flush(struct pcdf_engine *e)
{
    struct mpifile *m = (struct mpifile *)e;
    const char *path = pcdf_path_posix(m->path);
    bool failed = false;

    e->counts->sync++;
    if (m->sync_failed)
        return PCDF_FAIL(m->sync_failed, "an earlier sync of %s failed", m->path);
    while (m->fd < 0) {
        m->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (m->fd < 0 && errno != EINTR)
            return pcdf_posix_error(errno, NC_EWRITE, "opening", path);
    }
    int err = pcdf_posix_sync(m->fd, path, &failed);
    if (failed)
        m->sync_failed = err;
    return err;
}

static int close_handle(struct mpifile *m, MPI_File *file)
{
    int err = *file == MPI_FILE_NULL ? MPI_SUCCESS : MPI_File_close(file);

    return err ? file_error(m, err, NC_EWRITE, "closing") : NC_NOERR;
}

static int mpifile_close_all(struct pcdf_engine *e)
{
    struct mpifile *m = (struct mpifile *)e;
    int status = close_handle(m, &m->own);

    if (!e->poisoned) {
        pcdf_first(&status, close_handle(m, &m->viewed));
        pcdf_first(&status, check_end(m));
        pcdf_first(&status, close_handle(m, &m->plain));
    }
    if (m->fd >= 0 && close(m->fd) && errno != EINTR)
        pcdf_first(&status, pcdf_posix_error(errno, NC_EWRITE, "closing", m->path));
    if (m->info != MPI_INFO_NULL)
        MPI_Info_free(&m->info);
    pcdf_free(m->path);
    pcdf_free(m);
    return status;
}

static int mpifile_info(struct pcdf_engine *e, MPI_Info *info)
{
    struct mpifile *m = (struct mpifile *)e;
    int err = MPI_File_get_info(m->viewed == MPI_FILE_NULL ? m->plain : m->viewed, info);

    return err ? file_error(m, err, NC_EFILE, "listing the hints of") : NC_NOERR;
}

static const struct pcdf_engine_ops mpifile_ops = {
    .name = "mpiio",
    .close_all = mpifile_close_all,
    .size = mpifile_size,
    .resize_all = mpifile_resize_all,
    .sync_all = mpifile_sync_all,
    .flush = mpifile_flush,
    .transfer = mpifile_transfer,
    .transfer_all = mpifile_transfer_all,
    .info = mpifile_info,
};

static bool has_hint(MPI_Info info, const char *key)
{
    int length, found = 0;

    return !MPI_Info_get_valuelen(info, key, &length, &found) && found;
}

/* OMPIO calls a collective transfer a success, count and all, when its pwrite or pread failed (4.1.4). Who
 * wants every byte confirmed rather than few large requests says pcdf_checked_transfers=enable. */
static bool wants_checked(MPI_Info info)
{
    char value[16] = "";
    int found = 0;

    return info != MPI_INFO_NULL &&
           !MPI_Info_get(info, "pcdf_checked_transfers", (int)sizeof value - 1, value, &found) && found &&
           !strcmp(value, "enable");
}

/* The user's hints and ours. Data sieving on writes reads a neighbour's bytes and writes them back, so it is
 * off whatever the user says. Made before anything that needs memory of ours: ROMIO broadcasts hint by hint
 * in MPI_File_open, so a rank with fewer hints would take part in other broadcasts than the rest. */
static int make_info(const struct pcdf_engine_config *config, MPI_Info *info)
{
    int err = config->info == MPI_INFO_NULL ? MPI_Info_create(info) : MPI_Info_dup(config->info, info);

    if (err)
        *info = MPI_INFO_NULL;
    else
        err = MPI_Info_set(*info, "romio_ds_write", "disable");
    if (!err && !has_hint(*info, "romio_cb_write"))
        err = MPI_Info_set(*info, "romio_cb_write", "enable");
    return err ? pcdf_error_from_mpi(err, NC_ENOMEM, "preparing the hints for", config->path) : NC_NOERR;
}

/* Local. Takes over info where it makes an engine, complete or not. */
static int prepare(const struct pcdf_engine_config *config, MPI_Info info, struct mpifile **made)
{
    struct mpifile *m = pcdf_calloc(1, sizeof *m);
    const char *path = config->path ? config->path : "";

    if (!m)
        return NC_ENOMEM;
    m->engine.ops = &mpifile_ops;
    m->engine.counts = config->counts;
    m->comm = config->comm;
    m->info = info;
    m->fd = -1;
    m->plain = m->viewed = m->own = MPI_FILE_NULL;
    m->may_write = config->mode != PCDF_MODE_READ;
    m->view_threshold = config->view_threshold;
    m->engine.by_pieces = wants_checked(config->info);
    m->path = pcdf_strndup(path, strlen(path));
    *made = m;
    return m->path ? NC_NOERR : NC_ENOMEM;
}

int pcdf_mpifile_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    struct mpifile *m = NULL;
    MPI_Info info;
    MPI_File file = MPI_FILE_NULL;
    char room[PATH_MAX + 8];
    int status = make_info(config, &info), err = prepare(config, info, &m), amode, flags;

    pcdf_first(&status, err);
    amode = config->mode == PCDF_MODE_READ     ? MPI_MODE_RDONLY
            : config->mode == PCDF_MODE_CREATE ? MPI_MODE_RDWR | MPI_MODE_CREATE
                                               : MPI_MODE_RDWR;
    flags = config->mode == PCDF_MODE_READ     ? O_RDONLY
            : config->mode == PCDF_MODE_CREATE ? O_RDWR | O_CREAT
                                               : O_RDWR;
    err = agree_open_all(config, flags, status);
    pcdf_first(&status, err);
    if (!err) { /* on all ranks; one that is short of memory takes part in the collective all the same */
        config->counts->file_open++;
        err = MPI_File_open(config->comm, name_for_mpi(config->path ? config->path : "", room, sizeof room),
                            amode, info, &file);
        if (err)
            pcdf_first(&status, pcdf_error_from_mpi(err, NC_EFILE, "opening", config->path));
    }
    if (status == NC_NOERR) {
        m->plain = file;
        MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
        *e = &m->engine;
    } else if (m) {
        m->engine.poisoned = true; /* the other ranks' close is not ours: a handle stays with MPI_Finalize */
        mpifile_close_all(&m->engine);
    }
    if (!m && info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return status;
}
