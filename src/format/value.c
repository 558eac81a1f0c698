/* See value.h. */
#include "value.h"
#include "bytes.h"

struct pcdf_value pcdf_value_load(nc_type type, const unsigned char *bytes)
{
    const int size = pcdf_type_size(type);
    struct pcdf_value v = { .type = type };
    const uint64_t all = size == 1 ? bytes[0] : pcdf_bytes_get(bytes, (size_t)size);

    v.is.natural = all; /* of NC_DOUBLE, too */
    if (type == NC_FLOAT) {
        uint32_t bits = (uint32_t)all;
        float single;
        memcpy(&single, &bits, sizeof single);
        v.is.real = (double)single;
    } else if (type == NC_BYTE || type == NC_SHORT || type == NC_INT) {
        uint64_t sign = UINT64_C(1) << (8 * size - 1);
        v.is.natural = (all ^ sign) - sign;
    }
    return v;
}

void pcdf_value_store(const struct pcdf_value *value, unsigned char *bytes)
{
    const int size = pcdf_type_size(value->type);
    uint64_t all = value->is.natural;

    if (value->type == NC_FLOAT) {
        float single = (float)value->is.real;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        all = bits;
    }
    if (size == 1)
        bytes[0] = (unsigned char)all;
    else
        pcdf_bytes_put(bytes, all, (size_t)size);
}

double pcdf_value_as_real(const struct pcdf_value *value)
{
    if (pcdf_value_is_real(value->type))
        return value->is.real;
    return pcdf_value_is_unsigned(value->type) ? (double)value->is.natural : (double)value->is.integer;
}

/* A loop for each size, which compilers make vectors of. */
void pcdf_values_reverse(void *values, int64_t n, int size)
{
    char *at = values;
    uint16_t x2;
    uint32_t x4;
    uint64_t x8;

    for (int64_t i = 0; size == 2 && i < n; i++) {
        memcpy(&x2, at + 2 * i, 2);
        x2 = __builtin_bswap16(x2);
        memcpy(at + 2 * i, &x2, 2);
    }
    for (int64_t i = 0; size == 4 && i < n; i++) {
        memcpy(&x4, at + 4 * i, 4);
        x4 = __builtin_bswap32(x4);
        memcpy(at + 4 * i, &x4, 4);
    }
    for (int64_t i = 0; size == 8 && i < n; i++) {
        memcpy(&x8, at + 8 * i, 8);
        x8 = __builtin_bswap64(x8);
        memcpy(at + 8 * i, &x8, 8);
    }
}

void pcdf_values_swap(void *values, int64_t n, int size)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        pcdf_values_reverse(values, n, size);
}

const unsigned char *pcdf_var_fill(const struct pcdf_var *var)
{
    int id = pcdf_atts_find(&var->atts, "_FillValue");
    const struct pcdf_att *own = id >= 0 ? &var->atts.x[id] : NULL;

    return own && own->type == var->type && own->nelems == 1 ? own->values : pcdf_type_fill(var->type);
}
