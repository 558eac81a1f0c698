/* Fixes what the hints pcdf_header_reserve and pcdf_debug_move promise: with a reserve, a longer attribute
 * and ten new variables move nothing and write nothing but the header; with "far", a redef that has to move
 * writes nowhere where there was data; without either both are otherwise, so that the test can tell. */
#include "together.h"
#include "tracelog.h"

enum { X = 500, RECORDS = 20, OLD = 3 };

static char my_trace[1100];

static MPI_Info hint(const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_trace", my_trace);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    if (name)
        MPI_Info_set(info, name, value);
    return info;
}

static int value_of(int varid, int64_t at)
{
    return varid * 1000000 + (int)at;
}

/* Two fixed variables and, where asked, one of records. */
static void make_file(bool records, MPI_Info info)
{
    int ncid, dims[2], values[RECORDS * X], nvars = records ? OLD : OLD - 1;
    MPI_Offset start[2] = { 0, 0 }, count[2] = { RECORDS, X };
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_OFFSET, info, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", X, &dims[1]);
    ncmpi_def_var(ncid, "a", NC_INT, 1, dims + 1, &(int){ 0 });
    ncmpi_def_var(ncid, "b", NC_INT, 1, dims + 1, &(int){ 0 });
    if (records)
        ncmpi_def_var(ncid, "r", NC_INT, 2, dims, &(int){ 0 });
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", 10, "0123456789"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int v = 0; v < nvars; v++) {
        bool fixed = v < 2;
        for (int i = 0; i < (fixed ? X : RECORDS * X); i++)
            values[i] = value_of(v, i);
        CHECK_NC(
            ncmpi_put_vara_int_all(ncid, v, fixed ? start + 1 : start, fixed ? count + 1 : count, values),
            NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void check_values(int ncid, int nvars, const char *when)
{
    int got[RECORDS * X], bad = 0;
    for (int v = 0; v < nvars; v++) {
        CHECK_NC(ncmpi_get_var_int_all(ncid, v, got), NC_NOERR);
        for (int i = 0; i < (v < 2 ? X : RECORDS * X); i++)
            bad += got[i] != value_of(v, i);
    }
    CHECK(bad == 0, "%s: %d values are wrong", when, bad);
}

static int64_t offset_of(int ncid, int varid)
{
    MPI_Offset at = -1;
    CHECK_NC(ncmpi_inq_varoffset(ncid, varid, &at), NC_NOERR);
    return at;
}

static void define_more(int ncid, int nvars, int length, bool record)
{
    static char text[6000];
    char name[16];
    int dims[2] = { 0, 1 };
    memset(text, 'h', sizeof text);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", length, text), NC_NOERR);
    for (int i = 0; i < nvars; i++) {
        snprintf(name, sizeof name, "n%d", i);
        CHECK_NC(ncmpi_def_var(ncid, name, NC_DOUBLE, record ? 2 : 1, record ? dims : dims + 1, &(int){ 0 }),
                 NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
}

/* Operations on this rank's file from row `skip` on, at [low, high): how many of them? */
static int count_within(int skip, const char *op, int64_t low, int64_t high)
{
    struct trace_log log = trace_read(my_trace, my_rank, skip);
    int n = 0;
    for (int i = 0; i < log.n; i++)
        n += trace_is(&log.rows[i], op) && log.rows[i].bytes > 0 && log.rows[i].first < high &&
             log.rows[i].first + log.rows[i].bytes > low;
    free(log.rows);
    return n;
}

static int sum_of(int mine)
{
    int sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void with_reserve(const char *bytes, bool moves)
{
    MPI_Info info = hint("pcdf_header_reserve", bytes);
    MPI_Offset extent, size;
    int ncid;
    make_file(false, info);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_inq_header_extent(ncid, &extent), NC_NOERR);
    CHECK_NC(ncmpi_inq_header_size(ncid, &size), NC_NOERR);
    CHECK(moves || extent >= size + atoll(bytes), "%lld bytes behind a header of %lld",
          (long long)(extent - size), (long long)size);
    int64_t first = offset_of(ncid, 0), second = offset_of(ncid, 1);
    int skip = trace_length(my_trace, my_rank);
    define_more(ncid, 10, 5000, false);
    CHECK((offset_of(ncid, 0) != first) == moves && (offset_of(ncid, 1) != second) == moves,
          "reserve %s: a was at %lld, is at %lld", bytes, (long long)first, (long long)offset_of(ncid, 0));
    CHECK((sum_of(count_within(skip, "put", first, INT64_MAX)) > 0) == moves,
          "reserve %s: data was %swritten", bytes, moves ? "not " : "");
    CHECK((sum_of(count_within(skip, "get", first, INT64_MAX)) > 0) == moves, "reserve %s: data was %sread",
          bytes, moves ? "not " : "");
    check_values(ncid, 2, "after the reserve was used");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* What a redef writes into the old data [first, end) with pcdf_debug_move=how. */
static int writes_into(const char *how, int length, bool record, bool *began_far)
{
    MPI_Info info = hint("pcdf_debug_move", how);
    MPI_Offset size = 0;
    int ncid, nnew = record || length < 100 ? 1 : 0;
    make_file(true, info);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
    int64_t first = offset_of(ncid, 0),
            end = offset_of(ncid, 2) + (int64_t)RECORDS * X * (int64_t)sizeof(int);
    int skip = trace_length(my_trace, my_rank);
    define_more(ncid, nnew, length, record);
    *began_far = offset_of(ncid, 2) >= end;
    CHECK_NC(ncmpi_inq_header_size(ncid, &size), NC_NOERR);
    int n = sum_of(count_within(skip, "put", size > first ? size : first, end));
    check_values(ncid, 3, how);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid), NC_NOERR);
    check_values(ncid, 3, "opened again");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Info_free(&info);
    return n;
}

static void moving(int length, bool record)
{
    bool far = false;
    CHECK(writes_into("near", length, record, &far) > 0 && !far, "near: nothing was written over");
    CHECK_INT(writes_into("far", length, record, &far), 0);
    CHECK(far, "far: the records do not begin behind the old data");
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "redef_room", 100);
    snprintf(my_trace, sizeof my_trace, "%s.trace", my_path);
    with_reserve("16384", false);
    with_reserve("0", true);
    moving(5000, false); /* the header grows into the data */
    moving(20, false);   /* a fixed variable takes the place of records */
    moving(20, true);    /* records become longer */
    trace_remove(my_trace, my_rank);
    return together_end("redef_room");
}
