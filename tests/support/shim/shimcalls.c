/* The calls that shim.c watches. They are made with syscall(), so that nothing passes through the shim twice.
 * What a call reads into memory that is mapped from a watched file is a write to that. Not seen: other bytes
 * written through mmap, io_uring and what is written to duplicates of a descriptor; no MPI
 * library does that, and states.c notices when a log does not lead to the file there is. */
#include "shim.h"
#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
enum { MOST_FDS = 65536, NOT_OURS = 0, FILE_BELOW, THE_FOLDER };
static _Atomic unsigned char kinds[MOST_FDS]; /* of a descriptor */
static const struct shim_call nothing;

/* ---- names and descriptors */

/* As the text says: who uses the shim names real paths. */
static int kind_of_path(const char *path)
{
    char whole[2 * PATH_MAX], here[PATH_MAX];
    size_t n;
    const char *folder = shim_folder(&n);
    if (!folder || !path)
        return NOT_OURS;
    if (path[0] != '/') {
        if (!getcwd(here, sizeof here))
            return NOT_OURS;
        snprintf(whole, sizeof whole, "%s/%s", here, path);
        path = whole;
    }
    if (strncmp(path, folder, n) != 0 || (path[n] != '/' && path[n]))
        return NOT_OURS;
    return path[n] && path[n + 1] ? FILE_BELOW : THE_FOLDER;
}

static int kind_of_fd(int fd)
{
    return fd >= 0 && fd < MOST_FDS ? kinds[fd] : NOT_OURS;
}

static void learn(int fd, int kind)
{
    struct stat st;
    if (fd < 0 || fd >= MOST_FDS)
        return;
    if (kind && !fstat(fd, &st) && S_ISDIR(st.st_mode))
        kind = THE_FOLDER;
    kinds[fd] = (unsigned char)kind;
}

/* What the program was given as its standard output, and duplicates of that. */
static bool watches_stdout(void)
{
    size_t n;
    return getenv("PCDF_SHIM_STDOUT") && shim_folder(&n);
}

__attribute__((constructor)) static void learn_stdout(void)
{
    if (getenv("PCDF_SHIM_STDOUT"))
        kinds[1] = FILE_BELOW;
}

PUBLIC int dup(int fd)
{
    int now = (int)syscall(SYS_dup, fd);
    if (fd == 1 && watches_stdout())
        learn(now, FILE_BELOW);
    return now;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- open, close */

static int open_now(int folder, const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* Whose call made the name is what a log has to know. */
static int open_or_make(int folder, const char *path, int flags, mode_t mode, bool *made)
{
    int fd = open_now(folder, path, flags | O_EXCL, mode);
    *made = fd >= 0;
    if (fd < 0 && errno == EEXIST && !(flags & O_EXCL))
        fd = open_now(folder, path, flags, mode);
    return fd;
}

static int do_open(int folder, const char *path, int flags, mode_t mode)
{
    struct shim_call c = nothing;
    int kind = kind_of_path(path), fd;
    bool made = false, makes = flags & O_CREAT;
    struct shim_about about = { .fd = -1, .length = flags & O_TRUNC ? 0 : -1 };
    if (kind) {
        about.is_quiet = !makes && !(flags & O_TRUNC);
        about.name = base_name(path);
        about.nname = strlen(about.name);
        c = shim_before(SHIM_OPEN, &about);
    }
    if (c.fails)
        return shim_fail();
    fd = kind && makes ? open_or_make(folder, path, flags, mode, &made) : open_now(folder, path, flags, mode);
    learn(fd, kind);
    shim_after(&c, made ? fd : -1, fd);
    return fd;
}

static int open_with(int folder, const char *path, int flags, va_list list)
{
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    return do_open(folder, path, flags, mode);
}

#define OPEN_LIKE(name)                                                                                      \
    PUBLIC int name(const char *path, int flags, ...)                                                        \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        int fd = open_with(AT_FDCWD, path, flags, list);                                                     \
        va_end(list);                                                                                        \
        return fd;                                                                                           \
    }
#define OPENAT_LIKE(name)                                                                                    \
    PUBLIC int name(int folder, const char *path, int flags, ...)                                            \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        int fd = open_with(folder, path, flags, list);                                                       \
        va_end(list);                                                                                        \
        return fd;                                                                                           \
    }
OPEN_LIKE(open)
OPEN_LIKE(open64)
OPENAT_LIKE(openat)
OPENAT_LIKE(openat64)

