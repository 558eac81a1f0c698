/* Fixes that a failure that the system tells when it is to begin writing to the disk (sync_file_range) is the
 * call's: no fsync has to tell it again. The system's call is this program's own. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "together.h"

enum { X = 1 << 20 };

static int calls, fails_at; /* 0: never */

int sync_file_range(int fd, off_t from, off_t n, unsigned flags)
{
    (void)fd, (void)from, (void)n, (void)flags;
    errno = EIO;
    return ++calls == fails_at ? -1 : 0;
}

/* A disk, whatever it is. */
int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    fs->f_type = 0xef53;
    return err;
}

int fstatfs(int fd, struct statfs *fs)
{
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    fs->f_type = 0xef53;
    return err;
}

static void make_file(void)
{
    static int values[X];
    int ncid = -1, dim, var;
    const MPI_Offset start = (MPI_Offset)my_rank * X, count = X;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)X * my_size, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, var, &start, &count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Makes the header longer; returns how often this rank had the disk begin. */
static int grow(int fails, int want)
{
    static const char text[4000];
    int ncid = -1;
    make_file();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", sizeof text, text), NC_NOERR);
    calls = 0;
    fails_at = my_rank == my_size - 1 ? fails : 0;
    CHECK_NC(ncmpi_enddef(ncid), want);
    fails_at = 0;
    int made = calls;
    CHECK_NC(ncmpi_close(ncid), want);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    return made;
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "early_failure", 60);
    int most = grow(0, NC_NOERR);
    MPI_Bcast(&most, 1, MPI_INT, my_size - 1, MPI_COMM_WORLD);
    CHECK(most > 1, "the disk begins %d times", most);
    for (int at = 1; at <= most && at <= 6; at++)
        grow(at, NC_EWRITE);
    return together_end("early_failure");
}
