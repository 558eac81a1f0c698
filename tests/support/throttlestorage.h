#ifndef THROTTLESTORAGE_H
#define THROTTLESTORAGE_H
/* A layer that makes a storage slow, for benchmarks and tests: hint pcdf_throttle=DELAY_US:BYTES_PER_S, in
 * programs that are linked with this file. Each operation takes at least the delay; the bytes of puts and
 * gets of this rank pass one after another at the rate. 0: no delay, no limit. When two threads use it at the
 * same time, which no storage allows, it ends the program. */

#include "storage.h"

/* Lays it on *top. NC_EINVAL: the numbers are not two, or less than 0. */
int throttle_stack(const char *numbers, int rank, struct pcdf_storage **top);
#endif
