#ifndef PCDF_REFSIMAGE_H
#define PCDF_REFSIMAGE_H
/* References to the chunks of files of other formats, as their images know them: Zarr's words for how a
 * variable is stored. Local. */

#include "refsout.h"
#include "varview.h"

struct pcdf_refs_image {
    const struct pcdf_image *image;
    struct pcdf_views views;
    struct pcdf_store *objects; /* that has the chunks as its objects, near; NULL: none */
    bool is_archive;            /* they are parts of one file */
    const char *url;            /* where readers find the file; NULL: where it is */
    int64_t chunk_bytes;        /* what is stored in one piece is cut into chunks of about so many */
    /* Of files that are joined: their dimension along which, and its length in all; -1: one file. Whether all
     * of them have all chunks. */
    int along;
    int64_t length;
    bool is_complete;
    /* What is stored in one piece is cut into chunks of rows that divide this number, which divides the
     * length in each of the files; 0: it is a chunk as it is. */
    int64_t divisor;
};

/* Of the image that `refs` has. Says what is wrong, UNUSABLE; then there is nothing to end. */
int pcdf_refs_image_begin(struct pcdf_refs_image *refs, const char *path);
void pcdf_refs_image_end(struct pcdf_refs_image *refs);
/* Why references cannot tell of this variable; NULL: they can. Looks at the place of each chunk. */
const char *pcdf_refs_image_reason(const struct pcdf_refs_image *refs, int varid);
/* The keys of .zarray. */
void pcdf_refs_image_array(const struct pcdf_refs_image *refs, int varid, struct pcdf_json *json);
/* Bytes of a chunk as it is stored, decoded. */
int64_t pcdf_refs_image_chunk_bytes(const struct pcdf_refs_image *refs, int varid);
/* Has every value of the array a chunk? */
bool pcdf_refs_image_is_complete(const struct pcdf_refs_image *refs, int varid);
/* Length of a chunk along dimension `dim` of the array. */
int64_t pcdf_refs_image_step(const struct pcdf_refs_image *refs, int varid, int dim);
/* A reference for each chunk that is there, of the array that `out` has begun. UNUSABLE, said: no memory. */
int pcdf_refs_image_chunks(const struct pcdf_refs_image *refs, int varid, struct pcdf_refs_out *out);
/* Dimensions that the array has: texts are values there. */
int pcdf_refs_image_dims(const struct pcdf_refs_image *refs, int varid);
#endif
