/* Fixes that a failure that the system tells when it is to begin writing to the disk (sync_file_range) is the
 * call's: no fsync has to tell it again. And that a redef of which one rank stopped there, while the others
 * went on with their steps as far as the next vote, is finished by the next open: everything is there. The
 * system's call is this program's own. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "together.h"

enum { X = 1 << 20, LONGER = 40000 };

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

static int values[X];

static void move_values(int ncid, int (*move)(int, int, const MPI_Offset *, const MPI_Offset *, int *))
{
    const MPI_Offset start = (MPI_Offset)my_rank * X, count = X;
    CHECK_NC(move(ncid, 0, &start, &count, values), NC_NOERR);
}

static int put_all(int ncid, int var, const MPI_Offset *start, const MPI_Offset *count, int *data)
{
    return ncmpi_put_vara_int_all(ncid, var, start, count, data);
}

static void make_file(void)
{
    int ncid = -1, dim, var;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)X * my_size, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < X; i++)
        values[i] = my_rank * X + i;
    move_values(ncid, put_all);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Recovers it, where it has to be. */
static void check_file(void)
{
    int ncid = -1, wrong = 0;
    MPI_Offset length = 0;
    memset(values, 0, sizeof values);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_attlen(ncid, NC_GLOBAL, "long", &length), NC_NOERR);
    CHECK(length == LONGER, "the attribute has %lld bytes", (long long)length);
    move_values(ncid, ncmpi_get_vara_int_all);
    for (int i = 0; i < X; i++)
        wrong += values[i] != my_rank * X + i;
    CHECK(wrong == 0, "rank %d: %d values are wrong", my_rank, wrong);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Makes the header longer, in steps of 1 MiB; returns how often this rank had the disk begin. */
static int grow(int rank, int fails, int want)
{
    static const char text[LONGER];
    int ncid = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "65536");
    make_file();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", LONGER, text), NC_NOERR);
    calls = 0;
    fails_at = my_rank == rank ? fails : 0;
    CHECK_NC(ncmpi_enddef(ncid), want);
    fails_at = 0;
    int made = calls;
    CHECK_NC(ncmpi_close(ncid), want);
    check_file();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    return made;
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "early_failure", 120);
    int most = grow(0, 0, NC_NOERR);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(most > 16, "the disk begins %d times: there are no steps", most);
    for (int rank = 0; rank < my_size; rank++)
        for (int at = 1; at <= most; at += at < 20 ? 3 : 17)
            grow(rank, at, NC_EWRITE);
    return together_end("early_failure");
}
