/* See codecs.h. */

#include "codecs.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "base64.h"
#include "bytes.h"
#include "codecsums.h"
#include "crc32c.h"
#include "loader.h"
#include "shuffle.h"
#include "status.h"

enum { SUM_BYTES = 4 };

static const struct codec_row {
    const char *name;   /* for sentences */
    bool is_compressor; /* of the plug-in; else it is here */
    size_t more;        /* bytes that it adds, where it is here */
} rows[PCDF_CODECS] = {
    [PCDF_CODEC_UNKNOWN] = { "?", false, 0 },
    [PCDF_CODEC_ZLIB] = { "zlib", true, 0 },
    [PCDF_CODEC_GZIP] = { "gzip", true, 0 },
    [PCDF_CODEC_SHUFFLE] = { "shuffle", false, 0 },
    [PCDF_CODEC_FLETCHER32] = { "fletcher32", false, SUM_BYTES },
    [PCDF_CODEC_CRC32C] = { "crc32c", false, SUM_BYTES },
    [PCDF_CODEC_ADLER32] = { "adler32", false, SUM_BYTES },
    [PCDF_CODEC_CRC32] = { "crc32", false, SUM_BYTES },
    [PCDF_CODEC_ZSTD] = { "zstd", true, 0 },
    [PCDF_CODEC_BLOSC] = { "blosc", true, 0 },
    [PCDF_CODEC_LZ4] = { "lz4", true, 0 },
    [PCDF_CODEC_LZ4_HDF5] = { "lz4", true, 0 },
    [PCDF_CODEC_BZIP2] = { "bzip2", true, 0 },
    [PCDF_CODEC_SZIP] = { "szip", true, 0 },
    [PCDF_CODEC_JSON_TEXT] = { "text of JSON", true, 0 }, /* here, but its size is as little known */
};

static const char *name_of(const struct pcdf_codec *c)
{
    return *c->name ? c->name : rows[c->id].name;
}

/* ---- the plug-in */

static int find_compressor(const struct pcdf_codec *c, const struct pcdf_plugin_codec **found)
{
    static _Atomic(const struct pcdf_plugin *) loaded; /* as the loader has it: once a process */
    const struct pcdf_plugin *plugin = atomic_load_explicit(&loaded, memory_order_acquire);
    if (!plugin) {
        char what[PCDF_CODEC_NAME + 40];
        snprintf(what, sizeof what, "chunks are compressed with %s", name_of(c));
        PCDF_TRY(pcdf_plugin_load("codecs", what, &plugin));
        atomic_store_explicit(&loaded, plugin, memory_order_release);
    }
    const struct pcdf_plugin_codec *x = plugin->codecs;
    while (x && x->id && x->id != (int)c->id)
        x++;
    if (!x || !x->id)
        return PCDF_FAIL(NC_ENOTBUILT, "the plug-in libparcdf-codecs.so was built without %s", name_of(c));
    *found = x;
    return NC_NOERR;
}

static int check_codec(const struct pcdf_codec *c)
{
    const struct pcdf_plugin_codec *x;
    if (c->id <= PCDF_CODEC_UNKNOWN || c->id >= PCDF_CODECS)
        return PCDF_FAIL(NC_ENOTBUILT, "values are stored with the codec %s, which parcdf does not undo",
                         *c->name ? c->name : "?");
    return rows[c->id].is_compressor && c->id != PCDF_CODEC_JSON_TEXT ? find_compressor(c, &x) : NC_NOERR;
}

int pcdf_chain_check(const struct pcdf_chain *chain)
{
    for (int i = 0; i < chain->n; i++)
        PCDF_TRY(check_codec(&chain->x[i]));
    return NC_NOERR;
}

