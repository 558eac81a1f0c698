/* pread and pwrite on a descriptor of each rank's own. Works with any number of ranks on one POSIX file
 * system; a transfer together is each rank moving its own pieces. */

#include "engine.h"
#include "alloc.h"
#include "blocksums.h"
#include "posixio.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct serial {
    struct pcdf_engine engine;
    MPI_Comm comm;
    int fd, sync_failed;
    char *path;
};

static int serial_close_all(struct pcdf_engine *e)
{
    struct serial *s = (struct serial *)e;
    int err = NC_NOERR;

    /* After EINTR Linux has closed the descriptor all the same. */
    if (s->fd >= 0 && close(s->fd) && errno != EINTR)
        err = pcdf_posix_error(errno, NC_EWRITE, "closing", s->path);
    pcdf_free(s->path);
    pcdf_free(s);
    return err;
}

static int serial_size(struct pcdf_engine *e, int64_t *bytes)
{
    struct serial *s = (struct serial *)e;
    struct stat st;

    if (fstat(s->fd, &st))
        return pcdf_error_from_errno(errno, "inspecting", s->path);
    *bytes = st.st_size;
    return NC_NOERR;
}

/* Rank 0 sets the size; the others wait, so that none writes behind the new end before it is set. */
static int serial_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    struct serial *s = (struct serial *)e;
    int rank, code = NC_NOERR, err;

    e->counts->resize++;
    MPI_Comm_rank(s->comm, &rank);
    if (rank == 0)
        while (ftruncate(s->fd, bytes))
            if (errno != EINTR) {
                code = pcdf_posix_error(errno, NC_EWRITE, "resizing", s->path);
                break;
            }
    e->counts->bcast++;
    err = MPI_Bcast(&code, 1, MPI_INT, 0, s->comm);
    if (err)
        return pcdf_error_from_mpi(err, NC_EMPI, "resizing", s->path);
    if (code && rank)
        return PCDF_FAIL(code, "rank 0 could not resize %s to %lld bytes", s->path, (long long)bytes);
    return code;
}

static int serial_flush(struct pcdf_engine *e)
{
    struct serial *s = (struct serial *)e;
    bool failed = false;

    e->counts->sync++;
    /* A second fsync after a failed one succeeds although the pages are lost: the first verdict stays. */
    if (s->sync_failed)
        return PCDF_FAIL(s->sync_failed, "an earlier sync of %s failed", s->path);
    int err = pcdf_posix_sync(s->fd, s->path, &failed);
    if (failed)
        s->sync_failed = err;
    return err;
}

static int serial_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct serial *s = (struct serial *)e;
    int64_t there = 0;
    char *data = x->data;

    for (size_t i = 0; i < x->n; i++) {
        if (x->dir == PCDF_PUT) {
            e->counts->write_at++;
            int err = pcdf_posix_put(s->fd, data, x->length[i], x->offset[i], s->path);
            pcdf_blocksums_put(e->sums, err ? NULL : data, x->offset[i], x->length[i]);
            PCDF_TRY(err);
            e->counts->bytes_written += x->length[i];
        } else {
            e->counts->read_at++;
            PCDF_TRY(pcdf_posix_get(s->fd, data, x->length[i], x->offset[i], &there, s->path));
            e->counts->bytes_read += x->length[i];
        }
        data += x->length[i];
    }
    if (got)
        *got = there;
    return NC_NOERR;
}

static int serial_info(struct pcdf_engine *e, MPI_Info *info)
{
    int err = MPI_Info_create(info);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "listing the hints of", ((struct serial *)e)->path)
               : NC_NOERR;
}

static const struct pcdf_engine_ops serial_ops = {
    .name = "serial",
    .close_all = serial_close_all,
    .size = serial_size,
    .resize_all = serial_resize_all,
    .sync_all = serial_flush,
    .flush = serial_flush,
    .transfer = serial_transfer,
    .transfer_all = serial_transfer,
    .info = serial_info,
};

int pcdf_serial_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    const char *path = pcdf_path_posix(config->path);
    struct serial *s;

    if (!path || !*path)
        return PCDF_FAIL(NC_EBAD_FILE, "the file name is empty");
    s = pcdf_calloc(1, sizeof *s);
    if (!s)
        return NC_ENOMEM;
    s->engine.ops = &serial_ops;
    s->engine.counts = config->counts;
    s->comm = config->comm;
    s->path = pcdf_strndup(path, strlen(path));
    if (!s->path) {
        pcdf_free(s);
        return NC_ENOMEM;
    }
    config->counts->file_open++;
    s->fd = pcdf_posix_open(path, config->mode == PCDF_MODE_READ     ? O_RDONLY
                                  : config->mode == PCDF_MODE_CREATE ? O_RDWR | O_CREAT
                                                                     : O_RDWR);
    if (s->fd < 0) {
        int err = pcdf_error_from_errno(errno, "opening", path);
        serial_close_all(&s->engine);
        return err;
    }
    *e = &s->engine;
    return NC_NOERR;
}
