#ifndef PCDF_HOUSE_RECORDER_H
#define PCDF_HOUSE_RECORDER_H
/* Records the call tree of one thread, by the hooks of -finstrument-functions. */

#include <stdio.h>

#define UNSEEN __attribute__((no_instrument_function))

/* Forgets what was recorded, and records the calls of this thread from here on. */
void recorder_begin(void);
void recorder_end(void);
/* A line of "CASE ROUND DEPTH ADDRESS CALLS" for each function as it was reached by one path. */
void recorder_print(FILE *out, const char *name, int round);
#endif
