#ifndef PCDF_VARVIEW_H
#define PCDF_VARVIEW_H
/* How the bytes of an image divide into variables, and each variable into chunks. Made when an image is
 * opened. Local. */

#include "image.h"

/* A variable. Elements are those that are stored: one of a text in UCS-4 is `width` chars of the image, other
 * texts are single bytes along one dimension more. Numbered in row-major order through all records. */
struct pcdf_varview {
    const struct pcdf_chunked *v;
    int id;
    int64_t begin, bytes; /* in the image: of all of it, or of record 0 */
    bool is_record;       /* and the others lie recsize behind each other */
    int ndims;
    int64_t *length; /* of each dimension in the image */
    int64_t *stride; /* elements of the image from one index to the next */
    int64_t *shape;  /* as stored: what lies behind it is fill */
    int64_t *chunk, *grid;
    int64_t *inner;  /* elements of a chunk from one index to the next */
    int elem, width; /* bytes of an element as stored, and in the image */
    int64_t elements, chunk_bytes, nchunks;
    bool has_tail; /* shape is less than length somewhere */
};

struct pcdf_views {
    const struct pcdf_image *image;
    struct pcdf_varview *vars; /* nvars of them */
    int *fixed, *records;      /* ids, by begin */
    int nfixed, nrecords;
    int64_t data_end; /* of the image */
    int64_t *lists;
};

/* Of a sound image, which outlives it. NC_ENOMEM. */
int pcdf_views_make(const struct pcdf_image *image, struct pcdf_views *views);
void pcdf_views_free(struct pcdf_views *views);

/* Is a chunk of this variable fetched as a whole, also where only a part of it is wanted? */
bool pcdf_views_come_whole(const struct pcdf_views *views, int varid);

/* What lies at an offset of the image's data: a variable (and its record), or nothing (NULL). *from: bytes
 * before the offset since the variable (of this record) began; *left: bytes to the end of what lies there. */
const struct pcdf_varview *pcdf_views_at(const struct pcdf_views *views, int64_t offset, int64_t *record,
                                         int64_t *from, int64_t *left);
#endif
