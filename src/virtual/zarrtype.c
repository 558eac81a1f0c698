/* See zarrtype.h. */

#include "zarrtype.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base64.h"

enum { MOST_TEXT = 1 << 20 };

/* ---- types */

static bool is_power(int size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool is_sound(const struct pcdf_zarr_type *t)
{
    switch (t->stored) {
    case PCDF_STORED_INT:
    case PCDF_STORED_UINT:
        return is_power(t->size);
    case PCDF_STORED_REAL:
        return is_power(t->size) && t->size > 1;
    case PCDF_STORED_BOOL:
        return t->size == 1;
    case PCDF_STORED_TEXT:
    case PCDF_STORED_UCS4:
        return t->size > 0 && t->size <= MOST_TEXT;
    }
    return false;
}

bool pcdf_zarr_type2(const char *dtype, bool is_nczarr, struct pcdf_zarr_type *type)
{
    static const char letters[] = "iufbSU";
    static const enum pcdf_stored kinds[] = { PCDF_STORED_INT,  PCDF_STORED_UINT, PCDF_STORED_REAL,
                                              PCDF_STORED_BOOL, PCDF_STORED_TEXT, PCDF_STORED_UCS4 };
    char *end;
    if (!dtype[0] || !strchr("<>|", dtype[0]) || !dtype[1])
        return false;
    const char *letter = strchr(letters, dtype[1]);
    long size = dtype[2] >= '0' && dtype[2] <= '9' ? strtol(dtype + 2, &end, 10) : -1;
    if (!letter || size < 0 || size > MOST_TEXT / 4 || *end)
        return false;
    *type = (struct pcdf_zarr_type){ kinds[letter - letters], (int)size, dtype[0] == '>' };
    if (type->stored == PCDF_STORED_UCS4 && is_nczarr && size == 1)
        type->stored = PCDF_STORED_TEXT;
    else if (type->stored == PCDF_STORED_UCS4)
        type->size *= 4;
    return is_sound(type);
}

bool pcdf_zarr_type3(const struct pcdf_json_value *data_type, struct pcdf_zarr_type *type)
{
    static const struct {
        const char *name;
        enum pcdf_stored stored;
        int size; /* 0: the configuration says it */
    } names[] = { { "bool", PCDF_STORED_BOOL, 1 },
                  { "int8", PCDF_STORED_INT, 1 },
                  { "int16", PCDF_STORED_INT, 2 },
                  { "int32", PCDF_STORED_INT, 4 },
                  { "int64", PCDF_STORED_INT, 8 },
                  { "uint8", PCDF_STORED_UINT, 1 },
                  { "uint16", PCDF_STORED_UINT, 2 },
                  { "uint32", PCDF_STORED_UINT, 4 },
                  { "uint64", PCDF_STORED_UINT, 8 },
                  { "float16", PCDF_STORED_REAL, 2 },
                  { "float32", PCDF_STORED_REAL, 4 },
                  { "float64", PCDF_STORED_REAL, 8 },
                  { "null_terminated_bytes", PCDF_STORED_TEXT, 0 },
                  { "fixed_length_utf32", PCDF_STORED_UCS4, 0 } };
    const char *name = data_type && data_type->kind == PCDF_JSON_TEXT
                           ? data_type->text
                           : pcdf_json_string(data_type, "name", "");
    double length = pcdf_json_number(pcdf_json_member(data_type, "configuration"), "length_bytes", 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name)) {
            int size = names[i].size ? names[i].size : length >= 1 && length <= MOST_TEXT ? (int)length : 0;
            *type = (struct pcdf_zarr_type){ names[i].stored, size, false };
            return is_sound(type) && (type->stored != PCDF_STORED_UCS4 || size % 4 == 0);
        }
    return false;
}

/* ---- values */

static void put_bits(uint64_t bits, int size, unsigned char *to)
{
    uint8_t one = (uint8_t)bits;
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    memcpy(to,
           size == 1   ? (void *)&one
           : size == 2 ? (void *)&two
           : size == 4 ? (void *)&four
                       : (void *)&bits,
           (size_t)size);
}

