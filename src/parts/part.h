#ifndef PCDF_PART_H
#define PCDF_PART_H
/* A part is a feature of an open file that the kernel does not know: checksums, for example. The kernel
 * (src/dataset, transfer, define, file) calls it at the moments of pcdf_part_ops, and asks the parts that
 * are on for this file, or, where a moment says so, every part that is built. parts.def lists the parts in
 * the order in which they act.
 *
 * Who calls a moment is in its name. `_all`: all ranks, in the same order, because the list of a file's
 * parts is the same on all ranks, but for local parts; each part is called whatever the ones before it
 * returned, and returns this rank's own status. `root_`: rank 0 alone, so it contains no message. The others
 * contain no message either; "Local" means that this rank calls it by itself; "Replicated" means that all
 * ranks call it, and that it returns the same on all of them. */

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "extents.h"
#include "fileid.h"
#include "kinds.h"

struct pcdf_access;
struct pcdf_dataset;
struct pcdf_header_bytes;
struct pcdf_hints;
struct pcdf_lease;
struct pcdf_proof;
struct pcdf_request;
struct pcdf_shared_comm;
struct pcdf_sharedfile_config;
struct pcdf_span;

enum { PCDF_PART_FACTS = 4 };

/* What rank 0 knows of a create or an open before it tells the others. */
struct pcdf_opening {
    struct pcdf_dataset *ds;
    int mode;                  /* NC_ flags of the call */
    bool creates, for_writing; /* which holds of create, too */
    bool has_writer;           /* a part will write it (dataset/filewriter.h) */
    /* create: nothing may have the name (noclobber); MPI-IO makes the file, not rank 0 (by_mpi). */
    bool noclobber, by_mpi;
    /* The set that the new file becomes a member of, DIR/NAME. NULL: none. */
    const char *set;
    const char *new_path; /* where a part wants it made; NULL: anywhere */
};

/* A file as all ranks have it open, before they agree that the open succeeded. */
struct pcdf_opened {
    int status; /* this rank's */
    bool creates;
    /* create: the file that had the name, if no other name leads to it. */
    struct pcdf_fileid gone;
};

struct pcdf_call {                    /* a call of the interface, as it ends */
    const char *name;                 /* NULL: a put or get, as access says */
    int varid;                        /* -1: of no variable, or of several */
    const struct pcdf_access *access; /* several variables (many): what they share */
    bool many;
    int err;
};

/* A share of the bytes that a call of this rank moves. With the way "posted" or "deferred" it will move them,
 * and tells it again when it does. */
struct pcdf_moving {
    enum pcdf_dir dir;
    int64_t bytes, pieces; /* pieces of the file */
    const char *way, *why; /* string constants: words of transfer/strategy.h */
};

/* For a part that takes over the last part of a close. `call` is the name of the closing call. */
struct pcdf_close_steps {
    /* Local: the call `close` ends, and with it the handle; the file stays. Returns what the call returns. */
    int (*end_handle)(struct pcdf_dataset *ds);
    /* Completes the file. Frees ds whatever it returns. pending: of requests that were cancelled. is_deleted:
     * nobody wants the file any more; the same on all ranks. */
    int (*complete_all)(struct pcdf_dataset *ds, const char *call, int status, int pending, bool is_deleted);
    /* Only closes what MPI has open. Frees ds whatever it returns. */
    int (*storage_all)(struct pcdf_dataset *ds, const char *call, int status);
};

/* What a part does that keeps files which have no handle any more. It says so (pcdf_parts_keep) before it
 * keeps the first one; from then on it is asked, whatever file is at hand. None is NULL. path: NULL where
 * there is none. */
struct pcdf_keeper_ops {
    /* Before a create or open by `user`, which the lease belongs to. All its ranks are here. */
    void (*before_open_all)(MPI_Comm user, const struct pcdf_lease *lease, const char *path);
    /* This rank is about to open or create the path: waits for what other ranks may still do to that file,
     * not for ever. What fails is this rank's. */
    int (*await_all)(const char *path);
    /* Local: this rank is about to delete what the path leads to. */
    int (*before_delete)(const char *path);
    /* Before the votes of a sync or close, after which the file may get its name. */
    void (*before_name_all)(const struct pcdf_dataset *ds);
    /* Before each vote on an open file. */
    void (*before_vote_all)(const struct pcdf_dataset *ds);
    /* All files of this path (NULL: any) are complete. Returns what failed, once. */
    int (*wait_all)(const char *path);
    /* The user frees a communicator: `comm`, or one with its ranks. */
    void (*communicator_ends_all)(const struct pcdf_shared_comm *shared, MPI_Comm comm);
    /* MPI_Finalize begins. */
    void (*mpi_ends_all)(void);
    /* Local: no communicator is left, and nobody will tell when MPI ends (sessions). */
    void (*mpi_may_end)(void);
};

