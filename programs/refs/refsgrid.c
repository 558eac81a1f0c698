/* See refsgrid.h. */
#include "refsgrid.h"

enum { SMALL_CHUNK = 1 << 20 /* where the last one has to be written out */ };

static const struct pcdf_var *var_of(const struct pcdf_refs_grid *grid)
{
    return &grid->meta->vars[grid->varid];
}

int64_t pcdf_refs_grid_length(const struct pcdf_refs_grid *grid, int dim)
{
    const struct pcdf_var *var = var_of(grid);
    return dim == 0 && var->is_record ? grid->meta->numrecs : grid->meta->dims[var->dimids[dim]].length;
}

int64_t pcdf_refs_grid_step(const struct pcdf_refs_grid *grid, int dim)
{
    if (dim < grid->split)
        return 1;
    int64_t length = dim == grid->split ? grid->rows : pcdf_refs_grid_length(grid, dim);
    return length > 0 ? length : 1;
}

static int64_t at_least_1(int64_t x)
{
    return x > 0 ? x : 1;
}

/* Sets the dimension to split, and what follows from it. Dimensions besides the record dimension have at
 * least 1, and the decoder has proved that the product of them fits. */
static void split_at(struct pcdf_refs_grid *grid, int split)
{
    grid->split = split;
    grid->leads = grid->length = grid->inner = 1;
    for (int i = 0; i < grid->ndims; i++) {
        int64_t length = pcdf_refs_grid_length(grid, i);
        if (i < split)
            grid->leads *= length;
        else if (i == split)
            grid->length = length;
        else
            grid->inner *= length;
    }
}

static void cut(struct pcdf_refs_grid *grid, int64_t rows)
{
    grid->rows = at_least_1(rows);
    grid->per_lead = grid->length / grid->rows + (grid->length % grid->rows > 0);
}

static void begin(struct pcdf_refs_grid *grid, const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                  int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];

    *grid = (struct pcdf_refs_grid){ .meta = meta, .layout = layout, .varid = varid, .ndims = var->ndims };
    grid->is_spread = var->is_record && layout->recsize != var->nbytes;
}

void pcdf_refs_grid_whole(struct pcdf_refs_grid *grid, const struct pcdf_meta *meta,
                          const struct pcdf_layout *layout, int varid)
{
    begin(grid, meta, layout, varid);
    split_at(grid, 0);
    cut(grid, grid->length);
}

/* How many of the file's bytes follow the variable's last value. */
static int64_t bytes_behind(struct pcdf_refs_grid *grid, int64_t file_size)
{
    struct pcdf_refs_chunk last;
    int64_t size = pcdf_type_size(var_of(grid)->type);

    cut(grid, 1);
    if (grid->leads == 0 || grid->per_lead == 0)
        return 0;
    pcdf_refs_grid_chunk(grid, grid->leads - 1, grid->per_lead - 1, &last);
    return file_size - last.offset - last.n * size;
}

void pcdf_refs_grid_make(struct pcdf_refs_grid *grid, const struct pcdf_meta *meta,
                         const struct pcdf_layout *layout, int varid, int64_t chunk_bytes, int64_t file_size,
                         bool by_record)
{
    int64_t size = pcdf_type_size(meta->vars[varid].type);

    begin(grid, meta, layout, varid);
    grid->is_spread = grid->is_spread || (by_record && meta->vars[varid].is_record);
    split_at(grid, grid->is_spread ? 1 : 0);
    while (grid->split < grid->ndims && grid->inner * size > chunk_bytes)
        split_at(grid, grid->split + 1);
    int64_t row = grid->inner * size, most = at_least_1(chunk_bytes / row);
    if (grid->length <= most) {
        cut(grid, grid->length);
        return;
    }
    int64_t least = grid->length / most + (grid->length % most > 0);
    for (int64_t n = least; n <= 4 * least && n < grid->length; n++)
        if (grid->length % n == 0) {
            cut(grid, grid->length / n);
            return;
        }
    int64_t behind = bytes_behind(grid, file_size), rows = grid->length / least + (grid->length % least > 0);
    cut(grid, rows);
    if ((grid->per_lead * rows - grid->length) * row > behind)
        cut(grid, row < SMALL_CHUNK && rows > SMALL_CHUNK / row ? SMALL_CHUNK / row : rows);
}

void pcdf_refs_grid_chunk(const struct pcdf_refs_grid *grid, int64_t lead, int64_t j,
                          struct pcdf_refs_chunk *chunk)
{
    int64_t left = grid->length - j * grid->rows;

    chunk->first = (lead * grid->length + j * grid->rows) * grid->inner;
    chunk->n = (left < grid->rows ? left : grid->rows) * grid->inner;
    chunk->nbytes = grid->rows * grid->inner * pcdf_type_size(var_of(grid)->type);
    chunk->offset = pcdf_layout_value_at(grid->layout, grid->meta, grid->varid, chunk->first);
}
