/* Which types the classic model has a place for, and values from the order of the file to the machine's.
 * Nothing is converted by libhdf5: values are read in the type of the file. */

#include "h5file.h"
#include <stdlib.h>
#include <string.h>

enum { LARGEST_TEXT = 1 << 24 };

static bool is_host_order(bool is_big)
{
    return is_big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* All bits of the bytes count, in one of the two usual orders. */
static bool is_plain(hid_t type, size_t size, bool *is_big)
{
    H5T_order_t order = size == 1 ? H5T_ORDER_LE : H5Tget_order(type);
    *is_big = order == H5T_ORDER_BE;
    return (size == 1 || size == 2 || size == 4 || size == 8) && H5Tget_precision(type) == 8 * size &&
           H5Tget_offset(type) == 0 && (order == H5T_ORDER_LE || order == H5T_ORDER_BE);
}

static struct pcdf_h5_type whole_number(hid_t type, size_t size)
{
    struct pcdf_h5_type t = { .size = (int)size };
    H5T_sign_t sign = H5Tget_sign(type);
    t.stored = sign == H5T_SGN_NONE ? PCDF_STORED_UINT : PCDF_STORED_INT;
    if (!is_plain(type, size, &t.is_big) || (sign != H5T_SGN_NONE && sign != H5T_SGN_2))
        t.reason = "whole numbers of an unusual width";
    return t;
}

/* IEEE's formats of 2, 4 and 8 bytes, bit by bit. */
static struct pcdf_h5_type real_number(hid_t type, size_t size)
{
    static const struct {
        size_t size, exponent, fraction, bias;
    } formats[] = { { 2, 5, 10, 15 }, { 4, 8, 23, 127 }, { 8, 11, 52, 1023 } };
    struct pcdf_h5_type t = { .stored = PCDF_STORED_REAL,
                              .size = (int)size,
                              .reason = "real numbers of an unusual format" };
    size_t sign, exponent_at, exponent, fraction_at, fraction;
    if (!is_plain(type, size, &t.is_big) ||
        H5Tget_fields(type, &sign, &exponent_at, &exponent, &fraction_at, &fraction) < 0)
        return t;
    for (int i = 0; i < 3; i++)
        if (formats[i].size == size && exponent == formats[i].exponent && fraction == formats[i].fraction &&
            fraction_at == 0 && exponent_at == fraction && sign == 8 * size - 1 &&
            H5Tget_ebias(type) == formats[i].bias && H5Tget_norm(type) == H5T_NORM_IMPLIED)
            t.reason = NULL;
    return t;
}

/* h5py's booleans are an enumeration of FALSE and TRUE; other ones are their numbers. */
static struct pcdf_h5_type enumeration(hid_t type, size_t size)
{
    hid_t base = H5Tget_super(type);
    struct pcdf_h5_type t = { .reason = "an enumeration of an unusual kind" };
    if (base < 0)
        return t;
    if (H5Tget_class(base) == H5T_INTEGER)
        t = whole_number(base, size);
    H5Tclose(base);
    char *first = H5Tget_nmembers(type) == 2 ? H5Tget_member_name(type, 0) : NULL;
    char *second = first ? H5Tget_member_name(type, 1) : NULL;
    if (first && second && size == 1 && !t.reason && !strcmp(first, "FALSE") && !strcmp(second, "TRUE"))
        t.stored = PCDF_STORED_BOOL;
    if (first)
        H5free_memory(first);
    if (second)
        H5free_memory(second);
    return t;
}

struct pcdf_h5_type pcdf_h5_type_of(hid_t type)
{
    struct pcdf_h5_type t = { .stored = PCDF_STORED_TEXT, .size = 1 };
    size_t size = H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return whole_number(type, size);
    case H5T_FLOAT:
        return real_number(type, size);
    case H5T_ENUM:
        return enumeration(type, size);
    case H5T_STRING:
        t.is_varying = H5Tis_variable_str(type) > 0;
        t.reason = !t.is_varying && (size == 0 || size > LARGEST_TEXT) ? "texts of an unusual length" : NULL;
        t.size = t.is_varying || t.reason ? 1 : (int)size;
        break;
    case H5T_COMPOUND:
        t.reason = "values of several parts (compound)";
        break;
    case H5T_VLEN:
        t.reason = "lists of any length (vlen)";
        break;
    case H5T_OPAQUE:
        t.reason = "opaque values";
        break;
    case H5T_REFERENCE:
        t.reason = "references";
        break;
    case H5T_ARRAY:
        t.reason = "arrays as values";
        break;
    case H5T_BITFIELD:
        t.reason = "bit fields";
        break;
    default:
        t.reason = "values of an unknown type";
    }
    return t;
}

void pcdf_h5_to_native(const struct pcdf_h5_type *type, void *values, int64_t n)
{
    unsigned char *at = values;
    if (is_host_order(type->is_big) || type->size == 1 || type->stored == PCDF_STORED_TEXT)
        return;
    for (int64_t i = 0; i < n; i++, at += type->size)
        for (int a = 0, b = type->size - 1; a < b; a++, b--) {
            unsigned char byte = at[a];
            at[a] = at[b];
            at[b] = byte;
        }
}

char *pcdf_h5_rows(char **texts, int64_t n, int64_t most, int *size)
{
    size_t longest = 1;
    for (int64_t i = 0; i < n; i++)
        if (texts[i] && strlen(texts[i]) > longest)
            longest = strlen(texts[i]);
    if (longest > LARGEST_TEXT || (n > 0 && (int64_t)longest > most / n))
        return NULL;
    char *rows = calloc((size_t)n + 1, longest);
    for (int64_t i = 0; rows && i < n; i++)
        if (texts[i])
            memcpy(rows + (size_t)i * longest, texts[i], strlen(texts[i]));
    *size = (int)longest;
    return rows;
}
