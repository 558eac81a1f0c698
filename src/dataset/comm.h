#ifndef PCDF_COMM_H
#define PCDF_COMM_H
/* The communicators of files. Each user communicator has a duplicate, kept as an attribute of it: opening
 * many files duplicates once. Files share it where one thread at a time is in MPI (then ranks that call on
 * different files see each other's call). With MPI_THREAD_MULTIPLE each open file has a duplicate of its own,
 * so that threads with different files never meet in one communicator: from a pool beside the shared one, to
 * which close gives it back. Rank 0 chooses, in the first message of the open: ranks may see a free duplicate
 * at different times, since their threads close in any order.
 * What is kept here is not counted memory (plain malloc): it belongs to the communicator, and inq_malloc_size
 * is 0 when no file is open. */

#include <stdbool.h>
#include "collective.h"

struct pcdf_lease {                  /* what a file holds of these communicators */
    struct pcdf_shared_comm *shared; /* the user communicator's */
    struct pcdf_duplicate *own;      /* NULL: the file has none of its own */
};

struct pcdf_comm_offer { /* rank 0's */
    /* The file has a duplicate of its own: `number`, or `next` if that one cannot be had. */
    int32_t own;
    int32_t number, next;
    int32_t stays; /* in the pool when the file is closed */
};

/* The shared duplicate of a user's communicator. Collective at the first use of `user`; info, path: of the
 * file that is opened or created. NC_EINVAL: an intercommunicator. NC_EMPI: MPI_COMM_NULL. NC_EMPI, NC_ENOMEM
 * on all ranks or on none. NC_EMULTIDEFINE_FNC_ARGS: some rank does not come (hint pcdf_watchdog_s). */
int pcdf_comm_of_all(MPI_Comm user, MPI_Info info, const char *path, struct pcdf_ranks *ranks,
                     struct pcdf_lease *lease);

/* Rank 0's choice for a new file; withdrawn when nobody opens. */
struct pcdf_comm_offer pcdf_comm_root_offer(const struct pcdf_lease *lease);
void pcdf_comm_root_withdraw(const struct pcdf_lease *lease, const struct pcdf_comm_offer *offer);
/* Duplicates up to this number can't be used any more, as far as this rank knows. Local. */
int32_t pcdf_comm_lost(const struct pcdf_lease *lease);
/* The file gets what was offered, in the lease and in its ranks; lost: the largest of all ranks. Collective
 * where it is made; fails on all ranks or on none. */
int pcdf_comm_take_all(struct pcdf_ranks *ranks, struct pcdf_lease *lease,
                       const struct pcdf_comm_offer *offer, int32_t lost);

/* An open file keeps the duplicates, though the user frees the communicator, until the file is closed.
 * Returns the number of the file on this communicator, from 1; equal on all ranks unless threads opened at
 * once. */
int64_t pcdf_comm_hold(const struct pcdf_lease *lease);
/* The user freed the communicator: no call on it will come. Local. */
bool pcdf_comm_user_gone(const struct pcdf_lease *lease);
/* The file's own duplicate goes back. Collective, unless it is poisoned: then it is left to MPI_Finalize. */
void pcdf_comm_give_back(struct pcdf_lease *lease, bool poisoned);
/* The same, of a file that is held. */
void pcdf_comm_release(struct pcdf_lease *lease, bool poisoned);
#endif
