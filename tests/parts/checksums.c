/* Fixes what hint pcdf_checksum promises: after each sync and close the file beside the data file has the
 * right CRC-32C of every block, whoever wrote it and however; from the first write until the next sync, and
 * after a change by a handle without the hint, it says that it knows nothing; create and delete remove it.
 * Blocks written whole are not read again. */

#include <fcntl.h>
#include <parcdf.h>
#include <sys/stat.h>
#include "together.h"
#include "checksum.h"
#include "crc32c.h"
#include "dataset.h"

enum { BLOCK = PCDF_CHECKSUMS_BLOCK, BLOCKS = 12, COLUMNS = BLOCK / 4 };

static char sums_path[1200];
static unsigned char room[BLOCK];

static MPI_Info hints(const char *checksum, const char *engine)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_var_align_size", "1048576");
    MPI_Info_set(info, "pcdf_checksum", checksum);
    MPI_Info_set(info, "pcdf_engine", engine);
    return info;
}

/* ---- what lies beside the file, looked at by rank 0 while the others wait */

enum { ABSENT, OPEN, RIGHT, STALE, WRONG };
static const char *const state_names[] = { "absent", "open", "right", "stale", "wrong" };

static int64_t read_bytes(const char *path, void *bytes, int64_t n, int64_t offset)
{
    int fd = open(path, O_RDONLY);
    int64_t got = fd < 0 ? -1 : pread(fd, bytes, (size_t)n, offset);
    if (fd >= 0)
        close(fd);
    return got;
}

static int check_table(const struct pcdf_checksums *s, int64_t size)
{
    unsigned char bytes[4 * 64];
    uint32_t table[64];
    int64_t n = pcdf_checksums_blocks(s);
    if (s->file_size != size || n > 64 || read_bytes(sums_path, bytes, 4 * n, PCDF_CHECKSUMS_HEAD) != 4 * n ||
        pcdf_crc32c(0, bytes, (size_t)(4 * n)) != s->table_crc)
        return WRONG;
    pcdf_checksums_get_entries(bytes, n, table);
    for (int64_t i = 0; i < n; i++) {
        int64_t got = read_bytes(my_path, room, BLOCK, i * BLOCK);
        if (pcdf_crc32c(0, room, (size_t)got) != table[i]) {
            fprintf(stderr, "block %lld of %lld is wrong\n", (long long)i, (long long)n);
            return WRONG;
        }
    }
    return RIGHT;
}

static int look(void)
{
    unsigned char head[PCDF_CHECKSUMS_HEAD];
    struct pcdf_checksums s;
    struct stat st, sums_st;
    if (stat(sums_path, &sums_st))
        return ABSENT;
    if (stat(my_path, &st) ||
        pcdf_checksums_decode(head, read_bytes(sums_path, head, sizeof head, 0), sums_st.st_size, &s))
        return WRONG;
    if (s.is_open)
        return OPEN;
    bool bound =
        s.inode == (int64_t)st.st_ino && s.time == st.st_mtim.tv_sec && s.time_ns == st.st_mtim.tv_nsec;
    return bound ? check_table(&s, st.st_size) : STALE;
}

