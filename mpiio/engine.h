#ifndef PCDF_ENGINE_H
#define PCDF_ENGINE_H
/* What moves extents between memory and a file. One small interface; posix (pread/pwrite) and MPI-IO are the
 * engines that carry users, memory and null stand beside them. trace and fault are stackable: they sit on
 * another engine.
 *
 * Rules of every engine
 * - A function ending in _all is called by every rank of the communicator, and every rank does all of its MPI
 *   collectives whatever went wrong on it; it returns this rank's own status, nothing is agreed here.
 * - transfer is this rank's alone: no other rank takes part.
 * - A put never changes extents->data. Success means all bytes were accepted: counts are checked, EINTR
 * retried, short transfers continued.
 * - Reading past the end of the file is not an error: the missing bytes come back as zeros and *got is less.
 * - MPI and errno codes become NC_ codes here, with a sentence. */

#include <mpi.h>
#include <stdbool.h>
#include "collective.h"
#include "extents.h"
#include "nodes.h"
#include "posixio.h"
#include "rootfile.h"
#include "status.h"

enum pcdf_access_mode { PCDF_MODE_CREATE, PCDF_MODE_WRITE, PCDF_MODE_READ };

struct pcdf_engine;
struct pcdf_blocksums;
struct pcdf_tracefile;

struct pcdf_engine_ops {
    const char *name;
    /* Ends all use and frees the engine; below it too. */
    int (*close_all)(struct pcdf_engine *e);
    /* Bytes in the file now. Local. */
    int (*size)(struct pcdf_engine *e, int64_t *bytes);
    int (*resize_all)(struct pcdf_engine *e, int64_t bytes);
    /* Everything written by any rank before is on the storage when all ranks have returned success. */
    int (*sync_all)(struct pcdf_engine *e);
    /* What this rank wrote before is on the storage. This rank's alone. */
    int (*flush)(struct pcdf_engine *e);
    /* This rank's alone. One piece: explicit offset. Several: piece by piece, or through a view of this
     * rank's own. *got (may be NULL): bytes that were really there in a get. */
    int (*transfer)(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got);
    /* Together, through a file view; x->n may be 0 on any rank. */
    int (*transfer_all)(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got);
    /* Together, by windows of our own (twophase.h). *moved: of this rank's bytes. *done false, on all ranks:
     * this engine cannot, or not here, and nothing was moved. NULL on all ranks: never. */
    int (*exchange_all)(struct pcdf_engine *e, const struct pcdf_flow *flow, bool *done, int64_t *moved);
    /* The hints in force; the caller frees *info. Local. */
    int (*info)(struct pcdf_engine *e, MPI_Info *info);
    /* The file has its later_path now. Local; NULL where nothing opens it by name again. */
    void (*renamed)(struct pcdf_engine *e);
};

struct pcdf_engine {
    const struct pcdf_engine_ops *ops;
    struct pcdf_engine *below;  /* of a stackable engine */
    struct pcdf_counts *counts; /* where operations are counted; never NULL */
    /* Set by the owner when some rank cannot take part any more: close_all then frees this rank's own things,
     * leaves the MPI_File to MPI_Finalize and talks to nobody. */
    bool poisoned;
    int64_t reach;  /* of an engine at the bottom: where the highest byte that this rank wrote ends, or where
                       the  file was set to end */
    int64_t stripe; /* of the file system, bytes; 0: none, or not known. Of the engine on top */
    /* Where an engine at the bottom notes what it hands to the storage; NULL: nobody wants to know. */
    struct pcdf_blocksums *sums;
};

struct pcdf_engine_config {
    MPI_Comm comm;          /* the file's own; errors return */
    const char *path;       /* as the user gave it, file-system prefix included */
    const char *later_path; /* that it will be renamed to while it is open; NULL: it keeps its name */
    bool makes_file;        /* CREATE: nothing has the name yet, and MPI_File_open makes the file: it knows of
                               striping; exclusive: fails where something has it by then */
    bool exclusive;
    int64_t stamp; /* CREATE: of pcdf_file_root_stamp; 0: there is none */
    enum pcdf_access_mode mode;
    MPI_Info info;              /* may be MPI_INFO_NULL */
    struct pcdf_counts *counts; /* outlives the engine */
    const char *engine;         /* "mpiio" (or NULL), "posix" (or "serial"), "memory", "null"; "auto": posix
                                   where each rank finds the file in a file system of its machine, else mpiio;
                                   the same on all ranks */
    const char *fault;          /* NULL, or the fault engine's orders (fault.c) */
    const char *trace;          /* NULL, or the path that the trace engine logs to ("-" = counts only) */
    struct pcdf_tracefile
        *log; /* of that path, the caller's, not begun yet; NULL: the engine makes its own */
    struct pcdf_nodes_wish wish; /* for exchanges */
    int64_t view_threshold;      /* pieces from which transfer uses a view of its own */
    struct pcdf_blocksums *sums; /* NULL, or checksums to keep or to compare with (blocksums.h); outlives the
                                    engine */
};

