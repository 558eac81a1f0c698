/* pread and pwrite on a descriptor of each rank's own: for files that all ranks see alike at once, as on one
 * machine and on coherent parallel file systems. What the system says of a write is believed. */

#include "alloc.h"
#include "blocksums.h"
#include "engine.h"
#include "twophase.h"
#include "filesystem.h"
#include "sieve.h"
#include "posixio.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct posix {
    struct pcdf_engine engine;
    MPI_Comm comm;
    int rank, fd, sync_failed;
    bool is_dirty; /* this rank changed the file and has not synced it since */
    char *path, *later_path;
    int64_t view_threshold;
    struct pcdf_twophase exchange;
};

static int posix_close_all(struct pcdf_engine *e)
{
    struct posix *p = (struct posix *)e;
    int err = NC_NOERR;

    pcdf_twophase_end(&p->exchange);
    /* After EINTR Linux has closed the descriptor all the same. */
    if (p->fd >= 0 && close(p->fd) && errno != EINTR)
        err = pcdf_posix_error(errno, NC_EWRITE, "closing", p->path);
    pcdf_free(p->path);
    pcdf_free(p->later_path);
    pcdf_free(p);
    return err;
}

static int posix_size(struct pcdf_engine *e, int64_t *bytes)
{
    struct posix *p = (struct posix *)e;
    struct stat st;

    if (fstat(p->fd, &st))
        return pcdf_error_from_errno(errno, "inspecting", p->path);
    *bytes = st.st_size;
    return NC_NOERR;
}

/* Rank 0 sets the size; the others wait, so that none writes behind the new end before it is set. */
static int posix_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    struct posix *p = (struct posix *)e;
    int code = NC_NOERR, err;

    e->counts->resize++;
    e->reach = bytes;
    p->is_dirty = true;
    if (p->rank == 0)
        while (ftruncate(p->fd, bytes))
            if (errno != EINTR) {
                code = pcdf_posix_error(errno, NC_EWRITE, "resizing", p->path);
                break;
            }
    e->counts->bcast++;
    err = MPI_Bcast(&code, 1, MPI_INT, 0, p->comm);
    if (err)
        return pcdf_error_from_mpi(err, NC_EMPI, "resizing", p->path);
    if (code && p->rank)
        return PCDF_FAIL(code, "rank 0 could not resize %s to %lld bytes", p->path, (long long)bytes);
    return code;
}

static int posix_flush(struct pcdf_engine *e)
{
    struct posix *p = (struct posix *)e;
    bool failed = false;

    e->counts->sync++;
    /* A second fsync after a failed one succeeds although the pages are lost: the first verdict stays. */
    if (p->sync_failed)
        return PCDF_FAIL(p->sync_failed, "an earlier sync of %s failed", p->path);
    if (!p->is_dirty)
        return NC_NOERR;
    int err = pcdf_posix_sync(p->fd, p->path, &failed);
    if (failed)
        p->sync_failed = err;
    p->is_dirty = err != NC_NOERR;
    return err;
}

static int put_piece(void *file, const char *data, int64_t length, int64_t offset)
{
    struct posix *p = file;

    p->engine.counts->write_at++;
    p->is_dirty = true;
    if (offset + length > p->engine.reach)
        p->engine.reach = offset + length;
    int err = pcdf_posix_put(p->fd, data, length, offset, p->path);
    pcdf_blocksums_put(p->engine.sums, err ? NULL : data, offset, length);
    return err;
}

static int get_piece(void *file, char *data, int64_t length, int64_t offset, int64_t *got)
{
    struct posix *p = file;

    p->engine.counts->read_at++;
    return pcdf_posix_get(p->fd, data, length, offset, got, p->path);
}

static void account(struct pcdf_engine *e, const struct pcdf_extents *x)
{
    *(x->dir == PCDF_PUT ? &e->counts->bytes_written : &e->counts->bytes_read) += x->nbytes;
}

/* *got from the size, after gets that moved more than was asked for. */
static int count_got(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    int64_t size = 0;

    if (!got)
        return NC_NOERR;
    *got = 0;
    if (x->dir == PCDF_GET) {
        PCDF_TRY(posix_size(e, &size));
        *got = pcdf_bytes_before(x, size);
    }
    return NC_NOERR;
}

static int posix_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct posix *p = (struct posix *)e;
    int64_t there = 0;
    char *data = x->data;

    if (x->dir == PCDF_GET && x->n > 1 && (int64_t)x->n >= p->view_threshold) {
        PCDF_TRY(pcdf_sieve_get(&p->exchange.mover, x));
        account(e, x);
        return count_got(e, x, got);
    }
    for (size_t i = 0; i < x->n; i++) {
        if (x->dir == PCDF_PUT)
            PCDF_TRY(put_piece(p, data, x->length[i], x->offset[i]));
        else
            PCDF_TRY(get_piece(p, data, x->length[i], x->offset[i], &there));
        data += x->length[i];
    }
    account(e, x);
    if (got)
        *got = there;
    return NC_NOERR;
}

