/* The storage "ranges" against the file: pieces of all sizes, rising, jumping and all at once.
 *
 *   range_reads URL FILE SEED ROUNDS          checks; prints requests
 *   range_reads URL FILE SIZE times           reads all of it, SIZE bytes at a time, and prints the seconds
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "farpiece.h"
#include "farstore.h"
#include "rangestorage.h"
#include "shown.h"
#include "status.h"

static const unsigned char *bytes;
static int64_t size;
static uint64_t state;

static int64_t below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n > 0 ? (int64_t)((state >> 20) % (uint64_t)n) : 0;
}

static void check_bytes(const char *got, int64_t offset, int64_t length, int64_t count)
{
    int64_t there = offset < size ? (size - offset < length ? size - offset : length) : 0;
    CHECK_INT(count, there);
    CHECK(there <= 0 || !memcmp(got, bytes + offset, (size_t)there), "other bytes in %lld at %lld",
          (long long)length, (long long)offset);
    for (int64_t i = there; i < length; i++)
        if (got[i])
            CHECK(false, "no zero behind the end");
}

/* Pieces in one call, some of them with holes between, some in any order. */
static int many(struct pcdf_storage *s)
{
    enum { MOST = 2000 };
    static struct pcdf_piece pieces[MOST];
    size_t n = 1 + (size_t)below(MOST);
    int64_t step = below(3) ? below(20000) : below(2000000), at = below(size), total = 0, got = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t length = 1 + below(500) * (below(20) == 0 ? 200 : 1);
        pieces[i] = (struct pcdf_piece){ .offset = at, .length = length, .data = malloc((size_t)length) };
        total += at < size ? (size - at < length ? size - at : length) : 0;
        at = (at + length + step) % (size + 100);
    }
    struct pcdf_extents x = { .dir = PCDF_GET, .n = n, .pieces = pieces };
    int err = pcdf_storage_move(s, &x, &got);
    if (!err)
        CHECK_INT(got, total);
    for (size_t i = 0; i < n; i++) {
        int64_t there = pieces[i].offset < size ? size - pieces[i].offset : 0;
        if (!err)
            check_bytes(pieces[i].data, pieces[i].offset, pieces[i].length,
                        there < pieces[i].length ? there : pieces[i].length);
        free(pieces[i].data);
    }
    return err;
}

static int rising(struct pcdf_storage *s)
{
    int64_t step = 1 + below(3000000), at = below(size), end = at + 12 * step;
    char *room = malloc((size_t)step);
    int err = 0;
    for (; at < end && at < size + step && !err; at += step) {
        int64_t got = 0;
        err = pcdf_storage_move_at(s, PCDF_GET, room, step, at, &got);
        if (!err)
            check_bytes(room, at, step, got);
    }
    free(room);
    return err;
}

int main(int argc, char **argv)
{
    struct stat st;
    int good = 0, failed = 0;
    if (argc < 5)
        return 2;
    int fd = open(argv[2], O_RDONLY);
    fstat(fd, &st);
    size = st.st_size;
    bytes = mmap(NULL, (size_t)size + 1, PROT_READ, MAP_PRIVATE, fd, 0);
    bool times = strcmp(argv[4], "times") == 0;
    if (!times)
        pcdf_far_limits.delay_ms = 1;
    for (int round = 0; round < (times ? 1 : atoi(argv[4])); round++) {
        struct pcdf_store *store = NULL;
        struct pcdf_storage *s = NULL;
        struct pcdf_image image;
        struct pcdf_counts counts = { 0 };
        int64_t began = pcdf_far_now();
        state = (uint64_t)atoll(argv[3]) * 1000003u + (uint64_t)round;
        int err = pcdf_store_open(argv[1], NULL, &store);
        if (!err)
            err = pcdf_range_image(store, &image);
        pcdf_store_close(store);
        const struct pcdf_shown shown = { .image = &image };
        struct pcdf_storage_config config = {
            .path = "far", .mode = PCDF_STORAGE_READ, .counts = &counts, .shown = &shown
        };
        if (!err) {
            err = pcdf_rangestorage.open(&config, &s);
            CHECK_INT(err, NC_NOERR);
            for (int i = 0; i < 6 && !err && !times; i++)
                err = below(2) ? many(s) : rising(s);
            int64_t step = atoll(argv[3]), got = 0;
            char *room = times ? malloc((size_t)step) : NULL;
            for (int64_t at = 0; times && at < size && !err; at += step) {
                got = 0;
                err = pcdf_storage_move_at(s, PCDF_GET, room, step, at, &got);
                if (memcmp(room, bytes + at, (size_t)got))
                    CHECK(false, "other bytes");
            }
            free(room);
            pcdf_storage_close(s);
            pcdf_image_free(&image);
        }
        if (err)
            fprintf(stderr, "%s\n", pcdf_fail_text());
        *(err ? &failed : &good) += 1;
        if (times)
            printf("%.3f s\n", (double)(pcdf_far_now() - began) / 1000);
    }
    CHECK_INT(pcdf_alloc_now(), 0);
    printf("good %d failed %d\n", good, failed);
    return check_done("range_reads");
}
