/* Fixes: with hint pcdf_async=64M the peak of resident memory is at most 64 + 8 MiB above that of the same
 * puts without it, while the storage is slow, so that the queue is full: long rows that are converted, rows
 * of user memory that has the bytes of the file, columns (two-phase, and each rank its own), and a million
 * pieces of 4 bytes, whose lists count, too. What a rank packs into the queue of another one of its node is
 * there, and counts there. */

#include <malloc.h>
#include "residency.h"
#include "together.h"
#include "writepool.h"

enum { MIB = 1 << 20, HINT = 64, MORE = 8, ROWS = 26, ROW = 4 * MIB };

static const struct way {
    const char *name, *strategy;
    int pieces; /* of a row */
    bool converts;
} ways[] = {
    { "rows that are converted", "independent", 1, true },
    { "rows as they are", "independent", 1, false },
    { "columns through aggregators", "two-phase", 512, false },
    { "columns, each rank its own", "independent", 512, true },
    { "pieces of 4 bytes", "independent", 1 << 20, false },
};

/* A file of ROWS rows of 4 MiB for each rank, in pieces that take turns. */
static int make_file(const struct way *way, const char *async)
{
    int ncid = -1, dims[3];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", async);
    MPI_Info_set(info, "pcdf_debug_strategy", way->strategy);
    MPI_Info_set(info, "pcdf_throttle", "0:150000000");
    MPI_Info_set(info, "pcdf_sieve", "off");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "row", ROWS, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "piece", way->pieces, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * (ROW / 4 / way->pieces), &dims[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_FLOAT, 3, dims, &(int){ 0 }), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_INT(together_queues(ncid), atoi(async) > 0);
    return ncid;
}

/* Resident bytes of queues of other ranks, which are mapped while a file is open. */
static int64_t of_others(void)
{
    char line[512];
    int64_t sum = 0;
    bool is_other = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    while (f && fgets(line, sizeof line, f)) {
        unsigned long long begin, end;
        long long kib;
        if (sscanf(line, "%llx-%llx ", &begin, &end) == 2)
            is_other = strstr(line, "parcdf-writes") && begin != (uintptr_t)pcdf_writepool_base();
        else if (is_other && sscanf(line, "Rss: %lld kB", &kib) == 1)
            sum += 1024 * kib;
    }
    if (f)
        fclose(f);
    return sum;
}

/* Returns the largest number of resident bytes behind a put. */
static int64_t put_rows(const struct way *way, int ncid, const void *row)
{
    MPI_Offset length = ROW / 4 / way->pieces, start[3] = { 0, 0, my_rank * length };
    MPI_Offset count[3] = { 1, way->pieces, length }, last[3] = { ROWS - 1, way->pieces - 1, start[2] };
    int rows = way->pieces > 1000 ? 4 : ROWS; /* their lists alone are more than the limit */
    int64_t most = 0, now;
    float got = 0;
    for (int i = 0; i < rows; i++) {
        start[0] = last[0] = i;
        CHECK_NC(way->converts ? ncmpi_put_vara_double_all(ncid, 0, start, count, row)
                               : ncmpi_put_vara_float_all(ncid, 0, start, count, row),
                 NC_NOERR);
        now = residency_bytes("VmRSS:") - of_others();
        most = now > most ? now : most;
    }
    CHECK_NC(ncmpi_get_var1_float_all(ncid, 0, last, &got), NC_NOERR);
    CHECK(got == 7, "%s: %g came back", way->name, (double)got);
    return most;
}

/* Bytes by which the peak exceeds what was held before; INT64_MIN where it cannot be measured. */
static int64_t peak(const struct way *way, const char *async, const void *row)
{
    pcdf_writepool_end(); /* the memory of the last file's queue is kept for the next one's */
    malloc_trim(0);
    int64_t before = residency_reset_peak() ? residency_bytes("VmRSS:") : -1;
    if (!together_all(before > 0))
        return INT64_MIN;
    before -= of_others();
    int ncid = make_file(way, async);
    int64_t most = put_rows(way, ncid, row), others = of_others();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    int64_t peak = residency_bytes("VmHWM:") - others;
    return (peak > most ? peak : most) - before;
}

int main(int argc, char **argv)
{
    bool possible = true;
    together_begin(&argc, &argv, "async_memory", 200);
    unsetenv("PNETCDF_HINTS");
    double *doubles = malloc((size_t)ROW * 2);
    float *floats = malloc(ROW);
    for (int i = 0; i < ROW / 4; i++)
        doubles[i] = floats[i] = 7;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && possible; i++) {
        const void *row = ways[i].converts ? (const void *)doubles : floats;
        int64_t without = peak(&ways[i], "0", row), with = peak(&ways[i], "64M", row);
        possible = together_all(without != INT64_MIN && with != INT64_MIN);
        CHECK(with <= without + (int64_t)(HINT + MORE) * MIB,
              "%s: rank %d: %lld bytes, without the queue %lld", ways[i].name, my_rank, (long long)with,
              (long long)without);
        printf("async_memory: rank %d of %d, %s: %.1f MiB, without the queue %.1f\n", my_rank, my_size,
               ways[i].name, (double)with / MIB, (double)without / MIB);
    }
    free(doubles);
    free(floats);
    int bad = together_end("async_memory");
    return !possible && !bad ? CHECK_SKIP : bad;
}