int pcdf_codec_szip(struct pcdf_codec *c, uint32_t options, uint32_t pixels, int size, bool is_big_endian,
                    int ndims, const int64_t *chunk)
{
    enum { ALLOW_K13 = 1, CHIP = 2, LSB = 8, MSB = 16, RAW = 128, BLOCKS_OF_SCANLINE = 128 };
    int64_t n = 1, scanline = ndims > 0 ? chunk[ndims - 1] : 0;
    for (int i = 0; i < ndims && n <= INT64_MAX / chunk[i]; i++)
        n *= chunk[i];
    if (pixels < 2 || pixels > 32 || pixels % 2 || ndims == 0 || n < pixels)
        return PCDF_FAIL(NC_EINVAL, "szip with %u pixels in a block, of chunks of %lld values", pixels,
                         (long long)n);
    const int64_t most = (int64_t)pixels * BLOCKS_OF_SCANLINE;
    if (scanline < pixels) /* then of the whole chunk */
        scanline = n;
    options = (options & ~(uint32_t)(CHIP | LSB | MSB)) | ALLOW_K13 | RAW | (is_big_endian ? MSB : LSB);
    *c = (struct pcdf_codec){ .id = PCDF_CODEC_SZIP,
                              .nparams = 4,
                              .params = { options, pixels, (uint32_t)size * 8,
                                          (uint32_t)(scanline < most ? scanline : most) } };
    return NC_NOERR;
}

bool pcdf_chain_compresses(const struct pcdf_chain *chain)
{
    bool compresses = false;
    for (int i = 0; i < chain->n; i++)
        compresses = compresses || chain->x[i].id == PCDF_CODEC_UNKNOWN ||
                     (chain->x[i].id < PCDF_CODECS && rows[chain->x[i].id].is_compressor);
    return compresses;
}

/* ---- memory */

/* One of the two that does not hold `in`, with room for n bytes. NULL: no memory. */
static unsigned char *take_scratch(struct pcdf_codec_scratch *s, const unsigned char *in, size_t n)
{
    bool in_a = s->a && in >= s->a && in < s->a + s->na;
    unsigned char **held = in_a ? &s->b : &s->a;
    size_t *room = in_a ? &s->nb : &s->na;
    if (*room < n || !*held) {
        pcdf_free(*held);
        *held = pcdf_malloc(n > 0 ? n : 1);
        *room = *held ? n : 0;
    }
    return *held;
}

static int no_memory(size_t n)
{
    return PCDF_FAIL(NC_ENOMEM, "no memory for %zu bytes of a chunk", n);
}

/* ---- decoding */

struct step { /* bytes on their way through a chain */
    const unsigned char *at;
    size_t n;
    uint32_t planes; /* encoding: byte planes by shuffle, or 0 */
};

static int damaged(const struct pcdf_codec *c, const char *how)
{
    return PCDF_FAIL(NC_EREAD, "the chunk is damaged: %s %s", name_of(c), how);
}

static uint32_t sum_of(enum pcdf_codec_id id, const unsigned char *bytes, size_t n)
{
    return id == PCDF_CODEC_FLETCHER32 ? pcdf_fletcher32(bytes, n)
           : id == PCDF_CODEC_CRC32C   ? pcdf_crc32c(0, bytes, n)
           : id == PCDF_CODEC_ADLER32  ? pcdf_adler32(bytes, n)
                                       : pcdf_crc32(0, bytes, n);
}

static bool is_in_front(enum pcdf_codec_id id)
{
    return id == PCDF_CODEC_ADLER32 || id == PCDF_CODEC_CRC32;
}

/* HDF5 1.6.2 wrote the sum with the bytes of each half in the other order, and all later ones accept it. */
static bool is_swapped_sum(uint32_t stored, uint32_t sum)
{
    return stored == ((sum & 0x00ff00ffu) << 8 | (sum >> 8 & 0x00ff00ffu));
}

