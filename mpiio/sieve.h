#ifndef PCDF_SIEVE_H
#define PCDF_SIEVE_H
/* Data sieving: runs of bytes that lie near each other are moved by one call, with the gaps between them. A
 * get throws the gaps away. A put writes into them what the file holds there already: it reads that first;
 * gaps behind the end of the file are zeros.
 *
 * The rule. A call costs as much time as moving `call` bytes does, which depends on the file system. A run
 * that joins the block before it saves a call, and costs
 *     get                                        gap + copied / 16
 *     put, the gap is behind the file's end      gap + copied / 16
 *     put, the gap is in the file                2 gap + inner + copied / 16
 * copied: bytes of runs that pass through a buffer, because they do not stand in memory as in the file.
 * inner: those of a run between two gaps, which is read with them. A block ends where it saves most. A block
 * that must be read is sieved only where it saves more than that call; and because a new block would need
 * such a call, too, it goes on through runs that cost less than that, if what follows makes up for them. A
 * block spans 1 MiB at most.
 *
 * When a put may be sieved. From the read to the write nobody else may write into the gaps. A put covers no
 * byte before its first run or behind its last one, and so a gap lies between two runs of one owner, who may
 * have written into it before, in an earlier round:
 * - a window of two-phase I/O: all ranks are inside the call, and what begins in the window is written by its
 *   aggregator alone. An element that begins before the window, and ends in it, is another's; it lies before
 *   the first run. What ranks wrote before the call they wrote before its vote;
 * - a collective call on a file that one rank has open. Other processes may have it open, too, each for its
 *   part of it (ranks of this job by handles of their own, other jobs): so a block is written back only while
 *   nobody else has it open for writing (storage/solewriter.h). Where that cannot be found out at small cost,
 *   auto does not sieve: on file systems of several machines, and where bytes wait in a write queue.
 * In independent mode every rank writes when it likes: no put is sieved. The file system must show what other
 * nodes wrote before: where their caches are not coherent (NFS, SMB, FUSE), a gap may be old, and writing it
 * would undo what another node wrote. There auto does not sieve.
 *
 * Where the gaps cannot be read, or memory is short, each run is moved by itself. */

#include "bytemap.h"
#include "storage.h"

enum pcdf_sieve_mode { PCDF_SIEVE_AUTO, PCDF_SIEVE_ON, PCDF_SIEVE_OFF }; /* the words of hint pcdf_sieve */

struct pcdf_sieve_rule { /* for an open file; zeros: nothing is sieved */
    int64_t call;        /* bytes that move in a call's time */
    bool puts;           /* puts may be sieved, the same on all ranks ... */
    bool always;         /* ... and are, whatever it costs */
    /* Gets span no multiple of this, as the storage reads whole blocks anyhow. 0: none. */
    int64_t within;
    /* Before each block of a put it is asked whether another process may write the file. */
    bool asks;
    int fd; /* asked by this descriptor (storage/solewriter.h) */
};

struct pcdf_sieve { /* one rank's, from vote to call's end */
    struct pcdf_storage *storage;
    struct pcdf_sieve_rule rule;
    int64_t call_end; /* an aggregator's, for gets (extents.h); the owner's */
    char *buffer;     /* NULL: not needed yet, or no memory */
    bool reads_fail;
    /* Of the file when it was asked for in this call; -1: not asked for. Others may have made the file longer
     * since, but they write nowhere between this rank's runs: there, all behind this size, and behind what
     * this rank put, is zeros. */
    int64_t size;
    int64_t runs, asked, moved; /* counts; moved has what puts read, too */
};

struct pcdf_sieve pcdf_sieve_begin(struct pcdf_storage *s, const struct pcdf_sieve_rule *rule);
/* Local. The runs of a window, whose first byte is at `offset` of the file. After a failure the rest is not
 * tried: on a full disk that would be a wait for each run. */
int pcdf_sieve_window(struct pcdf_sieve *v, enum pcdf_dir dir, const struct pcdf_bytemap *map, char *window,
                      int64_t offset);
/* Local. Pieces that rise and do not touch; a put's data is not changed. */
int pcdf_sieve_pieces(struct pcdf_sieve *v, enum pcdf_dir dir, const struct pcdf_piece *pieces, size_t n);
/* Frees what it has; a line in the log, where something was sieved. */
void pcdf_sieve_end(struct pcdf_sieve *v);
#endif
