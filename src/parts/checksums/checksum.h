#ifndef PCDF_CHECKSUM_H
#define PCDF_CHECKSUM_H
/* Checksums of a file in a file beside it (format/checksumtable.h), where hint pcdf_checksum asks for them.
 *
 * Blocks that one rank wrote whole are summed as they pass (storage/checksumblocks.h). At sync and close the
 * ranks agree which others changed, share the reading of them, and rank 0 writes table and head when all data
 * is on the storage. Before the first write after that the head is made an open one, on the storage, by rank
 * 0 for all where all put, or enter independent mode (checksummark.c), otherwise by each rank that writes:
 * from then until the next sync the sums say nothing. So a crash leaves no sums that accuse a good file. A
 * handle without the hint makes the head an open one, too, where there is one; what other programs change is
 * known by the file's size, inode and time, to which the head is bound. */

#include "checksumblocks.h"
#include "checksumtable.h"
#include "part.h"

struct pcdf_checksum {
    struct pcdf_checksum_blocks blocks;
    bool is_asked;  /* another part wants sums, whatever the hint says */
    bool keeps;     /* sums are kept: the same on all ranks */
    bool compares;  /* reads are compared, where there are sums: the same on all ranks */
    bool is_beside; /* a file of checksums lay there when this one was opened: the same on all ranks */
    char *path;     /* its path; NULL: this handle has none */
    struct pcdf_checksums head;
    /* The table of that file: on rank 0 where sums are kept, on all where reads are compared. */
    uint32_t *table;
    int64_t nblocks;
    bool is_marked; /* the mark is made on behalf of all ranks (checksummark.c): the same on all ranks */
    /* Rank 0: the table says nothing yet, so the whole file is to be read. */
    bool is_unknown;
    int64_t read_back; /* blocks that this rank read for their sums */
};

extern const struct pcdf_part_ops pcdf_part_checksums;

/* ---- for other parts */

/* NULL: this handle neither keeps nor compares checksums, and marks none. */
struct pcdf_checksum *pcdf_checksum_of(const struct pcdf_dataset *ds);
/* Replicated, in the moment `agreed` of a part before this one: it needs checksums of the file. */
void pcdf_checksum_ask(struct pcdf_dataset *ds);
/* Rank 0 alone: the checksums beside a file, if they are of the file as it is now. The caller frees *table.
 * NC_ENOENT: there are none; NC_EFILE: they cannot be used. */
int pcdf_checksum_root_load(const char *path, struct pcdf_checksums *head, uint32_t **table);

/* ---- between the files of this folder */

/* Collective: sums of all that changed, when all of it is on the storage. Fails on all ranks or on none, and
 * then the data is safe, but has no sums. kind: the call that asks. (checksumsync.c) */
int pcdf_checksum_sync_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind);
/* Collective, where ranks are about to write: rank 0 makes the mark for all of them. Does nothing if it did
 * its work since the last sync. A failure is one of storage, on all ranks. (checksummark.c) */
int pcdf_checksum_mark_all(struct pcdf_dataset *ds, void *own);
/* Rank 0 alone: table and head, of a file that is whole on the storage. */
int pcdf_checksum_root_write(struct pcdf_dataset *ds, int64_t file_size);
#endif
