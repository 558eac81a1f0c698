/* Fixes: ranks that get overlapping parts together all get right values. Open MPI's collective read leaves
 * bytes unread where one rank's piece lies within another's. Blocks nested, shifted,
 * equal and empty; dense and strided; both through a view. */

#include "together.h"

enum { N = 4000 };

static int ncid, v;

static signed char at(int64_t i)
{
    return (signed char)(i % 101 + 1);
}

static void make_file(void)
{
    int d;
    signed char all[N];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", "views");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "n", N, &d), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_BYTE, 1, &d, &v), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < N; i++)
        all[i] = at(i);
    MPI_Offset zero = 0, count = my_rank == 0 ? N : 0;
    CHECK_NC(ncmpi_put_vara_schar_all(ncid, v, &zero, &count, all), NC_NOERR);
}

static void get(MPI_Offset start, MPI_Offset count, MPI_Offset stride)
{
    signed char some[N] = { 0 };
    CHECK_NC(ncmpi_get_vars_schar_all(ncid, v, &start, &count, &stride, some), NC_NOERR);
    for (int64_t i = 0; i < count; i++)
        CHECK(some[i] == at(start + i * stride), "rank %d of %d, %lld:%lld/%lld: element %lld is %d, not %d",
              my_rank, my_size, (long long)start, (long long)count, (long long)stride, (long long)i, some[i],
              at(start + i * stride));
}

int main(int argc, char **argv)
{
    static const MPI_Offset nested[3][2] = { { 37, 1 }, { 36, 12 }, { 41, 3 } };
    uint64_t random = 12345;
    together_begin(&argc, &argv, "overlap_get", 60);
    make_file();
    get(nested[my_rank % 3][0], nested[my_rank % 3][1], 1);
    get(100, 500, 1);
    get(100 * my_rank, 250, 1);
    get(10 * my_rank, my_rank == 1 ? 0 : 40, 7);
    for (int round = 0; round < 60; round++) {
        MPI_Offset start = 0, count = 0, stride = 1;
        for (int r = 0; r <= my_rank; r++) { /* each rank its own */
            random = random * 6364136223846793005u + 1442695040888963407u;
            start = (MPI_Offset)(random >> 40) % (N / 2);
            count = (MPI_Offset)(random >> 20 & 0xff);
            stride = 1 + (round % 2 ? (MPI_Offset)(random >> 33 & 3) : 0);
        }
        get(start, count, stride);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return together_end("overlap_get");
}
