#ifndef PCDF_CELLS_H
#define PCDF_CELLS_H
/* The space of cells: a file of chunks (netCDF-4) as bytes at offsets. Each chunk of each variable has one
 * cell, `cell` bytes of a space of offsets that is stored nowhere. The values of a chunk stand from the first
 * byte of its cell on, row-major in the chunk's own shape; a chunk at the edge of its variable has its full
 * shape, too. A variable that is not chunked has a run of cells, and in it its values as a classic file has
 * them, without padding. So plans and strategies, which know bytes at offsets, move chunks.
 *
 *     | fixed variables, one after the other | row 0 of the chunks of each record variable | row 1 | ...
 *     0                                      begin_rec                                     begin_rec +
 * recsize
 *
 * The rank that owns a chunk is the number of its cell, counted from offset 0, modulo the ranks. Chunks of
 * which nothing else is said stand in their order, so they are dealt in turn. Where `owners` says how ranks
 * divide a variable, its chunks stand in groups of as many cells as there are ranks: each rank's first, each
 * rank's second, ... Cells stay empty where a rank has fewer; that costs nothing.
 *
 * Pure arithmetic on definitions: equal on all ranks, no I/O, no MPI. */

#include "chunkowners.h"
#include "meta.h"

enum {
    PCDF_CELL_LEAST =
        1 << 16,         /* bytes of a cell in a file: shorter stripes are no stripes (mpiio/domains.h) */
    PCDF_CHUNK_DIMS = 32 /* the most that HDF5 has; so coordinates of chunks stand on the stack */
};

struct pcdf_cells_shape { /* what build is told of a variable */
    const int64_t *chunk; /* elements of a chunk along each dimension; NULL: it is not chunked */
    int64_t reserved;   /* cells that it has at least. One whose chunks are decided later does not move those
                           behind it then, if it reserves as many as it will need (pcdf_cells_needed) */
    bool is_big_endian; /* its values stand as in a classic file, else in the byte order of this machine */
    const struct pcdf_chunk_owners *owners; /* NULL: nothing is known of them */
};

struct pcdf_cells_var {
    int64_t begin;   /* of its first cell; a multiple of the cell */
    int64_t ncells;  /* what it has; of a record variable in each row */
    int64_t nchunks; /* of the variable; of a record variable in each row. Not chunked: 1 */
    int64_t bytes;   /* of a whole chunk, or of the whole variable (of one record) */
    int64_t *chunk;  /* elements along each dimension; owned. NULL: not chunked, then also the next three */
    int64_t *grid;   /* chunks along each dimension; of the record dimension 0 */
    int64_t *length; /* of the variable along each dimension; of the record dimension 0 */
    int64_t *places; /* an owner's, along each dimension; owners.ranks > 0 */
    struct pcdf_chunk_owners owners; /* ranks 0: chunks stand in their order */
    int ndims, xsize;
    bool is_record; /* not chunked: each record has a row of its own */
    bool is_big_endian;
};

struct pcdf_cells {
    int64_t cell; /* bytes; a power of two, at least 8 */
    int64_t begin_rec, recsize;
    struct pcdf_cells_var *x; /* of each variable */
    int *order;               /* ids of the variables in the order of their begins; nfixed have no records */
    int nvars, nfixed;
};

struct pcdf_cell_place {
    int varid;
    int64_t number; /* of the chunk, row-major over the grid: the row comes first. Not chunked: of the record,
                       or 0 */
    int64_t at;     /* byte in the chunk; not chunked: in the variable (of one record) */
};

/* shapes: of each variable; NULL: none is chunked. The cell has `least` bytes, or more where a chunk is
 * larger: in a file PCDF_CELL_LEAST, or the largest chunk that a variable may get later. NC_EBADCHUNK;
 * NC_EMAXDIMS; NC_EVARSIZE (the space ends at 63 bits); NC_ENOMEM. On failure it is empty. */
int pcdf_cells_build(struct pcdf_cells *cells, const struct pcdf_meta *meta,
                     const struct pcdf_cells_shape *shapes, int64_t least);
void pcdf_cells_free(struct pcdf_cells *cells);

/* Cells that a variable needs with chunks of this shape; *bytes: of a chunk. The same errors. */
int pcdf_cells_needed(const struct pcdf_meta *meta, int varid, const int64_t *chunk, int64_t *ncells,
                      int64_t *bytes);

/* Do the values of a variable, which may be newer than the cells, stand in the byte order of this machine? */
static inline bool pcdf_cells_is_native(const struct pcdf_cells *cells, int varid)
{
    return cells && (varid >= cells->nvars || !cells->x[varid].is_big_endian);
}

/* The row of chunks in which a byte is; *offset becomes that of the same byte of row 0. Fixed variables have
 * one row. */
static inline int64_t pcdf_cells_row(const struct pcdf_cells *cells, int64_t *offset)
{
    int64_t row = *offset < cells->begin_rec ? 0 : (*offset - cells->begin_rec) / cells->recsize;
    *offset -= row * cells->recsize;
    return row;
}

/* Whose byte is it? False: no chunk has it (the end of a cell, a cell that is only reserved). */
bool pcdf_cells_find(const struct pcdf_cells *cells, int64_t offset, struct pcdf_cell_place *place);
/* Where a chunk begins; -1: there is no such one, or it is behind 63 bits. */
int64_t pcdf_cells_at(const struct pcdf_cells *cells, int varid, int64_t number);
/* Where a chunk of the grid begins, which is known to be within 63 bits. */
int64_t pcdf_cells_begin(const struct pcdf_cells *cells, int varid, const int64_t *index);

/* The elements of a chunk, without what lies outside of the variable: the first, and how many, along each
 * dimension. Along the record dimension all are inside. Returns their bytes. */
int64_t pcdf_cells_box(const struct pcdf_cells_var *var, int64_t number, int64_t *start, int64_t *count);
#endif
