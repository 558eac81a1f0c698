/* Fixes what becomes of a redef that lets the file system insert ranges: values and definitions are right,
 * with one shift and with two; a file with holes, and a file system that refuses, move in rounds; whatever
 * state a crash leaves an insertion in, or the undoing of one, the next open finishes it, on any number of
 * ranks; a file that does not tell is refused and left as it is. Each step is on the storage before the next.
 * The system's fallocate, fsync and pwrite are this program's own: where the file system cannot insert (it
 * lies in memory) it is done by copying, and the second folder shows that a real one does the same. */

#include <errno.h>
#include <fcntl.h>
#include <parcdf.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include "together.h"

enum { ROOM = 2 << 20, BLOCK = 4096, EXT = 0xef53, XFS = 0x58465342 };
enum { FIRST = 7001, SECOND = 3003, ROW = 1501, RECORDS = 9, EDGE = 1200 };
enum {
    COMPLETE = 0,
    ONLY_LONGER = 1000000
}; /* states of an insertion that stops: else whole blocks from its place */

/* ---- the system, as rank 0 sees it */

static struct {
    bool copies;            /* insertions are made by copying, and the file system says that it is ext4 */
    int refuses;            /* errno of each insertion; 0: none */
    int interrupted;        /* the insertion that a signal comes before, once; 0: none */
    int inserts, collapses; /* calls so far */
    int stops_at[2];        /* the insertion, the collapse (1: the next) that stops; 0: none */
    int blocks[2];          /* where */
    bool file_is_dirty, journal_is_dirty, is_strange;
} seen;

#define PUBLIC __attribute__((visibility("default")))

static bool leads_to(int fd, const char *suffix)
{
    char link[32], path[1200];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    size_t length = strlen(path), of_suffix = strlen(suffix);
    return strstr(path, "inserted_room_") && length > of_suffix &&
           strcmp(path + length - of_suffix, suffix) == 0;
}

static int64_t size_of(int fd)
{
    struct stat st;
    return fstat(fd, &st) ? -1 : (int64_t)st.st_size;
}

static int real_fallocate(int fd, int mode, int64_t at, int64_t n)
{
    return (int)syscall(SYS_fallocate, fd, mode, at, n);
}

/* Without states in between. */
static int shift(int fd, bool inserts, int64_t at, int64_t n)
{
    static unsigned char bytes[ROOM];
    if (!seen.copies)
        return real_fallocate(fd, inserts ? FALLOC_FL_INSERT_RANGE : FALLOC_FL_COLLAPSE_RANGE, at, n);
    int64_t from = inserts ? at : at + n, got = pread(fd, bytes, sizeof bytes, from),
            to = inserts ? at + n : at;
    int err = syscall(SYS_pwrite64, fd, bytes, (size_t)got, to) != got;
    if (inserts) {
        err |= real_fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, n);
        return err;
    }
    return err | ftruncate(fd, to + got);
}

/* The hole stands so many blocks behind the insertion's place, or the file has only become longer. */
static int leave_hole(int fd, int64_t at, int64_t n, int blocks)
{
    int64_t size = size_of(fd), hole = at + (int64_t)blocks * BLOCK;
    int err = hole < size ? shift(fd, true, hole, n) : ftruncate(fd, size + n);
    CHECK(err == 0, "leaving a hole at %lld of %lld: %s", (long long)hole, (long long)size, strerror(errno));
    errno = EIO;
    return -1;
}

static int my_fallocate(int fd, int mode, int64_t at, int64_t n)
{
    bool inserts = mode == FALLOC_FL_INSERT_RANGE;
    if (!inserts && mode != FALLOC_FL_COLLAPSE_RANGE)
        return real_fallocate(fd, mode, at, n);
    CHECK(!seen.journal_is_dirty && !seen.file_is_dirty, "%s before all is on the storage",
          inserts ? "inserts" : "collapses");
    int *calls = inserts ? &seen.inserts : &seen.collapses;
    bool stops = ++*calls == seen.stops_at[!inserts];
    if (inserts && seen.refuses) {
        errno = seen.refuses;
        return -1;
    }
    if (inserts && *calls == seen.interrupted) {
        seen.interrupted = 0;
        --*calls;
        errno = EINTR;
        return -1;
    }
    seen.file_is_dirty = true;
    if (stops && inserts)
        return leave_hole(fd, at, n, seen.blocks[0]);
    int err = shift(fd, inserts, at, n);
    return stops ? leave_hole(fd, at, n, seen.blocks[1]) : err;
}