static int posix_exchange_all(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done, int64_t *moved)
{
    return pcdf_twophase_all(&((struct posix *)e)->exchange, flow, done, moved);
}

/* MPI-IO's hints mean nothing here. */
static int posix_info(struct pcdf_engine *e, MPI_Info *info)
{
    struct posix *p = (struct posix *)e;
    int err = MPI_Info_create(info);

    return err ? pcdf_error_from_mpi(err, NC_EMPI, "listing the hints of", p->path)
               : pcdf_engine_add_stripes(p->path, *info);
}

static void posix_renamed(struct pcdf_engine *e)
{
    struct posix *p = (struct posix *)e;

    if (!p->later_path)
        return;
    pcdf_free(p->path);
    p->path = p->later_path;
    p->exchange.path = p->path;
    p->later_path = NULL;
}

static const struct pcdf_engine_ops posix_ops = {
    .name = "posix",
    .close_all = posix_close_all,
    .size = posix_size,
    .resize_all = posix_resize_all,
    .sync_all = posix_flush,
    .flush = posix_flush,
    .transfer = posix_transfer,
    .transfer_all = posix_transfer, /* there are no views */
    .exchange_all = posix_exchange_all,
    .info = posix_info,
    .renamed = posix_renamed,
};

/* Local. *made is set even where it is not complete. */
static int prepare(const struct pcdf_engine_config *config, struct posix **made)
{
    const char *path = pcdf_path_posix(config->path);
    struct posix *p;

    if (!path || !*path)
        return PCDF_FAIL(NC_EBAD_FILE, "the file name is empty");
    p = pcdf_calloc(1, sizeof *p);
    if (!p)
        return NC_ENOMEM;
    *made = p;
    p->engine.ops = &posix_ops;
    p->engine.counts = config->counts;
    p->comm = config->comm;
    MPI_Comm_rank(p->comm, &p->rank);
    p->fd = -1;
    p->is_dirty = p->rank == 0; /* it made the file, or mended it, before there was an engine */
    p->view_threshold = config->view_threshold;
    p->path = pcdf_strndup(path, strlen(path));
    if (config->later_path)
        p->later_path = pcdf_strndup(config->later_path, strlen(config->later_path));
    p->exchange = (struct pcdf_twophase){ .comm = config->comm,
                                          .counts = config->counts,
                                          .path = p->path,
                                          .mover = { p, put_piece, get_piece },
                                          .wish = config->wish };
    return p->path && (p->later_path || !config->later_path) ? NC_NOERR : NC_ENOMEM;
}

/* Local. */
static int open_file(const struct pcdf_engine_config *config, struct posix *p)
{
    int flags = config->mode == PCDF_MODE_READ ? O_RDONLY : O_RDWR;

    if (config->makes_file && p->rank == 0)
        flags |= O_CREAT | (config->exclusive ? O_EXCL : 0);
    config->counts->file_open++;
    p->fd = pcdf_posix_open(p->path, flags);
    return p->fd < 0 ? pcdf_error_from_errno(errno, "opening", p->path) : NC_NOERR;
}

/* Rank 0 alone makes the file, and the others open what it made: one that lives on a machine where that is
 * not to be seen must not make a file of its own there. */
static int make_file_all(const struct pcdf_engine_config *config, struct posix *p, int status)
{
    int rank = 0, root, err;

    MPI_Comm_rank(config->comm, &rank);
    if (rank == 0 && !status)
        status = open_file(config, p);
    root = status;
    config->counts->bcast++;
    err = MPI_Bcast(&root, 1, MPI_INT, 0, config->comm);
    if (err)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "creating", config->path));
    if (rank && root && !status)
        status = PCDF_FAIL(root, "rank 0 could not create %s", config->path);
    return rank && !status ? open_file(config, p) : status;
}

int pcdf_posix_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    struct posix *p = NULL;
    int status = prepare(config, &p);

    if (config->makes_file) /* the same on all ranks */
        status = make_file_all(config, p, status);
    else if (!status)
        status = open_file(config, p);
    if (!status)
        *e = &p->engine;
    else if (p)
        posix_close_all(&p->engine);
    return status;
}

bool pcdf_posix_is_local(const struct pcdf_engine *e)
{
    return pcdf_filesystem_holds_locally(((const struct posix *)e)->fd);
}
