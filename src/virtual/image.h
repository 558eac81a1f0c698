#ifndef PCDF_IMAGE_H
#define PCDF_IMAGE_H
/* The image of a file of another format: the CDF-5 file with the same definitions, of which virtualstorage.c
 * shows the bytes, and where the values of each variable are. Rank 0 makes it (source.h), all ranks get it as
 * bytes. It is a value: no I/O, no MPI. */

#include "chunkmap.h"
#include "codecs.h"
#include "layout.h"
#include "meta.h"
#include "names.h"
#include "plugin.h"
#include "store.h"

/* The values of a variable. Without an element the variable is fill. */
struct pcdf_chunked {
    int ndims;      /* of the chunk grid; the image's variable has one more where texts are chars */
    int64_t *shape; /* as stored; along dimensions that can grow it may be less than the image's: the rest is
                       fill. Owned, as is chunk */
    int64_t *chunk; /* of each dimension, > 0 */
    int *order;     /* stored order of the dimensions within a chunk (slowest first); NULL: C order. Owned */
    enum pcdf_stored stored;
    int size; /* bytes of an element as stored */
    bool is_big;
    bool is_contiguous;     /* HDF5: one run, whatever `chunk` says */
    int chain;              /* in pcdf_image.chains; -1: none */
    unsigned char fill[16]; /* one value in external form (big-endian), of the image's type; texts: NULs */
    struct pcdf_chunkmap map;
};

struct pcdf_image_store {
    char *name; /* path or URL, with nothing secret. Owned */
    struct pcdf_bond bond;
    char *known_as; /* while it is made: the name with its secrets, by which it is found */
    struct pcdf_pin pin;
};

struct pcdf_image {
    enum pcdf_source_kind kind;
    struct pcdf_meta meta; /* version CDF-5 */
    struct pcdf_layout layout;
    bool is_lent; /* meta, layout: the open file's (pcdf_shown_lend) */
    /* Owned. The encoded header, for those who read the image as bytes; the first bytes of a far file. */
    unsigned char *header;
    int64_t header_size;
    struct pcdf_chunked *vars; /* as many as meta has */
    int nvars;
    struct pcdf_image_store *stores;
    int nstores;
    struct pcdf_chain *chains;
    int nchains;
    struct pcdf_names *of_stores, *of_chains; /* while it is made: which there are */
    char **chain_names;                       /* for of_chains: their contents as texts. Owned */
    char *left_out;        /* what has no place in the classic model, a line each. Owned; NULL: nothing */
    int64_t largest_chunk; /* bytes of the largest decoded chunk */
};

void pcdf_image_init(struct pcdf_image *image, enum pcdf_source_kind kind);
void pcdf_image_free(struct pcdf_image *image); /* all that it owns */
/* The index of a store, of a chain: added where there is none that is equal. NC_ENOMEM; NC_ENOTSUPPORT: more
 * chains than may be. */
enum { PCDF_MOST_CHAINS = 1 << 16 }; /* of different codecs in one file */
int pcdf_image_store(struct pcdf_image *image, const char *name, const struct pcdf_pin *pin, int *store);
/* The same of one that is open, so that others open it alike; of one that references name. */
int pcdf_image_store_open(struct pcdf_image *image, const struct pcdf_store *open, const struct pcdf_pin *pin,
                          int *store);
int pcdf_image_store_bound(struct pcdf_image *image, const char *name, const struct pcdf_bond *bond,
                           const struct pcdf_pin *pin, int *store);
int pcdf_image_chain(struct pcdf_image *image, const struct pcdf_chain *chain, int *number);
/* A line for what is left out (printf-like). Too many lines: the last one says how many. */
int pcdf_image_left_out(struct pcdf_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line of it: is something missing, or does it only have another name? These words tell. */
#define PCDF_IMAGE_IS_CALLED " is called "
#define PCDF_IMAGE_HERE      " here"
bool pcdf_image_is_loss(const char *line, size_t length);
/* When meta and vars are complete: their layout. NC_EVARSIZE and others of format/. */
int pcdf_image_finish(struct pcdf_image *image);
/* The header, for who reads an image as bytes; of one that has none. NC_ENOMEM. */
int pcdf_image_write_header(struct pcdf_image *image);
/* "netCDF-4 file" */
const char *pcdf_source_kind_name(enum pcdf_source_kind kind);
const char *pcdf_source_kind_article(enum pcdf_source_kind kind); /* "a" or "an", before its name */
/* NC_FORMAT_NETCDF4, NC_FORMAT_NETCDF4_CLASSIC */
int pcdf_source_kind_format(enum pcdf_source_kind kind);

/* imagebytes.c: between processes and ranks. Decoding trusts nothing: counts are proved by the bytes left,
 * products are checked, and what the header says is compared with the variables. NC_ENOMEM, NC_EREAD. */
int pcdf_image_encode(const struct pcdf_image *image, unsigned char **bytes, int64_t *n); /* pcdf_free */
int pcdf_image_decode(const unsigned char *bytes, int64_t n, struct pcdf_image *image);
/* The same checks of one that was made in this process. NC_EREAD. */
int pcdf_image_check(const struct pcdf_image *image);
#endif