PUBLIC int by_name_1(int fd, int mode, off_t at, off_t n) __asm__("fallocate");
PUBLIC int by_name_2(int fd, int mode, off_t at, off_t n) __asm__("fallocate64");
PUBLIC ssize_t by_name_3(int fd, const void *bytes, size_t n, off_t offset) __asm__("pwrite");
PUBLIC ssize_t by_name_4(int fd, const void *bytes, size_t n, off_t offset) __asm__("pwrite64");
PUBLIC int by_name_5(int fd, struct statfs *fs) __asm__("fstatfs");
PUBLIC int by_name_6(int fd, struct statfs *fs) __asm__("fstatfs64");

PUBLIC int by_name_1(int fd, int mode, off_t at, off_t n)
{
    return my_fallocate(fd, mode, at, n);
}

PUBLIC int by_name_2(int fd, int mode, off_t at, off_t n)
{
    return my_fallocate(fd, mode, at, n);
}

static ssize_t my_pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    bool is_file = leads_to(fd, ".nc"), is_note = n >= 8 && memcmp(bytes, "PARCDFR1", 8) == 0;
    bool is_head = n >= 8 && memcmp(bytes, "PARCDFJ", 7) == 0;
    CHECK(!is_note || my_rank > 0 || !seen.file_is_dirty || !seen.inserts,
          "a step is noted before it is on the storage");
    CHECK(!is_file || my_rank > 0 || !seen.journal_is_dirty, "a note is not on the storage");
    seen.file_is_dirty |= is_file;
    seen.journal_is_dirty |= is_note || is_head;
    return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

PUBLIC ssize_t by_name_3(int fd, const void *bytes, size_t n, off_t offset)
{
    return my_pwrite(fd, bytes, n, offset);
}

PUBLIC ssize_t by_name_4(int fd, const void *bytes, size_t n, off_t offset)
{
    return my_pwrite(fd, bytes, n, offset);
}

PUBLIC int fsync(int fd)
{
    if (leads_to(fd, ".nc"))
        seen.file_is_dirty = false;
    else if (leads_to(fd, ".parcdf-journal"))
        seen.journal_is_dirty = false;
    return (int)syscall(SYS_fsync, fd);
}

static int my_fstatfs(int fd, struct statfs *fs)
{
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    if (!err && seen.copies)
        fs->f_type = EXT;
    return err;
}

PUBLIC int by_name_5(int fd, struct statfs *fs)
{
    return my_fstatfs(fd, fs);
}

PUBLIC int by_name_6(int fd, struct statfs *fs)
{
    return my_fstatfs(fd, fs);
}

/* ---- the file, and what must be in it */

static int value_of(int varid, int64_t at)
{
    return varid * 1000000 + (int)(at * 7 % 999983);
}

static bool is_asked = true; /* else the file is aligned, and so is what becomes of it */

static MPI_Info hints(const char *fault)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (is_asked) {
        MPI_Info_set(info, "pcdf_debug_move", "insert");
    } else {
        MPI_Info_set(info, "nc_var_align_size", "4096");
        MPI_Info_set(info, "nc_record_align_size", "4096");
    }
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024"); /* so that so few bytes are worth an insertion */
    if (fault)
        MPI_Info_set(info, "pcdf_fault", fault);
    return info;
}

static void put_all(int ncid, int varid, int64_t rows, int64_t length)
{
    static int values[RECORDS * ROW];
    MPI_Offset start[2] = { 0, 0 }, count[2] = { rows, length };
    int skip = rows == 1;
    for (int64_t i = 0; i < rows * length; i++)
        values[i] = value_of(varid, i);
    if (my_rank > 0)
        count[0] = count[1] = 0;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, start + skip, count + skip, values), NC_NOERR);
}

