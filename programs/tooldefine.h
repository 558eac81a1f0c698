#ifndef PCDF_TOOLDEFINE_H
#define PCDF_TOOLDEFINE_H
/* Definitions as a value become those of a file of the library. */

#include "meta.h"

/* Collective, with the same definitions on all ranks: dimensions, variables and attributes of an empty file
 * in define mode. An NC_ code; the library keeps the sentence. */
int pcdf_tool_define(int ncid, const struct pcdf_meta *meta);
/* The classic model of netCDF-4 has the types of CDF-1. Says which variable has another one, UNUSABLE. */
int pcdf_tool_define_fits_model(const char *to, const struct pcdf_meta *meta);
/* NC_ flags of create. format: of toolkind.h. */
int pcdf_tool_define_mode(int format);
#endif
