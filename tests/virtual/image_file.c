/* The bytes of an image, all of them, in pieces of any length: as a classic file.
 *     image_file [keep|from] FILE...: writes FILE.cdf. keep: also the image itself, FILE.image. from: the
 * image is that of FILE.image, so that another machine needs no library of the format */

#include <stdlib.h>
#include "alloc.h"
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

static int keep(const char *name, const struct pcdf_image *image)
{
    unsigned char *bytes;
    int64_t n;
    PCDF_TRY(pcdf_image_encode(image, &bytes, &n));
    FILE *to = fopen(name, "wb");
    int err = to && fwrite(bytes, 1, (size_t)n, to) == (size_t)n ? NC_NOERR : NC_EWRITE;
    if (to)
        fclose(to);
    pcdf_free(bytes);
    return err;
}

static int load(const char *name, struct pcdf_image *image)
{
    static unsigned char bytes[1 << 22];
    FILE *from = fopen(name, "rb");
    size_t n = from ? fread(bytes, 1, sizeof bytes, from) : 0;
    if (from)
        fclose(from);
    return pcdf_image_decode(bytes, (int64_t)n, image);
}

static int make(const char *path, struct pcdf_image *image)
{
    struct pcdf_source source;
    PCDF_TRY(pcdf_source_look(path, &source));
    int err = pcdf_source_map(path, &source, image);
    pcdf_source_close(&source);
    return err;
}

static int show(const char *path, const char *how)
{
    char out[2000];
    struct pcdf_image image;
    struct pcdf_storage *s;
    struct pcdf_counts counts = { 0 };
    snprintf(out, sizeof out, "%s.image", path);
    int err = strcmp(how, "from") ? make(path, &image) : load(out, &image);
    if (err)
        return err;
    if (!strcmp(how, "keep"))
        CHECK_INT(keep(out, &image), NC_NOERR);
    CHECK_INT(pcdf_image_write_header(&image), NC_NOERR);
    const struct pcdf_shown shown = { .image = &image, .cache = 10000 };
    struct pcdf_storage_config config = {
        .path = path, .mode = PCDF_STORAGE_READ, .shown = &shown, .counts = &counts
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
    const char *how = argc > 1 && (!strcmp(argv[1], "keep") || !strcmp(argv[1], "from")) ? argv[1] : "";
    for (int i = *how ? 2 : 1; i < argc; i++) {
        pcdf_fail_clear();
        int err = show(argv[i], how);
        CHECK(err == NC_NOERR, "%s: error %d, %s", argv[i], err, pcdf_fail_text());
    }
    return check_done("image_file");
}
