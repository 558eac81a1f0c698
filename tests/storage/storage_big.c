/* Sizes that do not fit an int: offsets above 2^40 in a sparse file, together and alone, through views and
 * not; with "big" as second argument (slow, 2.2 GiB of disk and memory) one piece above 2 GiB, together and
 * alone. */

#include "storagetest.h"

static void far_away(const char *engine, const char *path)
{
    struct pcdf_sharedfile_config c = test_config(engine, path, PCDF_STORAGE_CREATE);
    struct pcdf_sharedfile *e = NULL;
    int64_t got, base = ((int64_t)1 << 40) + 12345;

    test_fresh(engine, path);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    for (int i = 0; e && i < 8; i++) {
        int together = i & 1, ragged = (i & 2) != 0;
        size_t n = i & 4 ? 2 : 30;
        int64_t length = 100, step = n == 2 ? (int64_t)3 << 31 : 100 * test_ranks + 11; /* 6 GiB apart */
        struct test_pieces put = test_make(PCDF_PUT, n, base + test_rank * length, length, step, ragged, i);
        struct test_pieces get = test_make(PCDF_GET, n, base + test_rank * length, length, step, ragged, i);
        CHECK_INT(test_move(e, together, &put.x, NULL), NC_NOERR);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_INT(test_move(e, together, &get.x, &got), NC_NOERR);
        CHECK_INT(got, get.x.nbytes);
        CHECK(test_wrong(&get, i) == 0, "%s, case %d: wrong bytes", engine, i);
        test_free(&put);
        test_free(&get);
        base += (int64_t)1 << 36;
    }
    if (e)
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    test_remove(engine, path);
}

static int64_t stamps_wrong(const char *data, int64_t nbytes, int64_t base)
{
    int64_t wrong = 0;

    for (int64_t at = 0; at < nbytes; at += 65521) { /* a prime: no period of a buffer hides behind it */
        int64_t value;
        if (at + 8 > nbytes)
            break;
        memcpy(&value, data + at, 8);
        wrong += value != base + at;
    }
    return wrong;
}

/* The last rank moves one piece above 2 GiB, the others nothing. */
static void big_piece(const char *path, int together)
{
    struct pcdf_sharedfile_config c = test_config("mpiio", path, PCDF_STORAGE_CREATE);
    struct pcdf_sharedfile *e = NULL;
    int64_t offset = 4096, length = test_rank == test_ranks - 1 ? 2200000001 : 0, got = -1;
    struct test_extents x = { PCDF_PUT, length > 0, &offset, &length, NULL, length };

    test_fresh("mpiio", path);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (!e)
        return;
    x.data = calloc(1, (size_t)length + 8);
    for (int64_t at = 0; at + 8 <= length; at += 65521) {
        int64_t value = offset + at;
        memcpy(x.data + at, &value, 8);
    }
    CHECK_INT(test_move(e, together, &x, NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(x.data, 0x5A, (size_t)length);
    x.dir = PCDF_GET;
    CHECK_INT(test_move(e, together, &x, &got), NC_NOERR);
    CHECK_INT(got, length);
    CHECK(stamps_wrong(x.data, length, offset) == 0, "together %d: wrong bytes in a piece above 2 GiB",
          together);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    free(x.data);
    test_remove("mpiio", path);
}

int main(int argc, char **argv)
{
    char path[4096];

    test_start(&argc, &argv);
    snprintf(path, sizeof path, "%s", test_path("storage_big.nc"));
    far_away("mpiio", path);
    far_away("posix", path);
    if (test_ranks == 1)
        far_away("memory", path);
    for (int together = 0; together < 2 && argc > 2 && !strcmp(argv[2], "big"); together++)
        big_piece(path, together);
    return test_end("storage_big");
}
