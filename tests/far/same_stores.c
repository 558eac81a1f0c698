/* Two stores with the same objects: the first one can be listed.
 *
 *   same_stores FOLDER OTHER        each object of the folder is in the other one, whole and in parts; exit
 *                                   status 1: it is not, or something else is there
 *   same_stores ARCHIVE mutate N    N times with some bytes changed: no crash; what is read is whatever */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "status.h"
#include "store.h"

static uint64_t state = 1;
static int64_t below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n > 0 ? (int64_t)((state >> 20) % (uint64_t)n) : 0;
}

struct walk {
    struct pcdf_store *a, *b;
    int objects, listed;
    bool counts; /* only that */
};

static void check_ranges(struct walk *w, const char *key, const unsigned char *bytes, int64_t n)
{
    struct pcdf_fetch f[5];
    for (int i = 0; i < 5; i++)
        f[i] =
            (struct pcdf_fetch){ .store = w->b, .key = key, .offset = below(n + 5), .length = below(n + 5) };
    f[3].from_end = true;
    f[4] = (struct pcdf_fetch){ .store = w->b, .key = "none/of/these", .length = 5 };
    pcdf_fetch_start(f, 5);
    CHECK_INT(pcdf_fetch_finish(f, 5), NC_NOERR);
    CHECK_INT(f[4].err, NC_ENOENT);
    for (int i = 0; i < 4; i++) {
        int64_t rest = f[i].offset < n ? n - f[i].offset : 0, want = rest < f[i].length ? rest : f[i].length;
        CHECK(f[i].got == want && (want == 0 || !memcmp(f[i].to, bytes + f[i].offset, (size_t)want)),
              "%s: %lld at %lld", key, (long long)f[i].length, (long long)f[i].offset);
        pcdf_free(f[i].to);
    }
}

static int see(void *context, const char *key)
{
    struct walk *w = context;
    unsigned char *x = NULL, *y = NULL;
    int64_t n = 0, m = 0;
    if (key[strlen(key) - 1] == '/')
        return pcdf_store_list(w->a, key, see, w);
    w->objects++;
    if (w->counts)
        return NC_NOERR;
    CHECK_INT(pcdf_store_read_all(w->a, key, 1 << 30, &x, &n), NC_NOERR);
    int err = pcdf_store_read_all(w->b, key, 1 << 30, &y, &m);
    CHECK(!err && n == m && !memcmp(x, y, (size_t)n), "%s: %d, %lld and %lld bytes: %s", key, err,
          (long long)n, (long long)m, err ? pcdf_fail_text() : "");
    check_ranges(w, key, x, n);
    if (n > 0)
        CHECK_INT(pcdf_store_read_all(w->b, key, n - 1, &y, &m), NC_EREAD);
    pcdf_free(x);
    if (!err)
        pcdf_free(y);
    return NC_NOERR;
}

static int read_it(void *context, const char *key)
{
    struct walk *w = context;
    unsigned char *x;
    int64_t n;
    size_t length = strlen(key);
    if (length && key[length - 1] == '/')
        return ++w->listed > 1000 ? NC_EINVAL : pcdf_store_list(w->a, key, read_it, w);
    if (pcdf_store_read_all(w->a, key, 1 << 24, &x, &n) == NC_NOERR) {
        w->objects++;
        pcdf_free(x);
    }
    struct pcdf_fetch f = { .store = w->a, .key = key, .offset = below(100), .length = 10 };
    pcdf_fetch_start(&f, 1);
    pcdf_fetch_finish(&f, 1);
    pcdf_free(f.to);
    return NC_NOERR;
}

static void mutate(const char *path, int times)
{
    char other[300];
    int fd = open(path, O_RDONLY), opened = 0;
    long size = lseek(fd, 0, SEEK_END);
    unsigned char *good = malloc((size_t)size), *bad = malloc((size_t)size);
    struct walk w = { 0 };
    CHECK(pread(fd, good, (size_t)size, 0) == size, "read");
    snprintf(other, sizeof other, "%s.bad.zip", path);
    for (int i = 0; i < times; i++) {
        memcpy(bad, good, (size_t)size);
        for (int k = 0; k < 1 + below(4); k++) /* rather in the directory and the record at the end */
            bad[below(2) ? size - 1 - below(size < 700 ? size : 700) : below(size)] =
                (unsigned char)(below(3)   ? below(256)
                                : below(2) ? 255
                                           : 0);
        int out = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        long n = below(10) ? size : below(size);
        CHECK(write(out, bad, (size_t)n) == n, "write");
        close(out);
        if (pcdf_store_open(other, NULL, &w.a) == NC_NOERR) {
            opened++;
            pcdf_store_list(w.a, "", read_it, &w);
            pcdf_store_close(w.a);
        }
        CHECK_INT(pcdf_alloc_now(), 0);
    }
    printf("%d of %d were opened, %d objects read\n", opened, times, w.objects);
    free(good);
    free(bad);
    close(fd);
}

int main(int argc, char **argv)
{
    struct walk w = { 0 };
    if (argc == 4) {
        mutate(argv[1], atoi(argv[3]));
        return check_done("same_stores");
    }
    if (argc != 3)
        return 2;
    CHECK_INT(pcdf_store_open(argv[1], NULL, &w.a), NC_NOERR);
    int err = pcdf_store_open(argv[2], NULL, &w.b);
    CHECK(!err, "%s", pcdf_fail_text());
    if (err)
        return check_done("same_stores");
    CHECK_INT(pcdf_store_list(w.a, "", see, &w), NC_NOERR);
    struct walk other = { .a = w.b, .counts = true };
    err = pcdf_store_list(w.b, "", see, &other);
    CHECK(err == NC_ENOTSUPPORT || (err == NC_NOERR && other.objects == w.objects), "%d listed, not %d",
          other.objects, w.objects);
    pcdf_store_close(w.a);
    pcdf_store_close(w.b);
    CHECK_INT(pcdf_alloc_now(), 0);
    printf("%d objects\n", w.objects);
    return check_done("same_stores");
}
