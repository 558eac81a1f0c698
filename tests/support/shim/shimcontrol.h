#ifndef SHIMCONTROL_H
#define SHIMCONTROL_H
/* The shim, preloaded and told from inside the program what to fail. */

#include <stdbool.h>

/* Watches the files beside `path`; false: the shim is not there. */
bool shim_watch(const char *path);
/* From now on this rank's system calls fail as op:k[+]:errno says (tests/support/shim/README.md), counted
 * from here; NULL: none does. Returns how many have failed so far. */
long shim_order(const char *order);
#endif
