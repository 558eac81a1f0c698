#ifndef PCDF_CLOSINGNODE_H
#define PCDF_CLOSINGNODE_H
/* What the ranks of one node tell each other about a file that was closed in the background, by words in
 * memory that they share: each rank that it has written all its data, rank 0 that the file is complete. The
 * writer's threads say so, while the ranks may be in any call of MPI, or in none. Whoever needs the file
 * polls the word of rank 0.
 *
 * All functions but the first are local. A process that ended is found by its number (base/owner.h), so that
 * nobody waits for it. */

#include <stdatomic.h>
#include <stdbool.h>
#include "collective.h"

struct pcdf_closingnode;

/* Collective. NULL, on all ranks or on none: they are not on one node, or it has no memory for this. */
struct pcdf_closingnode *pcdf_closingnode_make_all(const struct pcdf_ranks *ranks);
void pcdf_closingnode_free(struct pcdf_closingnode *n); /* NULL: nothing */

/* The words are of the next file: on this rank. The ranks meet before any of them uses the other functions.
 */
void pcdf_closingnode_begin(struct pcdf_closingnode *n);

/* All data of this rank is written, and synced where it has to be; or this failed. */
void pcdf_closingnode_tell(struct pcdf_closingnode *n, int failed);
/* Rank 0: has every rank told? *worst: what failed on one of them; of one whose process ended, NC_EWRITE. */
bool pcdf_closingnode_all_told(struct pcdf_closingnode *n, int *worst);
/* Rank 0: nothing is left to do, or it will not be done; what failed. */
void pcdf_closingnode_complete(struct pcdf_closingnode *n, int failed);

bool pcdf_closingnode_is_complete(const struct pcdf_closingnode *n);
/* When it is: what failed. */
int pcdf_closingnode_result(const struct pcdf_closingnode *n);
/* Waits for it, and tells all ranks to hurry. False: the process of rank 0 ended before. */
bool pcdf_closingnode_await(struct pcdf_closingnode *n);
/* Does somebody wait? */
const atomic_bool *pcdf_closingnode_hurry(const struct pcdf_closingnode *n);
#endif
