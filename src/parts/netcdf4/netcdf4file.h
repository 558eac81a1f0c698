#ifndef PCDF_NETCDF4FILE_H
#define PCDF_NETCDF4FILE_H
/* What the part netcdf4 keeps of an open file, and what its files call of each other. */

#include <stdbool.h>
#include <stdint.h>
#include "cells.h"
#include "chunkstorage.h"
#include "h5meta.h"
#include "kinds.h"
#include "patchstorage.h"
#include "storedvars.h"

struct pcdf_dataset;
struct pcdf_layout;
struct pcdf_request;

/* The definitions laid out: cells, and what the storage of chunks is told. */
struct netcdf4_plan {
    struct pcdf_cells cells;
    struct pcdf_chunks_var *vars; /* one a variable; owned */
    unsigned char (*fills)[8];    /* theirs; owned */
    struct pcdf_chain *chains;    /* theirs; owned */
    char *names;                  /* theirs, one behind the other; owned */
    bool *filled;                 /* had it fill at its enddef? Owned */
    int64_t end;                  /* behind the values that are contiguous */
};

struct netcdf4_owners {
    bool is_decided; /* by the first put */
    struct pcdf_chunk_owners of;
};

struct netcdf4 { /* the same on all ranks where nothing else is said */
    bool is_classic_model;
    struct pcdf_stored_vars stored;
    struct netcdf4_plan *plan; /* which holds */
    struct netcdf4_plan *next; /* that an enddef makes */
    struct netcdf4_plan plans[2];
    int64_t eof;       /* from there on the file is free */
    int nopen;         /* variables of undecided chunks */
    int nunowned;      /* variables of undecided owners; several ranks */
    int64_t nwaiting;  /* about the entries that rank 0 lacks */
    bool is_dirty;     /* something changed since the last count */
    bool is_redefined; /* among it definitions */
    bool has_metadata; /* the file is an HDF5 file */
    /* Metadata, or what was put independently, could not be written. */
    bool is_broken;
    /* libhdf5's process has heard of so many records, and of the file up to fed_end. */
    int64_t fed, fed_end;
    int64_t most; /* chunks of more records are not counted */
    struct pcdf_chunks *chunks;
    struct pcdf_chunks_counts told; /* what the log of hint pcdf_trace has */
    struct pcdf_storage *below;     /* the file's bytes */
    /* Several ranks: what this one put in independent mode into chunks, and that waits. One: NULL. */
    struct pcdf_patches *patches;
    int64_t patches_limit;
    PCDF_ARRAY(struct netcdf4_owners) owners; /* by variable, as laid out */
    struct pcdf_h5meta *meta;                 /* rank 0; NULL: not needed yet */
    struct pcdf_h5ranges held;                /* rank 0: for the next flush */
    int64_t held_at, held_end;                /* rank 0: their data_end, new_end (metajournal.h) */
    int64_t known_end;                        /* rank 0: the file's end by its metadata */
};

/* ---- netcdf4layout.c */

/* Lays out the definitions as they are now: n->next. Local. */
int pcdf_netcdf4_plan_make(struct pcdf_dataset *ds, struct netcdf4 *n);
/* n->next holds from now on. Fails on all ranks or on none. */
int pcdf_netcdf4_plan_take_all(struct pcdf_dataset *ds, struct netcdf4 *n);
void pcdf_netcdf4_plan_free(struct netcdf4_plan *plan);

/* ---- netcdf4decide.c */

void pcdf_netcdf4_count_open(const struct pcdf_dataset *ds, struct netcdf4 *n);
/* Before these requests of a collective call move: variables that they put to first get chunks, and these
 * get owners. own: the error that this rank's call has by itself. After a failure nothing can be put any
 * more. */
int pcdf_netcdf4_decide_all(struct pcdf_dataset *ds, struct netcdf4 *n, enum pcdf_kind kind,
                            struct pcdf_request *const *requests, int count, int own);

/* ---- netcdf4memory.c. Local */

