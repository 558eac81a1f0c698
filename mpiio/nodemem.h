#ifndef PCDF_NODEMEM_H
#define PCDF_NODEMEM_H
/* Memory that the ranks of a node share. Its bytes are reserved when it is made, so that a full /dev/shm (64
 * MiB in most containers) is an answer, not a SIGBUS at the first touch, as with MPI_Win_allocate_shared. It
 * has a name only until all ranks have it. */

#include <stdbool.h>
#include <stddef.h>
#include "collective.h"

struct pcdf_nodemem {
    char *at; /* NULL: there is none */
    size_t bytes;
};

/* Collective on `node`. False, on some ranks or on all: it can't be had. The caller agrees, and frees it
 * where others failed. */
bool pcdf_nodemem_make_all(const struct pcdf_ranks *node, size_t bytes, struct pcdf_nodemem *made);
void pcdf_nodemem_free(struct pcdf_nodemem *s); /* Local; of none: nothing. */
#endif
