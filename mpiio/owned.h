#ifndef PCDF_OWNED_H
#define PCDF_OWNED_H
/* What one owner of stripes does with the pieces of all ranks that lie in them: it puts them in rising order
 * and moves neighbours in one call at an explicit offset. A put writes the pieces and nothing between. No
 * MPI and no allocation here. */

#include <stdbool.h>
#include "extents.h"

struct pcdf_piece {
    int64_t offset, length;
};

struct pcdf_placed { /* a piece, whose it is, and where its bytes are or go */
    struct pcdf_piece at;
    char *bytes;
    int rank;
};

struct pcdf_stripes { /* the file in stripes, dealt to the ranks in turn */
    int64_t width;
    int ranks;
};

struct pcdf_walk { /* through a rank's own pieces, cut where the owner changes; zero at the start */
    size_t i;
    int64_t inside; /* bytes of piece i that are done */
    int64_t at;     /* bytes of all pieces that are done: where the next stands in x->data */
    int64_t end;    /* of the stripe that the last piece lay in */
    int owner;
};

/* False at the end. */
bool pcdf_walk_next(const struct pcdf_extents *x, const struct pcdf_stripes *s, struct pcdf_walk *w,
                    struct pcdf_piece *p);

struct pcdf_lane_in { /* the pieces of one rank, which rise, and their bytes one after another */
    const struct pcdf_piece *next, *end;
    char *bytes;
    struct pcdf_placed now;
    struct pcdf_walk walk; /* instead, for the owner's own pieces, which stay where the user has them */
};

struct pcdf_mover { /* moves one piece at an explicit offset, alone; all of it or an error */
    void *file;
    int (*put)(void *file, const char *data, int64_t length, int64_t offset);
    int (*get)(void *file, char *data, int64_t length, int64_t offset, int64_t *got);
};

struct pcdf_answer { /* to one rank: a code when something failed, as a positive number; bytes moved */
    int64_t failed, moved;
};

struct pcdf_owned {
    const struct pcdf_extents *x; /* the owner's own */
    struct pcdf_stripes stripes;
    int me;
    struct pcdf_lane_in *lanes; /* one for each rank that may have pieces here: a heap by offset */
    int nlanes;
    struct pcdf_placed *order; /* room for all pieces */
    int64_t n;
    char *window;
    int64_t window_size;
};

/* o->nlanes is 0 at first: all pieces of `rank` here. For the owner's own, pieces is NULL. */
void pcdf_owned_add(struct pcdf_owned *o, int rank, const struct pcdf_piece *pieces, int64_t n, char *bytes);
/* Moves all pieces that were added, or, where none was, the n that stand in order. answers[rank] of each rank
 * is told. After a failure the rest is not tried: on a full disk that would be a wait for each piece. */
void pcdf_owned_move(struct pcdf_owned *o, const struct pcdf_mover *mover, struct pcdf_answer *answers);
#endif