/* What open(2) is in programs built with _FORTIFY_SOURCE. */
PUBLIC int __open_2(const char *path, int flags);
PUBLIC int __open64_2(const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return do_open(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return do_open(AT_FDCWD, path, flags, 0);
}

PUBLIC int creat(const char *path, mode_t mode)
{
    return do_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

PUBLIC int creat64(const char *path, mode_t mode)
{
    return do_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

PUBLIC int close(int fd)
{
    struct shim_call c = nothing;
    if (kind_of_fd(fd)) {
        c = shim_before(SHIM_CLOSE, &(struct shim_about){ .fd = fd, .is_quiet = true });
        learn(fd, NOT_OURS);
    }
    int result = (int)syscall(SYS_close, fd);
    return c.fails ? shim_fail() : result;
}

/* ---- bytes */

static size_t bytes_of(const struct iovec *v, int n)
{
    size_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i].iov_len;
    return sum;
}

/* The first `most` bytes, as one write at `offset`, or where the descriptor stands. */
static ssize_t move_part(enum shim_op op, int fd, const struct iovec *v, int n, off_t offset, size_t most)
{
    struct iovec part[IOV_MAX];
    int m = 0;
    for (size_t done = 0; m < n && m < IOV_MAX && done < most; done += part[m++].iov_len) {
        part[m] = v[m];
        if (part[m].iov_len > most - done)
            part[m].iov_len = most - done;
    }
    if (op == SHIM_WRITE)
        return offset < 0 ? syscall(SYS_writev, fd, part, m) : syscall(SYS_pwritev, fd, part, m, offset, 0);
    return offset < 0 ? syscall(SYS_readv, fd, part, m) : syscall(SYS_preadv, fd, part, m, offset, 0);
}

static off_t place_of(int fd)
{
    bool appends = fcntl(fd, F_GETFL) & O_APPEND;
    return lseek(fd, 0, appends ? SEEK_END : SEEK_CUR);
}

static void *do_mmap(void *at, size_t n, int access, int flags, int fd, off_t offset)
{
    void *memory = (void *)syscall(SYS_mmap, at, n, access, flags, fd, offset);
    if (memory != MAP_FAILED && (flags & MAP_SHARED) && kind_of_fd(fd) == FILE_BELOW)
        shim_note_map(memory, n);
    return memory;
}

PUBLIC void *mmap(void *at, size_t n, int access, int flags, int fd, off_t offset)
{
    return do_mmap(at, n, access, flags, fd, offset);
}

PUBLIC void *mmap64(void *at, size_t n, int access, int flags, int fd, off64_t offset)
{
    return do_mmap(at, n, access, flags, fd, offset);
}

/* What was read into mapped memory is in its file. */
static int note_mapped(const struct iovec *v, int n, size_t got)
{
    for (int i = 0; i < n && got > 0; i++) {
        struct iovec part = { v[i].iov_base, v[i].iov_len < got ? v[i].iov_len : got };
        struct shim_about about = { .fd = -1, .length = (int64_t)part.iov_len, .v = &part, .nv = 1 };
        got -= part.iov_len;
        if (!shim_is_mapped(part.iov_base, &about.inode, &about.offset))
            continue;
        struct shim_call c = shim_before(SHIM_WRITE, &about);
        if (c.tears)
            shim_die();
        shim_after(&c, -1, about.length);
        if (c.fails)
            return -1;
    }
    return 0;
}

static ssize_t do_move(enum shim_op op, int fd, const struct iovec *v, int n, off_t offset)
{
    size_t all = bytes_of(v, n), part = all;
    if (kind_of_fd(fd) != FILE_BELOW || !shim_is_active())
        return move_part(op, fd, v, n, offset, all);
    off_t at = offset < 0 ? place_of(fd) : offset;
    struct shim_about about = { .fd = fd, .offset = at, .length = (int64_t)all, .v = v, .nv = n };
    if (op == SHIM_READ)
        about.is_quiet = true;
    struct shim_call c = shim_before(op, &about);
    if (c.tears) { /* up to the end of a sector in its middle; a sector is written as a whole */
        part = (size_t)((at + (off_t)all / 2 + 511) / 512 * 512 - at);
        (void)move_part(op, fd, v, n, offset, part < all ? part : all);
        shim_die();
    }
    if (c.fails && !c.is_short && !c.is_zero)
        return shim_fail();
    if (c.is_zero || (c.is_short && all / 2 == 0))
        return 0;
    ssize_t result = move_part(op, fd, v, n, offset, c.is_short ? all / 2 : all);
    shim_after(&c, fd, result);
    if (op == SHIM_READ && result > 0 && note_mapped(v, n, (size_t)result))
        return shim_fail();
    return result;
}

static ssize_t move_one(enum shim_op op, int fd, const void *data, size_t n, off_t offset)
{
    struct iovec v = { (void *)(uintptr_t)data, n };
    return do_move(op, fd, &v, 1, offset);
}

PUBLIC ssize_t write(int fd, const void *data, size_t n)
{
    return move_one(SHIM_WRITE, fd, data, n, -1);
}

PUBLIC ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
    return move_one(SHIM_WRITE, fd, data, n, offset);
}

PUBLIC ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset)
{
    return move_one(SHIM_WRITE, fd, data, n, offset);
}

