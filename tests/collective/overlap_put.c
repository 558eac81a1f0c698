/* Fixes: where ranks put different values to the same elements in one call, each element is one rank's value,
 * never a mixture. Doubles that begin at 4 mod 8, so that every eighth lies across two cache lines, through
 * one small window that all ranks pack at once. Values all of whose bytes are equal: a mixture shows. Equal
 * values from all ranks, and columns that do not overlap, go through once. */

#include "together.h"
#include "dataset.h"

enum { ROWS = 64, CELLS = 256, TURNS = 150 };

static int ncid, varid;
static double values[ROWS * CELLS];

static void make_file(const char *aggregators)
{
    MPI_Info info;
    int d[2], one;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", "two-phase");
    MPI_Info_set(info, "pcdf_debug_exchange_size", "262144");
    MPI_Info_set(info, "nc_num_aggrs_per_node", aggregators);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "y", ROWS, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", CELLS + 1, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "odd", NC_INT, 0, NULL, &one), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_DOUBLE, 2, d, &varid), NC_NOERR);
    CHECK_NC(ncmpi__enddef(ncid, 0, 8, 0, 4), NC_NOERR);
    MPI_Offset at;
    CHECK_NC(ncmpi_inq_varoffset(ncid, varid, &at), NC_NOERR);
    CHECK_INT(at % 8, 4);
}

static int64_t written(void)
{
    struct pcdf_dataset *ds = NULL;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    return ds ? ds->counts.puts_again : 0;
}

/* Elements whose bytes are not all equal, or that are no rank's. */
static int mixtures(void)
{
    MPI_Offset start[2] = { 0, 0 }, count[2] = { ROWS, CELLS };
    int bad = 0;
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_double(ncid, varid, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    for (int i = 0; i < ROWS * CELLS; i++) {
        unsigned char b[8];
        memcpy(b, &values[i], sizeof b);
        bool whole = b[0] >= 1 && b[0] <= my_size;
        for (int k = 1; k < 8; k++)
            whole = whole && b[k] == b[0];
        bad += !whole;
    }
    return bad;
}

static void all_on_all(void)
{
    MPI_Offset start[2] = { 0, 0 }, count[2] = { ROWS, CELLS };
    int bad = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        memset(values, my_rank + 1, sizeof values);
        start[1] = 0;
        CHECK_NC(ncmpi_put_vara_double_all(ncid, varid, start, count, values), NC_NOERR);
        bad += mixtures();
    }
    CHECK_INT(bad, 0);
    CHECK(my_size == 1 || written() == TURNS, "%lld of %d puts went through again", (long long)written(),
          TURNS);
}

static void side_by_side(void)
{
    int64_t before = written();
    MPI_Offset start[2] = { 0, CELLS / my_size * my_rank }, count[2] = { ROWS, CELLS / my_size };
    memset(values, my_rank + 1, sizeof values);
    CHECK_NC(ncmpi_put_vara_double_all(ncid, varid, start, count, values), NC_NOERR);
    CHECK_INT(written(), before);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "overlap_put", 100);
    for (const char *aggregators = "12"; *aggregators; aggregators++) {
        char one[2] = { *aggregators, '\0' };
        make_file(one);
        side_by_side();
        all_on_all();
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    return together_end("overlap_put");
}
