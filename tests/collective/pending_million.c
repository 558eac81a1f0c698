/* Fixes: many small pending puts cost in proportion to their number. n of them are posted in a scrambled
 * order and waited for in one call, then 2 n on another file: allocations, messages and file operations at
 * most grow by 2.2; a pending request takes 80 bytes and a copy of its start, its count and its values, all
 * of it counted; the values are read back. By exchange once more. n is 50,000, so that 100,000 are pending,
 * or half of the second argument. */

#include "together.h"
#include "alloc.h"
#include "dataset.h"

enum { SMALL = 4, NDIMS = 2, SLACK = 2 }; /* SLACK: room for requests that is not used up, over all of them */

struct cost {
    int64_t posting, waiting; /* allocations */
    int64_t messages, file_operations, bytes_written;
    int64_t ends; /* writes at an offset: with views to make the file long enough, by the rank that comes
                     first in a round */
    double bytes_each, seconds;
};

static int value_of(int rank, int64_t i, int j)
{
    return (int)((i * 7 + j) * 5 + rank);
}

/* Each request is a row of the rank's own; the rows of the ranks lie between each other. */
static void row_of(int64_t i, MPI_Offset *start, MPI_Offset *count)
{
    start[0] = i * my_size + my_rank;
    start[1] = 0;
    count[0] = 1;
    count[1] = SMALL;
}

static struct pcdf_counts counts_of(int ncid)
{
    struct pcdf_dataset *ds = NULL;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    return ds ? ds->counts : (struct pcdf_counts){ 0 };
}

static int make_file(int64_t n, const char *strategy)
{
    int ncid = -1, dims[NDIMS], var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", strategy);
    MPI_Info_set(info, "pcdf_sieve", "off"); /* so that writes can be told by their rows */
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "row", n * my_size, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "col", SMALL + 1, &dims[1]), NC_NOERR); /* no two rows touch */
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, NDIMS, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    return ncid;
}

static void post(int ncid, int64_t n, const int *values, struct cost *cost)
{
    MPI_Offset before = 0, after = 0, start[NDIMS], count[NDIMS];
    int bad = 0, pending = -1;
    CHECK_NC(ncmpi_inq_malloc_size(&before), NC_NOERR);
    pcdf_alloc_fail_at(0, 0);
    for (int64_t k = 0; k < n; k++) {
        int64_t i = k * 7919 % n; /* 7919 is a prime that divides no n used */
        row_of(i, start, count);
        bad += ncmpi_iput_vara_int(ncid, 0, start, count, values + i * SMALL, NULL) != NC_NOERR;
    }
    cost->posting = pcdf_alloc_asked();
    CHECK_INT(bad, 0);
    CHECK_NC(ncmpi_inq_nreqs(ncid, &pending), NC_NOERR);
    CHECK_INT(pending, n);
    CHECK_NC(ncmpi_inq_malloc_size(&after), NC_NOERR);
    cost->bytes_each = (double)(after - before) / (double)n;
}

static void wait_for_all(int ncid, struct cost *cost)
{
    struct pcdf_counts a = counts_of(ncid), b;
    pcdf_alloc_fail_at(0, 0);
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    cost->waiting = pcdf_alloc_asked();
    b = counts_of(ncid);
    cost->messages =
        b.allreduce - a.allreduce + b.bcast - a.bcast + b.barrier - a.barrier + b.exchange - a.exchange;
    cost->file_operations =
        b.set_view - a.set_view + b.write_view_all - a.write_view_all + b.read_view_all - a.read_view_all;
    cost->ends = b.write_at - a.write_at;
    cost->bytes_written = b.bytes_written - a.bytes_written;
}

/* Each rank reads what its neighbour wrote. */
static void check_values(int ncid, int64_t n, int *room)
{
    int other = (my_rank + 1) % my_size;
    int64_t bad = 0;
    MPI_Offset start[NDIMS] = { other, 0 }, count[NDIMS] = { n, SMALL }, stride[NDIMS] = { my_size, 1 };
    memset(room, 0, (size_t)n * SMALL * sizeof *room);
    CHECK_NC(ncmpi_get_vars_int_all(ncid, 0, start, count, stride, room), NC_NOERR);
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < SMALL; j++)
            bad += room[i * SMALL + j] != value_of(other, i, j);
    CHECK_INT(bad, 0);
}

