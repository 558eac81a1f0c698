#ifndef PCDF_CODECS_OF_H
#define PCDF_CODECS_OF_H
/* The functions of each compressor, as struct pcdf_plugin_codec has them. Decoders write at most `room`
 * bytes, and need not fill it: whoever calls knows how many there are to be. */

#include <stdbool.h>
#include "plugin.h"

enum pcdf_codec_verdict { PCDF_CODEC_GOOD, PCDF_CODEC_DAMAGED, PCDF_CODEC_NO_MEMORY, PCDF_CODEC_LONGER };

#define PCDF_CODEC_FUNCTION(name)                                                                            \
    int name(const uint32_t *params, int nparams, const unsigned char *in, size_t nin, unsigned char *out,   \
             size_t room, size_t *nout)

PCDF_CODEC_FUNCTION(pcdf_zlib_decode);
PCDF_CODEC_FUNCTION(pcdf_zlib_encode);
PCDF_CODEC_FUNCTION(pcdf_gzip_decode);
PCDF_CODEC_FUNCTION(pcdf_gzip_encode);
PCDF_CODEC_FUNCTION(pcdf_zstd_decode);
PCDF_CODEC_FUNCTION(pcdf_zstd_encode);
PCDF_CODEC_FUNCTION(pcdf_blosc_decode);
PCDF_CODEC_FUNCTION(pcdf_lz4_decode);
PCDF_CODEC_FUNCTION(pcdf_lz4_encode);
PCDF_CODEC_FUNCTION(pcdf_lz4_hdf5_decode);
PCDF_CODEC_FUNCTION(pcdf_bzip2_decode);
PCDF_CODEC_FUNCTION(pcdf_bzip2_encode);
PCDF_CODEC_FUNCTION(pcdf_szip_decode);
PCDF_CODEC_FUNCTION(pcdf_szip_encode);
size_t pcdf_zlib_bound(size_t nin); /* of gzip, too */
size_t pcdf_zstd_bound(size_t nin);
size_t pcdf_lz4_bound(size_t nin);
size_t pcdf_bzip2_bound(size_t nin);
size_t pcdf_szip_bound(size_t nin);

/* Level 1 by ISA-L. in: of so many byte planes, where shuffle made them. False: it is not here, `room` is too
 * small for it, or it would make more of short planes than zlib does. */
enum pcdf_deflate_form { PCDF_DEFLATE_ZLIB, PCDF_DEFLATE_GZIP };
bool pcdf_deflate_quickly(enum pcdf_deflate_form form, uint32_t nplanes, const unsigned char *in, size_t nin,
                          unsigned char *out, size_t room, size_t *nout);

/* The first parameter as a level between two; `usual` where there is none, or -1. */
static inline int pcdf_codec_level(const uint32_t *params, int nparams, int least, int most, int usual)
{
    int level = nparams > 0 && params[0] <= 1000 ? (int)params[0] : usual;
    return level < least ? least : level > most ? most : level;
}

/* Byte planes of what deflate gets (plugin.h). */
static inline uint32_t pcdf_codec_planes(const uint32_t *params, int nparams)
{
    return nparams > 1 ? params[1] : 1;
}
#endif
