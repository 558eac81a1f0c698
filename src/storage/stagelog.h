#ifndef PCDF_STAGELOG_H
#define PCDF_STAGELOG_H
/* The log of puts of one rank (format/stagerecord.h) as an open file, in a folder on storage of its node:
 * DIR/NAME.parcdf-stage.<nonce>.<rank>.<inode>. Locked as long as it is open (filelock.h). All functions are
 * local.
 *
 * One thread appends, another one fetches; emptying may be done by either. What does not fit is no failure of
 * the file: whoever appends writes to the file instead. */

#include "extents.h"
#include "stagerecord.h"

struct pcdf_stagelog;

struct pcdf_stagelog_config {
    /* The folder, and the user's file, a file-system prefix included. */
    const char *dir, *file;
    uint64_t nonce;
    int64_t rank, nranks;
    int64_t limit; /* most bytes; 0: as many as fit */
};

/* NC_ENOMEM, and others from errno: there is no folder, or nothing can be made there. */
int pcdf_stagelog_make(const struct pcdf_stagelog_config *config, struct pcdf_stagelog **log);
/* removes: its name goes, too. NULL: nothing. */
int pcdf_stagelog_close(struct pcdf_stagelog *log, bool removes);
const char *pcdf_stagelog_path(const struct pcdf_stagelog *log);

/* Where the bytes of a write are. */
struct pcdf_stagelog_place {
    int64_t at, pieces, bytes; /* at: of the payload */
    uint32_t crc;
};

/* How many bytes of so many pieces one record takes; at least 1 of one piece. */
int64_t pcdf_stagelog_takes(int64_t pieces);
/* One record, of what these pieces name and have: PCDF_STAGE_MOST bytes at most, lists included. False: there
 * is no room, and nothing was appended. */
bool pcdf_stagelog_append(struct pcdf_stagelog *log, int64_t number, const struct pcdf_piece *pieces,
                          size_t n, struct pcdf_stagelog_place *place);
/* Brings its bytes to pcdf_stagelog_fetched(log, place), where they stay until the next call. NC_EREAD. */
int pcdf_stagelog_fetch(struct pcdf_stagelog *log, const struct pcdf_stagelog_place *place);
char *pcdf_stagelog_fetched(const struct pcdf_stagelog *log, const struct pcdf_stagelog_place *place);

/* What a sync acknowledges, on the storage of the node: what stands in the log, and what is in the file up to
 * write `applied`. False: it is not. */
bool pcdf_stagelog_sync(struct pcdf_stagelog *log, const struct pcdf_stage_record *sync);
/* Records stand in it, the last one of write number *last; acknowledged: a sync stands behind some. */
bool pcdf_stagelog_has_records(struct pcdf_stagelog *log, int64_t *last, bool *acknowledged);
/* All that it says about writes up to this one is in the file, and on its storage if that was acknowledged:
 * empties it if there are none later. sync: NULL, or one that is acknowledged by that. Where its storage
 * fails, nothing is appended any more; where it cannot even be written, it is removed. An error: it could not
 * be removed either, and what it says might be believed. */
int pcdf_stagelog_empty(struct pcdf_stagelog *log, int64_t written, const struct pcdf_stage_record *sync);
/* The file was written just now: a replay refuses a file that somebody changed long after its logs. */
void pcdf_stagelog_touch(struct pcdf_stagelog *log);
/* Appends are refused from now on: its storage failed. */
bool pcdf_stagelog_is_broken(struct pcdf_stagelog *log);
/* All ranks have everything in the file: what is left of the log is for nothing. */
int pcdf_stagelog_finish(struct pcdf_stagelog *log);
#endif
