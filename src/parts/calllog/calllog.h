#ifndef PCDF_CALLLOG_H
#define PCDF_CALLLOG_H
/* Hint pcdf_trace: the calls of the interface on one file, a line a call, in the log that also has the lines
 * of the storage (storage/tracefile.h has the form). Each rank by itself; without memory there is no log, and
 * nothing fails. Calls on the definitions are not among them: they do not touch the file. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_calllog;
#endif
