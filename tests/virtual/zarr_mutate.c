/* Damaged stores: the metadata of a Zarr store or a file of references is changed, and it is mapped and read
 * in this process. An error has a sentence; an image holds together, and its bytes can be asked for.
 *     zarr_mutate RUNS PLUG-INS FILE...: each run changes one of these files, which are FOLDER/KEY of a store
 *     with "@" between folder and key, or references without one; they are as before at the end */

#include "check.h"
#include "alloc.h"
#include "source.h"
#include "status.h"
#include "virtualstorage.h"
#include <stdlib.h>
#include <time.h>

enum { MOST_SEED = 1 << 20, MOST_BYTES = 1 << 20, MOST_SECONDS = 20 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

/* Bytes that are changed, and words of JSON that take the place of others. */
static size_t mutate(char *x, size_t n)
{
    static const char *const words[] = { "null",
                                         "-1",
                                         "0",
                                         "1e400",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "true",
                                         "4294967296",
                                         "[1,2,3]",
                                         "\"F\"",
                                         "NaN",
                                         "1.5",
                                         "[[]]",
                                         "\"<i8\"",
                                         "\"|S3\"",
                                         "\"/\"",
                                         "1000",
                                         "3",
                                         "\"..\"" };
    for (uint64_t changes = 1 + draw(3); changes > 0 && n > 1; changes--) {
        size_t at = draw(n), end = at;
        const char *word = words[draw(sizeof words / sizeof *words)];
        size_t length = strlen(word);
        switch (draw(6)) {
        case 0:
            x[at] = (char)draw(256);
            break;
        case 1:
            x[at] ^= (char)(1 << draw(8));
            break;
        case 2: /* a digit */
            for (size_t i = 0; i < n && (x[at] < '0' || x[at] > '9'); i++)
                at = (at + 1) % n;
            x[at] = "0123456789-.e"[draw(13)];
            break;
        case 3: /* a value */
        case 4:
            while (at > 0 && x[at] != ':' && x[at] != ',' && x[at] != '[')
                at--;
            end = at + 1;
            while (end < n && !strchr(",]}\n", x[end]))
                end++;
            if (n - (end - at) + length + 1 < MOST_SEED) {
                memmove(x + at + 1 + length, x + end, n - end);
                memcpy(x + at + 1, word, length);
                n = n - (end - at) + 1 + length;
            }
            break;
        default:
            if (draw(4) == 0)
                n = draw(n) + 1;
        }
    }
    return n;
}

static void read_some(struct pcdf_image *image, const char *what)
{
    static unsigned char bytes[MOST_BYTES];
    struct pcdf_counts counts = { 0 };
    struct pcdf_storage *s;
    struct pcdf_storage_config config = {
        .path = "mutated", .mode = PCDF_STORAGE_READ, .image = image, .chunk_cache = 100000, .counts = &counts
    };
    int64_t size = 0;
    if (pcdf_virtualstorage.open(&config, &s))
        return;
    CHECK_INT(pcdf_storage_size(s, &size), NC_NOERR);
    for (int i = 0; i < 3 && size > 0; i++) {
        int64_t at = i == 0 ? 0 : (int64_t)draw((uint64_t)size), n = size - at < 4000 ? size - at : 4000;
        pcdf_fail_clear();
        int err = pcdf_storage_move_at(s, PCDF_GET, bytes, n, at, NULL);
        CHECK(!err || *pcdf_fail_text(), "%s: error %d without a sentence", what, err);
        CHECK(err != NC_EINTERNAL, "%s: %s", what, pcdf_fail_text());
    }
    CHECK_INT(pcdf_storage_close(s), NC_NOERR);
}

static int look(const char *path, const char *what)
{
    struct pcdf_source source;
    struct pcdf_image image, copy;
    unsigned char *bytes = NULL;
    int64_t n = 0;
    time_t from = time(NULL);
    pcdf_fail_clear();
    int err = pcdf_source_look(path, &source);
    if (err || source.kind == PCDF_SOURCE_CLASSIC) {
        if (!err)
            pcdf_source_close(&source);
        return err ? err : NC_ENOTNC;
    }
    err = pcdf_source_map(path, &source, &image);
    pcdf_source_close(&source);
    CHECK(!err || *pcdf_fail_text(), "%s: error %d without a sentence", what, err);
    CHECK(err != NC_EINTERNAL, "%s: %s", what, pcdf_fail_text());
    if (err)
        return err;
    CHECK_INT(pcdf_image_encode(&image, &bytes, &n), NC_NOERR);
    err = pcdf_image_decode(bytes, n, &copy);
    CHECK(err == NC_NOERR, "%s: the image is not read: %s", what, pcdf_fail_text());
    if (!err)
        pcdf_image_free(&copy);
    pcdf_free(bytes);
    read_some(&image, what);
    pcdf_image_free(&image);
    CHECK(time(NULL) - from < MOST_SECONDS, "%s took %lld s", what, (long long)(time(NULL) - from));
    return NC_NOERR;
}

static size_t load(const char *name, char *to)
{
    FILE *f = fopen(name, "rb");
    size_t n = f ? fread(to, 1, MOST_SEED, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static void save(const char *name, const char *from, size_t n)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(from, 1, n, f) != n || fclose(f))
        exit(2);
}

int main(int argc, char **argv)
{
    static char seed[MOST_SEED + 1], x[MOST_SEED + 1];
    long runs = argc > 3 ? atol(argv[1]) : 0, refused = 0;
    if (argc > 3)
        setenv("PARCDF_PLUGINS", argv[2], 1);
    for (long k = 0; k < runs; k++) {
        char path[3000], store[3000], what[3200];
        snprintf(path, sizeof path, "%s", argv[3 + draw((uint64_t)argc - 3)]);
        snprintf(store, sizeof store, "%s", path);
        char *cut = strchr(store, '@');
        if (cut) {
            path[cut - store] = '/';
            *cut = '\0';
        }
        size_t n = load(path, seed);
        if (n < 2)
            return 2;
        memcpy(x, seed, n);
        save(path, x, mutate(x, n));
        snprintf(what, sizeof what, "mutation %ld of %s", k, path);
        refused += look(store, what) != NC_NOERR;
        if (check_bad > 0)
            break; /* the file shows it */
        save(path, seed, n);
    }
    printf("%ld mutations, %ld refused\n", runs, refused);
    CHECK(refused > runs / 10 && refused < runs, "%ld of %ld are refused", refused, runs);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("zarr_mutate");
}
