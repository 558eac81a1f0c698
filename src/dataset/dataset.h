#ifndef PCDF_DATASET_H
#define PCDF_DATASET_H
/* One open file: its definitions, layout, mode and storage. What the folders above know of it stands here,
 * too, in structs of their own. Which ranks call a function is said everywhere: Collective (every rank, same
 * order), Replicated (every rank, no message), Local. */

#include <mpi.h>
#include <stdbool.h>
#include "access.h"
#include "comm.h"
#include "counts.h"
#include "fileplace.h"
#include "sharedfile.h"
#include "hints.h"
#include "journalfile.h"
#include "layout.h"
#include "meta.h"
#include "part.h"
#include "posted.h"

struct pcdf_shown;
struct pcdf_writer_ops;

enum pcdf_mode { PCDF_MODE_DEFINE, PCDF_MODE_COLLECTIVE, PCDF_MODE_INDEPENDENT };

struct pcdf_header_bytes {
    unsigned char *bytes; /* owned */
    int64_t size;
};

/* ---- what the folders above keep in an open file */

/* Fill modes of the variables (define/fill.h). A file does not tell modes: its variables count as filled, as
 * with PnetCDF and netCDF. */
struct pcdf_fill_modes {
    bool *listed; /* for variables 0..nlisted-1 */
    int nlisted;
    int from_file; /* not listed and below: on */
    bool is_on;    /* not listed and not below: what set_fill said */
};

/* Which parts of the variables the deferred puts cover (transfer/footprint.h). */
struct pcdf_footprints {
    struct pcdf_row_range *rows; /* by variable */
    int nrows;
    int64_t time; /* rows of an earlier one say nothing */
};

/* Deferred puts (transfer/defer.h). In independent mode all of it is this rank's own. */
struct pcdf_deferral {
    /* The puts in the order of the calls. They, their shapes and values lie in the blocks. */
    struct pcdf_request **list;
    struct pcdf_defer_block *blocks; /* the newest one is filled */
    size_t room;                     /* room for so many in the list */
    int n;
    /* Bytes of the blocks, at most as many as the hint allows, and how many of them are taken. */
    int64_t allocated, used;
    int64_t next_size;                 /* next block's size: as all before it together */
    int64_t data_bytes;                /* bytes of the values that wait */
    struct pcdf_footprints footprints; /* where any rank's puts wait; the same everywhere */
    int64_t numrecs;                   /* records before the first put that waits */
    bool holds; /* some rank holds puts: the same on all ranks; not in independent mode */
};

/* How rank 0 called a file when it was created or opened: numbers of paths (storage/fileplace.h). The same on
 * all ranks. 0: nobody asks. */
struct pcdf_called {
    uint64_t given, whole; /* as it was given; from the root on */
    uint64_t folder;       /* rank 0's working folder then */
};

/* ---- the file */

struct pcdf_dataset {
    int ncid;
    int64_t opening; /* its number among this process's opened files */
    /* As the user gave it: for messages and inquiries, not to find the file. */
    char *path;
    /* The same from the root on, as the open found it. NULL: no file of the file system. What is done by name
     * later uses pcdf_dataset_path. */
    char *place;
    struct pcdf_called called; /* if a part asks for it */
    /* Where the file is until it gets its name. NULL: it has its name. */
    char *new_path;
    bool keeps_new_path; /* it gets none: a part opened it there. The same on all ranks */
    /* Rank 0: the inode of the file as it was opened. 0: not known, or it proves nothing. */
    int64_t inode;
    struct pcdf_filename later; /* the name that it will get */
    struct pcdf_ranks ranks;
    struct pcdf_lease lease; /* their communicator's (comm.h) */
    struct pcdf_counts counts;

    struct pcdf_meta meta;
    struct pcdf_layout layout;   /* as the last enddef or open made it */
    struct pcdf_fill_modes fill; /* by variable; in memory only */
    struct pcdf_meta *old_meta;  /* between redef and enddef: what the file holds */
    enum pcdf_mode mode;
    bool is_new; /* created, never left define mode */
    bool readonly;
    bool wrote_header; /* an enddef wrote the header through this handle */
    bool has_grown;    /* records were added through this handle */
    /* Collective calls compare their arguments (safety.h): PNETCDF_SAFE_MODE on rank 0. */
    bool safe_mode;
    /* start == length is legal for a count of 0: PNETCDF_RELAX_COORD_BOUND on rank 0. */
    bool is_relaxed;

