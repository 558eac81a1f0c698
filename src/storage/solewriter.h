#ifndef PCDF_SOLEWRITER_H
#define PCDF_SOLEWRITER_H
/* May a process write back bytes of a file that it read? Only while no other process writes the file, not
 * even elsewhere in it. All who open it for writing by this library say so, with a shared lock on one byte;
 * who writes back holds an exclusive lock on another byte, behind which nobody begins to write, and looks for
 * locks of others on the first.
 *
 * A lock on the range that is written back (as ROMIO takes it) would protect it from those alone who lock
 * what they write: each small put would cost two more system calls. These locks cost three calls at open, and
 * three for each block that is written back. They are locks of open file descriptions (fcntl(2)), which go
 * with the descriptor, also where the process is killed, and not with any close of the file in the process.
 * Both bytes lie where no file has any. All functions are local; on the file systems of one machine. */

#include <stdbool.h>

/* Locks do hold, and cost no message to a server. fd: open for reading and writing, as of those below. */
bool pcdf_solewriter_can(int fd);
/* Before the first write. Waits for a block that is being written back now, and for a program that has locked
 * the whole file, ten seconds at most each. False: this process may not write back. */
bool pcdf_solewriter_join(int fd);
/* True: until the end nobody else writes the file. False: others may, or it is not known. */
bool pcdf_solewriter_begin(int fd);
void pcdf_solewriter_end(int fd);
#endif
