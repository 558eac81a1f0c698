#ifndef PCDF_QUANTIZE_H
#define PCDF_QUANTIZE_H
/* Quantized variables: of each value that is put only so many digits are kept, so that what compresses the
 * file later finds equal bits. Modes, limits, attributes and bits are those of netCDF-C 4.10.1
 * (nc_def_var_quantize). How it is done: access/quantizer.h. No I/O, no MPI. */

#include "meta.h"

/* As in the public header. */
enum pcdf_quantize_mode {
    PCDF_QUANTIZE_NONE,
    PCDF_QUANTIZE_BITGROOM,
    PCDF_QUANTIZE_GRANULARBR,
    PCDF_QUANTIZE_BITROUND,
    PCDF_QUANTIZE_MODES
};

/* The attribute that tells the digits; mode: not PCDF_QUANTIZE_NONE. */
const char *pcdf_quantize_att_name(enum pcdf_quantize_mode mode);
/* Most digits that may be kept of a type; 0: values of this type are not quantized. */
int pcdf_quantize_most(enum pcdf_quantize_mode mode, nc_type type);

/* What the attributes of a variable say, as netCDF-C reads them when it opens a file: the first mode that has
 * one counts. An attribute that makes no sense (another length, text, too many digits, of integers) says
 * nothing. */
struct pcdf_quantize pcdf_quantize_of_var(const struct pcdf_var *var);
/* Of each variable. */
void pcdf_quantize_of_atts(struct pcdf_meta *meta);
#endif
