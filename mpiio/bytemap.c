/* See bytemap.h. */

#include "bytemap.h"
#include <assert.h>
#include <string.h>

enum { MOST_SHIFT = 16, WORD = 64 };

bool pcdf_bytemap_begin(struct pcdf_bytemap *c, const struct pcdf_nodes *n, int buffer, int aggregator)
{
    bool overlaps = false;
    for (int rank = 0; rank < n->size; rank++) {
        const struct pcdf_list list = pcdf_nodes_list(n, buffer, rank);
        const struct pcdf_short_piece *p = list.pieces + list.part[aggregator].first,
                                      *last = p + list.part[aggregator].n;
        uint32_t measured = c->measured, end = c->end;
        for (; p < last; p++) {
            measured |= p->offset | p->length;
            end = p->offset + p->length > end ? p->offset + p->length : end;
        }
        c->measured = measured;
        c->end = end;
    }
    c->shift = __builtin_ctz(c->measured | 1u << MOST_SHIFT);
    /* The word behind the last one ends every run. */
    memset(c->bits, 0, ((size_t)(c->end >> c->shift) / WORD + 2) * sizeof *c->bits);
    for (int rank = 0; rank < n->size; rank++) {
        const struct pcdf_list list = pcdf_nodes_list(n, buffer, rank);
        const struct pcdf_list_part *part = &list.part[aggregator];
        overlaps |= pcdf_bytemap_add(c, list.pieces + part->first, part->n);
    }
    return overlaps;
}

bool pcdf_bytemap_add(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, uint32_t n)
{
    uint64_t were = 0; /* bits that were set before */
    for (const struct pcdf_short_piece *p = pieces; p < pieces + n; p++) {
        assert(p->length > 0 && p->offset + p->length <= c->end); /* it was measured */
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
