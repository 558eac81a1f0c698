#ifndef PCDF_ONEHINT_H
#define PCDF_ONEHINT_H
/* One hint of PNETCDF_HINTS, for commands that read files without the library's open. */

#include <stdbool.h>
#include <stddef.h>

/* The value of the hint; of several the last one. false: it is not there, or has no room. */
bool pcdf_onehint(const char *name, char *value, size_t room);
#endif
