/* A file by pread and pwrite on a descriptor of this process: for files that all ranks see alike at once, as
 * on one machine and on coherent parallel file systems. What the system says of a write is believed. */

#include "storage.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "posixio.h"
#include "status.h"

struct posix {
    struct pcdf_storage storage;
    int fd, sync_failed; /* a code */
    bool is_dirty;       /* this process changed the file and has not synced it since */
};

static int posix_put(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n)
{
    struct posix *p = (struct posix *)s;
    s->counts->write_at += (int64_t)n;
    p->is_dirty = true;
    for (size_t i = 0; i < n; i++)
        PCDF_TRY(pcdf_posix_put(p->fd, pieces[i].data, pieces[i].length, pieces[i].offset, s->path));
    return NC_NOERR;
}

static int posix_get(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n, int64_t *got)
{
    s->counts->read_at += (int64_t)n;
    for (size_t i = 0; i < n; i++)
        PCDF_TRY(pcdf_posix_get(((struct posix *)s)->fd, pieces[i].data, pieces[i].length, pieces[i].offset,
                                got, s->path));
    return NC_NOERR;
}

static int posix_size(struct pcdf_storage *s, int64_t *bytes)
{
    struct stat st;
    if (fstat(((struct posix *)s)->fd, &st))
        return pcdf_error_from_errno(errno, "inspecting", s->path);
    *bytes = st.st_size;
    return NC_NOERR;
}

static int posix_resize(struct pcdf_storage *s, int64_t bytes)
{
    struct posix *p = (struct posix *)s;
    p->is_dirty = true;
    while (ftruncate(p->fd, bytes))
        if (errno != EINTR)
            return pcdf_posix_error(errno, NC_EWRITE, "resizing", s->path);
    return NC_NOERR;
}

static int posix_sync(struct pcdf_storage *s, bool together)
{
    struct posix *p = (struct posix *)s;
    bool failed = false;
    (void)together;
    /* A second fsync after a failed one succeeds although the pages are lost: the first verdict stays. */
    if (p->sync_failed)
        return PCDF_FAIL(p->sync_failed, "an earlier sync of %s failed", s->path);
    if (!p->is_dirty)
        return NC_NOERR;
    int err = pcdf_posix_sync(p->fd, s->path, &failed);
    if (failed)
        p->sync_failed = err;
    p->is_dirty = err != NC_NOERR;
    return err;
}

static int posix_close(struct pcdf_storage *s)
{
    /* After EINTR Linux has closed the descriptor all the same. */
    return close(((struct posix *)s)->fd) && errno != EINTR
               ? pcdf_posix_error(errno, NC_EWRITE, "closing", s->path)
               : NC_NOERR;
}

static int posix_open(const struct pcdf_storage_config *config, struct pcdf_storage **s)
{
    struct pcdf_storage_config plain = *config;
    int flags = config->mode == PCDF_STORAGE_READ ? O_RDONLY : O_RDWR;

    if (config->is_maker)
        flags |= O_CREAT | (config->is_exclusive ? O_EXCL : 0);
    plain.path = pcdf_path_posix(config->path);
    if (!plain.path || !*plain.path)
        return PCDF_FAIL(NC_EBAD_FILE, "the file name is empty");
    struct posix *p = pcdf_storage_make(sizeof *p, &pcdf_posixstorage, NULL, &plain);
    if (!p)
        return NC_ENOMEM;
    p->is_dirty = config->is_changed;
    config->counts->file_open++;
    p->fd = pcdf_posix_open(plain.path, flags);
    if (p->fd < 0) {
        int err = pcdf_error_from_errno(errno, "opening", plain.path);
        pcdf_storage_free(&p->storage);
        return err;
    }
    *s = &p->storage;
    return NC_NOERR;
}

const struct pcdf_storage_ops pcdf_posixstorage = {
    .name = "posix",
    .on_disk = true,
    .is_shared = true,
    .open = posix_open,
    .put = posix_put,
    .get = posix_get,
    .size = posix_size,
    .resize = posix_resize,
    .sync = posix_sync,
    .close = posix_close,
};
