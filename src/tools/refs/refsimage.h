#ifndef PCDF_REFSIMAGE_H
#define PCDF_REFSIMAGE_H
/* References to the chunks of files of other formats, as their images know them: Zarr's words for how a
 * variable is stored. Local. */

#include "tooljson.h"
#include "varview.h"

struct pcdf_refs_image {
    const struct pcdf_image *image;
    struct pcdf_views views;
    struct pcdf_store *archive; /* that has the chunks as its objects; NULL: none */
    const char *url;            /* where readers find the file; NULL: where it is */
    int64_t chunk_bytes;        /* what is stored in one piece is cut into chunks of about so many */
};

/* Of the image that `refs` has. Says what is wrong, UNUSABLE; then there is nothing to end. */
int pcdf_refs_image_begin(struct pcdf_refs_image *refs, const char *path);
void pcdf_refs_image_end(struct pcdf_refs_image *refs);
/* Why references cannot tell of this variable; NULL: they can. Looks at the place of each chunk. */
const char *pcdf_refs_image_flaw(const struct pcdf_refs_image *refs, int varid);
/* The keys of .zarray. */
void pcdf_refs_image_array(const struct pcdf_refs_image *refs, int varid, struct pcdf_json *json);
/* A reference for each chunk that is there. UNUSABLE, said: no memory. */
int pcdf_refs_image_chunks(const struct pcdf_refs_image *refs, int varid, struct pcdf_json *json);
/* Dimensions that the array has: texts are values there. */
int pcdf_refs_image_dims(const struct pcdf_refs_image *refs, int varid);
#endif
