/* Fixes: one request above 2 GiB is written and read whole, as one piece and as two, and offsets above 2^40
 * are right (sparse file), on explicit offsets and through views.
 *
 *     large [DIR [MiB]]     the large request, 2252 by default (2.2 GiB) */

#include "together.h"

static int64_t nbytes;

/* A value that depends on all bits of the place. */
static unsigned char byte_at(int64_t i)
{
    return (unsigned char)(i ^ i >> 8 ^ i >> 16 ^ i >> 24 ^ i >> 31);
}

static int make_file(const char *collective, int *ncid, int64_t length, nc_type type)
{
    MPI_Info info;
    int d, v = -1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", collective);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(*ncid, "n", length, &d), NC_NOERR);
    CHECK_NC(ncmpi_def_var(*ncid, "v", type, 1, &d, &v), NC_NOERR);
    CHECK_NC(ncmpi_enddef(*ncid), NC_NOERR);
    MPI_Info_free(&info);
    return v;
}

/* Rank 0 moves everything in one call, the others take part with nothing. */
static void one_request(void)
{
    int ncid, v = make_file("auto", &ncid, nbytes, NC_UBYTE);
    MPI_Offset start = 0, count = my_rank == 0 ? nbytes : 0;
    unsigned char *buf = my_rank == 0 ? malloc((size_t)nbytes) : NULL;
    int64_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        buf[i] = byte_at(i);
    CHECK_NC(ncmpi_put_vara_uchar_all(ncid, v, &start, &count, buf), NC_NOERR);
    if (buf)
        memset(buf, 0, (size_t)nbytes);
    CHECK_NC(ncmpi_get_vara_uchar_all(ncid, v, &start, &count, buf), NC_NOERR);
    for (int64_t i = 0; i < count; i++)
        bad += buf[i] != byte_at(i);
    CHECK(bad == 0, "%lld bytes of %lld differ", (long long)bad, (long long)nbytes);
    free(buf);
    /* a few bytes around 2^31 by all ranks */
    unsigned char few[16];
    start = ((int64_t)1 << 31) - 8;
    count = 16;
    if (start + count <= nbytes) {
        CHECK_NC(ncmpi_get_vara_uchar_all(ncid, v, &start, &count, few), NC_NOERR);
        for (int i = 0; i < 16; i++)
            CHECK_INT(few[i], byte_at(start + i));
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Each rank puts elements far apart in a variable of 2^41 bytes, and reads its neighbour's. */
static void far_offsets(const char *collective)
{
    int64_t length = (int64_t)1 << 38;
    int ncid, v = make_file(collective, &ncid, length, NC_DOUBLE);
    MPI_Offset where[4] = { 5, ((int64_t)1 << 29) + 1, ((int64_t)1 << 37) + 3, length - 64 }, count = 2,
               at[4], *starts[4], counts[4], *sizes[4];
    double values[8], back[8];
    for (int i = 0; i < 4; i++) {
        at[i] = where[i] + 4 * my_rank;
        starts[i] = &at[i];
        counts[i] = count;
        sizes[i] = &counts[i];
        values[2 * i] = my_rank * 100 + i;
        values[2 * i + 1] = -values[2 * i];
    }
    CHECK_NC(ncmpi_put_varn_double_all(ncid, v, 4, starts, sizes, values), NC_NOERR);
    int other = (my_rank + 1) % my_size;
    for (int i = 0; i < 4; i++)
        at[i] = where[i] + 4 * other;
    CHECK_NC(ncmpi_get_varn_double_all(ncid, v, 4, starts, sizes, back), NC_NOERR);
    for (int i = 0; i < 4; i++)
        CHECK(back[2 * i] == other * 100 + i && back[2 * i + 1] == -(other * 100 + i), "%s: %g, %g at %lld",
              collective, back[2 * i], back[2 * i + 1], (long long)at[i]);
    MPI_Offset start = where[2] + 4 * my_rank, stride = ((int64_t)1 << 37) - 67;
    CHECK_NC(ncmpi_put_vars_double_all(ncid, v, &start, &count, &stride, values), NC_NOERR);
    CHECK_NC(ncmpi_get_vars_double_all(ncid, v, &start, &count, &stride, back), NC_NOERR);
    CHECK(back[0] == values[0] && back[1] == values[1], "%s: %g, %g by stride", collective, back[0], back[1]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "large", 280);
    nbytes = (argc > 2 ? atoll(argv[2]) : 2252) << 20;
    far_offsets("auto");
    far_offsets("independent");
    far_offsets("views");
    far_offsets("two-phase");
    one_request();
    return together_end("large");
}
