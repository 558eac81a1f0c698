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

/* Those that were set already, if any. */
static uint64_t set_bits(uint64_t *bits, size_t first, size_t end)
{
    size_t word = first / WORD, last = (end - 1) / WORD;
    uint64_t head = ~(uint64_t)0 << first % WORD, tail = ~(uint64_t)0 >> (WORD - 1 - (end - 1) % WORD);
    if (word == last) {
        uint64_t were = bits[word] & head & tail;
        bits[word] |= head & tail;
        return were;
    }
    uint64_t were = (bits[word] & head) | (bits[last] & tail);
    bits[word] |= head;
    for (size_t i = word + 1; i < last; i++) {
        were |= bits[i];
        bits[i] = ~(uint64_t)0;
    }
    bits[last] |= tail;
    return were;
}

bool pcdf_bytemap_add(struct pcdf_bytemap *c, const struct pcdf_short_piece *pieces, int64_t n)
{
    uint64_t were = 0;
    for (int64_t i = 0; i < n; i++)
        if (pieces[i].length > 0)
            were |= set_bits(c->bits, pieces[i].offset >> c->shift,
                             (size_t)(pieces[i].offset + pieces[i].length) >> c->shift);
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
