/* What base promises: the kept sentence and its lead, counted allocation that can be made to fail, the rules
 * for names and their NFC form, and a name table that stays right through adding, renaming and deleting. */
#include "check.h"
#include "alloc.h"
#include "arena.h"
#include "names.h"
#include "status.h"
#include "text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int try_it(int err)
{
    PCDF_TRY(err);
    return 1;
}

/* ParallelIO's and SCORPIO's test_pioc compare these, and as many letters. */
static const struct {
    int code;
    const char *text;
} compared[] = {
    { NC_EBADID, "NetCDF: Not a valid ID" },
    { NC_ENOTNC3, "NetCDF: Attempting netcdf-3 operation on netcdf-4 file" },
    { NC_ENOPAR, "NetCDF: Parallel operation on file opened for non-parallel access" },
    { NC_EMULTIDEFINE_VAR_NUM, "Number of variables is" },
    { NC_EMULTIDEFINE_ATTR_VAL, "Attribute value is inconsistent among processes." },
};

static void who_counts_how(void)
{
    CHECK(pcdf_told_id(3) == 3 && pcdf_told_index(0) == 0 && pcdf_told_dim(0, 3) == 0, "C counts from 0");
    pcdf_tell_caller(PCDF_CALLER_F90);
    CHECK(pcdf_told_id(3) == 4 && pcdf_told_id(INT_MAX) == INT_MAX && pcdf_told_index(0) == 1,
          "Fortran counts from 1");
    CHECK(pcdf_told_dim(0, 3) == 3 && pcdf_told_dim(2, 3) == 1, "the other order");
    pcdf_tell_caller(PCDF_CALLER_C);
    CHECK_INT(pcdf_told_id(3), 3);
}