static void check_state(int want, const char *when)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        int got = look();
        CHECK(got == want, "%s: %s, not %s", when, state_names[got], state_names[want]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int64_t read_back(int ncid)
{
    struct pcdf_dataset *ds;
    int64_t all = 0;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    MPI_Allreduce(&pcdf_checksum_of(ds)->read_back, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* ---- the file: BLOCKS rows of one block each, and records that lie between each other */

struct file {
    int ncid, rows, a, b;
};

static int32_t values[3 * COLUMNS];

static void fill(int seed)
{
    for (int i = 0; i < 3 * COLUMNS; i++)
        values[i] = (int32_t)((uint32_t)i * 2654435761u + (uint32_t)(seed * 97 + my_rank));
}

static struct file make(const char *checksum, const char *engine)
{
    struct file f = { 0 };
    int dims[4];
    MPI_Info info = hints(checksum, engine);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &f.ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(f.ncid, "row", BLOCKS, &dims[0]);
    ncmpi_def_dim(f.ncid, "column", COLUMNS, &dims[1]);
    ncmpi_def_dim(f.ncid, "time", NC_UNLIMITED, &dims[2]);
    ncmpi_def_dim(f.ncid, "x", 1000, &dims[3]);
    ncmpi_def_var(f.ncid, "rows", NC_INT, 2, dims, &f.rows);
    ncmpi_def_var(f.ncid, "a", NC_INT, 2, dims + 2, &f.a);
    ncmpi_def_var(f.ncid, "b", NC_DOUBLE, 2, dims + 2, &f.b);
    CHECK_NC(ncmpi_enddef(f.ncid), NC_NOERR);
    return f;
}

static struct file reopen(const char *checksum, const char *engine)
{
    struct file f = { .rows = 0, .a = 1, .b = 2 };
    MPI_Info info = hints(checksum, engine);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &f.ncid), NC_NOERR);
    MPI_Info_free(&info);
    return f;
}

/* Rank r writes rows r, r + size ...: a block each. */
static void put_rows(const struct file *f)
{
    for (int row = 0; row < BLOCKS; row += my_size) {
        MPI_Offset start[2] = { row + my_rank, 0 }, count[2] = { 1, COLUMNS };
        if (row + my_rank >= BLOCKS)
            start[0] = count[0] = count[1] = 0;
        fill(row);
        CHECK_NC(ncmpi_put_vara_int_all(f->ncid, f->rows, start, count, values), NC_NOERR);
    }
}

static void put_records(const struct file *f, MPI_Offset first, MPI_Offset n)
{
    MPI_Offset share = 1000 / my_size;
    MPI_Offset start[2] = { first, my_rank * share }, count[2] = { n, share };
    fill((int)first);
    CHECK_NC(ncmpi_put_vara_int_all(f->ncid, f->a, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(f->ncid, f->b, start, count, values), NC_NOERR);
}

static void check_life(const char *engine)
{
    struct file f = make("crc32c", engine);
    check_state(OPEN, "created");
    put_rows(&f);
    CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    check_state(RIGHT, "rows written and synced");
    int64_t before = read_back(f.ncid);
    CHECK(before <= 1, "%lld blocks read back: only the header's needs it", (long long)before);
    put_records(&f, 0, 200);
    check_state(OPEN, "records written");
    CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    check_state(RIGHT, "records synced");
    CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    check_state(RIGHT, "synced again");
    put_records(&f, 200, 100);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "closed");
}

static void check_again(const char *engine)
{
    MPI_Offset one[2] = { 5, 7 }, last[2] = { 700, 999 };
    struct file f = reopen("crc32c", engine);
    check_state(RIGHT, "opened");
    CHECK_NC(ncmpi_begin_indep_data(f.ncid), NC_NOERR);
    if (my_rank == my_size - 1) {
        CHECK_NC(ncmpi_put_var1_int(f.ncid, f.rows, one, &(int){ 42 }), NC_NOERR);
        CHECK_NC(ncmpi_put_var1_int(f.ncid, f.a, last, &(int){ 43 }), NC_NOERR); /* the rest: holes */
    }
    CHECK_NC(ncmpi_end_indep_data(f.ncid), NC_NOERR);
    check_state(OPEN, "one value written");
    CHECK_NC(ncmpi_sync(f.ncid), NC_NOERR);
    check_state(RIGHT, "one value synced");
    CHECK(read_back(f.ncid) <= 5, "%lld blocks read back for two values", (long long)read_back(f.ncid));
    CHECK_NC(ncmpi_put_att_text(f.ncid, NC_GLOBAL, "title", 0, ""), NC_ENOTINDEFINE);
    CHECK_NC(ncmpi_rename_var(f.ncid, f.b, "c"), NC_NOERR);
    check_state(OPEN, "a variable has another name");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "closed with another name");
}

/* One block, by two ranks and by one rank in pieces that do not follow each other. */
static void check_mixed(const char *engine)
{
    MPI_Offset start[2] = { 3, 0 }, count[2] = { my_rank == 0, COLUMNS };
    struct file f = reopen("crc32c", engine);
    fill(1000);
    CHECK_NC(ncmpi_put_vara_int_all(f.ncid, f.rows, start, count, values), NC_NOERR);
    start[1] = 100;
    count[0] = my_rank == my_size - 1;
    count[1] = 1;
    fill(2000);
    CHECK_NC(ncmpi_put_vara_int_all(f.ncid, f.rows, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(f.ncid), NC_NOERR);
    if (my_rank == 0) {
        MPI_Offset half[2] = { 4, 0 }, n[2] = { 1, COLUMNS / 2 };
        CHECK_NC(ncmpi_put_vara_int(f.ncid, f.rows, half, n, values), NC_NOERR);
        CHECK_NC(ncmpi_put_var1_int(f.ncid, f.rows, (MPI_Offset[]){ 4, 10 }, &(int){ 46 }), NC_NOERR);
        half[1] = COLUMNS / 2;
        CHECK_NC(ncmpi_put_vara_int(f.ncid, f.rows, half, n, values), NC_NOERR);
    }
    CHECK_NC(ncmpi_end_indep_data(f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "closed after mixed writes");
}

/* Both kinds of moving: data up, and a new record variable between the others. */
static void check_moving(const char *engine)
{
    static char text[100];
    int dims[2] = { 2, 3 }, var;
    struct file f = reopen("crc32c", engine);
    CHECK_NC(ncmpi_redef(f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(f.ncid, NC_GLOBAL, "history", sizeof text, text), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f.ncid, "d", NC_DOUBLE, 2, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(f.ncid), NC_NOERR);
    check_state(OPEN, "data moved");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "closed after moving");
}

static void check_others(const char *engine)
{
    MPI_Offset one[2] = { 1, 1 };
    struct file f = reopen("none", engine);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "opened without the hint, nothing written");
    f = reopen("none", engine);
    CHECK_NC(ncmpi_put_var1_int_all(f.ncid, f.rows, one, &(int){ 44 }), NC_NOERR);
    check_state(OPEN, "written without the hint");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(OPEN, "closed without the hint");
    f = reopen("crc32c", engine);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "summed anew");
    if (my_rank == 0)
        CHECK_INT(unlink(sums_path), 0);
    f = reopen(my_rank == my_size - 1 ? "crc32c" : "none", engine);
    CHECK_NC(ncmpi_put_var1_int_all(f.ncid, f.rows, one, &(int){ 45 }), NC_NOERR);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "made anew because one rank asked");
    f = reopen("crc32c", engine);
    CHECK_NC(ncmpi_redef(f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_abort(f.ncid), NC_NOERR);
    check_state(RIGHT, "aborted");
    f = make("none", engine);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(ABSENT, "created without the hint");
    f = make("crc32c", engine);
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "created, nothing written");
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    check_state(ABSENT, "deleted");
}

