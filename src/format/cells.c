/* See cells.h. */
#include "cells.h"
#include "alloc.h"
#include "grid.h"
#include "numbers.h"
#include "status.h"

static int not_in_63_bits(void)
{
    return PCDF_FAIL(NC_EVARSIZE, "the chunks of the variables do not fit in 63 bits");
}

/* a / b, rounded up; a > 0. */
static int64_t parts_of(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

static int check_chunk(const struct pcdf_meta *meta, const struct pcdf_var *var, const int64_t *chunk)
{
    if (var->ndims == 0)
        return PCDF_FAIL(NC_EBADCHUNK, "variable %s has no dimensions: it cannot have chunks", var->name);
    if (var->ndims > PCDF_CHUNK_DIMS)
        return PCDF_FAIL(NC_EMAXDIMS, "variable %s has %d dimensions, a chunk has at most %d", var->name,
                         var->ndims, PCDF_CHUNK_DIMS);
    for (int d = 0; d < var->ndims; d++) {
        int64_t length = meta->dims[var->dimids[d]].length;
        if (chunk[d] < 1 || (length > 0 && chunk[d] > length))
            return PCDF_FAIL(NC_EBADCHUNK,
                             "variable %s, dimension %d of length %lld: a chunk has %lld elements", var->name,
                             pcdf_told_dim(d, var->ndims), (long long)length, (long long)chunk[d]);
    }
    return NC_NOERR;
}

int pcdf_cells_needed(const struct pcdf_meta *meta, int varid, const int64_t *chunk, int64_t *ncells,
                      int64_t *bytes)
{
    const struct pcdf_var *var = &meta->vars[varid];
    int64_t n = 1, size = pcdf_type_size(var->type);
    PCDF_TRY(check_chunk(meta, var, chunk));
    for (int d = 0; d < var->ndims; d++) {
        int64_t length = meta->dims[var->dimids[d]].length;
        if (__builtin_mul_overflow(size, chunk[d], &size) || size > UINT32_MAX)
            return PCDF_FAIL(NC_EBADCHUNK, "variable %s: a chunk must have less than 4 GiB", var->name);
        if (length > 0 && __builtin_mul_overflow(n, parts_of(length, chunk[d]), &n))
            return not_in_63_bits();
    }
    *ncells = n;
    *bytes = size;
    return NC_NOERR;
}

/* So many cells for each chunk or rank, at most: else steps of a put would have few chunks. */
enum { MOST_EMPTY = 16 };

/* Its chunks stand in groups of the ranks, unless there are too many cells, or few ranks own chunks: those
 * that span several blocks have their middles with some ranks only, and they are better dealt to all. */
static void take_owners(struct pcdf_cells_var *v, const struct pcdf_chunk_owners *owners)
{
    int64_t groups = 1, users = 1, n, most;
    v->owners = *owners;
    struct pcdf_owner_dim *x = v->owners.x, *end = x + v->owners.n;
    for (int d = 0; d < v->ndims; d++) {
        v->places[d] = v->grid[d];
        if (x < end && x->dim == d) {
            v->places[d] = pcdf_owner_dim_cut(x, v->chunk[d]);
            users = pcdf_product(users, x->users);
            x++;
        }
        if (v->grid[d] > 0)
            groups = pcdf_product(groups, v->places[d]);
    }
    n = pcdf_product(groups, v->owners.ranks);
    most = pcdf_product(pcdf_larger(v->nchunks, v->owners.ranks), MOST_EMPTY);
    if (n <= most && n < INT64_MAX && users >= v->owners.ranks - v->owners.ranks / 4)
        v->ncells = n;
    else
        v->owners.ranks = 0;
}

/* All of a variable but its place, and how many cells it has if it is not chunked. */
static int describe(struct pcdf_cells_var *v, const struct pcdf_meta *meta, int varid,
                    const struct pcdf_cells_shape *shape)
{
    const struct pcdf_var *var = &meta->vars[varid];
    *v = (struct pcdf_cells_var){ .nchunks = 1,
                                  .bytes = var->nbytes,
                                  .ndims = var->ndims,
                                  .xsize = pcdf_type_size(var->type),
                                  .is_record = var->is_record,
                                  .is_big_endian = shape->is_big_endian };
    if (!shape->chunk)
        return NC_NOERR;
    PCDF_TRY(pcdf_cells_needed(meta, varid, shape->chunk, &v->nchunks, &v->bytes));
    v->ncells = v->nchunks;
    v->chunk = pcdf_malloc(4 * (size_t)var->ndims * sizeof *v->chunk);
    if (!v->chunk)
        return PCDF_FAIL(NC_ENOMEM, "variable %s: no memory for the shape of its chunks", var->name);
    v->grid = v->chunk + var->ndims;
    v->length = v->grid + var->ndims;
    v->places = v->length + var->ndims;
    for (int d = 0; d < var->ndims; d++) {
        v->chunk[d] = shape->chunk[d];
        v->length[d] = meta->dims[var->dimids[d]].length;
        v->grid[d] = v->length[d] > 0 ? parts_of(v->length[d], v->chunk[d]) : 0;
    }
    if (shape->owners && shape->owners->ranks > 0)
        take_owners(v, shape->owners);
    return NC_NOERR;
}

/* Gives the variables of one section their cells, from *at on, which ends behind the last. */
static int place_section(struct pcdf_cells *cells, const struct pcdf_cells_shape *shapes, bool records,
                         int *norder, int64_t *at)
{
    for (int i = 0; i < cells->nvars; i++) {
        struct pcdf_cells_var *v = &cells->x[i];
        int64_t bytes;
        if (v->is_record != records)
            continue;
        v->begin = *at;
        v->ncells = v->chunk ? v->ncells : parts_of(v->bytes, cells->cell);
        v->ncells = pcdf_larger(v->ncells, shapes ? shapes[i].reserved : 0);
        cells->order[(*norder)++] = i;
        if (__builtin_mul_overflow(v->ncells, cells->cell, &bytes) || __builtin_add_overflow(*at, bytes, at))
            return not_in_63_bits();
    }
    return NC_NOERR;
}

/* Where it fails the caller frees what there is by then. */
static int build(struct pcdf_cells *cells, const struct pcdf_meta *meta,
                 const struct pcdf_cells_shape *shapes, int64_t least)
{
    static const struct pcdf_cells_shape plain = { 0 };
    int64_t largest = pcdf_larger(least, 8), at = 0;
    int norder = 0;
    *cells = (struct pcdf_cells){ .cell = 8 };
    cells->x = pcdf_malloc(((size_t)meta->nvars + 1) * sizeof *cells->x);
    cells->order = pcdf_malloc(((size_t)meta->nvars + 1) * sizeof *cells->order);
    if (!cells->x || !cells->order)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the cells of %d variables", meta->nvars);
    for (; cells->nvars < meta->nvars; cells->nvars++) {
        struct pcdf_cells_var *v = &cells->x[cells->nvars];
        PCDF_TRY(describe(v, meta, cells->nvars, shapes ? &shapes[cells->nvars] : &plain));
        largest = v->chunk ? pcdf_larger(largest, v->bytes) : largest;
    }
    while (cells->cell < largest)
        if (__builtin_mul_overflow(cells->cell, 2, &cells->cell))
            return not_in_63_bits();
    PCDF_TRY(place_section(cells, shapes, false, &norder, &at));
    cells->nfixed = norder;
    cells->begin_rec = at;
    PCDF_TRY(place_section(cells, shapes, true, &norder, &at));
    cells->recsize = at - cells->begin_rec;
    return NC_NOERR;
}

int pcdf_cells_build(struct pcdf_cells *cells, const struct pcdf_meta *meta,
                     const struct pcdf_cells_shape *shapes, int64_t least)
{
    int err = build(cells, meta, shapes, least);
    if (err)
        pcdf_cells_free(cells);
    return err;
}

void pcdf_cells_free(struct pcdf_cells *cells)
{
    for (int i = 0; i < cells->nvars; i++)
        pcdf_free(cells->x[i].chunk);
    pcdf_free(cells->x);
    pcdf_free(cells->order);
    *cells = (struct pcdf_cells){ 0 };
}

/* Of order[low .. high), which is not empty, the last that begins at or before `offset`. */
static int last_before(const struct pcdf_cells *cells, int low, int high, int64_t offset)
{
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (cells->x[cells->order[middle]].begin <= offset)
            low = middle;
        else
            high = middle;
    }
    return cells->order[low];
}

