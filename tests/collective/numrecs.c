/* Fixes: what each rank and the file say about the number of records (reference 4.11): after collective puts,
 * with ranks that put nothing, in independent mode, and after each call that agrees it. */

#include <fcntl.h>
#include "together.h"

static int ncid, rec, fix;

static MPI_Offset records(void)
{
    MPI_Offset n = -1;
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &n), NC_NOERR);
    return n;
}

/* The number in the file's header; all ranks wait for rank 0's look. */
static int64_t on_file(int format)
{
    unsigned char b[12];
    int64_t n = 0;
    together_written();
    MPI_Barrier(MPI_COMM_WORLD);
    int fd = open(my_path, O_RDONLY);
    if (fd < 0 || pread(fd, b, 12, 0) != 12)
        n = -1;
    for (int i = 4; n >= 0 && i < (format == 5 ? 12 : 8); i++)
        n = n << 8 | b[i];
    close(fd);
    MPI_Barrier(MPI_COMM_WORLD);
    return n;
}

static void make_file(int format)
{
    int d[2], cmode = format == 1 ? 0 : format == 2 ? NC_64BIT_OFFSET : NC_64BIT_DATA;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | cmode, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "rec", NC_INT, 2, d, &rec), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "fix", NC_INT, 1, &d[1], &fix), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_INT(records(), 0);
    CHECK_INT(on_file(format), 0);
}

static int put_record(MPI_Offset record, MPI_Offset count, bool collective)
{
    int row[4] = { (int)record, 1, 2, 3 };
    MPI_Offset start[2] = { record, 0 }, n[2] = { count, 4 };
    return collective ? ncmpi_put_vara_int_all(ncid, rec, start, n, row)
                      : ncmpi_put_vara_int(ncid, rec, start, n, row);
}

static void expect_all(int format, int64_t want, const char *when)
{
    int64_t here = records(), there = on_file(format);
    CHECK(here == want && there == want, "CDF-%d, %s: rank %d knows %lld records, the file %lld, not %lld",
          format, when, my_rank, (long long)here, (long long)there, (long long)want);
}

static void collective_mode(int format)
{
    bool last = my_rank == my_size - 1;
    make_file(format);
    CHECK_NC(put_record(my_rank, 1, true), NC_NOERR);
    expect_all(format, my_size, "each rank its record");
    CHECK_NC(put_record(0, 1, true), NC_NOERR);
    expect_all(format, my_size, "an old record again");
    CHECK_NC(put_record(last ? 20 : 0, last, true), NC_NOERR);
    expect_all(format, 21, "record 20 by one rank, nothing by the others");
    CHECK_NC(put_record(100, 0, true), NC_NOERR);
    expect_all(format, 21, "nothing, at record 100");
    CHECK_NC(put_record(last ? -1 : 25, 1, true), last ? NC_EINVALCOORDS : NC_NOERR);
    expect_all(format, my_size > 1 ? 26 : 21, "a bad start on one rank");
    MPI_Offset start[2] = { 30, 0 }, count[2] = { 3, 2 }, stride[2] = { 2, 2 };
    int six[6] = { 0 };
    CHECK_NC(ncmpi_put_vars_int_all(ncid, rec, start, count, stride, six), NC_NOERR);
    expect_all(format, 35, "every second record from 30");
    /* rank 0 puts to the fixed variable in the same call in which others add records */
    MPI_Offset zero[2] = { 0, 0 }, four[2] = { 4, 1 }, begin[2] = { 40, 0 }, one[2] = { 1, 4 };
    CHECK_NC(my_rank == 0 && my_size > 1 ? ncmpi_put_vara_int_all(ncid, fix, zero, four, six)
                                         : ncmpi_put_vara_int_all(ncid, rec, begin, one, six),
             NC_NOERR);
    expect_all(format, 41, "one rank at another variable");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    expect_all(format, 41, "opened again");
    int row[4];
    CHECK_NC(ncmpi_get_vara_int_all(ncid, rec, (MPI_Offset[]){ 41, 0 }, one, row), NC_EINVALCOORDS);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, rec, (MPI_Offset[]){ 20, 0 }, one, row), NC_NOERR);
    CHECK_INT(row[0], 20);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

enum agree { END_INDEP, SYNC, SYNC_NUMRECS, REDEF, CLOSE, ABORT, AGREES };
static const char *const agree_names[AGREES] = { "end_indep_data", "sync",  "sync_numrecs",
                                                 "redef",          "close", "abort" };

static void settle(int how)
{
    switch (how) {
    case END_INDEP:
        CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
        break;
    case SYNC:
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        break;
    case SYNC_NUMRECS:
        CHECK_NC(ncmpi_sync_numrecs(ncid), NC_NOERR);
        break;
    case REDEF:
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
        break;
    case CLOSE:
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        break;
    default:
        CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    }
    if (how == CLOSE || how == ABORT)
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
}

/* `writer` alone adds records, the others see none until `how`; with `rename` the header is rewritten in
 * between. */
static void independent_mode(int format, int how, int writer, bool rename)
{
    int row[4];
    make_file(format);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (my_rank == writer)
        CHECK_NC(put_record(5, 1, false), NC_NOERR);
    CHECK_INT(records(), my_rank == writer ? 6 : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank != writer)
        CHECK_NC(ncmpi_get_vara_int(ncid, rec, (MPI_Offset[]){ 5, 0 }, (MPI_Offset[]){ 1, 4 }, row),
                 NC_EINVALCOORDS);
    if (rename)
        CHECK_NC(ncmpi_rename_var(ncid, fix, "f"), NC_NOERR);
    settle(how);
    char when[80];
    snprintf(when, sizeof when, "after %s, written by rank %d%s", agree_names[how], writer,
             rename ? ", renamed" : "");
    expect_all(format, 6, when);
    if (how == REDEF)
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (how == SYNC || how == SYNC_NUMRECS)
        CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, rec, (MPI_Offset[]){ 5, 0 }, (MPI_Offset[]){ 1, 4 }, row),
             NC_NOERR);
    CHECK_INT(row[0], 5);
    CHECK_NC(put_record(7, my_rank == 0, true), NC_NOERR);
    expect_all(format, 8, "a collective put afterwards");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    static const int formats[] = { 1, 2, 5 };
    together_begin(&argc, &argv, "numrecs", 60);
    for (int i = 0; i < 3; i++) {
        collective_mode(formats[i]);
        for (int how = 0; how < AGREES; how++) {
            independent_mode(formats[i], how, 0, false);
            independent_mode(formats[i], how, my_size - 1, false);
            independent_mode(formats[i], how, 0, true);
            independent_mode(formats[i], how, my_size - 1, true);
        }
    }
    return together_end("numrecs");
}