static struct cost run(int64_t n, const char *strategy)
{
    struct cost cost = { 0 };
    int *values = malloc((size_t)n * SMALL * sizeof *values), pending = -1;
    int together = together_all(values != NULL);
    CHECK(together, "no memory for %lld requests", (long long)n);
    if (!together) {
        free(values);
        return cost;
    }
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < SMALL; j++)
            values[i * SMALL + j] = value_of(my_rank, i, j);
    int ncid = make_file(n, strategy);
    cost.seconds = -MPI_Wtime();
    post(ncid, n, values, &cost);
    wait_for_all(ncid, &cost);
    cost.seconds += MPI_Wtime();
    CHECK_NC(ncmpi_inq_nreqs(ncid, &pending), NC_NOERR);
    CHECK_INT(pending, 0);
    check_values(ncid, n, values);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(values);
    if (my_rank == 0)
        printf("%lld requests: %.2f s, %.1f bytes each, %lld + %lld allocations, %lld messages, %lld file "
               "operations\n",
               (long long)n, cost.seconds, cost.bytes_each, (long long)cost.posting, (long long)cost.waiting,
               (long long)cost.messages, (long long)cost.file_operations);
    return cost;
}

static void check_linear(const char *what, int64_t once, int64_t twice)
{
    CHECK(10 * twice <= 22 * once, "rank %d: %s grow from %lld to %lld", my_rank, what, (long long)once,
          (long long)twice);
}

/* The same without views: each row is written once, by the aggregator in whose domain it lies, and without
 * data sieving nothing between the rows is. A round is a window of 1 MiB, or as many rows as a list holds. */
static void by_exchange(int64_t n)
{
    struct cost c = run(n, "two-phase");
    int64_t rows = 0, span = n * my_size * (SMALL + 1) * 4;
    MPI_Allreduce(&c.ends, &rows, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(rows >= n * my_size && rows <= n * my_size * 101 / 100, "%lld rows of %lld were written",
          (long long)rows, (long long)(n * my_size));
    CHECK(c.messages <= 24 + span / my_size / (1 << 20) + n / 8192, "%lld messages", (long long)c.messages);
    CHECK_INT(c.file_operations, 0);
}

int main(int argc, char **argv)
{
    int64_t n = argc > 2 ? strtoll(argv[2], NULL, 10) / 2 : 50000;
    together_begin(&argc, &argv, "pending_million", n > 50000 ? 280 : 100);
    struct cost a = run(n, "views"), b = run(2 * n, "views");
    const double most = 80 + 2 * NDIMS * sizeof(MPI_Offset) + SMALL * sizeof(int) + SLACK;
    check_linear("allocations of posting", a.posting, b.posting);
    check_linear("allocations of waiting", a.waiting, b.waiting);
    check_linear("messages", a.messages, b.messages);
    check_linear("file operations", a.file_operations, b.file_operations);
    CHECK(a.posting <= 4 * n, "rank %d: %lld allocations for %lld posts", my_rank, (long long)a.posting,
          (long long)n);
    CHECK(b.waiting < n, "rank %d: %lld allocations for one wait", my_rank, (long long)b.waiting);
    CHECK(b.file_operations < n / 100, "rank %d: %lld file operations", my_rank,
          (long long)b.file_operations);
    CHECK(b.ends <= b.file_operations, "rank %d: the file's end was written %lld times", my_rank,
          (long long)b.ends);
    CHECK(b.file_operations > 0, "rank %d: no file operation was counted", my_rank);
    CHECK_INT(b.bytes_written, 2 * n * SMALL * 4);
    CHECK(b.bytes_each <= most, "rank %d: %.1f bytes a request, not %.1f", my_rank, b.bytes_each, most);
    by_exchange(n);
    return together_end("pending_million");
}