/* ---- chunks in groups of the ranks. A row may begin at any cell, so the cells of a group have other owners
 * then: `turn` is the owner of the first. */

static int64_t turn_of(const struct pcdf_cells *cells, const struct pcdf_cells_var *v, int64_t row)
{
    return (v->begin / cells->cell +
            row % v->owners.ranks * (cells->recsize / cells->cell % v->owners.ranks)) %
           v->owners.ranks;
}

/* Which cell of its row a chunk has. */
static int64_t cell_of(const struct pcdf_cells_var *v, int64_t turn, const int64_t *index)
{
    const struct pcdf_owner_dim *x = v->owners.x, *end = x + v->owners.n;
    int64_t owner = 0, group = 0;
    for (int d = v->is_record; d < v->ndims; d++) {
        int64_t place = index[d];
        if (x < end && x->dim == d) {
            owner += pcdf_owner_dim_part(x, index[d], &place) * x->stride;
            x++;
        }
        group = group * v->places[d] + place;
    }
    return group * v->owners.ranks + (owner - turn + v->owners.ranks) % v->owners.ranks;
}

/* The number in its row of the chunk that has the cell; -1: none. */
static int64_t chunk_of(const struct pcdf_cells_var *v, int64_t turn, int64_t cell)
{
    const struct pcdf_owner_dim *x = v->owners.x + v->owners.n;
    int64_t owner = (turn + cell) % v->owners.ranks, group = cell / v->owners.ranks, number = 0, step = 1;
    for (int d = v->ndims - 1; d >= v->is_record; d--) {
        int64_t at = group % v->places[d];
        group /= v->places[d];
        if (x > v->owners.x && x[-1].dim == d) {
            x--;
            int64_t part = owner / x->stride % x->parts;
            at = pcdf_owner_dim_chunk(x, part, at);
            owner -= part * x->stride;
        }
        if (at < 0)
            return -1;
        number += at * step;
        step *= v->grid[d];
    }
    return owner == 0 && group == 0 ? number : -1;
}

