#ifndef PCDF_PLAN_H
#define PCDF_PLAN_H
/* Requests, one or many of one direction, become sorted extents, by rounds of bounded size or by windows of
 * the file. The plan keeps 24 bytes for each hyperslab and nothing for a piece: blocks are produced in file
 * order on the way, so memory is bounded whatever the request. Blocks that touch or overlap become one piece;
 * of overlapping puts the later request wins, overlapping gets are read once and copied. */

#include "extents.h"
#include "items.h"
#include "request.h"

struct pcdf_round_limits {
    int64_t bytes; /* a multiple of 8 */
    size_t pieces; /* as many ops, too */
};

struct pcdf_op { /* elements of one request that stand in the staged bytes */
    int64_t element, n;
    int64_t stage; /* where they begin in the staged bytes */
    int request;
};

struct pcdf_round {
    int64_t *offset, *length; /* pieces: sorted, disjoint, not touching */
    size_t n, room;
    struct pcdf_op *ops;
    size_t nops, ops_room;
    int64_t nbytes; /* of all pieces */
    bool overlaps;  /* some bytes belong to more than one op */
    struct {
        int64_t offset, length;
        struct pcdf_op op;
    } single; /* where the arrays begin; so a round is not to be copied */
};

struct pcdf_plan {
    struct pcdf_request *const *requests;
    const struct pcdf_var_layout *places;
    int nrequests;
    int64_t nbytes; /* of all requests */
    /* What follows is items.c's, sweep.c's and plan.c's. */
    struct pcdf_item *items; /* sorted by offset; one for each hyperslab that is not empty, or for several of
                                one request that are one block together */
    struct pcdf_item single; /* where there is only one */
    size_t nitems, next;     /* next: the first item that was not begun */
    struct pcdf_walk *walks; /* of the lanes */
    struct pcdf_lane *lanes; /* the items begun: a heap by offset */
    size_t nlanes, lanes_room;
    int max_ndims;
    int64_t settled_from, settled_to; /* the sweep stands where a seek to any of these offsets leads */
    bool knows_ends;
    struct pcdf_ends *ends; /* of the items; NULL: none reaches the next one */
};

/* NC_ENOMEM; the plan is then empty and needs no free. Requests, in the order they were posted, and the
 * places that they name stay the caller's and must outlive the plan, which must not be copied.
 */
int pcdf_plan_build(struct pcdf_plan *plan, struct pcdf_request *const *requests, int n,
                    const struct pcdf_var_layout *places);
void pcdf_plan_free(struct pcdf_plan *plan);

struct pcdf_outline {
    int64_t nbytes;     /* of all requests */
    int64_t begin, end; /* first byte, end of the last; both 0 when there is nothing */
    int64_t pieces;     /* exact where each hyperslab is one block and none overlap; else at most so many */
    bool overlaps_possible; /* some hyperslab begins before another's end: they interleave or overlap */
};

/* What the plan holds, without walking it. */
void pcdf_plan_outline(const struct pcdf_plan *plan, struct pcdf_outline *outline);

/* The next round: at most limits->bytes bytes and limits->pieces pieces. round->n is 0 when all is done. Goes
 * on where the last round or window ended.
 * NC_ENOMEM: the plan can only be rewound or freed. */
int pcdf_plan_round(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *round);
bool pcdf_plan_is_done(const struct pcdf_plan *plan);
void pcdf_plan_rewind(struct pcdf_plan *plan);

/* The elements that begin in [from, to), 0 <= from, whatever was given before: at most `pieces` (> 0) pieces,
 * and as many ops. The round's stage is the file's window, bytes in place: an op's `stage` is counted from
 * `from`. An element that begins before `to` may end up to 7 bytes behind it. Where pieces run out the window
 * ends earlier: what begins before *next was given, and nothing else. Requests that overlap stay in one
 * round, also when that takes more ops. *next: where the next element that was not given begins, INT64_MAX:
 * none. Windows that follow each other, or begin where pcdf_plan_next was asked for, cost no seeking; others
 * a look-up of the hyperslabs there. NC_ENOMEM: nothing was given. */
int pcdf_plan_window(struct pcdf_plan *plan, int64_t from, int64_t to, size_t pieces,
                     struct pcdf_round *round, int64_t *next);
/* Where the first element that begins at or after `from` begins, INT64_MAX: none. Without memory to look it
 * is `from`; the window there will fail. */
int64_t pcdf_plan_next(struct pcdf_plan *plan, int64_t from);

struct pcdf_survey {
    int64_t rounds, pieces; /* a piece that goes on in the next round counts once */
    int64_t nbytes;         /* of all rounds: what must be moved */
};

/* Looks ahead: how many rounds and pieces the plan has. Afterwards `first` is the first round and the plan
 * stands behind it. NC_ENOMEM. */
int pcdf_plan_survey(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *first,
                     struct pcdf_survey *survey);
/* Room for n pieces and as many ops. NC_ENOMEM: unchanged, but perhaps for the room. */
int pcdf_round_reserve(struct pcdf_round *round, size_t n);
void pcdf_round_free(struct pcdf_round *round);

/* Staged bytes: stage[0 .. round->nbytes), of a window [0 .. to - from + 7). */
void pcdf_round_pack(const struct pcdf_plan *plan, struct pcdf_round *round, unsigned char *stage);
void pcdf_round_unpack(const struct pcdf_plan *plan, const struct pcdf_round *round,
                       const unsigned char *stage);
#endif
