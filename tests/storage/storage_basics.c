/* Every storage does the same: interleaved pieces of all ranks written together (regular and ragged shapes,
 * empty ranks) and alone come back byte for byte, gaps stay zeros, neighbours' bytes stay, reads behind the
 * end give zeros and say how much was there, and the counts show no more views than calls. Any number of
 * ranks. */

#include "storagetest.h"

struct shape {
    const char *name;
    size_t n;
    int64_t length, gap; /* gap behind the pieces of all ranks */
    int ragged, idle;    /* idle: this rank has nothing; -1 nobody; -2 all */
};

static const struct shape shapes[] = {
    { "one piece each", 1, 1000, 0, 0, -1 },
    { "regular rows", 50, 24, 0, 0, -1 },
    { "regular with gaps", 40, 24, 17, 0, -1 },
    { "ragged with gaps", 60, 33, 5, 1, -1 },
    { "ragged, rank 0 idle", 30, 9, 3, 1, 0 },
    { "regular, last idle", 30, 8, 0, 0, 99 },
    { "all idle", 0, 1, 0, 0, -2 },
    { "large rows", 5, 300000, 1000, 0, -1 },
    { "many small pieces", 5000, 8, 0, 0, -1 },
};

static int is_idle(const struct shape *s)
{
    int idle = s->idle == 99 ? test_ranks - 1 : s->idle;
    return idle == -2 || idle == test_rank;
}

static struct test_pieces pieces_of(const struct shape *s, enum pcdf_dir dir, int rank, int round,
                                    int64_t base)
{
    int64_t step = s->length * test_ranks + s->gap;
    return test_make(dir, s->n, base + rank * s->length, s->length, step, s->ragged, round);
}

/* Reads all bytes of the area with one explicit piece: `want` knows every rank's pieces. */
static void check_area(struct pcdf_sharedfile *e, const struct shape *s, int round, int64_t base)
{
    int64_t size = (s->length * test_ranks + s->gap) * (int64_t)(s->n ? s->n : 1), wrong = 0;
    char *want = calloc(1, (size_t)size);
    struct test_pieces all = test_make(PCDF_GET, 1, base, size, 0, 0, round);
    int idle = s->idle == 99 ? test_ranks - 1 : s->idle;

    for (int rank = 0; rank < test_ranks && idle != -2; rank++) {
        struct test_pieces p = pieces_of(s, PCDF_PUT, rank, round, base);
        char *from = p.x.data;
        for (size_t i = 0; i < p.x.n && rank != idle; from += p.length[i++])
            memcpy(want + p.offset[i] - base, from, (size_t)p.length[i]);
        test_free(&p);
    }
    CHECK_INT(test_move(e, 0, &all.x, NULL), NC_NOERR);
    for (int64_t i = 0; i < size; i++)
        wrong += all.x.data[i] != want[i];
    CHECK(wrong == 0, "%s, %s: %" PRId64 " of %" PRId64 " bytes are wrong", e->kind->name, s->name, wrong,
          size);
    test_free(&all);
    free(want);
}

