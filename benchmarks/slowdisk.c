/* A library to preload: a storage of known speed for every program alike, whatever library it is linked with.
 * Calls that write to files below a folder take at least a delay, and their bytes pass one after another at a
 * rate: of all processes together where they share a file, else of each process. Reading is not slowed, nor
 * what is written through mapped memory. In the environment:
 *   PCDF_SLOW_FOLDER  a real path; without it nothing is slow
 *   PCDF_SLOW_RATE    bytes a second; 0: no limit
 *   PCDF_SLOW_DELAY   microseconds of each write and fsync
 *   PCDF_SLOW_SHARED  a file of 8 zeros, or none: it is made
 */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SHORT = 200000 }; /* nanoseconds */
#define PUBLIC __attribute__((visibility("default")))

static struct {
    char folder[PATH_MAX];
    size_t length;
    double rate;
    int64_t delay;              /* nanoseconds */
    _Atomic int64_t own, *busy; /* until when the storage is: nanoseconds of CLOCK_MONOTONIC */
} slow = { .busy = &slow.own };

static void share(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof *slow.busy) == 0)
        memory = mmap(NULL, sizeof *slow.busy, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "slowdisk: %s: %s\n", path, strerror(errno));
        _exit(70);
    }
    slow.busy = memory;
    close(fd);
}

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("PCDF_SLOW_FOLDER"), *rate = getenv("PCDF_SLOW_RATE"),
               *delay = getenv("PCDF_SLOW_DELAY"), *shared = getenv("PCDF_SLOW_SHARED");
    if (!folder || !realpath(folder, slow.folder))
        return;
    slow.length = strlen(slow.folder);
    slow.rate = rate ? atof(rate) : 0;
    slow.delay = delay ? (int64_t)(1e3 * atof(delay)) : 0;
    if (shared)
        share(shared);
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Sockets and pipes, on which MPI writes too, are told apart without a path. */
static bool is_slow(int fd)
{
    struct stat st;
    char name[64], path[PATH_MAX];
    if (slow.length == 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
        return false;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(name, path, sizeof path);
    return n > (ssize_t)slow.length && memcmp(path, slow.folder, slow.length) == 0 &&
           path[slow.length] == '/';
}

/* Returns when a call that began at `begin` may end. A sleep is never shorter than some 50 us: short ones are
 * left out until they are worth one, so that many small writes pass at the same rate as a large one. */
static void pass(int64_t begin, int64_t bytes)
{
    int64_t end = begin + slow.delay;
    if (slow.rate > 0 && bytes > 0) {
        int64_t busy = atomic_load(slow.busy), next;
        do
            next = (busy > begin ? busy : begin) + (int64_t)(1e9 * (double)bytes / slow.rate);
        while (!atomic_compare_exchange_weak(slow.busy, &busy, next));
        end = end > next ? end : next;
    }
    if (slow.delay == 0 && end - now() < SHORT)
        return;
    const struct timespec until = { (time_t)(end / 1000000000), (long)(end % 1000000000) };
    int kept = errno;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
    errno = kept;
}

static ssize_t passed(int fd, int64_t begin, ssize_t result)
{
    if (result >= 0 && is_slow(fd))
        pass(begin, result);
    return result;
}

PUBLIC ssize_t write(int fd, const void *data, size_t n)
{
    return passed(fd, now(), syscall(SYS_write, fd, data, n));
}

PUBLIC ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
    return passed(fd, now(), syscall(SYS_pwrite64, fd, data, n, offset));
}

PUBLIC ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset)
{
    return passed(fd, now(), syscall(SYS_pwrite64, fd, data, n, offset));
}

PUBLIC ssize_t writev(int fd, const struct iovec *v, int n)
{
    return passed(fd, now(), syscall(SYS_writev, fd, v, n));
}

PUBLIC ssize_t pwritev(int fd, const struct iovec *v, int n, off_t offset)
{
    return passed(fd, now(), syscall(SYS_pwritev, fd, v, n, offset, 0));
}

PUBLIC ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t offset)
{
    return passed(fd, now(), syscall(SYS_pwritev, fd, v, n, offset, 0));
}

PUBLIC int fsync(int fd)
{
    return (int)passed(fd, now(), syscall(SYS_fsync, fd));
}

PUBLIC int fdatasync(int fd)
{
    return (int)passed(fd, now(), syscall(SYS_fdatasync, fd));
}

/* Done at once; aio_error and aio_return know. */
PUBLIC int aio_write(struct aiocb *a)
{
    ssize_t result = pwrite(a->aio_fildes, (const void *)(uintptr_t)a->aio_buf, a->aio_nbytes, a->aio_offset);
    a->__error_code = result < 0 ? errno : 0;
    a->__return_value = result;
    return 0;
}
