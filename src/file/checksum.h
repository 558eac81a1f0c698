#ifndef PCDF_CHECKSUM_H
#define PCDF_CHECKSUM_H
/* Checksums of a file in a file beside it (format/checksumtable.h), where hint pcdf_checksum asks for them.
 *
 * Blocks that one rank wrote whole are summed as they pass (storage/blocksums.h). At sync and close the ranks
 * agree which others changed, share the reading of them, and rank 0 writes table and head when all data is on
 * the storage. Before the first write after that the head is made an open one, on the storage, by rank 0 for
 * all where all put, or enter independent mode (dataset/summark.h), otherwise by each rank that writes: from
 * then until the next sync the sums say nothing. So a crash leaves no sums that accuse a good file. A handle
 * without the hint makes the head an open one, too, where there is one; what other programs change is known
 * by the file's size, inode and time, to which the head is bound. */

#include "vote.h"

/* Rank 0 alone, when a file is made anew or removed: its checksums go. */
int pcdf_checksum_root_forget(const char *path);
/* Rank 0 alone, before a file is changed outside of an open handle: its checksums say nothing any more. */
void pcdf_checksum_root_spoil(const char *path);
/* Rank 0 alone, before it is opened: does a file of checksums lie beside it? */
int pcdf_checksum_root_look(const char *path, bool *is_beside);

/* Rank 0 alone: the checksums beside a file, if they are of the file as it is now. The caller frees *table.
 * NC_ENOENT: there are none; NC_EFILE: they cannot be used. */
int pcdf_checksum_root_load(const char *path, struct pcdf_checksums *head, uint32_t **table);

/* Local: does an engine of this handle need them? is_beside and the hints are the same on all ranks. */
struct pcdf_blocksums *pcdf_checksum_wanted(struct pcdf_dataset *ds);
/* Collective, right after the engine was opened; this rank's own status. is_new: created. The hints then say
 * what is in force. */
int pcdf_checksum_begin_all(struct pcdf_dataset *ds, bool is_new);
/* Collective: sums of all that changed, when all of it is on the storage. Fails on all ranks or on none, and
 * then the data is safe, but has no sums. kind: the call that asks. */
int pcdf_checksum_sync_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* Rank 0 alone: table and head, of a file that is whole on the storage. */
int pcdf_checksum_root_write(struct pcdf_dataset *ds, int64_t file_size);
void pcdf_checksum_free(struct pcdf_checksum *c); /* memory only */
#endif
