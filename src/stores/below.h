#ifndef PCDF_BELOW_H
#define PCDF_BELOW_H
/* Opens what lies below a folder, and nothing else: links are followed where the kernel keeps them inside
 * (openat2, Linux 5.6 and newer); else no link is followed. Local, no MPI. */

/* path: names one below the other; flags: of open, for reading. A descriptor, or -1 with errno: EXDEV or
 * ELOOP where a link leads out (or where links are not followed), else as open says. */
int pcdf_below_open(int folder, const char *path, int flags);
#endif
