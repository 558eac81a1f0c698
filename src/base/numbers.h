#ifndef PCDF_NUMBERS_H
#define PCDF_NUMBERS_H
/* Of two numbers the smaller and the larger one. */

#include <stdint.h>

static inline int64_t pcdf_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t pcdf_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
#endif
