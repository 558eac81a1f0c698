/* See sidecar.h. */

#include "sidecar.h"
#include "alloc.h"
#include "filelock.h"
#include "filesystem.h"
#include "permissions.h"
#include "posixio.h"
#include "rootfile.h"
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
#include <sys/vfs.h>
#include <unistd.h>

int pcdf_sidecar_path(const char *file, const char *suffix, char **path)
{
    const char *posix = pcdf_path_posix(file);
    char *real = realpath(posix, NULL); /* of libc's memory */

    *path = pcdf_sidename_beside(real ? real : posix, suffix);
    free(real);
    return *path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for the name beside %s", file);
}

int pcdf_sidecar_find(const char *file, const char *suffix, char **path, bool *is_there)
{
    const char *posix = pcdf_path_posix(file);
    char *real = realpath(posix, NULL); /* of libc's memory */
    int err = pcdf_sidename_find(real ? real : posix, suffix, path, is_there);

    free(real);
    return err;
}

static int keep_path(const char *path, struct pcdf_sidecar *s)
{
    s->sync_failed = false;
    s->path = pcdf_strndup(path, strlen(path));
    return s->path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
}

/* s->path goes where no descriptor came. */
static int check_opened(struct pcdf_sidecar *s)
{
    if (s->fd >= 0)
        return NC_NOERR;
    int err = pcdf_error_from_errno(errno, "opening", s->path);
    pcdf_free(s->path);
    s->path = NULL;
    return err;
}

/* What was opened, not what has the name by now. */
static int check_ours(const char *file, struct pcdf_sidecar *s)
{
    struct stat side, data;

    if (fstat(s->fd, &side))
        return pcdf_error_from_errno(errno, "inspecting", s->path);
    if (stat(pcdf_path_posix(file), &data)) /* not made yet, or gone: by this user */
        data = (struct stat){ .st_uid = geteuid() };
    if (pcdf_sidename_is_ours(&side, &data, s->path))
        return NC_NOERR;
    errno = EACCES;
    return PCDF_FAIL(NC_EACCESS, "%s is not this library's: it belongs to user %ld and has %ld links",
                     s->path, (long)side.st_uid, (long)side.st_nlink);
}

int pcdf_sidecar_lock(struct pcdf_sidecar *s)
{
    return pcdf_filelock_own(s->fd, s->path, &s->lock_is_whole);
}

void pcdf_sidecar_join(const struct pcdf_sidecar *s)
{
    pcdf_filelock_join(s->fd);
}

/* Not where it was removed, or renamed, by its last owner before we had the lock. */
bool pcdf_sidecar_has_name(const struct pcdf_sidecar *s, const char *path)
{
    struct stat named, open_file;
    return !lstat(path, &named) && !fstat(s->fd, &open_file) && named.st_ino == open_file.st_ino &&
           named.st_dev == open_file.st_dev;
}

bool pcdf_sidecar_is_linked(const struct pcdf_sidecar *s)
{
    struct stat st;
    return !fstat(s->fd, &st) && st.st_nlink > 0;
}

/* One of ours that nobody holds makes room; what is not ours, or held, stays. */
static int make_room(const char *file, const char *path)
{
    struct pcdf_sidecar old;
    int err = pcdf_sidecar_open(file, path, true, &old);

    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    if (pcdf_sidecar_has_name(&old, path))
        err = pcdf_sidecar_remove(path);
    pcdf_first(&err, pcdf_sidecar_close(&old));
    return err;
}

/* Under a name that was free. */
static int make_locked(const char *path, struct pcdf_sidecar *s)
{
    PCDF_TRY(keep_path(path, s));
    s->fd = pcdf_posix_make(path);
    PCDF_TRY(check_opened(s));
    int err = pcdf_sidecar_lock(s);
    if (!err && !pcdf_sidecar_has_name(s, path))
        err = PCDF_FAIL(NC_EEXIST, "another process removed %s", path);
    if (err)
        pcdf_sidecar_close(s);
    return err;
}

