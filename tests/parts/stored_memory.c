/* Fixes: a rank that writes a netCDF-4 file needs no more memory than its hints say and 16 MiB, however much
 * it puts: whole chunks, chunks that each put fills in part, very small ones, by one call or many, blocking,
 * nonblocking, independent, in a queue, by several threads, with syncs and redefs or without. Measured is
 * what the library counts; the memory of a queue, and windows that ranks of a node share, are not in it.
 *
 *     stored_memory FOLDER [WAY]
 */
#include <string.h>
#include "alloc.h"
#include "together.h"

enum { MIB = 1 << 20, HINTED = 16, STAGED = 1, MORE = 16, EDGE = 256, PLANES = 192 };

enum form { BLOCKING, NONBLOCKING, INDEPENDENT };

static const struct way {
    const char *name, *chunks, *compress, *more;
    enum form form;
    bool by_columns; /* a put fills no chunk, else planes */
    int calls, planes;
    bool syncs; /* and redefines, between the puts */
} ways[] = {
    { "planes at once", "z:1,y:256,x:256", "none", "", BLOCKING, false, 1, PLANES, false },
    { "planes, deflate", "z:1,y:256,x:256", "shuffle,deflate:1", "", BLOCKING, false, 6, PLANES, false },
    { "planes, zstd by threads", "z:1,y:256,x:256", "zstd:1", "pcdf_chunk_threads=3", BLOCKING, false, 1,
      PLANES, false },
    { "planes in a queue", "z:1,y:256,x:256", "fletcher32", "pcdf_async=8M", BLOCKING, false, 6, PLANES,
      false },
    { "planes, nonblocking", "z:1,y:256,x:256", "zstd:1", "", NONBLOCKING, false, 48, PLANES, false },
    { "planes, independent", "z:1,y:256,x:256", "fletcher32", "", INDEPENDENT, false, 12, PLANES, true },
    { "thick chunks", "z:16,y:256,x:256", "zstd:1", "", BLOCKING, false, 12, PLANES, false },
    { "columns", "z:1,y:256,x:256", "fletcher32", "", BLOCKING, true, 4, PLANES, false },
    { "columns, zstd, syncs", "z:4,y:128,x:256", "zstd:1", "", BLOCKING, true, 4, PLANES, true },
    { "columns in a queue", "z:1,y:256,x:256", "zstd:1", "pcdf_async=8M", BLOCKING, true, 4, PLANES, false },
    { "small chunks", "z:1,y:16,x:16", "none", "", BLOCKING, false, 4, PLANES, false },
    { "small chunks, syncs", "z:1,y:16,x:16", "fletcher32", "", BLOCKING, false, 4, PLANES, true },
    { "tiny chunks", "z:1,y:4,x:4", "none", "", BLOCKING, false, 2, 24, false },
};

struct world {
    int ncid, varid;
    float *values;
};

static MPI_Info make_info(const struct way *way)
{
    char more[64], *value;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_chunk_memory", "16M");
    MPI_Info_set(info, "pcdf_debug_stage_size", "1M");
    MPI_Info_set(info, "pcdf_chunks", way->chunks);
    MPI_Info_set(info, "pcdf_compress", way->compress);
    snprintf(more, sizeof more, "%s", way->more);
    if ((value = strchr(more, '='))) {
        *value = '\0';
        MPI_Info_set(info, more, value + 1);
    }
    return info;
}

