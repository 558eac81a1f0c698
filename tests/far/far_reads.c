/* Reads through a far store, and compares each byte with the file itself.
 *
 *   far_reads URL FILE SEED ROUNDS [quick]
 *
 * A round opens the store anew, and reads ranges of all sizes, several at a time, finished in any order. What
 * is read is right, or an error (counted): never something else. Prints: rounds good, rounds with an error,
 * wrong values, requests, the last sentence. Exit status 1 where something was wrong. quick: short waits.
 * fork: each round is gone on with by a child, which finishes what was begun before, and reads more. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "farpiece.h"
#include "farstore.h"
#include "status.h"
#include "store.h"

static const unsigned char *bytes;
static int64_t size;
static uint64_t state;

static int64_t below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n > 0 ? (int64_t)((state >> 20) % (uint64_t)n) : 0;
}

static void check_one(const struct pcdf_fetch *f, int64_t want, int *failed)
{
    if (f->err) {
        ++*failed;
        CHECK(!f->makes || !f->to, "memory is left");
        return;
    }
    CHECK(f->got == want, "%lld bytes at %lld, not %lld", (long long)f->got, (long long)f->offset,
          (long long)want);
    CHECK(f->got != want || !memcmp(f->to, bytes + f->offset, (size_t)want), "other bytes at %lld",
          (long long)f->offset);
}

static int one_batch(struct pcdf_store *s)
{
    enum { MOST = 24 };
    struct pcdf_fetch f[MOST];
    int64_t want[MOST];
    int n = 1 + (int)below(MOST), failed = 0, order = (int)below(3);
    int64_t near = below(size + 1);
    for (int i = 0; i < n; i++) {
        int64_t at = below(4) ? near + below(1 << 20) : below(size + 10),
                length = below(8) ? 1 + below(5000) : 1 + below(size);
        if (at > size)
            at = size;
        f[i] = (struct pcdf_fetch){ .store = s, .key = "", .offset = at, .length = length };
        if (below(10) == 0)
            f[i].length = -1, f[i].most = size;
        else if (below(2))
            f[i].to = pcdf_malloc((size_t)length);
        if (f[i].length >= 0 && below(6) == 0) {
            f[i].from_end = true;
            at = size > length ? size - length : 0;
        }
        want[i] = f[i].length < 0 || size - at < length ? size - at : length;
    }
    pcdf_fetch_start(f, (size_t)n);
    for (int k = 0; k < n; k++) {
        int i = order == 0 ? k : order == 1 ? n - 1 - k : (k * 7 + 3) % n;
        if (order == 2 && n % 7 == 0)
            i = k;
        bool makes = f[i].makes;
        if (below(20) == 0)
            pcdf_fetch_cancel(&f[i], 1);
        else {
            pcdf_fetch_finish(&f[i], 1);
            check_one(&f[i], want[i], &failed);
        }
        if (!makes || f[i].to)
            pcdf_free(f[i].to);
    }
    return failed;
}

/* A child finishes what its parent began, and reads by requests of its own; the parent goes on meanwhile. */
static int in_child(struct pcdf_store *s, const char *name)
{
    struct pcdf_store *more;
    unsigned char *room = malloc((size_t)size + 1);
    struct pcdf_fetch f = { .store = s, .key = "", .offset = 0, .length = size, .to = room };
    int failed = 0, status = 0;
    pcdf_fetch_start(&f, 1);
    pid_t child = fork();
    if (child == 0)
        alarm(60); /* else it would wait for ever */
    pcdf_fetch_finish(&f, 1);
    check_one(&f, size, &failed);
    for (int i = 0; i < 2; i++)
        failed += one_batch(s);
    if (pcdf_store_open(name, NULL, &more) == NC_NOERR) {
        failed += one_batch(more);
        pcdf_store_close(more);
    } else {
        failed++;
    }
    free(room);
    if (child == 0)
        _exit(failed + check_bad > 0);
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child ended with %d", status);
    return failed;
}

int main(int argc, char **argv)
{
    struct stat st;
    int good = 0, failed = 0;
    int64_t requests = 0, retries = 0;
    char sentence[400] = "";
    if (argc < 5)
        return 2;
    int fd = open(argv[2], O_RDONLY);
    fstat(fd, &st);
    size = st.st_size;
    bytes = mmap(NULL, (size_t)size + 1, PROT_READ, MAP_PRIVATE, fd, 0);
    bool forks = argc > 5 && strcmp(argv[5], "fork") == 0;
    if (argc > 5) {
        pcdf_far_limits.delay_ms = 1;
        pcdf_far_limits.idle_ms = 1000;
        pcdf_far_limits.size = 512 << 10;
        pcdf_far_limits.gap = 4096;
    }
    for (int round = 0; round < atoi(argv[4]); round++) {
        struct pcdf_store *s;
        struct pcdf_pin pin;
        state = (uint64_t)atoll(argv[3]) * 1000003u + (uint64_t)round;
        int bad = pcdf_store_open(argv[1], NULL, &s);
        if (!bad) {
            bad = pcdf_store_pin(s, &pin);
            CHECK(bad || pin.size == size, "size %lld", (long long)pin.size);
            for (int i = 0; i < 3 && !bad; i++)
                bad = one_batch(s);
            if (!bad && forks)
                bad = in_child(s, argv[1]);
            requests += pcdf_farstore_requests(s);
            retries += pcdf_farstore_retries(s);
            pcdf_store_close(s);
        }
        *(bad ? &failed : &good) += 1;
        if (bad)
            snprintf(sentence, sizeof sentence, "%s", pcdf_fail_text());
    }
    CHECK_INT(pcdf_alloc_now(), 0);
    printf("good %d failed %d requests %lld retries %lld: %s\n", good, failed, (long long)requests,
           (long long)retries, sentence);
    return check_done("far_reads");
}
