/* A library to preload: locks as file systems of several nodes have them, and a node of one's own, so that
 * one machine can play several. Not with the address sanitizer.
 *
 *   PCDF_LOCKS=refuse      flock and locks of open file descriptions fail, as on Lustre without `flock`
 *   PCDF_LOCKS=node        they hold among processes of equal PCDF_LOCKS_NODE alone (localflock, NFS nolock)
 *   PCDF_LOCKS_NODE=name   also the host's name, and another start of the machine
 *   PCDF_LOCKS_BOOT=name   that start has another name
 *   PCDF_LOCKS_FS=number   what statfs says the file system is, hexadecimal
 *   PCDF_LOCKS_MOUNTS=path is read for /proc/self/mountinfo */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

static int refuses(void)
{
    const char *how = getenv("PCDF_LOCKS");
    return how && strcmp(how, "refuse") == 0;
}

/* A range of bytes of its own for each node: far behind those that the library locks. */
static long long node(void)
{
    const char *how = getenv("PCDF_LOCKS"), *name = getenv("PCDF_LOCKS_NODE");
    long long n = 0;
    if (!how || strcmp(how, "node") != 0)
        return 0;
    for (; name && *name; name++)
        n = n * 31 + *name;
    return (n % 1000 + 1) << 40;
}

static int set_lock(int fd, int command, struct flock *lock)
{
    struct flock moved = *lock;
    if (refuses()) {
        errno = ENOSYS;
        return -1;
    }
    moved.l_start += node();
    return (int)syscall(SYS_fcntl, fd, command, &moved);
}

PUBLIC int flock(int fd, int operation)
{
    struct flock all = { .l_type = operation & LOCK_UN   ? F_UNLCK
                                   : operation & LOCK_SH ? F_RDLCK
                                                         : F_WRLCK,
                         .l_start = 1 << 20,
                         .l_len = 1 };
    if (!refuses() && !node())
        return (int)syscall(SYS_flock, fd, operation);
    int err = set_lock(fd, F_OFD_SETLK, &all);
    if (err && (errno == EAGAIN || errno == EACCES))
        errno = EWOULDBLOCK;
    return err;
}

static int control(int fd, int command, void *argument)
{
    if (command == F_OFD_SETLK || command == F_OFD_SETLKW)
        return set_lock(fd, command, argument);
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

#define CONTROL(name)                                                                                        \
    PUBLIC int name(int fd, int command, ...)                                                                \
    {                                                                                                        \
        va_list args;                                                                                        \
        va_start(args, command);                                                                             \
        void *argument = va_arg(args, void *);                                                               \
        va_end(args);                                                                                        \
        return control(fd, command, argument);                                                               \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

PUBLIC int fstatfs(int fd, struct statfs *fs)
{
    const char *kind = getenv("PCDF_LOCKS_FS");
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    if (!err && kind)
        fs->f_type = strtol(kind, NULL, 16);
    return err;
}

PUBLIC int statfs(const char *path, struct statfs *fs)
{
    const char *kind = getenv("PCDF_LOCKS_FS");
    int err = (int)syscall(SYS_statfs, path, fs);
    if (!err && kind)
        fs->f_type = strtol(kind, NULL, 16);
    return err;
}

PUBLIC int fstatfs64(int fd, struct statfs64 *fs)
{
    return fstatfs(fd, (struct statfs *)fs); /* the same on machines of 64 bits */
}

PUBLIC int statfs64(const char *path, struct statfs64 *fs)
{
    return statfs(path, (struct statfs *)fs);
}

static FILE *open_stream(const char *symbol, const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *);
    const char *mounts = getenv("PCDF_LOCKS_MOUNTS");
    *(void **)&real = dlsym(RTLD_NEXT, symbol);
    return real(mounts && strcmp(path, "/proc/self/mountinfo") == 0 ? mounts : path, mode);
}

PUBLIC FILE *fopen(const char *path, const char *mode)
{
    return open_stream("fopen", path, mode);
}

PUBLIC FILE *fopen64(const char *path, const char *mode)
{
    return open_stream("fopen64", path, mode);
}

PUBLIC int gethostname(char *name, size_t size)
{
    int (*real)(char *, size_t);
    const char *own = getenv("PCDF_LOCKS_NODE");
    *(void **)&real = dlsym(RTLD_NEXT, "gethostname");
    if (!own)
        return real(name, size);
    snprintf(name, size, "%s", own);
    return 0;
}

/* Another start of the machine: the first bytes of its number are the node's name. */
PUBLIC ssize_t read(int fd, void *bytes, size_t n)
{
    char link[64], path[256];
    const char *own = getenv(getenv("PCDF_LOCKS_BOOT") ? "PCDF_LOCKS_BOOT" : "PCDF_LOCKS_NODE");
    ssize_t got = syscall(SYS_read, fd, bytes, n);
    if (!own || got != 37) /* what the kernel gives for it */
        return got;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    if (strcmp(path, "/proc/sys/kernel/random/boot_id") == 0)
        memcpy(bytes, own, strlen(own) < 36 ? strlen(own) : 36);
    return got;
}
