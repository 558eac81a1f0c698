/* See chunkshape.h. A block is what a rank puts in one piece. It becomes the chunk, if its size is within the
 * limits. A smaller one is joined with its neighbours: first along dimensions that the ranks do not divide,
 * where the same rank puts the neighbours later; then along the others, the fastest first, since ranks that
 * are neighbours there are mostly on one node. Only whole blocks are joined, so a rank still has to do with
 * one chunk. A larger block is split into equal parts, along the slowest dimensions. */
#include "chunkshape.h"
#include <string.h>
#include "grid.h"
#include "numbers.h"
#include "status.h"

enum {
    SMALL_RECORD = 4096,  /* bytes; smaller ones share a chunk */
    SCATTERED = 1 << 20,  /* bytes of a chunk of scattered values */
    UNKNOWN = 4 << 20,    /* before anybody has put anything */
    MOST_TRIES = 1 << 16, /* numbers of equal parts */
    MOST_CHUNKS = INT32_MAX
};
#define LARGEST_CHUNK ((int64_t)UINT32_MAX) /* bytes */

/* The numbers of a dimension, each so that the larger of two ranks' is that of both. */
enum { BLOCK, UNIT, LOWEST, HIGHEST, FIRST, LEAST };

/* ---- what a rank puts */

/* The numbers of dimension d; all but BLOCK and HIGHEST are negative, as the smallest one is wanted. */
static int64_t *of_dim(struct pcdf_chunk_deal *deal, int d)
{
    return &deal->numbers[1 + PCDF_DEAL_EACH * d];
}

static void forget(struct pcdf_chunk_deal *deal)
{
    for (int i = 0; i < PCDF_DEAL_MOST; i++)
        deal->numbers[i] = INT64_MIN;
}

void pcdf_chunk_deal_begin(struct pcdf_chunk_deal *deal, const struct pcdf_meta *meta, int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];
    memset(deal, 0, sizeof *deal);
    deal->ndims = var->ndims <= PCDF_CHUNK_DIMS ? var->ndims : 0;
    deal->n = 1 + PCDF_DEAL_EACH * deal->ndims;
    for (int d = 0; d < deal->ndims; d++)
        deal->length[d] = meta->dims[var->dimids[d]].length;
    forget(deal);
}

/* Blocks of one length begin at multiples of it, and have it, but for the last one. So what the start and the
 * count have in common is a multiple of the length, and of most ranks the length itself. */
static void describe(struct pcdf_chunk_deal *deal, const int64_t *start, const int64_t *high)
{
    for (int d = 0; d < deal->ndims; d++) {
        int64_t *x = of_dim(deal, d), count = high[d] - start[d];
        int64_t unit = pcdf_common_divisor(start[d], high[d] == deal->length[d] ? 0 : count);
        x[BLOCK] = pcdf_larger(x[BLOCK], count);
        x[LOWEST] = pcdf_larger(x[LOWEST], -start[d]);
        x[HIGHEST] = pcdf_larger(x[HIGHEST], start[d]);
        if (unit > 0) /* it is not the whole dimension */
            x[UNIT] = pcdf_larger(x[UNIT], -unit);
        if (start[d] > 0)
            x[LEAST] = pcdf_larger(x[LEAST], -start[d]);
        if (start[d] > 0 && deal->owner >= 0)
            x[FIRST] = pcdf_larger(x[FIRST], -(int64_t)deal->owner);
    }
}

void pcdf_chunk_deal_add(struct pcdf_chunk_deal *deal, const int64_t *start, const int64_t *count,
                         const int64_t *stride)
{
    int64_t high[PCDF_CHUNK_DIMS], n = pcdf_grid_count(deal->ndims, count);
    if (n == 0 || deal->ndims == 0)
        return;
    for (int d = 0; d < deal->ndims; d++) {
        high[d] = start[d] + (count[d] - 1) * (stride && count[d] > 1 ? stride[d] : 1) + 1;
        deal->low[d] = deal->slabs > 0 ? pcdf_smaller(deal->low[d], start[d]) : start[d];
        deal->high[d] = deal->slabs > 0 ? pcdf_larger(deal->high[d], high[d]) : high[d];
    }
    deal->elements = n < INT64_MAX - deal->elements ? deal->elements + n : INT64_MAX;
    deal->slabs++;
    describe(deal, start, high);
}

void pcdf_chunk_deal_finish(struct pcdf_chunk_deal *deal)
{
    int64_t box[PCDF_CHUNK_DIMS];
    if (deal->slabs == 0)
        return;
    for (int d = 0; d < deal->ndims; d++)
        box[d] = deal->high[d] - deal->low[d];
    bool is_dense = deal->elements >= pcdf_grid_count(deal->ndims, box);
    if (is_dense && deal->slabs > 1) {
        forget(deal);
        describe(deal, deal->low, deal->high);
    }
    deal->numbers[0] = !is_dense;
}

