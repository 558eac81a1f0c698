/* Fixes: memory stays bounded whatever is put. Rank 0 puts a 1 GiB array of doubles into a float variable
 * while the other ranks put nothing: at most 48 MiB above the array. A list of a million pieces: at most 48
 * MiB + 32 bytes a piece. Measured as the growth of the peak resident set (VmHWM), reset through
 * /proc/self/clear_refs.
 *
 *     memory_peak [DIR [MiB]]     the array's size, 1024 by default; the file is half of it. */

#include <malloc.h>
#include "residency.h"
#include "together.h"

enum { MIB = 1 << 20, BOUND = 48 };

static int64_t base;
static bool begin(void)
{
    malloc_trim(0); /* or what was freed before would be used again unseen */
    bool good = residency_reset_peak();
    base = residency_bytes("VmRSS:");
    MPI_Barrier(MPI_COMM_WORLD);
    return together_all(good && base > 0);
}
static void end(const char *what, int64_t pieces)
{
    int64_t grew = residency_bytes("VmHWM:") - base, most = (int64_t)BOUND * MIB + 32 * pieces;
    CHECK(grew <= most, "%s: rank %d needed %lld bytes, more than %lld", what, my_rank, (long long)grew,
          (long long)most);
    printf("memory_peak: rank %d of %d, %s: %.1f MiB above the arrays (at most %.1f)\n", my_rank, my_size,
           what, (double)grew / MIB, (double)most / MIB);
}

static int ncid, big, list;

static void make_file(const char *collective, int64_t n, int64_t pieces)
{
    int d[2];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", collective);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "n", n, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "pieces", pieces * 2, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "big", NC_FLOAT, 1, &d[0], &big), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "list", NC_INT, 1, &d[1], &list), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    /* the handle for views and what MPI allocates once are not this call's */
    double one = 1;
    CHECK_NC(
        ncmpi_put_vars_double_all(ncid, list, (MPI_Offset[]){ my_rank }, (MPI_Offset[]){ 1 }, NULL, &one),
        NC_NOERR);
}

/* False where peaks cannot be measured. */
static bool one_array(const char *collective, double *array, int64_t n)
{
    MPI_Offset start = 0, count = my_rank == 0 ? n : 0;
    char what[64];
    snprintf(what, sizeof what, "doubles into floats, %s", collective);
    if (!begin())
        return false;
    CHECK_NC(ncmpi_put_vara_double_all(ncid, big, &start, &count, array), NC_NOERR);
    end(what, 0);
    float back[3] = { 0 };
    start = n / 2 / 1000 * 1000 + 7;
    count = 3;
    CHECK_NC(ncmpi_get_vara_float_all(ncid, big, &start, &count, back), NC_NOERR);
    CHECK(back[0] == 7 && back[2] == 9, "%s: %g %g %g came back", what, back[0], back[1], back[2]);
    return true;
}

/* Rank 0 puts every second element, one element a piece, each a hyperslab of its own. */
static void many_pieces(int64_t pieces)
{
    int num = my_rank == 0 ? (int)pieces : 0;
    MPI_Offset *starts = malloc((size_t)(num + 1) * sizeof *starts);
    MPI_Offset **at = malloc((size_t)(num + 1) * sizeof *at);
    int *values = malloc((size_t)(num + 1) * sizeof *values);
    for (int i = 0; i < num; i++) {
        starts[i] = 2 * (MPI_Offset)i;
        at[i] = &starts[i];
        values[i] = i;
    }
    begin();
    CHECK_NC(ncmpi_put_varn_int_all(ncid, list, num, at, NULL, values), NC_NOERR);
    end("a list of pieces", pieces);
    begin();
    CHECK_NC(ncmpi_get_varn_int_all(ncid, list, num, at, NULL, values), NC_NOERR);
    end("a list of pieces got", pieces);
    int bad = 0;
    for (int i = 0; i < num; i++)
        bad += values[i] != i;
    CHECK_INT(bad, 0);
    free(values);
    free(at);
    free(starts);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "memory_peak", 240);
    int64_t n = (argc > 2 ? atoll(argv[2]) : 1024) * MIB / 8, pieces = 1000000;
    double *array = my_rank == 0 ? malloc((size_t)n * 8) : NULL;
    for (int64_t i = 0; array && i < n; i++)
        array[i] = (double)(i % 1000);
    static const char *const ways[] = { "auto", "views", "two-phase" };
    bool possible = true;
    for (int i = 0; i < 2 && possible; i++) {
        make_file(ways[i], n, pieces);
        possible = one_array(ways[i], array, n);
        if (possible)
            many_pieces(pieces);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    free(array);
    int bad = together_end("memory_peak");
    return !possible && !bad ? CHECK_SKIP : bad;
}
