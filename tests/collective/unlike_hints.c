/* Fixes: hints are each rank's own, and ranks that give different ones (sizes of rounds, ways of transfer,
 * alignments, consistency) neither hang nor corrupt: the file is rank 0's, and what is put is got. With equal
 * definitions and with an attribute that differs. */

#include "together.h"

enum { ROWS = 40, COLS = 24, RECORDS = 3 };

/* On rank r, hint i has value (r + turn) % 3. */
static const char *const hints[][4] = {
    { "pcdf_debug_strategy", "two-phase", "independent", "views" },
    { "pcdf_debug_stage_size", "65536", "131072", "16777216" },
    { "pcdf_debug_stage_pieces", "16", "64", "65536" },
    { "pcdf_debug_chunk_size", "4096", "65536", "262144" },
    { "pcdf_debug_view_threshold", "2", "8", "64" },
    { "nc_var_align_size", "4", "512", "1024" },
    { "nc_record_align_size", "4", "256", "64" },
    { "nc_header_read_chunk_size", "48", "100", "262144" },
    { "nc_data_move_chunk_size", "1024", "4096", "1048576" },
    { "pcdf_debug_consistency", "warn", "error", "warn" },
    { "pcdf_trace", "-", "", "-" },
};
enum { HINTS = sizeof hints / sizeof hints[0] };

static MPI_Info hints_of(int turn, int only)
{
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 0; i < HINTS; i++) {
        const char *value = hints[i][1 + (my_rank + turn) % 3];
        if ((only < 0 || only == i) && *value)
            MPI_Info_set(info, hints[i][0], value);
    }
    return info;
}

static double value_at(int record, int row, int column)
{
    return 10000.0 * record + 100.0 * row + column;
}

/* Rows r, r + size, ... of each record: interleaved, so that views are needed. */
static int each_row_all(int ncid, int varid, bool put, int *wrong)
{
    MPI_Offset nrows = (ROWS - my_rank + my_size - 1) / my_size;
    const MPI_Offset stride[] = { 1, my_size, 1 }, count[] = { 1, nrows, COLS };
    double *rows = malloc((size_t)nrows * COLS * sizeof *rows);
    int err = NC_NOERR;
    for (int record = 0; record < RECORDS; record++) {
        const MPI_Offset start[] = { record, my_rank, 0 };
        for (int i = 0; i < nrows * COLS; i++)
            rows[i] = put ? value_at(record, my_rank + my_size * (i / COLS), i % COLS) : -1;
        int now = put ? ncmpi_put_vars_double_all(ncid, varid, start, count, stride, rows)
                      : ncmpi_get_vars_double_all(ncid, varid, start, count, stride, rows);
        if (!err)
            err = now;
        for (int i = 0; i < nrows * COLS; i++)
            *wrong += rows[i] != value_at(record, my_rank + my_size * (i / COLS), i % COLS);
    }
    free(rows);
    return err;
}

/* `unlike`: the definitions differ too, and with all hints at once the alignments may differ where rank 0
 * wants an error; then enddef may fail, but on all ranks alike. */
static void one_file(int turn, int only, bool unlike)
{
    int ncid, dims[3], fixed, moving, wrong = 0;
    char stamp[32];
    MPI_Info info = hints_of(turn, only);
    snprintf(stamp, sizeof stamp, "written by rank %d", unlike ? my_rank : 0);

    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", ROWS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", COLS, &dims[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "fixed", NC_FLOAT, 1, &dims[2], &fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "moving", NC_DOUBLE, 3, dims, &moving), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "stamp", (MPI_Offset)strlen(stamp), stamp), NC_NOERR);
    int err = ncmpi_enddef(ncid);
    bool good = together_all(err == NC_NOERR), bad = together_all(err != NC_NOERR);
    CHECK(good || bad, "rank %d: enddef gives %s, and not the same on the others", my_rank,
          ncmpi_strerrno(err));
    CHECK(good || unlike || only < 0, "rank %d: enddef gives %s", my_rank, ncmpi_strerrno(err));
    if (!good) {
        ncmpi_abort(ncid);
        MPI_Info_free(&info);
        return;
    }
    CHECK_NC(each_row_all(ncid, moving, true, &wrong), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "new", NC_INT, 3, dims, &fixed), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR); /* moves every record */
    CHECK_NC(each_row_all(ncid, moving, false, &wrong), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Info_free(&info);

    info = hints_of(turn + 1, only);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid), NC_NOERR);
    CHECK_NC(each_row_all(ncid, moving, false, &wrong), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK(wrong == 0, "rank %d: %d values are wrong", my_rank, wrong);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "unlike_hints", 100);
    for (int turn = 0; turn < 3; turn++)
        for (int only = -1; only < HINTS; only++)
            for (int unlike = 0; unlike < 2; unlike++)
                one_file(turn, only, unlike);
    return together_end("unlike_hints");
}
