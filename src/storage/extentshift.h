#ifndef PCDF_EXTENTSHIFT_H
#define PCDF_EXTENTSHIFT_H
/* A file system that keeps a file as a list of extents can move the end of the file up by changing the list
 * alone (FALLOC_FL_INSERT_RANGE), and back (FALLOC_FL_COLLAPSE_RANGE). All functions are local, for one
 * descriptor that is open for writing.
 *
 * Neither call is one step on the storage. ext4 and XFS (pcdf_filesystem.shifts_extents) first make the file
 * longer, then shift extents, the last one first, in as many transactions as that takes; a collapse shifts
 * the first one first, and makes the file shorter at the end. So whatever stops them leaves a file of the
 * larger size with one hole as long as the range: below it everything is at its old place, above it at its
 * new one (ext4: tests/crash/extents_test.py; XFS: by its sources). A file that had no holes from there on
 * tells by that hole how far the call came. */

#include <stdbool.h>
#include <stdint.h>

/* Of files on it such ranges have whole blocks of so many bytes; 0: it cannot shift, or not as said above. */
int64_t pcdf_extentshift_block(int fd);

/* Inserts `bytes` bytes that read as zeros at `at`, or takes bytes [at, at + bytes) out; both multiples of
 * the block, `at` in the file. 0, or errno. */
int pcdf_extentshift(int fd, bool inserts, int64_t at, int64_t bytes);
/* Makes the file shorter again, where nothing was shifted yet. 0, or errno. */
int pcdf_extentshift_cut(int fd, int64_t size);

/* The first hole from `from` on in a file of `size` bytes, cut off at its end; begin == size: there is none.
 * False: the file system does not tell. Blocks that were never written count as holes. */
struct pcdf_hole {
    int64_t begin, end;
};
bool pcdf_hole_find(int fd, int64_t from, int64_t size, struct pcdf_hole *hole);
#endif
