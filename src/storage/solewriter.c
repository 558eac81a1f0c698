/* See solewriter.h. */
#include "solewriter.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <time.h>
#include "filesystem.h"

static const int64_t gate = INT64_MAX - 4096, writers = INT64_MAX - 4095; /* the two bytes */

static bool lock(int fd, short type, int64_t byte)
{
    struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };
    int err;
    do
        err = fcntl(fd, F_OFD_SETLK, &lock);
    while (err && errno == EINTR);
    return !err;
}

bool pcdf_solewriter_can(int fd)
{
    return fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR &&
           pcdf_filesystem_locks(fd) == PCDF_LOCKS_MACHINE;
}

/* Waits while somebody else has the byte; false: too long, or there are no locks. */
static bool lock_soon(int fd, int64_t byte)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    enum { TRIES = 10000 };
    bool is_mine = lock(fd, F_RDLCK, byte);
    for (int i = 0; i < TRIES && !is_mine && (errno == EAGAIN || errno == EACCES); i++) {
        (void)nanosleep(&moment, NULL);
        is_mine = lock(fd, F_RDLCK, byte);
    }
    return is_mine;
}

bool pcdf_solewriter_join(int fd)
{
    bool is_joined = lock_soon(fd, writers);
    if (!is_joined || !lock_soon(fd, gate))
        return false;
    (void)lock(fd, F_UNLCK, gate);
    return true;
}

bool pcdf_solewriter_begin(int fd)
{
    struct flock others = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = writers, .l_len = 1 };
    if (!lock(fd, F_WRLCK, gate))
        return false;
    if (!fcntl(fd, F_OFD_GETLK, &others) && others.l_type == F_UNLCK)
        return true;
    pcdf_solewriter_end(fd);
    return false;
}

void pcdf_solewriter_end(int fd)
{
    (void)lock(fd, F_UNLCK, gate);
}
