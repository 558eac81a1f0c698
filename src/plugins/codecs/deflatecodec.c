/* zlib and gzip by libdeflate: about three times as fast as zlib, and it knows the whole of the output. */

#include <libdeflate.h>
#include "codecs_of.h"

static int verdict_of(enum libdeflate_result result)
{
    return result == LIBDEFLATE_SUCCESS ? PCDF_CODEC_GOOD : PCDF_CODEC_DAMAGED;
}

/* What follows the end of the stream is not looked at, as zlib's users do not. */
PCDF_CODEC_FUNCTION(pcdf_zlib_decode)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    size_t used;
    (void)params, (void)nparams;
    if (!d)
        return PCDF_CODEC_NO_MEMORY;
    int verdict = verdict_of(libdeflate_zlib_decompress_ex(d, in, nin, out, room, &used, nout));
    libdeflate_free_decompressor(d);
    return verdict;
}

/* Members follow each other, and zeros may follow the last (RFC 1952 2.2; Python's gzip). */
PCDF_CODEC_FUNCTION(pcdf_gzip_decode)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    int verdict = PCDF_CODEC_GOOD;
    size_t at = 0, done = 0, used = 0, made = 0;
    (void)params, (void)nparams;
    if (!d)
        return PCDF_CODEC_NO_MEMORY;
    do {
        verdict = verdict_of(
            libdeflate_gzip_decompress_ex(d, in + at, nin - at, out + done, room - done, &used, &made));
        at += verdict == PCDF_CODEC_GOOD ? used : 0;
        done += verdict == PCDF_CODEC_GOOD ? made : 0;
        while (verdict == PCDF_CODEC_GOOD && at < nin && in[at] == 0)
            at++;
    } while (verdict == PCDF_CODEC_GOOD && at < nin);
    libdeflate_free_decompressor(d);
    *nout = done;
    return verdict;
}

typedef size_t deflate_function(struct libdeflate_compressor *, const void *, size_t, void *, size_t);

static int encode(enum pcdf_deflate_form form, const uint32_t *params, int nparams, const unsigned char *in,
                  size_t nin, unsigned char *out, size_t room, size_t *nout)
{
    deflate_function *deflate =
        form == PCDF_DEFLATE_GZIP ? libdeflate_gzip_compress : libdeflate_zlib_compress;
    int level = pcdf_codec_level(params, nparams, 0, 12, 6);
    if (level == 1 &&
        pcdf_deflate_quickly(form, pcdf_codec_planes(params, nparams), in, nin, out, room, nout))
        return PCDF_CODEC_GOOD;
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
    if (!c)
        return PCDF_CODEC_NO_MEMORY;
    *nout = deflate(c, in, nin, out, room);
    libdeflate_free_compressor(c);
    return *nout > 0 ? PCDF_CODEC_GOOD : PCDF_CODEC_DAMAGED;
}

PCDF_CODEC_FUNCTION(pcdf_zlib_encode)
{
    return encode(PCDF_DEFLATE_ZLIB, params, nparams, in, nin, out, room, nout);
}

PCDF_CODEC_FUNCTION(pcdf_gzip_encode)
{
    return encode(PCDF_DEFLATE_GZIP, params, nparams, in, nin, out, room, nout);
}

size_t pcdf_zlib_bound(size_t nin)
{
    size_t zlib = libdeflate_zlib_compress_bound(NULL, nin), gzip = libdeflate_gzip_compress_bound(NULL, nin);
    return zlib > gzip ? zlib : gzip;
}