static int decode_sum(const struct pcdf_codec *c, struct step *s)
{
    if (s->n < SUM_BYTES)
        return damaged(c, "has no room for its checksum");
    size_t n = s->n - SUM_BYTES;
    const unsigned char *values = is_in_front(c->id) ? s->at + SUM_BYTES : s->at,
                        *sum = is_in_front(c->id) ? s->at : s->at + n;
    uint32_t stored = (uint32_t)pcdf_bytes_get_little(sum, SUM_BYTES), counted = sum_of(c->id, values, n);
    if (stored != counted && !(c->id == PCDF_CODEC_FLETCHER32 && is_swapped_sum(stored, counted)))
        return damaged(c, "counts another checksum");
    *s = (struct step){ .at = values, .n = n };
    return NC_NOERR;
}

/* Bytes are characters below 128 here, which may be escaped; others have base64. */
static int decode_text(const struct pcdf_codec *c, struct step *s, unsigned char *out, size_t room)
{
    static const char base64[] = "base64:", letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *at = (const char *)s->at, *end = at + s->n, *found;
    const size_t lead = sizeof base64 - 1;
    size_t n = 0;
    if (s->n >= lead && memcmp(at, base64, lead) == 0) {
        long made = (s->n - lead) / 4 * 3 <= room + 3 ? pcdf_base64_size(at + lead, s->n - lead) : -1;
        if (made < 0 || (size_t)made > room || pcdf_base64_decode(at + lead, s->n - lead, out) != made)
            return damaged(c, "cannot decode it");
        *s = (struct step){ .at = out, .n = (size_t)made };
        return NC_NOERR;
    }
    for (; at < end && n < room; n++) {
        unsigned unit = 0x100;
        if (*at != '\\') {
            unit = (unsigned char)*at++;
        } else if (end - at >= 6 && at[1] == 'u') {
            char digits[5] = { at[2], at[3], at[4], at[5] };
            char *stop;
            unit = (unsigned)strtoul(digits, &stop, 16);
            unit = *stop || digits[0] != '0' || digits[1] != '0' ? 0x100 : unit;
            at += 6;
        } else if (end - at >= 2 && at[1] && (found = strchr(letters, at[1])) != NULL) {
            unit = (unsigned char)means[found - letters];
            at += 2;
        }
        if (unit > 127)
            return damaged(c, "has a character that is no byte");
        out[n] = (unsigned char)unit;
    }
    if (at < end)
        return damaged(c, "has more bytes than the chunk");
    *s = (struct step){ .at = out, .n = n };
    return NC_NOERR;
}

static int decode_compressed(const struct pcdf_codec *c, struct step *s, unsigned char *out, size_t room)
{
    const struct pcdf_plugin_codec *x;
    size_t n = 0;
    if (c->id == PCDF_CODEC_JSON_TEXT)
        return decode_text(c, s, out, room);
    PCDF_TRY(find_compressor(c, &x));
    int verdict = x->decode(c->params, c->nparams, s->at, s->n, out, room, &n);
    if (verdict == 2)
        return PCDF_FAIL(NC_ENOMEM, "%s has no memory to decode a chunk", name_of(c));
    if (verdict != 0 || n > room)
        return damaged(c, "cannot decode it");
    *s = (struct step){ .at = out, .n = n };
    return NC_NOERR;
}

/* What each codec got when the chunk was written: exactly, or at most. Behind a compressor nobody knows how
 * many bytes there were; more than this is not what any of them makes of them. */
static bool sizes_of(const struct pcdf_chain *chain, uint32_t mask, size_t n, size_t *sizes, bool *exact)
{
    bool is_exact = true;
    for (int i = 0; i < chain->n; i++) {
        const struct codec_row *row = &rows[chain->x[i].id];
        size_t more = mask >> i & 1 ? 0 : row->is_compressor ? n / 4 + 65536 : row->more;
        sizes[i] = n;
        exact[i] = is_exact;
        is_exact = is_exact && (mask >> i & 1 || !row->is_compressor);
        if (__builtin_add_overflow(n, more, &n))
            return false;
    }
    return true;
}

