/* See value.h. */
#include "value.h"
#include "bytes.h"

struct pcdf_value pcdf_value_load(nc_type type, const unsigned char *bytes)
{
    struct pcdf_value v = { .type = type };
    uint32_t bits;
    float single;

    switch (type) {
    case NC_BYTE:
        v.is.integer = (int8_t)bytes[0];
        break;
    case NC_CHAR:
        v.is.integer = bytes[0];
        break;
    case NC_UBYTE:
        v.is.natural = bytes[0];
        break;
    case NC_SHORT:
        v.is.integer = (int16_t)pcdf_bytes_get(bytes, 2);
        break;
    case NC_USHORT:
        v.is.natural = pcdf_bytes_get(bytes, 2);
        break;
    case NC_INT:
        v.is.integer = (int32_t)pcdf_bytes_get(bytes, 4);
        break;
    case NC_UINT:
        v.is.natural = pcdf_bytes_get(bytes, 4);
        break;
    case NC_FLOAT:
        bits = pcdf_bytes_get(bytes, 4);
        memcpy(&single, &bits, sizeof single);
        v.is.real = (double)single;
        break;
    default: /* NC_INT64, NC_UINT64, NC_DOUBLE: all bits of it */
        v.is.natural = pcdf_bytes_get(bytes, 8);
    }
    return v;
}

void pcdf_value_store(const struct pcdf_value *value, unsigned char *bytes)
{
    uint64_t all = value->is.natural;
    uint32_t bits;
    float single;

    switch (pcdf_type_size(value->type)) {
    case 1:
        bytes[0] = (unsigned char)all;
        break;
    case 2:
        pcdf_bytes_put(bytes, (uint16_t)all, 2);
        break;
    case 4:
        single = value->type == NC_FLOAT ? (float)value->is.real : 0;
        memcpy(&bits, &single, sizeof bits);
        pcdf_bytes_put(bytes, value->type == NC_FLOAT ? bits : (uint32_t)all, 4);
        break;
    default:
        pcdf_bytes_put(bytes, all, 8);
    }
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
