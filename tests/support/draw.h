#ifndef DRAW_H
#define DRAW_H
/* Random numbers of a test, the same in each run. A case sets the seed, so that it can be drawn alone. */

#include <stdint.h>

static uint64_t draw_seed = 1;

/* low .. high */
static inline int64_t draw(int64_t low, int64_t high)
{
    draw_seed = draw_seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)((draw_seed >> 33) % (uint64_t)(high - low + 1));
}
#endif
