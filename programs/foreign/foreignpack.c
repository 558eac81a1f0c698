/* See foreignpack.h. A packed chunk: four bytes with its size, the highest bit says that it is compressed. */
#include "foreignpack.h"
#include "copychunks.h"
#include "deflate.h"
#include "alloc.h"
#include "boxcopy.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "meaningvalues.h"
#include "value.h"

#include <string.h>

#define COMPRESSED ((uint32_t)1 << 31)
enum { SIZE = sizeof(uint32_t) };
_Static_assert(PCDF_COPY_MAX_CHUNK < (int64_t)1 << 31, "sizes of chunks have 31 bits");

static int64_t bytes_of(const struct pcdf_copy_tiling *how, int varid)
{
    const struct pcdf_var *var = &how->meta->vars[varid];
    int64_t bytes = pcdf_type_size(var->type);
    for (int i = 0; i < var->ndims; i++)
        bytes *= pcdf_larger(1, how->chunks[varid][i]);
    return bytes;
}

static bool is_packed(const struct pcdf_copy_tiling *how, int varid)
{
    return how->chosen[varid] && how->chunks[varid];
}

int64_t pcdf_foreign_pack_most(const struct pcdf_copy_tiling *how)
{
    int64_t most = 0;
    for (int i = 0; i < how->meta->nvars; i++) {
        if (!is_packed(how, i))
            continue;
        int64_t chunk = bytes_of(how, i), tile = pcdf_larger(PCDF_COPY_TILE, chunk);
        most = pcdf_larger(most, tile + SIZE * (tile / chunk + 1));
    }
    return most;
}

int pcdf_foreign_pack_begin(struct pcdf_foreign_pack *pack, const struct pcdf_copy_tiling *how, int level)
{
    int64_t most = 1;

    *pack = (struct pcdf_foreign_pack){ .level = level };
    for (int i = 0; i < how->meta->nvars; i++)
        if (is_packed(how, i))
            most = pcdf_larger(most, bytes_of(how, i));
    int ndims = pcdf_tool_most_dims(how->meta);
    size_t each = (size_t)ndims + 1;
    pack->shape = pcdf_calloc(each, 3 * sizeof *pack->shape);
    pack->chunk = pcdf_malloc((size_t)most);
    pack->shuffled = pcdf_malloc((size_t)most);
    pack->deflate = pcdf_deflate_new(level);
    bool has_grid = pcdf_grid_begin(&pack->grid, ndims);
    if (!has_grid || !pack->shape || !pack->chunk || !pack->shuffled || !pack->deflate)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    pack->in_tile = pack->shape + each;
    pack->in_chunk = pack->in_tile + each;
    return PCDF_TOOL_GOOD;
}

void pcdf_foreign_pack_end(struct pcdf_foreign_pack *pack)
{
    pcdf_deflate_free(pack->deflate);
    pcdf_grid_end(&pack->grid);
    pcdf_free(pack->shuffled);
    pcdf_free(pack->chunk);
    pcdf_free(pack->shape);
}

/* ---- one chunk */

/* Its values; where the variable ends inside, they become fill values. */
static void fill_chunk(struct pcdf_foreign_pack *p, const struct pcdf_copy_tiles *t,
                       const unsigned char *values, int64_t bytes)
{
    const struct pcdf_var *var = &t->how.meta->vars[t->varid];
    int size = pcdf_type_size(var->type);
    const struct pcdf_boxcopy box = { var->ndims, p->grid.count, p->in_tile, p->in_chunk, size };
    bool is_full = pcdf_boxcopy_bytes(&box, 0) == bytes;
    unsigned char fill[8];

    pcdf_meaning_fill(var, fill);
    pcdf_values_swap(fill, 1, size);
    for (int64_t i = 0; i < bytes && !is_full; i += size)
        memcpy(p->chunk + i, fill, (size_t)size);
    int64_t from = pcdf_boxcopy_offset(var->ndims, t->start, p->grid.start, p->in_tile);
    pcdf_boxcopy_move(&box, 0, values + from, p->chunk);
}

/* As HDF5's filter: first all first bytes, then all second ones. */
static void shuffle(const unsigned char *from, int64_t n, int size, unsigned char *to)
{
    for (int k = 0; k < size; k++)
        for (int64_t i = 0; i < n; i++)
            to[k * n + i] = from[i * size + k];
}

static int64_t put_chunk(struct pcdf_foreign_pack *p, const unsigned char *bytes, int64_t n,
                         unsigned char *to)
{
    /* One byte less than it has: else it is stored as it is. */
    size_t got = n > 1 ? pcdf_deflate_pack(p->deflate, bytes, (size_t)n, to + SIZE, (size_t)n - 1) : 0;
    uint32_t word = got ? (uint32_t)got | COMPRESSED : (uint32_t)n;

    memcpy(to, &word, SIZE);
    if (!got)
        memcpy(to + SIZE, bytes, (size_t)n);
    return SIZE + (int64_t)(got ? (int64_t)got : n);
}

/* ---- tiles */

void pcdf_foreign_unpack_begin(struct pcdf_foreign_pack *p, const struct pcdf_copy_tiles *t)
{
    const struct pcdf_var *var = &t->how.meta->vars[t->varid];
    for (int i = 0; i < var->ndims; i++)
        p->shape[i] = pcdf_larger(1, t->how.chunks[t->varid][i]);
    pcdf_grid_cut(&p->grid, var->ndims, t->start, t->count, p->shape);
}

int64_t pcdf_foreign_pack_tile(struct pcdf_foreign_pack *p, const struct pcdf_copy_tiles *t,
                               const void *values, unsigned char *to)
{
    const struct pcdf_var *var = &t->how.meta->vars[t->varid];
    int size = pcdf_type_size(var->type);
    unsigned char *at = to;

    pcdf_foreign_unpack_begin(p, t);
    pcdf_boxcopy_steps(var->ndims, t->count, size, p->in_tile);
    int64_t bytes = pcdf_boxcopy_steps(var->ndims, p->shape, size, p->in_chunk);
    while (pcdf_grid_next(&p->grid)) {
        fill_chunk(p, t, values, bytes);
        if (size > 1)
            shuffle(p->chunk, bytes / size, size, p->shuffled);
        at += put_chunk(p, size > 1 ? p->shuffled : p->chunk, bytes, at);
    }
    return at - to;
}

bool pcdf_foreign_unpack_next(struct pcdf_foreign_pack *p, const unsigned char **at,
                              struct pcdf_foreign_chunk *chunk)
{
    uint32_t word;

    if (!pcdf_grid_next(&p->grid))
        return false;
    memcpy(&word, *at, SIZE);
    *chunk = (struct pcdf_foreign_chunk){ .start = p->grid.start,
                                          .bytes = *at + SIZE,
                                          .n = word & ~COMPRESSED,
                                          .is_compressed = word & COMPRESSED };
    *at += SIZE + chunk->n;
    return true;
}
