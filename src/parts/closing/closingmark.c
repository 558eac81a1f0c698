/* See closingmark.h. Locks of open file descriptions: those of MPI libraries (fcntl of the process) neither
 * take them away nor are taken away by them. */
#include "closingmark.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "filesystem.h"
#include "posixio.h"
#include "status.h"

enum { BY_THREAD, BY_CALLS, MARKS };

static struct flock lock_of(int mark, short type)
{
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = INT64_MAX - MARKS + mark, .l_len = 1
    };
}

void pcdf_closingmark_set(int fd, bool by_thread)
{
    struct flock lock = lock_of(by_thread ? BY_THREAD : BY_CALLS, F_RDLCK);
    if (fd >= 0 && pcdf_filesystem_of(fd)->is_local)
        (void)fcntl(fd, F_OFD_SETLK, &lock);
}

void pcdf_closingmark_clear(int fd)
{
    for (int mark = 0; fd >= 0 && mark < MARKS; mark++) {
        struct flock lock = lock_of(mark, F_UNLCK);
        (void)fcntl(fd, F_OFD_SETLK, &lock);
    }
}

/* A lock of somebody else, such as one of the whole file, is no mark. The system tells of one lock alone:
 * where such a lock is the first that it finds, a mark is not seen. */
static bool has(int fd, int mark)
{
    const struct flock wanted = lock_of(mark, F_RDLCK);
    struct flock found = lock_of(mark, F_WRLCK); /* which a mark is in the way of */
    return !fcntl(fd, F_OFD_GETLK, &found) && found.l_type == wanted.l_type &&
           found.l_start == wanted.l_start && found.l_len == wanted.l_len;
}

static int await(int fd, const char *path, int64_t seconds)
{
    enum { OF_CALLS = 60, OF_THREAD = 1800 }; /* seconds; one sync of a thread may last */
    const struct timespec pause = { 0, 1000000 };
    struct stat st, last = { 0 };
    struct timespec now, since = { 0 };
    bool by_calls;
    while ((by_calls = has(fd, BY_CALLS)) || has(fd, BY_THREAD)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        bool is_written =
            !by_calls && !fstat(fd, &st) &&
            (st.st_mtim.tv_sec != last.st_mtim.tv_sec || st.st_mtim.tv_nsec != last.st_mtim.tv_nsec);
        if (is_written)
            last = st;
        if (is_written || !since.tv_sec)
            since = now;
        if (now.tv_sec - since.tv_sec > (seconds > 0 ? seconds : by_calls ? OF_CALLS : OF_THREAD))
            return PCDF_FAIL(
                NC_EACCESS,
                "%s: other processes closed it in the background, and it is not complete: let all "
                "ranks that closed it call parcdf_wait before others open it",
                path);
        nanosleep(&pause, NULL);
    }
    return NC_NOERR;
}

int pcdf_closingmark_await(const char *path, int64_t seconds)
{
    int fd = pcdf_posix_open(pcdf_path_posix(path), O_RDONLY | O_NONBLOCK | O_NOCTTY);
    bool may_be = fd >= 0 && pcdf_filesystem_of(fd)->is_local;
    int err = may_be ? await(fd, path, seconds) : NC_NOERR;
    if (fd >= 0)
        close(fd);
    return err;
}
