/* The steps for x86-64 with AVX2. Functions are compiled for it, the file is not: what headers define
 * stays what it is elsewhere. */
#include "natives.h"

#if defined(__x86_64__)
#define STEPS    pcdf_steps_avx2
#define VECTOR   32
#define PERMUTES 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "convertsteps.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
