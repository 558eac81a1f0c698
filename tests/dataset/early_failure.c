/* Fixes that a failure that the system tells when it is to begin writing to the disk (sync_file_range) is the
 * call's: no fsync has to tell it again. And that a redef of which one rank stopped there, while the others
 * went on with their steps as far as the next vote, is finished by the next open: everything is there. The
 * system's call is this program's own. And that somebody who cuts the journal right then ends the redef with
 * an error, and no process by a signal, with checksums and without. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "together.h"

enum { X = 1 << 20, LONGER = 40000, BLOCK = 1 << 20 };

static int calls, fails_at; /* 0: never */

/* Of the journal, what was put last is cut off again, or all but its head. */
static enum { NEVER, WHEN_IT_WAS_PUT, WHEN_THE_FILE_HAS_SOME } cuts;
static int journal = -1, cut; /* its descriptor; how often it was cut */
static off_t last_put;

static bool is_journal(int fd)
{
    char link[32], path[1200];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return strstr(path, ".parcdf-journal");
}

static void cut_if(int when)
{
    if ((int)cuts != when || journal < 0)
        return;
    CHECK_INT(ftruncate(journal, when == WHEN_IT_WAS_PUT ? last_put : 4096), 0);
    cut++;
}

ssize_t by_name_1(int fd, const void *bytes, size_t n, off_t offset) __asm__("pwrite");
ssize_t by_name_2(int fd, const void *bytes, size_t n, off_t offset) __asm__("pwrite64");

ssize_t by_name_1(int fd, const void *bytes, size_t n, off_t offset)
{
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, n, offset);
    bool begins_block = offset / BLOCK < (offset + (off_t)n) / BLOCK; /* which has a checksum from here on */
    if (cuts && begins_block && !is_journal(fd))
        cut_if(WHEN_THE_FILE_HAS_SOME);
    return done;
}

ssize_t by_name_2(int fd, const void *bytes, size_t n, off_t offset)
{
    return by_name_1(fd, bytes, n, offset);
}

int sync_file_range(int fd, off_t from, off_t n, unsigned flags)
{
    (void)n, (void)flags;
    if (is_journal(fd)) {
        journal = fd;
        last_put = from;
        cut_if(WHEN_IT_WAS_PUT);
    }
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

/* The enddef will make the header longer, in steps of 1 MiB. */
static int define_longer(const char *checksum)
{
    static const char text[LONGER];
    int ncid = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "65536");
    MPI_Info_set(info, "pcdf_checksum", checksum);
    make_file();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", LONGER, text), NC_NOERR);
    calls = 0;
    return ncid;
}

static void delete_file(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Returns how often this rank had the disk begin. */
static int grow(int rank, int fails, int want)
{
    int ncid = define_longer("none");
    fails_at = my_rank == rank ? fails : 0;
    CHECK_NC(ncmpi_enddef(ncid), want);
    fails_at = 0;
    int made = calls;
    CHECK_NC(ncmpi_close(ncid), want);
    check_file();
    delete_file();
    return made;
}

static void cut_journal(int when, const char *checksum)
{
    int ncid = define_longer(checksum);
    cut = 0;
    journal = -1;
    cuts = my_rank == my_size - 1 ? when : NEVER;
    int err = ncmpi_enddef(ncid);
    CHECK(err != NC_NOERR, "checksum %s: enddef succeeds without its journal", checksum);
    CHECK(cut > 0 || !cuts, "checksum %s: the journal was not cut", checksum);
    cuts = NEVER;
    CHECK(ncmpi_close(ncid) != NC_NOERR, "checksum %s: close succeeds", checksum);
    delete_file();
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
    for (int when = WHEN_IT_WAS_PUT; when <= WHEN_THE_FILE_HAS_SOME; when++) {
        cut_journal(when, "none");
        cut_journal(when, "crc32c");
    }
    return together_end("early_failure");
}
