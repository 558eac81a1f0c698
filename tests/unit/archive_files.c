/* Files of other writers: decode takes what ncgen (netCDF-C) writes in the three formats, and encode gives
 * the very header bytes back. With PARCDF_TEST_DATA set to a directory, all classic files in it too. Skipped
 * where ncgen is missing and no directory is named. */
#include "check.h"
#include "alloc.h"
#include "decode.h"
#include "encode.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int files;

/* The first n bytes of an open file; the caller frees. */
static unsigned char *read_start(FILE *f, size_t n)
{
    unsigned char *bytes = malloc(n ? n : 1);
    rewind(f);
    if (fread(bytes, 1, n, f) != n)
        CHECK(0, "cannot read %zu bytes", n);
    return bytes;
}

static void check_bytes(const unsigned char *bytes, const struct pcdf_meta *meta,
                        const struct pcdf_layout *layout, const char *path)
{
    size_t size = (size_t)pcdf_encode_size(meta);
    CHECK(layout->header_size == (int64_t)size, "%s: %" PRId64 " bytes of header, not %zu", path,
          layout->header_size, size);
    if (layout->header_size != (int64_t)size)
        return;
    unsigned char *own = malloc(size);
    pcdf_encode(meta, layout, own);
    size_t at = 0;
    while (at < size && own[at] == bytes[at])
        at++;
    CHECK(at == size, "%s: byte %zu of the header is %02X, we write %02X", path, at, bytes[at], own[at]);
    free(own);
}

/* As the library opens a file: a first piece, then what decode asks for. */
static void check_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL, "cannot open %s", path);
    if (!f)
        return;
    fseek(f, 0, SEEK_END);
    int64_t size = ftell(f), need = size < 64 ? size : 64;
    unsigned char *bytes = NULL;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int err, rounds = 0;
    do {
        free(bytes);
        bytes = read_start(f, (size_t)need);
        err = pcdf_decode(NULL, bytes, (size_t)need, size, &need, &meta, &layout, &fault);
    } while (!err && need > 0 && ++rounds < 64);
    fclose(f);
    CHECK(err == NC_NOERR && need == 0, "%s: %d, %s", path, err, fault.text);
    if (!err && !need) {
        check_bytes(bytes, &meta, &layout, path);
        int64_t end = pcdf_layout_file_end(&layout, &meta);
        CHECK(end <= size, "%s has %" PRId64 " bytes, its data ends at %" PRId64, path, size, end);
        pcdf_meta_free(&meta);
        pcdf_layout_free(&layout);
        files++;
    }
    free(bytes);
}

static const char cdl[] =
    "netcdf sample {\n"
    "dimensions: time = UNLIMITED; lat = 3; lon = 5;\n"
    "variables:\n"
    "  float t(time, lat, lon); t:units = \"K\"; t:_FillValue = -9.f; t:range = 1., 2., 3.;\n"
    "  byte flag(time); short s(lat); char name(lat, lon); double scalar; int i(lon);\n"
    "  s:empty = \"\"; s:b = 1b, 2b, 3b;\n"
    "  :title = \"a title\"; :numbers = 1s, 2s, 3s;\n"
    "data: flag = 1, 2, 3; s = 7, 8, 9; i = 1, 2, 3, 4, 5;\n"
    "}\n";
static const char one_record[] = "netcdf one {\n"
                                 "dimensions: time = UNLIMITED;\n"
                                 "variables: byte b(time);\n"
                                 "data: b = 1, 2, 3, 4, 5;\n"
                                 "}\n";
static const char no_data[] = "netcdf none { dimensions: x = 4; :a = 1; }\n";

static bool generate(const char *kind, const char *text, const char *path)
{
    char command[256], source[64];
    snprintf(source, sizeof source, "%s.cdl", path);
    FILE *f = fopen(source, "w");
    CHECK(f != NULL, "cannot write %s", source);
    if (!f)
        return false;
    fputs(text, f);
    fclose(f);
    snprintf(command, sizeof command, "ncgen -k '%s' -o %s %s", kind, path, source);
    bool made = system(command) == 0;
    unlink(source);
    return made;
}

static void generated(void)
{
    static const char *const kinds[] = { "classic", "64-bit offset", "cdf5" };
    static const char *const texts[] = { cdl, one_record, no_data };
    char path[48];
    if (system("ncgen -h >/dev/null 2>&1") == 127 * 256)
        return;
    for (size_t k = 0; k < 3; k++)
        for (size_t t = 0; t < 3; t++) {
            snprintf(path, sizeof path, "archive_files.%d.nc", (int)getpid());
            bool made = generate(kinds[k], texts[t], path);
            CHECK(made, "ncgen -k '%s' fails on text %zu", kinds[k], t);
            if (made)
                check_file(path);
            unlink(path);
        }
}

static void archived(const char *directory)
{
    char path[1024];
    DIR *d = opendir(directory);
    CHECK(d != NULL, "cannot open %s", directory);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 3, ".nc") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        check_file(path);
    }
    if (d)
        closedir(d);
}

int main(void)
{
    generated();
    if (getenv("PARCDF_TEST_DATA"))
        archived(getenv("PARCDF_TEST_DATA"));
    CHECK_INT(pcdf_alloc_now(), 0);
    if (files == 0 && check_bad == 0)
        return CHECK_SKIP;
    printf("%d files\n", files);
    return check_done("archive_files");
}
