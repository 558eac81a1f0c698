/* Fixes what src/storage/writequeue.h promises of the layer itself: memory that is lent is at multiples of
 * 64, overlaps with nothing that waits, and what was not used is lent again; a get finds what waits; the
 * storage below is used by one thread at a time, also by a close during an early sync, beside another queue;
 * a put of many pieces becomes several writes; a file that its limit holds back holds no other file back.
 * Each rank alone, on a slow storage, which ends the program when two threads are in it (throttlestorage.h).
 */

#include "storagetest.h"
#include "throttlestorage.h"
#include "writepool.h"
#include "writequeue.h"
#include "writer.h"

enum { MIB = 1 << 20, PUTS = 3000, MOST = 3000 };

/* rate: bytes a second; 0: no limit. */
static struct pcdf_sharedfile *open_sized(const char *engine, const char *end, const char *slow, int64_t rate,
                                          int64_t bytes)
{
    char path[4096];
    struct pcdf_sharedfile *f = NULL;
    snprintf(path, sizeof path, "%s/storage_queue_%d%s", test_dir, test_rank, end);
    unlink(path);
    struct pcdf_sharedfile_config c = test_config(engine, path, PCDF_STORAGE_CREATE);
    c.comm = MPI_COMM_SELF;
    c.file.is_maker = true;
    c.async = bytes;
    c.async_rate = rate;
    MPI_Info_create(&c.info);
    MPI_Info_set(c.info, "pcdf_throttle", slow);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &f), NC_NOERR);
    CHECK(!f || pcdf_writequeue_is_on(f->storage), "there is no queue");
    MPI_Info_free(&c.info);
    unlink(path); /* it has a descriptor */
    return f;
}

static struct pcdf_sharedfile *open_limited(const char *engine, const char *end, const char *slow,
                                            int64_t rate)
{
    return open_sized(engine, end, slow, rate, 4 * MIB);
}

static struct pcdf_sharedfile *open_queue(const char *engine, const char *end, const char *slow)
{
    return open_limited(engine, end, slow, 0);
}

static void put(struct pcdf_sharedfile *f, char *data, int64_t length, int64_t offset)
{
    const struct pcdf_piece piece = { offset, length, data };
    const struct pcdf_extents x = { .dir = PCDF_PUT, .may_queue = true, .n = 1, .pieces = &piece };
    if (length > 0)
        CHECK_INT(pcdf_storage_move(f->storage, &x, NULL), NC_NOERR);
}

static int64_t wrong(struct pcdf_sharedfile *f, const char *want, int64_t length, int64_t offset)
{
    int64_t n = 0;
    char *got = malloc((size_t)length + 1);
    CHECK_INT(pcdf_storage_move_at(f->storage, PCDF_GET, got, length, offset, NULL), NC_NOERR);
    for (int64_t i = 0; i < length; i++)
        n += got[i] != want[i];
    free(got);
    return n;
}

/* Two pieces of memory at a time, of which a part is put, in any order; and puts from memory of this program.
 */
static void lends(const char *engine)
{
    static char want[PUTS * MOST], own[MOST];
    struct pcdf_sharedfile *f = open_queue(engine, "", "20:0");
    unsigned seed = 1;
    for (int64_t i = 0, at = 0; f && i < PUTS; i++) {
        int64_t asked[2], used[2];
        char *lent[2];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1103515245 + 12345;
            asked[k] = 1 + (seed >> 8) % (MOST / 2);
            used[k] = seed >> 28 ? (seed >> 4) % (asked[k] + 1) : 0;
            lent[k] = pcdf_writequeue_lend(f->storage, asked[k]);
            CHECK(lent[k] && (uintptr_t)lent[k] % 64 == 0, "lent at %p", (void *)lent[k]);
            if (!lent[k])
                return;
            memset(lent[k], (int)(i + k) | 1, (size_t)asked[k]);
        }
        for (int k = 0; k < 2; k++) {
            int which = i % 2 ? k : 1 - k;
            memset(want + at, (int)(i + which) | 1, (size_t)used[which]);
            put(f, lent[which], used[which], at);
            pcdf_writequeue_give(f->storage, lent[which], used[which]);
            at += used[which];
        }
        memset(own, (int)i | 1, sizeof own);
        if (i % 3 == 0 && at > 100) {
            put(f, own, 100, at - 50);
            memset(want + at - 50, (int)i | 1, 100);
            memset(own, 0, sizeof own);
            at += 50;
        }
        if (i % 500 == 499)
            CHECK_INT(wrong(f, want, at, 0), 0);
    }
    if (f)
        CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
}

