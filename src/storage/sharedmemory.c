/* See sharedmemory.h. */

#include "sharedmemory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 1000 };
static const struct pcdf_sharedmemory none = { NULL, 0, -1 };

static char *map(int fd, int64_t bytes)
{
    void *at = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

bool pcdf_sharedmemory_make(const char *name, int64_t bytes, struct pcdf_sharedmemory *made)
{
    /* The limit of file sizes holds here, too: passing it is a signal that ends the process. */
    struct rlimit most;
    bool is_allowed = !getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur >= (rlim_t)bytes;
    struct pcdf_sharedmemory m = { NULL, bytes, is_allowed ? memfd_create(name, MFD_CLOEXEC) : -1 };
    if (m.fd >= 0 && !ftruncate(m.fd, bytes))
        m.at = map(m.fd, bytes);
    if (m.fd >= 0 && !m.at)
        close(m.fd);
    *made = m.at ? m : none;
    return m.at != NULL;
}

void pcdf_sharedmemory_free(struct pcdf_sharedmemory *m)
{
    if (m->at) {
        munmap(m->at, (size_t)m->bytes);
        close(m->fd);
    }
    *m = none;
}

struct pcdf_sharedmemory_notice pcdf_sharedmemory_tell(int fd, int64_t bytes)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st))
        return (struct pcdf_sharedmemory_notice){ getpid(), -1, bytes, 0, 0 };
    return (struct pcdf_sharedmemory_notice){ getpid(), fd, bytes, (int64_t)st.st_dev, (int64_t)st.st_ino };
}

/* The number of the process may be another process here, whose descriptor leads to something else. */
bool pcdf_sharedmemory_open(const struct pcdf_sharedmemory_notice *notice, struct pcdf_sharedmemory *opened)
{
    char path[64];
    struct stat st;
    struct pcdf_sharedmemory m = { NULL, notice->bytes, -1 };
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)notice->pid, (long long)notice->fd);
    if (notice->fd >= 0)
        m.fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (m.fd >= 0 && !fstat(m.fd, &st) && (int64_t)st.st_dev == notice->device &&
        (int64_t)st.st_ino == notice->inode && st.st_size == notice->bytes)
        m.at = map(m.fd, m.bytes);
    if (m.fd >= 0 && !m.at)
        close(m.fd);
    *opened = m.at ? m : none;
    return m.at != NULL;
}

#ifdef MADV_POPULATE_WRITE
static int populate(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes, bool for_writing)
{
    int how = for_writing ? MADV_POPULATE_WRITE : MADV_POPULATE_READ, err = EINTR;
    for (int i = 0; err == EINTR && i < PATIENCE; i++)
        err = madvise(m->at + offset, (size_t)bytes, how) ? errno : 0;
    return err;
}
#else
static int populate(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes, bool for_writing)
{
    (void)m, (void)offset, (void)bytes, (void)for_writing;
    return EINVAL;
}
#endif

bool pcdf_sharedmemory_take(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes)
{
    int err = populate(m, offset, bytes, true);
    if (err != EINVAL) /* Linux before 5.14 */
        return err == 0;
    err = EINTR;
    for (int i = 0; err == EINTR && i < PATIENCE; i++)
        err = posix_fallocate(m->fd, (off_t)offset, (off_t)bytes);
    return err == 0;
}

void pcdf_sharedmemory_see(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes, bool for_writing)
{
    (void)populate(m, offset, bytes, for_writing);
}

bool pcdf_sharedmemory_give_back(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes)
{
    return !fallocate(m->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}
