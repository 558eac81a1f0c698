#ifndef PCDF_WATCHEXEC_H
#define PCDF_WATCHEXEC_H
/* `parcdf watch --exec`: a command of the shell for each record. */

#include <stdint.h>

/* Runs the command, in which {} is the record's number, and waits for its end: so there are never two of
 * them. What it ended with is said, and is no failure. A signal that asks this program to end is passed on to
 * it, once. UNUSABLE, said: it cannot be run. */
int pcdf_watch_execute(const char *command, const char *path, int64_t record);
#endif
