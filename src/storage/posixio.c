/* See posixio.h. The storage is for files that all ranks see alike at once, as on one machine and on coherent
 * parallel file systems: what the system says of a write is believed. */

#include "posixio.h"
#include "alloc.h"
#include "status.h"
#include "storage.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 1000 }; /* interruptions in a row: more are no accident */

const char *pcdf_path_posix(const char *path)
{
    static const char *const prefixes[] = { "ufs:",    "nfs:",  "xfs:",    "pvfs2:", "gpfs:",   "panfs:",
                                            "lustre:", "daos:", "testfs:", "ime:",   "quobyte:" };

    for (size_t i = 0; path && i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(path, prefixes[i], strlen(prefixes[i])))
            return path + strlen(prefixes[i]);
    return path;
}

bool pcdf_posix_missing_folder(const char *path, char folder[PATH_MAX])
{
    struct stat st;
    const char *last = path ? strrchr(path, '/') : NULL;
    size_t n = last ? (size_t)(last - path) : 0;
    if (n == 0 || n >= PATH_MAX)
        return false;
    memcpy(folder, path, n);
    folder[n] = '\0';
    if (!stat(folder, &st) || errno != ENOENT) /* the usual case costs one look */
        return false;
    for (size_t at = 1; at < n; at++) {
        if (path[at] != '/')
            continue;
        folder[at] = '\0';
        if (stat(folder, &st) && errno == ENOENT)
            return true;
        folder[at] = '/';
    }
    return true;
}

int pcdf_posix_error(int err, int fallback, const char *what, const char *path)
{
    int code = fallback;

    switch (err) {
    case ENOENT:
        code = NC_ENOENT;
        break;
    case EEXIST:
        code = NC_EEXIST;
        break;
    case EACCES:
    case EPERM:
        code = NC_EACCESS;
        break;
    case EROFS:
        code = NC_EPERM;
        break;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        code = NC_EBAD_FILE;
        break;
    case ENOSPC:
        code = NC_ENO_SPACE;
        break;
    case EDQUOT:
        code = NC_EQUOTA;
        break;
    case ENOMEM:
        code = NC_ENOMEM;
        break;
    default:
        break;
    }
    char folder[PATH_MAX];
    if (err == ENOENT && pcdf_posix_missing_folder(path, folder))
        code = PCDF_FAIL(code, "%s %s: %s (there is no folder %s)", what, path, strerror(err), folder);
    else
        code = PCDF_FAIL(code, "%s %s: %s", what, path ? path : "(no name)", strerror(err));
    errno = err;
    return code;
}

