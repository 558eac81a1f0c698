#ifndef PCDF_LATER_H
#define PCDF_LATER_H
/* Part `closing` (hint pcdf_async_close): ncmpi_close returns when the ranks agreed on what is left to do,
 * and the file is completed later. When, and who waits for it: closing.h. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_closing;
#endif