static void make_file(bool has_hole)
{
    int ncid, dims[4], vars[3];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &ncid),
             NC_NOERR);
    ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", ROW, &dims[1]);
    ncmpi_def_dim(ncid, "a", FIRST, &dims[2]);
    ncmpi_def_dim(ncid, "b", SECOND, &dims[3]);
    ncmpi_def_var(ncid, "first", NC_INT, 1, &dims[2], &vars[0]);
    ncmpi_def_var(ncid, "second", NC_INT, 1, &dims[3], &vars[1]);
    ncmpi_def_var(ncid, "record", NC_INT, 2, dims, &vars[2]);
    CHECK_NC(ncmpi__enddef(ncid, 0, is_asked ? 4 : BLOCK, EDGE, is_asked ? 4 : BLOCK), NC_NOERR);
    if (!has_hole)
        put_all(ncid, vars[0], 1, FIRST);
    put_all(ncid, vars[1], 1, SECOND);
    put_all(ncid, vars[2], RECORDS, ROW);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The header grows into the data; with a fixed variable the records have to move further. */
static int change_file(const char *fault, bool two)
{
    static char text[3000];
    MPI_Info info = hints(fault);
    int ncid, dim, var, err = ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid);
    MPI_Info_free(&info);
    if (err)
        return err;
    memset(text, 'h', sizeof text);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", sizeof text, text), NC_NOERR);
    if (two) {
        CHECK_NC(ncmpi_def_dim(ncid, "n", 20000, &dim), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, "new", NC_INT, 1, &dim, &var), NC_NOERR);
        CHECK_NC(ncmpi_def_var_fill(ncid, var, 0, NULL), NC_NOERR);
    }
    err = ncmpi_enddef(ncid);
    int closed = err == NC_EACCESS ? ncmpi_abort(ncid) : ncmpi_close(ncid);
    return err ? err : closed;
}

static int wrong_values(int ncid, int varid, int n)
{
    static int got[RECORDS * ROW];
    int bad = 0;
    memset(got, 0, sizeof got);
    CHECK_NC(ncmpi_get_var_int_all(ncid, varid, got), NC_NOERR);
    for (int i = 0; i < n; i++)
        bad += got[i] != value_of(varid, i);
    return bad;
}

