/* Blosc 1, of any inner compressor that libblosc has. */

#include <blosc.h>
#include "codecs_of.h"

PCDF_CODEC_FUNCTION(pcdf_blosc_decode)
{
    size_t nbytes = 0;
    (void)params, (void)nparams;
    /* Without this libblosc may read and write beyond both. */
    if (nin < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(in, nin, &nbytes) != 0 || nbytes > room)
        return PCDF_CODEC_DAMAGED;
    int made = blosc_decompress_ctx(in, out, room, 1);
    if (made < 0 || (size_t)made != nbytes)
        return PCDF_CODEC_DAMAGED;
    *nout = nbytes;
    return PCDF_CODEC_GOOD;
}
