/* bzip2: streams one behind the other. */

#include <bzlib.h>
#include <limits.h>
#include <string.h>
#include "codecs_of.h"

static unsigned step_of(size_t left)
{
    return left < INT_MAX ? (unsigned)left : INT_MAX;
}

/* One stream: *nin and *nout are what it took and made. */
static int decode_one(const unsigned char *in, size_t *nin, unsigned char *out, size_t *nout)
{
    bz_stream z = { 0 };
    size_t at = 0, made = 0;
    int result = BZ2_bzDecompressInit(&z, 0, 0);
    if (result != BZ_OK)
        return PCDF_CODEC_NO_MEMORY;
    while (result == BZ_OK) {
        unsigned gives = step_of(*nin - at), takes = step_of(*nout - made);
        z.next_in = (char *)(uintptr_t)(in + at);
        z.avail_in = gives;
        z.next_out = (char *)out + made;
        z.avail_out = takes;
        result = BZ2_bzDecompress(&z);
        if (result == BZ_OK && z.avail_in == gives && z.avail_out == takes)
            result = BZ_UNEXPECTED_EOF; /* neither goes on */
        at += gives - z.avail_in;
        made += takes - z.avail_out;
    }
    BZ2_bzDecompressEnd(&z);
    *nin = at;
    *nout = made;
    return result == BZ_STREAM_END  ? PCDF_CODEC_GOOD
           : result == BZ_MEM_ERROR ? PCDF_CODEC_NO_MEMORY
                                    : PCDF_CODEC_DAMAGED;
}

/* What follows the last stream and begins none is not looked at, as Python's bz2 does not. */
PCDF_CODEC_FUNCTION(pcdf_bzip2_decode)
{
    int verdict = PCDF_CODEC_GOOD;
    size_t at = 0, done = 0;
    (void)params, (void)nparams;
    do {
        size_t used = nin - at, made = room - done;
        verdict = decode_one(in + at, &used, out + done, &made);
        at += used;
        done += made;
    } while (verdict == PCDF_CODEC_GOOD && nin - at >= 4 && memcmp(in + at, "BZh", 3) == 0);
    *nout = done;
    return verdict;
}

PCDF_CODEC_FUNCTION(pcdf_bzip2_encode)
{
    int level = pcdf_codec_level(params, nparams, 1, 9, 9);
    unsigned made = step_of(room);
    if (nin > INT_MAX)
        return PCDF_CODEC_DAMAGED;
    int result =
        BZ2_bzBuffToBuffCompress((char *)out, &made, (char *)(uintptr_t)in, (unsigned)nin, level, 0, 0);
    *nout = made;
    return result == BZ_OK          ? PCDF_CODEC_GOOD
           : result == BZ_MEM_ERROR ? PCDF_CODEC_NO_MEMORY
                                    : PCDF_CODEC_DAMAGED;
}

size_t pcdf_bzip2_bound(size_t nin)
{
    return nin + nin / 100 + 600;
}
