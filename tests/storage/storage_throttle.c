/* Fixes the storage that is made slow (hint pcdf_throttle): each operation takes at least the delay, bytes
 * pass at most at the rate, both ways and also through views; what is put comes back; numbers that are none
 * are refused. Only what must not be too fast is compared with a clock. */

#include "storagetest.h"

static struct pcdf_sharedfile *open_slow(const char *engine, const char *numbers, int want)
{
    static char path[4096];
    struct pcdf_sharedfile *f = NULL;

    snprintf(path, sizeof path, "%s", test_path("storage_throttle.nc"));
    test_fresh(engine, path);
    struct pcdf_sharedfile_config c = test_config(engine, path, PCDF_STORAGE_CREATE);
    MPI_Info_create(&c.info);
    MPI_Info_set(c.info, "pcdf_throttle", numbers);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &f), want);
    MPI_Info_free(&c.info);
    return f;
}

static void took(double begin, double least, const char *what)
{
    double seconds = MPI_Wtime() - begin;
    CHECK(seconds >= least * 0.999, "%s took %g seconds, less than %g", what, seconds, least);
}

static void delays(const char *engine)
{
    struct pcdf_sharedfile *f = open_slow(engine, "2000:0", NC_NOERR);
    struct test_pieces put = test_make(PCDF_PUT, 3, test_rank * 10, 10, 10 * (int64_t)test_ranks, 0, 1);
    struct test_pieces get = test_make(PCDF_GET, 3, test_rank * 10, 10, 10 * (int64_t)test_ranks, 0, 1);
    int64_t size;

    if (!f)
        return;
    double begin = MPI_Wtime();
    for (int i = 0; i < 10; i++)
        CHECK_INT(test_move(f, i % 2 ? TOGETHER : ALONE, &put.x, NULL), NC_NOERR);
    took(begin, 10 * 0.002, "ten puts");
    begin = MPI_Wtime();
    CHECK_INT(test_move(f, ALONE, &get.x, NULL), NC_NOERR);
    CHECK_INT(test_wrong(&get, 1), 0);
    CHECK_INT(pcdf_storage_size(f->storage, &size), NC_NOERR);
    CHECK_INT(pcdf_storage_sync(f->storage, true), NC_NOERR);
    took(begin, 3 * 0.002, "get, size and sync");
    CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
    test_free(&put);
    test_free(&get);
}

/* 64 KiB in any number of pieces at 1 MiB a second. */
static void rates(const char *engine)
{
    struct pcdf_sharedfile *f = open_slow(engine, "0:1048576", NC_NOERR);

    for (size_t n = 1; f && n <= 64; n *= 8)
        for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
            int64_t length = 65536 / (int64_t)n;
            struct test_pieces p =
                test_make((enum pcdf_dir)dir, n, test_rank * length, length, length * test_ranks, 0, 2);
            double begin = MPI_Wtime();
            CHECK_INT(test_move(f, n == 8 ? TOGETHER : ALONE, &p.x, NULL), NC_NOERR);
            took(begin, 0.0625, dir == PCDF_PUT ? "a put of 64 KiB" : "a get of 64 KiB");
            CHECK_INT(test_wrong(&p, 2), 0);
            test_free(&p);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    if (f)
        CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
}

int main(int argc, char **argv)
{
    static const char *const bad[] = { "7", "1:x", "-1:0", "0:-1", "1:2:3" };

    test_start(&argc, &argv);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        open_slow("posix", bad[i], NC_EINVAL);
    delays("posix");
    delays("mpiio");
    rates("posix");
    rates("mpiio");
    test_remove("posix", test_path("storage_throttle.nc"));
    return test_end("storage_throttle");
}
