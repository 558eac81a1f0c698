/* LZ4 blocks in the two frames that chunks have: numcodecs' and that of HDF5's filter 32004. */

#include <limits.h>
#include <lz4.h>
#include <string.h>
#include "codecs_of.h"

enum { LENGTH_BYTES = 4, HDF5_HEADER = 12 };

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t little_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* One block, which becomes exactly n bytes. */
static int decode_block(const unsigned char *in, size_t nin, unsigned char *out, size_t n)
{
    if (nin > INT_MAX || n > INT_MAX)
        return PCDF_CODEC_DAMAGED;
    int made = LZ4_decompress_safe((const char *)in, (char *)out, (int)nin, (int)n);
    return made >= 0 && (size_t)made == n ? PCDF_CODEC_GOOD : PCDF_CODEC_DAMAGED;
}

PCDF_CODEC_FUNCTION(pcdf_lz4_decode)
{
    (void)params, (void)nparams;
    if (nin < LENGTH_BYTES || little_endian(in) > room)
        return PCDF_CODEC_DAMAGED;
    *nout = little_endian(in);
    return decode_block(in + LENGTH_BYTES, nin - LENGTH_BYTES, out, *nout);
}

PCDF_CODEC_FUNCTION(pcdf_lz4_encode)
{
    int faster = pcdf_codec_level(params, nparams, 1, 100, 1); /* "acceleration" */
    if (nin > LZ4_MAX_INPUT_SIZE || room < LENGTH_BYTES)
        return PCDF_CODEC_DAMAGED;
    size_t rest = room - LENGTH_BYTES;
    int made = LZ4_compress_fast((const char *)in, (char *)out + LENGTH_BYTES, (int)nin,
                                 rest > INT_MAX ? INT_MAX : (int)rest, faster);
    for (int i = 0; i < LENGTH_BYTES; i++)
        out[i] = (unsigned char)(nin >> (8 * i));
    *nout = LENGTH_BYTES + (size_t)made;
    return made > 0 ? PCDF_CODEC_GOOD : PCDF_CODEC_DAMAGED;
}

size_t pcdf_lz4_bound(size_t nin)
{
    return nin > LZ4_MAX_INPUT_SIZE ? 0 : LENGTH_BYTES + (size_t)LZ4_compressBound((int)nin);
}

/* 8 bytes of the whole length, 4 of that of a block, big-endian; then each block with 4 bytes of its stored
 * length, which is the block's own where it is not compressed. */
PCDF_CODEC_FUNCTION(pcdf_lz4_hdf5_decode)
{
    (void)params, (void)nparams;
    if (nin < HDF5_HEADER || big_endian(in) != 0 || big_endian(in + 4) > room)
        return PCDF_CODEC_DAMAGED;
    size_t whole = big_endian(in + 4), block = big_endian(in + 8), at = HDF5_HEADER;
    for (size_t done = 0; done < whole; done += block) {
        size_t n = block < whole - done ? block : whole - done;
        size_t stored = nin - at >= LENGTH_BYTES ? big_endian(in + at) : SIZE_MAX;
        if (n == 0 || stored > nin - at - LENGTH_BYTES)
            return PCDF_CODEC_DAMAGED;
        at += LENGTH_BYTES;
        if (stored == n)
            memcpy(out + done, in + at, n);
        else if (decode_block(in + at, stored, out + done, n) != PCDF_CODEC_GOOD)
            return PCDF_CODEC_DAMAGED;
        at += stored;
        if (whole - done <= block)
            break;
    }
    *nout = whole;
    return PCDF_CODEC_GOOD;
}
