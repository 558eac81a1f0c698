#ifndef PCDF_HASH_H
#define PCDF_HASH_H
/* One number of many bytes, by which ranks tell whether they have the same: equal on all ranks from equal
 * bytes, of one byte order. It protects against mistakes, not against an adversary. */

#include <stddef.h>
#include <stdint.h>

uint64_t pcdf_hash_bytes(const void *bytes, size_t n);
uint64_t pcdf_hash_text(const char *text); /* NULL is a text of its own */

/* For tables in memory: of chunk `number` of variable `id`, or the like. */
static inline uint64_t pcdf_hash_pair(int id, int64_t number)
{
    uint64_t x = ((uint64_t)number * 0x9E3779B97F4A7C15u) ^ ((uint64_t)(unsigned)id * 0xC2B2AE3D27D4EB4Fu);
    return x ^ x >> 32;
}
#endif
