/* A file on Lustre with a progressive layout, with the engine posix: each collective put goes by the stripes
 * of the part that has most of its bytes. No call of an aggregator crosses a stripe, all of them go to one
 * target, and the values come back. Large pieces that share stripes are exchanged, and the log says why. The
 * system's statfs, fstatfs and getxattr are this program's own; what comes to the storage is noted by
 * stripedstorage.h. */

#include <stdint.h>
#include <stdlib.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "stripedstorage.h"
#include "together.h"

enum { K = 1024, MIB = K * K, LUSTRE = 0x0bd00bd0 };

/* Up to 1 MiB two targets and 64 KiB, then four targets and 128 KiB. */
enum { BORDER = MIB, FIRST = 64 * K, FIRST_COUNT = 2, SECOND = 128 * K, SECOND_COUNT = 4 };

static unsigned char layout[32 + 2 * 48 + 2 * 56];

static void put(size_t at, uint64_t n, int bytes)
{
    for (int i = 0; i < bytes; i++)
        layout[at + (size_t)i] = (unsigned char)(n >> 8 * i);
}

static void make_layout(void)
{
    static const uint64_t ends[] = { 0, BORDER, UINT64_MAX };
    static const uint64_t stripes[][2] = { { FIRST, FIRST_COUNT }, { SECOND, SECOND_COUNT } };
    put(0, 0x0bd60bd0, 4);
    put(4, sizeof layout, 4);
    put(14, 2, 2);
    for (size_t i = 0; i < 2; i++) {
        size_t part = 32 + 48 * i, blob = 32 + 2 * 48 + 56 * i;
        put(part, 0x10001 + i, 4);
        put(part + 8, ends[i], 8);
        put(part + 16, ends[i + 1], 8);
        put(part + 24, blob, 4);
        put(part + 28, 56, 4);
        put(blob, 0x0bd10bd0, 4);
        put(blob + 4, 1, 4);
        put(blob + 24, stripes[i][0], 4);
        put(blob + 28, stripes[i][1], 2);
    }
}

int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    fs->f_type = LUSTRE;
    return err;
}

int fstatfs(int fd, struct statfs *fs)
{
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    fs->f_type = LUSTRE;
    return err;
}

/* Of rank 0 alone: the others are told. */
ssize_t getxattr(const char *path, const char *name, void *value, size_t room)
{
    if (strcmp(name, "lustre.lov") != 0)
        return (ssize_t)syscall(SYS_getxattr, path, name, value, room);
    if (my_rank > 0 || room < sizeof layout)
        return -1;
    memcpy(value, layout, sizeof layout);
    return sizeof layout;
}

/* No put of this rank in the call crosses a stripe, and all go to one target. */
static void check_puts(int64_t call, int64_t stripe, int64_t count)
{
    size_t n;
    const struct striped_put *puts = striped_puts(&n);
    int64_t target = -1, bytes = 0, mine = 0, all;
    for (size_t i = 0; i < n; i++) {
        int64_t first = puts[i].offset / stripe, last = (puts[i].offset + puts[i].bytes - 1) / stripe;
        if (puts[i].call != call)
            continue;
        CHECK(first == last, "call %d: %lld bytes at %lld lie in two stripes", (int)call,
              (long long)puts[i].bytes, (long long)puts[i].offset);
        CHECK(target < 0 || target == first % count, "call %d: rank %d has several targets", (int)call,
              my_rank);
        target = first % count;
        bytes += puts[i].bytes;
        mine = 1;
    }
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all >= count, "call %d: %lld aggregators for %lld targets", (int)call, (long long)all,
          (long long)count);
    MPI_Allreduce(&bytes, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(all, call == 0 ? MIB / 2 : 8 * MIB);
}

/* Columns of a variable of ROWS rows, of all ranks; then they are read by another rank. */
static void columns(int ncid, int var, MPI_Offset columns, signed char *values)
{
    enum { ROWS = 64 };
    MPI_Offset start[2] = { 0, my_rank * columns / my_size },
               count[2] = { ROWS, (my_rank + 1) * columns / my_size - start[1] };
    for (MPI_Offset i = 0; i < ROWS * count[1]; i++)
        values[i] = (signed char)(31 * (i / count[1]) + 7 * (start[1] + i % count[1]));
    striped_next();
    CHECK_NC(ncmpi_put_vara_schar_all(ncid, var, start, count, values), NC_NOERR);
    start[1] = (my_rank + 1) % my_size * columns / my_size;
    count[1] = ((my_rank + 1) % my_size + 1) * columns / my_size - start[1];
    CHECK_NC(ncmpi_get_vara_schar_all(ncid, var, start, count, values), NC_NOERR);
    for (MPI_Offset i = 0; i < ROWS * count[1]; i++)
        if (values[i] != (signed char)(31 * (i / count[1]) + 7 * (start[1] + i % count[1]))) {
            CHECK(false, "rank %d: a value is wrong", my_rank);
            break;
        }
}

static bool log_says(const char *trace, const char *what)
{
    char name[1200], text[4200];
    bool found = false;
    snprintf(name, sizeof name, "%s.%d", trace, my_rank);
    FILE *in = fopen(name, "r");
    while (in && fgets(text, sizeof text, in))
        found |= strstr(text, what) != NULL;
    if (in)
        fclose(in);
    return found;
}

int main(int argc, char **argv)
{
    int ncid, dims[3], vars[2];
    char trace[1100];
    MPI_Info info;
    together_begin(&argc, &argv, "striped_parts", 60);
    make_layout();
    snprintf(trace, sizeof trace, "%s.trace", my_path);
    signed char *values = malloc(8 * MIB);
    if (!values)
        return 1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "posix");
    MPI_Info_set(info, "pcdf_note_puts", "1");
    MPI_Info_set(info, "pcdf_trace", trace);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "rows", 64, &dims[0]);
    ncmpi_def_dim(ncid, "few", MIB / 2 / 64, &dims[1]);
    ncmpi_def_dim(ncid, "many", 8 * MIB / 64, &dims[2]);
    ncmpi_def_var(ncid, "small", NC_BYTE, 2, dims, &vars[0]);
    dims[1] = dims[2];
    ncmpi_def_var(ncid, "large", NC_BYTE, 2, dims, &vars[1]);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    columns(ncid, vars[0], MIB / 2 / 64, values);
    columns(ncid, vars[1], 8 * MIB / 64, values);
    check_puts(0, FIRST, FIRST_COUNT);
    check_puts(1, SECOND, SECOND_COUNT);

    /* One piece of 2 MiB less a byte each: they share stripes, but are several stripes long; of 300 KiB, they
     * are not. */
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, 8 * MIB / 64 };
    CHECK_NC(ncmpi_put_vara_schar_all(ncid, vars[1], start, count, values), NC_NOERR);
    start[0] = 8 * my_rank;
    count[0] = 8;
    CHECK_NC(ncmpi_put_vara_schar_all(ncid, vars[1], start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(log_says(trace, "# env stripe 65536 x 2 to 1048576\n"), "the log lacks the first part");
    CHECK(log_says(trace, "# env stripe 131072 x 4\n"), "the log lacks the second part");
    CHECK(log_says(trace, " two-phase file-striped "), "pieces that share stripes were not exchanged");
    CHECK(log_says(trace, " independent pieces-large "), "pieces of several stripes were exchanged");
    snprintf(trace + strlen(trace), 20, ".%d", my_rank);
    unlink(trace);
    free(values);
    return together_end("striped_parts");
}