static void check_file(bool has_hole, bool two, const char *when)
{
    static int filled[20000];
    int ncid, var, bad = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    bad += has_hole ? 0 : wrong_values(ncid, 0, FIRST);
    bad += wrong_values(ncid, 1, SECOND) + wrong_values(ncid, 2, RECORDS * ROW);
    CHECK(bad == 0, "%s: %d values are wrong", when, bad);
    CHECK(ncmpi_inq_attid(ncid, NC_GLOBAL, "history", &var) == NC_NOERR, "%s: the definitions are old", when);
    CHECK_INT(ncmpi_inq_varid(ncid, "new", &var) == NC_NOERR, two);
    if (two)
        CHECK_NC(ncmpi_get_var_int_all(ncid, var, filled), NC_NOERR);
    for (int i = 0; two && i < 20000; i++)
        bad += filled[i] != NC_FILL_INT;
    CHECK(bad == 0, "%s: %d values are not filled", when, bad);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The next open for writing, by all ranks or by one. */
static int recover(bool alone)
{
    int ncid, err = NC_NOERR;
    if (alone && my_rank > 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        return err;
    }
    err = ncmpi_open(alone ? MPI_COMM_SELF : MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid);
    if (!err)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (alone)
        MPI_Barrier(MPI_COMM_WORLD);
    return err;
}

static void system_is_good(void)
{
    bool copies = seen.copies;
    memset(&seen, 0, sizeof seen);
    seen.copies = copies;
}

/* ---- the cases */

static void whole(bool two)
{
    make_file(false);
    system_is_good();
    CHECK_NC(change_file(NULL, two), NC_NOERR);
    if (my_rank == 0)
        CHECK_INT(seen.inserts, two ? 2 : 1);
    check_file(false, two, "inserted");
}

/* Without the hint, where all moves by whole blocks; never where the file system has no journal. */
static void unasked(void)
{
    is_asked = false;
    make_file(false);
    system_is_good();
    CHECK_NC(change_file(NULL, true), NC_NOERR);
    if (my_rank == 0 && seen.copies)
        CHECK_INT(seen.inserts, 1); /* the header has room enough: the records go up alone */
    check_file(false, true, "unasked");
    is_asked = true;
}

static void by_rounds(int refuses, bool has_hole)
{
    make_file(has_hole);
    system_is_good();
    seen.refuses = refuses;
    CHECK_NC(change_file(NULL, true), NC_NOERR);
    if (my_rank == 0)
        CHECK_INT(seen.inserts, has_hole ? 0 : 1);
    check_file(has_hole, true, has_hole ? "with a hole" : "refused");
}

static void interrupted(int call)
{
    make_file(false);
    system_is_good();
    seen.interrupted = call;
    CHECK_NC(change_file(NULL, true), NC_NOERR);
    if (my_rank == 0)
        CHECK(seen.inserts == 2 && seen.interrupted == 0, "%d insertions", seen.inserts);
    check_file(false, true, "interrupted");
}

/* The insertion number `call` stops so that its hole is `blocks` from its place. */
static void stop_in(int call, int blocks)
{
    make_file(false);
    system_is_good();
    seen.stops_at[0] = call;
    seen.blocks[0] = blocks;
    int ncid, err = change_file(NULL, true);
    CHECK(err != NC_NOERR, "insertion %d stopped, and rank %d was not told", call, my_rank);
    system_is_good();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_ERECOVER);
}

static void stopped(int call, int blocks, bool alone)
{
    char when[80];
    snprintf(when, sizeof when, "insertion %d stopped %d blocks from its place", call, blocks);
    stop_in(call, blocks);
    CHECK_NC(recover(alone), NC_NOERR);
    if (my_rank == 0)
        CHECK(seen.inserts == 2 - (call - 1) - (blocks == COMPLETE), "%s: %d insertions more", when,
              seen.inserts);
    check_file(false, true, when);
}

/* Its recovery stops, too: when it takes the half insertion back, or makes it anew. */
static void stopped_twice(int call, int blocks, bool collapses, int then)
{
    char when[120];
    snprintf(when, sizeof when, "insertion %d stopped %d blocks from its place, its %s %d", call, blocks,
             collapses ? "undoing" : "redoing", then);
    stop_in(call, blocks);
    seen.stops_at[collapses] = 1;
    seen.blocks[collapses] = then;
    CHECK(recover(false) != NC_NOERR, "%s: rank %d was not told", when, my_rank);
    system_is_good();
    CHECK_NC(recover(true), NC_NOERR);
    check_file(false, true, when);
}

static void refused_in_recovery(void)
{
    stop_in(1, ONLY_LONGER);
    seen.refuses = EOPNOTSUPP;
    CHECK_NC(recover(false), NC_NOERR);
    check_file(false, true, "refused in recovery");
    stop_in(2, ONLY_LONGER); /* the first one is made: nothing else can go on */
    seen.refuses = EOPNOTSUPP;
    CHECK(recover(false) != NC_NOERR, "half of it was taken for all");
    system_is_good();
    CHECK_NC(recover(false), NC_NOERR);
    check_file(false, true, "refused in recovery for a while");
}

static int64_t bytes_of(unsigned char *bytes)
{
    int fd = open(my_path, O_RDONLY);
    int64_t n = fd < 0 ? -1 : read(fd, bytes, ROOM);
    close(fd);
    return n;
}

