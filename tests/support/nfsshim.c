/* A library that is preloaded into a process, which then sees the files below a folder as a client of NFS
 * does: attributes and pages that were read once are answered from what the client keeps, until the file is
 * opened again, statx(AT_STATX_FORCE_SYNC) asks the server, or 3 s went by; so are the names of folders
 * (nfsfolders.c). statfs(2) says NFS.
 *
 *     PCDF_NFSSHIM_FOLDER  without it the library does nothing
 *     PCDF_NFSSHIM_DEAF    set: statx asks nobody, so that a test can see what a reader would get
 *     PCDF_NFSSHIM_WRITES  set: the process writes: only statfs(2) tells of NFS, what it puts is in the file
 */
#include "nfsfolders.h"
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

enum { FILES = 1024, PAGE = 4096, AHEAD = 8, NFS = 0x6969, EXPIRES = 3 };

static struct client { /* of an open file; one for each descriptor */
    bool is_watched;
    struct stat attributes;
    time_t since; /* 0: nothing is kept */
    unsigned char *pages;
    unsigned char *is_kept; /* a byte for each page */
    size_t room;            /* pages */
} clients[FILES];

static bool writes, is_deaf; /* as the environment said at the last open */

bool nfs_is_below(const char *path)
{
    const char *folder = getenv("PCDF_NFSSHIM_FOLDER");
    char real[PATH_MAX], top[PATH_MAX];
    return folder && path && realpath(path, real) && realpath(folder, top) &&
           !strncmp(real, top, strlen(top));
}

static bool caches(int fd)
{
    return fd >= 0 && fd < FILES && clients[fd].is_watched && !writes;
}

static void forget(struct client *c)
{
    if (c->is_kept)
        memset(c->is_kept, 0, c->room);
    c->since = 0;
}

static void look_at_server(int fd)
{
    struct client *c = &clients[fd];
    forget(c);
    (void)syscall(SYS_fstat, fd, &c->attributes);
    c->since = time(NULL);
}

static void look(int fd)
{
    if (clients[fd].since == 0 || time(NULL) - clients[fd].since >= EXPIRES)
        look_at_server(fd);
}

static bool has_room(struct client *c, size_t pages)
{
    if (pages <= c->room)
        return true;
    size_t room = pages * 2;
    unsigned char *more = realloc(c->pages, room * PAGE), *kept = more ? realloc(c->is_kept, room) : NULL;
    c->pages = more ? more : c->pages;
    if (!kept)
        return false;
    memset(kept + c->room, 0, room - c->room);
    c->is_kept = kept;
    c->room = room;
    return true;
}

/* ---- the calls */

PUBLIC int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (flags & O_CREAT)
        nfs_folder_changed(path);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && fd < FILES) {
        forget(&clients[fd]);
        clients[fd].is_watched = nfs_is_below(path);
        writes = getenv("PCDF_NFSSHIM_WRITES") != NULL;
        is_deaf = getenv("PCDF_NFSSHIM_DEAF") != NULL;
    }
    return fd;
}

PUBLIC int close(int fd)
{
    if (fd >= 0 && fd < FILES) {
        forget(&clients[fd]);
        clients[fd].is_watched = false;
    }
    return (int)syscall(SYS_close, fd);
}

PUBLIC ssize_t pread(int fd, void *bytes, size_t n, off_t offset)
{
    if (!caches(fd))
        return syscall(SYS_pread64, fd, bytes, n, offset);
    struct client *c = &clients[fd];
    look(fd);
    if (offset >= c->attributes.st_size)
        return 0;
    if (n > (size_t)(c->attributes.st_size - offset))
        n = (size_t)(c->attributes.st_size - offset);
    size_t first = (size_t)offset / PAGE, end = ((size_t)offset + n + PAGE - 1) / PAGE;
    if (!has_room(c, end + AHEAD))
        return syscall(SYS_pread64, fd, bytes, n, offset);
    for (size_t p = first; p < end; p++) {
        if (c->is_kept[p])
            continue;
        size_t ahead = p + 1; /* pages behind it come, too, if they are not kept */
        while (ahead < p + AHEAD && !c->is_kept[ahead])
            ahead++;
        ssize_t got = syscall(SYS_pread64, fd, c->pages + p * PAGE, (ahead - p) * PAGE, (off_t)(p * PAGE));
        if (got < 0)
            return got;
        memset(c->pages + p * PAGE + got, 0, (ahead - p) * PAGE - (size_t)got);
        memset(c->is_kept + p, 1, ahead - p);
    }
    memcpy(bytes, c->pages + offset, n);
    return (ssize_t)n;
}

PUBLIC int fstat(int fd, struct stat *found)
{
    if (!caches(fd))
        return (int)syscall(SYS_fstat, fd, found);
    look(fd);
    *found = clients[fd].attributes;
    return 0;
}

/* By a name, the client knows the file by its inode. */
PUBLIC int statx(int at, const char *path, int flags, unsigned mask, struct statx *found)
{
    int err = (int)syscall(SYS_statx, at, path, flags, mask, found);
    if (err || !(flags & AT_STATX_FORCE_SYNC) || is_deaf)
        return err;
    nfs_folder_fresh(at, path);
    for (int fd = 0; fd < FILES; fd++)
        if (caches(fd) &&
            (*path ? clients[fd].since && clients[fd].attributes.st_ino == found->stx_ino : fd == at))
            look_at_server(fd);
    return 0;
}

PUBLIC int statfs(const char *path, struct statfs *found)
{
    int err = (int)syscall(SYS_statfs, path, found);
    if (!err && nfs_is_below(path))
        found->f_type = NFS;
    return err;
}

PUBLIC int fstatfs(int fd, struct statfs *found)
{
    int err = (int)syscall(SYS_fstatfs, fd, found);
    if (!err && fd >= 0 && fd < FILES && clients[fd].is_watched)
        found->f_type = NFS;
    return err;
}
