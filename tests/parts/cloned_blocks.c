/* Fixes what hint pcdf_debug_clone promises: of a new file that takes an older one's place, blocks with the
 * older one's bytes are cloned and not written; every byte of the new file is what was put, whatever the file
 * system answers, whatever happens to the older file or its checksums meanwhile, and where two blocks have
 * the same checksum but not the same bytes; the checksums of the new file are right.
 * The system's ioctl is this program's own: it clones by copying, so that the test runs on file systems that
 * cannot. With the argument "real" after the folder the file system clones, and the test looks whether the
 * blocks are shared (cloned_blocks.py). */

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <parcdf.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "together.h"
#include "checksumtable.h"
#include "crc32c.h"
#include "dataset.h"

enum { BLOCK = PCDF_CHECKSUMS_BLOCK, ROWS = 8, COLUMNS = BLOCK / 4, TAIL = 777 };

/* ---- the system */

enum fault { NONE, REFUSED, HALF, CHANGED, TOUCHED };

static struct {
    bool is_real;
    enum fault fault; /* of rank 0 ... */
    int at;           /* ... in its clone of this number, from 1, and all that follow */
    int error, clones;
    int64_t begin, end; /* what was cloned last */
} seen;

static char copied[BLOCK];

static int copy_range(int to, const struct file_clone_range *r, uint64_t length)
{
    for (uint64_t at = 0; at < length; at += BLOCK) {
        uint64_t n = length - at < BLOCK ? length - at : BLOCK;
        if (pread((int)r->src_fd, copied, n, (off_t)(r->src_offset + at)) != (ssize_t)n ||
            syscall(SYS_pwrite64, to, copied, n, (off_t)(r->dest_offset + at)) != (ssize_t)n)
            return -1;
    }
    return 0;
}

/* As another program: the first byte, or only the time. */
static void meddle(int fd, int64_t offset)
{
    char link[64], byte;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int other = open(link, O_RDWR);
    CHECK(other >= 0 && pread(other, &byte, 1, offset) == 1, "the older file is not there");
    if (seen.fault == CHANGED)
        byte ^= 1;
    CHECK(syscall(SYS_pwrite64, other, &byte, 1, offset) == 1, "it cannot be written to");
    close(other);
}

static int my_clone(int fd, struct file_clone_range *r)
{
    bool fails = ++seen.clones >= seen.at && my_rank == 0 && seen.fault != NONE;
    errno = EINVAL;
    if ((r->src_offset | r->src_length | r->dest_offset) % 4096)
        return -1;
    if (fails && seen.fault == HALF)
        (void)copy_range(fd, r, r->src_length / 2);
    errno = seen.error;
    if (fails && (seen.fault == HALF || seen.fault == REFUSED))
        return -1;
    if (fails)
        meddle((int)r->src_fd, (int64_t)r->src_offset);
    return seen.is_real ? (int)syscall(SYS_ioctl, fd, FICLONERANGE, r) : copy_range(fd, r, r->src_length);
}

static int my_dedupe(int fd, struct file_dedupe_range *r)
{
    struct file_dedupe_range_info *info = r->info;
    static char other[BLOCK];
    errno = seen.error;
    if (seen.fault == REFUSED)
        return -1;
    if (seen.is_real)
        return (int)syscall(SYS_ioctl, fd, FIDEDUPERANGE, r);
    ssize_t n = (ssize_t)r->src_length;
    bool is_same = n <= BLOCK && pread(fd, copied, (size_t)n, (off_t)r->src_offset) == n &&
                   pread((int)info->dest_fd, other, (size_t)n, (off_t)info->dest_offset) == n &&
                   memcmp(copied, other, (size_t)n) == 0;
    info->status = is_same ? FILE_DEDUPE_RANGE_SAME : FILE_DEDUPE_RANGE_DIFFERS;
    info->bytes_deduped = is_same ? (uint64_t)n : 0;
    return 0;
}

__attribute__((visibility("default"))) int ioctl_of_test(int fd, unsigned long what, ...) __asm__("ioctl");

int ioctl_of_test(int fd, unsigned long what, ...)
{
    va_list args;
    va_start(args, what);
    void *arg = va_arg(args, void *);
    va_end(args);
    if (what == FIDEDUPERANGE)
        return my_dedupe(fd, arg);
    return what == FICLONERANGE ? my_clone(fd, arg) : (int)syscall(SYS_ioctl, fd, what, arg);
}

/* ---- the file: a row is a block, behind the block with the header */

static int32_t values[ROWS][COLUMNS], got[ROWS][COLUMNS];

