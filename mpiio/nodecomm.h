#ifndef PCDF_NODECOMM_H
#define PCDF_NODECOMM_H
/* Communicators of the ranks that share a node's memory. */

#include "collective.h"

/* Collective. pretended: PARCDF_NODES as rank 0 has it, or "": a number of nodes, among which the ranks are
 * shared out in order; or of each rank its node, "0,1,1,0", the last for all that follow. NC_EMPI: nothing
 * more can be agreed. */
int pcdf_nodecomm_split_all(const struct pcdf_ranks *ranks, const char *pretended, MPI_Comm *node);
/* Collective. The ranks of this rank's node, by a communicator that is kept with that of `ranks`, until it is
 * freed. NC_EMPI. */
int pcdf_nodecomm_of_all(const struct pcdf_ranks *ranks, struct pcdf_ranks *node);
/* In MPI_Finalize, once all communicators are gone. Local. */
void pcdf_nodecomm_end(void);
#endif
