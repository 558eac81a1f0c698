#ifndef PCDF_WORLDMODEL_H
#define PCDF_WORLDMODEL_H
/* What only MPI's World model has (MPI_Init): MPI_COMM_WORLD, and a function that is called when MPI_Finalize
 * begins. A program that uses sessions alone (MPI_Session_init) has neither, and asking for them there is an
 * error; the answers here are then those that are always safe. This is the only file of the library that asks
 * (tests/lint/world.py). All Local. */

#include <mpi.h>
#include <stdbool.h>

/* The rank in MPI_COMM_WORLD; -1: there is no such communicator. */
int pcdf_world_rank(void);

/* Is this process the whole job? false where that is unknown. */
bool pcdf_world_is_one_process(void);

/* NULL where a communicator may be used. Else why not, as a sentence: it is of the World model, and MPI_Init
 * was not called yet, or MPI_Finalize was. */
const char *pcdf_world_refuses(MPI_Comm comm);

/* May several threads be in MPI at the same time? true where that is unknown: a session has a thread level of
 * its own, and a communicator does not tell of which session it is. */
bool pcdf_world_has_threads(void);

struct pcdf_world_listener {
    void (*end)(void);
    bool is_set;
};

/* MPI_Finalize will call l->end before anything else ends; listeners that came later are called first. Calls
 * after the first one do nothing. MPI_SUCCESS also without a World model, where nothing is heard: there, what
 * lies beside a communicator ends when the program frees the communicator, as it must before it ends the
 * session. The caller holds a lock of l. */
int pcdf_world_listen(struct pcdf_world_listener *l);
#endif
