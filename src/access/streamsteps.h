/* No guard: a step that only some steps_*.c have, included once in each of those. They define
 * STREAM_LINE(to, from), which stores LINE bytes to memory and not to the cache, both ends at a multiple of
 * LINE, and STREAM_END, after which other threads see them. */

#include "natives.h"

enum { LINE = 64 };

/* Values in a row, of any number; `to` is a multiple of the width. Up to the first line, and behind the last,
 * they are stored as usual. */
#define STREAM(width)                                                                                        \
    static void stream_##width(unsigned char *restrict to, const unsigned char *restrict from, size_t n)     \
    {                                                                                                        \
        size_t head = -(uintptr_t)to % LINE / width;                                                         \
        _Alignas(LINE) unsigned char line[LINE];                                                             \
        for (head = head < n ? head : n; head > 0; head--, n--, to += width, from += width)                  \
            swap_one(to, from, width);                                                                       \
        for (; n >= LINE / width; n -= LINE / width, to += LINE, from += LINE) {                             \
            for (size_t i = 0; i < LINE; i += width)                                                         \
                swap_one(line + i, from + i, width);                                                         \
            STREAM_LINE(to, line);                                                                           \
        }                                                                                                    \
        for (; n > 0; n--, to += width, from += width)                                                       \
            swap_one(to, from, width);                                                                       \
    }
STREAM(1)
STREAM(2)
STREAM(4)
STREAM(8)

/* A fence for every short run would take longer than to store it in the cache. */
static void stream_end(void)
{
    STREAM_END;
}
