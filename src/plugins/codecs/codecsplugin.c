/* The plug-in codecs: compressors of chunks, for reading all of them, for writing some. */

#include "codecs_of.h"

static const struct pcdf_plugin_codec codecs[] = {
#ifdef PARCDF_HAS_DEFLATE
    { PCDF_CODEC_ZLIB, pcdf_zlib_decode, pcdf_zlib_encode, pcdf_zlib_bound },
    { PCDF_CODEC_GZIP, pcdf_gzip_decode, pcdf_gzip_encode, pcdf_zlib_bound },
#endif
#ifdef PARCDF_HAS_ZSTD
    { PCDF_CODEC_ZSTD, pcdf_zstd_decode, pcdf_zstd_encode, pcdf_zstd_bound },
#endif
#ifdef PARCDF_HAS_BLOSC
    { PCDF_CODEC_BLOSC, pcdf_blosc_decode, NULL, NULL },
#endif
#ifdef PARCDF_HAS_LZ4
    { PCDF_CODEC_LZ4, pcdf_lz4_decode, pcdf_lz4_encode, pcdf_lz4_bound },
    { PCDF_CODEC_LZ4_HDF5, pcdf_lz4_hdf5_decode, NULL, NULL },
#endif
#ifdef PARCDF_HAS_BZIP2
    { PCDF_CODEC_BZIP2, pcdf_bzip2_decode, pcdf_bzip2_encode, pcdf_bzip2_bound },
#endif
#ifdef PARCDF_HAS_SZIP
    { PCDF_CODEC_SZIP, pcdf_szip_decode, pcdf_szip_encode, pcdf_szip_bound },
#endif
    { 0, NULL, NULL, NULL }
};

__attribute__((visibility("default"))) pcdf_plugin_function pcdf_plugin;

const struct pcdf_plugin *pcdf_plugin(void)
{
    static const struct pcdf_plugin plugin = { .abi = PCDF_PLUGIN_ABI,
                                               .size = sizeof plugin,
                                               .name = "codecs",
                                               .version = "compressors of chunks",
                                               .codecs = codecs };
    return &plugin;
}
