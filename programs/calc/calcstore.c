/* See calcstore.h. Loops that the compiler is to make vectors of. */
#include "calcstore.h"
#include "exprtypes.h"

#define REALS(T)                                                                                             \
    static int64_t store_##T(T fill, const double *restrict x, int64_t n, T *restrict to)                    \
    {                                                                                                        \
        int64_t lost = 0;                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            T value = (T)x[i];                                                                               \
            lost += value == fill;                                                                           \
            to[i] = x[i] != x[i] ? fill : value;                                                             \
        }                                                                                                    \
        return lost;                                                                                         \
    }
REALS(float)
REALS(double)

#define INTEGERS(T)                                                                                          \
    static int64_t store_##T(T fill, double least, double most, const double *restrict x, int64_t n,         \
                             T *restrict to)                                                                 \
    {                                                                                                        \
        int64_t lost = 0;                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            bool fits = (x[i] >= least) & (x[i] <= most);                                                    \
            T value = fits ? (T)x[i] : fill;                                                                 \
            lost += (x[i] == x[i]) & (value == fill);                                                        \
            to[i] = value;                                                                                   \
        }                                                                                                    \
        return lost;                                                                                         \
    }
INTEGERS(int8_t)
INTEGERS(uint8_t)
INTEGERS(int16_t)
INTEGERS(uint16_t)
INTEGERS(int32_t)
INTEGERS(uint32_t)

/* The bits of integers that are exact; x says which are missing. */
static int64_t store_wide(nc_type type, uint64_t fill, const struct pcdf_expr_block *v, int64_t first,
                          int64_t n, uint64_t *to)
{
    pcdf_expr_whole least = pcdf_expr_least(type), most = pcdf_expr_most(type);
    int64_t lost = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t bits = v->exact ? v->exact[first + i] : 0;
        pcdf_expr_whole whole = v->type == NC_UINT64 ? (pcdf_expr_whole)(uint64_t)bits : bits;
        bool is_value = v->x[first + i] == v->x[first + i], fits = whole >= least && whole <= most;
        to[i] = is_value && fits ? (uint64_t)bits : fill;
        lost += is_value && to[i] == fill;
    }
    return lost;
}

int64_t pcdf_calc_store(nc_type type, const void *fill, const struct pcdf_expr_block *v, int64_t first,
                        int64_t n, void *to)
{
    const double *x = v->x + first;
    double least = 0, most = 0;
    if (pcdf_expr_is_integer(type)) {
        least = (double)pcdf_expr_least(type);
        most = (double)pcdf_expr_most(type);
    }
    switch (type) {
    case NC_FLOAT:
        return store_float(*(const float *)fill, x, n, to);
    case NC_DOUBLE:
        return store_double(*(const double *)fill, x, n, to);
    case NC_BYTE:
        return store_int8_t(*(const int8_t *)fill, least, most, x, n, to);
    case NC_UBYTE:
        return store_uint8_t(*(const uint8_t *)fill, least, most, x, n, to);
    case NC_SHORT:
        return store_int16_t(*(const int16_t *)fill, least, most, x, n, to);
    case NC_USHORT:
        return store_uint16_t(*(const uint16_t *)fill, least, most, x, n, to);
    case NC_INT:
        return store_int32_t(*(const int32_t *)fill, least, most, x, n, to);
    case NC_UINT:
        return store_uint32_t(*(const uint32_t *)fill, least, most, x, n, to);
    default:
        return store_wide(type, *(const uint64_t *)fill, v, first, n, to);
    }
}
