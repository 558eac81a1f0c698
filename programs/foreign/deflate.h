#ifndef PCDF_FOREIGN_DEFLATE_H
#define PCDF_FOREIGN_DEFLATE_H
/* zlib streams, from libdeflate (deflate.c) or zlib (deflatezlib.c), whichever the build found. */

#include <stdbool.h>
#include <stddef.h>

struct pcdf_deflate; /* of one level; memory for many streams */

/* NULL: no memory. */
struct pcdf_deflate *pcdf_deflate_new(int level);
void pcdf_deflate_free(struct pcdf_deflate *deflate);
/* The bytes of the stream; 0: it would have more than `room`. */
size_t pcdf_deflate_pack(struct pcdf_deflate *deflate, const void *bytes, size_t n, void *to, size_t room);
#endif
