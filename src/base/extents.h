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

/* What a rank moves in one transfer together, asked for by stretches of the file in any order, so that nobody
 * lists or holds all of it. Elements are never cut: one belongs to the stretch in which it begins. */
struct pcdf_flow {
    enum pcdf_dir dir;
    int64_t nbytes;     /* of all pieces; 0: this rank moves nothing, and the functions are not called */
    int64_t pieces;     /* about so many */
    int64_t begin, end; /* of this rank's bytes */
    int64_t begin_all, end_all; /* of all ranks' bytes; the same on all ranks */
    void *context;
    /* Where the first element at or behind `from` begins; INT64_MAX: there is none. */
    int64_t (*next)(void *context, int64_t from);
    /* The elements that begin in [from, to): at most `room` pieces, which *x lists until the next call (its
     * data is NULL). All elements before *next were given; INT64_MAX: none is left. NC_ENOMEM. */
    int (*look)(void *context, int64_t from, int64_t to, size_t room, struct pcdf_extents *x, int64_t *next);
    /* The bytes of what was looked at last: a put's into the window, a get's out of it. window: where the
     * byte at the last look's `from` lies. */
    int (*move)(void *context, char *window);
    /* All of it is moved once more, from the start: what was counted counts no more. NULL: nothing is
     * counted. */
    void (*again)(void *context);
};
#endif
