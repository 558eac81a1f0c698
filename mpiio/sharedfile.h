#ifndef PCDF_SHAREDFILE_H
#define PCDF_SHAREDFILE_H
/* One file that all ranks of a communicator have open: a storage on each rank, and what the ranks agree on.
 * Bytes are moved by the functions of storage.h on `storage`, or by a strategy (twophase.h ...), all of which
 * end there. The functions here open and change the file as a whole;
 * pcdf_storage_sync(storage, true) syncs what all ranks wrote.
 *
 * A function ending in _all is called by every rank, and every rank does all of its MPI collectives whatever
 * went wrong on it; but for open it returns this rank's own status, nothing is agreed. */

#include <mpi.h>
#include "collective.h"
#include "iterator.h"
#include "sieve.h"
#include "storage.h"
#include "stripes.h"
#include "twophase.h"

struct pcdf_checksum_blocks;
struct pcdf_tracefile;

struct pcdf_sharedfile {
    struct pcdf_storage *storage;        /* the layer on top */
    const struct pcdf_storage_ops *kind; /* the bottom's: what "auto" has become */
    struct pcdf_ranks ranks;             /* its path: of the storage */
    /* Set by the owner when some rank cannot take part any more: close then frees this rank's own things,
     * leaves what MPI has open to MPI_Finalize and talks to nobody. */
    bool is_poisoned;
    bool is_traced; /* there is a log */
    bool queues;    /* some rank's puts have a queue: agreed */
    /* Only a flush shows whether the servers took what was put: agreed. */
    bool tells_late;
    struct pcdf_stripes stripes; /* as the file system tells, or hints say; the same on all ranks */
    /* Pieces from which on an independent get reads near ones in one call. */
    int64_t view_threshold;
    struct pcdf_sieve_rule sieve;
    int lock_fd; /* for sieve.fd, if storage has none; -1: closed */
    /* Blocks of these sizes are worth something whole. 0: there are none. The owner sets them on all ranks.
     */
    int64_t put_block; /* long puts are cut there */
    /* Gets compare them with checksums: a failed one may have met a bad block of others. */
    int64_t get_block;
    /* Ranges of so many bytes have an aggregator each, always the same, by which alone they are moved: the
     * owner sets it, on all ranks. 0: there are none. */
    int64_t dealt;
    struct pcdf_twophase twophase;
};

struct pcdf_sharedfile_config {
    struct pcdf_storage_config file; /* is_changed is not looked at */
    MPI_Comm comm;                   /* the file's own; errors return */
    MPI_Info info;                   /* may be MPI_INFO_NULL */
    int64_t stamp;                   /* CREATE: of pcdf_file_root_stamp; 0: there is none */
    const char *engine;         /* "mpiio" (or NULL), "posix" (or "serial"), "memory", "null"; "auto": posix
                                   where each rank finds the file in a file system of its machine, else mpiio;
                                   the same on all ranks */
    const char *trace;          /* path of a log ("-": none), or NULL */
    struct pcdf_tracefile *log; /* the caller's, not begun; NULL: made here */
    struct pcdf_nodes_proposal proposal; /* for two-phase transfers */
    int64_t view_threshold;
    enum pcdf_sieve_mode sieve; /* rank 0's */
    /* Bytes of a queue for what is put (writequeue.h), 0: none; and bytes a second. */
    int64_t async, async_rate;
    /* NULL, or checksums to keep or to compare with (checksumblocks.h). They outlive the file. */
    struct pcdf_checksum_blocks *sums;
    /* NULL, or lays a layer of the owner's on *top, below the queue. */
    int (*stack)(void *context, struct pcdf_storage **top);
    /* The same above the queue. */
    int (*stack_above)(void *context, struct pcdf_storage **top);
    void *stack_context;
};

/* Opens the storage that the config names, with its layers. All ranks agree with one Allreduce: all have the
 * file open, or none; the latter also where they see different files (object.h). */
int pcdf_sharedfile_open_all(const struct pcdf_sharedfile_config *config, struct pcdf_sharedfile **f);
/* Ends all use and frees the file, also where it fails. */
int pcdf_sharedfile_close_all(struct pcdf_sharedfile *f);
int pcdf_sharedfile_resize_all(struct pcdf_sharedfile *f, int64_t bytes);
/* The hints in force; the caller frees *info. Local. */
int pcdf_sharedfile_info(struct pcdf_sharedfile *f, MPI_Info *info);
/* The file has its later path now. Local. */
void pcdf_sharedfile_rename(struct pcdf_sharedfile *f);
/* ---- before a file is open; local */

/* What a storage's name stands for (NULL or "": the default); of an unknown one everything is false. "auto"
 * is what it tries first. */
const struct pcdf_storage_ops *pcdf_storage_kind(const char *name);
/* Rank 0 alone; the file exists, or is made by hints. The name to open it by: "auto" becomes "mpiio" where
 * the hints, the path's prefix or the file system want it. */
const char *pcdf_storage_root_choose(const char *name, const char *path, MPI_Info info);
/* Those that open chooses for files of other formats and far ones: no hint asks for them. */
bool pcdf_storage_shows(const char *name);
/* Do the hints ask for stripes, and has the storage a file that may have some? */
bool pcdf_storage_makes_stripes(const char *name, MPI_Info info);
#endif
