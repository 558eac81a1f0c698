#ifndef PCDF_REFSGRID_H
#define PCDF_REFSGRID_H
/* A variable as Zarr sees it: an array in equal chunks, each of which is a run of bytes of the file. */

#include <stdbool.h>
#include <stdint.h>
#include "layout.h"

/* Dimensions before `split` have chunks of 1, `split` has `rows`, those behind are whole. split == ndims: a
 * chunk is one value. */
struct pcdf_refs_grid {
    const struct pcdf_meta *meta;
    const struct pcdf_layout *layout;
    int varid, ndims, split;
    bool is_spread;      /* the next record does not follow the one before */
    int64_t leads;       /* combinations of indexes before `split` */
    int64_t length;      /* of dimension `split` */
    int64_t rows, inner; /* inner: values of a row */
    int64_t per_lead;    /* chunks along `split`; 0: there are no values */
};

struct pcdf_refs_chunk {
    int64_t first, n; /* values that are the variable's: as pcdf_tool_values takes them */
    int64_t offset;   /* of the first byte in the file */
    int64_t nbytes;   /* of a whole chunk: at the end of dimension `split` more than n values have */
};

/* chunk_bytes: what a chunk should have at most. A number of chunks that divides the dimension is taken where
 * there is one nearby; otherwise the last chunk reaches into bytes behind the variable, which readers cut
 * off, and smaller ones are taken where the file has none there. by_record: no chunk has values of two
 * records.
 */
void pcdf_refs_grid_make(struct pcdf_refs_grid *grid, const struct pcdf_meta *meta,
                         const struct pcdf_layout *layout, int varid, int64_t chunk_bytes, int64_t file_size,
                         bool by_record);
/* The whole variable is one chunk. It has no place in the file when the variable is_spread. */
void pcdf_refs_grid_whole(struct pcdf_refs_grid *grid, const struct pcdf_meta *meta,
                          const struct pcdf_layout *layout, int varid);
/* lead < leads, j < per_lead. */
void pcdf_refs_grid_chunk(const struct pcdf_refs_grid *grid, int64_t lead, int64_t j,
                          struct pcdf_refs_chunk *chunk);
/* Length of dimension `dim`, and of a chunk along it (at least 1). */
int64_t pcdf_refs_grid_length(const struct pcdf_refs_grid *grid, int dim);
int64_t pcdf_refs_grid_step(const struct pcdf_refs_grid *grid, int dim);
#endif