/* Opens the engine that the config names, stacked under fault and trace where asked. PCDF_MODE_CREATE: the
 * file exists already, or makes_file is set; it is not truncated here. All ranks return their own status; *e
 * is NULL on a rank that failed. The caller agrees and then closes with close_all where some ranks failed:
 * pcdf_engine_open_all therefore agrees itself with one Allreduce (counted) and either all ranks have an
 * engine or none. */
int pcdf_engine_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e);

/* Rank 0 alone, for the hint `auto`; the file exists, or makes_file goes with hints. "mpiio" where the hints,
 * the path's prefix or the file system want it, else "auto". */
const char *pcdf_engine_root_choose(const char *path, MPI_Info info);

/* The name of the engine at the bottom: what "auto" has become. */
const char *pcdf_engine_name(const struct pcdf_engine *e);

/* Where the file system tells how it stripes the file: striping_unit and striping_factor, as MPI-IO names
 * them. Local. */
int pcdf_engine_add_stripes(const char *path, MPI_Info info);
/* That of the engine at the bottom. What a size says of other ranks' bytes may be old (NFS); the largest
 * reach of all ranks says it at once. */
int64_t pcdf_engine_reach(const struct pcdf_engine *e);
/* Can exchange_all be called? The same on all ranks. */
bool pcdf_engine_exchanges(const struct pcdf_engine *e);

/* Tells the engine, and those below, that the file was renamed. Local. */
void pcdf_engine_renamed(struct pcdf_engine *e);

/* Does this engine (NULL: the default) keep files under their names in the file system? If not ("memory",
 * "null"), the three pcdf_file_root_ functions below have nothing to do with its files. */
bool pcdf_engine_on_disk(const char *engine);

/* Does the environment ask for stripes, where MPI is ROMIO? Local. */
bool pcdf_romio_hints_stripe(void);

/* One file per engine. */
int pcdf_mpifile_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e);
int pcdf_posix_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e);
/* Of the engine posix: does this rank have the file in a file system of its machine? */
bool pcdf_posix_is_local(const struct pcdf_engine *e);
int pcdf_memory_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e);
int pcdf_null_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e);
/* Take over `below`; where they fail it stays the caller's. */
int pcdf_trace_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                     struct pcdf_engine **e);
/* All ranks have opened the file: the log of the engine that pcdf_trace_stack made begins. id: the same on
 * all ranks, such as the latest of their wall clocks (pcdf_trace_wall, microseconds). Local. */
void pcdf_trace_begin(struct pcdf_engine *e, const struct pcdf_engine_config *config, int64_t id);
int64_t pcdf_trace_wall(void);
int pcdf_fault_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                     struct pcdf_engine **e);
int pcdf_sums_stack(const struct pcdf_engine_config *config, struct pcdf_engine *below,
                    struct pcdf_engine **e);

/* Failures that fault engines of this process have ordered so far. */
long pcdf_fault_carried_out(void);

/* The RAM files of this process, by path (they outlive their engines). Bytes of the file: NC_ENOENT if there
 * is none. */
int pcdf_memory_bytes(const char *path, int64_t *bytes);
/* Makes the file, or replaces what it holds, by `bytes` bytes from `data`. */
int pcdf_memory_put(const char *path, const void *data, int64_t bytes);
/* Copies `bytes` bytes from `offset` on out of it; zeros behind its end. */
int pcdf_memory_get(const char *path, int64_t offset, void *data, int64_t bytes);
/* Frees it, at the last close where it is open: NC_ENOENT. */
int pcdf_memory_remove(const char *path);
#endif