static void define(struct world *w, const struct way *way)
{
    int dims[3];
    MPI_Info info = make_info(way);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &w->ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(w->ncid, "z", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(w->ncid, "y", EDGE, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(w->ncid, "x", EDGE, &dims[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(w->ncid, "v", NC_FLOAT, 3, dims, &w->varid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(w->ncid), NC_NOERR);
}

/* One rank alone puts at once, also independently. */
static int calls_of(const struct way *way)
{
    return way->form == INDEPENDENT && my_size == 1 ? 1 : way->calls;
}

/* What this rank puts, or gets, by a call: planes of its own, or columns of all planes. */
static void take_part(const struct way *way, int call, MPI_Offset *start, MPI_Offset *count)
{
    int all = way->planes * my_size, calls = calls_of(way), columns = EDGE / calls, mine = columns / my_size;
    memset(start, 0, 3 * sizeof *start);
    count[1] = count[2] = EDGE;
    if (way->by_columns) {
        count[0] = all;
        count[2] = mine;
        start[2] = call * columns + my_rank * mine;
    } else {
        count[0] = way->planes / calls;
        start[0] = (my_rank * calls + call) * count[0];
    }
}

/* Numbers that no codec makes smaller. */
static void make_values(float *values, int64_t n, int call)
{
    uint64_t state = (uint64_t)(call * 64 + my_rank) * 0x9E3779B97F4A7C15u + 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (float)(int32_t)(state >> 32);
    }
}

static void put(struct world *w, const struct way *way, int call)
{
    MPI_Offset start[3], count[3];
    take_part(way, call, start, count);
    int64_t n = count[0] * count[1] * count[2];
    float *values = w->values + (way->form == NONBLOCKING ? call * n : 0);
    make_values(values, n, call);
    if (way->form == BLOCKING)
        CHECK_NC(ncmpi_put_vara_float_all(w->ncid, w->varid, start, count, values), NC_NOERR);
    else if (way->form == INDEPENDENT)
        CHECK_NC(ncmpi_put_vara_float(w->ncid, w->varid, start, count, values), NC_NOERR);
    else
        CHECK_NC(ncmpi_iput_vara_float(w->ncid, w->varid, start, count, values, NULL), NC_NOERR);
}

static void put_all(struct world *w, const struct way *way)
{
    for (int call = 0; call < calls_of(way); call++) {
        if (way->form == INDEPENDENT)
            CHECK_NC(ncmpi_begin_indep_data(w->ncid), NC_NOERR);
        put(w, way, call);
        if (way->form == INDEPENDENT)
            CHECK_NC(ncmpi_end_indep_data(w->ncid), NC_NOERR);
        if (!way->syncs)
            continue;
        CHECK_NC(ncmpi_sync(w->ncid), NC_NOERR);
        CHECK_NC(ncmpi_redef(w->ncid), NC_NOERR);
        CHECK_NC(ncmpi_put_att_int(w->ncid, w->varid, "calls", NC_INT, 1, &call), NC_NOERR);
        CHECK_NC(ncmpi_enddef(w->ncid), NC_NOERR);
    }
    if (way->form == NONBLOCKING)
        CHECK_NC(ncmpi_wait_all(w->ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
}

static void compare(struct world *w, const struct way *way)
{
    MPI_Offset start[3], count[3];
    take_part(way, calls_of(way) - 1, start, count);
    int64_t n = count[0] * count[1] * count[2];
    float *got = w->values + n;
    make_values(w->values, n, calls_of(way) - 1);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &w->ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_float_all(w->ncid, w->varid, start, count, got), NC_NOERR);
    CHECK(memcmp(got, w->values, (size_t)n * sizeof *got) == 0, "%s: rank %d: other values came back",
          way->name, my_rank);
    CHECK_NC(ncmpi_close(w->ncid), NC_NOERR);
}

static void run(struct world *w, const struct way *way)
{
    enum { BOUND = (HINTED + STAGED + MORE) * MIB };
    int64_t before = pcdf_alloc_now();
    pcdf_alloc_peak_again();
    define(w, way);
    put_all(w, way);
    CHECK_NC(ncmpi_close(w->ncid), NC_NOERR);
    int64_t need = pcdf_alloc_peak() - before;
    CHECK(need <= BOUND, "%s: rank %d of %d needed %.1f MiB, not at most %d", way->name, my_rank, my_size,
          (double)need / MIB, HINTED + STAGED + MORE);
    printf("stored_memory: rank %d of %d, %s: %.1f MiB\n", my_rank, my_size, way->name, (double)need / MIB);
    compare(w, way);
}

int main(int argc, char **argv)
{
    struct world w = { 0 };
    together_begin(&argc, &argv, "stored_memory", 600);
    unsetenv("PNETCDF_HINTS");
    w.values = malloc((size_t)2 * PLANES * EDGE * EDGE * sizeof *w.values);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc < 3 || strcmp(argv[2], ways[i].name) == 0)
            run(&w, &ways[i]);
    free(w.values);
    return together_end("stored_memory");
}
