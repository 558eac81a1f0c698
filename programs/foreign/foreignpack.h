#ifndef PCDF_FOREIGNPACK_H
#define PCDF_FOREIGNPACK_H
/* Tiles as the chunks that HDF5 stores: shuffled and compressed, so that any rank can do it. Local. */

#include "copytiles.h"

struct pcdf_deflate;

struct pcdf_foreign_pack {
    int level;
    struct pcdf_grid grid;       /* of the chunks of a tile */
    int64_t *shape;              /* of one, as it is stored */
    int64_t *in_tile, *in_chunk; /* bytes from one index to the next */
    unsigned char *chunk, *shuffled;
    struct pcdf_deflate *deflate;
};

/* Room for tiles of these chunks. Says that memory is lacking; then end is called, too. */
int pcdf_foreign_pack_begin(struct pcdf_foreign_pack *pack, const struct pcdf_copy_tiling *how, int level);
void pcdf_foreign_pack_end(struct pcdf_foreign_pack *pack);
/* Bytes that a packed tile has at most. */
int64_t pcdf_foreign_pack_most(const struct pcdf_copy_tiling *how);

/* The values of a tile, in the order of this machine -> its chunks. What lies behind the variable's end is
 * its fill value. Gives the bytes. */
int64_t pcdf_foreign_pack_tile(struct pcdf_foreign_pack *pack, const struct pcdf_copy_tiles *tile,
                               const void *values, unsigned char *to);

struct pcdf_foreign_chunk { /* of a packed tile */
    const int64_t *start;
    const unsigned char *bytes;
    size_t n;
    bool is_compressed; /* shuffled it is in any case, where values have several bytes */
};

/* Goes through the chunks of a packed tile: before the first, then each; false: that was the last. */
void pcdf_foreign_unpack_begin(struct pcdf_foreign_pack *pack, const struct pcdf_copy_tiles *tile);
bool pcdf_foreign_unpack_next(struct pcdf_foreign_pack *pack, const unsigned char **at,
                              struct pcdf_foreign_chunk *chunk);
#endif
