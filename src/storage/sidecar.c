/* See sidecar.h. */

#include "sidecar.h"
#include "alloc.h"
#include "filelock.h"
#include "filesystem.h"
#include "permissions.h"
#include "posixio.h"
#include "sidename.h"
#include "status.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- its name */

int pcdf_sidecar_find(const char *file, const char *suffix, char **path, bool *is_there)
{
    enum { LAST_OTHER = 9 };
    const char *posix = pcdf_path_posix(file);
    char other[64], *real = realpath(posix, NULL), *name = NULL; /* real: of libc's memory */
    bool exists = true;
    struct stat st;

    *is_there = false;
    for (int n = 0; n <= LAST_OTHER && exists && !*is_there; n++) {
        pcdf_free(name);
        snprintf(other, sizeof other, ".%d%s", n, suffix);
        name = pcdf_sidename_beside(real ? real : posix, n ? other : suffix);
        exists = name && !lstat(name, &st);
        *is_there = exists && pcdf_sidename_is_ours(&st, posix, name);
    }
    free(real);
    if (!name)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the name beside %s", posix);
    if (!exists || *is_there) {
        *path = name;
        return NC_NOERR;
    }
    pcdf_free(name);
    return PCDF_FAIL(NC_EACCESS, "files of others have all names for .NAME%s beside %s", suffix, posix);
}

bool pcdf_sidecar_exists(const char *path)
{
    struct stat st;
    return !lstat(path, &st);
}

/* Not where it was removed, or renamed, by its last owner before we had the lock. */
bool pcdf_sidecar_has_name(const struct pcdf_sidecar *s, const char *path)
{
    struct stat named, open_file;
    if (fstat(s->fd, &open_file) || (path && lstat(path, &named)))
        return false;
    return path ? named.st_ino == open_file.st_ino && named.st_dev == open_file.st_dev
                : open_file.st_nlink > 0;
}

/* ---- opening and making */

/* makes: a new one, for this user alone; else one that exists, by the flags. */
static int open_named(const char *path, bool makes, int flags, struct pcdf_sidecar *s)
{
    *s = (struct pcdf_sidecar){ .fd = -1, .path = pcdf_strndup(path, strlen(path)) };
    if (!s->path)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    s->fd = makes ? pcdf_posix_make(path) : pcdf_posix_open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (s->fd >= 0)
        return NC_NOERR;
    int err = pcdf_posix_error(errno, NC_EFILE, "opening", path);
    pcdf_sidecar_close(s);
    return err;
}

int pcdf_sidecar_open(const char *file, const char *path, enum pcdf_sidecar_use use, struct pcdf_sidecar *s)
{
    struct stat st; /* what was opened, whatever has the name now */
    int err = open_named(path, false, use == PCDF_SIDECAR_READ ? O_RDONLY : O_RDWR, s);

    if (err)
        return err;
    if (fstat(s->fd, &st)) {
        err = pcdf_posix_error(errno, NC_EFILE, "inspecting", path);
    } else if (!pcdf_sidename_is_ours(&st, pcdf_path_posix(file), path)) {
        errno = EACCES;
        err = PCDF_FAIL(NC_EACCESS, "%s is not this library's: it belongs to user %ld and has %ld links",
                        path, (long)st.st_uid, (long)st.st_nlink);
    }
    if (!err && use == PCDF_SIDECAR_OWN)
        err = pcdf_filelock_own(s->fd, path, &s->lock_is_whole);
    if (err)
        pcdf_sidecar_close(s);
    return err;
}