static void sentences(void)
{
    char longest[3000];
    pcdf_fail_clear();
    CHECK(pcdf_fail_text()[0] == '\0', "\"%s\"", pcdf_fail_text());
    pcdf_fail_lead("nothing failed: ");
    CHECK(pcdf_fail_text()[0] == '\0', "\"%s\"", pcdf_fail_text());
    CHECK_INT(PCDF_FAIL(NC_EEDGE, "count %d", 7), NC_EEDGE);
    pcdf_fail_lead("file %s: ", "x.nc");
    pcdf_fail_lead("again: ");
    CHECK(strcmp(pcdf_fail_text(), "file x.nc: count 7") == 0, "\"%s\"", pcdf_fail_text());
    pcdf_fail(NC_EIO, "(%s)", pcdf_fail_text());
    CHECK(strcmp(pcdf_fail_text(), "(file x.nc: count 7)") == 0, "\"%s\"", pcdf_fail_text());
    memset(longest, 'y', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    pcdf_fail(NC_EIO, "%s", longest);
    CHECK_INT(strlen(pcdf_fail_text()), 1023);
    pcdf_fail_lead("%s", longest);
    CHECK_INT(strlen(pcdf_fail_text()), 1023);
    CHECK_INT(try_it(NC_EIO), NC_EIO);
    CHECK_INT(try_it(NC_NOERR), 1);
    int status = NC_NOERR;
    pcdf_first(&status, NC_EIO);
    pcdf_first(&status, NC_EEDGE);
    CHECK_INT(status, NC_EIO);
    CHECK(strcmp(pcdf_error_of(NC_EBADID)->name, "NC_EBADID") == 0, "%s", pcdf_error_of(NC_EBADID)->name);
    CHECK(strcmp(pcdf_error_of(-142)->name, "NC_EPLUGIN") == 0, "%s", pcdf_error_of(-142)->name);
    CHECK(strcmp(pcdf_error_of(NC_NOERR)->sentence, "No error") == 0, "%s",
          pcdf_error_of(NC_NOERR)->sentence);
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        CHECK(strncmp(pcdf_error_of(compared[i].code)->sentence, compared[i].text,
                      strlen(compared[i].text)) == 0,
              "%d: %s", compared[i].code, pcdf_error_of(compared[i].code)->sentence);
    CHECK(!pcdf_error_of(-666)->name && !pcdf_error_of(1)->sentence, "unknown codes have no name");
}

static void allocation(void)
{
    int64_t before = pcdf_alloc_now();
    char *p = pcdf_malloc(100), *q = pcdf_calloc(10, 10), *none = pcdf_malloc(0);
    CHECK(p && q && none && (uintptr_t)p % 16 == 0, "%p %p %p", (void *)p, (void *)q, (void *)none);
    for (int i = 0; i < 100; i++)
        CHECK(q[i] == 0, "byte %d of calloc is %d", i, q[i]);
    memset(p, 7, 100);
    p = pcdf_realloc(p, 10000);
    CHECK(p && p[99] == 7 && pcdf_alloc_now() >= before + 10100, "%" PRId64, pcdf_alloc_now() - before);
    CHECK(!pcdf_malloc(SIZE_MAX) && !pcdf_calloc(SIZE_MAX / 2, 3), "too large");
    CHECK(!pcdf_realloc(p, SIZE_MAX - 3) && p[99] == 7, "a failed realloc keeps the block");
    char *s = pcdf_strndup("abcdef", 3);
    CHECK(s && strcmp(s, "abc") == 0, "%s", s);

    pcdf_alloc_fail_at(2, 0);
    pcdf_fail_clear();
    void *first = pcdf_malloc(1), *second = pcdf_malloc(77), *third = pcdf_malloc(1);
    CHECK(first && !second && third, "the second fails alone");
    CHECK(strstr(pcdf_fail_text(), "77"), "\"%s\"", pcdf_fail_text());
    CHECK_INT(pcdf_alloc_asked(), 3);
    pcdf_alloc_fail_at(1, 1);
    CHECK(!pcdf_malloc(1) && !pcdf_calloc(1, 1) && !pcdf_realloc(first, 2), "all fail");
    pcdf_alloc_fail_at(0, 0);
    pcdf_free(first);
    pcdf_free(third);
    pcdf_free(p);
    pcdf_free(q);
    pcdf_free(none);
    pcdf_free(s);
    pcdf_free(NULL);
    CHECK_INT(pcdf_alloc_now(), before);
    CHECK(pcdf_alloc_peak() >= before + 10100, "%" PRId64, pcdf_alloc_peak());
}

/* Pieces of all sizes keep what is written to them, are aligned, and cost few blocks. */
static void arena(void)
{
    enum { PIECES = 3000 };
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    struct pcdf_arena a = { 0 };
    int64_t before = pcdf_alloc_now();
    size_t all = 0;
    int wrong = 0;
    pcdf_alloc_fail_at(0, 0);
    for (int i = 0; i < PIECES; i++) {
        size[i] = (size_t)(i * 7 % 97 + 1 + (i % 1000 == 500) * 50000);
        piece[i] = i % 3 == 0   ? pcdf_arena_take(&a, size[i])
                   : i % 3 == 1 ? pcdf_arena_bytes(&a, size[i])
                                : pcdf_arena_lengthen(&a, NULL, 0, size[i]);
        wrong += i % 3 != 1 && (uintptr_t)piece[i] % 8 != 0;
        memset(piece[i], i, size[i]);
        all += size[i];
    }
    CHECK(pcdf_alloc_asked() < 60, "%" PRId64 " blocks", pcdf_alloc_asked());
    CHECK(a.held < 2 * all, "%zu bytes for %zu", a.held, all);
    for (int i = 2; i < PIECES; i += 3) { /* no other piece may notice */
        piece[i] = pcdf_arena_lengthen(&a, piece[i], size[i], size[i] + 64);
        memset(piece[i] + size[i], i, 64);
        size[i] += 64;
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t k = 0; k < size[i]; k++)
            wrong += piece[i][k] != (unsigned char)i;
    CHECK_INT(wrong, 0);
    CHECK(a.lost > 0 && a.lost < all, "%zu bytes are lost", a.lost);
    char *text = pcdf_arena_text(&a, "abcdef", 3);
    CHECK(text && strcmp(text, "abc") == 0, "%s", text);
    void *last = pcdf_arena_take(&a, 16);
    CHECK(pcdf_arena_lengthen(&a, last, 16, 48) == last, "the last piece grows where it is");
    pcdf_alloc_fail_at(1, 1);
    CHECK(!pcdf_arena_take(&a, 1 << 22) && !pcdf_arena_bytes(&a, 1 << 22), "no memory");
    CHECK(!pcdf_arena_lengthen(&a, text, 4, 1 << 22) && strcmp(text, "abc") == 0, "no memory");
    pcdf_alloc_fail_at(0, 0);
    CHECK(!pcdf_arena_take(&a, SIZE_MAX) && !pcdf_arena_bytes(&a, SIZE_MAX), "too large");
    pcdf_arena_free(&a);
    CHECK_INT(pcdf_alloc_now(), before);
}

static void name_rules(void)
{
    static char long_256[257], long_257[258], grows[300];
    memset(long_256, 'a', 256);
    memset(long_257, 'a', 257);
    for (int i = 0; i < 255; i += 3)
        memcpy(grows + i, "\xE0\xA5\x98", 3); /* U+0958 is excluded from composition: six bytes in NFC */
    static const struct {
        const char *name;
        int define, lookup;
        const char *nfc; /* NULL: as given */
    } rows[] = {
        { NULL, NC_EBADNAME, NC_EBADNAME, NULL },
        { "", NC_EBADNAME, NC_EBADNAME, NULL },
        { long_256, NC_NOERR, NC_NOERR, NULL },
        { long_257, NC_EMAXNAME, NC_EMAXNAME, NULL },
        { "a", NC_NOERR, NC_NOERR, NULL },
        { "_x", NC_NOERR, NC_NOERR, NULL },
        { "9lives", NC_NOERR, NC_NOERR, NULL },
        { "a b", NC_NOERR, NC_NOERR, NULL },
        { "a!\"#$%&'()*,:;<=>?[\\]^`{|}~.@+-", NC_NOERR, NC_NOERR, NULL },
        { "a ", NC_EBADNAME, NC_NOERR, NULL },
        { " a", NC_EBADNAME, NC_NOERR, NULL },
        { "-a", NC_EBADNAME, NC_NOERR, NULL },
        { "+a", NC_EBADNAME, NC_NOERR, NULL },
        { ".a", NC_EBADNAME, NC_NOERR, NULL },
        { "a/b", NC_EBADNAME, NC_NOERR, NULL },
        { "/", NC_EBADNAME, NC_NOERR, NULL },
        { "a\tb", NC_EBADNAME, NC_NOERR, NULL },
        { "a\x7F", NC_EBADNAME, NC_NOERR, NULL },
        { "\xC3\xA9", NC_NOERR, NC_NOERR, NULL },
        { "e\xCC\x81", NC_NOERR, NC_NOERR, "\xC3\xA9" },
        { "a\xFF", NC_EBADNAME, NC_NOERR, NULL },            /* not UTF-8 */
        { "a\xC3", NC_EBADNAME, NC_NOERR, NULL },            /* cut */
        { "\xC0\xAF", NC_EBADNAME, NC_NOERR, NULL },         /* '/' written too long */
        { "\xED\xA0\x80", NC_EBADNAME, NC_NOERR, NULL },     /* a surrogate */
        { "\xF4\x90\x80\x80", NC_EBADNAME, NC_NOERR, NULL }, /* above U+10FFFF */
        { "\xCD\xBE", NC_EBADNAME, NC_NOERR, ";" },          /* its NFC form is ';', no first character */
        { "a\xCD\xBE", NC_NOERR, NC_NOERR, "a;" },
        { "\xE2\x84\xAA", NC_NOERR, NC_NOERR, "K" },
        { grows, NC_EMAXNAME, NC_NOERR, "\xE0\xA4\x95\xE0\xA4\xBC" }, /* the first of many */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pcdf_name nfc;
        const char *want = rows[i].nfc ? rows[i].nfc : rows[i].name;
        int err = pcdf_name_define(rows[i].name, &nfc);
        CHECK(err == rows[i].define, "row %zu: define gives %d, not %d", i, err, rows[i].define);
        CHECK(err || strcmp(nfc.text, want) == 0, "row %zu: \"%s\"", i, nfc.text);
        CHECK(err || nfc.length == strlen(want), "row %zu: %zu bytes", i, nfc.length);
        bool is_long = rows[i].define == NC_EMAXNAME && rows[i].nfc; /* in NFC: no file has it */
        err = pcdf_name_lookup(rows[i].name, &nfc);
        CHECK(err == rows[i].lookup, "row %zu: lookup gives %d, not %d", i, err, rows[i].lookup);
        CHECK(err || strcmp(nfc.text, is_long ? rows[i].name : want) == 0, "row %zu: \"%s\"", i, nfc.text);
    }
}

/* Each character at each place of words of each length: what is forbidden is found eight at a time. */
static void every_character(void)
{
    char name[32];
    struct pcdf_name nfc;
    int wrong = 0;
    for (size_t length = 1; length < 20; length++)
        for (size_t at = 0; at < length; at++)
            for (int c = 1; c < 0x80; c++) {
                bool letter =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
                bool legal =
                    c >= ' ' && c != 0x7F && c != '/' && (c != ' ' || at + 1 < length) && (letter || at > 0);
                memset(name, 'x', length);
                name[length] = '\0';
                name[at] = (char)c;
                wrong += (pcdf_name_define(name, &nfc) == NC_NOERR) != legal;
            }
    CHECK_INT(wrong, 0);
}

enum { MOST = 3000 };
struct named {
    char *name;
    int payload;
};

/* The table against a plain list, through random additions, renames and deletions. */
static void table_model(void)
{
    static struct named list[MOST];
    struct pcdf_names *names;
    int n = 0, serial = 0, there;
    uint64_t state = 42;
    char text[32];

    CHECK_INT(pcdf_names_new(&names, 0), NC_NOERR);
    for (int step = 0; step < 20000; step++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned draw = (unsigned)(state >> 40);
        bool deleted = false;
        snprintf(text, sizeof text, "name_%d", serial++);
        if (n < MOST && (draw % 10 < 5 || n == 0)) {
            list[n].name = strdup(text);
            CHECK_INT(pcdf_names_enter(names, text, strlen(text), n, list, sizeof list[0], &there), NC_NOERR);
            n++;
        } else if (draw % 10 < 7) {
            int id = (int)(draw / 10 % (unsigned)n);
            CHECK_INT(pcdf_names_enter(names, text, strlen(text), id, list, sizeof list[0], &there),
                      NC_NOERR);
            pcdf_names_remove(names, list[id].name, id);
            free(list[id].name);
            list[id].name = strdup(text);
        } else {
            int id = (int)(draw / 10 % (unsigned)n);
            pcdf_names_remove(names, list[id].name, id);
            pcdf_names_close_gap(names, id);
            snprintf(text, sizeof text, "%s", list[id].name);
            free(list[id].name);
            memmove(&list[id], &list[id + 1], (size_t)(n - id - 1) * sizeof list[0]);
            n--;
            deleted = true;
        }
        int wrong = 0;
        for (int id = 0; id < n; id += 1 + (step % 1000 ? n / 7 : 0))
            wrong += pcdf_names_find(names, list[id].name, list, sizeof list[0]) != id;
        CHECK(wrong == 0, "step %d: %d of %d names are not found", step, wrong, n);
        if (deleted)
            CHECK_INT(pcdf_names_find(names, text, list, sizeof list[0]), -1);
    }
    struct pcdf_names *copy;
    CHECK_INT(pcdf_names_copy(&copy, names), NC_NOERR);
    for (int id = 0; id < n; id++)
        CHECK_INT(pcdf_names_find(copy, list[id].name, list, sizeof list[0]), id);
    pcdf_names_free(names);
    pcdf_names_free(copy);
    for (int id = 0; id < n; id++)
        free(list[id].name);
}

static void table_memory(void)
{
    struct pcdf_names *names = NULL;
    char text[32];
    int there;
    for (int at = 1; at <= 2; at++) {
        pcdf_alloc_fail_at(at, 0);
        CHECK_INT(pcdf_names_new(&names, 5), NC_ENOMEM);
    }
    pcdf_alloc_fail_at(0, 0);
    CHECK(names == NULL, "untouched");
    CHECK_INT(pcdf_names_new(&names, 12), NC_NOERR);
    pcdf_alloc_fail_at(1, 1);
    struct named list[13];
    for (int i = 0; i < 13; i++) {
        snprintf(text, sizeof text, "n%d", i);
        list[i].name = strdup(text);
        CHECK_INT(pcdf_names_enter(names, text, strlen(text), i, list, sizeof list[0], &there),
                  i < 12 ? NC_NOERR : NC_ENOMEM); /* the promised room, no more */
    }
    pcdf_alloc_fail_at(0, 0);
    CHECK_INT(pcdf_names_find(names, "n11", list, sizeof list[0]), 11);
    CHECK_INT(pcdf_names_find(names, "n12", list, sizeof list[0]), -1);
    for (int i = 0; i < 13; i++)
        free(list[i].name);
    pcdf_names_free(names);
}

int main(void)
{
    sentences();
    who_counts_how();
    allocation();
    arena();
    name_rules();
    every_character();
    table_model();
    table_memory();
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("base_names");
}
