#ifndef PCDF_VALUE_H
#define PCDF_VALUE_H
/* Single values of a file as numbers of this machine, and arrays of them in its byte order. */

#include "meta.h"

struct pcdf_value {
    nc_type type;
    union {
        int64_t integer;  /* the signed integers and NC_CHAR, whose bytes are 0..255 */
        uint64_t natural; /* the unsigned ones */
        double real;      /* NC_FLOAT, NC_DOUBLE */
    } is;
};

static inline bool pcdf_value_is_real(nc_type type)
{
    return type == NC_FLOAT || type == NC_DOUBLE;
}

static inline bool pcdf_value_is_unsigned(nc_type type)
{
    return type == NC_UBYTE || type == NC_USHORT || type == NC_UINT || type == NC_UINT64;
}

/* The value that begins at `bytes`, in external form. */
struct pcdf_value pcdf_value_load(nc_type type, const unsigned char *bytes);
/* The bytes in external form; of an integer those that its type has. */
void pcdf_value_store(const struct pcdf_value *value, unsigned char *bytes);
double pcdf_value_as_real(const struct pcdf_value *value);

static inline double pcdf_value_load_real(nc_type type, const unsigned char *bytes)
{
    struct pcdf_value value = pcdf_value_load(type, bytes);
    return pcdf_value_as_real(&value);
}

/* Turns the bytes of each of n values of 2, 4 or 8 bytes round: of those that begin `step` bytes behind each
 * other. `to` is `from`, or elsewhere; where it is `from`, step is the size. */
void pcdf_values_reverse_from(const void *from, int64_t step, int64_t n, int size, void *to);
/* In place. */
void pcdf_values_reverse(void *values, int64_t n, int size);
/* The same where this machine is little-endian: from the order of a file to its own, and back. */
void pcdf_values_swap(void *values, int64_t n, int size);
#endif