/* With all of its 64 bits. */
static bool put_whole(const struct pcdf_json_value *v, bool is_unsigned, int size, unsigned char *to)
{
    int unused = 64 - 8 * size;
    uint64_t bits;
    if (strpbrk(v->text, ".eENI")) { /* 5.0 is whole, too */
        if (!(fabs(v->number) <= 0x1p53) || v->number != (double)(int64_t)v->number ||
            (is_unsigned && v->number < 0))
            return false;
        bits = (uint64_t)(int64_t)v->number;
    } else {
        errno = 0;
        bits = is_unsigned ? strtoull(v->text, NULL, 10) : (uint64_t)strtoll(v->text, NULL, 10);
        if (errno == ERANGE || (is_unsigned && v->text[0] == '-' && bits))
            return false;
    }
    uint64_t cut = bits << unused, back = is_unsigned ? cut >> unused : (uint64_t)((int64_t)cut >> unused);
    if (back != bits)
        return false;
    put_bits(bits, size, to);
    return true;
}

/* The nearest whole number of one that is less than 65536, ties to even (without libm). */
static unsigned nearest(double x)
{
    unsigned whole = (unsigned)x;
    double rest = x - whole;
    return whole + (rest > 0.5 || (rest == 0.5 && whole % 2 == 1));
}

/* The nearest binary16. */
static uint16_t half_of(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double size = fabs(x);
    int exponent;
    if (isnan(x))
        return sign | 0x7e00;
    if (size >= 65520.0)
        return sign | 0x7c00;
    if (size < 0x1p-14)
        return sign | (uint16_t)nearest(size * 0x1p24);
    double fraction = frexp(size, &exponent); /* 0.5 up to 1 */
    return sign | (uint16_t)(((exponent + 13) << 10) + (int)nearest(fraction * 2048));
}

static void put_real(double real, int size, unsigned char *to)
{
    uint16_t half = half_of(real);
    float single = (float)real;
    memcpy(to, size == 2 ? (void *)&half : size == 4 ? (void *)&single : (void *)&real, (size_t)size);
}

bool pcdf_zarr_number(const struct pcdf_json_value *v, enum pcdf_stored stored, int size, unsigned char *to)
{
    if (v->kind == PCDF_JSON_BOOL && stored == PCDF_STORED_BOOL) {
        to[0] = v->number != 0;
        return true;
    }
    if (v->kind != PCDF_JSON_NUMBER)
        return false;
    if (stored == PCDF_STORED_REAL) {
        put_real(v->number, size, to);
        return size != 4 || isinf(v->number) ||
               !(fabs(v->number) >= 0x1.ffffffp127); /* the nearest float is finite */
    }
    return stored != PCDF_STORED_TEXT && stored != PCDF_STORED_UCS4 &&
           put_whole(v, stored == PCDF_STORED_UINT, size, to);
}

