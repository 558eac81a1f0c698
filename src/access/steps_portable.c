/* The steps for any processor of its kind: SSE2 on x86-64, NEON on aarch64, plain C elsewhere. */
#define STEPS  pcdf_steps_portable
#define VECTOR 16 /* bytes */

/* Plain SSE2 has no byte permutation. */
#if defined(__SSE2__) && !defined(__SSSE3__)
#define PERMUTES 0
#else
#define PERMUTES 1
#endif

#define STREAMS { NULL }, NULL

#include "convertsteps.h"