/* Another user's file, which may be written, in a folder that may not. Rank 0 alone is that user for a while:
 * MPI libraries do not send messages between users. */
static void lock_folder(const char *folder, bool locked)
{
    if (!locked)
        CHECK_INT(seteuid(0), 0);
    CHECK_INT(chmod(folder, locked ? 0555 : 0777), 0);
    CHECK_INT(chmod(my_path, 0666), 0);
    if (locked)
        CHECK_INT(seteuid(65534), 0);
}

static int open_locked(const char *checksum, int *ncid)
{
    MPI_Info info = hints(checksum, "posix");
    int err = ncmpi_open(MPI_COMM_SELF, my_path, NC_WRITE, info, ncid);
    MPI_Info_free(&info);
    return err;
}

static void write_locked(const char *folder, const struct file *f)
{
    int ncid;
    lock_folder(folder, true);
    CHECK_NC(open_locked("crc32c", &ncid), NC_EACCESS);
    CHECK_NC(open_locked("none", &ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var1_int_all(ncid, f->rows, (MPI_Offset[]){ 1, 1 }, &(int){ 47 }), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    lock_folder(folder, false);
}

/* Who asks for sums that cannot be written hears it at open; who does not is not kept from writing. */
static void check_locked(void)
{
    char folder[1100], path[1024], beside[1200];
    if (getuid() != 0)
        return;
    memcpy(path, my_path, sizeof path);
    memcpy(beside, sums_path, sizeof beside);
    snprintf(folder, sizeof folder, "%s.d", path);
    snprintf(my_path, sizeof my_path, "%.1000s/f.nc", folder);
    snprintf(sums_path, sizeof sums_path, "%s/.f.nc%s", folder, PCDF_CHECKSUMS_SUFFIX);
    if (my_rank == 0)
        CHECK_INT(mkdir(folder, 0777), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    struct file f = make("none", "mpiio");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    if (my_rank == 0)
        write_locked(folder, &f);
    check_state(ABSENT, "a folder that may not be written");
    f = make("crc32c", "mpiio");
    CHECK_NC(ncmpi_close(f.ncid), NC_NOERR);
    check_state(RIGHT, "made");
    if (my_rank == 0)
        write_locked(folder, &f);
    check_state(STALE, "sums that may not be written");
    if (my_rank == 0) {
        unlink(my_path);
        unlink(sums_path);
        CHECK_INT(rmdir(folder), 0);
    }
    memcpy(my_path, path, sizeof path);
    memcpy(sums_path, beside, sizeof beside);
}

/* A file without variables ends where its header ends. */
static void check_empty(const char *engine)
{
    int ncid;
    MPI_Info info = hints("crc32c", engine);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_state(RIGHT, "without variables");
}

int main(int argc, char **argv)
{
    static const char *const engines[] = { "mpiio", "posix" };
    static char shm[] = "/dev/shm", *in_shm[] = { "", shm, NULL };
    int two = 2;
    char **args = in_shm;
    if (access(shm, W_OK))
        together_begin(&argc, &argv, "checksums", 110);
    else
        together_begin(&two, &args, "checksums", 110);
    const char *name = strrchr(my_path, '/') + 1;
    snprintf(sums_path, sizeof sums_path, "%.*s.%s%s", (int)(name - my_path), my_path, name,
             PCDF_CHECKSUMS_SUFFIX);
    for (int i = 0; i < 2; i++) {
        check_life(engines[i]);
        check_again(engines[i]);
        check_mixed(engines[i]);
        check_moving(engines[i]);
        check_others(engines[i]);
        check_empty(engines[i]);
    }
    check_locked();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(sums_path);
    return together_end("checksums");
}
