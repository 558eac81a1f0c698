/* zlib and gzip by zlib, where there is no libdeflate. */

#include <limits.h>
#include <zlib.h>
#include "codecs_of.h"

enum { ZLIB_BITS = 15, GZIP_BITS = 15 + 16 };

/* zlib counts in unsigned int: so larger ones go in steps. */
static uInt step_of(size_t left)
{
    return left < INT_MAX ? (uInt)left : INT_MAX;
}

/* One stream: *nin and *nout are what it took and made. */
static int inflate_one(int bits, const unsigned char *in, size_t *nin, unsigned char *out, size_t *nout)
{
    z_stream z = { 0 };
    size_t at = 0, made = 0;
    int result = inflateInit2(&z, bits);
    if (result != Z_OK)
        return result == Z_MEM_ERROR ? PCDF_CODEC_NO_MEMORY : PCDF_CODEC_DAMAGED;
    while (result == Z_OK) {
        uInt gives = step_of(*nin - at), takes = step_of(*nout - made);
        z.next_in = (Bytef *)(uintptr_t)(in + at);
        z.avail_in = gives;
        z.next_out = out + made;
        z.avail_out = takes;
        result = inflate(&z, Z_NO_FLUSH); /* Z_BUF_ERROR: neither goes on */
        at += gives - z.avail_in;
        made += takes - z.avail_out;
    }
    inflateEnd(&z);
    *nin = at;
    *nout = made;
    return result == Z_STREAM_END  ? PCDF_CODEC_GOOD
           : result == Z_MEM_ERROR ? PCDF_CODEC_NO_MEMORY
                                   : PCDF_CODEC_DAMAGED;
}

/* What follows the end of the stream is not looked at, as zlib's users do not. */
PCDF_CODEC_FUNCTION(pcdf_zlib_decode)
{
    (void)params, (void)nparams;
    *nout = room;
    return inflate_one(ZLIB_BITS, in, &nin, out, nout);
}

/* Members follow each other, and zeros may follow the last (RFC 1952 2.2; Python's gzip). */
PCDF_CODEC_FUNCTION(pcdf_gzip_decode)
{
    int verdict = PCDF_CODEC_GOOD;
    size_t at = 0, done = 0;
    (void)params, (void)nparams;
    do {
        size_t used = nin - at, made = room - done;
        verdict = inflate_one(GZIP_BITS, in + at, &used, out + done, &made);
        at += used;
        done += made;
        while (verdict == PCDF_CODEC_GOOD && at < nin && in[at] == 0)
            at++;
    } while (verdict == PCDF_CODEC_GOOD && at < nin);
    *nout = done;
    return verdict;
}

static int encode(int bits, int level, const unsigned char *in, size_t nin, unsigned char *out, size_t room,
                  size_t *nout)
{
    z_stream z = { 0 };
    size_t at = 0, made = 0;
    int result = deflateInit2(&z, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY);
    if (result != Z_OK)
        return result == Z_MEM_ERROR ? PCDF_CODEC_NO_MEMORY : PCDF_CODEC_DAMAGED;
    while (result == Z_OK) {
        uInt gives = step_of(nin - at), takes = step_of(room - made);
        z.next_in = (Bytef *)(uintptr_t)(in + at);
        z.avail_in = gives;
        z.next_out = out + made;
        z.avail_out = takes;
        result = deflate(&z, at + gives == nin ? Z_FINISH : Z_NO_FLUSH);
        at += gives - z.avail_in;
        made += takes - z.avail_out;
    }
    deflateEnd(&z);
    *nout = made;
    return result == Z_STREAM_END ? PCDF_CODEC_GOOD : PCDF_CODEC_DAMAGED;
}

PCDF_CODEC_FUNCTION(pcdf_zlib_encode)
{
    return encode(ZLIB_BITS, pcdf_codec_level(params, nparams, 0, 9, 6), in, nin, out, room, nout);
}

PCDF_CODEC_FUNCTION(pcdf_gzip_encode)
{
    return encode(GZIP_BITS, pcdf_codec_level(params, nparams, 0, 9, 6), in, nin, out, room, nout);
}

size_t pcdf_zlib_bound(size_t nin)
{
    return nin + nin / 1000 + 64;
}
