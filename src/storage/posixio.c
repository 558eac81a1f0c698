#include "posixio.h"
#include "status.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
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

int pcdf_error_from_errno(int err, const char *what, const char *path)
{
    int code = NC_EFILE;

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
    code = PCDF_FAIL(code, "%s %s: %s", what, path ? path : "(no name)", strerror(err));
    errno = err;
    return code;
}

int pcdf_posix_error(int err, int fallback, const char *what, const char *path)
{
    int code = pcdf_error_from_errno(err, what, path);
    return code == NC_EFILE ? fallback : code;
}

static bool try_again(int *interrupted)
{
    return errno == EINTR && ++*interrupted < PATIENCE;
}

int pcdf_posix_open(const char *path, int flags)
{
    int fd;

    do
        fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

bool pcdf_posix_same(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int pcdf_posix_make(const char *path)
{
    int fd;

    do
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int pcdf_posix_put(int fd, const void *data, int64_t length, int64_t offset, const char *path)
{
    const char *from = data;
    int idle = 0, interrupted = 0;

    while (length > 0) {
        ssize_t n = pwrite(fd, from, (size_t)length, offset);
        if (n < 0 && try_again(&interrupted))
            continue;
        if (n < 0)
            return pcdf_posix_error(errno, NC_EWRITE, "writing", path);
        idle = n == 0 ? idle + 1 : 0;
        errno = EIO;
        if (idle == 2)
            return PCDF_FAIL(NC_EWRITE, "writing %s: nothing of %lld bytes at %lld is accepted", path,
                             (long long)length, (long long)offset);
        interrupted = 0;
        from += n;
        length -= n;
        offset += n;
    }
    return NC_NOERR;
}

/* Nothing came: that is the end of the file, or a failure that does not say so. */
static bool is_end(int fd, int64_t offset)
{
    struct stat st;
    return !fstat(fd, &st) && offset >= st.st_size;
}

int pcdf_posix_get(int fd, void *data, int64_t length, int64_t offset, int64_t *got, const char *path)
{
    char *to = data;
    int idle = 0, interrupted = 0;

    while (length > 0) {
        ssize_t n = pread(fd, to, (size_t)length, offset);
        if (n < 0 && try_again(&interrupted))
            continue;
        if (n < 0)
            return pcdf_posix_error(errno, NC_EREAD, "reading", path);
        if (n == 0 && is_end(fd, offset))
            break;
        idle = n == 0 ? idle + 1 : 0;
        errno = EIO;
        if (idle == 2)
            return PCDF_FAIL(NC_EREAD, "reading %s: nothing of %lld bytes at %lld comes, inside the file",
                             path, (long long)length, (long long)offset);
        interrupted = 0;
        to += n;
        length -= n;
        offset += n;
        *got += n;
    }
    memset(to, 0, (size_t)length);
    return NC_NOERR;
}

int pcdf_posix_sync(int fd, const char *path, bool *failed)
{
    int interrupted = 0;

    while (fsync(fd)) {
        if (try_again(&interrupted))
            continue;
        if (errno == EINVAL || errno == EROFS)
            break;
        *failed = true;
        return pcdf_posix_error(errno, NC_EWRITE, "syncing", path);
    }
    return NC_NOERR;
}
