/* Manifests that nobody of ours wrote are refused, and every cut and every changed byte is found. A removal
 * touches members of the key alone, and no link. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "check.h"
#include "crc32c.h"
#include "cutfs.h"
#include "set.h"
#include "setpublish.h"
#include "status.h"

static const char head[] =
    "{\"parcdf_set\": 1, \"name\": \"s\", \"step\": \"\", \"key\": \"k1\", \"job\": \"\", \"time\": 1, "
    "\"files\": [\n";
#define TAIL                                                                                                 \
    ", \"size\": 3, \"crc32c\": \"00000000\", \"records\": 0, \"format\": \"\", \"inode\": \"1\", "          \
    "\"changed\": \"1\"}"
#define ONE(file, member) "{\"file\": \"" file "\", \"member\": \"" member "\"" TAIL

static const struct {
    const char *files;
    bool good;
} rows[] = { { ONE("a", ".a.k1.parcdf-member"), true },
             { ONE("b/a", ".a.k1.parcdf-member"), true },
             { ONE("/o/a", ".a.k1.parcdf-member"), true },
             { ONE("../a", ".a.k1.parcdf-member"), false },
             { ONE("b/../../a", ".a.k1.parcdf-member"), false },
             { ONE("./a", ".a.k1.parcdf-member"), false },
             { ONE("b//a", ".a.k1.parcdf-member"), false },
             { ONE("b/", "..k1.parcdf-member"), false },
             { ONE("", ".a.k1.parcdf-member"), false },
             { ONE("a\\u0000b", ".a.k1.parcdf-member"), false },
             { ONE("a", "/etc/passwd"), false },
             { ONE("a", "a"), false },
             { ONE("a", ".a.k2.parcdf-member"), false },
             { ONE("a", ".a.k1.parcdf-member") ",\n" ONE("a", ".a.k1.parcdf-member"), false },
             { ONE("b", ".b.k1.parcdf-member") ",\n" ONE("a", ".a.k1.parcdf-member"), false },
             { "", false },
             { "7", false },
             { "{}", false } };

static size_t seal(char *text, size_t size, const char *files)
{
    int n = snprintf(text, size, "%s%s\n],\n", head, files);
    uint32_t crc = pcdf_crc32c(0, text, (size_t)n);
    return (size_t)n + (size_t)snprintf(text + n, size - (size_t)n, "\"checksum\": \"%08x\"}\n", crc);
}

static void test_rows(void)
{
    char text[2048];
    struct pcdf_setmanifest m;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = seal(text, sizeof text, rows[i].files);
        int err = pcdf_setmanifest_decode(text, n, "/d", &m);
        CHECK((err == NC_NOERR) == rows[i].good, "row %zu: %d, %s", i, err, pcdf_fail_text());
        pcdf_setmanifest_free(&m);
    }
}

static void test_bytes(void)
{
    char text[2048], *copy;
    struct pcdf_setmanifest m;
    size_t n = seal(text, sizeof text, rows[0].files);
    for (size_t i = 0; i <= n; i++)
        for (int change = 0; change < (i < n ? 9 : 0); change++) {
            size_t length = change == 8 ? i : n;
            copy = malloc(length + 1); /* exactly as long: a sanitizer sees what is read behind it */
            memcpy(copy, text, length);
            if (change < 8)
                copy[i] = (char)(copy[i] ^ 1 << change);
            CHECK_INT(pcdf_setmanifest_decode(copy, length, "/d", &m), NC_EFILE);
            free(copy);
        }
}

/* An earlier version's manifest, which does not say in which folder it was written. */
static void test_removal(void)
{
    struct cutfs fs;
    struct pcdf_set set;
    const struct pcdf_setfs seam = { &cutfs_ops, &fs };
    char text[2048];
    size_t n = seal(text, sizeof text,
                    ONE("a", ".a.k1.parcdf-member") ",\n" ONE("b", ".b.k1.parcdf-member") ",\n" ONE(
                        "/o/a", ".a.k1.parcdf-member"));
    cutfs_init(&fs);
    cutfs_folder(&fs, "/");
    cutfs_folder(&fs, "/d");
    cutfs_folder(&fs, "/o");
    CHECK_INT(pcdf_set_open_in(&seam, "/d", "s", &set), NC_NOERR);
    cutfs_put(&fs, "/d/a", "abc", 3); /* the user's own: another inode */
    cutfs_put(&fs, "/d/.a.k2.parcdf-member", "abc", 3);
    cutfs_folder(&fs, "/d/.a.k1.parcdf-member"); /* no file */
    cutfs_put(&fs, "/d/.b.k1.parcdf-member", "abc", 3);
    cutfs_put(&fs, "/o/.a.k1.parcdf-member", "abc", 3);
    cutfs_put(&fs, "/d/.s.000001.parcdf-removed", text, n);
    CHECK_INT(pcdf_set_remove(&set, 1), NC_NOERR);
    CHECK(cutfs_find(&fs, "/d/a") != NULL, "the user's file went");
    CHECK(cutfs_find(&fs, "/d/.a.k2.parcdf-member") != NULL, "the member of another key went");
    CHECK(cutfs_find(&fs, "/d/.a.k1.parcdf-member") != NULL, "what is no file went");
    CHECK(cutfs_find(&fs, "/d/.b.k1.parcdf-member") == NULL, "the member stays");
    CHECK(cutfs_find(&fs, "/o/.a.k1.parcdf-member") != NULL, "a file elsewhere went");
    CHECK(cutfs_find(&fs, "/d/.s.000001.parcdf-removed") == NULL, "the removal did not end");
    pcdf_set_close(&set);
    cutfs_free(&fs);
}

int main(void)
{
    test_rows();
    test_bytes();
    test_removal();
    return check_done("set_hostile");
}
