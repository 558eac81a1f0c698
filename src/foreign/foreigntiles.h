#ifndef PCDF_FOREIGNTILES_H
#define PCDF_FOREIGNTILES_H
/* The variables of a copy cut into tiles: boxes of about 4 MiB, whole chunks of whichever file has chunks, so
 * that no chunk is compressed or expanded twice. */

#include "copychunks.h"
#include "copyplan.h"
#include "foreign.h"

enum { PCDF_FOREIGN_TILE = 4 << 20 }; /* bytes of a tile, unless one chunk has more */

struct pcdf_foreign_tiles {
    const struct pcdf_copy_plan *plan;
    int64_t *const *chunks; /* by variable of the copy; entries may be NULL */
    int64_t *shape, *tile;  /* of the variable that it stands in */
    int varid, number;
    struct pcdf_foreign_slab slab; /* the tile: in the copy's coordinates; strides are 1 */
    bool begun;
};

/* Says that memory is lacking and gives UNUSABLE. */
int pcdf_foreign_tiles_begin(struct pcdf_foreign_tiles *tiles, const struct pcdf_copy_plan *plan,
                             int64_t *const *chunks);
/* The next tile: varid, slab and number (0, 1, 2...); false: all are done. */
bool pcdf_foreign_tiles_next(struct pcdf_foreign_tiles *tiles);
void pcdf_foreign_tiles_end(struct pcdf_foreign_tiles *tiles);
/* Bytes of the largest tile that there is. */
int64_t pcdf_foreign_tiles_bytes(const struct pcdf_copy_plan *plan, int64_t *const *chunks);
#endif