/* How much of the space of cells a step of a put takes. The same on all ranks. */
int64_t pcdf_netcdf4_step(const struct pcdf_dataset *ds, const struct netcdf4 *n);
int64_t pcdf_netcdf4_cache(const struct pcdf_dataset *ds); /* bytes of values of chunks in memory */
/* What the writing thread encodes waits until the ranks agree on places for it. Waits for the thread where
 * the queue has more than there is memory for; returns what became of its writes. */
int pcdf_netcdf4_limit_queue(struct pcdf_dataset *ds, const struct netcdf4 *n);

/* ---- netcdf4write.c */

/* Chunks that are encoded get places. Where there is a queue, its thread writes them. */
int pcdf_netcdf4_place_all(struct pcdf_dataset *ds, struct netcdf4 *n);
int pcdf_netcdf4_write_all(struct pcdf_dataset *ds, struct netcdf4 *n); /* with what is incomplete */
/* Every rank knows where all chunks lie that any rank stored. Fails on all ranks or on none. */
int pcdf_netcdf4_learn_all(struct pcdf_dataset *ds, struct netcdf4 *n);
/* A redef begins, or cells move otherwise, and a chunk may then have another owner: at the next count, rank 0
 * tells of all chunks that there are now, before those of other ranks. Fails on all ranks or on none. */
int pcdf_netcdf4_hold_all(struct pcdf_dataset *ds, struct netcdf4 *n);
/* Rank 0's process hears of many chunks early. Where all that was put is counted. A failure is sticky. */
int pcdf_netcdf4_feed_all(struct pcdf_dataset *ds, struct netcdf4 *n, enum pcdf_kind kind, int own);
int pcdf_netcdf4_count_all(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t numrecs, bool commits);

/* ---- netcdf4rescue.c */

/* A put failed, and the file is closed: counts the records of which all that was put is in the file, if they
 * are more than it has. What the last sync left stays true, whatever happens. */
void pcdf_netcdf4_rescue_all(struct pcdf_dataset *ds, struct netcdf4 *n, bool commits);

/* ---- netcdf4patches.c: independent mode of several ranks. The chunks of a file have owners, and a put alone
 * tells nobody; so what a rank puts into chunks waits with it, as patches (storage/patchstorage.h). */

/* From now on ranks put one by one, or no longer. Local, on all ranks. */
void pcdf_netcdf4_patches_keep(struct netcdf4 *n, bool keeps);
/* All ranks put their patches, of which none is left, whatever comes. A failure is one of storage. */
int pcdf_netcdf4_patches_put_all(struct pcdf_dataset *ds, struct netcdf4 *n);

/* ---- netcdf4open.c */

/* Of a file that is there, whose image ds->shown has: before anything is put. Fails on all ranks or on none.
 */
int pcdf_netcdf4_open_all(struct pcdf_dataset *ds, struct netcdf4 *n);

/* ---- netcdf4meta.c: rank 0 */

/* libhdf5's process takes the file, which ends at `end`, and says whether it can be written to, as the plan
 * `next` says. n->held_end is behind what it wants to write. */
int pcdf_netcdf4_root_adopt(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t end);

/* The definitions go to libhdf5's process, which is started where it is not there. */
int pcdf_netcdf4_root_start(struct pcdf_dataset *ds, struct netcdf4 *n);
int pcdf_netcdf4_root_define(struct pcdf_dataset *ds, struct netcdf4 *n);
/* The process enters what it was told. *end: from where the file is free. */
int pcdf_netcdf4_root_work(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t *end);
int pcdf_netcdf4_root_enter(struct netcdf4 *n, const struct pcdf_stored_chunk *x, size_t count);
/* The ranges by which what the process knows gets into the file, which ends at *end then. The caller frees
 * them (pcdf_h5ranges_free). */
int pcdf_netcdf4_root_flush(struct pcdf_dataset *ds, struct netcdf4 *n, int64_t numrecs, int64_t *end,
                            struct pcdf_h5ranges *ranges);
/* They get there; the file has bytes up to `end`. */
int pcdf_netcdf4_root_apply(struct pcdf_dataset *ds, struct netcdf4 *n, const struct pcdf_h5ranges *ranges,
                            int64_t end, bool commits);
#endif
