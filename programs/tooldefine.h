#ifndef PCDF_TOOLDEFINE_H
#define PCDF_TOOLDEFINE_H
/* Definitions as a value become those of a file of the library. */

#include "meta.h"

/* Collective, with the same definitions on all ranks: dimensions, variables and attributes of an empty file
 * in define mode. An NC_ code; the library keeps the sentence. */
int pcdf_tool_define(int ncid, const struct pcdf_meta *meta);
#endif
