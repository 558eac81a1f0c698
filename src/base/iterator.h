#ifndef PCDF_ITERATOR_H
#define PCDF_ITERATOR_H
/* What one rank moves in one call, pulled piece by piece by the strategy that moves it (mpiio/), so that
 * nobody lists or holds all of it. Elements are never cut: one belongs to the range of the file in which it
 * begins. */

#include "extents.h"

struct pcdf_batch_limits { /* what a strategy asks for: */
    int64_t from, to;      /* the elements that begin in [from, to), 0 <= from */
    size_t pieces;         /* at most so many pieces, > 0 */
    int64_t bytes; /* and so many bytes, a multiple of 8 (in one piece of the user's memory 64 times as many);
                      of `to` - `from` bytes in place: INT64_MAX */
    char *packed;  /* where the pieces' bytes stand one after another; NULL: in place, see copy */
    bool always;   /* also those that the user's memory holds as they are */
    bool streams;  /* a put's bytes are not read soon, so they may be stored past the cache */
    int64_t cut;   /* at most `bytes`: a block that is longer than the room is cut where the file is at a
                      multiple of this; 0: where the room ends */
    bool again;    /* a put's elements were packed before: the whole transfer is repeated */
};

struct pcdf_batch {            /* and what it gets: pieces that rise and do not touch. Until the next peek */
    struct pcdf_piece *pieces; /* data: in `packed`, or in the user's memory where that holds the file's bytes
                                  as they are; NULL in place */
    size_t n;
    int64_t nbytes; /* of the pieces */
    int64_t asked;  /* of the elements: more than nbytes where some overlap */
    int64_t next; /* where the next element that was not given begins: all before it were. INT64_MAX: none is
                     left */
};

struct pcdf_iterator {
    enum pcdf_dir dir;
    int64_t nbytes;     /* of all elements; 0: this rank moves nothing, and no function is called */
    int64_t pieces;     /* at most about so many */
    int64_t begin, end; /* of this rank's bytes; INT64_MAX and 0: nothing */
    void *context;
    /* Where the first element at or behind `from` begins; INT64_MAX: there is none. */
    int64_t (*next)(void *context, int64_t from);
    /* NC_ENOMEM: nothing was given. */
    int (*peek)(void *context, const struct pcdf_batch_limits *limits, struct pcdf_batch *batch);
    /* The elements of the last peek: a put's from the user's memory to `bytes`, a get's from there to the
     * user. bytes: `packed`; in place the window's byte at `from`, with room for 7 bytes behind `to`. */
    void (*copy)(void *context, char *bytes);
};

struct pcdf_stage { /* memory in which a strategy has the packed bytes of a batch */
    char *bytes;
    int64_t size;
    size_t pieces; /* at most so many at a time */
};
#endif
