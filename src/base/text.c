/* The rules for names. Normalisation is utf8proc's, in a buffer of ours: it allocates nothing. */
#include "text.h"
#include "alloc.h"
#include "status.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

/* A code point of at least one byte decomposes into at most four (Unicode's bound for NFC and NFD is three
 * times the code points, four leaves room), and utf8proc wants one more for the end. */
enum { MOST_POINTS = 4 * NC_MAX_NAME + 1 };

static int check_length(const char *name, size_t *length)
{
    if (!name || name[0] == '\0')
        return PCDF_FAIL(NC_EBADNAME, name ? "a name is empty" : "a name is NULL");
    *length = strlen(name);
    if (*length > NC_MAX_NAME)
        return PCDF_FAIL(NC_EMAXNAME, "a name has %zu bytes, more than NC_MAX_NAME (%d)", *length,
                         NC_MAX_NAME);
    return NC_NOERR;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static bool may_be_first(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c >= 0x80;
}

/* SPEC: name. Bytes of multi-byte characters are all >= 0x80, so no decoding is needed here. */
static int check_characters(const char *name)
{
    const unsigned char *c = (const unsigned char *)name;
    if (!may_be_first(c[0]))
        return PCDF_FAIL(NC_EBADNAME, "the first character of a name, 0x%02X, is no letter, digit or '_'",
                         c[0]);
    size_t i = 0;
    for (; c[i]; i++)
        if (c[i] < 0x20 || c[i] == 0x7F || c[i] == '/')
            return PCDF_FAIL(NC_EBADNAME, "character %zu of a name, 0x%02X, is not allowed", i, c[i]);
    if (c[i - 1] == ' ')
        return PCDF_FAIL(NC_EBADNAME, "the name \"%s\" ends with a space", name);
    return NC_NOERR;
}

/* NFC of `name` into the buffer, as text; false when it is not UTF-8. */
static bool normalise(const char *name, size_t length, utf8proc_int32_t points[MOST_POINTS])
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    utf8proc_ssize_t n = utf8proc_decompose((const utf8proc_uint8_t *)name, (utf8proc_ssize_t)length, points,
                                            MOST_POINTS - 1, options);
    if (n < 0 || n > MOST_POINTS - 1)
        return false;
    return utf8proc_reencode(points, n, options) >= 0;
}

static int give(const char *text, char **nfc)
{
    char *copy = pcdf_strndup(text, strlen(text));
    if (!copy)
        return NC_ENOMEM;
    *nfc = copy;
    return NC_NOERR;
}

int pcdf_name_define(const char *name, char **nfc)
{
    utf8proc_int32_t points[MOST_POINTS];
    const char *stored = name;
    size_t length;

    PCDF_TRY(check_length(name, &length));
    if (!is_ascii(name)) {
        if (!normalise(name, length, points))
            return PCDF_FAIL(NC_EBADNAME, "a name of %zu bytes is not UTF-8", length);
        stored = (const char *)points;
    }
    PCDF_TRY(check_characters(name));
    if (stored != name) {
        /* Composition can make an ASCII character (U+037E is ';') or more bytes: the file holds this form. */
        PCDF_TRY(check_characters(stored));
        PCDF_TRY(check_length(stored, &length));
    }
    return give(stored, nfc);
}

int pcdf_name_lookup(const char *name, char **nfc)
{
    utf8proc_int32_t points[MOST_POINTS];
    size_t length;

    PCDF_TRY(check_length(name, &length));
    if (is_ascii(name) || !normalise(name, length, points))
        return give(name, nfc);
    return give((const char *)points, nfc);
}
