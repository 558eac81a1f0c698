#ifndef PCDF_CODECS_H
#define PCDF_CODECS_H
/* Chains of codecs: how the bytes of a chunk became what is stored. Shuffle, checksums and the like are here;
 * compressors are in the plug-in codecs, which is loaded when one is first needed. Local, without MPI; any
 * number of threads, each with chains and scratch memory of its own. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_codec_id {                     /* on the wire of an image; new ones go to the end */
                     PCDF_CODEC_UNKNOWN, /* a name alone: definitions are read, values are refused with it */
                     PCDF_CODEC_ZLIB,    /* also HDF5's deflate; params: level */
                     PCDF_CODEC_GZIP,
                     PCDF_CODEC_SHUFFLE,    /* params: bytes of an element */
                     PCDF_CODEC_FLETCHER32, /* HDF5's: 4 bytes behind the rest */
                     PCDF_CODEC_CRC32C,     /* 4 bytes behind the rest, little-endian */
                     PCDF_CODEC_ADLER32,    /* numcodecs': 4 bytes before the rest, as CRC32 */
                     PCDF_CODEC_CRC32,
                     PCDF_CODEC_ZSTD,
                     PCDF_CODEC_BLOSC,
                     PCDF_CODEC_LZ4,      /* numcodecs': 4 bytes of length, little-endian, before one block */
                     PCDF_CODEC_LZ4_HDF5, /* filter 32004: big-endian length and blocks */
                     PCDF_CODEC_BZIP2,
                     PCDF_CODEC_SZIP, /* params: options mask, pixels of a block, bits of a pixel, pixels of a
                                         scanline */
                     PCDF_CODECS
};

enum { PCDF_CODEC_PARAMS = 8, PCDF_CHAIN_MOST = 8, PCDF_CODEC_NAME = 32 };

struct pcdf_codec {
    enum pcdf_codec_id id;
    int nparams;
    uint32_t params[PCDF_CODEC_PARAMS];
    char name[PCDF_CODEC_NAME]; /* as the file names it, for sentences */
};

struct pcdf_chain { /* x[0] was applied first when the chunk was written */
    int n;
    struct pcdf_codec x[PCDF_CHAIN_MOST];
};

struct pcdf_codec_scratch { /* grows to what is needed; free both with pcdf_free */
    unsigned char *a, *b;
    size_t na, nb;
};

/* What was stored becomes the nout bytes of the chunk. mask: bit i: x[i] was left out (HDF5). Where the chain
 * is empty, in is copied. NC_EREAD: it is damaged, or becomes more or fewer bytes; never is more than nout
 * (and the stored size of inner steps) written. NC_ENOTBUILT: the codec, by name, is not known, or its
 * plug-in is missing. */
int pcdf_chain_decode(const struct pcdf_chain *chain, uint32_t mask, const unsigned char *in, size_t nin,
                      unsigned char *out, size_t nout, struct pcdf_codec_scratch *scratch);
/* The other direction, into memory that is made (pcdf_free). NC_ENOTBUILT: as above, or it only reads. */
int pcdf_chain_encode(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                      unsigned char **out, size_t *nout, struct pcdf_codec_scratch *scratch);
/* NC_NOERR, or NC_ENOTBUILT with the sentence that a get would have. */
int pcdf_chain_check(const struct pcdf_chain *chain);
bool pcdf_chain_compresses(const struct pcdf_chain *chain); /* a chunk costs time to decode */
#endif