static int reserve(struct pcdf_sidecar *s, int64_t bytes)
{
    int full;

    do
        full = posix_fallocate(s->fd, 0, bytes > 0 ? bytes : 1);
    while (full == EINTR);
    if (full == ENOSPC || full == EDQUOT || full == EIO)
        return pcdf_posix_error(full, NC_EWRITE, "reserving room for", s->path);
    return NC_NOERR;
}

int pcdf_sidecar_make_new(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s)
{
    *s = (struct pcdf_sidecar){ .fd = -1 };
    PCDF_TRY(make_locked(path, s));
    pcdf_permissions_take(s->fd, pcdf_path_posix(file), 0666);
    int err = reserve(s, bytes);
    if (err) {
        (void)pcdf_sidecar_remove(path);
        pcdf_sidecar_close(s);
    }
    return err;
}

int pcdf_sidecar_make(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s)
{
    int err = NC_EEXIST;
    for (int tries = 0; tries < 8 && err == NC_EEXIST; tries++) {
        err = pcdf_sidecar_make_new(file, path, bytes, s);
        if (err == NC_EEXIST)
            PCDF_TRY(make_room(file, path));
    }
    return err != NC_EEXIST ? err
                            : PCDF_FAIL(NC_EACCESS, "other processes make and remove %s all the time", path);
}

static int open_for(int access, const char *file, const char *path, struct pcdf_sidecar *s)
{
    *s = (struct pcdf_sidecar){ .fd = -1 };
    PCDF_TRY(keep_path(path, s));
    s->fd = pcdf_posix_open(path, access | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    PCDF_TRY(check_opened(s));
    int err = check_ours(file, s);
    if (err)
        pcdf_sidecar_close(s);
    return err;
}

int pcdf_sidecar_open(const char *file, const char *path, bool locked, struct pcdf_sidecar *s)
{
    PCDF_TRY(open_for(O_RDWR, file, path, s));
    int err = locked ? pcdf_sidecar_lock(s) : NC_NOERR;
    if (err)
        pcdf_sidecar_close(s);
    return err;
}

int pcdf_sidecar_open_read(const char *file, const char *path, struct pcdf_sidecar *s)
{
    return open_for(O_RDONLY, file, path, s);
}

bool pcdf_sidecar_exists(const char *path)
{
    struct stat st;
    return !lstat(path, &st);
}

int pcdf_sidecar_size(const struct pcdf_sidecar *s, int64_t *bytes)
{
    struct stat st;
    if (fstat(s->fd, &st))
        return pcdf_error_from_errno(errno, "inspecting", s->path);
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

/* A folder that may be written but not read (mode 0333) cannot be opened for fsync. A flush of its whole file
 * system takes its names, too, where the file system is of this machine; an NFS server has stored them before
 * it answers (RFC 1813, 4.8). Of other file systems nothing is known, and nothing is promised. */
static int sync_unreadable(const char *path, const char *folder)
{
    int fd = pcdf_posix_open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY), err = NC_NOERR;

    if (fd < 0)
        fd = pcdf_posix_open(folder, O_TMPFILE | O_WRONLY);
    if (fd < 0)
        return pcdf_error_from_errno(errno, "opening, to store its names, the folder", folder);
    if (pcdf_filesystem_holds_locally(fd))
        err = syncfs(fd) ? pcdf_posix_error(errno, NC_EWRITE, "storing the names of", folder) : NC_NOERR;
    else if (!pcdf_filesystem_stores_names(fd))
        err = PCDF_FAIL(NC_EACCESS,
                        "that %s is on the storage cannot be promised: its folder may not be read", path);
    close(fd);
    return err;
}

int pcdf_sidecar_sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? pcdf_strndup(path, slash > path ? (size_t)(slash - path) : 1) : NULL;
    const char *named = folder ? folder : ".";
    bool failed = false;
    int fd, err;

    if (slash && !folder)
        return NC_ENOMEM;
    fd = pcdf_posix_open(named, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        err = errno == EACCES ? sync_unreadable(path, named)
                              : pcdf_error_from_errno(errno, "opening the folder of", path);
    } else {
        err = pcdf_posix_sync(fd, named, &failed);
        close(fd);
    }
    pcdf_free(folder);
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
        return pcdf_error_from_errno(errno, "removing", path);
    return NC_NOERR;
}

