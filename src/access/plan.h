#ifndef PCDF_PLAN_H
#define PCDF_PLAN_H
/* Requests, one or many of one direction, become rounds of sorted extents. The plan keeps 24 bytes for each
 * hyperslab and nothing for a piece: blocks are produced in file order while the rounds are made, so memory
 * is bounded whatever the request. Blocks that touch or overlap become one piece; of overlapping puts the
 * later request wins, overlapping gets are read once and copied. */

#include "extents.h"
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
};

struct pcdf_plan {
    struct pcdf_request *const *requests;
    const struct pcdf_place *places;
    int nrequests;
    struct pcdf_item *items; /* one for each hyperslab that is not empty, sorted by offset */
    size_t nitems, next;     /* next: the first item that was not begun */
    struct pcdf_lane *lanes; /* the items begun: a heap by offset */
    size_t nlanes, lanes_room;
    int max_ndims;
    int64_t nbytes; /* of all requests */
};

/* NC_ENOMEM; the plan is then empty and needs no free. Requests, in the order they were posted, and the
 * places that they name stay the caller's and must outlive the plan.
 */
int pcdf_plan_build(struct pcdf_plan *plan, struct pcdf_request *const *requests, int n,
                    const struct pcdf_place *places);
void pcdf_plan_free(struct pcdf_plan *plan);

/* The next round: at most limits->bytes bytes and limits->pieces pieces. round->n is 0 when all is done.
 * NC_ENOMEM: the plan can only be rewound or freed. */
int pcdf_plan_round(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *round);
bool pcdf_plan_is_done(const struct pcdf_plan *plan);
void pcdf_plan_rewind(struct pcdf_plan *plan);

struct pcdf_survey {
    int64_t rounds, pieces; /* a piece that goes on in the next round counts once */
    int64_t nbytes;         /* of all rounds: what must be moved */
};

/* Looks ahead: how many rounds and pieces the plan has. Afterwards `first` is the first round and the plan
 * stands behind it. NC_ENOMEM. */
int pcdf_plan_survey(struct pcdf_plan *plan, const struct pcdf_round_limits *limits, struct pcdf_round *first,
                     struct pcdf_survey *survey);
void pcdf_round_free(struct pcdf_round *round);

/* Staged bytes: stage[0 .. round->nbytes). */
void pcdf_round_pack(const struct pcdf_plan *plan, struct pcdf_round *round, unsigned char *stage);
void pcdf_round_unpack(const struct pcdf_plan *plan, const struct pcdf_round *round,
                       const unsigned char *stage);
#endif