static int decode_step(const struct pcdf_codec *c, struct step *s, unsigned char *out, size_t room,
                       struct pcdf_codec_scratch *scratch)
{
    if (rows[c->id].more > 0)
        return decode_sum(c, s);
    if (c->id == PCDF_CODEC_SHUFFLE && (c->nparams < 1 || c->params[0] <= 1))
        return NC_NOERR;
    size_t n = c->id == PCDF_CODEC_SHUFFLE ? s->n : room;
    if (!out || n > room)
        out = take_scratch(scratch, s->at, n);
    if (!out)
        return no_memory(n);
    if (c->id != PCDF_CODEC_SHUFFLE)
        return decode_compressed(c, s, out, room);
    pcdf_unshuffle(c->params[0], s->at, n, out);
    s->at = out;
    return NC_NOERR;
}

/* The last codec that writes bytes of its own can do so to where they are wanted. */
static int last_writer(const struct pcdf_chain *chain, uint32_t mask)
{
    int i = 0;
    while (i < chain->n && (mask >> i & 1 || rows[chain->x[i].id].more > 0 ||
                            (chain->x[i].id == PCDF_CODEC_SHUFFLE && chain->x[i].params[0] <= 1)))
        i++;
    bool in_front = false; /* its bytes begin with a sum: they must move */
    for (int k = 0; k < i; k++)
        in_front = in_front || !(mask >> k & 1);
    return in_front ? -1 : i;
}

int pcdf_chain_decode(const struct pcdf_chain *chain, uint32_t mask, const unsigned char *in, size_t nin,
                      unsigned char *out, size_t nout, struct pcdf_codec_scratch *scratch)
{
    size_t sizes[PCDF_CHAIN_MOST];
    bool exact[PCDF_CHAIN_MOST];
    struct step s = { .at = in, .n = nin };
    for (int i = 0; i < chain->n; i++)
        if (!(mask >> i & 1) || (unsigned)chain->x[i].id >= PCDF_CODECS)
            PCDF_TRY(check_codec(&chain->x[i]));
    if (!sizes_of(chain, mask, nout, sizes, exact))
        return no_memory(nout);
    int last = last_writer(chain, mask);
    for (int i = chain->n - 1; i >= 0; i--) {
        if (mask >> i & 1)
            continue;
        PCDF_TRY(decode_step(&chain->x[i], &s, i == last ? out : NULL, sizes[i], scratch));
        if (exact[i] ? s.n != sizes[i] : s.n > sizes[i])
            return PCDF_FAIL(NC_EREAD, "the chunk is damaged: %s makes %zu bytes of it, not %zu",
                             name_of(&chain->x[i]), s.n, sizes[i]);
    }
    if (s.n != nout)
        return PCDF_FAIL(NC_EREAD, "the chunk has %zu bytes, not %zu", s.n, nout);
    if (s.at != out)
        memmove(out, s.at, nout);
    return NC_NOERR;
}

/* ---- encoding */

/* *is_left_out: it would make the chunk longer. */
static int encode_compressed(const struct pcdf_codec *c, struct step *s, bool *is_left_out,
                             struct pcdf_codec_scratch *scratch)
{
    const struct pcdf_plugin_codec *x;
    size_t n = 0;
    if (c->id == PCDF_CODEC_JSON_TEXT)
        return PCDF_FAIL(NC_ENOTBUILT, "parcdf reads %s, but does not write it", name_of(c));
    PCDF_TRY(find_compressor(c, &x));
    if (!x->encode)
        return PCDF_FAIL(NC_ENOTBUILT, "parcdf reads %s, but does not write it", name_of(c));
    size_t room = x->bound(s->n);
    unsigned char *out = take_scratch(scratch, s->at, room);
    if (!out)
        return no_memory(room);
    const uint32_t deflate[] = { c->params[0], s->planes };
    bool is_deflate = c->nparams == 1 && (c->id == PCDF_CODEC_ZLIB || c->id == PCDF_CODEC_GZIP);
    int verdict =
        x->encode(is_deflate ? deflate : c->params, is_deflate ? 2 : c->nparams, s->at, s->n, out, room, &n);
    *is_left_out = verdict == 3;
    if (*is_left_out)
        return NC_NOERR;
    if (verdict != 0)
        return PCDF_FAIL(verdict == 2 ? NC_ENOMEM : NC_EINVAL, "%s cannot encode a chunk of %zu bytes",
                         name_of(c), s->n);
    *s = (struct step){ .at = out, .n = n };
    return NC_NOERR;
}

