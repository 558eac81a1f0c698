/* The loops of stats for x86-64 with AVX2. Functions are compiled for it, the file is not: what headers
 * define stays what it is elsewhere. On other processors there is nothing here, and nobody asks for it. */
#include "statspart.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#define LOOPS  pcdf_stats_loops_avx2
#define VECTOR 32
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "statsloop.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