/* As a copy that has zeros in the place of its hole, or other holes. */
static void unclear(bool is_filled)
{
    static unsigned char before[ROOM], after[ROOM];
    stop_in(1, 5);
    int64_t n = 0;
    if (my_rank == 0) {
        n = bytes_of(before);
        int fd = open(my_path, O_RDWR);
        if (is_filled)
            CHECK_INT(syscall(SYS_pwrite64, fd, before, (size_t)n, 0), n);
        else
            CHECK_INT(real_fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 30 * BLOCK, BLOCK), 0);
        close(fd);
        n = bytes_of(before);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(recover(false), NC_ERECOVER);
    if (my_rank == 0) {
        CHECK(strstr(parcdf_last_error(), "holes do not tell"), "it says: %s", parcdf_last_error());
        CHECK(bytes_of(after) == n && memcmp(before, after, (size_t)n) == 0, "it was written to");
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Each put of rank 0 fails once: the mark, an edge, what is filled, the header. */
static void failing_puts(void)
{
    int err = NC_EWRITE;
    for (int k = 1; k < 50 && err; k++) {
        char fault[40], when[60];
        snprintf(fault, sizeof fault, "write:%d@0", k);
        snprintf(when, sizeof when, "with %s", fault);
        make_file(false);
        system_is_good();
        err = change_file(fault, true);
        CHECK_NC(recover(k % 2), NC_NOERR);
        int ncid, var;
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
        bool is_new = ncmpi_inq_varid(ncid, "new", &var) == NC_NOERR;
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        if (is_new)
            check_file(false, true, when);
        CHECK(is_new || k == 1, "%s: the change is lost", when); /* the mark never came */
    }
    CHECK_NC(err, NC_NOERR);
}

static void told(void)
{
    char report[4000];
    stop_in(2, COMPLETE);
    if (my_rank == 0) {
        CHECK_NC(parcdf_repair(my_path, PARCDF_REPAIR_DRY_RUN, report, sizeof report), NC_NOERR);
        CHECK(strstr(report, "2 insertions of ranges, 1 of them noted"), "it says: %s", report);
        CHECK_NC(parcdf_repair(my_path, 0, report, sizeof report), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check_file(false, true, "repaired");
}

static void all_cases(void)
{
    static const int places[] = { COMPLETE, 1, 2, 7, 15, 16, 17, 20, 24, 25, 26, 30, ONLY_LONGER };
    whole(false);
    whole(true);
    unasked();
    by_rounds(EOPNOTSUPP, false);
    by_rounds(0, true);
    interrupted(1);
    interrupted(2);
    for (int call = 1; call <= 2; call++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            stopped(call, places[i], (call + (int)i) % 2);
    for (int call = 1; call <= 2; call++)
        for (size_t i = 0; i < 4; i++) {
            static const int then[] = { 0, 3, 10, ONLY_LONGER };
            stopped_twice(call, 4, true, then[i]);
            stopped_twice(call, 4, false, then[i]);
        }
    refused_in_recovery();
    unclear(true);
    unclear(false);
    failing_puts();
    told();
}

/* Rank 0's answer on all ranks. */
static bool folder_inserts(void)
{
    int inserts = 0;
    if (my_rank == 0) {
        static const char bytes[3 * BLOCK] = "";
        struct statfs fs;
        int fd = open(my_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        inserts = fd >= 0 && !fstatfs(fd, &fs) && (fs.f_type == EXT || fs.f_type == XFS) &&
                  write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes &&
                  !real_fallocate(fd, FALLOC_FL_INSERT_RANGE, BLOCK, BLOCK) &&
                  !real_fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, BLOCK, BLOCK);
        close(fd);
        unlink(my_path);
    }
    MPI_Bcast(&inserts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return inserts != 0;
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "inserted_room", 200);
    seen.copies = true;
    all_cases();
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    seen.copies = false;
    const char *name = strrchr(my_path, '/') + 1;
    char here[1024];
    snprintf(here, sizeof here, "%s/%s", argc > 2 ? argv[2] : ".", name);
    memcpy(my_path, here, sizeof here);
    if (folder_inserts())
        all_cases();
    else if (my_rank == 0)
        printf("skipped: the file system of %s inserts no ranges\n", argc > 2 ? argv[2] : ".");
    return together_end("inserted_room");
}
