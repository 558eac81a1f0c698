#ifndef PCDF_FILELOCK_H
#define PCDF_FILELOCK_H
/* Locks on a file of ours that say who is at work. All functions are local.
 *
 * One process owns the file: an open file description lock (fcntl(2)) on its byte 0. The others of its job
 * take part: a shared one on byte 1. A new owner must have both bytes for a moment, so nobody can become it
 * while a rank of the old job is left. flock(2) is tried before, since a file system that refuses one of the
 * two is none to trust; it is held only where the other is refused. */

#include <stdbool.h>

/* NC_EACCESS: another process has it. *is_whole: both kinds of locks were granted; whether that holds between
 * nodes is pcdf_filesystem_locks' to say. Where the file system knows no locks the name alone has to do:
 * NC_NOERR. */
int pcdf_filelock_own(int fd, const char *path, bool *is_whole);
/* Nobody owns it while this process reads it, and nobody becomes it; others may look, too. A descriptor for
 * reading is enough, where an exclusive lock needs one for writing. NC_EACCESS as above. */
int pcdf_filelock_look(int fd, const char *path);
/* This process works on it, too; rank 0 of its job owns it. */
void pcdf_filelock_join(int fd);
#endif