int pcdf_posix_open(const char *path, int flags)
{
    int fd;

    do
        fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static bool is_one(const struct stat *x, const struct stat *y)
{
    return x->st_dev == y->st_dev && x->st_ino == y->st_ino;
}

bool pcdf_posix_same(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && is_one(&x, &y);
}

int pcdf_posix_make(const char *path)
{
    int fd;

    do
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* The end of the file is where nothing comes and fstat(2) says so; nothing elsewhere is a failure that does
 * not say so. */
int pcdf_posix_move(int fd, enum pcdf_dir dir, void *data, int64_t length, int64_t offset, int64_t *got,
                    const char *path)
{
    const bool puts = dir == PCDF_PUT;
    int idle = 0, interrupted = 0;
    char *at = data;
    struct stat st;

    while (length > 0) {
        ssize_t n = puts ? pwrite(fd, at, (size_t)length, offset) : pread(fd, at, (size_t)length, offset);
        if (n < 0 && errno == EINTR && ++interrupted < PATIENCE)
            continue;
        if (n < 0)
            return pcdf_posix_error(errno, puts ? NC_EWRITE : NC_EREAD, puts ? "writing" : "reading", path);
        if (n == 0 && !puts && !fstat(fd, &st) && offset >= st.st_size)
            break;
        idle = n == 0 ? idle + 1 : 0;
        errno = EIO;
        if (idle == 2)
            return PCDF_FAIL(puts ? NC_EWRITE : NC_EREAD, "%s %s: nothing of %lld bytes at %lld %s",
                             puts ? "writing" : "reading", path, (long long)length, (long long)offset,
                             puts ? "is accepted" : "comes, inside the file");
        interrupted = 0;
        at += n;
        length -= n;
        offset += n;
        if (got)
            *got += n;
    }
    if (!puts)
        memset(at, 0, (size_t)length);
    return NC_NOERR;
}

/* What fails later is told by the fsync. What fails as it begins (ext4 finds no blocks) is told here alone.
 */
int pcdf_posix_start_sync(int fd, int64_t offset, int64_t bytes, const char *path)
{
    bool begins = fd < 0 || !sync_file_range(fd, offset, bytes, SYNC_FILE_RANGE_WRITE);
    bool is_lost = !begins && (errno == EIO || errno == ENOSPC || errno == EDQUOT);
    return is_lost ? pcdf_posix_error(errno, NC_EWRITE, "beginning to sync", path) : NC_NOERR;
}

int pcdf_posix_sync(int fd, const char *path, bool *failed)
{
    int interrupted = 0;

    while (fsync(fd)) {
        if (errno == EINTR && ++interrupted < PATIENCE)
            continue;
        if (errno == EINVAL || errno == EROFS)
            break;
        *failed = true;
        return pcdf_posix_error(errno, NC_EWRITE, "syncing", path);
    }
    return NC_NOERR;
}

int pcdf_posix_cut(int fd, int64_t size)
{
    int err;
    do
        err = ftruncate(fd, size);
    while (err && errno == EINTR);
    return err ? errno : 0;
}

/* ---- as a storage */

struct posix {
    struct pcdf_storage storage;
    int sync_failed; /* a code */
    bool is_dirty;   /* this process changed it since its last sync */
};

static int posix_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct posix *p = (struct posix *)s;
    *(x->dir == PCDF_PUT ? &s->counts->write_at : &s->counts->read_at) += (int64_t)x->n;
    p->is_dirty |= x->dir == PCDF_PUT;
    for (size_t i = 0; i < x->n; i++)
        PCDF_TRY(pcdf_posix_move(s->fd, x->dir, x->pieces[i].data, x->pieces[i].length, x->pieces[i].offset,
                                 got, s->path));
    return NC_NOERR;
}

static int posix_size(struct pcdf_storage *s, int64_t *bytes)
{
    struct stat st;
    if (fstat(s->fd, &st))
        return pcdf_posix_error(errno, NC_EFILE, "inspecting", s->path);
    *bytes = st.st_size;
    return NC_NOERR;
}

static int posix_resize(struct pcdf_storage *s, int64_t bytes)
{
    struct posix *p = (struct posix *)s;
    p->is_dirty = true;
    int failed = pcdf_posix_cut(s->fd, bytes);
    return failed ? pcdf_posix_error(failed, NC_EWRITE, "resizing", s->path) : NC_NOERR;
}

static bool posix_clone(struct pcdf_storage *s, int fd, int64_t offset, int64_t bytes)
{
    struct file_clone_range range = { .src_fd = fd,
                                      .src_offset = (uint64_t)offset,
                                      .src_length = (uint64_t)bytes,
                                      .dest_offset = (uint64_t)offset };
    ((struct posix *)s)->is_dirty = true;
    return !ioctl(s->fd, FICLONERANGE, &range);
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
    int err = pcdf_posix_sync(s->fd, s->path, &failed);
    if (failed)
        p->sync_failed = err;
    p->is_dirty = err != NC_NOERR;
    return err;
}

static int posix_close(struct pcdf_storage *s)
{
    /* After EINTR Linux has closed the descriptor all the same. */
    return close(s->fd) && errno != EINTR ? pcdf_posix_error(errno, NC_EWRITE, "closing", s->path) : NC_NOERR;
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
    p->storage.fd = pcdf_posix_open(plain.path, flags);
    if (p->storage.fd < 0) {
        int err = pcdf_posix_error(errno, NC_EFILE, "opening", plain.path);
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
    .by_system = true,
    .open = posix_open,
    .move = posix_move,
    .size = posix_size,
    .resize = posix_resize,
    .clone = posix_clone,
    .sync = posix_sync,
    .close = posix_close,
};

void pcdf_posix_expect(int fd, int64_t offset, int64_t bytes)
{
    (void)posix_fadvise(fd, offset, bytes, POSIX_FADV_WILLNEED);
}
