#ifndef PCDF_TWOPHASE_H
#define PCDF_TWOPHASE_H
/* Transfers together by our own hands. The bytes that a call is about are shared out to aggregators, each a
 * stretch of the file, its domain. It is gone through in rounds, a window of each domain at a time: every
 * rank packs its elements straight to where they belong in the windows, in memory that a node shares; between
 * nodes the aggregators of equal number send each other what lies in the other's domain. Then each aggregator
 * moves the runs of bytes that are there by explicit offsets, counted, near ones by one call (sieve.h).
 * Windows in which nobody has anything are skipped. */

#include "bytemap.h"
#include "iterator.h"
#include "nodes.h"
#include "sieve.h"

struct pcdf_sharedfile;

struct pcdf_twophase {    /* beside an open file; stripes and wish are set by the owner */
    int64_t stripe;       /* of the file system, 0: not known */
    int64_t stripe_count; /* 0: not known */
    struct pcdf_nodes_wish wish;
    bool has_looked;          /* for nodes, before the first transfer; the same on all ranks */
    struct pcdf_nodes *nodes; /* NULL: none that can be used */
};

/* Collective, of more than one rank. all: from the first to the last byte of any rank. *moved: bytes of this
 * rank's elements that were accepted, or brought. On failure the code says why; whoever has no bytes in the
 * part that failed succeeds. Where nothing can be shared each rank moves its own pieces (independent.h), by
 * the stage. */
int pcdf_twophase_all(struct pcdf_sharedfile *f, const struct pcdf_iterator *it, const struct pcdf_span *all,
                      const struct pcdf_stage *stage, int64_t *moved);
/* The file is closed. Local. */
void pcdf_twophase_end(struct pcdf_twophase *x);

/* ---- within one transfer (internode.c takes part) */

enum { PCDF_ROUNDS_LISTS = 9 };

struct pcdf_rounds {
    struct pcdf_sharedfile *f;
    struct pcdf_nodes *nodes;
    const struct pcdf_iterator *it;
    struct pcdf_span all;
    int domains;                  /* so many aggregators have one; of each: */
    int64_t *begin, *end;         /* its domain */
    int64_t *next;                /* where this rank's next element in it begins; INT64_MAX: none */
    int64_t *window, *window_end; /* of this round; INT64_MAX and INT64_MIN: none */
    int64_t *old_window;          /* where that of the round before begins */
    int64_t *from;                /* where this rank's part of the window begins; INT64_MAX: none */
    int64_t *packed;              /* bytes that this rank packed into it or unpacked from it */
    int64_t *failed;              /* codes, positive */
    int buffer;                   /* in use */
    bool overlaps;                /* this aggregator saw bytes that several ranks of its node have */
    bool in_turn;                 /* ranks pack one after the other */
    struct pcdf_bytemap map;      /* of the aggregator's own window */
    struct pcdf_sieve sieve;
    int status; /* this rank's */
};

/* Between nodes, by the aggregators alone. collect: what this node's ranks listed for the others' windows
 * goes there, what theirs listed for this rank's comes in, and is added to its map; with_bytes: of a put,
 * with the bytes. answer: once the windows of a get were read, their bytes go to those who want them. */
int pcdf_internode_collect_all(struct pcdf_rounds *r, int buffer, bool with_bytes);
int pcdf_internode_answer_all(struct pcdf_rounds *r, int buffer);
#endif
