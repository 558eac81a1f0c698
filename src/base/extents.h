#ifndef PCDF_EXTENTS_H
#define PCDF_EXTENTS_H
/* The language between plans and engines: pieces of a file and one packed block of memory.
 * Pieces are sorted by offset, disjoint and do not touch; their bytes stand one after another in `data`. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_dir { PCDF_PUT, PCDF_GET };

struct pcdf_span { /* of bytes; of no bytes { INT64_MAX, 0 } */
    int64_t begin, end;
};

struct pcdf_piece {
    int64_t offset, length; /* in the file, bytes; length > 0 */
    char *data;             /* read from in a put, written to in a get */
};

struct pcdf_extents {
    enum pcdf_dir dir;
    size_t n;              /* pieces */
    const int64_t *offset; /* of each piece, bytes from the start of the file */
    const int64_t *length; /* of each piece, bytes, > 0 */
    char *data;            /* nbytes: read from in a put (never changed), written to in a get */
    int64_t nbytes;        /* sum of the lengths */
};
#endif