/* NULL: the part does nothing at this moment (`agreed` is never NULL). own: its state in this file, own_size
 * bytes, at first zeros. */
struct pcdf_part_ops {
    const char *name;
    size_t own_size;
    /* Each rank by itself has the part on or off: no moment of it sends a message, as ranks without the part
     * would not be there, or would take it for their vote. */
    bool is_local;
    /* It knows bytes of classic files: a file that has a writer (dataset/filewriter.h) does without it. */
    bool is_classic_only;

    /* ---- files that need not be open: of every part that is built */

    /* The file of this name goes, or is made anew: so does what the part keeps beside it. */
    int (*root_forget)(const char *path);
    /* The file is about to be changed without an open handle. */
    void (*root_spoil)(const char *path);

    /* Rank 0 is about to open the file of this name, or to make it anew: waits for what processes may still
     * do to it that are no ranks of this one. seconds of patience; at most 0: the usual ones. */
    int (*root_await)(const char *path, int64_t seconds);

    /* ---- create and open */

    /* Local: a create or open begins, and this rank read its hints. Of every part that is built. */
    void (*hints_read)(struct pcdf_dataset *ds, void *own);
    /* Before anything is looked at or made: is the file elsewhere than at the user's path? Then the part sets
     * ds->new_path; of a new file it makes it, unless by_mpi. *decision: a number that rank 0 tells all
     * ranks. */
    int (*root_place)(struct pcdf_opening *o, void *own, int64_t *decision);
    /* The file is there: made, or looked at. *decision as above. */
    int (*root_begin)(struct pcdf_opening *o, void *own, int64_t *decision);
    /* Replicated (of a local part: Local), when rank 0 told: is the part on for this file? By the hints, on
     * which the ranks agreed, and by what rank 0 said. May say that the close commits
     * (pcdf_dataset_close_commits). Allocates nothing. */
    bool (*agreed)(struct pcdf_dataset *ds, void *own, int64_t decision);
    /* Local: what the part wants of the storage, which is opened next. */
    void (*configure)(struct pcdf_dataset *ds, void *own, struct pcdf_sharedfile_config *config);
    /* The storage is open on all ranks; the header was not read yet. */
    int (*opened_all)(struct pcdf_dataset *ds, void *own);

    /* An open of a file that is there: it is finished and whole, but for what the part brings to it now; its
     * header is read next. Of every part that is built. */
    int (*root_recover)(struct pcdf_dataset *ds, void *own);
    /* Local, of a file that is there: this rank has its header, and ds its definitions. Of every part that is
     * built. */
    void (*header_read)(struct pcdf_dataset *ds, void *own, const struct pcdf_header_bytes *header);

    /* ds has the definitions: the header was read, or the file is new. Returns o->status, or, where that is
     * none, the part's own failure. May say that the close commits. Of every part that is built; so one that
     * communicates does it by what all ranks know. */
    int (*read_all)(struct pcdf_dataset *ds, void *own, const struct pcdf_opened *o);

    /* Local: it could not be opened on some rank. What the part made for it goes. */
    void (*not_opened)(struct pcdf_dataset *ds, void *own);
    /* Root; or all ranks, ds NULL, where there was no memory for it: a new file was asked for, and is not
     * made. Not where it exists, and the user wanted that to fail. Of every part that is built. */
    void (*refused)(const struct pcdf_dataset *ds, const void *own);

    /* ---- an open file */

