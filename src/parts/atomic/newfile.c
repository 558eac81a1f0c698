/* See newfile.h. */
#include "status.h"
#include "newfile.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "journalfile.h"
#include "crc32c.h"
#include "fileplace.h"
#include "rootfile.h"
#include "filesystem.h"
#include "owner.h"
#include "permissions.h"
#include "posixio.h"
#include "sidecar.h"
#include "sidename.h"
#include "stripes.h"

struct pcdf_newfile {
    char *final; /* real path from the root, for POSIX calls */
    dev_t device;
    ino_t inode; /* 0: not known yet */
    int lock;    /* descriptor whose lock shows its use; -1: none */
};

/* ---- its name */

static uint32_t machine_of(const struct pcdf_owner *owner)
{
    uint32_t sum = pcdf_crc32c(0, owner->boot, strlen(owner->boot));
    return pcdf_crc32c(sum, &owner->space, sizeof owner->space);
}

/* ---- what others left */

/* Is this the name of a new file of `final`? *owner, *known: its job, where that ran on this machine. */
static bool is_such_name(const char *final, const char *entry, struct pcdf_owner *owner, bool *known)
{
    struct pcdf_owner self;
    char middle[160];
    uint32_t machine;
    size_t end = strlen(PCDF_NEW_SUFFIX), length = strlen(entry);
    if (length <= end || strcmp(entry + length - end, PCDF_NEW_SUFFIX) != 0)
        return false;
    const char *at = entry + length - end - 1;
    while (at > entry && *at != '.')
        at--;
    const char *dash = strchr(at, '-');
    if (!dash || at == entry || strlen(at) >= sizeof middle)
        return false;
    *owner = (struct pcdf_owner){ 0 };
    if (sscanf(dash, "-%" SCNd64 "-%8" SCNx32 "-%" SCNd64 "-", &owner->process, &machine, &owner->started) !=
        3)
        return false;
    pcdf_owner_self(&self);
    *known = machine == machine_of(&self);
    owner->space = self.space;
    strcpy(owner->boot, self.boot);
    strcpy(middle, at);
    char *same = pcdf_sidename_beside(final, middle);
    bool is = same && strcmp(strrchr(same, '/') ? strrchr(same, '/') + 1 : same, entry) == 0;
    pcdf_free(same);
    return is;
}

enum { DAY = 24 * 60 * 60, LOCAL_AGE = 2 * DAY, OTHER_AGE = 7 * DAY };

/* Removes one that nobody holds, and that is old, or of a job that has ended, with its journal. A lock is
 * taken on file systems of one machine only: elsewhere it may be one with the locks that MPI-IO takes, so
 * there is none to be seen, and a file must be older. */
static void remove_abandoned(const char *final, const char *folder, const char *entry)
{
    struct pcdf_owner owner;
    struct stat st;
    char *journal = NULL;
    bool known = false, has_journal = false;
    if (!is_such_name(final, entry, &owner, &known))
        return;
    size_t size = strlen(folder) + strlen(entry) + 2;
    char *path = pcdf_malloc(size);
    if (!path)
        return;
    snprintf(path, size, "%s/%s", folder, entry);
    bool is_file = !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1;
    int fd = is_file ? pcdf_posix_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) : -1;
    if (fd >= 0) {
        bool has_ended = known && pcdf_owner_look(&owner) == PCDF_OWNER_ENDED;
        bool is_local = pcdf_filesystem_of(fd)->is_local;
        bool is_free = !is_local || flock(fd, LOCK_EX | LOCK_NB) == 0;
        bool is_old = !fstat(fd, &st) && time(NULL) - st.st_mtime > (is_local ? LOCAL_AGE : OTHER_AGE);
        close(fd);
        if (is_free && (has_ended || is_old)) {
            if (!pcdf_sidecar_find(path, PCDF_JOURNAL_SUFFIX, &journal, &has_journal) && has_journal)
                (void)pcdf_sidecar_remove(journal);
            (void)unlink(path);
        }
    }
    pcdf_free(journal);
    pcdf_free(path);
}

/* Where the folder may not be read, or memory is short, they stay. */
static void remove_all_abandoned(const char *final)
{
    const char *slash = strrchr(final, '/');
    size_t length = !slash || slash == final ? 1 : (size_t)(slash - final);
    char *folder = pcdf_strndup(slash ? final : ".", length);
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] == '.')
            remove_abandoned(final, folder, e->d_name);
    if (dir)
        closedir(dir);
    pcdf_free(folder);
}

/* ---- making it */

/* What stands between the file's name and the end. The host's name is for people. */
static char *chosen_name(const char *final)
{
    static _Atomic int calls;
    char middle[160];
    struct pcdf_owner self;
    pcdf_owner_self(&self);
    for (char *c = self.host; *c; c++)
        if (*c == '.' || *c == '-')
            *c = '_';
    snprintf(middle, sizeof middle, ".%.24s-%" PRId64 "-%08" PRIx32 "-%" PRId64 "-%d" PCDF_NEW_SUFFIX,
             self.host, self.process, machine_of(&self), self.started, ++calls);
    return pcdf_sidename_beside(final, middle);
}

