/* The loops of reduce for x86-64 with AVX2. Functions are compiled for it, the file is not: what headers
 * define stays what it is elsewhere. On other processors there is nothing here, and nobody asks for it. */
#include "reduceloops.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define LOOPS  pcdf_reduce_loops_avx2
#define VECTOR 32
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
typedef uint16_t uint16_halves __attribute__((vector_size(VECTOR / 2)));
#define MAX32(a, b)  ((naturals)_mm256_max_epu32((__m256i)(a), (__m256i)(b)))
#define MIN32(a, b)  ((naturals)_mm256_min_epu32((__m256i)(a), (__m256i)(b)))
#define UPPER(a, b)  ((floats)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define LOWER(a, b)  ((floats)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define LOW(v)       ((half_words)_mm256_castsi256_si128((__m256i)(v)))
#define HIGH(v)      ((half_words)_mm256_extracti128_si256((__m256i)(v), 1))
#define OF_FLOATS(v) ((reals)_mm256_cvtps_pd((__m128)(v)))
#define OF_WORDS(v)  ((reals)_mm256_cvtepi32_pd((__m128i)(v)))
#define SWAP16(v)    (((v) << 8) | ((v) >> 8))
#define SWAP32(v)                                                                                            \
    ((words)_mm256_shuffle_epi8((__m256i)(v),                                                                \
                                _mm256_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3, 12,    \
                                                13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)))
#include "reduceloop.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
