#ifndef PCDF_CLOSINGMARK_H
#define PCDF_CLOSINGMARK_H
/* A file that was closed in the background, and is not complete yet, has a mark that every process of the
 * machine sees: a lock on a byte behind all that a file can have. The kernel keeps it with the file, whatever
 * that is called, and takes it away when its holder ends. For those who do not know of the close, since they
 * are no ranks of the file; on file systems of one machine alone, and unless a lock of somebody else covers
 * the byte, too. All functions are local. */

#include <stdbool.h>
#include <stdint.h>

/* By each process that writes the file, on its descriptor. by_thread: the file is completed without any call
 * of the program. Where there are no such locks, there is no mark. */
void pcdf_closingmark_set(int fd, bool by_thread);
void pcdf_closingmark_clear(int fd); /* closing the descriptor does it, too */

/* Waits until nobody has such a mark on the file. NC_EACCESS with a sentence: nobody wrote the file for so
 * many seconds (at most 0: half an hour), or, if its holders must be in a call for it, so many seconds (at
 * most 0: a minute) went by. */
int pcdf_closingmark_await(const char *path, int64_t seconds);
#endif
