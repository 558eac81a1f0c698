#ifndef RECORDEDINODE_H
#define RECORDEDINODE_H
/* The library sees a file under the number that the file had when it was recorded. The program is linked with
 * --wrap of the functions that tell the number. */
#include <stdint.h>

extern uint64_t recorded_inode;
#endif
