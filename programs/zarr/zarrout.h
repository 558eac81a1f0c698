#ifndef PCDF_ZARROUT_H
#define PCDF_ZARROUT_H
/* A Zarr store that all ranks write: each one encodes and writes chunks of its own, as files of their own,
 * without a message between the first and the last. Whoever calls gives definitions, the shapes of chunks and
 * a function that reads boxes of values. */

#include "codecs.h"
#include "meta.h"
#include "toolprogress.h"
#include "toolranks.h"

enum pcdf_zarrout_kind {
    PCDF_ZARROUT_NONE,
    PCDF_ZARROUT_2,  /* version 2, with the names of dimensions as xarray has them */
    PCDF_ZARROUT_NC, /* version 2 with NCZarr's attributes, as netCDF-C 4.9.0 reads it */
    PCDF_ZARROUT_3
};

struct pcdf_zarrout_codecs {
    int deflate, zstd; /* levels; 0: none, and not both */
    bool shuffle;      /* version 2: numcodecs' filter */
};

struct pcdf_zarrout {
    const struct pcdf_tool_ranks *ranks;
    const char *to; /* a path, or a URL file://...#mode=... */
    bool replace;   /* a store that is there */
    enum pcdf_zarrout_kind kind;
    const struct pcdf_meta *meta; /* a record dimension has a length like any other */
    int64_t *const *chunks;       /* by variable: lengths of a chunk, not for scalars */
    int64_t *const *shards;       /* by variable: lengths of a shard, whole chunks; an entry may be NULL */
    struct pcdf_zarrout_codecs codecs;
    bool header_only; /* no values: all are fill */
    /* A box of values in external form, one after another; says what is wrong. */
    int (*read)(void *context, int varid, const int64_t *start, const int64_t *count, void *values);
    void *context;
    struct pcdf_tool_progress *progress;
    int64_t bytes; /* out: values moved by this rank */
};

/* Collective: the whole store, or nothing. The same arguments on all ranks, but for `context`. Says what is
 * wrong, the same status on all. */
int pcdf_zarrout_write_all(struct pcdf_zarrout *out);
/* The chain of codecs of values of that many bytes. */
void pcdf_zarrout_chain(const struct pcdf_zarrout *out, int size, struct pcdf_chain *chain);
/* Local. Why this cannot become a store of the kind; said, UNUSABLE. */
int pcdf_zarrout_check(const struct pcdf_zarrout *out);

/* zarrmeta.c: all metadata, on one rank, when all chunks are there. name: the folder. */
int pcdf_zarrmeta_write(const struct pcdf_zarrout *out, const char *name);
/* Does the store say a value for what is not written? */
bool pcdf_zarrmeta_has_fill(const struct pcdf_zarrout *out, const struct pcdf_var *var);

/* zarrencode.c: this rank's share of the chunks. */
int pcdf_zarrencode_write(struct pcdf_zarrout *out, const char *name);
#endif
