#include "posixio.h"
#include "engine.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

int pcdf_posix_error(int err, int fallback, const char *what, const char *path)
{
    int code = pcdf_error_from_errno(err, what, path);
    return code == NC_EFILE ? fallback : code;
}

int pcdf_posix_put(int fd, const char *data, int64_t length, int64_t offset, const char *path)
{
    int idle = 0;

    while (length > 0) {
        ssize_t n = pwrite(fd, data, (size_t)length, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return pcdf_posix_error(errno, NC_EWRITE, "writing", path);
        idle = n == 0 ? idle + 1 : 0;
        if (idle == 2)
            return PCDF_FAIL(NC_EWRITE, "writing %s: nothing of %lld bytes at %lld is accepted", path,
                             (long long)length, (long long)offset);
        data += n;
        length -= n;
        offset += n;
    }
    return NC_NOERR;
}

int pcdf_posix_get(int fd, char *data, int64_t length, int64_t offset, int64_t *got, const char *path)
{
    while (length > 0) {
        ssize_t n = pread(fd, data, (size_t)length, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return pcdf_posix_error(errno, NC_EREAD, "reading", path);
        if (n == 0)
            break;
        data += n;
        length -= n;
        offset += n;
        *got += n;
    }
    memset(data, 0, (size_t)length);
    return NC_NOERR;
}

int pcdf_posix_sync(int fd, const char *path, bool *failed)
{
    while (fsync(fd)) {
        if (errno == EINTR)
            continue;
        if (errno == EINVAL || errno == EROFS)
            break;
        *failed = true;
        return pcdf_posix_error(errno, NC_EWRITE, "syncing", path);
    }
    return NC_NOERR;
}
