/* A file, and a folder whose files are objects. The device is no part of a pin: that number is each node's
 * own (mpiio/object.h). */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "below.h"
#include "keypins.h"
#include "posixio.h"
#include "status.h"
#include "storekind.h"

struct filestore {
    struct pcdf_store store;
    const char *path; /* for POSIX calls: in the name */
    int folder;       /* -1: of a file */
    int fd;           /* of the object that was read last; -1: none */
    char *key;        /* of that object, in a folder. Owned */
    int64_t size;     /* of that object when it was opened */
    struct pcdf_keypins pins;
};

static void drop_object(struct filestore *f)
{
    if (f->fd >= 0)
        close(f->fd);
    pcdf_free(f->key);
    f->fd = -1;
    f->key = NULL;
}

enum { TO_READ = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY }; /* a pipe would block */

/* Of a descriptor, or of none: errno says why there is none. It must be of a regular file, and nothing else.
 */
static int take_regular(const char *told, struct stat *st, int *fd)
{
    if (*fd >= 0 && fstat(*fd, st) == 0 && S_ISREG(st->st_mode))
        return NC_NOERR;
    if (*fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", told);
    bool is_folder = S_ISDIR(st->st_mode);
    close(*fd);
    *fd = -1;
    errno = is_folder ? EISDIR : EINVAL;
    return PCDF_FAIL(NC_EBAD_FILE, "%s is not a regular file", told);
}

static int open_regular(int folder, const char *path, const char *told, struct stat *st, int *fd)
{
    do
        *fd = openat(folder, path, TO_READ);
    while (*fd < 0 && errno == EINTR);
    return take_regular(told, st, fd);
}

/* What references name. flags: TO_READ, or O_PATH to look whether it is there. */
static int open_bound(const struct filestore *f, int flags, struct stat *st, int *fd)
{
    const struct pcdf_bond *bond = &f->store.bond;
    const char *rest = f->store.name + strlen(bond->folder);
    int folder = pcdf_posix_open(bond->folder, O_PATH | O_DIRECTORY);
    if (folder < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", bond->folder);
    *fd = pcdf_below_open(folder, rest + strspn(rest, "/"), flags);
    int why = errno;
    close(folder);
    errno = why;
    if (*fd < 0 && (why == EXDEV || why == ELOOP))
        return PCDF_FAIL(NC_EACCESS,
                         "%s: a link there leads out of %s, where references may not lead (hint "
                         "pcdf_references names folders that they may lead to)",
                         f->store.name, bond->folder);
    return take_regular(f->store.name, st, fd);
}

/* ---- a file */

static struct pcdf_pin pin_of(const struct stat *st)
{
    struct pcdf_pin pin = { .size = st->st_size };
    snprintf(pin.tag, sizeof pin.tag, "file %llu %lld.%09ld", (unsigned long long)st->st_ino,
             (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
    return pin;
}

/* The time stands behind the last blank. */
bool pcdf_pin_is_grown(const struct pcdf_pin *was, const struct pcdf_pin *is)
{
    const char *time = strrchr(was->tag, ' ');
    return time && !strncmp(was->tag, "file ", 5) && is->size >= was->size &&
           !strncmp(was->tag, is->tag, (size_t)(time - was->tag) + 1);
}

/* The first look pins it. */
static int open_file(struct filestore *f)
{
    struct stat st;
    if (f->fd >= 0)
        return NC_NOERR;
    PCDF_TRY(f->store.bond.folder ? open_bound(f, TO_READ, &st, &f->fd)
                                  : open_regular(AT_FDCWD, f->path, f->store.name, &st, &f->fd));
    struct pcdf_pin pin = pin_of(&st);
    if (f->store.is_pinned && (pin.size != f->store.pin.size || strcmp(pin.tag, f->store.pin.tag) != 0)) {
        drop_object(f);
        return PCDF_FAIL(NC_EREAD,
                         "%s is not the file any more that was opened: it has been changed or replaced",
                         f->store.name);
    }
    f->store.pin = pin;
    f->store.is_pinned = true;
    f->size = pin.size;
    return NC_NOERR;
}

static int file_pin(struct pcdf_store *s, struct pcdf_pin *pin)
{
    PCDF_TRY(open_file((struct filestore *)s));
    *pin = s->pin;
    return NC_NOERR;
}

/* ---- a folder */

static int told_of(const struct pcdf_store *s, const char *key, char told[PATH_MAX])
{
    snprintf(told, PATH_MAX, "%s/%s", s->name, key);
    return pcdf_store_is_key(key) ? NC_NOERR
                                  : PCDF_FAIL(NC_EREAD, "%s: \"%.200s\" is no name in it", s->name, key);
}

/* A key that leads to nothing: is there really nothing, or a link to what is not there (a disk that is not
 * mounted), or is the folder itself no more? The longest part of the key that is there is looked at. */
static int check_absent(const struct filestore *f, const char *key, const char *told)
{
    char part[PATH_MAX];
    struct stat st;
    snprintf(part, sizeof part, "%s", key);
    for (char *slash = part; slash; slash = strrchr(part, '/')) {
        if (slash != part)
            *slash = '\0';
        if (fstatat(f->folder, part, &st, AT_SYMLINK_NOFOLLOW) == 0)
            return S_ISLNK(st.st_mode) && fstatat(f->folder, part, &st, 0)
                       ? PCDF_FAIL(NC_EREAD, "%s/%s is a link to what is not there", f->store.name, part)
                       : NC_ENOENT;
        if (errno != ENOENT)
            return pcdf_posix_error(errno, NC_EREAD, "looking for", told);
    }
    if (fstat(f->folder, &st) || st.st_nlink == 0)
        return PCDF_FAIL(NC_EREAD, "the folder %s was removed while it was read", f->store.name);
    return NC_ENOENT;
}

static int open_key(struct filestore *f, const char *key)
{
    char told[PATH_MAX];
    struct stat st;
    if (f->fd >= 0 && strcmp(f->key, key) == 0)
        return NC_NOERR;
    drop_object(f);
    PCDF_TRY(told_of(&f->store, key, told));
    int err = open_regular(f->folder, key, told, &st, &f->fd);
    if (err == NC_ENOENT)
        PCDF_TRY(pcdf_keypins_agree(&f->pins, f->store.name, key, NULL));
    if (err == NC_ENOENT)
        return check_absent(f, key, told);
    PCDF_TRY(err);
    struct pcdf_pin pin = pin_of(&st);
    err = pcdf_keypins_agree(&f->pins, f->store.name, key, &pin);
    if (err) {
        drop_object(f);
        return err;
    }
    f->size = st.st_size;
    f->key = pcdf_strndup(key, strlen(key));
    if (!f->key) {
        drop_object(f);
        return NC_ENOMEM;
    }
    return NC_NOERR;
}

/* *kind: 1: a folder, 0: a file, -1: neither. What begins with a dot is no group: editors leave links there
 * that lead nowhere. */
static int kind_of(int folder, const struct dirent *entry, const char *told, int *kind)
{
    struct stat st;
    *kind = -1;
    if (entry->d_type == DT_REG || entry->d_type == DT_DIR)
        *kind = entry->d_type == DT_DIR;
    else if (fstatat(folder, entry->d_name, &st, 0) == 0)
        *kind = S_ISDIR(st.st_mode) ? 1 : S_ISREG(st.st_mode) ? 0 : -1;
    else if (errno == ENOENT && entry->d_name[0] != '.')
        return PCDF_FAIL(NC_EREAD, "%s/%s is a link to what is not there", told, entry->d_name);
    else if (entry->d_name[0] != '.')
        return PCDF_FAIL(NC_EREAD, "%s/%s: cannot tell what it is: %s", told, entry->d_name, strerror(errno));
    return NC_NOERR;
}

static int visit_entries(DIR *dir, const char *prefix, const char *told,
                         int (*visit)(void *context, const char *key), void *context)
{
    char key[PATH_MAX];
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (!entry)
            return errno ? pcdf_posix_error(errno, NC_EREAD, "listing", told) : NC_NOERR;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        int kind;
        PCDF_TRY(kind_of(dirfd(dir), entry, told, &kind));
        int n = snprintf(key, sizeof key, "%s%s%s", prefix, entry->d_name, kind == 1 ? "/" : "");
        if (n >= (int)sizeof key)
            return PCDF_FAIL(NC_EREAD, "%s/%.100s: its path is too long", told, entry->d_name);
        if (kind >= 0)
            PCDF_TRY(visit(context, key));
    }
}

static int folder_list(struct pcdf_store *s, const char *prefix, int (*visit)(void *context, const char *key),
                       void *context)
{
    struct filestore *f = (struct filestore *)s;
    char told[PATH_MAX], path[PATH_MAX] = ".";
    size_t n = strlen(prefix);
    if (n > 0) {
        snprintf(path, sizeof path, "%.*s", (int)n - 1, prefix); /* without the '/' */
        if (prefix[n - 1] != '/' || n >= sizeof path)
            return PCDF_FAIL(NC_EINVAL, "%s: \"%.200s\" is no prefix", s->name, prefix);
        PCDF_TRY(told_of(s, path, told));
    } else
        snprintf(told, sizeof told, "%s", s->name);
    int fd = openat(f->folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOTDIR ? NC_ENOENT : pcdf_posix_error(errno, NC_EFILE, "listing", told);
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return PCDF_FAIL(NC_ENOMEM, "no memory to list %s", told);
    }
    int err = visit_entries(dir, prefix, told, visit, context);
    closedir(dir);
    return err;
}

/* ---- both */

/* How many bytes a fetch of an object of `size` bytes is to have; memory for them where it has none. */
static int size_up(struct pcdf_fetch *f, int64_t size, const char *name)
{
    if (f->from_end)
        f->offset = f->length < size ? size - f->length : 0;
    int64_t there = f->offset < size ? size - f->offset : 0;
    if (f->length < 0 && there > f->most)
        return PCDF_FAIL(NC_EREAD, "%s%s%s has %lld bytes, more than the %lld that may be", name,
                         *f->key ? "/" : "", f->key, (long long)there, (long long)f->most);
    f->got = f->length < 0 || f->length > there ? there : f->length;
    f->size = size;
    if (!f->to && !(f->to = pcdf_malloc((size_t)(f->got ? f->got : 1))))
        return NC_ENOMEM;
    return NC_NOERR;
}

static int finish(struct pcdf_store *s, struct pcdf_fetch *fetch)
{
    struct filestore *f = (struct filestore *)s;
    int64_t came = 0;
    int err = f->folder >= 0 ? open_key(f, fetch->key)
              : fetch->key[0]
                  ? PCDF_FAIL(NC_ENOENT, "%s is a file, and has no \"%.200s\"", s->name, fetch->key)
                  : open_file(f);
    if (!err && fetch->offset < 0)
        err = PCDF_FAIL(NC_EREAD, "%s: bytes from %lld on", s->name, (long long)fetch->offset);
    if (!err)
        err = size_up(fetch, f->size, s->name);
    if (!err && fetch->got > 0)
        err = pcdf_posix_move(f->fd, PCDF_GET, fetch->to, fetch->got, fetch->offset, &came, s->name);
    if (!err && came < fetch->got)
        err = PCDF_FAIL(NC_EREAD, "%s%s%s has become shorter while it was read", s->name,
                        *fetch->key ? "/" : "", fetch->key);
    return fetch->err = err;
}

static void close_both(struct pcdf_store *s)
{
    struct filestore *f = (struct filestore *)s;
    drop_object(f);
    pcdf_keypins_free(&f->pins);
    if (f->folder >= 0)
        close(f->folder);
}

static const struct pcdf_store_ops file_ops = {
    .kind = "file",
    .pin = file_pin,
    .finish = finish,
    .close = close_both,
};

static const struct pcdf_store_ops folder_ops = {
    .kind = "folder",
    .has_keys = true,
    .list = folder_list,
    .finish = finish,
    .close = close_both,
};

/* A file is opened when it is first read: an image may have more of them than a process has descriptors. */
int pcdf_filestore_open(const char *name, const struct pcdf_pin *pin, struct pcdf_store **s)
{
    struct stat st;
    struct filestore *f;
    const char *path = pcdf_path_posix(name);
    int folder = -1;
    if (stat(path, &st))
        return pcdf_posix_error(errno, NC_EFILE, "opening", name);
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return PCDF_FAIL(NC_EBAD_FILE, "%s is neither a regular file nor a folder", name);
    if (S_ISDIR(st.st_mode) && (folder = pcdf_posix_open(path, O_RDONLY | O_DIRECTORY)) < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", name);
    int err = pcdf_store_make(sizeof *f, folder < 0 ? &file_ops : &folder_ops, name, pin, &f);
    if (err) {
        if (folder >= 0)
            close(folder);
        return err;
    }
    f->path = pcdf_path_posix(f->store.name);
    f->folder = folder;
    f->fd = -1;
    *s = &f->store;
    return NC_NOERR;
}

int pcdf_filestore_open_below(const char *name, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                              struct pcdf_store **s)
{
    struct stat st;
    struct filestore *f;
    int fd = -1;
    PCDF_TRY(pcdf_store_make(sizeof *f, &file_ops, name, pin, &f));
    f->path = f->store.name;
    f->folder = f->fd = -1;
    int err = pcdf_bond_copy(bond, &f->store.bond);
    if (!err)
        err = open_bound(f, O_PATH | O_CLOEXEC, &st, &fd); /* is it there? */
    if (fd >= 0)
        close(fd);
    if (err)
        pcdf_store_close(&f->store);
    else
        *s = &f->store;
    return err;
}
