/* The steps for x86-64 with AVX2. Functions are compiled for it, the file is not: what headers define
 * stays what it is elsewhere. */
#include "natives.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define STEPS    pcdf_steps_avx2
#define VECTOR   32
#define PERMUTES 1
#define STREAMS  BY_WIDTH(stream), stream_end
#define STREAM_LINE(to, from)                                                                                \
    (_mm256_stream_si256((__m256i *)(to), _mm256_load_si256((const __m256i *)(from))),                       \
     _mm256_stream_si256((__m256i *)(to) + 1, _mm256_load_si256((const __m256i *)(from) + 1)))
#define STREAM_END _mm_sfence()
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "streamsteps.h"
#include "convertsteps.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