static void one_shape(struct pcdf_sharedfile *e, const struct shape *s, int together, int round, int64_t base)
{
    struct shape mine = *s;
    struct test_pieces put, get;
    struct pcdf_counts before = test_counts;
    int64_t got = -1;

    if (is_idle(s))
        mine.n = 0;
    put = pieces_of(&mine, PCDF_PUT, test_rank, round, base);
    char *copy = malloc((size_t)put.x.nbytes + 1);
    memcpy(copy, put.x.data, (size_t)put.x.nbytes);
    CHECK_INT(test_move(e, together, &put.x, NULL), NC_NOERR);
    CHECK(!memcmp(copy, put.x.data, (size_t)put.x.nbytes), "%s: a put changed its data", s->name);
    free(copy);
    CHECK(test_counts.set_view - before.set_view <= (together == TOGETHER), "%s: %" PRId64 " views", s->name,
          test_counts.set_view - before.set_view);
    CHECK_INT(test_counts.bytes_written - before.bytes_written, put.x.nbytes);
    if (!strcmp(e->kind->name, "mpiio") && mine.n == 1 && together != TOGETHER)
        CHECK_INT(test_counts.write_at - before.write_at, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    check_area(e, s, round, base);
    MPI_Barrier(MPI_COMM_WORLD);

    get = pieces_of(&mine, PCDF_GET, test_rank, round, base);
    CHECK_INT(test_move(e, together, &get.x, &got), NC_NOERR);
    CHECK_INT(got, get.x.nbytes);
    CHECK(test_wrong(&get, round) == 0, "%s, %s, together %d: wrong bytes read", e->kind->name, s->name,
          together);
    test_free(&put);
    test_free(&get);
}

/* Pieces on both sides of the end; and the file shrinks and grows. */
static void behind_the_end(struct pcdf_sharedfile *e)
{
    int64_t size = 0, got = -1;

    MPI_Barrier(MPI_COMM_WORLD); /* somebody may still read what this cuts off */
    CHECK_INT(pcdf_sharedfile_resize_all(e, 1000), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(pcdf_storage_size(e->storage, &size), NC_NOERR);
    CHECK_INT(size, 1000);
    for (int together = ALONE; together <= SIEVED; together++)
        for (size_t n = 1; n < 100; n += 49) { /* 1, 50, 99 pieces of 30 bytes, every 40 from 900 on */
            struct test_pieces p = test_make(PCDF_GET, n, 900, 30, 40, 0, 0);
            int64_t there = n == 1 ? 30 : 30 + 30 + 20, bad = 0;
            CHECK_INT(test_move(e, together, &p.x, &got), NC_NOERR);
            CHECK(got == there || together == SIEVED,
                  "%zu pieces, together %d: got %" PRId64 ", not %" PRId64, n, together, got, there);
            for (int64_t i = there; i < p.x.nbytes; i++)
                bad += p.x.data[i] != 0;
            CHECK_INT(bad, 0);
            test_free(&p);
        }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(pcdf_sharedfile_resize_all(e, 2000), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(pcdf_storage_size(e->storage, &size), NC_NOERR);
    CHECK_INT(size, 2000);
}

static void reopen(const char *engine, const char *path)
{
    struct pcdf_sharedfile_config c = test_config(engine, path, PCDF_STORAGE_READ);
    struct pcdf_sharedfile *e = NULL;
    struct test_pieces p = test_make(PCDF_PUT, 1, 0, 4, 0, 0, 0);
    int64_t size = -1;

    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (e) {
        CHECK_INT(pcdf_storage_size(e->storage, &size), NC_NOERR);
        CHECK_INT(size, strcmp(engine, "null") ? 2000 : 0);
        if (strcmp(engine, "null"))
            CHECK(test_move(e, 0, &p.x, NULL) != NC_NOERR, "%s: a put into a read-only file", engine);
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    }
    test_free(&p);
}

static void one_storage(const char *engine)
{
    char name[64], path[4096];
    struct pcdf_sharedfile *e = NULL;
    struct pcdf_sharedfile_config c;
    MPI_Info info;
    int64_t base = 0;

    snprintf(name, sizeof name, "storage_basics.%s.%d", engine, test_ranks);
    snprintf(path, sizeof path, "%s", test_path(name));
    test_fresh(engine, path);
    c = test_config(engine, path, PCDF_STORAGE_CREATE);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (!e)
        return;
    if (strcmp(engine, "null"))
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (int together = ALONE; together <= SIEVED; together++) {
                one_shape(e, &shapes[i], together, (int)i * 3 + together + 1, base);
                base += 10000000; /* the next stands behind the end: gaps there must be zeros too */
            }
    behind_the_end(e);
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_info(e, &info), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    if (strcmp(engine, "null"))
        reopen(engine, path);
    test_remove(engine, path);
}

int main(int argc, char **argv)
{
    struct pcdf_sharedfile *e = NULL;

    test_start(&argc, &argv);
    one_storage("mpiio");
    one_storage("posix");
    one_storage("auto");
    one_storage("null");
    if (test_ranks == 1) {
        one_storage("memory");
    } else {
        struct pcdf_sharedfile_config c = test_config("memory", "x", PCDF_STORAGE_CREATE);
        CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_ENOTSUPPORT);
    }
    return test_end("storage_basics");
}
