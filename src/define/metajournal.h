#ifndef PCDF_METAJOURNAL_H
#define PCDF_METAJOURNAL_H
/* Ranges of HDF5's metadata come into their file so that a crash at any instant leaves those of before, or
 * all of the new ones. Rank 0 alone; no MPI. The first sector of the file, which has HDF5's signature, is
 * metadata.
 *
 * What changes within one sector of 512 bytes is one write. Everything else goes like this, each step on the
 * storage before the next:
 *   1. ranges behind the end that the metadata in the file knows are written: nobody reads there yet;
 *   2. a journal beside the file gets all ranges that change what was there (format/journal.h);
 *   3. the file is marked: the signature is broken, and behind it stands the journal's nonce, all in one
 * write;
 *   4. the ranges behind the first sector are written;
 *   5. the first sector is, which takes the mark away;
 *   6. the journal is removed.
 * Of a file that has no metadata yet the first sector is written last, and that is all. */

#include <stdbool.h>
#include <stdint.h>
#include "h5meta.h"

struct pcdf_dataset;
struct pcdf_journal;
struct pcdf_journalfile;
struct pcdf_storage;

struct pcdf_metajournal_file {
    struct pcdf_storage *storage; /* its offsets are those of the file */
    const char *path;             /* its present name, beside which the journal lies */
    int64_t inode;                /* the open file's; 0: not known */
    bool is_journalled;           /* else: no steps 2 and 6, no nonce */
};
/* Of an open file, by its present name, its hints and its storage kind. `storage` as above. */
struct pcdf_metajournal_file pcdf_metajournal_file_of(struct pcdf_dataset *ds, struct pcdf_storage *storage);

struct pcdf_metajournal_flush {
    const struct pcdf_h5ranges *ranges;
    /* How long the file is by the metadata that it has; of bytes behind that it knows nothing. */
    int64_t old_end;
    /* What pcdf_h5meta_flush got as eof, and gave back: all bytes between are metadata's, and the file is as
     * long as new_end afterwards, if it was as long as data_end before. */
    int64_t data_end, new_end;
    bool is_first; /* the file has no metadata yet */
    bool syncs;    /* else only the order is kept */
};
/* All ranges are in the file. What they tell of is there already, and on the storage if `syncs`. A failure
 * before the mark leaves the metadata of before; one after it also leaves a file that must be recovered. The
 * file can take no other flush after a failure. */
int pcdf_metajournal_root_apply(const struct pcdf_metajournal_file *file,
                                const struct pcdf_metajournal_flush *flush);

/* Before a file is looked at that is to be written to: an interrupted change of its metadata is finished, and
 * a journal that it does not need goes. *was_recovered (may be NULL): there was one. Files that are neither
 * HDF5's nor marked as such are left alone. Errors as of pcdf_change_root_look. */
int pcdf_metajournal_root_recover(const char *path, bool *was_recovered);
/* The same with its journal, which is open and locked, and has_ranges; closes it. */
int pcdf_metajournal_root_finish(const char *path, struct pcdf_journalfile *c);
#endif
