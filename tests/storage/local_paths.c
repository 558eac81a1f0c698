/* Fixes that ranks which see different files of one name hear of it when they create or open it, all of them,
 * with any storage: a path that is local to each node must not give each its own file, nor an old file for
 * the new one. Nodes are played by this program: for ranks with odd numbers every path below the test's
 * folder has
 * ".far" at its end. */
#include <errno.h>
#include <fcntl.h>
#include <parcdf.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include "together.h"

static bool is_far;
static uint32_t
    fs_type; /* what every file system says it is, with numbers of inodes of each rank's own; 0: no */

static const char *place(const char *path, char *room, size_t size)
{
    if (!is_far || !strstr(path, "local_paths"))
        return path;
    snprintf(room, size, "%s.far", path);
    return room;
}

static int open_there(const char *path, int flags, va_list list)
{
    char room[1200];
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    return (int)syscall(SYS_openat, AT_FDCWD, place(path, room, sizeof room), flags, mode);
}

#define OPEN_LIKE(c_name, symbol)                                                                            \
    int c_name(const char *path, int flags, ...) __asm__(symbol);                                            \
    int c_name(const char *path, int flags, ...)                                                             \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        int fd = open_there(path, flags, list);                                                              \
        va_end(list);                                                                                        \
        return fd;                                                                                           \
    }
#define STAT_LIKE(c_name, symbol, call)                                                                      \
    int c_name(const char *path, struct stat *st) __asm__(symbol);                                           \
    int c_name(const char *path, struct stat *st)                                                            \
    {                                                                                                        \
        char room[1200];                                                                                     \
        int err = (int)syscall(call, place(path, room, sizeof room), st);                                    \
        st->st_ino += err || !fs_type ? 0 : (ino_t)my_rank;                                                  \
        return err;                                                                                          \
    }
#define FSTAT_LIKE(c_name, symbol)                                                                           \
    int c_name(int fd, struct stat *st) __asm__(symbol);                                                     \
    int c_name(int fd, struct stat *st)                                                                      \
    {                                                                                                        \
        int err = (int)syscall(SYS_fstat, fd, st);                                                           \
        st->st_ino += err || !fs_type ? 0 : (ino_t)my_rank;                                                  \
        return err;                                                                                          \
    }
OPEN_LIKE(open_32, "open")
OPEN_LIKE(open_64, "open64")
STAT_LIKE(stat_32, "stat", SYS_stat)
STAT_LIKE(stat_64, "stat64", SYS_stat)
STAT_LIKE(lstat_32, "lstat", SYS_lstat)
STAT_LIKE(lstat_64, "lstat64", SYS_lstat)
FSTAT_LIKE(fstat_32, "fstat")
FSTAT_LIKE(fstat_64, "fstat64")

int statfs(const char *path, struct statfs *fs)
{
    char room[1200];
    int err = (int)syscall(SYS_statfs, place(path, room, sizeof room), fs);
    if (!err && fs_type)
        fs->f_type = fs_type;
    return err;
}

static void put_file(const char *path, int64_t bytes, int64_t age)
{
    struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { .tv_sec = time(NULL) - age } };
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0666);
    CHECK(fd >= 0 && ftruncate(fd, bytes) == 0 && futimens(fd, times) == 0, "%s cannot be made", path);
    close(fd);
}

static void sees(int err, const char *when)
{
    CHECK(err == NC_EBAD_FILE, "rank %d, %s: %s", my_rank, when, ncmpi_strerrno(err));
    CHECK(strstr(parcdf_last_error(), "local to each node") != NULL, "rank %d, %s: %s", my_rank, when,
          parcdf_last_error());
}

static void try_all(const char *engine, const char *hint)
{
    char far[1100];
    int ncid;
    MPI_Info info;
    snprintf(far, sizeof far, "%s.far", my_path);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", engine);
    if (hint)
        MPI_Info_set(info, hint, "4");
    /* an old file of the other nodes, empty or not */
    for (int bytes = 0; bytes < 200; bytes += 100) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (my_rank == 0)
            put_file(far, bytes, 7200);
        MPI_Barrier(MPI_COMM_WORLD);
        sees(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), "create, old file there");
    }
    if (hint) { /* nothing there: MPI would make one on each node */
        MPI_Barrier(MPI_COMM_WORLD);
        if (my_rank == 0)
            unlink(far);
        MPI_Barrier(MPI_COMM_WORLD);
        int err = ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid);
        CHECK(err == NC_EBAD_FILE || err == NC_ENOENT, "rank %d, create: %s", my_rank, ncmpi_strerrno(err));
        if (!err)
            ncmpi_close(ncid);
    }
    /* each node has its own */
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        is_far = false;
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        unlink(far);
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, far, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    sees(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid), "open");
    sees(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), "open for writing");
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(far);
}

/* The stamp of a new file is the file's: a link on the way to it keeps its time, and so does a device. */
static void stamps(bool is_device)
{
    enum { MINUTE = 60, HOUR = 60 * MINUTE };
    char name[1100];
    struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = time(NULL) - 2 * HOUR } };
    struct stat st = { 0 };
    int ncid, is_made = 0;
    snprintf(name, sizeof name, "%s.other", my_path);
    if (my_rank == 0)
        is_made = !(is_device ? mknod(name, S_IFCHR | 0666, makedev(1, 3))
                              : symlink(strrchr(my_path, '/') + 1, name)) &&
                  !utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW);
    MPI_Bcast(&is_made, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(is_made || is_device, "%s cannot be made", name);
    if (!is_made) /* a device: by root alone */
        return;
    int err = ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER, MPI_INFO_NULL, &ncid);
    CHECK(err == NC_NOERR || is_device, "rank %d: %s", my_rank, ncmpi_strerrno(err));
    CHECK(lstat(name, &st) == 0 && time(NULL) - st.st_mtime > HOUR + MINUTE, "%s was changed", name);
    if (!is_device)
        CHECK(stat(my_path, &st) == 0 && time(NULL) - st.st_mtime <= HOUR + MINUTE,
              "the file has an old time");
    if (!err)
        err = ncmpi_close(ncid);
    CHECK(err == NC_NOERR || is_device, "rank %d, close: %s", my_rank, ncmpi_strerrno(err));
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(name);
}

/* Some file systems have numbers of inodes that the client made up: no reason to refuse a file. Its size and
 * its time still tell an old file of another node. */
static void own_numbers(uint32_t type, int want)
{
    int ncid;
    char far[1100];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "posix");
    fs_type = type;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), want);
    if (!want) {
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    snprintf(far, sizeof far, "%s.far", my_path);
    is_far = my_rank % 2;
    for (int bytes = 0; bytes < 200; bytes += 100) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (my_rank == 0)
            put_file(far, bytes, 7200);
        MPI_Barrier(MPI_COMM_WORLD);
        sees(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), "own numbers, old file");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(far);
    is_far = false;
    fs_type = 0;
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "local_paths", 60);
    is_far = my_rank % 2;
    try_all("auto", NULL);
    try_all("posix", NULL);
    try_all("mpiio", NULL);
    try_all("mpiio", "striping_factor");
    is_far = false;
    stamps(false);
    stamps(true);
    own_numbers(0x6969, NC_EBAD_FILE); /* NFS: its numbers are the server's */
    own_numbers(0x65735546, NC_NOERR); /* FUSE, CIFS, SMB2, 9P */
    own_numbers(0xff534d42, NC_NOERR);
    own_numbers(0xfe534d42, NC_NOERR);
    own_numbers(0x01021997, NC_NOERR);
    return together_end("local_paths");
}
