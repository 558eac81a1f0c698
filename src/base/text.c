/* The rules for names. Normalisation is utf8proc's, in a buffer of ours: it allocates nothing. */
#include "text.h"
#include "status.h"

#include <stdbool.h>
#include <stdint.h>
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

/* ---- eight characters at a time: the top bit of each byte of a word answers for it */

#define EACH(byte) (0x0101010101010101u * (uint64_t)(byte))
#define TOP        EACH(0x80)

/* Eight of the bytes from i on; the last word of a text has some of the one before, too. Of fewer than eight
 * bytes all, some twice, and letters that harm nothing. */
static inline uint64_t word_at(const char *text, size_t i, size_t length)
{
    const unsigned char *t = (const unsigned char *)text;
    uint64_t word;
    uint32_t first, last;
    if (length >= sizeof word) {
        memcpy(&word, text + (i + sizeof word <= length ? i : length - sizeof word), sizeof word);
        return word;
    }
    if (length < 4)
        return EACH('a') << 24 | (uint64_t)t[0] << 16 | (uint64_t)t[length / 2] << 8 | t[length - 1];
    memcpy(&first, t, sizeof first);
    memcpy(&last, t + length - sizeof last, sizeof last);
    return (uint64_t)last << 32 | first;
}

/* The top bit of each byte of x that has the value `byte`. x has no top bits: a difference below 0x80 leaves
 * the top bit only where it is 0. */
#define EQUAL(x, byte) (TOP - ((x) ^ EACH(byte)))

/* Is it ASCII? *forbidden: has it a character that no name may have, a control character, DEL or '/'? */
static inline bool is_ascii(const char *text, size_t length, bool *forbidden)
{
    uint64_t any = 0, all = 0;
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = word_at(text, i, length), low = word & ~TOP;
        uint64_t control = TOP - low + EACH(0x1F); /* has the top bit where low is below 0x20 */
        any |= (control | EQUAL(low, 0x7F) | EQUAL(low, '/')) & ~word;
        all |= word;
    }
    *forbidden = any & TOP;
    return !(all & TOP);
}

/* SPEC: name. Bytes of multi-byte characters are all >= 0x80, so no decoding is needed here. */
static int check_characters(const char *name, size_t length, bool forbidden)
{
    const unsigned char *c = (const unsigned char *)name;
    size_t i = 0;
    if (!(c[0] >= 'a' && c[0] <= 'z') && !(c[0] >= 'A' && c[0] <= 'Z') && !(c[0] >= '0' && c[0] <= '9') &&
        c[0] != '_' && c[0] < 0x80)
        return PCDF_FAIL(NC_EBADNAME, "the first character of a name, 0x%02X, is no letter, digit or '_'",
                         c[0]);
    if (forbidden) {
        while (c[i] && c[i] >= 0x20 && c[i] != 0x7F && c[i] != '/')
            i++;
        return PCDF_FAIL(NC_EBADNAME, "character %zu of a name, 0x%02X, is not allowed", i, c[i]);
    }
    if (name[length - 1] == ' ')
        return PCDF_FAIL(NC_EBADNAME, "the name \"%s\" ends with a space", name);
    return NC_NOERR;
}

/* The NFC form of a name that is not ASCII. NC_EMAXNAME: it is too long for a name. */
__attribute__((noinline)) static int compose(struct pcdf_name *nfc, const char *name)
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    utf8proc_int32_t points[MOST_POINTS]; /* code points, then the text made of them */
    utf8proc_ssize_t n = utf8proc_decompose((const utf8proc_uint8_t *)name, (utf8proc_ssize_t)nfc->length,
                                            points, MOST_POINTS - 1, options);
    if (n < 0 || n > MOST_POINTS - 1 || utf8proc_reencode(points, n, options) < 0)
        return PCDF_FAIL(NC_EBADNAME, "a name of %zu bytes is not UTF-8", nfc->length);
    size_t length = strlen((const char *)points);
    if (length > NC_MAX_NAME)
        return PCDF_FAIL(NC_EMAXNAME, "a name has %zu bytes in NFC, more than NC_MAX_NAME (%d)", length,
                         NC_MAX_NAME);
    memcpy(nfc->room, points, length + 1);
    nfc->text = nfc->room;
    nfc->length = length;
    return NC_NOERR;
}

int pcdf_name_define(const char *name, struct pcdf_name *nfc)
{
    bool forbidden;
    PCDF_TRY(check_length(name, &nfc->length));
    nfc->text = name;
    if (is_ascii(name, nfc->length, &forbidden))
        return check_characters(name, nfc->length, forbidden);
    size_t length = nfc->length;
    int err = compose(nfc, name);
    if (err == NC_EBADNAME)
        return err;
    PCDF_TRY(check_characters(name, length, forbidden));
    PCDF_TRY(err);
    /* Composition can make an ASCII character (U+037E is ';'): the file holds this form. */
    (void)is_ascii(nfc->text, nfc->length, &forbidden);
    return check_characters(nfc->text, nfc->length, forbidden);
}

int pcdf_name_lookup(const char *name, struct pcdf_name *nfc)
{
    bool forbidden;
    PCDF_TRY(check_length(name, &nfc->length));
    nfc->text = name;
    if (!is_ascii(name, nfc->length, &forbidden))
        (void)compose(nfc, name); /* else as it is: no file has a name that is too long */
    return NC_NOERR;
}

bool pcdf_text_is_utf8(const char *text)
{
    utf8proc_int32_t point;
    for (utf8proc_ssize_t n; *text; text += n)
        if ((n = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &point)) <= 0)
            return false;
    return true;
}
