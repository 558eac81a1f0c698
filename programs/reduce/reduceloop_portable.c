/* The loops of reduce for every processor. */
#include "reduceloops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS  pcdf_reduce_loops_portable
#define VECTOR 16
typedef uint32_t some_words __attribute__((vector_size(VECTOR)));
typedef float some_floats __attribute__((vector_size(VECTOR)));
typedef uint16_t uint16_halves __attribute__((vector_size(VECTOR / 2)));

typedef int64_t some_longs __attribute__((vector_size(VECTOR)));
typedef int32_t two_words __attribute__((vector_size(VECTOR / 2)));
typedef float two_floats __attribute__((vector_size(VECTOR / 2)));

static inline two_words half_of(some_longs v, int k)
{
    int64_t bits = v[k];
    two_words half;
    memcpy(&half, &bits, sizeof half);
    return half;
}

static inline some_words chosen(some_words mask, some_words a, some_words b)
{
    return (a & mask) | (b & ~mask);
}

#define LOW(v)       half_of((some_longs)(v), 0)
#define HIGH(v)      half_of((some_longs)(v), 1)
#define OF_FLOATS(v) __builtin_convertvector((two_floats)(v), reals)
#define OF_WORDS(v)  __builtin_convertvector(v, reals)
#define MAX32(a, b)  chosen((some_words)((a) > (b)), a, b)
#define MIN32(a, b)  chosen((some_words)((a) < (b)), a, b)
#define UPPER(a, b)  ((some_floats)chosen((some_words)((a) > (b)), (some_words)(a), (some_words)(b)))
#define LOWER(a, b)  ((some_floats)chosen((some_words)((a) < (b)), (some_words)(a), (some_words)(b)))

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SWAP16(v) (v)
#define SWAP32(v) (v)
#else
#define SWAP16(v) (((v) << 8) | ((v) >> 8))
#define SWAP32(v) ((words)swapped((some_words)(v)))
static inline some_words swapped(some_words v)
{
    v = ((v & 0x00ff00ff) << 8) | ((v >> 8) & 0x00ff00ff);
    return (v << 16) | (v >> 16);
}
#endif
#include "reduceloop.h"

#if defined(__x86_64__)
const struct pcdf_reduce_loops *pcdf_reduce_best_loops(void)
{
    const char *wanted = getenv("PARCDF_LOOPS");
    bool is_portable = wanted && strcmp(wanted, "portable") == 0,
         is_avx2 = wanted && strcmp(wanted, "avx2") == 0;
    if (!is_portable && !is_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return &pcdf_reduce_loops_avx512;
    return !is_portable && __builtin_cpu_supports("avx2") ? &pcdf_reduce_loops_avx2
                                                          : &pcdf_reduce_loops_portable;
}
#else
const struct pcdf_reduce_loops *pcdf_reduce_best_loops(void)
{
    return &pcdf_reduce_loops_portable;
}
#endif
