#ifndef PCDF_REFSPART_H
#define PCDF_REFSPART_H
/* References to the variables of one file, whether classic or of another format; alone, or as a part of
 * arrays that several files have together. Local. */

#include "refsgrid.h"
#include "refsimage.h"
#include "toolfile.h"

struct pcdf_refs_options {
    int n;
    const char *const *paths;
    const char *along; /* joins several files; NULL: to be found */
    const char *url, *output;
    int64_t chunk_bytes, inline_bytes;
    bool replace;
};

struct pcdf_refs_part {
    const struct pcdf_refs_options *options;
    struct pcdf_tool_dataset *ds;
    char *url;                    /* of the file, or its path. Owned */
    struct pcdf_refs_image other; /* of another format; its image NULL: classic */
    int along;                    /* its dimension that joins several files; -1: one file */
    int64_t length;               /* of it, in all files */
};

/* along: of this file. Says what is wrong, UNUSABLE; then there is nothing to end. */
int pcdf_refs_part_begin(struct pcdf_refs_part *part, const struct pcdf_refs_options *options,
                         struct pcdf_tool_dataset *ds, int along, int64_t length);
void pcdf_refs_part_end(struct pcdf_refs_part *part);
/* Why references cannot tell of this variable; NULL: they can. */
const char *pcdf_refs_part_reason(const struct pcdf_refs_part *part, int varid);
/* Dimensions of its array. */
int pcdf_refs_part_dims(const struct pcdf_refs_part *part, int varid);
/* Length of a chunk along dimension `dim`. */
int64_t pcdf_refs_part_step(const struct pcdf_refs_part *part, int varid, int dim);
/* The text of .zarray, with the length that all files have. */
int pcdf_refs_part_array(const struct pcdf_refs_part *part, int varid, struct pcdf_refs_inner *text);
/* A reference for each chunk of this file, of the array that `out` has begun. */
int pcdf_refs_part_chunks(const struct pcdf_refs_part *part, int varid, struct pcdf_refs_out *out);
/* The whole variable, of one file or of several as one, written into the references as one chunk: the text of
 * .zarray, and the chunk. */
int pcdf_refs_whole_array(const struct pcdf_tool_dataset *ds, int varid, struct pcdf_refs_inner *text);
int pcdf_refs_whole_chunk(struct pcdf_tool_dataset *ds, int varid, struct pcdf_refs_out *out);
#endif
