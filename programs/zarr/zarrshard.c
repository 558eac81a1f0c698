/* See zarrshard.h. */
#include "zarrshard.h"
#include "alloc.h"
#include "bytes.h"
#include "crc32c.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRY = 16, SUM = 4 };

/* The folders of a path, the outermost first. Never those that are there: where they are gone, a signal ends
 * the copy, and nothing is to come back. */
static bool make_folders(char *path, size_t there)
{
    for (char *slash = strchr(path + there + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good)
            return false;
    }
    return true;
}

static int make(char *path, size_t there)
{
    static const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = open(path, flags, 0666);
    if (fd < 0 && errno == ENOENT && make_folders(path, there))
        fd = open(path, flags, 0666);
    return fd;
}

static bool write_bytes(int fd, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    while (n > 0) {
        ssize_t done = write(fd, from, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done == 0 ? ENOSPC : errno;
            return false;
        }
        from += done;
        n -= (size_t)done;
    }
    return true;
}

static bool finish(int fd, bool good)
{
    int err = errno;
    if (close(fd) == 0)
        errno = err;
    else
        good = false;
    return good;
}

bool pcdf_zarrfile_write(char *path, size_t there, const void *bytes, size_t n)
{
    int fd = make(path, there);
    return fd >= 0 && finish(fd, write_bytes(fd, bytes, n));
}

bool pcdf_zarrshard_begin(struct pcdf_zarrshard *shard, char *path, size_t there, int64_t n)
{
    size_t size = (size_t)n * ENTRY;
    if (n > shard->room) {
        pcdf_free(shard->index);
        shard->index = pcdf_malloc(size + SUM);
        shard->room = shard->index ? n : 0;
        errno = ENOMEM;
    }
    shard->path = path;
    shard->there = there;
    shard->fd = -1;
    shard->n = n;
    shard->at = 0;
    if (shard->index)
        memset(shard->index, 0xff, size); /* a chunk that is not there */
    return shard->index;
}

bool pcdf_zarrshard_put(struct pcdf_zarrshard *shard, int64_t number, const void *bytes, size_t n)
{
    unsigned char *entry = shard->index + number * ENTRY;

    if (shard->fd < 0)
        shard->fd = make(shard->path, shard->there);
    if (shard->fd < 0 || !write_bytes(shard->fd, bytes, n))
        return false;
    pcdf_bytes_put_little(entry, (uint64_t)shard->at, 8);
    pcdf_bytes_put_little(entry + 8, n, 8);
    shard->at += (int64_t)n;
    return true;
}

bool pcdf_zarrshard_end(struct pcdf_zarrshard *shard)
{
    size_t size = (size_t)shard->n * ENTRY;
    if (shard->fd < 0)
        return true;
    pcdf_bytes_put_little(shard->index + size, pcdf_crc32c(0, shard->index, size), SUM);
    int fd = shard->fd;
    shard->fd = -1;
    return finish(fd, write_bytes(fd, shard->index, size + SUM));
}

void pcdf_zarrshard_free(struct pcdf_zarrshard *shard)
{
    if (shard->fd >= 0)
        close(shard->fd);
    pcdf_free(shard->index);
    *shard = (struct pcdf_zarrshard){ .fd = -1 };
}
