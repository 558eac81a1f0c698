/* See setnames.h. */
#include "setnames.h"
#include <inttypes.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "hash.h"
#include "posixio.h"
#include "sidename.h"
#include "status.h"

static const char *const ends[PCDF_SET_OTHER] = { ".parcdf-set", ".parcdf-removed", ".parcdf-restored",
                                                  ".parcdf-parts", ".parcdf-newset" };
enum { MOST_DIGITS = 18 };

static bool is_of(const char *text, size_t n, const char *others)
{
    for (size_t i = 0; i < n; i++)
        if (!(text[i] >= '0' && text[i] <= '9') && !(text[i] >= 'a' && text[i] <= 'z') &&
            !(text[i] >= 'A' && text[i] <= 'Z') && (!text[i] || !strchr(others, text[i])))
            return false;
    return n > 0;
}

bool pcdf_setname_is_good(const char *name)
{
    size_t n = strlen(name);
    return n <= PCDF_SET_NAME && name[0] != '.' && is_of(name, n, "-_+@=.");
}

bool pcdf_setname_ends(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* The digits as they are written by numbered(): at least six, no more zeros than that. */
static int64_t number_of(const char *text, size_t n)
{
    int64_t number = 0;
    if (n < 6 || n > MOST_DIGITS || (n > 6 && text[0] == '0'))
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

void pcdf_setname_parse(const char *entry, struct pcdf_setentry *e)
{
    size_t length = strlen(entry), end = 0;
    int kind = 0;
    *e = (struct pcdf_setentry){ .kind = PCDF_SET_OTHER };
    while (kind < PCDF_SET_OTHER) {
        end = strlen(ends[kind]);
        if (length > end && strcmp(entry + length - end, ends[kind]) == 0)
            break;
        kind++;
    }
    bool is_hidden = kind != PCDF_SET_MANIFEST;
    if (kind == PCDF_SET_OTHER || (is_hidden && entry[0] != '.'))
        return;
    const char *from = entry + is_hidden, *to = entry + length - end, *dot = to;
    while (dot > from && dot[-1] != '.')
        dot--;
    if (dot - from < 2 || dot - 1 - from > PCDF_SET_NAME || to - dot >= PCDF_SET_KEY)
        return;
    memcpy(e->name, from, (size_t)(dot - 1 - from));
    if (kind == PCDF_SET_MANIFEST || kind == PCDF_SET_REMOVED || kind == PCDF_SET_RESTORED)
        e->number = number_of(dot, (size_t)(to - dot));
    else if (is_of(dot, (size_t)(to - dot), "-"))
        memcpy(e->key, dot, (size_t)(to - dot));
    if ((e->number > 0 || e->key[0]) && pcdf_setname_is_good(e->name))
        e->kind = (enum pcdf_setname)kind;
}

static char *made(const char *a, const char *b, const char *c, const char *d, const char *e)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + strlen(d) + strlen(e) + 1;
    char *text = pcdf_malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s%s%s", a, b, c, d, e);
    return text;
}

char *pcdf_setname_numbered(const char *dir, const char *name, enum pcdf_setname kind, int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, ".%06" PRId64, number);
    return made(dir, kind == PCDF_SET_MANIFEST ? "/" : "/.", name, digits, ends[kind]);
}

char *pcdf_setname_keyed(const char *dir, const char *name, enum pcdf_setname kind, const char *key)
{
    char middle[PCDF_SET_KEY + 1];
    snprintf(middle, sizeof middle, ".%s", key);
    return made(dir, "/.", name, middle, ends[kind]);
}

char *pcdf_setname_in(const char *folder, const char *name)
{
    return made(folder, "/", name, "", "");
}

char *pcdf_setname_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return pcdf_strndup(path, slash && slash > path ? (size_t)(slash - path) : 1);
}

static char *beside(const char *file, const char *key, const char *suffix)
{
    char middle[PCDF_SET_KEY + 32];
    snprintf(middle, sizeof middle, ".%s%s", key, suffix);
    return pcdf_sidename_beside(file, middle);
}

char *pcdf_setname_member(const char *file, const char *key)
{
    return beside(file, key, PCDF_MEMBER_SUFFIX);
}

char *pcdf_setname_link(const char *file, const char *key)
{
    return beside(file, key, ".parcdf-link");
}

char *pcdf_setname_note(const char *parts, const char *file, const char *kind)
{
    char name[64];
    snprintf(name, sizeof name, "/%016" PRIx64 ".%s", pcdf_hash_text(file), kind);
    return made(parts, name, "", "", "");
}

int pcdf_setname_real(const char *path, char **real)
{
    path = pcdf_path_posix(path);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *found = realpath(path, NULL), *made = NULL; /* of libc's memory */
    int err = NC_NOERR;
    if (found) {
        made = pcdf_strndup(found, strlen(found));
    } else {
        char *folder = slash ? pcdf_setname_folder(path) : pcdf_strndup(".", 1);
        found = folder ? realpath(folder, NULL) : NULL;
        if (folder && !found)
            err = pcdf_posix_error(errno, NC_EFILE, "looking for", folder);
        made = found ? pcdf_setname_in(strcmp(found, "/") == 0 ? "" : found, name) : NULL;
        pcdf_free(folder);
    }
    free(found);
    if (!err && !made)
        err = PCDF_FAIL(NC_ENOMEM, "no memory for the name %s", path);
    *real = made;
    return err;
}
