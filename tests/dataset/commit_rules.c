/* Fixes hint pcdf_commit: what replaces something waits for the disk, what is new does not. One row for each
 * promise of doc/crashes.md, with both storages. The system's fsync and pwrite are this program's own, so
 * that they count: whether bytes that this rank wrote, or a name that rank 0 made, are not on the storage
 * when close returns; that a rank that wrote nothing waits for nothing; and that
 * rank 0 alone marks checksums, for all, before anybody writes. Where a close will wait the disk begins
 * early, once for each byte. A redef that moves data waits in a new file, too. What another job makes under
 * the name meanwhile is an old file; and how often a create looks at names. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include "together.h"

enum { X = 3000, HISTORY = 3000 };
enum { EXT = 0xef53, NFS = 0x6969, LUSTRE = 0x0bd00bd0 }; /* what statfs says */

/* ---- what this rank asks of the system */

static struct {
    int file_syncs, folder_syncs, sums_syncs;
    bool is_dirty, name_is_dirty;
    bool has_lost;       /* bytes of the file: the first who closes it is told */
    int begun, fails_at; /* calls to begin to write; the one that fails, 0: none */
    long long begun_bytes;
    bool watches, was_dirty; /* the next write to the file: were bytes before it not on the storage? */
    bool races;              /* another job makes the file right before this one does */
    int looks;               /* at names of the file, and of what lies beside it */
} seen;

static bool leads_to(int fd, bool to_sums)
{
    char link[32], path[1200];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return strstr(path, "commit_rules") && !strstr(path, ".parcdf-journal") &&
           to_sums == !!strstr(path, ".parcdf-sums");
}

static bool is_the_file(int fd)
{
    return leads_to(fd, false);
}

/* MPI's files are elsewhere in the process. */
#define PUBLIC __attribute__((visibility("default")))

PUBLIC int fsync(int fd)
{
    struct stat st;
    bool is_folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    if (is_folder) {
        seen.folder_syncs++;
        seen.name_is_dirty = false;
    } else if (is_the_file(fd)) {
        seen.file_syncs++;
        seen.is_dirty = false;
    }
    seen.sums_syncs += leads_to(fd, true);
    return (int)syscall(SYS_fsync, fd);
}

PUBLIC int close(int fd)
{
    bool tells = seen.has_lost && is_the_file(fd);
    seen.has_lost &= !tells;
    int err = (int)syscall(SYS_close, fd);
    errno = tells ? EIO : errno;
    return tells ? -1 : err;
}

PUBLIC int sync_file_range(int fd, off_t from, off_t n, unsigned flags)
{
    CHECK(from >= 0 && n > 0 && flags == SYNC_FILE_RANGE_WRITE, "from %lld, %lld bytes", (long long)from,
          (long long)n);
    if (!is_the_file(fd)) /* a journal */
        return 0;
    seen.begun++;
    seen.begun_bytes += n;
    errno = EIO;
    return seen.begun == seen.fails_at ? -1 : 0;
}

static void note_write(int fd)
{
    if (!is_the_file(fd))
        return;
    seen.was_dirty |= seen.watches && seen.is_dirty;
    seen.watches = false;
    seen.is_dirty = true;
}