PUBLIC ssize_t writev(int fd, const struct iovec *v, int n)
{
    return do_move(SHIM_WRITE, fd, v, n, -1);
}

PUBLIC ssize_t pwritev(int fd, const struct iovec *v, int n, off_t offset)
{
    return do_move(SHIM_WRITE, fd, v, n, offset);
}

PUBLIC ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t offset)
{
    return do_move(SHIM_WRITE, fd, v, n, offset);
}

PUBLIC ssize_t read(int fd, void *data, size_t n)
{
    return move_one(SHIM_READ, fd, data, n, -1);
}

PUBLIC ssize_t pread(int fd, void *data, size_t n, off_t offset)
{
    return move_one(SHIM_READ, fd, data, n, offset);
}

PUBLIC ssize_t pread64(int fd, void *data, size_t n, off64_t offset)
{
    return move_one(SHIM_READ, fd, data, n, offset);
}

PUBLIC ssize_t preadv(int fd, const struct iovec *v, int n, off_t offset)
{
    return do_move(SHIM_READ, fd, v, n, offset);
}

PUBLIC ssize_t preadv64(int fd, const struct iovec *v, int n, off64_t offset)
{
    return do_move(SHIM_READ, fd, v, n, offset);
}

/* ---- sizes, and what is on the storage */

static int do_resize(enum shim_op op, int fd, off_t length, long number, off_t from)
{
    struct shim_call c = nothing;
    if (kind_of_fd(fd))
        c = shim_before(op, &(struct shim_about){ .fd = fd, .length = length });
    if (c.fails)
        return shim_fail();
    int result = (int)(op == SHIM_TRUNCATE ? syscall(number, fd, length)
                                           : syscall(number, fd, 0, from, length - from));
    shim_after(&c, fd, result);
    return result;
}

PUBLIC int ftruncate(int fd, off_t length)
{
    return do_resize(SHIM_TRUNCATE, fd, length, SYS_ftruncate, 0);
}

PUBLIC int ftruncate64(int fd, off64_t length)
{
    return do_resize(SHIM_TRUNCATE, fd, length, SYS_ftruncate, 0);
}

/* Without a fall-back where the file system cannot: who calls it must be able to go on. */
/* Ranges that are inserted in a file or taken out of it: no log tells them, so no watched file can have them.
 */
static int do_fallocate(int fd, int mode, off_t from, off_t length)
{
    if (mode == 0 || kind_of_fd(fd) != FILE_BELOW || !shim_is_active())
        return (int)syscall(SYS_fallocate, fd, mode, from, length);
    errno = EOPNOTSUPP;
    return -1;
}

PUBLIC int fallocate(int fd, int mode, off_t from, off_t length)
{
    return do_fallocate(fd, mode, from, length);
}

PUBLIC int fallocate64(int fd, int mode, off64_t from, off64_t length)
{
    return do_fallocate(fd, mode, from, length);
}

PUBLIC int posix_fallocate(int fd, off_t from, off_t length)
{
    return do_resize(SHIM_ALLOCATE, fd, from + length, SYS_fallocate, from) ? errno : 0;
}

PUBLIC int posix_fallocate64(int fd, off64_t from, off64_t length)
{
    return do_resize(SHIM_ALLOCATE, fd, from + length, SYS_fallocate, from) ? errno : 0;
}

static int do_sync(int fd, long number)
{
    struct shim_call c = nothing;
    int kind = kind_of_fd(fd);
    if (kind)
        c = shim_before(kind == THE_FOLDER ? SHIM_SYNC_FOLDER : SHIM_SYNC, &(struct shim_about){ .fd = fd });
    if (c.fails)
        return shim_fail();
    int result = (int)syscall(number, fd);
    shim_after(&c, fd, result);
    return result;
}

PUBLIC int fsync(int fd)
{
    return do_sync(fd, SYS_fsync);
}

PUBLIC int fdatasync(int fd)
{
    return do_sync(fd, SYS_fdatasync);
}

/* ---- names */

static int do_unlink(int folder, const char *path, int flags)
{
    struct shim_call c = nothing;
    if (kind_of_path(path) == FILE_BELOW)
        c = shim_before(
            SHIM_UNLINK,
            &(struct shim_about){ .fd = -1, .name = base_name(path), .nname = strlen(base_name(path)) });
    if (c.fails)
        return shim_fail();
    int result = (int)syscall(SYS_unlinkat, folder, path, flags);
    shim_after(&c, -1, result);
    return result;
}

