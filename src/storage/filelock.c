/* See filelock.h. */

#include "filelock.h"
#include "status.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>

enum { OWNER_BYTE = 0, MEMBER_BYTE = 1 };
enum outcome { GRANTED, BUSY, REFUSED };

/* Whoever looks holds it for an instant: one that is busy is asked for again. */
static enum outcome try_flock(int fd, int what)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    int err = -1;

    for (int busy = 0; err && busy < 5;) {
        err = flock(fd, what | LOCK_NB);
        if (err && errno == EWOULDBLOCK && ++busy < 5) {
            (void)nanosleep(&moment, NULL);
            errno = EWOULDBLOCK;
        } else if (err && errno != EINTR) {
            break;
        }
    }
    return !err ? GRANTED : errno == EWOULDBLOCK ? BUSY : REFUSED;
}

static enum outcome try_bytes(int fd, short type, int first, int n)
{
    struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = first, .l_len = n };
    int err;

    do
        err = fcntl(fd, F_OFD_SETLK, &lock);
    while (err && errno == EINTR);
    return !err ? GRANTED : errno == EAGAIN || errno == EACCES ? BUSY : REFUSED;
}

static int take_lock(int fd, const char *path, bool owns, bool *is_whole)
{
    const int what = owns ? LOCK_EX : LOCK_SH;
    enum outcome whole = try_flock(fd, what), bytes = REFUSED;

    *is_whole = false;
    /* Some file systems let the two conflict: not both at a time. */
    if (whole == GRANTED)
        (void)try_flock(fd, LOCK_UN);
    if (whole != BUSY)
        bytes = try_bytes(fd, owns ? F_WRLCK : F_RDLCK, OWNER_BYTE, 2);
    if (whole == GRANTED && bytes == REFUSED)
        whole = try_flock(fd, what);
    if (whole == BUSY || bytes == BUSY)
        return PCDF_FAIL(NC_EACCESS, "another process holds %s: it is changing the file now", path);
    if (bytes == GRANTED && owns)
        pcdf_filelock_join(fd);
    *is_whole = whole == GRANTED && bytes == GRANTED;
    return NC_NOERR;
}

int pcdf_filelock_own(int fd, const char *path, bool *is_whole)
{
    return take_lock(fd, path, true, is_whole);
}

int pcdf_filelock_look(int fd, const char *path)
{
    bool is_whole;
    return take_lock(fd, path, false, &is_whole);
}

void pcdf_filelock_join(int fd)
{
    (void)try_bytes(fd, F_RDLCK, MEMBER_BYTE, 1);
}
