#ifndef PCDF_COPYPIPE_H
#define PCDF_COPYPIPE_H
/* `parcdf copy FROM -` and `parcdf copy - TO`: a classic file through a pipe, in the order of its bytes. By
 * one process, in bounded memory. */

#include "copyoptions.h"

bool pcdf_copy_is_pipe(const char *path); /* "-" */
/* Does it write FROM as it is? Else what is to be sent has to be a file first. */
bool pcdf_copy_is_whole(const struct pcdf_copy_options *options);
/* The file `path` to standard output. A status. */
int pcdf_copy_send(const struct pcdf_copy_options *options, const char *path);
/* Standard input to TO, which gets its name when it is complete. A status: BAD where it is not all that was
 * sent. */
int pcdf_copy_receive(const struct pcdf_copy_options *options);
#endif
