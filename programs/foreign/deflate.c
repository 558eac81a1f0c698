/* See deflate.h. */
#include "deflate.h"

#include <libdeflate.h>

struct pcdf_deflate *pcdf_deflate_new(int level)
{
    return (struct pcdf_deflate *)libdeflate_alloc_compressor(level);
}

void pcdf_deflate_free(struct pcdf_deflate *deflate)
{
    if (deflate)
        libdeflate_free_compressor((struct libdeflate_compressor *)deflate);
}

size_t pcdf_deflate_pack(struct pcdf_deflate *deflate, const void *bytes, size_t n, void *to, size_t room)
{
    return libdeflate_zlib_compress((struct libdeflate_compressor *)deflate, bytes, n, to, room);
}
