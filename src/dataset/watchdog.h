#ifndef PCDF_WATCHDOG_H
#define PCDF_WATCHDOG_H
/* Votes that end although a rank does not come (hint pcdf_watchdog_s). Without the hint there is no watchdog
 * (NULL) and a vote is an MPI_Allreduce, which waits for ever. With it the vote goes point to point on the
 * file's communicator: every rank sends on the largest numbers it knows, to the rank 1, 2, 4, ... behind it,
 * and can stop waiting between any two messages, which nobody can in the middle of an MPI_Allreduce. A file
 * has tags of its own: what was left unread of a file that was given up disturbs no other. (Therefore ranks
 * that call on different files wait, and are told the ranks that are missing, where MPI_Allreduce would show
 * them each other's call.)
 *
 * Once a rank has waited too long it sends its signature (call, variable, time) to every rank. Whoever waits
 * in a vote of the file sends his own then; who sent none after a while is missing. All that saw it give the
 * file up: it is poisoned. A rank that comes later finds the signatures and gives it up at once. */

#include "vote.h"

struct pcdf_watchdog;

/* Local, at open, with the hint agreed: *made stays NULL where no watchdog is asked for. */
int pcdf_watchdog_make(struct pcdf_dataset *ds, struct pcdf_watchdog **made);
/* From now on the file's votes are watched. file: its number on the communicator. Local. */
void pcdf_watchdog_start(struct pcdf_dataset *ds, struct pcdf_watchdog *made, int64_t file);
void pcdf_watchdog_free(struct pcdf_watchdog *w); /* NULL: nothing */

/* Collective: the largest of all ranks of each of n numbers (at most PCDF_WATCHDOG_NUMBERS), as MPI_Allreduce
 * does. call: its number and kind; variable: of this rank's call, or NULL. NC_EMULTIDEFINE_FNC_ARGS, and ds
 * is poisoned: some rank waited too long; then nobody waits any more. NC_EMPI. */
enum { PCDF_WATCHDOG_NUMBERS = 16 };
int pcdf_watchdog_vote_all(struct pcdf_dataset *ds, int64_t call, const char *variable, int64_t *most, int n);
#endif