bool pcdf_cells_find(const struct pcdf_cells *cells, int64_t offset, struct pcdf_cell_place *place)
{
    bool is_fixed = offset < cells->begin_rec;
    if (offset < 0 || (!is_fixed && cells->recsize == 0))
        return false;
    int64_t row = pcdf_cells_row(cells, &offset);
    int varid = is_fixed ? last_before(cells, 0, cells->nfixed, offset)
                         : last_before(cells, cells->nfixed, cells->nvars, offset);
    const struct pcdf_cells_var *v = &cells->x[varid];
    int64_t cell = v->chunk ? (offset - v->begin) / cells->cell : 0, in_row = cell;
    if (v->owners.ranks > 0)
        in_row = cell < v->ncells ? chunk_of(v, turn_of(cells, v, row), cell) : -1;
    *place =
        (struct pcdf_cell_place){ varid, row * v->nchunks + in_row, offset - v->begin - cell * cells->cell };
    return in_row >= 0 && in_row < v->nchunks && place->at < v->bytes;
}

/* The cell in its row of a chunk that is there. */
static int64_t cell_at(const struct pcdf_cells *cells, const struct pcdf_cells_var *v, int64_t row,
                       int64_t in_row)
{
    int64_t index[PCDF_CHUNK_DIMS];
    if (v->owners.ranks == 0)
        return in_row;
    pcdf_grid_index(v->ndims, v->grid, in_row, index);
    return cell_of(v, turn_of(cells, v, row), index);
}

int64_t pcdf_cells_begin(const struct pcdf_cells *cells, int varid, const int64_t *index)
{
    const struct pcdf_cells_var *v = &cells->x[varid];
    int64_t row = v->is_record ? index[0] : 0, cell = 0;
    if (v->owners.ranks > 0)
        cell = cell_of(v, turn_of(cells, v, row), index);
    for (int d = v->is_record; v->owners.ranks == 0 && d < v->ndims; d++)
        cell = cell * v->grid[d] + index[d];
    return v->begin + row * cells->recsize + cell * cells->cell;
}

int64_t pcdf_cells_at(const struct pcdf_cells *cells, int varid, int64_t number)
{
    const struct pcdf_cells_var *v = &cells->x[varid];
    int64_t row = number / v->nchunks, in_row = number - row * v->nchunks, offset;
    /* What comes before the last cell is there, too. */
    int64_t last = v->owners.ranks > 0 ? v->ncells - 1 : in_row;
    if (number < 0 || (row > 0 && !v->is_record) || __builtin_mul_overflow(row, cells->recsize, &offset) ||
        __builtin_add_overflow(offset, v->begin + last * cells->cell, &offset) ||
        offset > INT64_MAX - pcdf_larger(v->bytes, cells->cell))
        return -1;
    return offset - (last - cell_at(cells, v, row, in_row)) * cells->cell;
}

int64_t pcdf_cells_box(const struct pcdf_cells_var *v, int64_t number, int64_t *start, int64_t *count)
{
    int64_t bytes = v->xsize;
    pcdf_grid_index(v->ndims, v->grid, number, start);
    for (int d = 0; d < v->ndims; d++) {
        start[d] *= v->chunk[d];
        count[d] = v->grid[d] > 0 ? pcdf_smaller(v->chunk[d], v->length[d] - start[d]) : v->chunk[d];
        bytes *= count[d];
    }
    return bytes;
}
