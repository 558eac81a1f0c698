#ifndef PCDF_COPYQUANTIZE_H
#define PCDF_COPYQUANTIZE_H
/* The option --quantize. Pure. */

#include "quantize.h"

/* "MODE/N"; false: it is none. */
bool pcdf_copy_quantize_read(const char *text, struct pcdf_quantize *how);
/* Variables of floats and doubles get the attribute, and are to be quantized so; but not coordinate variables
 * and those that attributes of others name, nor types that have no more digits. NC_ENOMEM. */
int pcdf_copy_quantize(struct pcdf_meta *meta, struct pcdf_quantize how);
#endif
