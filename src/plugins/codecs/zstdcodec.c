/* Zstandard: frames one behind the other. */

#include <zstd.h>
#include <zstd_errors.h>
#include "codecs_of.h"

static int verdict_of(size_t result, size_t *nout)
{
    if (ZSTD_isError(result))
        return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? PCDF_CODEC_NO_MEMORY
                                                                         : PCDF_CODEC_DAMAGED;
    *nout = result;
    return PCDF_CODEC_GOOD;
}

PCDF_CODEC_FUNCTION(pcdf_zstd_decode)
{
    (void)params, (void)nparams;
    return verdict_of(ZSTD_decompress(out, room, in, nin), nout);
}

PCDF_CODEC_FUNCTION(pcdf_zstd_encode)
{
    int level = pcdf_codec_level(params, nparams, 1, ZSTD_maxCLevel(), 3);
    return verdict_of(ZSTD_compress(out, room, in, nin, level), nout);
}

size_t pcdf_zstd_bound(size_t nin)
{
    return ZSTD_compressBound(nin);
}