bool pcdf_zarr_word(const char *text, int size, unsigned char *to)
{
    static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
    static const double values[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (int i = 0; i < 3; i++)
        if (!strcmp(text, words[i])) {
            put_real(values[i], size, to);
            return true;
        }
    char *end;
    errno = 0;
    unsigned long long bits = strncmp(text, "0x", 2) == 0 ? strtoull(text + 2, &end, 16) : 0;
    if (strncmp(text, "0x", 2) != 0 || *end || errno || strlen(text) != 2 + 2 * (size_t)size)
        return false;
    put_bits(bits, size, to);
    return true;
}

/* Of a text, only what has no character is a fill value here. One byte is as it is. */
static bool text_fill(const struct pcdf_json_value *v, const struct pcdf_zarr_type *type, unsigned char *to)
{
    unsigned char room[400] = { 0 };
    memset(to, 0, 8);
    bool is_plain = true; /* as it is, not base64 */
    for (size_t i = 0; i < v->length; i++)
        is_plain = is_plain && v->text[i] == '\0';
    if (is_plain || type->stored == PCDF_STORED_UCS4)
        return is_plain;
    if (type->size == 1 && v->length == 1) {
        to[0] = (unsigned char)v->text[0];
        return true;
    }
    long n = v->length <= 500 ? pcdf_base64_decode(v->text, v->length, room) : -1;
    if (n == 1 && type->size == 1)
        to[0] = room[0];
    for (long i = type->size == 1 ? 1 : 0; i < n; i++)
        if (room[i])
            return false;
    return n >= 0;
}

bool pcdf_zarr_fill(const struct pcdf_json_value *v, const struct pcdf_zarr_type *type, unsigned char *to,
                    bool *has)
{
    bool is_text = type->stored == PCDF_STORED_TEXT || type->stored == PCDF_STORED_UCS4;
    *has = v && v->kind != PCDF_JSON_NULL;
    if (!*has)
        return true;
    if (v->kind == PCDF_JSON_TEXT && is_text)
        return text_fill(v, type, to);
    if (v->kind == PCDF_JSON_TEXT && type->stored == PCDF_STORED_REAL)
        return pcdf_zarr_word(v->text, type->size, to);
    if (is_text) {
        memset(to, 0, 8);
        return v->kind == PCDF_JSON_NUMBER && v->number == 0;
    }
    return pcdf_zarr_number(v, type->stored, type->size, to);
}

/* ---- codecs */

static const struct pcdf_json_value no_configuration = { .kind = PCDF_JSON_OBJECT };

bool pcdf_zarr_unknown_codec(const char *name, struct pcdf_chain *chain)
{
    if (chain->n == PCDF_CHAIN_MOST)
        return false;
    struct pcdf_codec *c = &chain->x[chain->n++];
    *c = (struct pcdf_codec){ .id = PCDF_CODEC_UNKNOWN };
    strncpy(c->name, name, sizeof c->name - 1);
    return true;
}

/* Quantize changes values when they are written; reading does nothing, unless the type was another one. */
static bool is_nothing(const char *name, const struct pcdf_json_value *configuration)
{
    const char *to = pcdf_json_string(configuration, "astype", ""),
               *from = pcdf_json_string(configuration, "dtype", "");
    return !strcmp(name, "quantize") && (!*to || !strcmp(from, to));
}

bool pcdf_zarr_codec(const char *name, const struct pcdf_json_value *configuration, struct pcdf_chain *chain)
{
    static const struct {
        const char *name;
        enum pcdf_codec_id id;
        const char *param, *sum_at; /* NULL: none; where numcodecs has the sum by itself */
    } rows[] = { { "zlib", PCDF_CODEC_ZLIB, "level", NULL },
                 { "gzip", PCDF_CODEC_GZIP, "level", NULL },
                 { "zstd", PCDF_CODEC_ZSTD, "level", NULL },
                 { "blosc", PCDF_CODEC_BLOSC, NULL, NULL },
                 { "lz4", PCDF_CODEC_LZ4, "acceleration", NULL },
                 { "bz2", PCDF_CODEC_BZIP2, "level", NULL },
                 { "shuffle", PCDF_CODEC_SHUFFLE, "elementsize", NULL },
                 { "fletcher32", PCDF_CODEC_FLETCHER32, NULL, NULL },
                 { "crc32c", PCDF_CODEC_CRC32C, NULL, "end" },
                 { "crc32", PCDF_CODEC_CRC32, NULL, "start" },
                 { "adler32", PCDF_CODEC_ADLER32, NULL, "start" } };
    const char *plain = strncmp(name, "numcodecs.", 10) == 0 ? name + 10 : name;
    configuration = configuration ? configuration : &no_configuration;
    if (is_nothing(plain, configuration))
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, plain) != 0)
            continue;
        const char *sum_at = rows[i].sum_at ? rows[i].sum_at : "";
        double param = rows[i].param ? pcdf_json_number(configuration, rows[i].param, -1) : 0;
        bool is_size = rows[i].id == PCDF_CODEC_SHUFFLE;
        param =
            is_size && !pcdf_json_member(configuration, "elementsize") ? 4 : param; /* numcodecs' default */
        if (strcmp(pcdf_json_string(configuration, "location", sum_at), sum_at) != 0 ||
            (is_size && !(param >= 1 && param <= 65536)))
            break;
        if (!pcdf_zarr_unknown_codec(plain, chain))
            return false;
        struct pcdf_codec *c = &chain->x[chain->n - 1];
        c->id = rows[i].id;
        c->nparams = rows[i].param && param >= 0 && param <= 65536;
        c->params[0] = c->nparams ? (uint32_t)param : 0;
        return true;
    }
    return pcdf_zarr_unknown_codec(*plain ? plain : "?", chain);
}
