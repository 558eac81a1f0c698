#ifndef PCDF_PLAN_H
#define PCDF_PLAN_H
/* Requests, one or many of one direction, become pieces of the file that rise and do not touch, which a
 * strategy pulls (iterator.h): packed, by parts of bounded size, or by windows of the file in any order. The
 * plan keeps 24 bytes for each hyperslab and nothing for a piece: blocks are produced in file order on the
 * way, so memory is bounded whatever the request. Blocks that touch or overlap become one piece; of
 * overlapping puts the later request wins, overlapping gets are read once and copied. */

#include "items.h"
#include "iterator.h"
#include "request.h"

struct pcdf_op { /* elements of one request, and where they stand */
    int64_t element, n;
    int64_t position; /* in the packed bytes; in place: behind where the look began */
    int request;
};

struct pcdf_peeked { /* what was peeked at last */
    struct pcdf_piece *pieces;
    struct pcdf_op *ops;
    size_t n, nops, room; /* room: for as many of each */
    size_t most;          /* pieces that the look may be given */
    int64_t from, nbytes;
    bool is_packed, overlaps; /* overlaps: some bytes belong to several ops */
    bool again;               /* what does not fit was counted */
    bool streams;             /* they go to the write queue, past the cache */
    bool is_direct;           /* the pieces' bytes lie in the user's memory: there is nothing to copy */
    struct pcdf_piece piece;  /* where there is only one */
    struct pcdf_op op;
};

struct pcdf_plan { /* not to be copied */
    struct pcdf_iterator iterator;
    bool overlaps_possible; /* some hyperslab begins before another's end: they interleave or overlap */
    int64_t file_end;       /* of gets: elements that do not end before it are missing. INT64_MAX: none is */
    struct pcdf_misfits misfits; /* of what was copied so far */
    /* What follows is plan.c's and sweep.c's. */
    struct pcdf_request *const *requests;
    struct pcdf_var_layout *layouts;
    struct pcdf_item *items; /* sorted by offset; one for each hyperslab that is not empty, or for several of
                                one request that are one block together */
    struct pcdf_item single; /* where there is only one */
    size_t nitems, next;     /* next: the first item that was not begun */
    struct pcdf_walk *walks; /* of the lanes */
    struct pcdf_lane *lanes; /* the items begun: a heap by offset */
    size_t nlanes, lanes_room;
    int max_ndims;
    int64_t sweep_from, sweep_to; /* the sweep stands where a seek to any of these offsets leads */
    struct pcdf_ends *ends;       /* of the items, once needed: where hyperslabs overlap */
    struct pcdf_peeked peeked;
};

/* NC_ENOMEM; the plan needs no free then. n requests of one direction, n > 0, in the order they were posted,
 * and the layouts that they name stay the caller's and must outlive the plan. The iterator has what the plan
 * holds: its pieces are exact where each hyperslab is one block and none overlap, else at most so many.
 * Memory for the first looks is there. */
int pcdf_plan_build(struct pcdf_plan *plan, enum pcdf_dir dir, struct pcdf_request *const *requests, int n,
                    const struct pcdf_var_layouts *layouts);
void pcdf_plan_free(struct pcdf_plan *plan);

/* Are all chunks that the plan touches one owner's (cells.h)? */
bool pcdf_plan_is_of_owner(const struct pcdf_plan *plan, int owner, int owners);
#endif
