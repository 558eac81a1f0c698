#ifndef PCDF_STOREDOPTIONS_H
#define PCDF_STOREDOPTIONS_H
/* Hints pcdf_chunks and pcdf_compress, read: how the variables of a whole file are to be stored.
 *
 * pcdf_chunks is "auto", or items with commas between them: BYTES, about the size of a chunk, as in 8MiB;
 * DIMENSION:LENGTH, the length of chunks along the dimension of that name. pcdf_compress is "none", or codecs
 * with commas between them: shuffle, fletcher32, and one of deflate:LEVEL, zstd:LEVEL.
 *
 * They are for variables of 16 KiB and more (of one record, where they have records): smaller ones become no
 * smaller file by it. */

#include "codecs.h"

enum { PCDF_OPTIONS_TEXT = 256, PCDF_OPTIONS_DIMS = 32, PCDF_OPTIONS_LEAST = 16384 };

struct pcdf_stored_dim {
    int name, name_length; /* in `chunks` */
    int64_t length;
};

struct pcdf_stored_options {
    char chunks[PCDF_OPTIONS_TEXT], compress[PCDF_OPTIONS_TEXT]; /* as they were given; "": nothing */
    int64_t bytes;                                               /* about so many a chunk; 0: default */
    int ndims;
    struct pcdf_stored_dim dims[PCDF_OPTIONS_DIMS];
    struct pcdf_chain chain; /* shuffle: without the bytes of an element */
};

/* Each by itself: on failure, NC_EINVAL with a sentence, the options is as before. A codec that this library
 * lacks is no failure here. */
int pcdf_options_read_chunks(struct pcdf_stored_options *options, const char *text);
int pcdf_options_read_compress(struct pcdf_stored_options *options, const char *text);
/* Both, from hints. Of one that cannot be read a sentence tells (pcdf_debuglog_tell), if this rank is the one
 * that speaks, and it is not used. */
struct pcdf_hints;
void pcdf_options_read_hints(struct pcdf_stored_options *options, const struct pcdf_hints *hints);
/* The length along a dimension of this name; 0: nothing is said of it. */
int64_t pcdf_options_length(const struct pcdf_stored_options *options, const char *name);
#endif
