/* Fixes: what a call costs. One Allreduce a collective put or get, two when it raises the number of records,
 * none on one rank, the same on all ranks; two a wait in which any rank puts. One contiguous piece on every
 * rank (or pieces as large as a chunk): no file view, ceil(bytes / chunk) writes or reads, of long pieces
 * those that end where the file is at multiples of the chunk. Otherwise an exchange: the ranks of a node meet
 * once a round of windows, and at the end; a get's twice. Through views: one view and one Allreduce a round,
 * rounds bounded in bytes and in pieces. Header and number of records: written by rank 0 alone. */

#include "together.h"
#include "dataset.h"

enum { CHUNK = 4096, STAGE = 65536, PIECES = 16, ROWS = 400 };

/* double line[size][20000], byte raw[size][20000], int grid[ROWS][size * 8], short rec[t][size * 8] */
static int ncid, line, raw, grid, rec;
static struct pcdf_dataset *ds;
static struct pcdf_counts before;
static double *doubles;
static int *ints;

static void make_file(const char *strategy)
{
    MPI_Info info;
    int d[5];
    char number[32];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", strategy);
    snprintf(number, sizeof number, "%d", CHUNK);
    MPI_Info_set(info, "pcdf_debug_chunk_size", number);
    snprintf(number, sizeof number, "%d", STAGE);
    MPI_Info_set(info, "pcdf_debug_stage_size", number);
    snprintf(number, sizeof number, "%d", PIECES);
    MPI_Info_set(info, "pcdf_debug_stage_pieces", number);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "rank", my_size, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "long", 20000, &d[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "row", ROWS, &d[3]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "column", my_size * 8, &d[4]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "line", NC_DOUBLE, 2, (int[]){ d[1], d[2] }, &line), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "grid", NC_INT, 2, (int[]){ d[3], d[4] }, &grid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "rec", NC_SHORT, 2, (int[]){ d[0], d[4] }, &rec), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "rec2", NC_SHORT, 2, (int[]){ d[0], d[4] }, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "raw", NC_BYTE, 2, (int[]){ d[1], d[2] }, &raw), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
}

static void begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    before = ds->counts;
}
#define COST(field) (ds->counts.field - before.field)

/* What every call must satisfy; `votes` on more than one rank. */
static void end(const char *what, int64_t votes, int64_t views)
{
    int64_t mine[3] = { COST(allreduce), COST(bcast) + COST(barrier) + COST(exchange), COST(set_view) },
            low[3], high[3];
    MPI_Allreduce(mine, low, 3, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(mine, high, 3, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    CHECK(low[0] == high[0] && low[1] == high[1] && low[2] == high[2],
          "%s: ranks differ: %lld..%lld votes, views %lld..%lld", what, (long long)low[0], (long long)high[0],
          (long long)low[2], (long long)high[2]);
    int64_t want = my_size > 1 ? votes : 0;
    /* The first view of a file opens the handle for views: agreed behind, on Open MPI before as well. */
    if (views && my_size > 1 && COST(file_open))
        want += mine[0] == want + 2 ? 2 : 1;
    CHECK(mine[0] == want, "%s: %lld Allreduces, not %lld", what, (long long)mine[0], (long long)want);
    CHECK(mine[1] == 0, "%s: %lld other collectives", what, (long long)mine[1]);
    CHECK(mine[2] == views, "%s: %lld views, not %lld", what, (long long)mine[2], (long long)views);
    CHECK(COST(write_view_all) + COST(read_view_all) == views,
          "%s: %lld and %lld transfers through %lld views", what, (long long)COST(write_view_all),
          (long long)COST(read_view_all), (long long)views);
    CHECK(COST(file_open) <= (views ? 1 : 0), "%s: %lld opens", what, (long long)COST(file_open));
}

static void one_piece(bool put)
{
    const char *what = put ? "put of one piece" : "get of one piece";
    int64_t bytes = 20000 * 8, first = ds->layout.begin[line] + my_rank * bytes;
    int64_t chunks = (first + bytes - 1) / CHUNK - first / CHUNK + 1; /* a piece of many: aligned */
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, 20000 };
    begin();
    CHECK_NC(put ? ncmpi_put_vara_double_all(ncid, line, start, count, doubles)
                 : ncmpi_get_vara_double_all(ncid, line, start, count, doubles),
             NC_NOERR);
    end(what, 1, 0);
    CHECK_INT(put ? COST(write_at) : COST(read_at), chunks);
    CHECK_INT(put ? COST(read_at) : COST(write_at), 0);
    CHECK_INT(put ? COST(bytes_written) : COST(bytes_read), bytes);
}

/* Memory has what the file gets: nothing is staged, so the chunk does not cut it. */
static void unstaged_piece(bool put)
{
    const char *what = put ? "put of bytes" : "get of bytes";
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, 20000 };
    begin();
    CHECK_NC(put ? ncmpi_put_vara_schar_all(ncid, raw, start, count, (signed char *)doubles)
                 : ncmpi_get_vara_schar_all(ncid, raw, start, count, (signed char *)doubles),
             NC_NOERR);
    end(what, 1, 0);
    CHECK_INT(put ? COST(write_at) : COST(read_at), 1);
    CHECK_INT(put ? COST(bytes_written) : COST(bytes_read), 20000);
}

