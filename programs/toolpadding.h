#ifndef PCDF_TOOLPADDING_H
#define PCDF_TOOLPADDING_H
/* Padding in the header that is not zero, as some writers leave it. */

#include "findings.h"

/* Sets it to zero in the file, nothing else; `told` is called for each place, whose nbytes bytes were set.
 * On failure says so and gives PCDF_TOOL_UNUSABLE. A file that breaks the format has no padding that is
 * known: nothing is done to it, and nothing said. */
int pcdf_tool_fix_padding(const char *path, pcdf_found *told, void *context);
#endif
