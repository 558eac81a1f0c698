#ifndef PCDF_TYPES_H
#define PCDF_TYPES_H
/* The external types, from types.def: size, name, first version that has them, default fill value. */

#include <stdbool.h>
#include <stdint.h>
#include "codes.h"

enum pcdf_version { PCDF_CDF1 = 1, PCDF_CDF2 = 2, PCDF_CDF5 = 5 };
enum { PCDF_TAG_DIMENSION = 0x0A, PCDF_TAG_VARIABLE = 0x0B, PCDF_TAG_ATTRIBUTE = 0x0C };

int pcdf_type_size(nc_type type);                                /* bytes; 0 when not a type of the format */
const char *pcdf_type_name(nc_type type);                        /* "NC_INT"; "?" when unknown */
const char *pcdf_type_cdl(nc_type type);                         /* "int" */
bool pcdf_type_allowed(enum pcdf_version version, nc_type type); /* SPEC: nc_type */
/* The default fill value as it stands in a file (big-endian, pcdf_type_size bytes). */
const unsigned char *pcdf_type_fill(nc_type type);
#endif
