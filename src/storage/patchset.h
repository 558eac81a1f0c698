#ifndef PCDF_PATCHSET_H
#define PCDF_PATCHSET_H
/* Bytes at offsets, kept in memory until they are moved: later ones win. Those that lie side by side in the
 * file and in memory are one patch; others that touch are told as one piece. Bytes that are kept already are
 * changed where they are, so patches never overlap. To find one takes time by the logarithm of their number,
 * and each takes 32 bytes beside its own. Local; one thread at a time. */

#include "array.h"
#include "iterator.h"

struct pcdf_patch;
struct pcdf_patch_block;

struct pcdf_patchset { /* zeros, with a limit: an empty one */
    /* Most bytes of memory, with what patches need beside their bytes; and those that it has. */
    int64_t limit, held;
    /* How many bytes are kept, and where the last one ends. */
    int64_t nbytes, end;
    /* ---- its own. The first patch has no bytes, and is before all others. */
    struct pcdf_patch *x;
    uint32_t n, room;
    /* The tree's root, 0: it is empty; the patch that was found last. */
    uint32_t root, last;
    /* Their bytes: the first block, the one that is filled, the last one. */
    struct pcdf_patch_block *blocks, *block, *newest;
    char *tail;          /* where the next bytes go */
    int64_t left, spare; /* room there, and in the blocks after it */
    uint32_t spares;     /* so many blocks */
    struct {             /* the last peek */
        PCDF_ARRAY(struct pcdf_piece) pieces;
        int64_t from;
        bool is_packed;
    } peeked;
};

struct pcdf_patchset_need { /* zeros, then measured */
    int64_t bytes, gaps;    /* that are in no patch yet */
    int64_t end;            /* where the last of these pieces ends */
    bool overlaps;          /* some begin before others' ends */
};

/* A put in three steps: all pieces are measured, then there is room for them, or all is as it was
 * (NC_ENOMEM); then each is put, in the order in which they were measured. */
void pcdf_patchset_measure(struct pcdf_patchset *p, const struct pcdf_piece *piece,
                           struct pcdf_patchset_need *need);
int pcdf_patchset_reserve(struct pcdf_patchset *p, const struct pcdf_patchset_need *need);
void pcdf_patchset_put(struct pcdf_patchset *p, const struct pcdf_piece *piece);
/* Does it have all bytes of the piece? */
bool pcdf_patchset_covers(struct pcdf_patchset *p, const struct pcdf_piece *piece);
/* Copies to the piece's memory what it has of it. Returns how many bytes these are, without those before
 * `there` (from the piece's begin). */
int64_t pcdf_patchset_lay_over(struct pcdf_patchset *p, const struct pcdf_piece *piece, int64_t there);
/* For a put of all that is kept (iterator.h). Each byte is an element. Good until the next put. */
struct pcdf_iterator pcdf_patchset_iterator(struct pcdf_patchset *p);
/* Nothing is kept, and no memory held. */
void pcdf_patchset_forget(struct pcdf_patchset *p);
#endif
