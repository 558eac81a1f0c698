#ifndef PCDF_NUMBERS_H
#define PCDF_NUMBERS_H
/* Of two numbers the smaller one, the larger one, the product, and the greatest common divisor. */

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

/* Of numbers from 0 on; that of 0 and b is b. */
static inline int64_t pcdf_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
#endif
