/* See below.h. */
#include "below.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "storekind.h"

#ifndef SYS_openat2
#define SYS_openat2 437 /* the same number on all processors, but Alpha; older headers lack it */
#endif
enum { NO_MAGIC_LINKS = 0x02, BENEATH = 0x08, MOST_TRIES = 100 }; /* linux/openat2.h, which older ones lack */

/* -1 with ENOSYS where the kernel, or what watches its calls in a container, does not know it. */
static int open_by_kernel(int folder, const char *path, int flags)
{
    struct {
        uint64_t flags, mode, resolve;
    } how = { .flags = (uint64_t)flags, .resolve = BENEATH | NO_MAGIC_LINKS };
    long fd = -1;
    int tries = 0;
    do
        fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
    while (fd < 0 && (errno == EINTR || errno == EAGAIN) && ++tries < MOST_TRIES);
    if (fd < 0 && errno == EPERM)
        errno = ENOSYS;
    return (int)fd;
}

static int open_one(int folder, const char *name, int flags)
{
    int fd;
    do
        fd = openat(folder, name, flags | O_NOFOLLOW);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* A link in the place of a folder is ENOTDIR to open; ELOOP says more. */
static void name_link(int folder, const char *name)
{
    char target[8];
    int err = errno;
    errno = err == ENOTDIR && readlinkat(folder, name, target, sizeof target) >= 0 ? ELOOP : err;
}

/* One name after the other; no link is followed. */
static int open_by_steps(int folder, const char *path, int flags)
{
    char name[NAME_MAX + 1];
    int at = folder;
    for (;;) {
        size_t n = strcspn(path, "/");
        bool is_last = path[n] == '\0';
        memcpy(name, path, n); /* not longer: pcdf_store_is_key */
        name[n] = '\0';
        int next = open_one(at, name, is_last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (next < 0)
            name_link(at, name);
        int err = errno;
        if (at != folder)
            close(at);
        errno = err;
        if (next < 0 || is_last)
            return next;
        at = next;
        path += n + 1;
    }
}

int pcdf_below_open(int folder, const char *path, int flags)
{
    if (!pcdf_store_is_key(path)) {
        errno = EXDEV;
        return -1;
    }
    int fd = open_by_kernel(folder, path, flags);
    return fd >= 0 || errno != ENOSYS ? fd : open_by_steps(folder, path, flags);
}
