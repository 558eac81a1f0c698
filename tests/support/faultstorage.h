#ifndef FAULTSTORAGE_H
#define FAULTSTORAGE_H
/* A layer that fails operations by order, for tests: hint pcdf_fault, in programs that are linked with this
 * file.
 *
 *   orders  = order { (" " | ";") order }
 *   order   = op ":" n ["+"] "@" ranks ["=" code] ["!" how]
 *   op      = open | close | size | resize | sync
 *           | write | read        every put or get of this rank, at offsets or through a view; what an
 *                                 aggregator moves for others is its own
 *           | any                 every operation of this rank, whatever it is
 *   n       = the n-th such operation on this rank, 1 the first; "3+" the third and all later ones
 *   ranks   = "*" | rank { "," rank }
 *   code    = a name (NC_ENO_SPACE); without it open NC_EFILE, read NC_EREAD, everything else NC_EWRITE
 *
 *   how     = short | late | lost; without it nothing of a failing transfer is moved
 *           short   a put moves the first half of its bytes, whole pieces or whole sectors, before it fails
 *           late    everything is moved, and then it fails
 *           lost    a failing sync takes back what this rank wrote since its last good one, as a system does
 *                   that throws away the pages it could not write
 *
 * "write:3@1=NC_ENO_SPACE", "write:2@0,2", "sync:1@*", "open:1@0", "write:3+@1", "any:7@0!short"
 *
 * A failing view takes part in the collective call below, with no pieces. A failing sync, resize or close has
 * happened below all the same. Of a shared storage that is not MPI-IO's rank 0 alone sets the size: there an
 * order to fail resize on another rank finds no operation to fail. */

#include "storage.h"

/* Lays it on *top. */
int fault_stack(const char *orders, int rank, struct pcdf_storage **top);
/* Failures that this process ordered so far. */
long fault_carried_out(void);
#endif