static ssize_t write_at(int fd, const void *bytes, size_t n, off_t offset)
{
    note_write(fd);
    return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

static ssize_t write_pieces_at(int fd, const struct iovec *pieces, int n, off_t offset)
{
    note_write(fd);
    return syscall(SYS_pwritev, fd, pieces, n, offset, 0);
}

/* By the names with and without 64, whichever of them the headers give to the other. */
PUBLIC ssize_t by_name_1(int fd, const void *bytes, size_t n, off_t offset) __asm__("pwrite");
PUBLIC ssize_t by_name_2(int fd, const void *bytes, size_t n, off_t offset) __asm__("pwrite64");
PUBLIC ssize_t by_name_3(int fd, const struct iovec *pieces, int n, off_t offset) __asm__("pwritev");
PUBLIC ssize_t by_name_4(int fd, const struct iovec *pieces, int n, off_t offset) __asm__("pwritev64");

PUBLIC ssize_t by_name_1(int fd, const void *bytes, size_t n, off_t offset)
{
    return write_at(fd, bytes, n, offset);
}

PUBLIC ssize_t by_name_2(int fd, const void *bytes, size_t n, off_t offset)
{
    return write_at(fd, bytes, n, offset);
}

PUBLIC ssize_t by_name_3(int fd, const struct iovec *pieces, int n, off_t offset)
{
    return write_pieces_at(fd, pieces, n, offset);
}

PUBLIC ssize_t by_name_4(int fd, const struct iovec *pieces, int n, off_t offset)
{
    return write_pieces_at(fd, pieces, n, offset);
}

/* O_CREAT or not: the mode of a file that is not made is not looked at. */
static int open_name(const char *path, int flags, int mode)
{
    if (seen.races && (flags & O_CREAT) && strcmp(path, my_path) == 0) {
        int other = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_EXCL | O_WRONLY, 0666);
        CHECK(other >= 0 && syscall(SYS_write, other, "other", 5) == 5, "%s was there before", path);
        (void)syscall(SYS_close, other);
        seen.races = false;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

PUBLIC int by_name_5(const char *path, int flags, int mode) __asm__("open");
PUBLIC int by_name_6(const char *path, int flags, int mode) __asm__("open64");

PUBLIC int by_name_5(const char *path, int flags, int mode)
{
    return open_name(path, flags, mode);
}

PUBLIC int by_name_6(const char *path, int flags, int mode)
{
    return open_name(path, flags, mode);
}

static int look_at(const char *path, struct stat *st, int flags)
{
    seen.looks += strstr(path, "commit_rules") != NULL;
    return fstatat(AT_FDCWD, path, st, flags);
}

PUBLIC int by_name_7(const char *path, struct stat *st) __asm__("stat");
PUBLIC int by_name_8(const char *path, struct stat *st) __asm__("stat64");
PUBLIC int by_name_9(const char *path, struct stat *st) __asm__("lstat");
PUBLIC int by_name_10(const char *path, struct stat *st) __asm__("lstat64");

PUBLIC int by_name_7(const char *path, struct stat *st)
{
    return look_at(path, st, 0);
}

PUBLIC int by_name_8(const char *path, struct stat *st)
{
    return look_at(path, st, 0);
}

PUBLIC int by_name_9(const char *path, struct stat *st)
{
    return look_at(path, st, AT_SYMLINK_NOFOLLOW);
}

PUBLIC int by_name_10(const char *path, struct stat *st)
{
    return look_at(path, st, AT_SYMLINK_NOFOLLOW);
}

static uint32_t fs_type;

PUBLIC int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    if (!err && fs_type)
        fs->f_type = fs_type;
    return err;
}

/* ---- sessions */

enum begins { FREE_NAME, OVER_OLD, OPENS, RACED }; /* the last: another job makes it meanwhile */

static const struct row {
    const char *what, *commit, *hint, *value;
    enum begins begins;
    bool syncs_before; /* ncmpi_sync, then more is put */
    bool waits;        /* close returns when all is on the storage */
} rows[] = {
    { "new", "auto", NULL, NULL, FREE_NAME, false, false },
    { "new", "none", NULL, NULL, FREE_NAME, false, false },
    { "new", "close", NULL, NULL, FREE_NAME, false, true },
    { "new", "record", NULL, NULL, FREE_NAME, false, true },
    { "new and synced", "auto", NULL, NULL, FREE_NAME, true, true },
    { "new and synced", "none", NULL, NULL, FREE_NAME, true, false },
    { "over an old file", "auto", NULL, NULL, OVER_OLD, false, true },
    { "over an old file", "none", NULL, NULL, OVER_OLD, false, false },
    { "over an old file", "close", NULL, NULL, OVER_OLD, false, true },
    { "made by another job meanwhile", "auto", NULL, NULL, RACED, false, true },
    { "opened", "auto", NULL, NULL, OPENS, false, true },
    { "opened", "none", NULL, NULL, OPENS, false, false },
    { "opened", "close", NULL, NULL, OPENS, false, true },
    { "new, atomic", "auto", "pcdf_atomic_create", "true", FREE_NAME, false, true },
    { "new, atomic", "none", "pcdf_atomic_create", "true", FREE_NAME, false, true },
    { "over an old file, atomic", "auto", "pcdf_atomic_create", "true", OVER_OLD, false, true },
    { "new, with checksums", "auto", "pcdf_checksum", "crc32c", FREE_NAME, false, true },
    { "opened, with checksums", "auto", "pcdf_checksum", "crc32c", OPENS, false, true },
    { "synced, with checksums", "auto", "pcdf_checksum", "crc32c", FREE_NAME, true, true },
};

/* What a client keeps may find no room on the servers: who closes is to know. */
static const struct elsewhere {
    uint32_t fs_type; /* what statfs says */
    struct row row;
} elsewhere[] = {
    { NFS, { "new, on NFS", "auto", NULL, NULL, FREE_NAME, false, true } },
    { NFS, { "new, on NFS", "none", NULL, NULL, FREE_NAME, false, false } },
    { LUSTRE, { "new, on Lustre", "auto", NULL, NULL, FREE_NAME, false, false } },
};

static const char *engine;

static void define(int ncid)
{
    char history[HISTORY]; /* a header of several sectors */
    int dims[2];
    memset(history, 'h', sizeof history);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", HISTORY, history), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", X, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dims[1], &(int){ 0 }), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "r", NC_INT, 2, dims, &(int){ 0 }), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
}