int pcdf_newfile_root_begin_as(const char *user_path, const char *chosen, struct pcdf_newfile **n,
                               char **path)
{
    const char *posix = pcdf_path_posix(user_path);
    char *real = realpath(posix, NULL); /* in libc's memory */
    char *final = real ? pcdf_strndup(real, strlen(real)) : pcdf_fileplace_absolute(posix);
    struct pcdf_newfile *made = pcdf_calloc(1, sizeof *made);
    char *name = chosen ? pcdf_strndup(chosen, strlen(chosen)) : final ? chosen_name(final) : NULL;

    /* The prefix that says which file system it is stays before the name. */
    size_t prefix = (size_t)(posix - user_path), size = name ? prefix + strlen(name) + 1 : 0;
    *path = name ? pcdf_malloc(size) : NULL;
    if (*path)
        snprintf(*path, size, "%.*s%s", (int)prefix, user_path, name);
    pcdf_free(name);
    if (made) {
        made->lock = -1;
        made->final = final;
    } else {
        pcdf_free(final);
    }
    free(real);
    if (!made || !made->final || !*path) {
        pcdf_newfile_free(made);
        return PCDF_FAIL(NC_ENOMEM, "no memory to create %s", user_path);
    }
    if (!chosen)
        remove_all_abandoned(made->final);
    *n = made;
    return NC_NOERR;
}

int pcdf_newfile_root_begin(const char *user_path, struct pcdf_newfile **n, char **path)
{
    return pcdf_newfile_root_begin_as(user_path, NULL, n, path);
}

int pcdf_newfile_root_make(const struct pcdf_newfile *n, const char *path)
{
    const char *posix = pcdf_path_posix(path);
    struct stat st;
    bool has_old = !stat(n->final, &st);
    int fd;
    if (has_old) { /* made empty, so that it can be striped */
        if (mknod(posix, S_IFREG | 0600, 0) == 0) {
            pcdf_stripes_like(posix, n->final);
            return NC_NOERR;
        }
        if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP)
            return pcdf_posix_error(errno, NC_EFILE, "creating", posix);
        fd = pcdf_posix_make(posix);
    } else {
        fd = pcdf_posix_open(posix, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
    }
    if (fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "creating", posix);
    close(fd);
    return NC_NOERR;
}

int pcdf_newfile_root_keep(struct pcdf_newfile *n, const char *path)
{
    struct stat st;
    if (!n)
        return NC_NOERR;
    const char *posix = pcdf_path_posix(path);
    int fd = pcdf_posix_open(posix, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st)) {
        int err = pcdf_posix_error(errno, NC_EFILE, "opening", posix);
        if (fd >= 0)
            close(fd);
        return err;
    }
    n->device = st.st_dev;
    n->inode = st.st_ino;
    if (!stat(n->final, &st)) /* MPI may have made it */
        (void)!fchmod(fd, 0600);
    if (pcdf_filesystem_of(fd)->is_local && flock(fd, LOCK_SH | LOCK_NB) == 0)
        n->lock = fd;
    else
        close(fd);
    return NC_NOERR;
}

/* ---- its end */

/* -1: the name leads elsewhere. */
static int open_this(const struct pcdf_newfile *n, const char *posix)
{
    struct stat st;
    int fd = pcdf_posix_open(posix, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0 && !fstat(fd, &st) && st.st_dev == n->device && st.st_ino == n->inode)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void unlock(struct pcdf_newfile *n)
{
    if (n->lock >= 0)
        close(n->lock);
    n->lock = -1;
}

int pcdf_newfile_root_prove(const struct pcdf_newfile *n, const char *path)
{
    const char *posix = pcdf_path_posix(path);
    struct stat old;
    int fd = open_this(n, posix);
    if (fd < 0)
        return PCDF_FAIL(NC_EWRITE,
                         "%s is not the file any more that was written: somebody removed or "
                         "replaced it; %s stays as it was",
                         posix, n->final);
    if (!stat(n->final, &old) && S_ISREG(old.st_mode))
        pcdf_permissions_take(fd, n->final, 0777);
    close(fd);
    return NC_NOERR;
}

int pcdf_newfile_root_publish(struct pcdf_newfile *n, const char *path, bool noclobber, bool *renamed)
{
    PCDF_TRY(pcdf_newfile_root_prove(n, path));
    PCDF_TRY(pcdf_file_root_rename(pcdf_path_posix(path), n->final, noclobber));
    *renamed = true;
    unlock(n);
    return pcdf_sidecar_sync_folder(n->final);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void pcdf_newfile_root_follow(struct pcdf_newfile *n, const char *path, char now[PATH_MAX])
{
    const char *posix = pcdf_path_posix(path), *final = last_part(n->final);
    bool is_known = pcdf_fileplace_now(n->lock, posix, now);
    size_t folder = (size_t)(last_part(now) - now), length = strlen(final);
    bool is_beside = folder == (size_t)(final - n->final) && !strncmp(now, n->final, folder);
    if (!is_known || is_beside || strcmp(last_part(now), last_part(posix)) != 0)
        return;
    char *moved = pcdf_malloc(folder + length + 1);
    if (!moved)
        return;
    memcpy(moved, now, folder);
    memcpy(moved + folder, final, length + 1);
    pcdf_free(n->final);
    n->final = moved;
}

const char *pcdf_newfile_final(const struct pcdf_newfile *n)
{
    return n->final;
}

void pcdf_newfile_root_remove(const struct pcdf_newfile *n, const char *path)
{
    if (!n || !path)
        return;
    const char *posix = pcdf_path_posix(path);
    int fd = n->inode ? open_this(n, posix) : -1;
    /* A file of this name is ours as long as nobody else's was seen there. */
    if (fd >= 0 || !n->inode)
        (void)unlink(posix);
    if (fd >= 0)
        close(fd);
}

void pcdf_newfile_free(struct pcdf_newfile *n)
{
    if (!n)
        return;
    unlock(n);
    pcdf_free(n->final);
    pcdf_free(n);
}