static uint32_t sum_of_row(const int32_t *row, int n)
{
    uint32_t sum = 0;
    for (int i = 0; i < n; i++) {
        uint32_t v = (uint32_t)row[i];
        unsigned char bytes[4] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16),
                                   (unsigned char)(v >> 8), (unsigned char)v };
        sum = pcdf_crc32c(sum, bytes, 4);
    }
    return sum;
}

/* Other values with the same checksum: the last four bytes take back what another one changes. */
static void collide(int32_t *row)
{
    uint32_t before = sum_of_row(row, COLUMNS), prefix = sum_of_row(row, COLUMNS - 1);
    row[7] ^= 0x00100000;
    uint32_t differs = prefix ^ sum_of_row(row, COLUMNS - 1);
    row[COLUMNS - 1] ^= (int32_t)__builtin_bswap32(differs);
    CHECK(sum_of_row(row, COLUMNS) == before, "the checksums differ");
}

static void make_values(int changed, int seed)
{
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < COLUMNS; i++)
            values[r][i] = (int32_t)((uint32_t)(r * COLUMNS + i) * 2654435761u + (uint32_t)seed);
    for (int r = 0; r < changed; r++)
        values[r][r * 1000] ^= 1 << r;
}

static void set_hints(MPI_Info info, const char *text)
{
    char copy[512], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *hint = strtok_r(copy, ";", &rest); hint; hint = strtok_r(NULL, ";", &rest)) {
        char *value = strchr(hint, '=');
        *value++ = '\0';
        MPI_Info_set(info, hint, value);
    }
}

enum way { ROW_BY_ROW, AT_ONCE, ALONE, IN_PARTS, BACKWARDS };

struct shared { /* bytes, of all ranks */
    int64_t cloned, deduped;
};