/* More than the memory has, nothing of which is put, while something waits. */
static void gives_back(const char *engine)
{
    static char byte = 7;
    char *before = NULL;
    struct pcdf_sharedfile *f = open_queue(engine, "", "60000:0");
    put(f, &byte, 1, 0);
    put(f, &byte, 1, 1);
    for (int i = 0; f && i < 100; i++) {
        char *lent = pcdf_writequeue_lend(f->storage, MIB / 2);
        CHECK(lent && (i == 0 || lent == before), "time %d: lent at %p, not %p", i, (void *)lent,
              (void *)before);
        before = lent;
        pcdf_writequeue_give(f->storage, lent, 0);
    }
    CHECK_INT(pcdf_writequeue_written(f->storage) < 2, true);
    CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
}

/* While the thread syncs it; the other queue keeps the thread. */
static void closed_in_sync(const char *engine)
{
    struct pcdf_sharedfile *other = open_queue(engine, ".other", "0:0"),
                           *f = open_queue(engine, "", "150000:0");
    pcdf_writequeue_sync_early(f->storage);
    usleep(50000);
    CHECK(!pcdf_writequeue_is_idle(f->storage), "the sync is over");
    CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_close_all(other), NC_NOERR);
}

/* Every second byte, so that no two pieces are one; of a file of its own, because storage memory keeps what
 * files of one name have. */
static void many_pieces(const char *engine)
{
    enum { PIECES = 40000, OF_WRITE = 1 << 14 };
    static struct pcdf_piece pieces[PIECES];
    static char bytes[PIECES], want[2 * PIECES];
    struct pcdf_sharedfile *f = open_queue(engine, ".pieces", "0:0");
    memset(want, 0, sizeof want);
    for (int i = 0; i < PIECES; i++) {
        bytes[i] = want[2 * i] = (char)(i % 251 + 1);
        pieces[i] = (struct pcdf_piece){ 2 * i, 1, &bytes[i] };
    }
    const struct pcdf_extents x = { .dir = PCDF_PUT, .may_queue = true, .n = PIECES, .pieces = pieces };
    CHECK_INT(pcdf_storage_move(f->storage, &x, NULL), NC_NOERR);
    CHECK_INT(pcdf_writequeue_accepted(f->storage), (PIECES + OF_WRITE - 1) / OF_WRITE);
    CHECK_INT(wrong(f, want, 2 * PIECES - 1, 0), 0);
    CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
}

/* Is the first write of a file done, of those that nobody waits for? */
static bool is_begun(struct pcdf_sharedfile *f)
{
    int left = 1000;
    for (; pcdf_writequeue_written(f->storage) < 1 && left > 0; left--)
        usleep(10000);
    return left > 0;
}

/* The thread sleeps until the limit of one file allows its next write, which is an hour. */
static void beside_a_limit(const char *engine)
{
    static char bytes[3600];
    struct pcdf_sharedfile *held = open_limited(engine, ".held", "0:0", 1),
                           *f = open_queue(engine, "", "0:0");
    put(held, bytes, sizeof bytes, 0);
    CHECK(is_begun(held), "the first write waits for the limit");
    put(held, bytes, sizeof bytes, sizeof bytes);
    usleep(50000); /* then the thread sleeps */
    put(f, bytes, 1, 0);
    CHECK(is_begun(f), "a file without a limit waits for the limit of another one");
    CHECK_INT(pcdf_writequeue_written(held->storage), 1);
    CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_close_all(held), NC_NOERR);
}

/* All memory of a large queue can be lent; nobody touches it. */
static void large_queue(void)
{
    enum { GIB = 40, BLOCKS = GIB << 10 };
    static char *lent[BLOCKS + 1];
    int n = 0;
    struct pcdf_sharedfile *f = open_sized("memory", "", "0:0", 0, (int64_t)GIB << 30);
    if (!f)
        return;
    pcdf_writer_lock();
    pcdf_writepool_stays_cold();
    pcdf_writer_unlock();
    while (n <= BLOCKS && (lent[n] = pcdf_writequeue_lend(f->storage, MIB)))
        n++;
    CHECK_INT(n, BLOCKS);
    while (n > 0)
        pcdf_writequeue_give(f->storage, lent[--n], 0);
    CHECK_INT(pcdf_sharedfile_close_all(f), NC_NOERR);
}

int main(int argc, char **argv)
{
    static const char *const storages[] = { "posix", "mpiio", "memory" };
    test_start(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        lends(storages[i]);
        gives_back(storages[i]);
        closed_in_sync(storages[i]);
        many_pieces(storages[i]);
        beside_a_limit(storages[i]);
    }
    large_queue();
    return test_end("storage_queue");
}
