/* Fixes that puts into the write queue go by the stores past the cache (pcdf_convert_stream), dense ones and
 * those of short runs, and that without a queue none does: it is asked for all elements, or for none. Whether
 * it takes them depends on the processor; tests/access/convert_pairs.c fixes what it stores. */

#include "convert.h"
#include "together.h"

enum { ROWS = 64, COLUMNS = 4096 };

static int64_t asked; /* elements */

bool __real_pcdf_convert_stream(const struct pcdf_converter *k, unsigned char *restrict file,
                                const void *restrict memory, size_t n);
bool __wrap_pcdf_convert_stream(const struct pcdf_converter *k, unsigned char *restrict file,
                                const void *restrict memory, size_t n);
bool __wrap_pcdf_convert_stream(const struct pcdf_converter *k, unsigned char *restrict file,
                                const void *restrict memory, size_t n)
{
    asked += (int64_t)n;
    return __real_pcdf_convert_stream(k, file, memory, n);
}

/* Each rank puts rows, or columns. Returns the elements of all ranks for which the stores were asked. */
static int64_t put(const char *async, const char *strategy, bool columns)
{
    static int values[ROWS * COLUMNS];
    int ncid, dims[2], var;
    MPI_Info info;
    MPI_Offset start[2] = { 0, 0 }, count[2] = { ROWS, COLUMNS };
    start[columns] = my_rank * count[columns];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", async);
    MPI_Info_set(info, "pcdf_debug_strategy", strategy);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "y", columns ? ROWS : ROWS * my_size, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", columns ? COLUMNS * my_size : COLUMNS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    asked = 0;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, var, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return asked;
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "streamed_puts", 60);
    const int64_t all = (int64_t)ROWS * COLUMNS * my_size;
    for (int columns = 0; columns < 2; columns++) {
        CHECK_INT(put("8M", "independent", columns), all);
        CHECK_INT(put("0", "independent", columns), 0);
    }
    return together_end("streamed_puts");
}
