#ifndef PCDF_COPYTILES_H
#define PCDF_COPYTILES_H
/* The variables of a copy cut into tiles: boxes of about 4 MiB, of whole chunks of whichever file has chunks,
 * so that no chunk is compressed or expanded twice. Local; the same on all ranks. */

#include "copyplan.h"
#include "toolgrid.h"

enum { PCDF_COPY_TILE = 4 << 20 }; /* bytes of a tile, unless one chunk has more */

struct pcdf_copy_tiling {
    const struct pcdf_meta *meta;     /* of the copy */
    const struct pcdf_copy_cut *cuts; /* chunks are those of the input; NULL: they are the copy's own */
    int64_t *const *chunks;           /* by variable; NULL: none, where an entry is NULL: whole rows */
    const bool *chosen;               /* by variable; NULL: all */
    bool splits;                      /* a chunk of more than a tile becomes several, of one unit */
};

struct pcdf_copy_tiles {
    struct pcdf_copy_tiling how;
    int varid;
    int64_t unit;                 /* 0, 1, 2...: what one rank reads, so that no two ranks read a chunk */
    const int64_t *start, *count; /* the tile, in the copy's coordinates */
    int64_t n;                    /* its values */
    /* where it stands */
    struct pcdf_grid units, parts;      /* units: in the coordinates of the chunks */
    int64_t *shape, *low, *span, *step; /* of the variable; of what is cut up now, and how */
    int64_t *least;                     /* what is not cut: a chunk, a value */
    bool is_aligned;                    /* to chunks of the input */
    bool in_unit;
};

/* Says that memory is lacking and gives UNUSABLE; then end is called, too. how: what it points to stays. */
int pcdf_copy_tiles_begin(struct pcdf_copy_tiles *tiles, struct pcdf_copy_tiling how);
/* The next tile; false: all are done. */
bool pcdf_copy_tiles_next(struct pcdf_copy_tiles *tiles);
void pcdf_copy_tiles_end(struct pcdf_copy_tiles *tiles);
/* Bytes of the largest tile that there may be. */
int64_t pcdf_copy_tiles_bytes(const struct pcdf_copy_tiling *how);
#endif