/* Two pieces, each larger than a chunk. */
static void large_pieces(void)
{
    MPI_Offset start[2] = { my_rank, 0 }, other[2] = { my_rank, 10000 }, count[2] = { 1, 1024 };
    MPI_Offset *starts[2] = { start, other }, *counts[2] = { count, count };
    begin();
    CHECK_NC(ncmpi_put_varn_double_all(ncid, line, 2, starts, counts, doubles), NC_NOERR);
    end("two large pieces", 1, 0);
    CHECK_INT(COST(write_at), 2 * 8192 / CHUNK);
}

/* ROWS pieces of 32 bytes on each rank: bounded by pieces. */
static void many_pieces(bool put, bool idle)
{
    int64_t rounds = (ROWS + PIECES - 1) / PIECES;
    bool nothing = idle && my_rank == my_size - 1;
    MPI_Offset start[2] = { 0, my_rank * 8 }, count[2] = { nothing ? 0 : ROWS, 8 };
    char what[64];
    snprintf(what, sizeof what, "%s of many pieces%s", put ? "put" : "get", idle ? ", one rank without" : "");
    if (idle && my_size == 1)
        return;
    begin();
    CHECK_NC(put ? ncmpi_put_vara_int_all(ncid, grid, start, count, ints)
                 : ncmpi_get_vara_int_all(ncid, grid, start, count, ints),
             NC_NOERR);
    if (my_size == 1)
        rounds = 1; /* one rank's rows touch: one piece */
    end(what, 1 + rounds, rounds);
    CHECK(my_size == 1 || COST(write_at) <= rounds, "%s: %lld writes beside %lld views", what,
          (long long)COST(write_at), (long long)rounds); /* one a round makes the file long enough */
    CHECK_INT(put ? COST(bytes_written) : COST(bytes_read), nothing ? 0 : ROWS * 32);
}

/* Pieces of 3200 bytes, below a chunk, 48 of them: 153600 bytes, bounded by bytes when pieces allow. */
static void many_bytes(void)
{
    MPI_Offset start[50][2], count[2] = { 1, 400 }, *starts[50], *counts[50];
    int64_t rounds = 50 * 3200 / STAGE + 1;
    for (int i = 0; i < 50; i++) {
        start[i][0] = my_rank;
        start[i][1] = i * 401; /* never touching */
        starts[i] = start[i];
        counts[i] = count;
    }
    begin();
    CHECK_NC(ncmpi_put_varn_double_all(ncid, line, 49, starts, counts, doubles), NC_NOERR);
    int64_t by_pieces = (49 + PIECES - 1) / PIECES;
    rounds = by_pieces > rounds ? by_pieces : rounds;
    end("many bytes", 1 + rounds, rounds);
    CHECK(COST(write_at) <= COST(set_view), "many bytes: %lld writes", (long long)COST(write_at));
}