int pcdf_sidecar_rename(struct pcdf_sidecar *s, const char *path)
{
    char *copy = pcdf_strndup(path, strlen(path));
    int err =
        copy ? pcdf_file_root_rename(s->path, path, true) : PCDF_FAIL(NC_ENOMEM, "no memory for %s", path);
    if (err) {
        pcdf_free(copy);
        return err;
    }
    pcdf_free(s->path);
    s->path = copy;
    return NC_NOERR;
}

/* The folder of the real file, with its slash; "" is where the process is. The caller frees it. */
static char *folder_of(const char *file)
{
    const char *posix = pcdf_path_posix(file);
    char *real = realpath(posix, NULL); /* of libc's memory */
    const char *whole = real ? real : posix, *slash = strrchr(whole, '/');
    char *folder = pcdf_strndup(whole, slash ? (size_t)(slash + 1 - whole) : 0);
    free(real);
    return folder;
}

static bool is_side_name(const char *name, const char *suffix)
{
    size_t n = strlen(name), end = strlen(suffix);
    return name[0] == '.' && n > end && strcmp(name + n - end, suffix) == 0;
}

int pcdf_sidecar_each(const char *file, const char *suffix, bool (*visit)(void *context, const char *path),
                      void *context)
{
    enum { MOST_NAMES = 1 << 20, MOST_VISITS = 1 << 12 };
    char path[PATH_MAX], *folder = folder_of(file);
    if (!folder)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the folder of %s", file);
    DIR *names = opendir(folder[0] ? folder : ".");
    int err = names ? NC_NOERR : pcdf_error_from_errno(errno, "listing the folder of", file);
    bool goes_on = true;
    for (int i = 0, visits = 0; !err && goes_on && i < MOST_NAMES && visits < MOST_VISITS; i++) {
        const struct dirent *entry = readdir(names);
        if (!entry)
            break;
        if (!is_side_name(entry->d_name, suffix) ||
            snprintf(path, sizeof path, "%s%s", folder, entry->d_name) >= (int)sizeof path)
            continue;
        visits++;
        goes_on = visit(context, path);
    }
    if (names)
        closedir(names);
    pcdf_free(folder);
    return err;
}

static struct pcdf_sidecar_facts facts_of(const struct stat *st)
{
    return (struct pcdf_sidecar_facts){ st->st_size, (int64_t)st->st_ino, st->st_mtim.tv_sec,
                                        st->st_mtim.tv_nsec, (int64_t)st->st_nlink };
}

int pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts)
{
    struct stat st;
    if (stat(pcdf_path_posix(file), &st))
        return pcdf_error_from_errno(errno, "inspecting", file);
    *facts = facts_of(&st);
    return NC_NOERR;
}

int pcdf_sidecar_inode(const char *file, int64_t *inode)
{
    struct pcdf_sidecar_facts facts;
    PCDF_TRY(pcdf_sidecar_inspect(file, &facts));
    *inode = facts.inode;
    return NC_NOERR;
}

int pcdf_sidecar_sync_file(const char *file)
{
    const char *path = pcdf_path_posix(file);
    bool failed = false;
    int fd = pcdf_posix_open(path, O_RDWR), err;

    if (fd < 0)
        return pcdf_error_from_errno(errno, "opening", path);
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
        err = pcdf_error_from_errno(errno, "opening", path);
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

bool pcdf_sidecar_in_memory(const char *file)
{
    static const long memory[] = { 0x01021994, 0x858458f6L }; /* tmpfs, ramfs: statfs(2) */
    struct statfs fs;

    return !statfs(pcdf_path_posix(file), &fs) && (fs.f_type == memory[0] || fs.f_type == memory[1]);
}
