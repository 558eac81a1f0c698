/* Damaged files: the process that makes a map may do what it likes, the caller gets an image that holds
 * together or an error with a sentence, and gets it soon.    map_mutate PLUGIN RUNS FILE... */

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "check.h"
#include "image.h"
#include "source.h"
#include "status.h"

enum { MOST_SECONDS = 70, MOST_SEED = 1 << 22 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

/* Mostly where metadata is: libhdf5 and libhdf4 write numbers of 2, 4 and 8 bytes. */
static size_t mutate(unsigned char *x, size_t n)
{
    static const unsigned char special[] = { 0, 1, 0x7f, 0x80, 0xff, 0xfe };
    for (uint64_t changes = 1 + draw(8); changes > 0; changes--) {
        size_t at = draw(n), length = 1u << draw(4);
        switch (draw(5)) {
        case 0:
            x[at] ^= (unsigned char)(1u << draw(8));
            break;
        case 1:
            for (size_t i = at; i < n && i < at + length; i++)
                x[i] = special[draw(sizeof special)];
            break;
        case 2:
            if (at + length <= n)
                memmove(x + at, x + draw(n - length + 1), length);
            break;
        case 3:
            x[at] = (unsigned char)draw(256);
            break;
        default:
            if (draw(8) == 0)
                n = n / 2 + draw(n / 2) + 1;
        }
    }
    return n;
}

/* A valid image has a header that reads as its definitions do. */
static void look_at(const struct pcdf_image *image, const char *what)
{
    CHECK(image->header_size > 0 && image->nvars == image->meta.nvars, "%s: %d variables, %d maps", what,
          image->meta.nvars, image->nvars);
    CHECK(image->nstores == 1 && image->stores[0].pin.size >= 0, "%s: %d stores", what, image->nstores);
}

static int map_of(const char *plugin, const char *path, const char *what)
{
    struct pcdf_store *store;
    struct pcdf_image image;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    int err = pcdf_store_open(path, NULL, &store);
    CHECK_INT(err, NC_NOERR);
    if (err)
        return err;
    pcdf_fail_clear();
    err = pcdf_map_by_plugin(plugin, path, store, &image);
    clock_gettime(CLOCK_MONOTONIC, &to);
    pcdf_store_close(store);
    CHECK(to.tv_sec - from.tv_sec < MOST_SECONDS, "%s took %lld s", what,
          (long long)(to.tv_sec - from.tv_sec));
    CHECK(!err || strstr(pcdf_fail_text(), path), "%s: error %d, \"%s\"", what, err, pcdf_fail_text());
    CHECK(err != NC_EINTERNAL, "%s: \"%s\"", what, pcdf_fail_text());
    if (!err) {
        look_at(&image, what);
        pcdf_image_free(&image);
    }
    return err;
}

int main(int argc, char **argv)
{
    static unsigned char seed[MOST_SEED], x[MOST_SEED];
    long refused = 0, crashed = 0, runs = argc > 3 ? atol(argv[2]) : 0;
    char what[300];
    for (int i = 3; i < argc; i++)
        CHECK(map_of(argv[1], argv[i], argv[i]) == NC_NOERR, "%s: %s", argv[i], pcdf_fail_text());
    for (long k = 0; k < runs; k++) {
        const char *name = argv[3 + k % (argc - 3)];
        FILE *f = fopen(name, "rb");
        size_t n = f ? fread(seed, 1, sizeof seed, f) : 0;
        if (f)
            fclose(f);
        if (n < 16)
            return 2;
        memcpy(x, seed, n);
        n = mutate(x, n);
        f = fopen("mutated", "wb");
        if (!f || fwrite(x, 1, n, f) != n || fclose(f))
            return 2;
        snprintf(what, sizeof what, "mutation %ld of %s", k, name);
        if (map_of(argv[1], "mutated", what)) {
            refused++;
            crashed += strstr(pcdf_fail_text(), "crashed") != NULL;
        }
    }
    printf("%ld mutations: %ld refused, %ld of them by a crash of the library of the format\n", runs, refused,
           crashed);
    return check_done("map_mutate");
}