static void records(void)
{
    MPI_Offset start[2] = { 3, my_rank * 8 }, count[2] = { 1, 8 }, none[2] = { 0, 8 };
    begin();
    CHECK_NC(ncmpi_put_vara_int_all(ncid, rec, start, count, ints), NC_NOERR);
    end("put that adds records", 2, 0);
    CHECK_INT(COST(write_at), my_rank == 0 ? 2 : 1); /* rank 0: the number of records */
    CHECK_INT(COST(bytes_written), 16 + (my_rank == 0 ? 8 : 0));
    begin();
    CHECK_NC(ncmpi_put_vara_int_all(ncid, rec, start, count, ints), NC_NOERR);
    end("put to an old record", 1, 0);
    CHECK_INT(COST(write_at), 1);
    begin();
    start[0] = 9;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, rec, start, my_rank == my_size - 1 ? count : none, ints), NC_NOERR);
    end("put by one rank that adds records", 2, 0);
    begin();
    CHECK_NC(ncmpi_put_vara_int_all(ncid, rec, start, none, ints), NC_NOERR);
    end("put of nothing", 1, 0);
    CHECK_INT(COST(write_at), 0);
    begin();
    CHECK_NC(ncmpi_put_vara_int_all(ncid, my_rank == my_size - 1 ? 77 : rec, start, count, ints),
             my_rank == my_size - 1 ? NC_ENOTVAR : NC_NOERR);
    end("put with a bad varid on one rank", 1, 0);
}

static int post(bool put, MPI_Offset record, int varid, int *row)
{
    MPI_Offset start[2] = { record, my_rank * 8 }, count[2] = { 1, 8 };
    int id = NC_REQ_NULL;
    CHECK_NC(put ? ncmpi_iput_vara_int(ncid, varid, start, count, row, &id)
                 : ncmpi_iget_vara_int(ncid, varid, start, count, row, &id),
             NC_NOERR);
    return id;
}

/* A wait tells all ranks what became of the puts of any: a second Allreduce, also when it adds records, and
 * none when nobody puts. */
static void waits(void)
{
    bool last = my_rank == my_size - 1;
    int other[8], got[2];
    begin();
    got[0] = post(false, 0, grid, ints);
    CHECK_NC(ncmpi_wait_all(ncid, 1, got, NULL), NC_NOERR);
    end("wait for gets", 1, 0);
    begin();
    CHECK_NC(ncmpi_wait_all(ncid, 0, NULL, NULL), NC_NOERR);
    end("wait for nothing", 1, 0);
    begin();
    post(true, 0, grid, ints);
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    end("wait for puts", 2, 0);
    begin();
    post(true, 0, grid, ints);
    got[0] = post(false, 1, grid, other);
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    end("wait for puts and gets", 2, 0);
    begin();
    if (last)
        post(true, 0, grid, ints);
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    end("wait for puts of one rank", 2, 0);
    begin();
    post(true, 30, rec, ints);
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    end("wait that adds records", 2, 0);
}

/* Ranks whose requests want different ways go the same way. */
static void mixed(void)
{
    MPI_Offset start[2] = { 0, 8 * my_rank }, count[2] = { my_rank == 0 ? ROWS : 1, 8 };
    if (my_size == 1)
        return;
    begin();
    CHECK_NC(ncmpi_put_vara_int_all(ncid, grid, start, count, ints), NC_NOERR);
    int64_t rounds = (ROWS + PIECES - 1) / PIECES;
    end("many pieces on rank 0 alone", 1 + rounds, rounds);
}

static void header(void)
{
    struct pcdf_counts *c = &ds->counts;
    if (my_rank > 0)
        CHECK(c->write_at == 0 && c->bytes_written == 0 && c->read_at == 0,
              "rank %d wrote %lld times and read %lld times before any data", my_rank, (long long)c->write_at,
              (long long)c->read_at);
    else
        CHECK(c->write_at == 1, "rank 0 wrote the header in %lld pieces", (long long)c->write_at);
    begin();
    CHECK_NC(ncmpi_rename_var(ncid, rec, "r"), NC_NOERR);
    end("rename in data mode", 0, 0);
    CHECK_INT(COST(write_at), my_rank == 0);
}

