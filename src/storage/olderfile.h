#ifndef PCDF_OLDERFILE_H
#define PCDF_OLDERFILE_H
/* The file in whose place a new one is written: blocks that have the same bytes in both need not be written,
 * since some file systems let files share their storage (XFS, Btrfs: FICLONERANGE, FIDEDUPERANGE).
 *
 * - Its checksums only say which blocks are worth a look. A block is shared after all of its bytes were
 *   compared.
 * - Another program may write the older file between the comparison and the clone. A clone takes the file's
 *   lock, and each write changes the file's times before its bytes; so the times are looked at after the
 *   clone. If they changed, the new file's block is written as always.
 * - Whatever fails, nothing is promised: the caller writes the block.
 *
 * Local. */

#include <stdbool.h>
#include <stdint.h>
#include "sidecar.h"

struct pcdf_storage;

struct pcdf_olderfile {
    /* --- as rank 0 found it */
    char *path;                      /* a real path; owned */
    struct pcdf_sidecar_facts facts; /* when its checksums were made */
    int64_t block_size;
    uint32_t *sums; /* for all its blocks; owned */

    /* --- this process */
    enum { PCDF_OLDERFILE_UNTRIED, PCDF_OLDERFILE_OPEN, PCDF_OLDERFILE_OFF } state;
    char why[96]; /* it is off */
    int fd;
    int64_t changed, changed_ns; /* its inode, as the comparisons found it */
    char *room;                  /* for one block; owned */
    unsigned char *shared;       /* a bit a block: cloned; owned */
};

/* May there be something to clone? NULL: no. */
bool pcdf_olderfile_is_used(const struct pcdf_olderfile *o);
/* May a block of so many bytes, which has this checksum, be the same in the older file? */
bool pcdf_olderfile_has(const struct pcdf_olderfile *o, int64_t block, int64_t length, uint32_t sum);
/* Whole blocks from `offset` on, which have not been written: if the older file has the same bytes there, the
 * storage at the bottom takes them from it. False: write them. */
bool pcdf_olderfile_clone(struct pcdf_olderfile *o, struct pcdf_storage *bottom, const char *data,
                          int64_t offset, int64_t length);
/* A block that was written, or some bytes at the end of the file: if the older file has the same bytes there,
 * they share their storage from now on. The file system compares them itself, while it holds both files'
 * locks.
 */
void pcdf_olderfile_dedupe(struct pcdf_olderfile *o, struct pcdf_storage *bottom, int64_t block,
                           int64_t length);
/* Was this block cloned? */
bool pcdf_olderfile_shares(const struct pcdf_olderfile *o, int64_t block);
void pcdf_olderfile_free(struct pcdf_olderfile *o);
#endif