    /* What the user asked for, as the ranks agreed. Nothing changes it later; what is in force stands in the
     * next three. */
    const struct pcdf_hints hints;
    const struct pcdf_storage_ops *storage_kind; /* io's; before it is open, a guess */
    /* PCDF_COMMIT_*: what sync, close and counting wait for (pcdf_dataset_close_commits). */
    int64_t commit;
    bool is_streaming;       /* the file's size counts its records (transfer/streamed.h) */
    struct pcdf_parts parts; /* features that the kernel does not know (parts/part.h) */
    /* How it is written, where not as a classic file (filewriter.h); else NULL. The same on all ranks. */
    const struct pcdf_writer_ops *writer;
    struct pcdf_sharedfile *io;
    struct pcdf_shown *shown; /* another format, or far (virtual/shown.h); else NULL */
    /* This rank's calls changed the header in data mode, and it may wait to be written (headerupdate.h). */
    bool header_dirty;
    /* Rank 0: the file's header is not what its definitions would be written as. */
    bool header_is_noncanonical;
    /* Rank 0, while a header waits to be written: the one that the file holds. */
    struct pcdf_header_bytes header_on_file;
    bool on_storage; /* opened, or synced: storage holds something to lose */
    /* The file ended before its data did when it was opened, and is not made longer. */
    bool is_short;
    int64_t file_size;                /* when it was opened, or last looked at */
    struct pcdf_journalfile recovery; /* rank 0, while opening: the change to finish */
    /* An enddef failed while data moved: nothing can be read until the file is recovered. */
    bool is_half_changed;
    /* What rank 0 last wrote there, or its storage will; for a STREAMING file, what it counts. Equal on all
     * ranks. */
    int64_t numrecs_on_file;
    /* If the file is streaming: its size counts at least so many records (transfer/streamed.h). Equal on all
     * ranks. */
    int64_t whole_records;
    /* The first failure of storage that this rank knows of. Puts and syncs return it. */
    int io_error;
    int agreed_io_error; /* the last vote's io_error: equal on all ranks */
    /* MPI_Finalize came while the file was open: it cannot be used any more. */
    bool has_no_mpi;
    /* Ranks called different collectives: no call on this file communicates any more. */
    bool poisoned;
    int64_t sequence;                               /* number of the last collective call */
    struct pcdf_watchdog *watchdog;                 /* for its votes; NULL: they wait for ever */
    int64_t put_bytes, get_bytes, put_bytes_synced; /* this rank's; the last: at the last sync */
    struct pcdf_posted posted;                      /* requests that nobody waited for yet */
    struct pcdf_deferral deferral;                  /* blocking puts that wait to be written */
};

/* ---- open files (handles.c). Local. */
int pcdf_dataset_of(int ncid, struct pcdf_dataset **ds); /* NC_EBADID; NC_EMPI: MPI has ended */
/* MPI_Finalize: writes what waits of open files, and tells of failures. */
void pcdf_dataset_drain_unclosed(void);
/* MPI_Finalize: no open file can be used any more; later ones, of sessions, can. */
void pcdf_dataset_end_all(void);
int pcdf_dataset_adopt(struct pcdf_dataset *ds, int *ncid); /* lowest free id; NC_ENFILE */
void pcdf_dataset_release(int ncid);                        /* gives the id back; frees nothing */
/* The open file that can be used and was opened next after this one (0: first); NULL: there is none. In an
 * order that ranks share, as they do not that of ids, which depend on files of other ranks. */
struct pcdf_dataset *pcdf_dataset_after(int64_t opening);
int pcdf_dataset_list(int *ncids); /* how many are open; ncids may be NULL */
/* Must a power cut leave it whole? Where it was there before, was synced, takes the place of another, or the
 * user asks for it; not where it is new under a name that was free. The same on all ranks. */
bool pcdf_dataset_must_last(const struct pcdf_dataset *ds);
/* To read its hints in while it is being opened, and to free them: nobody else changes them. */
static inline struct pcdf_hints *pcdf_dataset_hints_to_read(struct pcdf_dataset *ds)
{
    return (struct pcdf_hints *)&ds->hints;
}
/* Replicated: its close waits for the disk, whatever hint pcdf_commit asked for; does nothing where it does.
 */
void pcdf_dataset_close_commits(struct pcdf_dataset *ds);
/* Does its close wait for the disk? The same on all ranks. */
bool pcdf_dataset_commits(const struct pcdf_dataset *ds);
/* Where the file was when it was opened, or last looked for (pcdf_dataset_follow): a new one may not have its
 * name yet. Links are followed. Stays true when the working folder changes. */
const char *pcdf_dataset_path(const struct pcdf_dataset *ds);
/* Its name, or that which a new one will get. */
const char *pcdf_dataset_name(const struct pcdf_dataset *ds);
/* Local, by any thread: the same now, though the file, or a folder above it, was renamed. False: it has no
 * name that is known, and *room is what it was. */
bool pcdf_dataset_name_now(const struct pcdf_dataset *ds, char room[PATH_MAX]);
/* Local, by the thread that uses the file: pcdf_dataset_path is where the file is now, though it was renamed,
 * or a folder above it. False: it has no name that is known, and the path is what it was. */
bool pcdf_dataset_follow(struct pcdf_dataset *ds);
/* Local: rank 0 gave the file at new_path its name. */
void pcdf_dataset_renamed(struct pcdf_dataset *ds);
/* Local, by any thread: the name of the file, if it has one, is on the storage. */
int pcdf_dataset_sync_name(const struct pcdf_dataset *ds);
/* Does the path, in the folder where rank 0 was then, mean what rank 0 created or opened? Ranks that give one
 * path say the same, wherever they are now: what the file system says of links, which may differ between
 * nodes, is not asked. */
bool pcdf_is_called(const struct pcdf_called *called, const char *path);
/* Does the path lead to the file, or to the name that it will get? Local: may differ between ranks. */
bool pcdf_dataset_is_at(const struct pcdf_dataset *ds, const char *path);
/* Puts file and rank before the sentence of a failure (ds NULL: no file is open), shows it in the debug log;
 * returns err unchanged. */
int pcdf_report(const struct pcdf_dataset *ds, int err);

/* The hints as they hold for this file, added to info: what a hint asked for may not be had. Local. */
int pcdf_dataset_hints(const struct pcdf_dataset *ds, MPI_Info info);

/* Collective: the file gets this size, when its parts were told of the change; where that fails it keeps the
 * one it has. */
int pcdf_dataset_resize_all(struct pcdf_dataset *ds, int64_t bytes);

/* NC_EMULTIDEFINE_FNC_ARGS on a poisoned file, before any collective call on it. */
int pcdf_check_poison(const struct pcdf_dataset *ds);
#endif