int pcdf_sidecar_make_new(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s)
{
    int full = 0, err = open_named(path, true, 0, s);

    if (err)
        return err;
    err = pcdf_filelock_own(s->fd, path, &s->lock_is_whole);
    if (!err && !pcdf_sidecar_has_name(s, path))
        err = PCDF_FAIL(NC_EEXIST, "another process removed %s", path);
    if (!err) {
        pcdf_permissions_take(s->fd, pcdf_path_posix(file), 0666);
        do
            full = posix_fallocate(s->fd, 0, bytes > 0 ? bytes : 1);
        while (full == EINTR);
    }
    if (full == ENOSPC || full == EDQUOT || full == EIO) { /* else the file system cannot reserve */
        err = pcdf_posix_error(full, NC_EWRITE, "reserving room for", path);
        (void)pcdf_sidecar_remove(path);
    }
    if (err)
        pcdf_sidecar_close(s);
    return err;
}

int pcdf_sidecar_make(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s)
{
    for (int tries = 0; tries < 8; tries++) {
        int err = pcdf_sidecar_make_new(file, path, bytes, s);
        if (err != NC_EEXIST)
            return err;

        /* One of ours that nobody holds makes room; what is not ours, or held, stays. */
        struct pcdf_sidecar old;
        err = pcdf_sidecar_open(file, path, PCDF_SIDECAR_OWN, &old);
        if (err == NC_ENOENT)
            continue;
        PCDF_TRY(err);
        if (pcdf_sidecar_has_name(&old, path))
            err = pcdf_sidecar_remove(path);
        pcdf_first(&err, pcdf_sidecar_close(&old));
        PCDF_TRY(err);
    }
    return PCDF_FAIL(NC_EACCESS, "other processes make and remove %s all the time", path);
}

/* ---- its bytes */

int pcdf_sidecar_size(const struct pcdf_sidecar *s, int64_t *bytes)
{
    struct stat st;
    if (fstat(s->fd, &st))
        return pcdf_posix_error(errno, NC_EFILE, "inspecting", s->path);
    *bytes = st.st_size;
    return NC_NOERR;
}

int pcdf_sidecar_put(struct pcdf_sidecar *s, const void *data, int64_t bytes, int64_t offset)
{
    return pcdf_posix_move(s->fd, PCDF_PUT, (void *)data, bytes, offset, NULL, s->path);
}

int pcdf_sidecar_get(struct pcdf_sidecar *s, void *data, int64_t bytes, int64_t offset, int64_t *got)
{
    int64_t there = 0;
    int err = pcdf_posix_move(s->fd, PCDF_GET, data, bytes, offset, &there, s->path);
    if (got)
        *got = there;
    return err;
}

int pcdf_sidecar_sync(struct pcdf_sidecar *s)
{
    if (s->sync_failed)
        return PCDF_FAIL(NC_EWRITE, "an earlier sync of %s failed", s->path);
    return pcdf_posix_sync(s->fd, s->path, &s->sync_failed);
}

int pcdf_sidecar_sync_folder(const char *path)
{
    /* No memory is asked for: what was done cannot be undone for want of it. */
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    int fd, err = NC_NOERR;
    bool failed = false;

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    fd = pcdf_posix_open(folder, O_RDONLY | O_DIRECTORY);
    if (fd >= 0) {
        err = pcdf_posix_sync(fd, folder, &failed);
    } else if (errno != EACCES) {
        err = pcdf_posix_error(errno, NC_EFILE, "opening the folder of", path);
    } else {
        /* A folder that may be written but not read (mode 0333) cannot be opened for fsync. A flush of its
         * whole file system takes its names, too, where the file system is of this machine; an NFS server has
         * stored them before it answers (RFC 1813, 4.8). Of other file systems nothing is known, and nothing
         * is promised. */
        fd = pcdf_posix_open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
        if (fd < 0)
            fd = pcdf_posix_open(folder, O_TMPFILE | O_WRONLY);
        if (fd < 0)
            err = pcdf_posix_error(errno, NC_EFILE, "opening, to store its names, the folder", folder);
        else if (pcdf_filesystem_of(fd)->is_local)
            err = syncfs(fd) ? pcdf_posix_error(errno, NC_EWRITE, "storing the names of", folder) : NC_NOERR;
        else if (!pcdf_filesystem_of(fd)->stores_names)
            err = PCDF_FAIL(NC_EACCESS,
                            "that %s is on the storage cannot be promised: its folder may not be read", path);
    }
    if (fd >= 0)
        close(fd);
    return err;
}

