/* See bytemap.h. */

#include "bytemap.h"
#include <assert.h>
#include <string.h>

enum { MOST_SHIFT = 16, WORD = 64 };

static size_t words_of(const struct pcdf_bytemap *c)
{
    return (size_t)(c->end >> c->shift) / WORD + 2; /* the word behind the last ends every run */
}

void pcdf_bytemap_clear(struct pcdf_bytemap *c, uint32_t end)
{
    *c = (struct pcdf_bytemap){ .bits = c->bits, .end = end, .shift = MOST_SHIFT };
    memset(c->bits, 0, words_of(c) * sizeof *c->bits);
}

/* Each of the lowest bits of `bits`, `times` times; times divides WORD. */
static uint64_t spread(uint64_t bits, unsigned times)
{
    uint64_t all = 0, one = times == WORD ? ~(uint64_t)0 : ((uint64_t)1 << times) - 1;
    for (unsigned at = 0; bits && at < WORD; at += times, bits >>= 1)
        all |= bits & 1 ? one << at : 0;
    return all;
}

/* From now on a bit stands for fewer bytes. From the end, since the bits are in each other's way. */
static void refine(struct pcdf_bytemap *c, int shift)
{
    while (c->shift > shift) {
        int by = c->shift - shift < 6 ? c->shift - shift : 6;
        c->shift = c->has_pieces ? c->shift - by : shift;
        size_t words = words_of(c), each = WORD >> by;
        if (!c->has_pieces)
            memset(c->bits, 0, words * sizeof *c->bits);
        for (size_t w = words; c->has_pieces && w-- > 0;)
            c->bits[w] = spread(c->bits[w >> by] >> (w & (((size_t)1 << by) - 1)) * each, 1u << by);
    }
}

bool pcdf_bytemap_add(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, uint32_t n)
{
    uint32_t measured = 1u << c->shift;
    for (const struct pcdf_short_piece *p = pieces; p < pieces + n; p++)
        measured |= p->offset | p->length;
    if (__builtin_ctz(measured) < c->shift)
        refine(c, __builtin_ctz(measured));
    c->has_pieces |= n > 0;
    uint64_t were = 0; /* bits that were set before */
    for (const struct pcdf_short_piece *p = pieces; p < pieces + n; p++) {
        assert(p->length > 0 && p->offset + p->length <= c->end);
        size_t first = p->offset >> c->shift, end = (size_t)(p->offset + p->length) >> c->shift;
        uint64_t *word = c->bits + first / WORD, *last = c->bits + (end - 1) / WORD;
        uint64_t head = ~(uint64_t)0 << first % WORD, tail = ~(uint64_t)0 >> (WORD - 1 - (end - 1) % WORD);
        if (word == last) {
            were |= *word & head & tail;
            *word |= head & tail;
            continue;
        }
        were |= (*word & head) | (*last & tail);
        *word |= head;
        while (++word < last) {
            were |= *word;
            *word = ~(uint64_t)0;
        }
        *last |= tail;
    }
    return were != 0;
}

/* The first bit from `at` on that is set (or with flip, clear), or `end`. */
static size_t find_bit(const uint64_t *bits, size_t at, size_t end, uint64_t flip)
{
    while (at < end) {
        uint64_t word = (bits[at / WORD] ^ flip) >> at % WORD;
        if (word) {
            at += (size_t)__builtin_ctzll(word);
            return at < end ? at : end;
        }
        at = (at / WORD + 1) * WORD;
    }
    return end;
}

bool pcdf_bytemap_run(const struct pcdf_bytemap *c, uint32_t from, uint32_t gap, struct pcdf_short_piece *run)
{
    size_t end = c->end >> c->shift;
    from = from < c->begin ? c->begin : from;
    size_t first = find_bit(c->bits, (from + ((size_t)1 << c->shift) - 1) >> c->shift, end, 0);
    if (first >= end)
        return false;
    size_t stop = first, next = first;
    while (next < end && (next == first || (next - stop) << c->shift <= gap)) {
        stop = find_bit(c->bits, next, end, ~(uint64_t)0);
        next = find_bit(c->bits, stop, end, 0);
    }
    run->offset = (uint32_t)(first << c->shift);
    run->length = (uint32_t)((stop - first) << c->shift);
    return true;
}
