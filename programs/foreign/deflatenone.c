/* deflate.h without a library: nothing becomes smaller. */
#include "deflate.h"

struct pcdf_deflate *pcdf_deflate_new(int level)
{
    (void)level;
    return NULL;
}

void pcdf_deflate_free(struct pcdf_deflate *deflate)
{
    (void)deflate;
}

size_t pcdf_deflate_pack(struct pcdf_deflate *deflate, const void *bytes, size_t n, void *to, size_t room)
{
    (void)deflate;
    (void)bytes;
    (void)n;
    (void)to;
    (void)room;
    return 0;
}
