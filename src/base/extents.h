#ifndef PCDF_EXTENTS_H
#define PCDF_EXTENTS_H
/* The language between plans and storages: pieces of a file, each with its memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_dir { PCDF_PUT, PCDF_GET };

struct pcdf_span { /* of bytes; of no bytes { INT64_MAX, 0 } */
    int64_t begin, end;
};

struct pcdf_piece {
    int64_t offset, length; /* in the file, bytes; length > 0 */
    char *data;             /* read from in a put (never changed), written to in a get */
};

struct pcdf_extents { /* what one operation of a storage moves */
    enum pcdf_dir dir;
    bool together;    /* all ranks at once, through a file view of each: the pieces are sorted by offset and
                         disjoint, and their bytes stand one after another; a rank may have none */
    bool may_queue;   /* a put: the storage may write the bytes later (writequeue.h) */
    bool by_thread;   /* not by a thread of the program: no function of MPI may be called */
    int64_t call_end; /* a get by an aggregator: where the bytes of the call end, of which others read theirs
                         (`domain` in storage.h); 0: of another one */
    size_t n;
    const struct pcdf_piece *pieces;
};
#endif