int pcdf_sidecar_close(struct pcdf_sidecar *s)
{
    int err = NC_NOERR;
    if (s->fd >= 0 && close(s->fd) && errno != EINTR)
        err = pcdf_posix_error(errno, NC_EWRITE, "closing", s->path);
    pcdf_free(s->path);
    s->fd = -1;
    s->path = NULL;
    return err;
}

int pcdf_sidecar_remove(const char *path)
{
    if (unlink(path) && errno != ENOENT)
        return pcdf_posix_error(errno, NC_EFILE, "removing", path);
    return NC_NOERR;
}

int pcdf_sidecar_each(const char *file, const char *suffix, bool (*visit)(void *context, const char *path),
                      void *context)
{
    enum { MOST_NAMES = 1 << 20, MOST_VISITS = 1 << 12 };
    const char *posix = pcdf_path_posix(file);
    char path[PATH_MAX], *real = realpath(posix, NULL); /* libc's memory */
    const char *whole = real ? real : posix, *slash = strrchr(whole, '/');
    size_t folder = slash ? (size_t)(slash + 1 - whole) : 0, end = strlen(suffix);

    snprintf(path, sizeof path, "%.*s", (int)folder, whole);
    errno = ENAMETOOLONG;
    DIR *names = folder < sizeof path ? opendir(folder ? path : ".") : NULL;
    int err = names ? NC_NOERR : pcdf_posix_error(errno, NC_EFILE, "listing the folder of", file);
    bool goes_on = !err;
    for (int i = 0, visits = 0; goes_on && i < MOST_NAMES && visits < MOST_VISITS; i++) {
        const struct dirent *entry = readdir(names);
        if (!entry)
            break;
        size_t n = strlen(entry->d_name);
        if (entry->d_name[0] != '.' || n <= end || strcmp(entry->d_name + n - end, suffix) != 0 ||
            folder + n >= sizeof path)
            continue;
        memcpy(path + folder, entry->d_name, n + 1);
        visits++;
        goes_on = visit(context, path);
    }
    if (names)
        closedir(names);
    free(real);
    return err;
}

/* ---- the user's file */

static struct pcdf_sidecar_facts facts_of(const struct stat *st)
{
    return (struct pcdf_sidecar_facts){ st->st_size, (int64_t)st->st_ino, st->st_mtim.tv_sec,
                                        st->st_mtim.tv_nsec, (int64_t)st->st_nlink };
}

int pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts)
{
    struct stat st;
    if (stat(pcdf_path_posix(file), &st))
        return pcdf_posix_error(errno, NC_EFILE, "inspecting", file);
    *facts = facts_of(&st);
    return NC_NOERR;
}

int pcdf_sidecar_sync_file(const char *file)
{
    const char *path = pcdf_path_posix(file);
    bool failed = false;
    int fd = pcdf_posix_open(path, O_RDWR), err;

    if (fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", path);
    err = pcdf_posix_sync(fd, path, &failed);
    close(fd);
    return err;
}

int pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got,
                      struct pcdf_sidecar_facts *facts)
{
    const char *path = pcdf_path_posix(file);
    int fd = pcdf_posix_open(path, O_RDONLY | O_NONBLOCK), err; /* a FIFO would let it wait */
    struct stat st;

    if (fd < 0 || fstat(fd, &st)) {
        err = pcdf_posix_error(errno, NC_EFILE, "opening", path);
    } else {
        *got = 0;
        if (facts)
            *facts = facts_of(&st);
        err = pcdf_posix_move(fd, PCDF_GET, bytes, n, 0, got, path);
    }
    if (fd >= 0)
        close(fd);
    return err;
}
