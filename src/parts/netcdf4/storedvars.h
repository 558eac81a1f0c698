#ifndef PCDF_STOREDVARS_H
#define PCDF_STOREDVARS_H
/* How the values of each variable of a netCDF-4 file are stored, as users say it: in one run of bytes or in
 * chunks, of which shape, through which codecs. A value beside the definitions, replicated as they are: no
 * I/O, no MPI. A variable of which nobody said anything is AUTO until the file is laid out. */

#include "codecs.h"
#include "meta.h"
#include "storedoptions.h"

enum pcdf_stored_way { PCDF_STORED_AUTO, PCDF_STORED_CONTIGUOUS, PCDF_STORED_CHUNKED };

struct pcdf_stored_var {
    enum pcdf_stored_way way; /* AUTO: the library chooses */
    int ndims;
    int64_t *chunk; /* CHUNKED: elements along each dimension; owned. Else NULL */
    /* fletcher32, shuffle, compressor: the order in which libnetcdf applies them. */
    struct pcdf_chain chain;
    bool is_by_hint; /* the program said nothing of codecs */
    bool is_settled; /* the file has it: no change */
};

struct pcdf_stored_vars {
    /* Of the variables 0..n-1 of the definitions; later ones were not looked at yet. */
    struct pcdf_stored_var *x;
    int n, room;
    struct pcdf_stored_options options; /* what hints say of new variables */
};

/* Those of the definitions that are not there yet get what the hints say; those that the definitions do not
 * have any more (an abort of a redef) go, here and in `decide`. NC_ENOMEM: some are not there yet. */
int pcdf_stored_grow(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta);
void pcdf_stored_free(struct pcdf_stored_vars *vars);

/* What a variable is, or would become if the file were laid out now. chunk: room for its dimensions, set
 * where the answer is CHUNKED. AUTO becomes CONTIGUOUS where it has neither records nor codecs, else chunks
 * of the default shape (pcdf_stored_default_shape). */
enum pcdf_stored_way pcdf_stored_choose(const struct pcdf_stored_vars *vars, const struct pcdf_meta *meta,
                                        int varid, int64_t *chunk);
/* Its codecs for chunks of this shape (NULL: none), on which parameters of szip depend. NC_EINVAL: the chunks
 * are too small for it. */
int pcdf_stored_chain(const struct pcdf_stored_vars *vars, const struct pcdf_meta *meta, int varid,
                      const int64_t *chunk, struct pcdf_chain *chain);
/* The file is laid out: what is AUTO becomes what `choose` says. All variables of meta are there (grow).
 * NC_EINVAL: chunks too small for szip. Then, and where memory lacks (NC_ENOMEM), some are decided already,
 * which changes nothing of what they become. */
int pcdf_stored_decide(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta);
void pcdf_stored_settle(struct pcdf_stored_vars *vars); /* all are in the file */

/* Chunks as long as their dimensions, but one record deep, and at most about `bytes`: what is larger is split
 * along the slowest dimensions, into parts of about the same length. Records of less than 4 KiB share a chunk
 * of that size. chunk: what is not 0 stays, though it be larger. */
enum { PCDF_STORED_BYTES = 4 << 20, PCDF_STORED_DEEP = 4096 };
void pcdf_stored_default_shape(const struct pcdf_meta *meta, int varid, int64_t bytes, int64_t *chunk);

/* ---- what the calls of a program change; of variables that are not settled */

/* chunk: NULL of CHUNKED: the default shape. CONTIGUOUS drops codecs that only a hint asked for. The errors
 * of netCDF-C: NC_EINVAL (contiguous with records or codecs; chunks of a scalar, or of length 0),
 * NC_EBADCHUNK (longer than its dimension, 4 GiB), NC_ENOMEM. */
int pcdf_stored_set_way(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta, int varid,
                        enum pcdf_stored_way way, const int64_t *chunk);
/* Adds the codec at its place in the chain, or takes the place of the one that is there: of a compressor any
 * other. szip: options and pixels of a block, as the user has them. Does nothing of a scalar, which has no
 * chunks. */
void pcdf_stored_set_codec(struct pcdf_stored_var *var, const struct pcdf_codec *codec);
void pcdf_stored_drop_codec(struct pcdf_stored_var *var, enum pcdf_codec_id id);
/* The codec of that id; NULL: it has none. */
static inline const struct pcdf_codec *pcdf_stored_codec(const struct pcdf_stored_var *var,
                                                         enum pcdf_codec_id id)
{
    for (int i = 0; i < var->chain.n; i++)
        if (var->chain.x[i].id == id)
            return &var->chain.x[i];
    return NULL;
}

/* Can this library write it? NC_ENOTBUILT, with a sentence: it only reads it, or a plug-in is missing. */
int pcdf_stored_try_codec(const struct pcdf_codec *codec);
/* Those of all variables that the file does not have yet, each once: hints may have asked for them. */
int pcdf_stored_try_codecs(const struct pcdf_stored_vars *vars);

/* ---- between ranks */

/* The same where all that is stored is the same. */
uint64_t pcdf_stored_hash(const struct pcdf_stored_vars *vars);
/* Bytes that `encode` writes. */
int64_t pcdf_stored_vars_encode_size(const struct pcdf_stored_vars *vars);
void pcdf_stored_vars_encode(const struct pcdf_stored_vars *vars, unsigned char *bytes);
/* Takes the place of what `vars` had, but for its options. Nothing in the bytes is trusted: they fit these
 * definitions, of which they may have fewer variables, or it is NC_EREAD, and vars is as before. NC_ENOMEM:
 * likewise. */
int pcdf_stored_vars_decode(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta,
                            const unsigned char *bytes, int64_t n);
#endif
