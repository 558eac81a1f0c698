#ifndef PCDF_JOINCHUNK_H
#define PCDF_JOINCHUNK_H
/* A piece of the new file, as its bytes will be, put together in memory from all tiles that it meets. Local.
 */

#include "joinplan.h"

enum { PCDF_JOIN_PIECE = 1 << 20 }; /* bytes read at once */

struct pcdf_join_part {     /* a box of one variable in a chunk */
    int var;                /* of the first file */
    int64_t at;             /* where its first value is among the bytes */
    int64_t *start, *count; /* in the new file */
    int64_t *steps;         /* bytes from one index to the next, in the chunk */
};

struct pcdf_join_chunk {
    unsigned char *bytes;
    int64_t n;  /* its bytes */
    int nparts; /* several: of whole records */
    struct pcdf_join_part *parts;
};

struct pcdf_join_maker {
    const struct pcdf_join_plan *plan;
    unsigned char *piece; /* PCDF_JOIN_PIECE */
    unsigned char *mask;  /* by byte of a chunk whose tiles overlap: it is there */
    int64_t nmask;        /* bytes of it */
    int64_t *room;        /* numbers by dimension, of what is moved now */
    int most;             /* dimensions of a variable */
};

/* Says that memory is lacking; then there is nothing to end. */
int pcdf_join_maker_begin(struct pcdf_join_maker *maker, const struct pcdf_join_plan *plan);
void pcdf_join_maker_end(struct pcdf_join_maker *maker);
/* All bytes of a chunk. Says what is wrong. */
int pcdf_join_make(struct pcdf_join_maker *maker, struct pcdf_join_chunk *chunk);
/* Bytes from one index of a variable to the next in the new file. */
void pcdf_join_steps(const struct pcdf_join_plan *plan, int var, int64_t *steps);
#endif
