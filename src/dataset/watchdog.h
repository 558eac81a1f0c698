#ifndef PCDF_WATCHDOG_H
#define PCDF_WATCHDOG_H
/* Votes that end although a rank does not come (hint pcdf_watchdog_s). Without the hint there is no watchdog
 * (NULL) and the vote of an open file is an MPI_Allreduce, which waits for ever. With it the vote goes point
 * to point on the file's communicator: every rank sends on the largest numbers it knows, to the rank 1, 2, 4,
 * ... behind it, and can stop waiting between any two messages, which nobody can in the middle of an
 * MPI_Allreduce. The first message of create and open always goes so, since before it nobody knows who has
 * the hint; a rank without it waits for ever, but hears of those that gave up. At the first file on a user's
 * communicator two barriers come before, in which each rank waits as long as its own hint says.
 *
 * Once a rank has waited too long it tells the ranks 1, 2, 4, ... behind it, which tell it on, also when they
 * come later: whoever waits gives up now, and whoever comes late at once. Those that waited sign (rank, call,
 * name, time) at a few collectors, log2 of the ranks; the first collector that is there tells all that
 * signed, in a tree, who did: the others are missing. So each rank sends a few times log2 of the ranks
 * messages. All that saw it give the file up: it is poisoned.
 *
 * Messages carry the number of the file on the communicator, or of the try to open one, and have its tags:
 * what was left unread of one that was given up disturbs no other. (Therefore ranks that call on different
 * files wait, and are told the ranks that are missing, where MPI_Allreduce would show them each other's
 * call.) */

#include "hints.h"
#include "vote.h"

struct pcdf_watchdog;

/* Local. For votes of up to n numbers; NULL: no memory. */
struct pcdf_watchdog *pcdf_watchdog_make(const struct pcdf_ranks *ranks, int n);
/* Local. comm: of these ranks. number: of the file, or of the try to open one; the same on all ranks. hints:
 * NULL: none. */
void pcdf_watchdog_start(struct pcdf_watchdog *w, MPI_Comm comm, const struct pcdf_hints *hints,
                         int64_t number, bool opens);
void pcdf_watchdog_free(struct pcdf_watchdog *w); /* NULL: nothing */

/* Collective on a user's communicator, before its first create or open duplicates it, which nobody can stop
 * waiting for: all ranks are there. NC_EMULTIDEFINE_FNC_ARGS: some rank did not come in the time of the hint
 * (hints: NULL: for ever); then nothing may follow on it. NC_EMPI. */
int pcdf_watchdog_meet_all(MPI_Comm user, const struct pcdf_hints *hints, const char *path);

/* Collective: the largest of all ranks of each of n numbers, as MPI_Allreduce does. call: its number and
 * kind; name: of the variable of this rank's call, or of the file to open, or NULL. NC_EMULTIDEFINE_FNC_ARGS:
 * some rank waited too long; then nobody waits any more. NC_EMPI. After either nothing may follow. */
int pcdf_watchdog_vote_all(struct pcdf_watchdog *w, const char *path, int64_t call, const char *name,
                           int64_t *most, int n);
#endif
