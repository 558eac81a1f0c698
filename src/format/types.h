#ifndef PCDF_TYPES_H
#define PCDF_TYPES_H
/* The external types, from types.def: size, name, first version that has them, default fill value. */

#include <stdbool.h>
#include <stdint.h>
#include "codes.h"

enum pcdf_version { PCDF_CDF1 = 1, PCDF_CDF2 = 2, PCDF_CDF5 = 5 };
enum { PCDF_TAG_DIMENSION = 0x0A, PCDF_TAG_VARIABLE = 0x0B, PCDF_TAG_ATTRIBUTE = 0x0C };

/* By type; the rest is zeros. */
enum { PCDF_TYPE_ROWS = 16 };
extern const struct pcdf_type_row {
    unsigned char size, since;
} pcdf_type_rows[PCDF_TYPE_ROWS];

/* Bytes; 0 when not a type of the format. */
static inline int pcdf_type_size(nc_type type)
{
    return type >= 0 && type < PCDF_TYPE_ROWS ? pcdf_type_rows[type].size : 0;
}

/* SPEC: nc_type. */
static inline bool pcdf_type_allowed(enum pcdf_version version, nc_type type)
{
    return pcdf_type_size(type) > 0 && (int)version >= pcdf_type_rows[type].since;
}

const char *pcdf_type_name(nc_type type); /* "NC_INT"; "?" when unknown */
const char *pcdf_type_cdl(nc_type type);  /* "int" */
/* The default fill value as it stands in a file (big-endian, pcdf_type_size bytes). */
const unsigned char *pcdf_type_fill(nc_type type);
#endif