PUBLIC int unlink(const char *path)
{
    return do_unlink(AT_FDCWD, path, 0);
}

PUBLIC int unlinkat(int folder, const char *path, int flags)
{
    return do_unlink(folder, path, flags);
}

PUBLIC int rename(const char *from, const char *to)
{
    struct shim_call c = nothing;
    char both[2 * NAME_MAX + 2];
    if (kind_of_path(from) == FILE_BELOW || kind_of_path(to) == FILE_BELOW) {
        int n = snprintf(both, sizeof both, "%s%c%s", base_name(from), '\0', base_name(to));
        c = shim_before(SHIM_RENAME, &(struct shim_about){ .fd = -1, .name = both, .nname = (size_t)n });
    }
    if (c.fails)
        return shim_fail();
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    shim_after(&c, -1, result);
    return result;
}

/* Of a file that must not be there yet: may fail, is not recorded. */
PUBLIC int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    struct shim_call c = nothing;
    if (kind_of_path(from) == FILE_BELOW || kind_of_path(to) == FILE_BELOW)
        c = shim_before(SHIM_RENAME, &(struct shim_about){ .fd = -1, .is_quiet = true });
    return c.fails ? shim_fail() : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

/* May fail and kill, are not recorded: the states that world.c builds have no second names and no folders. */
PUBLIC int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    struct shim_call c = nothing;
    if (kind_of_path(from) == FILE_BELOW || kind_of_path(to) == FILE_BELOW)
        c = shim_before(SHIM_LINK, &(struct shim_about){ .fd = -1, .is_unrecorded = true });
    return c.fails ? shim_fail() : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

PUBLIC int link(const char *from, const char *to)
{
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

PUBLIC int mkdirat(int folder, const char *path, mode_t mode)
{
    struct shim_call c = nothing;
    if (kind_of_path(path) == FILE_BELOW)
        c = shim_before(SHIM_MKDIR, &(struct shim_about){ .fd = -1, .is_unrecorded = true });
    return c.fails ? shim_fail() : (int)syscall(SYS_mkdirat, folder, path, mode);
}

PUBLIC int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

/* Of files that are made without contents. */
PUBLIC int mknodat(int folder, const char *path, mode_t mode, dev_t device)
{
    struct shim_call c = nothing;
    if (kind_of_path(path) == FILE_BELOW)
        c = shim_before(SHIM_OPEN, &(struct shim_about){ .fd = -1, .is_unrecorded = true });
    return c.fails ? shim_fail() : (int)syscall(SYS_mknodat, folder, path, mode, device);
}

PUBLIC int mknod(const char *path, mode_t mode, dev_t device)
{
    return mknodat(AT_FDCWD, path, mode, device);
}

PUBLIC int rmdir(const char *path)
{
    struct shim_call c = nothing;
    if (kind_of_path(path) == FILE_BELOW)
        c = shim_before(SHIM_UNLINK, &(struct shim_about){ .fd = -1, .is_unrecorded = true });
    return c.fails ? shim_fail() : (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

/* ---- streams that write: the C library makes their calls where nobody sees them */

static ssize_t cookie_write(void *cookie, const char *data, size_t n)
{
    ssize_t result = write((int)(intptr_t)cookie, data, n);
    return result < 0 ? 0 : result; /* fopencookie(3): 0 is an error */
}

static int cookie_close(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

static FILE *do_fopen(const char *path, const char *mode)
{
    static FILE *(*next)(const char *, const char *);
    if (mode[0] != 'w' || kind_of_path(path) != FILE_BELOW || !shim_is_active()) {
        void *found = next ? NULL : dlsym(RTLD_NEXT, "fopen");
        if (!next)
            memcpy(&next, &found, sizeof next);
        return next(path, mode);
    }
    int fd = do_open(AT_FDCWD, path, O_WRONLY | O_CREAT | (strchr(mode, 'x') ? O_EXCL : O_TRUNC), 0666);
    cookie_io_functions_t calls = { .write = cookie_write, .close = cookie_close };
    return fd < 0 ? NULL : fopencookie((void *)(intptr_t)fd, mode, calls);
}

PUBLIC FILE *fopen(const char *path, const char *mode)
{
    return do_fopen(path, mode);
}

PUBLIC FILE *fopen64(const char *path, const char *mode)
{
    return do_fopen(path, mode);
}

/* ---- asynchronous writes: done at once, so that the log has them; aio_error and aio_return know */

PUBLIC int aio_write(struct aiocb *a)
{
    ssize_t result = move_one(SHIM_WRITE, a->aio_fildes, (const void *)(uintptr_t)a->aio_buf, a->aio_nbytes,
                              a->aio_offset);
    a->__error_code = result < 0 ? errno : 0;
    a->__return_value = result;
    return 0;
}
