#ifndef PCDF_CODECS_H
#define PCDF_CODECS_H
/* Chains of codecs: how the bytes of a chunk became what is stored. Shuffle, checksums and the like are here;
 * compressors are in the plug-in codecs, which is loaded when one is first needed. Local, without MPI; any
 * number of threads, each with chains and scratch memory of its own. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "plugin.h"

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
/* The other direction: *out is in the scratch memory, until this is used again (or `in`, where the chain is
 * empty). *mask: a codec that would make the chunk longer than its filter in HDF5 may is left out. Only
 * szip's may not: of deflate and zstd, libhdf5 and libnetcdf keep a longer chunk, too. Where mask is NULL,
 * that is an error (NC_EINVAL). NC_ENOTBUILT: as above, or it only reads. */
int pcdf_chain_encode_here(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                           const unsigned char **out, size_t *nout, uint32_t *mask,
                           struct pcdf_codec_scratch *scratch);
/* Bytes that a chunk becomes, where they are known before it is encoded: without a compressor. */
bool pcdf_chain_size(const struct pcdf_chain *chain, size_t nin, size_t *nout);
/* The same of such a chain, to where so many bytes have room. */
int pcdf_chain_encode_to(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                         unsigned char *out, struct pcdf_codec_scratch *scratch);
/* The same without a mask, into memory that is made (pcdf_free). */
int pcdf_chain_encode(const struct pcdf_chain *chain, const unsigned char *in, size_t nin,
                      unsigned char **out, size_t *nout, struct pcdf_codec_scratch *scratch);
/* NC_NOERR, or NC_ENOTBUILT with the sentence that a get would have. */
int pcdf_chain_check(const struct pcdf_chain *chain);
/* szip as libhdf5 sets it up for values of `size` bytes in chunks of this shape: options and pixels as
 * H5Pset_szip has them (SZ_EC 4 or SZ_NN 32; an even number to 32). NC_EINVAL: not for these. */
int pcdf_codec_szip(struct pcdf_codec *c, uint32_t options, uint32_t pixels, int size, bool is_big_endian,
                    int ndims, const int64_t *chunk);
bool pcdf_chain_compresses(const struct pcdf_chain *chain); /* a chunk costs time to decode */
#endif
