#ifndef PCDF_CLOSING_H
#define PCDF_CLOSING_H
/* Files that were closed while their last puts wait in queues (hint pcdf_async_close). The program has no
 * handle of them any more; the writer's thread (storage/writer.h) writes what waits. A path leads to such a
 * file if it leads to the inode that the file's descriptor has open, or to the name that the file is to get.
 *
 * If all ranks of a file are on one node, the thread of rank 0 completes it when all have written their data
 * (closingnode.h): that needs no call of any rank. Otherwise all ranks complete it together, as a close does
 * without the hint. In both cases they end the file together: they close what MPI has open, and agree on
 * errors. This happens at the first call on the communicator at which all ranks have written everything: a
 * create, an open and, if one thread at a time is in MPI, every collective call on a file; at the latest when
 * the user frees the communicator, or in MPI_Finalize. A call that needs the file waits.
 *
 * The ranks of a file keep the same list, because a close is the same call on all of them. What became of a
 * file is kept until somebody asks (parcdf_wait), or MPI_Finalize prints it. */

#include "dataset.h"

struct pcdf_closing_done { /* on rank 0: by its thread */
    bool is_done;          /* nothing to write or rename, or that failed */
    bool renamed;          /* the file has its name */
    int code;              /* what failed ... */
    char text[320];        /* ... and its sentence */
};

struct pcdf_closing_way {
    /* Root, in the thread, when all ranks have written their data: completes the file, without MPI. Changes
     * nothing of ds. Sets done->renamed. NULL, the same on all ranks: this takes all of them. */
    int (*root_complete)(const struct pcdf_dataset *ds, struct pcdf_storage *below,
                         struct pcdf_closing_done *done);
    /* Does what is left of a close, frees ds, and returns what the close would have returned. is_deleted: by
     * this rank, after the close. Collective. */
    int (*finish_all)(struct pcdf_dataset *ds, const struct pcdf_closing_done *done, bool is_deleted);
};

/* The file is on the list from now on, and its handle is gone. If the list is too long, the oldest ones are
 * completed first. Collective. */
void pcdf_closing_add_all(struct pcdf_dataset *ds, const struct pcdf_closing_way *way);

/* Collective, before a vote after which a file gets its name, or is closed in the background before that:
 * files that were closed before, and are to get the same name, have got it, if a thread completes them or all
 * their ranks are ranks of this one. So the one that is closed last has it in the end. */
void pcdf_closing_await_rivals_all(const struct pcdf_dataset *ds);

/* Collective on the user's communicator, which `lease` belongs to: completes the files all of whose ranks it
 * has, if all of them have written their data; and whatever waits, if rank 0 of the file finds it at its path
 * (NULL: none). */
void pcdf_closing_progress_all(MPI_Comm user, const struct pcdf_lease *lease, const char *path);
/* The same, before each vote on an open file, if all ranks come to these in one order. Does nothing while a
 * file is being completed. */
void pcdf_closing_look_all(const struct pcdf_dataset *ds);

/* Collective on all communicators on which files with this path (NULL: any) were closed: completes them.
 * Then, as below, files that the path leads to by now. Returns the first error, and forgets all of them. */
int pcdf_closing_wait_all(const char *path);
/* Waits for files that the path leads to, and that were closed on other ranks than those of this call. If the
 * thread of rank 0 completes such a file, this is local. Otherwise it waits until all ranks of the file are
 * at a call that can complete it, such as this one. Returns what failed in the close of such a file, once:
 * parcdf_wait returns it again. NC_EACCESS with a sentence: its ranks did not come for a minute, or for the
 * time of hint pcdf_watchdog_s; or the process of rank 0 ended. */
int pcdf_closing_await_all(const char *path);
/* Local, before a file is deleted: waits until it is complete. If that takes all ranks, only until this rank
 * has written what it put; then the file gets no name. Returns what failed, once. */
int pcdf_closing_forget_name(const char *path);

/* Collective. The user frees a communicator, `comm` or one with its ranks; or MPI_Finalize begins, and errors
 * that nobody asked for are printed. */
void pcdf_closing_end_of_all(const struct pcdf_shared_comm *shared, MPI_Comm comm);
void pcdf_closing_end_all(void);
/* Local. Prints errors that nobody asked for yet, once; they stay for who asks. Where the end of MPI
 * is not heard (sessions), when the last communicator goes. */
void pcdf_closing_tell_unasked(void);
#endif
