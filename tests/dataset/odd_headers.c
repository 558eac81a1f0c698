/* Fixes: the format leaves some bytes of a header open (sizes of variables, padding), and a change of the
 * definitions must come out right whatever they are in the file: not only the bytes that differ between what
 * the definitions were and what they are. A header of two sectors, so that the change is journalled, and one
 * of less than one. In data mode and by redef; the values are there afterwards. */

#include "together.h"
#include <fcntl.h>
#include <unistd.h>

enum { N = 64 };

static void make_file(int history)
{
    int ncid, dim, var, values[N];
    char text[700];
    MPI_Offset start = 0, count = my_rank == 0 ? N : 0;
    memset(text, 'h', sizeof text);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "xxxxx", N, &dim), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", history, text), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "units", 3, "abc"), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi__enddef(ncid, 0, 1024, 0, 4), NC_NOERR);
    for (int i = 0; i < N; i++)
        values[i] = 1000 + i;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, var, &start, &count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The last variable's vsize says that it is not known; "abc" is padded with 7. Rank 0. */
static void make_odd(void)
{
    unsigned char bytes[2048];
    int fd = open(my_path, O_RDWR), size = fd < 0 ? 0 : (int)pread(fd, bytes, sizeof bytes, 0), end = 0;
    for (int i = 0; i + 8 <= size; i++) {
        if (memcmp(bytes + i, "abc\0", 4) == 0)
            bytes[i + 3] = 7;
        if (memcmp(bytes + i, "\0\0\1\0\0\0\4\0", 8) == 0) /* vsize 256, begin 1024 */
            end = i;
    }
    CHECK(end > 0, "no variable of 256 bytes at 1024");
    memset(bytes + end, 0xff, 4);
    CHECK_INT(pwrite(fd, bytes, (size_t)size, 0), size);
    close(fd);
}

static void check_file(const char *what)
{
    int ncid, values[N] = { 0 };
    char units[8] = "";
    MPI_Offset length = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, values), NC_NOERR);
    for (int i = 0; i < N; i++)
        CHECK(values[i] == 1000 + i, "%s: value %d is %d", what, i, values[i]);
    CHECK_NC(ncmpi_inq_attlen(ncid, NC_GLOBAL, "units", &length), NC_NOERR);
    CHECK_NC(ncmpi_get_att_text(ncid, NC_GLOBAL, "units", units), NC_NOERR);
    CHECK(memcmp(units, "abc", (size_t)length) == 0 && length >= 3, "%s: units are %d %d %d %d", what,
          units[0], units[1], units[2], units[3]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* how 0: a shorter name in data mode; 1: by redef; 2: a text that ends where the padding was, by redef. */
static void change(int history, int how)
{
    static const char *const names[] = { "rename in data mode", "rename by redef", "a longer text by redef" };
    int ncid;
    make_file(history);
    if (my_rank == 0)
        make_odd();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    if (how > 0)
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    if (how < 2)
        CHECK_NC(ncmpi_rename_dim(ncid, 0, "x"), NC_NOERR);
    if (how == 2) {
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", 4, "less"), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "units", 4, "abc"), NC_NOERR);
    }
    if (how > 0)
        CHECK_NC(ncmpi__enddef(ncid, 0, 4, 0, 4), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_file(names[how]);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "odd_headers", 60);
    for (int how = 0; how < 3; how++) {
        change(700, how);
        change(8, how);
    }
    unlink(my_path);
    return together_end("odd_headers");
}
