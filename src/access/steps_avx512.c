/* The steps for x86-64 with AVX-512 (F, BW, DQ and VL). Functions are compiled for it, the file is not: what
 * headers define stays what it is elsewhere. */
#include "natives.h"

#if defined(__x86_64__)
#define STEPS    pcdf_steps_avx512
#define VECTOR   64
#define PERMUTES 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))),                  \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#include "convertsteps.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