    /* Before all ranks change bytes of it, or may do so one by one (independent mode). A failure is one of
     * storage, and the same on all ranks. */
    int (*before_change_all)(struct pcdf_dataset *ds, void *own);
    /* Local: this rank takes part in moving bytes, perhaps with none; ds->file_size was not looked at yet. */
    void (*before_move)(struct pcdf_dataset *ds, void *own);
    /* All ranks move bytes together next, in this span. A failure is the same on all ranks; a get goes on. */
    int (*before_move_all)(struct pcdf_dataset *ds, void *own, const struct pcdf_span *span);
    /* All ranks together put bytes in this span, or failed to; their records were not counted yet. */
    void (*moved)(struct pcdf_dataset *ds, void *own, const struct pcdf_span *span);
    /* Local: this rank got bytes. Fails where something may be missing that was put before. */
    int (*after_get)(struct pcdf_dataset *ds, void *own);
    /* Local, of a file opened for reading: this rank heard that others added records, and ds->meta counts
     * them now. Of every part that is built. */
    void (*records_seen)(struct pcdf_dataset *ds, void *own);
    /* Local: a put of this rank is in the file, or waits to be written: each once, a deferred one when it is
     * written. There is no such moment of gets. */
    void (*put_done)(struct pcdf_dataset *ds, void *own, const struct pcdf_request *put);
    /* All ranks put together, in this span; { 0, INT64_MAX }: one by one, nobody knows where, told only
     * where a part holds records. ds->meta.numrecs is what they agreed on. */
    int (*put_all)(struct pcdf_dataset *ds, void *own, const struct pcdf_span *span);
    /* Replicated: does a record that was put count in the file only when the part (by
     * pcdf_records_count) or a sync says so? */
    bool (*holds_records)(const struct pcdf_dataset *ds, const void *own);
    /* Replicated: so many records count in the file when all that was put before is in it. Returns how many
     * will, with those of earlier calls; 0: all is in the file, and the kernel counts them. numrecs 0: only
     * asks. */
    int64_t (*count_later)(const struct pcdf_dataset *ds, void *own, int64_t numrecs);
    /* Replicated: may a put that returned wait to be written? Then a failure may be of any earlier put. */
    bool (*puts_wait)(const struct pcdf_dataset *ds, const void *own);
    /* Local: what this rank put, and waits, is written. The failure of a put that waited. */
    int (*drain)(struct pcdf_dataset *ds, void *own);
    /* The same on all ranks, with the records that count later. kind: the call. */
    int (*drain_all)(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind);
    /* A sync begins. True, on all ranks: the part did all that it has to do, or ranks cannot talk any more;
     * *status is of this rank. False: it is to be done as without the part. */
    bool (*sync_all)(struct pcdf_dataset *ds, void *own, int *status);
    /* At the end of a sync, close or abort (kind): all that was put is on the storage, which is still open.
     * Fails on all ranks or on none. */
    int (*settle_all)(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind);
    /* A close, when nothing but its second half is left: does the part take that over? The same on all ranks.
     * Then ds is its own, and *status what the call returns. pending: of requests that were cancelled. */
    bool (*close_all)(struct pcdf_dataset *ds, void *own, const struct pcdf_close_steps *steps, int *status,
                      int pending);
    /* After settle_all of a sync or close, of all parts: the file is whole, and on the storage as far as its
     * close waits for that. The storage may be closed. */
    int (*publish_all)(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind);
    /* The same of a close that rank 0 completes alone, in another thread: changes nothing of ds.
     * *renamed: the file has its name. */
    int (*root_publish)(const struct pcdf_dataset *ds, void *own, bool *renamed);
    /* Replicated: must a sync or close pass through settle_all on all ranks? Then neither a log on each node,
     * nor rank 0 alone, can do what a sync or a close does. */
    bool (*must_settle)(const struct pcdf_dataset *ds, const void *own);
    /* Replicated: does a close need all ranks for this part? Then rank 0 alone does not complete the file. */
    bool (*close_together)(const struct pcdf_dataset *ds, const void *own);
    /* Local: a close or abort of this rank failed nowhere so far; the storage is closed next. */
    void (*whole)(struct pcdf_dataset *ds, void *own);
    /* Local: the storage is closed. is_over, the same on all ranks: nothing failed, or the file goes; so
     * nobody needs what the part keeps to bring back what was put. */
    void (*closed)(struct pcdf_dataset *ds, void *own, bool is_over);
    /* Local: the hints of this part as they are in force, for ncmpi_inq_file_info. own NULL: it is not on. */
    void (*in_force)(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints);
    /* Replicated: facts by which the part decides whether it communicates, for a proof (provesame.h). At most
     * PCDF_PART_FACTS; returns how many. */
    int (*facts)(const struct pcdf_dataset *ds, const void *own, struct pcdf_proof *facts);

    /* ---- a vote; of one part of a file at most, for each vote has room for one number; Local */

    /* It begins. Returns a number, of which all ranks will know the smallest. May keep a failure in
     * ds->io_error. The storage may be closed. */
    int64_t (*vote_begins)(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind);
    /* Replicated: it did not fail. The smallest number of all ranks; ds->agreed_io_error is what it said. */
    void (*vote_ends)(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind, int64_t smallest);

