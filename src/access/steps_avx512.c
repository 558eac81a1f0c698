/* The steps for x86-64 with AVX-512 (F, BW, DQ and VL). Functions are compiled for it, the file is not: what
 * headers define stays what it is elsewhere. */
#include "natives.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define STEPS                 pcdf_steps_avx512
#define VECTOR                64
#define PERMUTES              1
#define STREAMS               BY_WIDTH(stream), stream_end
#define STREAM_LINE(to, from) _mm512_stream_si512((__m512i *)(to), _mm512_load_si512(from))
#define STREAM_END            _mm_sfence()
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))),                  \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#include "streamsteps.h"
#include "convertsteps.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
