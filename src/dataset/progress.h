#ifndef PCDF_PROGRESS_H
#define PCDF_PROGRESS_H
/* Tells the program how far a long step has come (parcdf_set_progress). Local. */

#include <stdint.h>

typedef void pcdf_progress_function(const char *path, long long done, long long total, void *context);

void pcdf_progress_set(pcdf_progress_function *function, void *context);
void pcdf_progress(const char *path, int64_t done, int64_t total);
#endif