/* INT64_MAX: no rank said anything. */
static int64_t smallest(int64_t number)
{
    return number == INT64_MIN ? INT64_MAX : -number;
}

struct pcdf_deal_dim pcdf_chunk_deal_dim(const struct pcdf_chunk_deal *deal, int d)
{
    const int64_t *x = &deal->numbers[1 + PCDF_DEAL_EACH * d];
    return (struct pcdf_deal_dim){ smallest(x[LOWEST]), x[HIGHEST], smallest(x[FIRST]), smallest(x[LEAST]) };
}

bool pcdf_chunk_deal_is_dense(const struct pcdf_chunk_deal *deal)
{
    return deal->numbers[0] == 0;
}

/* ---- a shape that is made */

struct draft {
    int ndims;
    int64_t xsize, least, most;
    int64_t bytes;                    /* the chunk's, as it is now */
    int64_t length[PCDF_CHUNK_DIMS];  /* the variable's; records have INT64_MAX */
    int64_t chunk[PCDF_CHUNK_DIMS];   /* first a block of a rank */
    bool divided[PCDF_CHUNK_DIMS];    /* ranks begin at different places */
    bool is_aligned[PCDF_CHUNK_DIMS]; /* blocks begin at multiples of the chunk */
    bool is_record, is_small_record;
};

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

static int64_t bytes_of(const struct draft *s)
{
    return pcdf_product(pcdf_grid_count(s->ndims, s->chunk), s->xsize);
}

static void begin(struct draft *s, const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t least,
                  int64_t most)
{
    int64_t record = pcdf_type_size(var->type);
    *s = (struct draft){ .ndims = var->ndims, .xsize = record, .least = least, .most = most };
    s->is_record = var->is_record;
    for (int d = 0; d < s->ndims; d++) {
        int64_t length = meta->dims[var->dimids[d]].length;
        s->length[d] = length > 0 ? length : INT64_MAX;
        record = pcdf_product(record, length > 0 ? length : 1);
    }
    s->is_small_record = s->is_record && record < pcdf_smaller(least, SMALL_RECORD);
}

/* The block of the ranks: its lengths, and along which dimensions chunks may fit in it. */
static void take_block(struct draft *s, const struct pcdf_chunk_deal *deal)
{
    for (int d = 0; d < s->ndims; d++) {
        const int64_t *x = &deal->numbers[1 + PCDF_DEAL_EACH * d];
        int64_t block = pcdf_larger(1, pcdf_smaller(x[BLOCK], s->length[d]));
        int64_t unit = x[UNIT] > -block && x[UNIT] < 0 ? -x[UNIT] : block;
        bool is_regular = unit >= block - block / 2;
        s->divided[d] = x[HIGHEST] > -x[LOWEST];
        s->chunk[d] = is_regular ? unit : block;
        s->is_aligned[d] = is_regular && s->chunk[d] < s->length[d];
        if (d == 0 && s->is_record && !s->is_small_record)
            s->chunk[d] = 1;
    }
    s->bytes = bytes_of(s);
}

/* As values lie in the file: whole dimensions from the last one on, then equal parts of one, of up to `most`
 * bytes. */
static void take_range(struct draft *s, int64_t most)
{
    most = pcdf_larger(s->least, pcdf_smaller(most, s->most));
    s->bytes = s->xsize;
    for (int d = 0; d < s->ndims; d++) {
        s->chunk[d] = 1;
        s->divided[d] = s->is_aligned[d] = false;
    }
    for (int d = s->ndims - 1; d >= s->is_record; d--) {
        int64_t parts = divide_up(s->length[d], pcdf_larger(most / s->bytes, 1));
        if (parts > 1 && divide_up(s->length[d], parts) * s->bytes < s->least)
            parts--;
        s->chunk[d] = divide_up(s->length[d], parts);
        s->bytes *= s->chunk[d];
        if (s->chunk[d] < s->length[d])
            break;
    }
}

/* ---- larger than the limit */

/* The largest part of dimension d that lets the chunk have at most `most` bytes, and at least `least`.
 * `inner`: bytes of the chunk where it is one element long. 0: none. */
static int64_t part_of(const struct draft *s, int d, int64_t inner)
{
    int64_t length = s->chunk[d], longest = s->most / inner, shortest = divide_up(s->least, inner);
    if (longest == 0 || shortest > length)
        return 0;
    int64_t parts = divide_up(length, longest);
    if (!s->is_aligned[d])
        return divide_up(length, parts) >= shortest ? divide_up(length, parts) : 0;
    for (int i = 0; i < MOST_TRIES && length / parts >= shortest; i++, parts++)
        if (length % parts == 0)
            return length / parts;
    return 0;
}

/* Dimension d has to be cut, and the slower ones have length 1. Where no equal parts of it fit, those of a
 * faster dimension may; else chunks lie across the borders of blocks. */
