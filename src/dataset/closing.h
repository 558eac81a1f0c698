#ifndef PCDF_CLOSING_H
#define PCDF_CLOSING_H
/* Files that were closed while their last puts wait in queues (hint pcdf_async_close). The program has no
 * handle of them any more; the writer's thread (storage/writer.h) writes what waits. What is left to do then
 * needs all ranks, and is what a close does without the hint. It is done by the first call on the
 * communicator at which all ranks have written everything: a create, an open, and where one thread at a time
 * is in MPI every collective call on a file; at the latest when the user frees the communicator, or in
 * MPI_Finalize. A call that must have the file waits.
 *
 * The ranks of a file keep the same list, since a close is the same call on all of them. What became of a
 * file is kept until somebody asks (parcdf_wait), or MPI_Finalize prints it. */

#include "dataset.h"

/* Does what is left of a close, frees ds, and returns what the close would have. Collective. */
typedef int pcdf_closing_finish(struct pcdf_dataset *ds);

/* The file is on the list from now on. The handle is gone; so are the oldest ones where there are too many.
 * Collective. */
void pcdf_closing_add_all(struct pcdf_dataset *ds, pcdf_closing_finish *finish);

/* Collective on the user's communicator, which `lease` is of: files of it whose data all ranks have written
 * are completed; and those with this path (NULL: none) whose ranks it has, whatever waits. */
void pcdf_closing_progress_all(MPI_Comm user, const struct pcdf_lease *lease, const char *path);
/* The same, before each vote on an open file, where all ranks come to it in one order. Nothing while a file
 * is completed. */
void pcdf_closing_look_all(const struct pcdf_dataset *ds);

/* Collective on all communicators that files with this path (NULL: any) were closed on: they are completed.
 * Returns the first error of any, and forgets them all. */
int pcdf_closing_wait_all(const char *path);
/* Some file with this path is not complete, and was closed on other ranks than those of this call: waits
 * until all of its ranks are at a call that can complete it, such as this one. NC_EACCESS with a sentence
 * where they are not for a minute, or for as long as the hint pcdf_watchdog_s said. */
int pcdf_closing_await_all(const char *path);
/* Local, before a file is deleted: what this rank put to it is written, and it gets no name. */
void pcdf_closing_forget_name(const char *path);

/* Collective; comm.c calls them: the user frees a communicator; MPI_Finalize comes, and errors that nobody
 * asked for are printed. */
void pcdf_closing_end_of_all(const struct pcdf_shared_comm *shared);
void pcdf_closing_end_all(void);
#endif
