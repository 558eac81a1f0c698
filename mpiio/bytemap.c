/* See bytemap.h. */

#include "bytemap.h"
#include <string.h>

enum { MOST_SHIFT = 16, WORD = 64 };

void pcdf_bytemap_start(struct pcdf_bytemap *c, uint64_t *bits)
{
    *c = (struct pcdf_bytemap){ .bits = bits, .low = UINT32_MAX, .shift = MOST_SHIFT };
}

void pcdf_bytemap_measure(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, int64_t n)
{
    uint32_t any = 1u << c->shift, low = c->low, high = c->high;
    for (int64_t i = 0; i < n; i++) {
        uint32_t end = pieces[i].offset + pieces[i].length;
        any |= pieces[i].offset | pieces[i].length;
        low = pieces[i].offset < low ? pieces[i].offset : low;
        high = end > high ? end : high;
    }
    c->shift = __builtin_ctz(any);
    c->low = low;
    c->high = high;
    c->pieces += n;
}

void pcdf_bytemap_begin(struct pcdf_bytemap *c)
{
    if (c->pieces > 0) /* the word behind the last one ends every run */
        memset(c->bits, 0, ((size_t)(c->high >> c->shift) / WORD + 2) * sizeof *c->bits);
}

bool pcdf_bytemap_add(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, int64_t n)
{
    uint64_t were = 0; /* bits that were set before */
    for (const struct pcdf_short_piece *p = pieces; p < pieces + n; p++) {
        if (p->length == 0)
            continue;
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
    size_t end = c->pieces > 0 ? c->high >> c->shift : 0, low = from > c->low ? from : c->low;
    size_t first = find_bit(c->bits, (low + ((size_t)1 << c->shift) - 1) >> c->shift, end, 0);
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
