#ifndef PCDF_NUMBERS_H
#define PCDF_NUMBERS_H
/* Of two numbers the smaller one, the larger one, and the product. */

#include <stdint.h>

static inline int64_t pcdf_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t pcdf_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of numbers from 0 on; INT64_MAX: the product does not fit. */
static inline int64_t pcdf_product(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}
#endif
