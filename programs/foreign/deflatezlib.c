/* See deflate.h. */
#include "deflate.h"
#include "alloc.h"

#include <zlib.h>

struct pcdf_deflate {
    int level;
};

struct pcdf_deflate *pcdf_deflate_new(int level)
{
    struct pcdf_deflate *d = pcdf_malloc(sizeof *d);
    if (d)
        d->level = level;
    return d;
}

void pcdf_deflate_free(struct pcdf_deflate *deflate)
{
    pcdf_free(deflate);
}

size_t pcdf_deflate_pack(struct pcdf_deflate *deflate, const void *bytes, size_t n, void *to, size_t room)
{
    uLongf got = room;
    return compress2(to, &got, bytes, n, deflate->level) == Z_OK ? got : 0;
}
