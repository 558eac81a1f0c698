#ifndef PCDF_TOOLSTOP_H
#define PCDF_TOOLSTOP_H
/* SIGINT and SIGTERM ask a command that waits to end well. No such signal is lost, at whatever instant it
 * comes and to whatever thread: it makes a descriptor readable that every sleep waits for. */

#include <stdbool.h>

/* From now on these signals end sleeps, and kill nobody. A call that waits (write(2) to a pipe) ends with
 * EINTR. SIGCHLD ends a sleep, too. */
void pcdf_tool_stop_begin(void);
/* Did one of the two come? */
bool pcdf_tool_is_stopped(void);
/* Sleeps until `fd` (-1: none) can be read, so many seconds passed, or a signal came: now, or since the last
 * sleep. */
void pcdf_tool_sleep(int fd, double seconds);
/* Seconds of a clock that nobody sets. */
double pcdf_tool_clock(void);
#endif
