/* Fixes that a reader which opens a file while another job changes its definitions gets the old header or the
 * new one, never half of each, and no word of an interrupted change. The last rank writes, alone; all others
 * read, each alone. */
#include <parcdf.h>
#include "together.h"

enum { ATTS = 40, LENGTH = 100, CHANGES = 150, DONE = 7 };

static void set_all(int ncid, int generation)
{
    char name[16], text[LENGTH];
    memset(text, 'a' + generation % 26, sizeof text);
    for (int i = 0; i < ATTS; i++) {
        snprintf(name, sizeof name, "att%d", i);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, name, sizeof text, text), NC_NOERR);
    }
}

static void make(void)
{
    int ncid, dim, var;
    CHECK_NC(ncmpi_create(MPI_COMM_SELF, my_path, NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 10, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    set_all(ncid, 0);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void change_often(void)
{
    int ncid;
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    for (int i = 1; i <= CHANGES; i++) {
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
        set_all(ncid, i);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    for (int r = 0; r < my_size - 1; r++)
        MPI_Send(NULL, 0, MPI_INT, r, DONE, MPI_COMM_WORLD);
}

/* Is each value of one generation? */
static bool is_whole(int ncid)
{
    char name[16], text[LENGTH], first = 0;
    for (int i = 0; i < ATTS; i++) {
        snprintf(name, sizeof name, "att%d", i);
        if (ncmpi_get_att_text(ncid, NC_GLOBAL, name, text) != NC_NOERR)
            return false;
        first = i == 0 ? text[0] : first;
        for (int k = 0; k < LENGTH; k++)
            if (text[k] != first)
                return false;
    }
    return true;
}

static void read_often(void)
{
    int done = 0, opens = 0, refused = 0, torn = 0, other = 0;
    while (!done) {
        int ncid, err = ncmpi_open(MPI_COMM_SELF, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
        opens++;
        refused += err == NC_ERECOVER;
        other += err != NC_NOERR && err != NC_ERECOVER;
        if (!err) {
            torn += !is_whole(ncid);
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        }
        MPI_Iprobe(my_size - 1, DONE, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_INT, my_size - 1, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(refused + torn + other == 0,
          "of %d opens %d were told of an interrupted change, %d failed otherwise, %d headers were torn",
          opens, refused, other, torn);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "racing_reader", 300);
    if (my_rank == my_size - 1)
        make();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == my_size - 1)
        change_often();
    else
        read_often();
    return together_end("racing_reader");
}
