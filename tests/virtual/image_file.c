/* The bytes of an image, all of them, in pieces of any length: as a classic file.    image_file FILE...:
 * writes FILE.cdf */

#include <stdlib.h>
#include "check.h"
#include "source.h"
#include "status.h"
#include "virtualstorage.h"

enum { MOST = 3000 };

static int copy(struct pcdf_storage *s, FILE *to)
{
    static unsigned char bytes[MOST];
    int64_t size, n;
    PCDF_TRY(pcdf_storage_size(s, &size));
    for (int64_t at = 0; at < size; at += n) {
        n = 1 + rand() % MOST;
        n = n < size - at ? n : size - at;
        PCDF_TRY(pcdf_storage_move_at(s, PCDF_GET, bytes, n, at, NULL));
        fwrite(bytes, 1, (size_t)n, to);
    }
    return NC_NOERR;
}

static int show(const char *path)
{
    char out[2000];
    struct pcdf_source source;
    struct pcdf_image image;
    struct pcdf_storage *s;
    struct pcdf_counts counts = { 0 };
    PCDF_TRY(pcdf_source_look(path, &source));
    int err = pcdf_source_map(path, &source, &image);
    pcdf_source_close(&source);
    if (err)
        return err;
    struct pcdf_storage_config config = {
        .path = path, .mode = PCDF_STORAGE_READ, .image = &image, .chunk_cache = 10000, .counts = &counts
    };
    err = pcdf_virtualstorage.open(&config, &s);
    if (!err) {
        snprintf(out, sizeof out, "%s.cdf", path);
        FILE *to = fopen(out, "wb");
        err = to ? copy(s, to) : NC_EWRITE;
        if (to)
            fclose(to);
        pcdf_first(&err, pcdf_storage_close(s));
    }
    pcdf_image_free(&image);
    return err;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        pcdf_fail_clear();
        int err = show(argv[i]);
        CHECK(err == NC_NOERR, "%s: error %d, %s", argv[i], err, pcdf_fail_text());
    }
    return check_done("image_file");
}
