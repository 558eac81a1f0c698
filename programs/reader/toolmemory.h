#ifndef PCDF_TOOLMEMORY_H
#define PCDF_TOOLMEMORY_H
/* Memory that a command may use for data, on each rank. */

#include <stdbool.h>
#include <stdint.h>

enum { PCDF_TOOL_MEMORY = 64 << 20 }; /* without the option */
/* The argument of an option `--memory SIZE`, as hints are written: 64M, 1GiB. false: it is none, or too
 * little. */
bool pcdf_tool_memory_read(const char *text, int64_t *bytes);
#endif
