#ifndef PCDF_MOVER_H
#define PCDF_MOVER_H
/* Moves one piece at an explicit offset, alone; all of it or an error. */

#include <stdint.h>

struct pcdf_mover {
    void *file;
    int (*put)(void *file, const char *data, int64_t length, int64_t offset);
    int (*get)(void *file, char *data, int64_t length, int64_t offset, int64_t *got);
};
#endif
