/* The loops of reduce for x86-64 with AVX-512 (F, BW, DQ). Functions are compiled for it, the file is not:
 * what headers define stays what it is elsewhere. On other processors there is nothing here, and nobody asks
 * for it. */
#include "reduceloops.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define LOOPS  pcdf_reduce_loops_avx512
#define VECTOR 64
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq")
#endif
typedef uint16_t uint16_halves __attribute__((vector_size(VECTOR / 2)));
#define MAX32(a, b)  ((naturals)_mm512_max_epu32((__m512i)(a), (__m512i)(b)))
#define MIN32(a, b)  ((naturals)_mm512_min_epu32((__m512i)(a), (__m512i)(b)))
#define UPPER(a, b)  ((floats)_mm512_max_ps((__m512)(a), (__m512)(b)))
#define LOWER(a, b)  ((floats)_mm512_min_ps((__m512)(a), (__m512)(b)))
#define LOW(v)       ((half_words)_mm512_castsi512_si256((__m512i)(v)))
#define HIGH(v)      ((half_words)_mm512_extracti64x4_epi64((__m512i)(v), 1))
#define OF_FLOATS(v) ((reals)_mm512_cvtps_pd((__m256)(v)))
#define OF_WORDS(v)  ((reals)_mm512_cvtepi32_pd((__m256i)(v)))
#define SWAP16(v)    (((v) << 8) | ((v) >> 8))
#define SWAP32(v)                                                                                            \
    ((words)_mm512_shuffle_epi8((__m512i)(v),                                                                \
                                _mm512_set4_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203)))
#include "reduceloop.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
