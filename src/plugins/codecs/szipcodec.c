/* szip as HDF5's filter 4 writes it, by libaec: 4 bytes of the decoded length, little-endian, before the
 * rest. */

#include <szlib.h>
#include "codecs_of.h"

enum { LENGTH_BYTES = 4, MOST_BLOCK = 32, MOST_SCANLINE = 4096 };

/* What the library needs to be so, and HDF5 writes so. */
static int is_sound(const SZ_com_t *p)
{
    int bits = p->bits_per_pixel;
    return p->pixels_per_block >= 2 && p->pixels_per_block <= MOST_BLOCK && p->pixels_per_block % 2 == 0 &&
           p->pixels_per_scanline >= p->pixels_per_block && p->pixels_per_scanline <= MOST_SCANLINE &&
           ((bits >= 1 && bits <= 24) || bits == 32 || bits == 64);
}

static SZ_com_t params_of(const uint32_t *params)
{
    return (SZ_com_t){ .options_mask = (int)params[0],
                       .pixels_per_block = (int)params[1],
                       .bits_per_pixel = (int)params[2],
                       .pixels_per_scanline = (int)params[3] };
}

PCDF_CODEC_FUNCTION(pcdf_szip_decode)
{
    if (nparams < 4 || nin < LENGTH_BYTES)
        return PCDF_CODEC_DAMAGED;
    SZ_com_t p = params_of(params);
    size_t length = (uint32_t)in[3] << 24 | (uint32_t)in[2] << 16 | (uint32_t)in[1] << 8 | in[0],
           made = length;
    if (!is_sound(&p) || length > room || length == 0)
        return PCDF_CODEC_DAMAGED;
    int result = SZ_BufftoBuffDecompress(out, &made, in + LENGTH_BYTES, nin - LENGTH_BYTES, &p);
    if (result == SZ_MEM_ERROR)
        return PCDF_CODEC_NO_MEMORY;
    *nout = made;
    return result == SZ_OK && made == length ? PCDF_CODEC_GOOD : PCDF_CODEC_DAMAGED;
}

/* As libhdf5 writes it: at most as many bytes as came in, and the length. */
PCDF_CODEC_FUNCTION(pcdf_szip_encode)
{
    if (nparams < 4 || nin > UINT32_MAX || nin == 0 || room < nin + LENGTH_BYTES)
        return PCDF_CODEC_DAMAGED;
    SZ_com_t p = params_of(params);
    size_t made = nin;
    if (!is_sound(&p))
        return PCDF_CODEC_DAMAGED;
    int result = SZ_BufftoBuffCompress(out + LENGTH_BYTES, &made, in, nin, &p);
    for (int i = 0; i < LENGTH_BYTES; i++)
        out[i] = (unsigned char)(nin >> (8 * i));
    *nout = LENGTH_BYTES + made;
    return result == SZ_OK             ? PCDF_CODEC_GOOD
           : result == SZ_OUTBUFF_FULL ? PCDF_CODEC_LONGER
           : result == SZ_MEM_ERROR    ? PCDF_CODEC_NO_MEMORY
                                       : PCDF_CODEC_DAMAGED;
}

size_t pcdf_szip_bound(size_t nin)
{
    return nin + LENGTH_BYTES;
}