static void cut(struct draft *s, int d, int64_t inner)
{
    for (int e = d; e < s->ndims; e++) {
        int64_t part = part_of(s, e, e == d ? inner : s->bytes / s->chunk[e]);
        if (part == 0)
            continue;
        s->bytes = s->bytes / s->chunk[e] * part;
        s->chunk[e] = part;
        return;
    }
    s->chunk[d] = divide_up(s->chunk[d], divide_up(s->chunk[d], s->most / inner));
    s->bytes = inner * s->chunk[d];
}

static void split(struct draft *s)
{
    for (int d = 0; d < s->ndims && s->bytes > s->most; d++) {
        int64_t whole = s->chunk[d];
        s->chunk[d] = 1;
        int64_t inner = bytes_of(s);
        if (inner > s->most) {
            s->bytes = inner;
            continue;
        }
        s->chunk[d] = whole;
        s->bytes = bytes_of(s);
        cut(s, d, inner);
    }
}

/* ---- smaller than the limit */

/* Along dimension d, by whole blocks, each chunk by nearly as many. */
static void lengthen(struct draft *s, int d)
{
    int64_t blocks = divide_up(s->length[d], s->chunk[d]), wanted = divide_up(s->least, s->bytes);
    int64_t n = wanted < blocks ? divide_up(blocks, blocks / wanted) : blocks;
    n = pcdf_smaller(n, s->most / s->bytes);
    int64_t length = pcdf_smaller(pcdf_product(s->chunk[d], n), s->length[d]);
    s->bytes = s->bytes / s->chunk[d] * length;
    s->chunk[d] = length;
}

static void join(struct draft *s, bool divided)
{
    for (int d = s->ndims - 1; d >= s->is_record && s->bytes < s->least; d--)
        if (s->divided[d] == divided && s->chunk[d] < s->length[d])
            lengthen(s, d);
}

/* A chunk for each small record would be all overhead; one that waits for many is written again and again. */
static void join_records(struct draft *s)
{
    int64_t least = pcdf_smaller(s->least, SMALL_RECORD);
    if (s->is_small_record && s->bytes < least) {
        s->chunk[0] *= least / s->bytes;
        s->bytes = bytes_of(s);
    }
}

/* ---- */

static bool is_known(const struct pcdf_chunk_deal *deal)
{
    return deal && deal->numbers[0] != INT64_MIN;
}

/* A list of short pieces, as of an unstructured grid. Blocks in a cycle are lists, too, but of equal ones
 * that are large enough. */
static bool is_scattered(const struct draft *s, const struct pcdf_chunk_deal *deal)
{
    bool is_regular = true;
    for (int d = 0; d < s->ndims; d++)
        is_regular =
            is_regular && (s->is_aligned[d] || s->chunk[d] == s->length[d] || (d == 0 && s->is_record));
    return deal->numbers[0] == 1 && (!is_regular || s->bytes < s->least);
}

/* Bytes of a range of scattered values; each rank has one, where they are enough. */
static int64_t scattered_range(const struct draft *s, int64_t ranks)
{
    int64_t all = s->xsize;
    for (int d = s->is_record; d < s->ndims; d++)
        all = pcdf_product(all, s->length[d]);
    return pcdf_smaller(SCATTERED, all / pcdf_larger(ranks, 1));
}

static void make(struct draft *s, const struct pcdf_chunk_deal *deal, int64_t ranks)
{
    if (is_known(deal))
        take_block(s, deal);
    if (!is_known(deal))
        take_range(s, UNKNOWN);
    else if (is_scattered(s, deal))
        take_range(s, scattered_range(s, ranks));
    split(s);
    join(s, false);
    join(s, true);
    join_records(s);
}

static int64_t chunks_of(const struct draft *s)
{
    int64_t n = 1;
    for (int d = s->is_record; d < s->ndims; d++)
        n = pcdf_product(n, divide_up(s->length[d], s->chunk[d]));
    return n;
}

int pcdf_chunk_shape(const struct pcdf_meta *meta, int varid, const struct pcdf_chunk_deal *deal,
                     const struct pcdf_chunk_limits *limits, int64_t *shape)
{
    const struct pcdf_var *var = &meta->vars[varid];
    int64_t most = pcdf_larger(pcdf_smaller(limits->most, LARGEST_CHUNK), 8), ncells, bytes;
    int64_t least = pcdf_larger(pcdf_smaller(limits->least, most), 1);
    if (var->ndims > PCDF_CHUNK_DIMS || var->ndims == 0)
        return pcdf_cells_needed(meta, varid, shape, &ncells, &bytes); /* says so */
    struct draft s;
    do { /* small chunks may be too many */
        begin(&s, meta, var, least, most);
        make(&s, deal, limits->ranks);
        least = pcdf_smaller(2 * least, LARGEST_CHUNK);
        most = pcdf_larger(most, least);
    } while (chunks_of(&s) > MOST_CHUNKS && least < LARGEST_CHUNK);
    memcpy(shape, s.chunk, (size_t)s.ndims * sizeof *shape);
    return pcdf_cells_needed(meta, varid, shape, &ncells, &bytes);
}
