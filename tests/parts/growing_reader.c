/* Fixes what parcdf_refresh tells a reader of: records that a writer added, and nothing else that changed;
 * that definitions that changed, records that were taken away, and a name that leads elsewhere are NC_ESTALE;
 * that it takes two system calls; and that the generation is a number of the definitions. Rank 0 writes, by a
 * handle of its own; all ranks have the file open for reading. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "together.h"

enum { N = 6 };

static int dims[2], vars[2];

/* ---- the system calls of this process: the library calls these functions, and not libc's */

static int calls;
static bool fails;             /* each pread */
static bool name_is_elsewhere; /* on another device, with the same inode: as mounted over the folder */

__attribute__((visibility("default"))) ssize_t pread(int fd, void *bytes, size_t n, off_t offset)
{
    calls++;
    if (fails) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pread64, fd, bytes, n, offset);
}

__attribute__((visibility("default"))) int statx(int fd, const char *path, int flags, unsigned mask,
                                                 struct statx *found)
{
    calls++;
    int err = (int)syscall(SYS_statx, fd, path, flags, mask, found);
    found->stx_dev_minor += !err && *path && name_is_elsewhere;
    return err;
}

/* ---- the writer */

static void make(int format)
{
    int ncid;
    if (my_rank == 0) {
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, my_path, format, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dims[1]), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, "a", NC_INT, 2, dims, &vars[0]), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, "b", NC_SHORT, 2, dims, &vars[1]), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Bcast(vars, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static int open_writer(void)
{
    int ncid = -1;
    if (my_rank == 0)
        CHECK_NC(ncmpi_open(MPI_COMM_SELF, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    return ncid;
}

static int open_reader(void)
{
    int ncid;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    return ncid;
}

static void write_record(int ncid, MPI_Offset record)
{
    const MPI_Offset start[2] = { record, 0 }, count[2] = { 1, N };
    int a[N];
    short b[N];
    for (int i = 0; i < N; i++)
        a[i] = (int)record * 100 + i, b[i] = (short)(record * 10 + i);
    if (my_rank == 0) {
        CHECK_NC(ncmpi_put_vara_int_all(ncid, vars[0], start, count, a), NC_NOERR);
        CHECK_NC(ncmpi_put_vara_short_all(ncid, vars[1], start, count, b), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void close_writer(int ncid)
{
    if (my_rank == 0)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- the reader */

static void expect_records(int ncid, MPI_Offset want)
{
    MPI_Offset got = -1;
    int dim = -1;
    CHECK_NC(ncmpi_inq_unlimdim(ncid, &dim), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, dim, &got), NC_NOERR);
    CHECK_INT(got, want);
}

static void expect_values(int ncid, MPI_Offset record)
{
    const MPI_Offset start[2] = { record, 0 }, count[2] = { 1, N };
    int a[N] = { 0 };
    short b[N] = { 0 };
    CHECK_NC(ncmpi_get_vara_int_all(ncid, vars[0], start, count, a), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_short_all(ncid, vars[1], start, count, b), NC_NOERR);
    for (int i = 0; i < N; i++)
        CHECK(a[i] == record * 100 + i && b[i] == record * 10 + i, "record %d, %d: %d and %d", (int)record, i,
              a[i], b[i]);
}

static void expect_stale(int ncid, const char *why)
{
    CHECK_NC(parcdf_refresh(ncid), NC_ESTALE);
    CHECK(my_rank > 0 || strstr(parcdf_last_error(), why), "\"%s\" has no \"%s\"", parcdf_last_error(), why);
}

/* ---- */

static void grow(int format)
{
    make(format);
    int writer = open_writer(), reader = open_reader();
    long long first = -1, then = -2, mine = -3;
    CHECK_NC(parcdf_inq_generation(reader, &first), NC_NOERR);
    CHECK(first >= 0, "%lld", first);
    if (my_rank == 0)
        CHECK_NC(parcdf_inq_generation(writer, &mine), NC_NOERR);
    CHECK(my_rank > 0 || mine == first, "writer %lld, reader %lld", mine, first);
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    expect_records(reader, 0);
    for (int i = 0; i < 300; i++) { /* over the first byte of the number */
        write_record(writer, i);
        if (i % 3 == 0)
            continue;
        CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        expect_records(reader, i + 1);
        expect_values(reader, i);
        expect_values(reader, i - 1);
    }
    if (my_rank == 0)
        CHECK_NC(parcdf_refresh(writer), NC_NOERR);
    for (int grows = 0; grows < 2; grows++) {
        if (grows)
            write_record(writer, 300);
        MPI_Barrier(MPI_COMM_WORLD);
        calls = 0;
        CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        CHECK(calls == (my_rank == 0 ? 2 : 0), "%d system calls", calls);
    }
    expect_records(reader, 301);
    CHECK_NC(parcdf_inq_generation(reader, &then), NC_NOERR);
    CHECK(first == then, "generation %lld, then %lld", first, then);
    MPI_Bcast(&then, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    CHECK(first == then, "generation %lld, on rank 0 %lld", first, then);
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
    close_writer(writer);
}

/* Each rank asks for itself, and they agree when they end the mode. */
static void grow_independent(void)
{
    make(NC_64BIT_DATA);
    int writer = open_writer(), reader = open_reader();
    CHECK_NC(ncmpi_begin_indep_data(reader), NC_NOERR);
    write_record(writer, 0);
    if (my_rank == my_size - 1) {
        const MPI_Offset at[2] = { 0, 2 };
        int value = 0;
        CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        expect_records(reader, 1);
        CHECK_NC(ncmpi_get_var1_int(reader, vars[0], at, &value), NC_NOERR);
        CHECK_INT(value, 2);
    } else {
        expect_records(reader, 0);
    }
    CHECK_NC(ncmpi_end_indep_data(reader), NC_NOERR);
    expect_records(reader, 1);
    expect_values(reader, 0);
    write_record(writer, 1);
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    expect_records(reader, 2);
    expect_values(reader, 1);
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
    close_writer(writer);
}

/* A record that is counted before its last variable was written is short. */
static void short_record(void)
{
    make(NC_64BIT_DATA);
    const MPI_Offset start[2] = { 0, 0 }, count[2] = { 1, N };
    int writer = open_writer(), reader = open_reader(), a[N] = { 1, 2, 3, 4, 5, 6 };
    short b[N];
    if (my_rank == 0)
        CHECK_NC(ncmpi_put_vara_int_all(writer, vars[0], start, count, a), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    expect_records(reader, 1);
    CHECK_NC(ncmpi_get_vara_short_all(reader, vars[1], start, count, b), NC_ETRUNC);
    CHECK_NC(ncmpi_get_vara_int_all(reader, vars[0], start, count, a), NC_NOERR);
    write_record(writer, 0);
    expect_values(reader, 0);
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
    close_writer(writer);
}

/* Wherever in the header it changes. */
static void redefine(void)
{
    for (int what = 0; what < 3; what++) {
        long long before = 0, after = 0;
        make(NC_64BIT_DATA);
        int writer = open_writer(), reader = open_reader();
        write_record(writer, 0);
        CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        if (my_rank == 0 && what == 0) {
            CHECK_NC(ncmpi_rename_var(writer, vars[0], "c"), NC_NOERR);
        } else if (my_rank == 0) {
            int var;
            CHECK_NC(ncmpi_redef(writer), NC_NOERR);
            if (what == 1)
                CHECK_NC(ncmpi_def_var(writer, "more", NC_DOUBLE, 1, dims, &var), NC_NOERR);
            else
                CHECK_NC(ncmpi_put_att_text(writer, NC_GLOBAL, "title", 5, "a run"), NC_NOERR);
            CHECK_NC(ncmpi_enddef(writer), NC_NOERR);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_NC(parcdf_inq_generation(reader, &before), NC_NOERR);
        for (int i = 0; i < 2; i++)
            expect_stale(reader, "definitions");
        CHECK_NC(ncmpi_begin_indep_data(reader), NC_NOERR);
        CHECK_NC(parcdf_refresh(reader), NC_ESTALE);
        CHECK_NC(ncmpi_close(reader), NC_NOERR);
        reader = open_reader();
        CHECK_NC(parcdf_inq_generation(reader, &after), NC_NOERR);
        CHECK(before != after, "both are %lld", before);
        CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        expect_values(reader, 0);
        CHECK_NC(ncmpi_close(reader), NC_NOERR);
        close_writer(writer);
    }
}

static void set_count(unsigned char high, unsigned char low)
{
    if (my_rank == 0) {
        int fd = open(my_path, O_WRONLY);
        const unsigned char number[8] = { high, high, high, high, high, high, high, low };
        CHECK(pwrite(fd, number, 8, 4) == 8, "the number of records");
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void size_tells(void)
{
    make(NC_64BIT_DATA);
    int writer = open_writer();
    write_record(writer, 0);
    write_record(writer, 1);
    close_writer(writer);
    int reader = open_reader();
    set_count(0xff, 0xff); /* STREAMING */
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    expect_records(reader, 2);
    struct stat st = { 0 };
    if (my_rank == 0) { /* a record has 36 bytes; a piece of one is none */
        CHECK(!stat(my_path, &st) && !truncate(my_path, st.st_size + 71), "longer");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    calls = 0;
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    CHECK(calls == (my_rank == 0 ? 2 : 0), "%d system calls", calls);
    expect_records(reader, 3);
    if (my_rank == 0)
        CHECK(!truncate(my_path, st.st_size), "shorter");
    expect_stale(reader, "taken away");
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
}

static void lose(void)
{
    char other[1100];
    snprintf(other, sizeof other, "%s.other", my_path);
    make(NC_64BIT_DATA);
    int writer = open_writer();
    write_record(writer, 0);
    close_writer(writer);

    int reader = open_reader();
    set_count(0, 0);
    expect_stale(reader, "taken away");
    set_count(0x7f, 0);
    expect_stale(reader, "more than any file");
    set_count(0, 1);
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    bool is_absolute = my_path[0] == '/';
    name_is_elsewhere = true;
    if (is_absolute)
        expect_stale(reader, "name");
    name_is_elsewhere = false;
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    if (my_rank == 0)
        CHECK(!rename(my_path, other), "rename");
    if (is_absolute)
        expect_stale(reader, "name");
    make(NC_64BIT_DATA); /* another one */
    if (is_absolute)
        expect_stale(reader, "name");
    if (my_rank == 0)
        CHECK(!rename(other, my_path), "rename");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    if (my_rank == 0)
        unlink(my_path);
    expect_stale(reader, "name");
    CHECK_NC(ncmpi_close(reader), NC_NOERR);

    make(NC_64BIT_DATA);
    reader = open_reader();
    if (my_rank == 0)
        CHECK(!truncate(my_path, 0), "empty");
    expect_stale(reader, "definitions");
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
}

/* More records than 31 and 32 bits tell, in a file that has one byte for each; CDF-2 has no such number. */
static void many_records(void)
{
    static const MPI_Offset counts[] = { ((MPI_Offset)1 << 31) + 5, ((MPI_Offset)1 << 32) + 5 };
    for (int format = NC_64BIT_OFFSET; format; format = format == NC_64BIT_OFFSET ? NC_64BIT_DATA : 0) {
        int ncid, var, dim;
        if (my_rank == 0) {
            CHECK_NC(ncmpi_create(MPI_COMM_SELF, my_path, format, MPI_INFO_NULL, &ncid), NC_NOERR);
            CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim), NC_NOERR);
            CHECK_NC(ncmpi_def_var(ncid, "v", NC_BYTE, 1, &dim, &var), NC_NOERR);
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        }
        int reader = open_reader();
        for (int i = 0; i < 2 && format == NC_64BIT_DATA; i++) {
            int fd = my_rank == 0 ? open(my_path, O_WRONLY) : -1;
            unsigned char number[8], seven = 7;
            for (int b = 0; b < 8; b++)
                number[b] = (unsigned char)(counts[i] >> 8 * (7 - b));
            struct stat st;
            if (my_rank == 0) {
                CHECK(i || fstat(fd, &st) == 0, "fstat");
                MPI_Offset first = 0;
                CHECK_NC(ncmpi_inq_varoffset(reader, 0, &first), NC_NOERR);
                CHECK(pwrite(fd, &seven, 1, first + counts[i] - 1) == 1 && pwrite(fd, number, 8, 4) == 8,
                      "%s", my_path);
                close(fd);
            }
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_NC(parcdf_refresh(reader), NC_NOERR);
            expect_records(reader, counts[i]);
            signed char value = 0;
            const MPI_Offset last = counts[i] - 1;
            CHECK_NC(ncmpi_get_var1_schar_all(reader, 0, &last, &value), NC_NOERR);
            CHECK_INT(value, 7);
        }
        if (format == NC_64BIT_OFFSET) {
            const unsigned char number[4] = { 0x80, 0, 0, 0 };
            int fd = my_rank == 0 ? open(my_path, O_WRONLY) : -1;
            CHECK(fd < 0 || pwrite(fd, number, 4, 4) == 4, "%s", my_path);
            close(fd);
            expect_stale(reader, "more than any file");
            expect_records(reader, 0);
        }
        CHECK_NC(ncmpi_close(reader), NC_NOERR);
    }
}

/* Gets that wait for their wait are of the file as it is then; what was posted stays good, whatever the
 * refresh says. */
static void with_requests(void)
{
    make(NC_64BIT_DATA);
    int writer = open_writer(), ids[2], statuses[2], got[2][N] = { { 0 } };
    write_record(writer, 0);
    int reader = open_reader();
    const MPI_Offset starts[2][2] = { { 0, 0 }, { 1, 0 } }, count[2] = { 1, N };
    CHECK_NC(ncmpi_iget_vara_int(reader, vars[0], starts[0], count, got[0], &ids[0]), NC_NOERR);
    write_record(writer, 1);
    CHECK_NC(ncmpi_iget_vara_int(reader, vars[0], starts[1], count, got[1], &ids[1]), NC_EINVALCOORDS);
    CHECK_NC(parcdf_refresh(reader), NC_NOERR);
    CHECK_NC(ncmpi_iget_vara_int(reader, vars[0], starts[1], count, got[1], &ids[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(reader, 2, ids, statuses), NC_NOERR);
    for (int i = 0; i < 2; i++)
        CHECK(statuses[i] == NC_NOERR && got[i][0] == 100 * i && got[i][N - 1] == 100 * i + N - 1,
              "request %d: %d, %d to %d", i, statuses[i], got[i][0], got[i][N - 1]);

    CHECK_NC(ncmpi_iget_vara_int(reader, vars[0], starts[0], count, got[1], &ids[0]), NC_NOERR);
    if (my_rank == 0)
        CHECK_NC(ncmpi_rename_var(writer, vars[0], "c"), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_stale(reader, "definitions");
    CHECK_NC(ncmpi_wait_all(reader, 1, ids, statuses), NC_NOERR);
    CHECK_INT(got[1][N - 1], N - 1);
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
    close_writer(writer);
}

/* Rank 0 cannot read: all ranks are told, nobody waits for another, and the next refresh is as good as ever.
 */
static void unreadable(void)
{
    for (int looked = 0; looked < 2; looked++) { /* before */
        make(NC_64BIT_DATA);
        int writer = open_writer(), reader = open_reader();
        if (looked)
            CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        write_record(writer, 0);
        fails = my_rank == 0;
        CHECK_NC(parcdf_refresh(reader), NC_EREAD);
        CHECK(strstr(parcdf_last_error(), my_rank == 0 ? "Input/output error" : "rank 0"), "\"%s\"",
              parcdf_last_error());
        fails = false;
        expect_records(reader, 0);
        CHECK_NC(parcdf_refresh(reader), NC_NOERR);
        expect_records(reader, 1);
        expect_values(reader, 0);
        CHECK_NC(ncmpi_close(reader), NC_NOERR);
        close_writer(writer);
    }
}

static void write_text(const char *name, const char *text)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", my_path, name);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && !fclose(file), "%s", path);
}

/* A file of another format: Zarr, of one array without chunks. */
static void refuse_zarr(void)
{
    int ncid;
    long long number = -1;
    if (my_rank == 0) {
        unlink(my_path);
        CHECK(!mkdir(my_path, 0777), "%s", my_path);
        write_text(".zgroup", "{\"zarr_format\": 2}");
        char path[1100];
        snprintf(path, sizeof path, "%s/v", my_path);
        CHECK(!mkdir(path, 0777), "%s", path);
        write_text(
            "v/.zarray",
            "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [4], \"dtype\": \"<i4\", \"compressor\": "
            "null, \"fill_value\": 7, \"order\": \"C\", \"filters\": null}");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(parcdf_refresh(ncid), NC_ENOTBUILT);
    CHECK(strstr(parcdf_last_error(), "another format"), "\"%s\"", parcdf_last_error());
    CHECK_NC(parcdf_inq_generation(ncid, &number), NC_NOERR);
    CHECK(number >= 0, "%lld", number);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (my_rank == 0) {
        char path[1100];
        snprintf(path, sizeof path, "rm -r '%s'", my_path);
        CHECK(system(path) == 0, "%s", path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void refuse(void)
{
    int ncid;
    long long number;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(parcdf_refresh(ncid), NC_EINDEFINE);
    CHECK_NC(parcdf_inq_generation(ncid, &number), NC_EINDEFINE);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(parcdf_refresh(ncid), NC_NOERR);
    CHECK_NC(parcdf_inq_generation(ncid, NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(parcdf_refresh(ncid), NC_EBADID);
    CHECK_NC(parcdf_inq_generation(ncid, &number), NC_EBADID);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "growing_reader", 120);
    grow(NC_CLOBBER);
    grow(NC_64BIT_DATA);
    grow_independent();
    short_record();
    redefine();
    size_tells();
    many_records();
    with_requests();
    unreadable();
    lose();
    refuse();
    refuse_zarr();
    return together_end("growing_reader");
}
