/* Ranks of a node share the chunks that they decode (hint pcdf_debug_chunk_share). A Zarr store of compressed
 * chunks, which this program writes, is read whole, in halves whose chunks both need, by one rank alone and
 * with little memory: the values are as without, and each chunk was decoded once a node. Then with nodes that
 * are imitated, without memory to share, with ranks that claim chunks and do not decode them, slow and killed
 * ones, and with a chunk that is damaged: each rank hears of it. */

#include "together.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "dataset.h"
#include "nodecache.h"
#include "shown.h"
#include "writtenstore.h"

enum { ROWS = 512, COLS = 512, EDGE = 64, ACROSS = COLS / EDGE, CHUNKS = ROWS / EDGE * ACROSS };

static int ncid;
static struct pcdf_dataset *ds;

static int value(int64_t row, int64_t col)
{
    return (int)(row * 1000003 + (col * 7919 ^ row / 3));
}

/* ---- the store */

static void put_chunk(int row, int col, size_t cut)
{
    static int values[EDGE * EDGE];
    char name[32];
    for (int i = 0; i < EDGE * EDGE; i++)
        values[i] = value(row * EDGE + i / EDGE, col * EDGE + i % EDGE);
    snprintf(name, sizeof name, "v/%d.%d", row, col);
    put_encoded(name, values, sizeof values, 5, cut);
}

static void make_store(void)
{
    char array[512];
    snprintf(array, sizeof array,
             "{\"zarr_format\":2,\"shape\":[%d,%d],\"chunks\":[%d,%d],\"dtype\":\"<i4\",\"order\":\"C\","
             "\"compressor\":{\"id\":\"zlib\",\"level\":5},\"fill_value\":0,\"filters\":null}",
             ROWS, COLS, EDGE, EDGE);
    make_folder("");
    make_folder("v");
    put_file(".zgroup", "{\"zarr_format\":2}", 17);
    put_file("v/.zarray", array, strlen(array));
    for (int i = 0; i < CHUNKS; i++)
        put_chunk(i / ACROSS, i % ACROSS, 0);
}

static void remove_store(void)
{
    char command[1200];
    snprintf(command, sizeof command, "rm -r '%s'", store);
    CHECK_INT(system(command), 0);
}

/* ---- reading */

/* With a communicator of its own, so that it is a new one which ranks share a node. */
static MPI_Comm open_store(const char *hint, const char *text)
{
    MPI_Comm comm;
    MPI_Info info;
    MPI_Info_create(&info);
    if (hint)
        MPI_Info_set(info, hint, text);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_NC(ncmpi_open(comm, store, NC_NOWRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    if (pcdf_dataset_of(ncid, &ds))
        MPI_Abort(MPI_COMM_WORLD, 1);
    return comm;
}

static void close_store(MPI_Comm comm)
{
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Comm_free(&comm);
}

static void compare(const int *got, int64_t row, int64_t rows, int64_t col, int64_t cols, const char *what)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < rows * cols; i++)
        wrong += got[i] != value(row + i / cols, col + i % cols);
    CHECK(wrong == 0, "rank %d, %s: %lld values are wrong", my_rank, what, (long long)wrong);
}

/* A box, by all ranks, or by this one alone. */
static void read_box(int64_t row, int64_t rows, int64_t col, int64_t cols, bool alone, const char *what)
{
    MPI_Offset start[] = { row, col }, count[] = { rows, cols };
    int *got = malloc((size_t)(rows * cols) * sizeof *got);
    memset(got, 1, (size_t)(rows * cols) * sizeof *got);
    if (alone)
        CHECK_NC(ncmpi_get_vara_int(ncid, 0, start, count, got), NC_NOERR);
    else
        CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, start, count, got), NC_NOERR);
    compare(got, row, rows, col, cols, what);
    free(got);
}

/* Of all ranks together. Late ones were decoded once more. */
static int64_t sum(int64_t mine)
{
    int64_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void expect_decoded(int64_t want, const char *what)
{
    int64_t decoded = sum(ds->counts.chunks_decoded), late = sum(ds->counts.chunks_late);
    CHECK(decoded >= want && decoded <= want + late, "%s: %lld chunks decoded, not %lld (%lld late)", what,
          (long long)decoded, (long long)want, (long long)late);
}

/* ---- */

static void shared(const char *hint, const char *text)
{
    MPI_Comm comm = open_store(hint, text);
    CHECK(ds->shown->node != NULL, "nothing is shared");
    read_box(0, ROWS, 0, COLS, false, "whole");
    expect_decoded(CHUNKS, "whole");
    CHECK(sum(ds->counts.chunks_shared) >= (my_size - 1) * (int64_t)CHUNKS, "%lld are shared",
          (long long)sum(ds->counts.chunks_shared));
    read_box(0, ROWS, 0, COLS, false, "again");
    expect_decoded(CHUNKS, "again");
    close_store(comm);

    comm = open_store(hint, text); /* columns: the chunk in the middle is of both */
    int64_t from = COLS * my_rank / my_size, to = COLS * (my_rank + 1) / my_size;
    from -= my_rank > 0 ? 20 : 0;
    read_box(0, ROWS, from, to - from, false, "columns");
    expect_decoded(CHUNKS, "columns");
    close_store(comm);

    comm = open_store(hint, text);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (my_rank == my_size - 1)
        read_box(7, 300, 9, 400, true, "alone");
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        read_box(8, 200, 10, 300, true, "alone, too");
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    expect_decoded((306 / EDGE + 1) * (408 / EDGE + 1), "alone");
    close_store(comm);
}

static void not_shared(const char *hint, const char *text, int64_t decoded, const char *what)
{
    MPI_Comm comm = open_store(hint, text);
    read_box(0, ROWS, 0, COLS, false, what);
    expect_decoded(decoded, what);
    close_store(comm);
}

/* All of it does not fit: some chunks are decoded again, and the values are right. */
static void little_memory(void)
{
    static const char *const bytes[] = { "70000", "200000", "0", "16384" };
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        MPI_Comm comm = open_store("pcdf_debug_chunk_cache", bytes[i]);
        for (int turn = 0; turn < 3; turn++) {
            read_box(0, ROWS, 0, COLS, false, "little memory");
            read_box(0, ROWS, 100 * my_rank, 100, false, "little memory, columns");
            read_box(100 * my_rank, 100, 0, COLS, false, "little memory, rows");
        }
        close_store(comm);
    }
}