/* to: where the bytes of a codec that is no compressor are wanted; NULL: anywhere. */
static int encode_step(const struct pcdf_codec *c, struct step *s, unsigned char *to, bool *is_left_out,
                       struct pcdf_codec_scratch *scratch)
{
    *is_left_out = false;
    if (rows[c->id].is_compressor)
        return encode_compressed(c, s, is_left_out, scratch);
    unsigned char *out = to ? to : take_scratch(scratch, s->at, s->n + rows[c->id].more);
    if (!out)
        return no_memory(s->n);
    if (c->id == PCDF_CODEC_SHUFFLE) {
        pcdf_shuffle(c->nparams > 0 ? c->params[0] : 1, s->at, s->n, out);
    } else {
        uint32_t sum = sum_of(c->id, s->at, s->n);
        memcpy(out + (is_in_front(c->id) ? SUM_BYTES : 0), s->at, s->n);
        pcdf_bytes_put_little(out + (is_in_front(c->id) ? 0 : s->n), sum, SUM_BYTES);
    }
    bool is_shuffled = c->id == PCDF_CODEC_SHUFFLE && c->nparams > 0;
    *s = (struct step){ out, s->n + rows[c->id].more, is_shuffled ? c->params[0] : 0 };
    return NC_NOERR;
}

int pcdf_chain_encode_here(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                           const unsigned char **out, size_t *nout, uint32_t *mask,
                           struct pcdf_codec_scratch *scratch)
{
    struct step s = { .at = in, .n = nin };
    uint32_t left_out = 0;
    for (int i = 0; i < chain->n; i++) {
        bool is_left_out;
        PCDF_TRY(check_codec(&chain->x[i]));
        PCDF_TRY(encode_step(&chain->x[i], &s, NULL, &is_left_out, scratch));
        if (is_left_out && !mask)
            return PCDF_FAIL(NC_EINVAL, "%s would make %zu bytes longer", name_of(&chain->x[i]), s.n);
        left_out |= (uint32_t)is_left_out << i;
    }
    if (mask)
        *mask = left_out;
    *out = s.at;
    *nout = s.n;
    return NC_NOERR;
}

bool pcdf_chain_size(const struct pcdf_chain *chain, size_t nin, size_t *nout)
{
    *nout = nin;
    for (int i = 0; i < chain->n; i++)
        if (rows[chain->x[i].id].is_compressor ||
            __builtin_add_overflow(*nout, rows[chain->x[i].id].more, nout))
            return false;
    return true;
}

int pcdf_chain_encode_to(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                         unsigned char *out, struct pcdf_codec_scratch *scratch)
{
    struct step s = { .at = in, .n = nin };
    bool is_left_out;
    for (int i = 0; i < chain->n; i++) {
        PCDF_TRY(check_codec(&chain->x[i]));
        PCDF_TRY(encode_step(&chain->x[i], &s, i == chain->n - 1 ? out : NULL, &is_left_out, scratch));
    }
    if (chain->n == 0)
        memcpy(out, in, nin);
    return NC_NOERR;
}

int pcdf_chain_encode(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                      unsigned char **out, size_t *nout, struct pcdf_codec_scratch *scratch)
{
    const unsigned char *made;
    size_t n;
    PCDF_TRY(pcdf_chain_encode_here(chain, in, nin, &made, &n, NULL, scratch));
    unsigned char *copy = pcdf_malloc(n > 0 ? n : 1);
    if (!copy)
        return no_memory(n);
    memcpy(copy, made, n);
    *out = copy;
    *nout = n;
    return NC_NOERR;
}
