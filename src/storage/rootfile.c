/* What rank 0 does with a file's name before and after the storages: make, probe, remove. */

#include "rootfile.h"
#include "status.h"
#include "filekind.h"
#include "posixio.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NO_WAIT = O_NONBLOCK | O_NOCTTY }; /* for open(2): waits for no peer (FIFO) */

/* The path for POSIX calls, or NULL with the failure kept. */
static const char *usable_path(const char *path)
{
    const char *posix = pcdf_path_posix(path);

    if (posix && *posix)
        return posix;
    pcdf_fail(NC_EBAD_FILE, "the file name is empty");
    return NULL;
}

/* What the path leads to, in a sentence; NC_NOERR where there is none for it. */
static int explain(int code, const char *path)
{
    char room[PCDF_FILEKIND_ROOM];
    const char *text = pcdf_filekind_say(pcdf_filekind_of(path), path, room);

    return text ? PCDF_FAIL(code, "%s: %s", path, text) : NC_NOERR;
}

/* Closes what was opened; a file, or a device, it must be. */
static int close_if_usable(int fd, const char *path)
{
    struct stat st;
    int err = fstat(fd, &st) ? pcdf_posix_error(errno, NC_EFILE, "inspecting", path) : NC_NOERR;

    if (!err && S_ISDIR(st.st_mode))
        err = explain(NC_EBAD_FILE, path);
    else if (!err && !S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode))
        err = PCDF_FAIL(NC_EBAD_FILE, "%s is neither a file nor a device", path);
    if (close(fd) && errno != EINTR)
        pcdf_first(&err, pcdf_posix_error(errno, NC_EFILE, "closing", path));
    return err;
}

int pcdf_file_root_make(const char *path, bool makes, bool *is_new)
{
    const char *posix = usable_path(path);
    struct stat st;

    *is_new = false;
    if (!posix)
        return NC_EBAD_FILE;
    if (makes) {
        int fd = pcdf_posix_open(posix, O_RDWR | O_CREAT | O_EXCL | NO_WAIT);
        *is_new = fd >= 0;
        if (fd >= 0)
            return close(fd) && errno != EINTR ? pcdf_posix_error(errno, NC_EFILE, "closing", posix)
                                               : NC_NOERR;
        if (errno == EEXIST)
            return NC_NOERR;
    }
    int why = errno;
    /* A server may refuse to make it before it says that it is there. */
    if (!lstat(posix, &st))
        return NC_NOERR;
    *is_new = !makes && errno == ENOENT;
    return *is_new ? NC_NOERR : pcdf_posix_error(makes ? why : errno, NC_EFILE, "creating", posix);
}

/* Which file a descriptor is of, if no name is left that leads to it. */
static struct pcdf_fileid if_gone(int fd)
{
    struct stat st;
    bool is_gone = fd >= 0 && !fstat(fd, &st) && st.st_nlink == 0;
    return is_gone ? pcdf_fileid_of(fd) : (struct pcdf_fileid){ 0 };
}

int pcdf_file_root_replace(const char *path, bool makes, bool *is_free, struct pcdf_fileid *gone)
{
    const char *posix = usable_path(path);
    struct stat st;

    *is_free = false;
    *gone = (struct pcdf_fileid){ 0 };
    if (!posix)
        return NC_EBAD_FILE;
    bool has_old = !lstat(posix, &st), is_gone = !has_old && errno == ENOENT;
    if (has_old && S_ISREG(st.st_mode)) {
        int old = pcdf_posix_open(posix, O_PATH | O_NOFOLLOW);
        is_gone = !unlink(posix);
        int why = errno;
        *gone = if_gone(old);
        if (old >= 0)
            close(old);
        if (!is_gone && why != ENOENT && why != EACCES && why != EPERM && why != EBUSY)
            return pcdf_posix_error(why, NC_EFILE, "removing the old", posix);
    }
    *is_free = is_gone && !makes;
    if (*is_free)
        return NC_NOERR;
    /* A directory that lets nothing be removed may still hold a file that can be emptied. */
    int fd = pcdf_posix_open(posix, O_RDWR | O_CREAT | O_TRUNC | NO_WAIT);
    return fd < 0 ? pcdf_posix_error(errno, NC_EFILE, "creating", posix) : close_if_usable(fd, posix);
}

int64_t pcdf_file_root_stamp(const char *path)
{
    enum { HOUR = 60 * 60 };
    const char *posix = usable_path(path);
    struct timespec now, times[2] = { { .tv_nsec = UTIME_OMIT } };
    struct stat st;

    if (!posix || clock_gettime(CLOCK_REALTIME, &now) || stat(posix, &st) || !S_ISREG(st.st_mode))
        return 0;
    times[1].tv_sec = now.tv_sec - (now.tv_nsec + now.tv_nsec / 1000 + getpid() * 7919LL) % HOUR;
    if (utimensat(AT_FDCWD, posix, times, 0) || stat(posix, &st))
        return 0;
    return st.st_mtim.tv_sec == times[1].tv_sec ? (int64_t)times[1].tv_sec : 0;
}

int pcdf_file_root_look(const char *path, bool *exists, bool *regular)
{
    const char *posix = usable_path(path);
    struct stat st;

    if (!posix)
        return NC_EBAD_FILE;
    *exists = !lstat(posix, &st);
    *regular = *exists && !stat(posix, &st) && S_ISREG(st.st_mode);
    return NC_NOERR;
}

int pcdf_file_root_rename(const char *from, const char *to, int noclobber)
{
    struct stat st;
    int err = noclobber ? renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) : rename(from, to);

    /* A file system that cannot do both at once may make a second name in one step (NFS); otherwise the name
     * is looked at just before. */
    if (err && noclobber && (errno == EINVAL || errno == ENOSYS)) {
        if (!link(from, to))
            err = unlink(from);
        else if (errno != EEXIST && lstat(to, &st))
            err = rename(from, to);
        else
            errno = EEXIST;
    }
    return err ? pcdf_posix_error(errno, NC_EFILE, "renaming the new file to", to) : NC_NOERR;
}

int pcdf_file_root_probe(const char *path, int for_writing)
{
    const char *posix = usable_path(path);

    if (!posix)
        return NC_EBAD_FILE;
    int fd = pcdf_posix_open(posix, (for_writing ? O_RDWR : O_RDONLY) | NO_WAIT);
    if (fd >= 0)
        return close_if_usable(fd, posix);
    int err = pcdf_posix_error(errno, NC_EFILE, "opening", posix);
    int told = strstr(path, "://") || errno == EISDIR ? explain(err, path) : NC_NOERR;
    return told ? told : err;
}

int pcdf_file_root_remove(const char *path)
{
    const char *posix = usable_path(path);

    if (!posix)
        return NC_EBAD_FILE;
    if (unlink(posix))
        return pcdf_posix_error(errno, NC_EFILE, "removing", posix);
    return NC_NOERR;
}