static struct shared count_shared(int ncid)
{
    struct pcdf_dataset *ds;
    struct shared s = { 0 };
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    const int64_t mine[2] = { ds->counts.bytes_cloned, ds->counts.bytes_deduped };
    MPI_Allreduce(mine, &s, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return s;
}

/* A row in one put, or in four. */
static void put_rows(int ncid, enum way way, int row, int n)
{
    int parts = way == IN_PARTS || way == BACKWARDS ? 4 : 1, length = COLUMNS / parts;
    for (int k = 0; k < parts; k++) {
        int column = (way == BACKWARDS ? parts - 1 - k : k) * length;
        MPI_Offset start[2] = { row, column }, count[2] = { n, length };
        int err = way == ALONE ? ncmpi_put_vara_int(ncid, 0, start, count, &values[row][column])
                               : ncmpi_put_vara_int_all(ncid, 0, start, count, &values[row][column]);
        CHECK_NC(err, NC_NOERR);
    }
}

/* Each rank has as many rows; the last block is a part of one. */
static struct shared put_generation(const char *hints, enum way way)
{
    static const double tail[TAIL] = { 1, 2, 3 };
    int ncid, dims[3], vars[2], mine = ROWS / my_size, first = my_rank * mine;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_var_align_size", "1048576");
    MPI_Info_set(info, "pcdf_engine", "posix");
    set_hints(info, hints);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "row", ROWS, &dims[0]);
    ncmpi_def_dim(ncid, "column", COLUMNS, &dims[1]);
    ncmpi_def_dim(ncid, "tail", TAIL, &dims[2]);
    CHECK_NC(ncmpi_def_var(ncid, "rows", NC_INT, 2, dims, &vars[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "tail", NC_DOUBLE, 1, &dims[2], &vars[1]), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (way == ALONE)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    for (int r = 0, n = way == AT_ONCE ? mine : 1; r < mine; r += n)
        put_rows(ncid, way, first + r, n);
    if (way == ALONE)
        CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_double_all(ncid, vars[1], tail), NC_NOERR);
    together_written();
    struct shared before = count_shared(ncid);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    struct shared after = count_shared(ncid);
    CHECK(after.cloned == before.cloned && before.deduped == 0, "%s: a sync cloned, or a put deduped", hints);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return after;
}

/* All values, and that the checksums are theirs. */
static void check_file(const char *when)
{
    int ncid, bad = 0, found = 0;
    char verify[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_verify", "true");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_inq_file_info(ncid, &info), NC_NOERR);
    MPI_Info_get(info, "pcdf_verify", MPI_MAX_INFO_VAL, verify, &found);
    MPI_Info_free(&info);
    CHECK(strcmp(verify, "true") == 0, "%s: there are no checksums", when);
    memset(got, 0, sizeof got);
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, got[0]), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    for (int r = 0; r < ROWS; r++)
        bad += memcmp(got[r], values[r], sizeof *got) != 0;
    CHECK(bad == 0, "%s: %d rows are wrong", when, bad);
}

/* Blocks of the file that share their storage; -1: nobody knows. */
static int shared_blocks(const char *path)
{
    union {
        struct fiemap map;
        char room[sizeof(struct fiemap) + 256 * sizeof(struct fiemap_extent)];
    } u = { .map = { .fm_length = UINT64_MAX, .fm_flags = FIEMAP_FLAG_SYNC, .fm_extent_count = 256 } };
    int fd = open(path, O_RDONLY);
    uint64_t bytes = 0;
    if (fd < 0 || syscall(SYS_ioctl, fd, FS_IOC_FIEMAP, &u.map)) {
        close(fd);
        return -1;
    }
    for (unsigned i = 0; i < u.map.fm_mapped_extents; i++)
        if (u.map.fm_extents[i].fe_flags & FIEMAP_EXTENT_SHARED)
            bytes += u.map.fm_extents[i].fe_length;
    close(fd);
    return (int)(bytes / BLOCK);
}

/* ---- what is done to the older file */

enum harm { NO_HARM, NO_SUMS, TORN_SUMS, OTHER_BYTES, OTHER_TIME, LONGER };

static void harm_older(enum harm harm)
{
    char sums[1100], byte;
    struct stat st;
    if (my_rank == 0 && harm != NO_HARM) {
        const char *slash = strrchr(my_path, '/');
        snprintf(sums, sizeof sums, "%.*s.%s.parcdf-sums", (int)(slash + 1 - my_path), my_path, slash + 1);
        int fd = open(my_path, O_RDWR);
        CHECK(fd >= 0 && !fstat(fd, &st), "there is no older file");
        if (harm == NO_SUMS)
            CHECK_INT(unlink(sums), 0);
        else if (harm == TORN_SUMS)
            CHECK_INT(truncate(sums, 520), 0);
        else if (harm == LONGER)
            CHECK_INT(ftruncate(fd, st.st_size + 1), 0);
        else if (harm == OTHER_BYTES) { /* of row 3; its time does not tell */
            CHECK_INT(pread(fd, &byte, 1, 4 * BLOCK + 99), 1);
            byte ^= 4;
            CHECK_INT(syscall(SYS_pwrite64, fd, &byte, 1, (off_t)(4 * BLOCK + 99)), 1);
        }
        const struct timespec times[2] = { { 0, UTIME_OMIT }, st.st_mtim };
        if (harm == OTHER_TIME)
            CHECK_INT(futimens(fd, NULL), 0);
        else if (harm == OTHER_BYTES)
            CHECK_INT(futimens(fd, times), 0);
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- scenes: an older file, then a new one */

#define ATOMIC "pcdf_checksum=crc32c;pcdf_atomic_create=true"

static const struct scene {
    const char *name, *hints; /* of the new file, behind ATOMIC */
    enum way way;
    int changed;  /* rows 0 .. changed - 1 differ in one bit */
    int same_sum; /* this row, from 1, has other bytes with the same checksum; 0: none */
    enum harm harm;
    enum fault fault;
    int at, error;
    int lost; /* rows that are not cloned though they are the same; -1: those of rank 0 from clone `at` on;
                 ROWS: all */
} scenes[] = {
    { "nothing changed", "", ROW_BY_ROW, .changed = 0 },
    { "nothing changed, at once", "", AT_ONCE, .changed = 0 },
    { "nothing changed, alone", "", ALONE, .changed = 0 },
    { "one bit", "", AT_ONCE, .changed = 1 },
    { "half", "", AT_ONCE, .changed = ROWS / 2 },
    { "half, alone", "", ALONE, .changed = ROWS / 2 },
    { "all", "", AT_ONCE, .changed = ROWS },
    { "the same checksum", "", ROW_BY_ROW, .changed = 0, .same_sum = 6, .lost = 1 },
    { "through a queue", "pcdf_async=64M", ROW_BY_ROW, .changed = 2 },
    { "in parts", "", IN_PARTS, .changed = 1 },
    { "in parts, the last one first", "", BACKWARDS, .changed = 1 },
    { "in parts, the same checksum", "", IN_PARTS, .changed = 0, .same_sum = 3, .lost = 1 },
    { "in parts, not supported", "", IN_PARTS, .changed = 0, .fault = REFUSED, .at = 1, .error = EOPNOTSUPP,
      .lost = ROWS },
    { "together", "pcdf_debug_strategy=two-phase", AT_ONCE, .changed = 2 },
    { "off", "pcdf_debug_clone=off", AT_ONCE, .changed = 0, .lost = ROWS },
    { "without checksums before", "", AT_ONCE, .changed = 0, .harm = NO_SUMS, .lost = ROWS },
    { "torn checksums", "", AT_ONCE, .changed = 0, .harm = TORN_SUMS, .lost = ROWS },
    { "the older file has another time", "", AT_ONCE, .changed = 0, .harm = OTHER_TIME, .lost = ROWS },
    { "the older file is longer", "", AT_ONCE, .changed = 0, .harm = LONGER, .lost = ROWS },
    { "the older file is damaged", "", ROW_BY_ROW, .changed = 0, .harm = OTHER_BYTES, .lost = 1 },
    { "not supported", "", ROW_BY_ROW, .changed = 0, .fault = REFUSED, .at = 1, .error = EOPNOTSUPP,
      .lost = -1 },
    { "another file system", "", AT_ONCE, .changed = 0, .fault = REFUSED, .at = 1, .error = EXDEV,
      .lost = -1 },
    { "no room", "", ROW_BY_ROW, .changed = 1, .fault = REFUSED, .at = 2, .error = ENOSPC, .lost = -1 },
    { "half of it", "", ROW_BY_ROW, .changed = 0, .fault = HALF, .at = 2, .error = EIO, .lost = -1 },
    { "changed meanwhile", "", ROW_BY_ROW, .changed = 0, .fault = CHANGED, .at = 2, .lost = -1 },
    { "touched meanwhile", "", ROW_BY_ROW, .changed = 0, .fault = TOUCHED, .at = 1, .lost = -1 },
};

static void play(const struct scene *s)
{
    char hints[512];
    int mine = ROWS / my_size, lost = s->lost;
    make_values(0, 17);
    (void)put_generation(ATOMIC ";pcdf_debug_clone=off", AT_ONCE);
    harm_older(s->harm);
    make_values(s->changed, 17);
    if (s->same_sum)
        collide(values[s->same_sum - 1]);
    seen.fault = s->fault;
    seen.at = s->at;
    seen.error = s->error;
    seen.clones = 0;
    snprintf(hints, sizeof hints, ATOMIC ";%s", s->hints);
    struct shared shared = put_generation(hints, s->way);
    seen.fault = NONE;
    if (lost == -1)
        lost = mine - s->changed - (s->at - 1);
    bool is_late = s->way == IN_PARTS || s->way == BACKWARDS; /* shared by the sync */
    int same = lost == ROWS ? 0 : ROWS - s->changed - lost, want = is_late ? 0 : same;
    int64_t cloned = shared.cloned, ends = BLOCK + TAIL * 8; /* the block of the header, and the last */
    bool by_chance = my_size > 1 && (s->fault == CHANGED || s->fault == TOUCHED); /* when others see it */
    CHECK(cloned == (int64_t)want * BLOCK || (by_chance && cloned < (int64_t)want * BLOCK),
          "%s, rank %d: %lld blocks were cloned, not %d", s->name, my_rank, (long long)(cloned / BLOCK),
          want);
    if (lost == ROWS || s->fault == NONE)
        CHECK(shared.deduped == (lost == ROWS ? 0 : ends + (int64_t)(same - want) * BLOCK),
              "%s, rank %d: %lld bytes were shared late", s->name, my_rank, (long long)shared.deduped);
    check_file(s->name);
}

/* A set: the older file is the newest generation's, goes after the commit, and its blocks stay. On a real
 * file system the blocks of the last two are shared. */
static void series(const char *hints, int keep)
{
    char all[1600];
    snprintf(all, sizeof all, "pcdf_set=%s.set job=%d keep=%d;%s", my_path, getpid(), keep, hints);
    for (int step = 0; step < 4; step++) {
        make_values(step, 23 + keep);
        int64_t cloned = put_generation(all, ROW_BY_ROW).cloned;
        /* Rows 0 to step - 1 differ from the values of the seed, all but the last as in the step before. */
        CHECK_INT(cloned, step ? (ROWS - 1) * (int64_t)BLOCK : 0);
        check_file(all);
        if (seen.is_real && my_rank == 0 && step > 0 && keep > 1)
            CHECK_INT(shared_blocks(my_path), ROWS - 1); /* that of the header has one page */
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Does the file system have something to say in it? */
static bool is_of_system(const struct scene *s)
{
    return s->fault != REFUSED && s->fault != HALF && (s->harm == NO_HARM || s->harm == OTHER_BYTES);
}

static void all_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (!seen.is_real || is_of_system(&scenes[i]))
            play(&scenes[i]);
    series("", 1);
    series("", 2);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "cloned_blocks", 200);
    seen.is_real = argc > 2 && strcmp(argv[2], "real") == 0;
    /* A folder of its own, since sets leave files. */
    char folder[1024], command[1100];
    snprintf(folder, sizeof folder, "%.1000s.d", my_path);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (my_rank == 0)
        CHECK_INT(mkdir(folder, 0700), 0);
    snprintf(my_path, sizeof my_path, "%.1000s/state.nc", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    all_scenes();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_INT(system(command), 0);
    return together_end("cloned_blocks");
}
