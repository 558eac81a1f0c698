/* See extentshift.h. */
#include "extentshift.h"
#include "filesystem.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "posixio.h"

int64_t pcdf_extentshift_block(int fd)
{
    const int64_t least = 512, most = 1 << 20;
    int64_t block = pcdf_filesystem_of(fd)->shifts_extents ? pcdf_filesystem_block(fd) : 0;

    return block >= least && block <= most && (block & (block - 1)) == 0 ? block : 0;
}

static int64_t size_of(int fd)
{
    struct stat st;
    return fstat(fd, &st) ? -1 : (int64_t)st.st_size;
}

/* A signal may come before anything was done: again. An insertion makes the file longer first; what a signal
 * leaves of the other one cannot be told apart. */
int pcdf_extentshift(int fd, bool inserts, int64_t at, int64_t bytes)
{
    const int mode = inserts ? FALLOC_FL_INSERT_RANGE : FALLOC_FL_COLLAPSE_RANGE;
    int64_t before = size_of(fd);
    while (fallocate(fd, mode, at, bytes)) {
        int failed = errno;
        if (failed != EINTR || !inserts || before < 0 || size_of(fd) != before)
            return failed;
    }
    return 0;
}

int pcdf_extentshift_cut(int fd, int64_t size)
{
    return pcdf_posix_cut(fd, size);
}

bool pcdf_hole_find(int fd, int64_t from, int64_t size, struct pcdf_hole *hole)
{
    *hole = (struct pcdf_hole){ size, size };
    if (from >= size)
        return true;
    int64_t begin = lseek(fd, from, SEEK_HOLE); /* the end of the file counts as one */
    if (begin < 0)
        return false;
    int64_t end = begin < size ? lseek(fd, begin, SEEK_DATA) : size;
    if (end < 0 && errno != ENXIO) /* no data behind it */
        return false;
    if (begin < size)
        *hole = (struct pcdf_hole){ begin, end < 0 || end > size ? size : end };
    return true;
}