    /* ---- a call of the interface that moves bytes, or may communicate; Local */

    void (*call_begins)(const struct pcdf_dataset *ds, void *own);
    void (*call_moves)(const struct pcdf_dataset *ds, void *own, const struct pcdf_moving *what);
    void (*call_ends)(const struct pcdf_dataset *ds, void *own, const struct pcdf_call *call);

    /* Local: the file is closed, or could not be opened. Frees what own holds, not own itself. */
    void (*free)(struct pcdf_dataset *ds, void *own);
};

/* ---- what an open file holds */

enum {
    PCDF_PARTS_MOST = 0
#define PCDF_PART(name, needs, hints) +1
#include "parts.def"
#undef PCDF_PART
};

struct pcdf_part_slot {
    const struct pcdf_part_ops *ops;
    void *own;
    const char *hints; /* its own: pcdf_hints_drop */
};

struct pcdf_parts {
    /* For this file, in their order: the same on all ranks, but for local parts. None before the ranks
     * agreed. */
    struct pcdf_part_slot on[PCDF_PARTS_MOST];
    int n;
    struct pcdf_part_slot built[PCDF_PARTS_MOST]; /* into this library */
    int nbuilt;
    void *memory; /* where all that is their own lies */
};

/* Is any part on? A call that moves bytes asks this first: of a file without parts it costs no more. */
static inline bool pcdf_parts_any(const struct pcdf_parts *parts)
{
    return parts->n > 0;
}

/* ---- what the kernel calls: the moments of the same name, part by part */

/* Local. Every part of this library is there, and none is on. NC_ENOMEM. (builtparts.c) */
int pcdf_parts_make(struct pcdf_parts *parts);
int pcdf_parts_root_forget(const char *path);                 /* the first failure (builtparts.c) */
void pcdf_parts_root_spoil(const char *path);                 /* (builtparts.c) */
int pcdf_parts_root_await(const char *path, int64_t seconds); /* likewise (builtparts.c) */
/* Local: hints of parts that this library does not have get their defaults, and a sentence where the user
 * gave something else. (builtparts.c) */
void pcdf_parts_drop_hints(struct pcdf_hints *hints);

/* Local: ds NULL: there was no memory for it. (builtparts.c) */
void pcdf_parts_refused(const struct pcdf_dataset *ds);

void pcdf_parts_hints_read(struct pcdf_dataset *ds);
/* decision: PCDF_PARTS_MOST numbers, in the order of the parts that are built. */
int pcdf_parts_root_place(struct pcdf_opening *o, int64_t *decision);
int pcdf_parts_root_begin(struct pcdf_opening *o, int64_t *decision);
/* One that is_classic_only is not on where there is a writer; its hints have no effect, which a sentence
 * says.
 */
void pcdf_parts_agreed(struct pcdf_dataset *ds, const int64_t *decision);
void pcdf_parts_configure(struct pcdf_dataset *ds, struct pcdf_sharedfile_config *config);
int pcdf_parts_opened_all(struct pcdf_dataset *ds);
int pcdf_parts_root_recover(struct pcdf_dataset *ds);
void pcdf_parts_header_read(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header);
int pcdf_parts_read_all(struct pcdf_dataset *ds, const struct pcdf_opened *o);
void pcdf_parts_not_opened(struct pcdf_dataset *ds);

int pcdf_parts_before_change_all(struct pcdf_dataset *ds);
void pcdf_parts_before_move(struct pcdf_dataset *ds);
int pcdf_parts_before_move_all(struct pcdf_dataset *ds, const struct pcdf_span *span);
void pcdf_parts_moved(struct pcdf_dataset *ds, const struct pcdf_span *span);
int pcdf_parts_after_get(struct pcdf_dataset *ds);
void pcdf_parts_records_seen(struct pcdf_dataset *ds);
void pcdf_parts_put_done(struct pcdf_dataset *ds, const struct pcdf_request *put);
int pcdf_parts_put_all(struct pcdf_dataset *ds, const struct pcdf_span *span);
bool pcdf_parts_hold_records(const struct pcdf_dataset *ds);
int64_t pcdf_parts_count_later(const struct pcdf_dataset *ds, int64_t numrecs); /* the largest */
bool pcdf_parts_puts_wait(const struct pcdf_dataset *ds);
int pcdf_parts_drain(struct pcdf_dataset *ds);
int pcdf_parts_drain_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
bool pcdf_parts_sync_all(struct pcdf_dataset *ds, int *status); /* done by the first part that can */
/* Ends early where the ranks cannot talk any more. */
int pcdf_parts_settle_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
bool pcdf_parts_close_all(struct pcdf_dataset *ds, const struct pcdf_close_steps *steps, int *status,
                          int pending);
