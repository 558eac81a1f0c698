#ifndef PCDF_HASH_H
#define PCDF_HASH_H
/* One number of many bytes, by which ranks tell whether they have the same: equal on all ranks from equal
 * bytes, of one byte order. It protects against mistakes, not against an adversary. */

#include <stddef.h>
#include <stdint.h>

uint64_t pcdf_hash_bytes(const void *bytes, size_t n);
uint64_t pcdf_hash_text(const char *text); /* NULL is a text of its own */
#endif
