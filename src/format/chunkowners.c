/* See chunkowners.h. */
#include "chunkowners.h"
#include "numbers.h"

/* ---- borders */

int64_t pcdf_owner_dim_border(const struct pcdf_owner_dim *x, int64_t i)
{
    int64_t at = 0, longer = x->length % x->parts;
    switch (x->rule) {
    case PCDF_BORDERS_LENGTH:
    case PCDF_BORDERS_REST:
        at = i * x->block;
        break;
    case PCDF_BORDERS_EVEN:
        at = i * (x->length / x->parts) + pcdf_smaller(i, longer);
        break;
    case PCDF_BORDERS_SPREAD:
    case PCDF_BORDERS_N:
        at = i * x->length / x->parts;
        break;
    }
    return pcdf_smaller(at, x->length);
}

int64_t pcdf_owner_dim_block(const struct pcdf_owner_dim *x, int64_t at)
{
    int64_t shorter = x->length / x->parts, longer = x->length % x->parts;
    switch (x->rule) {
    case PCDF_BORDERS_LENGTH:
        return at / x->block;
    case PCDF_BORDERS_REST:
        return pcdf_smaller(at / x->block, x->parts - 1);
    case PCDF_BORDERS_EVEN:
        return at < longer * (shorter + 1) ? at / (shorter + 1) : (at - longer) / shorter;
    case PCDF_BORDERS_SPREAD:
    case PCDF_BORDERS_N:
        break;
    }
    return ((at + 1) * x->parts - 1) / x->length;
}

/* Elements of the longest block but the last one. */
static int64_t longest_block(const struct pcdf_owner_dim *x)
{
    bool has_length = x->rule == PCDF_BORDERS_LENGTH || x->rule == PCDF_BORDERS_REST;
    return has_length ? x->block : (x->length - 1) / x->parts + 1;
}

/* ---- chunks */

/* A chunk that the dimension's end cuts has its middle before the end. */
static int64_t block_of(const struct pcdf_owner_dim *x, int64_t chunk)
{
    return pcdf_owner_dim_block(x, pcdf_smaller(chunk * x->chunk + x->chunk / 2, x->length - 1));
}

/* The first chunk whose middle is not before block i. */
static int64_t first_of(const struct pcdf_owner_dim *x, int64_t i)
{
    int64_t before = pcdf_owner_dim_border(x, i) - x->chunk / 2;
    return before > 0 ? (before - 1) / x->chunk + 1 : 0;
}

/* Of each part's first block. */
static int64_t count_users(const struct pcdf_owner_dim *x, int64_t last)
{
    int64_t n = 0;
    for (int64_t i = 0; i < x->parts && i <= last; i++)
        n += first_of(x, i) < (i < last ? first_of(x, i + 1) : x->grid);
    return n;
}

int64_t pcdf_owner_dim_cut(struct pcdf_owner_dim *x, int64_t chunk)
{
    x->chunk = chunk;
    x->grid = (x->length - 1) / chunk + 1;
    int64_t last = pcdf_owner_dim_block(x, x->length - 1);
    x->each = pcdf_larger((longest_block(x) - 1) / chunk + 1, x->grid - first_of(x, last));
    x->users = count_users(x, last);
    return (last / x->parts + 1) * x->each;
}

int64_t pcdf_owner_dim_part(const struct pcdf_owner_dim *x, int64_t chunk, int64_t *place)
{
    int64_t block = block_of(x, chunk);
    *place = block / x->parts * x->each + chunk - first_of(x, block);
    return block % x->parts;
}

int64_t pcdf_owner_dim_chunk(const struct pcdf_owner_dim *x, int64_t part, int64_t place)
{
    int64_t block = place / x->each * x->parts + part;
    if (block > pcdf_owner_dim_block(x, x->length - 1))
        return -1;
    int64_t chunk = first_of(x, block) + place % x->each;
    return chunk < x->grid && block_of(x, chunk) == block ? chunk : -1;
}