static bool puts_data(void)
{
    return my_rank < 2;
}

/* The ranks behind the second write nothing. */
static void put(int ncid, MPI_Offset record)
{
    int values[X] = { 1 }, n = my_size > 1 ? 2 : 1;
    const MPI_Offset start[2] = { record, my_rank * (X / n) }, count[2] = { 1, puts_data() ? X / n : 0 };
    const MPI_Offset none[2] = { 0, 0 };
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, puts_data() ? start + 1 : none, count + 1, values), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 1, puts_data() ? start : none, puts_data() ? count : none, values),
             NC_NOERR);
}

static MPI_Info hints_of(const struct row *row)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", engine);
    MPI_Info_set(info, "pcdf_debug_strategy", "independent");
    MPI_Info_set(info, "pcdf_commit", row->commit);
    if (row->hint)
        MPI_Info_set(info, row->hint, row->value);
    return info;
}

static void make_old(const struct row *row)
{
    int ncid = -1;
    MPI_Info info = hints_of(row);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    define(ncid);
    put(ncid, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void check_row(const struct row *row)
{
    char what[100];
    snprintf(what, sizeof what, "%s, %s, commit %s, rank %d of %d", engine, row->what, row->commit, my_rank,
             my_size);
    bool names = my_rank == 0 && row->begins != OPENS;
    if (row->waits)
        CHECK(!seen.is_dirty, "%s: close returned, and bytes of this rank are not on the storage", what);
    if (row->waits && names)
        CHECK(!seen.name_is_dirty, "%s: close returned, and the name is not on the storage", what);
    if (row->waits && puts_data())
        CHECK(seen.file_syncs > 0, "%s: no fsync", what);
    if (my_rank > 0)
        CHECK(seen.sums_syncs == 0, "%s: %d times fsync of the checksums, whose mark is rank 0's", what,
              seen.sums_syncs);
    if (!puts_data())
        CHECK(seen.file_syncs == 0, "%s: %d times fsync of a file that this rank wrote nothing to", what,
              seen.file_syncs);
    if (!row->waits && !row->syncs_before && row->begins != OPENS)
        CHECK(seen.file_syncs + seen.folder_syncs == 0, "%s: %d times fsync of the file, %d of its folder",
              what, seen.file_syncs, seen.folder_syncs);
    if (!row->waits && puts_data())
        CHECK(seen.is_dirty, "%s: nothing was to be synced, and nothing is left to sync", what);
}

static void put_alone(int ncid)
{
    const MPI_Offset start = my_rank, count = 1;
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (puts_data())
        CHECK_NC(ncmpi_put_vara_int(ncid, 0, &start, &count, &my_rank), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void run(const struct row *row)
{
    int ncid = -1;
    MPI_Info info = hints_of(row);
    if (row->begins != FREE_NAME && row->begins != RACED)
        make_old(row);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(&seen, 0, sizeof seen);
    seen.name_is_dirty = true;
    seen.races = my_rank == 0 && row->begins == RACED;
    if (row->begins == OPENS) {
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
    } else {
        CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
        define(ncid);
    }
    MPI_Info_free(&info);
    put_alone(ncid);
    put(ncid, 0);
    if (row->syncs_before) {
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        CHECK(!seen.is_dirty && (my_rank || !seen.name_is_dirty), "%s: a sync that is none", row->what);
        int before = seen.file_syncs;
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        CHECK(seen.file_syncs == before, "%s, %s: a clean file is synced again", engine, row->what);
    }
    put_alone(ncid);
    put(ncid, 1); /* in place, and a record */
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_row(row);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
}

/* What moves goes over the only copy of something: not before that is on the storage, nor is it left to the
 * system. Where there is no data nothing waits. */
static void check_redef(const char *commit, bool has_data)
{
    enum { MORE = 6000 };
    static char text[MORE];
    int ncid = -1, values[X] = { 0 };
    struct row row = { "new", commit, NULL, NULL, FREE_NAME, false, false };
    MPI_Info info = hints_of(&row);
    memset(&seen, 0, sizeof seen);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    define(ncid);
    if (has_data)
        put(ncid, 0);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "more", MORE, text), NC_NOERR);
    int before = seen.file_syncs + seen.folder_syncs;
    bool wrote = seen.is_dirty, waits = has_data && strcmp(commit, "none") != 0;
    seen.watches = true;
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    int syncs = seen.file_syncs + seen.folder_syncs - before;
    CHECK(
        !waits || !wrote || (syncs > 0 && !seen.was_dirty && !seen.is_dirty),
        "%s, commit %s, rank %d: data moved that is not on the storage: %d times fsync, %s before, %s after",
        engine, commit, my_rank, syncs, seen.was_dirty ? "dirty" : "clean",
        seen.is_dirty ? "dirty" : "clean");
    CHECK(waits || syncs == 0, "%s, commit %s, rank %d: %d times fsync of a new file %s", engine, commit,
          my_rank, syncs, has_data ? "that need not last" : "without data");
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, values), NC_NOERR);
    CHECK_INT(values[0], has_data);
    seen.file_syncs = seen.folder_syncs = 0;
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(seen.file_syncs + seen.folder_syncs == 0, "%s, commit %s: close of a file that is still new waits",
          engine, commit);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Each look is a message to a server where the file system has one. The first create of a process also looks
 * at its working folder. */
static void count_looks(void)
{
    enum { MOST = 4 };
    int ncid = -1;
    char own[32];
    snprintf(own, sizeof own, "one_%d.nc", my_rank);
    CHECK_NC(ncmpi_create(MPI_COMM_SELF, own, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    memset(&seen, 0, sizeof seen);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK(seen.looks <= MOST, "a create looks at names %d times on rank %d", seen.looks, my_rank);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Nobody calls fsync: the last rank's close is where the system tells that bytes were lost. */
static void lose_some(void)
{
    int ncid = -1;
    MPI_Info info = hints_of(&rows[0]);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    define(ncid);
    put(ncid, 0);
    seen.has_lost = my_rank == my_size - 1;
    CHECK_NC(ncmpi_close(ncid), NC_EWRITE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
}

/* 40 MiB of a rank, twice. fails_at: one of the calls to begin fails, which no fsync has to tell again. */
static void check_early(const char *commit, int fails_at)
{
    enum { MIB = 1 << 20, STEPS = 40 };
    static char bytes[MIB];
    int ncid = -1, dim, var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", engine);
    MPI_Info_set(info, "pcdf_commit", commit);
    memset(&seen, 0, sizeof seen);
    seen.fails_at = fails_at;
    fs_type = EXT;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)MIB * STEPS * my_size, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_BYTE, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < 2 * STEPS; i++) {
        const MPI_Offset start = ((MPI_Offset)my_rank * STEPS + i % STEPS) * MIB, count = MIB;
        int err = ncmpi_put_vara_schar_all(ncid, var, &start, &count, (signed char *)bytes);
        CHECK(!err || fails_at, "put %d: %s", i, ncmpi_strerrno(err));
    }
    bool waits = strcmp(commit, "close") == 0;
    int most = waits ? 5 : 0;
    CHECK(fails_at || (seen.begun == most && seen.begun_bytes >= (long long)most * 8 * MIB - 4096),
          "%s, commit %s, rank %d: began %d times, with %lld bytes", engine, commit, my_rank, seen.begun,
          seen.begun_bytes);
    CHECK_NC(ncmpi_close(ncid), fails_at ? NC_EWRITE : NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
}

int main(int argc, char **argv)
{
    static const char *const engines[] = { "posix", "mpiio" };
    together_begin(&argc, &argv, "commit_rules", 60);
    count_looks();
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        engine = engines[e];
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            run(&rows[i]);
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
            fs_type = elsewhere[i].fs_type;
            run(&elsewhere[i].row);
        }
        fs_type = 0;
        lose_some();
        check_redef("auto", true);
        check_redef("auto", false);
        check_redef("none", true);
        check_early("close", 0);
        check_early("auto", 0);
        check_early("close", 3);
    }
    return together_end("commit_rules");
}
