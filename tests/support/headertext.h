#ifndef HEADERTEXT_H
#define HEADERTEXT_H
/* Header bytes from a line of words, so that a table row shows a whole header:
 *   M<v>  magic, and the version the widths below follow     c<x>  a NON_NEG           w<x>  a 4-byte word
 *   o<x>  an OFFSET            s<text>  a name, padded       L<n>  a name of n times 'x', padded
 *   z     an absent list       b<hex>   bytes as they are    p<n>  n zero bytes
 *   @     the offset that the row expects                    f<x>  the size of the file (else: as many as
 * there are) */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADERTEXT_ROOM = 4096 };

struct headertext {
    unsigned char bytes[HEADERTEXT_ROOM];
    size_t n;
    int64_t mark, file_size;
    int version;
};

static inline void headertext_int(struct headertext *h, uint64_t x, int width)
{
    for (int i = width - 1; i >= 0; i--)
        h->bytes[h->n++] = (unsigned char)(x >> 8 * i);
}

static inline void headertext_name(struct headertext *h, size_t length, const char *text)
{
    headertext_int(h, length, h->version == 5 ? 8 : 4);
    for (size_t i = 0; i < (length + 3) / 4 * 4; i++)
        h->bytes[h->n++] = i >= length ? 0 : text ? (unsigned char)text[i] : 'x';
}

static inline void headertext_hex(struct headertext *h, const char *hex, size_t length)
{
    for (size_t i = 0; i + 1 < length; i += 2) {
        char two[3] = { hex[i], hex[i + 1], '\0' };
        h->bytes[h->n++] = (unsigned char)strtoul(two, NULL, 16);
    }
}

static inline void headertext_word(struct headertext *h, const char *word, size_t length)
{
    int wide = h->version == 5 ? 8 : 4;
    uint64_t x = strtoull(word + 1, NULL, 0);

    switch (word[0]) {
    case 'M':
        h->version = (int)x;
        memcpy(h->bytes + h->n, "CDF", 3);
        h->bytes[h->n + 3] = (unsigned char)x;
        h->n += 4;
        break;
    case 'c':
        headertext_int(h, x, wide);
        break;
    case 'w':
        headertext_int(h, x, 4);
        break;
    case 'o':
        headertext_int(h, x, h->version == 1 ? 4 : 8);
        break;
    case 's':
        headertext_name(h, length - 1, word + 1);
        break;
    case 'L':
        headertext_name(h, x, NULL);
        break;
    case 'z':
        headertext_int(h, 0, 4);
        headertext_int(h, 0, wide);
        break;
    case 'b':
        headertext_hex(h, word + 1, length - 1);
        break;
    case 'p':
        memset(h->bytes + h->n, 0, x);
        h->n += x;
        break;
    case '@':
        h->mark = (int64_t)h->n;
        break;
    case 'f':
        h->file_size = (int64_t)x;
        break;
    }
}

static inline void headertext_make(struct headertext *h, const char *line)
{
    memset(h, 0, sizeof *h);
    h->version = 1;
    h->file_size = -1;
    while (*line) {
        size_t length = strcspn(line, " ");
        headertext_word(h, line, length);
        line += length + strspn(line + length, " ");
    }
    if (h->file_size < 0)
        h->file_size = (int64_t)h->n;
}
#endif
