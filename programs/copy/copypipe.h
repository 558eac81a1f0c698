#ifndef PCDF_COPYPIPE_H
#define PCDF_COPYPIPE_H
/* Standard input and output as pipes of bytes, which others may have made non-blocking: then a read or write
 * waits. By one process, in bounded memory. */

#include "copyoptions.h"

#include <sys/types.h>

enum { PCDF_COPY_PIPE_BUFFER = 256 << 10 };

bool pcdf_copy_is_pipe(const char *path); /* "-" */
/* Does it write FROM as it is? Else what is to be sent has to be a file first. */
bool pcdf_copy_is_whole(const struct pcdf_copy_options *options);

/* Makes the pipe large. A buffer of `n` bytes for it, to be freed; NULL: no memory. */
char *pcdf_copy_pipe_begin(int fd, size_t n);
/* Of standard input, up to n bytes; 0: the end. -1: says why. */
ssize_t pcdf_copy_pipe_read(void *bytes, size_t n);
/* To standard output: all of them. A status. */
int pcdf_copy_pipe_write(const void *bytes, size_t n);
/* Everything was written: some file systems tell only now that it was not. A status. */
int pcdf_copy_pipe_end(void);
#endif
