/* See shuffle.h. */

#include "shuffle.h"
#include <string.h>

/* The compiler knows `size` where it is one of these, and makes vectors of the loop. */
static inline void gather(size_t size, const unsigned char *restrict in, size_t n,
                          unsigned char *restrict out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < size; k++)
            out[i * size + k] = in[k * n + i];
}

static inline void spread(size_t size, const unsigned char *restrict in, size_t n,
                          unsigned char *restrict out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < size; k++)
            out[k * n + i] = in[i * size + k];
}

void pcdf_shuffle(size_t size, const unsigned char *in, size_t n, unsigned char *out)
{
    size_t elements = size > 1 ? n / size : 0, done = elements * size;
    if (size == 2)
        spread(2, in, elements, out);
    else if (size == 4)
        spread(4, in, elements, out);
    else if (size == 8)
        spread(8, in, elements, out);
    else if (size > 1)
        spread(size, in, elements, out);
    memcpy(out + done, in + done, n - done);
}

void pcdf_unshuffle(size_t size, const unsigned char *in, size_t n, unsigned char *out)
{
    size_t elements = size > 1 ? n / size : 0, done = elements * size;
    if (size == 2)
        gather(2, in, elements, out);
    else if (size == 4)
        gather(4, in, elements, out);
    else if (size == 8)
        gather(8, in, elements, out);
    else if (size > 1)
        gather(size, in, elements, out);
    memcpy(out + done, in + done, n - done);
}