/* Independent calls talk to nobody. */
static void independent(void)
{
    MPI_Offset start[2] = { 0, 8 * my_rank }, count[2] = { ROWS, 8 };
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    begin();
    CHECK_NC(ncmpi_put_vara_int(ncid, grid, start, count, ints), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int(ncid, grid, start, count, ints), NC_NOERR);
    CHECK_INT(COST(allreduce) + COST(bcast) + COST(barrier) + COST(exchange), 0);
    CHECK_INT(COST(write_view_all) + COST(read_view_all), 0);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

/* An exchange: no view, `rounds` of windows on more than one rank. */
static void end_exchange(const char *what, bool put, int64_t rounds)
{
    int64_t votes = my_size > 1, meetings = my_size == 1 ? 0 : (put ? 1 : 2) * rounds + 1;
    CHECK(COST(allreduce) == votes && COST(barrier) == meetings && COST(bcast) + COST(exchange) == 0,
          "%s: %lld Allreduces, %lld meetings, %lld others", what, (long long)COST(allreduce),
          (long long)COST(barrier), (long long)(COST(bcast) + COST(exchange)));
    CHECK_INT(COST(set_view) + COST(write_view_all) + COST(read_view_all), 0);
}

static void exchange(void)
{
    MPI_Offset start[2] = { 0, my_rank * 8 }, count[2] = { ROWS, 8 };
    for (int put = 1; put >= 0; put--) {
        if (put) /* the first looks for the nodes */
            CHECK_NC(ncmpi_put_vara_int_all(ncid, grid, start, count, ints), NC_NOERR);
        begin();
        CHECK_NC(put ? ncmpi_put_vara_int_all(ncid, grid, start, count, ints)
                     : ncmpi_get_vara_int_all(ncid, grid, start, count, ints),
                 NC_NOERR);
        end_exchange(put ? "put, two-phase" : "get, two-phase", put, 1);
        /* The ranks' rows touch: one call of each aggregator. */
        CHECK(my_size == 1 || COST(write_at) + COST(read_at) <= 1, "rank %d wrote %lld and read %lld times",
              my_rank, (long long)COST(write_at), (long long)COST(read_at));
    }
}

/* The hint that forbids views, and the one that demands them. */
static void forced(void)
{
    MPI_Offset start[2] = { 0, 8 * my_rank }, count[2] = { 4, 8 }, row[2] = { my_rank, 0 },
               one[2] = { 1, 16 };
    make_file("independent");
    begin();
    CHECK_NC(ncmpi_put_vara_int_all(ncid, grid, start, count, ints), NC_NOERR);
    end("independent", 1, 0);
    CHECK_INT(COST(write_at), my_size == 1 ? 1 : 4);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    make_file("views");
    begin();
    CHECK_NC(ncmpi_put_vara_double_all(ncid, line, row, one, doubles), NC_NOERR);
    end("views", 2, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    make_file("two-phase");
    CHECK_NC(ncmpi_put_vara_double_all(ncid, line, row, one, doubles), NC_NOERR); /* looks for the nodes */
    begin();
    CHECK_NC(ncmpi_put_vara_double_all(ncid, line, row, one, doubles), NC_NOERR);
    end_exchange("two-phase", true, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "costs", 60);
    doubles = calloc(20000, sizeof *doubles);
    ints = calloc(ROWS * 8, sizeof *ints);
    make_file("auto");
    header();
    one_piece(true);
    one_piece(false);
    unstaged_piece(true);
    unstaged_piece(false);
    large_pieces();
    exchange();
    records();
    waits();
    independent();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    make_file("views");
    many_pieces(true, false);
    many_pieces(false, false);
    many_pieces(true, true);
    many_pieces(false, true);
    many_bytes();
    mixed();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    forced();
    free(doubles);
    free(ints);
    return together_end("costs");
}
