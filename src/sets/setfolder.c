/* See setfolder.h: POSIX. */
#include "setfolder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "posixio.h"
#include "rootfile.h"
#include "status.h"

enum { NANO = 1000000000 };

static struct pcdf_setfacts facts_of(const struct stat *st)
{
    return (struct pcdf_setfacts){ .size = st->st_size,
                                   .inode = (int64_t)st->st_ino,
                                   .device = (int64_t)st->st_dev,
                                   .links = (int64_t)st->st_nlink,
                                   .changed = st->st_mtim.tv_sec * (int64_t)NANO + st->st_mtim.tv_nsec,
                                   .user = (int64_t)st->st_uid,
                                   .is_own = st->st_uid == geteuid() || st->st_uid == 0,
                                   .is_file = S_ISREG(st->st_mode) };
}

static int list(void *fs, const char *folder, pcdf_setvisit *visit, void *context)
{
    (void)fs;
    DIR *dir = opendir(folder);
    int err = dir ? NC_NOERR : pcdf_posix_error(errno, NC_EFILE, "listing", folder);
    struct dirent *e = NULL;
    struct statx fresh; /* a client of NFS asks the server, or the list is one that it kept */
    if (dir)
        (void)statx(dirfd(dir), "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_MTIME, &fresh);
    while (!err && (errno = 0, e = readdir(dir)))
        err = visit(context, e->d_name);
    if (!err && errno)
        err = pcdf_posix_error(errno, NC_EFILE, "listing", folder);
    if (dir)
        closedir(dir);
    return err;
}

static int read_small(void *fs, const char *path, size_t most, char **bytes, size_t *n,
                      struct pcdf_setfacts *facts)
{
    struct stat st;
    int64_t got = 0;
    (void)fs;
    int fd = pcdf_posix_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return pcdf_posix_error(errno, NC_EREAD, "opening", path);
    int err = fstat(fd, &st) ? pcdf_posix_error(errno, NC_EREAD, "inspecting", path) : NC_NOERR;
    if (!err && (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > most))
        err = PCDF_FAIL(NC_EFILE, "%s is no file of at most %zu bytes", path, most);
    char *made = err ? NULL : pcdf_malloc((size_t)st.st_size + 1);
    if (!err && !made)
        err = PCDF_FAIL(NC_ENOMEM, "no memory to read %s", path);
    if (!err)
        err = pcdf_posix_move(fd, PCDF_GET, made, st.st_size, 0, &got, path);
    close(fd);
    if (err) {
        pcdf_free(made);
        return err;
    }
    made[got] = '\0';
    if (facts)
        *facts = facts_of(&st);
    *bytes = made;
    *n = (size_t)got;
    return NC_NOERR;
}

/* Whoever cannot give a file to another user leaves it to the group alone. */
static int make_like(int fd, const char *path, const char *like)
{
    struct stat st, own;
    if (stat(like, &st) || fstat(fd, &own))
        return pcdf_posix_error(errno, NC_EFILE, "inspecting", like);
    bool is_given = (st.st_uid == own.st_uid && st.st_gid == own.st_gid) ||
                    !fchown(fd, st.st_uid, st.st_gid) || !fchown(fd, (uid_t)-1, st.st_gid);
    if (fchmod(fd, is_given ? st.st_mode & 0777 : st.st_mode & 0707))
        return pcdf_posix_error(errno, NC_EFILE, "protecting", path);
    return NC_NOERR;
}

static int write_new(void *fs, const char *path, const void *bytes, size_t n, const char *like)
{
    bool failed = false;
    (void)fs;
    int fd = pcdf_posix_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (fd < 0)
        return pcdf_posix_error(errno, NC_EWRITE, "creating", path);
    int err = like ? make_like(fd, path, like) : NC_NOERR;
    if (!err)
        err = pcdf_posix_move(fd, PCDF_PUT, (void *)bytes, (int64_t)n, 0, NULL, path);
    pcdf_first(&err, pcdf_posix_sync(fd, path, &failed));
    if (close(fd) && errno != EINTR)
        pcdf_first(&err, pcdf_posix_error(errno, NC_EWRITE, "closing", path));
    if (err)
        (void)unlink(path);
    return err;
}

static int rename_over(void *fs, const char *from, const char *to)
{
    (void)fs;
    return rename(from, to) ? pcdf_posix_error(errno, NC_EFILE, "renaming", from) : NC_NOERR;
}

static int rename_new(void *fs, const char *from, const char *to)
{
    (void)fs;
    return pcdf_file_root_rename(from, to, 1);
}

static int link_name(void *fs, const char *from, const char *to)
{
    (void)fs;
    if (!link(from, to))
        return NC_NOERR;
    if (errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK || errno == ENOSYS || errno == EXDEV)
        return PCDF_FAIL(NC_ENOTSUPPORT, "no second name for %s here", from);
    return pcdf_posix_error(errno, NC_EFILE, "linking", from);
}

static int unlink_name(void *fs, const char *path)
{
    (void)fs;
    return unlink(path) ? pcdf_posix_error(errno, NC_EFILE, "removing", path) : NC_NOERR;
}

static int make_folder(void *fs, const char *path)
{
    (void)fs;
    return mkdir(path, 0777) ? pcdf_posix_error(errno, NC_EFILE, "making", path) : NC_NOERR;
}

static int remove_folder(void *fs, const char *path)
{
    (void)fs;
    if (!rmdir(path))
        return NC_NOERR;
    return pcdf_posix_error(errno == ENOTEMPTY ? EEXIST : errno, NC_EFILE, "removing", path);
}

static int sync_folder(void *fs, const char *path)
{
    bool failed = false;
    (void)fs;
    int fd = pcdf_posix_open(path, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", path);
    int err = pcdf_posix_sync(fd, path, &failed);
    close(fd);
    return err;
}

static int look(void *fs, const char *path, struct pcdf_setfacts *facts)
{
    struct stat st;
    (void)fs;
    if (lstat(path, &st))
        return pcdf_posix_error(errno, NC_EFILE, "inspecting", path);
    *facts = facts_of(&st);
    return NC_NOERR;
}

static int64_t now(void *fs)
{
    struct timespec t;
    (void)fs;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * (int64_t)NANO + t.tv_nsec;
}

static enum pcdf_owner_state owner_state(void *fs, const struct pcdf_owner *owner)
{
    (void)fs;
    return pcdf_owner_look(owner);
}

static const struct pcdf_setfolder_ops ops = { .owner = owner_state,
                                               .list = list,
                                               .read = read_small,
                                               .write = write_new,
                                               .rename_over = rename_over,
                                               .rename_new = rename_new,
                                               .link = link_name,
                                               .unlink = unlink_name,
                                               .make_folder = make_folder,
                                               .remove_folder = remove_folder,
                                               .sync_folder = sync_folder,
                                               .look = look,
                                               .now = now };
const struct pcdf_setfs pcdf_setfs_posix = { .ops = &ops };
