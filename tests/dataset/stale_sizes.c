/* Fixes that a rank whose file system has an old size of the file, as NFS clients do, writes over no byte of
 * another rank. The shim is in this program: fstat of a file in the test's folder says the size that its
 * descriptor saw when it was opened, or where its own writes end, until it is closed. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "together.h"

enum { MOST_FDS = 1024, X = 500 };
static struct {
    bool is_on;
    off_t size;
} cached[MOST_FDS];
static bool is_nfs;

static void wrote(int fd, off_t end)
{
    if (fd >= 0 && fd < MOST_FDS && cached[fd].is_on && end > cached[fd].size)
        cached[fd].size = end;
}

int open(const char *path, int flags, ...)
{
    struct stat st;
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && fd < MOST_FDS) {
        cached[fd].is_on = is_nfs && strstr(path, "stale_sizes") && !syscall(SYS_fstat, fd, &st);
        cached[fd].size = cached[fd].is_on ? st.st_size : 0;
    }
    return fd;
}

int close(int fd)
{
    if (fd >= 0 && fd < MOST_FDS)
        cached[fd].is_on = false;
    return (int)syscall(SYS_close, fd);
}

int fstat(int fd, struct stat *st)
{
    int err = (int)syscall(SYS_fstat, fd, st);
    if (!err && fd >= 0 && fd < MOST_FDS && cached[fd].is_on)
        st->st_size = cached[fd].size;
    return err;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, n, offset);
    if (done > 0)
        wrote(fd, offset + done);
    return done;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    ssize_t done = syscall(SYS_write, fd, bytes, n);
    if (done > 0)
        wrote(fd, syscall(SYS_lseek, fd, 0, SEEK_CUR));
    return done;
}

int ftruncate(int fd, off_t size)
{
    int err = (int)syscall(SYS_ftruncate, fd, size);
    if (!err && fd >= 0 && fd < MOST_FDS)
        cached[fd].size = size;
    return err;
}

off_t lseek(int fd, off_t offset, int whence)
{
    if (whence == SEEK_END && fd >= 0 && fd < MOST_FDS && cached[fd].is_on)
        return syscall(SYS_lseek, fd, cached[fd].size + offset, SEEK_SET);
    return syscall(SYS_lseek, fd, offset, whence);
}

/* ---- the last rank writes the end of the file, rank 0 ends it */

static int value_of(int i)
{
    return 0x01020304 + i;
}

static void put(int ncid, int var, bool is_record)
{
    int values[X];
    MPI_Offset start[2] = { 0, (MPI_Offset)my_rank * X }, count[2] = { 1, X };
    for (int i = 0; i < X; i++)
        values[i] = value_of(my_rank * X + i);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int(ncid, var, start + !is_record, count + !is_record, values), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void check_values(int var, const char *when)
{
    int ncid, got[8 * X], bad = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, var, got), NC_NOERR);
    for (int i = 0; i < my_size * X; i++)
        bad += got[i] != value_of(i);
    CHECK(bad == 0, "%s: %d values are wrong, the last is %x, not %x", when, bad, got[my_size * X - 1],
          value_of(my_size * X - 1));
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void write_file(const char *engine, bool is_record, const char *end)
{
    int ncid, dims[2], var;
    char when[64];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", engine);
    is_nfs = true;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * X, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1 + is_record, dims + !is_record, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, var, is_record);
    if (strcmp(end, "sync") == 0)
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    if (strcmp(end, "close") != 0)
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(strcmp(end, "abort") == 0 ? ncmpi_abort(ncid) : ncmpi_close(ncid), NC_NOERR);
    is_nfs = false;
    MPI_Info_free(&info);
    snprintf(when, sizeof when, "%s, %s, %s", engine, is_record ? "record" : "fixed", end);
    check_values(var, when);
}

int main(int argc, char **argv)
{
    static const char *const engines[] = { "posix", "mpiio" }, *const ends[] = { "close", "sync", "abort" };
    together_begin(&argc, &argv, "stale_sizes", 60);
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 3; i++) {
            write_file(engines[e], false, ends[i]);
            write_file(engines[e], true, ends[i]);
        }
    return together_end("stale_sizes");
}