/* Where the ranks are on several nodes, so far as they can tell. */
static void nodes(void)
{
    setenv("PARCDF_NODES", my_size == 2 ? "2" : "0,0,1", 1);
    not_shared(NULL, NULL, 2 * CHUNKS, "two nodes");
    setenv("PARCDF_NODES", "1", 1);
    shared(NULL, NULL);
    unsetenv("PARCDF_NODES");
}

static void no_memory_to_share(void)
{
    struct rlimit before, less;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(!getrlimit(RLIMIT_FSIZE, &before), "no limit");
    less = before;
    less.rlim_cur = 1 << 20;
    CHECK(my_rank > 0 || !setrlimit(RLIMIT_FSIZE, &less), "not set");
    MPI_Comm comm = open_store(NULL, NULL);
    CHECK(my_rank > 0 || !setrlimit(RLIMIT_FSIZE, &before), "not set back");
    CHECK(!ds->shown->node, "shared without memory");
    read_box(0, ROWS, 0, COLS, false, "no memory to share");
    expect_decoded(my_size * (int64_t)CHUNKS, "no memory to share");
    close_store(comm);
}

/* Rank 1, or a child of it that is killed, has claimed chunks and does not decode them. */
static void claims_and_stops(bool killed)
{
    enum { CLAIMS = 5 };
    struct pcdf_nodechunk lent[CLAIMS];
    MPI_Comm comm = open_store(NULL, NULL);
    const int64_t bytes = EDGE * EDGE * (int64_t)sizeof(int);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    pid_t child = my_rank == 1 && killed ? fork() : -1;
    if (my_rank == 1 && (!killed || child == 0))
        for (int i = 0; i < CLAIMS; i++)
            lent[i] = pcdf_nodecache_ask(ds->shown->node, 0, 3 * i + 1, bytes, true);
    if (child == 0)
        kill(getpid(), SIGKILL);
    if (child > 0)
        waitpid(child, NULL, 0);
    for (int i = 0; my_rank == 1 && !killed && i < CLAIMS; i++)
        CHECK_INT(lent[i].state, PCDF_NODECHUNK_MINE);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (my_rank == 0)
        read_box(0, ROWS, 0, COLS, true, "another rank stopped");
    CHECK(MPI_Wtime() - begin < 20, "waited for %.1f s", MPI_Wtime() - begin);
    if (my_rank == 0)
        CHECK_INT(ds->counts.chunks_late, CLAIMS);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; my_rank == 1 && !killed && i < CLAIMS; i++)
        pcdf_nodecache_drop(ds->shown->node, &lent[i]);
    if (my_rank == 1)
        read_box(0, ROWS, 0, COLS, true, "after it stopped");
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    read_box(0, ROWS, 0, COLS, false, "after one of them stopped");
    close_store(comm);
}

/* Each rank tells its own error, and nothing of it stays. */
static void damaged(void)
{
    int *got = malloc(ROWS * COLS * sizeof *got);
    if (my_rank == 0)
        put_chunk(2, 3, 40);
    MPI_Comm comm = open_store(NULL, NULL);
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, got), NC_EREAD);
    CHECK(strstr(parcdf_last_error(), "v, chunk 2/3"), "rank %d: %s", my_rank, parcdf_last_error());
    read_box(0, 2 * EDGE, 0, COLS, false, "what is not damaged");
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        put_chunk(2, 3, 0);
    close_store(comm);
    comm = open_store(NULL, NULL);
    read_box(0, ROWS, 0, COLS, false, "what was damaged");
    close_store(comm);
    free(got);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "node_chunks", 300);
    snprintf(store, sizeof store, "%s.zarr", my_path);
    if (my_rank == 0)
        make_store();
    MPI_Barrier(MPI_COMM_WORLD);
    shared(NULL, NULL);
    shared("pcdf_debug_chunk_share", "enable");
    shared("pcdf_debug_chunk_share", my_rank == 0 ? "auto" : "disable"); /* that of rank 0 is used */
    not_shared("pcdf_debug_chunk_share", "disable", my_size * (int64_t)CHUNKS, "disable");
    little_memory();
    nodes();
    no_memory_to_share();
    claims_and_stops(false);
    claims_and_stops(true);
    damaged();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        remove_store();
    return together_end("node_chunks");
}
