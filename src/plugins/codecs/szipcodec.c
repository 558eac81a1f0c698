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

PCDF_CODEC_FUNCTION(pcdf_szip_decode)
{
    if (nparams < 4 || nin < LENGTH_BYTES)
        return PCDF_CODEC_DAMAGED;
    SZ_com_t p = { .options_mask = (int)params[0],
                   .pixels_per_block = (int)params[1],
                   .bits_per_pixel = (int)params[2],
                   .pixels_per_scanline = (int)params[3] };
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