int pcdf_parts_publish_all(struct pcdf_dataset *ds, enum pcdf_kind kind); /* likewise */
int pcdf_parts_root_publish(const struct pcdf_dataset *ds, bool *renamed);
bool pcdf_parts_must_settle(const struct pcdf_dataset *ds);
bool pcdf_parts_close_together(const struct pcdf_dataset *ds);
void pcdf_parts_whole(struct pcdf_dataset *ds);
void pcdf_parts_closed(struct pcdf_dataset *ds, bool is_over);
void pcdf_parts_in_force(const struct pcdf_dataset *ds, struct pcdf_hints *hints);
void pcdf_parts_prove_all(const struct pcdf_dataset *ds);
void pcdf_parts_free(struct pcdf_dataset *ds);

int64_t pcdf_parts_vote_begins(struct pcdf_dataset *ds, enum pcdf_kind kind);
void pcdf_parts_vote_ends(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t smallest);

void pcdf_parts_call_begins(const struct pcdf_dataset *ds);
void pcdf_parts_call_moves(const struct pcdf_dataset *ds, const struct pcdf_moving *what);
/* call_ends, of a call by name, which returns err; and of a put or get. */
int pcdf_parts_call_ends(const struct pcdf_dataset *ds, const char *name, int varid, int err);
void pcdf_parts_access_ends(const struct pcdf_dataset *ds, int varid, const struct pcdf_access *access,
                            bool many, int err);

#define PCDF_CALL_BEGINS(ds) (pcdf_parts_any(&(ds)->parts) ? pcdf_parts_call_begins(ds) : (void)0)
/* The value of `call`, which is made between begin and end. */
#define PCDF_CALLED(ds, name, varid, call) (PCDF_CALL_BEGINS(ds), pcdf_parts_call_ends(ds, name, varid, call))

/* Root. The file got this name from another file: what parts that are not on keep beside the name goes. */
void pcdf_parts_root_forget_others(const struct pcdf_dataset *ds, const char *path);

/* ---- files without a handle (kept.c): the moments of pcdf_keeper_ops, keeper by keeper */

/* A process that never kept a file has nothing to say, and so sends nothing; nor does a keeper for ranks of
 * which it keeps no file. So it need not be the same on all ranks whether a keeper is asked. */
extern atomic_int pcdf_parts_keepers; /* how many there are */
void pcdf_parts_before_open_all(MPI_Comm user, const struct pcdf_lease *lease, const char *path);
int pcdf_parts_await_all(const char *path);     /* the first failure */
int pcdf_parts_before_delete(const char *path); /* likewise */
int pcdf_parts_wait_all(const char *path);      /* likewise */
void pcdf_parts_before_name_all(const struct pcdf_dataset *ds);
void pcdf_parts_ask_before_vote_all(const struct pcdf_dataset *ds);
static inline void pcdf_parts_before_vote_all(const struct pcdf_dataset *ds)
{
    if (atomic_load(&pcdf_parts_keepers) > 0) /* on all ranks of a kept file */
        pcdf_parts_ask_before_vote_all(ds);
}
void pcdf_parts_communicator_ends_all(const struct pcdf_shared_comm *shared, MPI_Comm comm);
void pcdf_parts_mpi_ends_all(void);
void pcdf_parts_mpi_may_end(void);

/* ---- for parts */

/* Local: this part keeps files without a handle from now on; calling it again does nothing. (kept.c) */
void pcdf_parts_keep(const struct pcdf_keeper_ops *ops);
/* The state of a part in this file; NULL: it is not on (before the ranks agreed, none is). */
void *pcdf_part_own(const struct pcdf_dataset *ds, const struct pcdf_part_ops *ops);
/* Of a part that is built, whether it is on or not. NULL: it is not. */
void *pcdf_part_state(const struct pcdf_dataset *ds, const struct pcdf_part_ops *ops);
/* Local, of a part that is_local: from now on it is on. */
void pcdf_part_turn_on(struct pcdf_dataset *ds, const struct pcdf_part_ops *ops);
#endif
