#ifndef PCDF_ROOTFILE_H
#define PCDF_ROOTFILE_H
/* The user's file under its name: made, probed, renamed, removed by rank 0. */

#include <stdbool.h>
#include <stdint.h>
#include "fileid.h"

/* Rank 0 alone, before the file is opened: makes it where nothing has the name. *is_new: it did, and nobody
 * else at the same time. makes false: MPI is to make it, and the name is only looked at. */
int pcdf_file_root_make(const char *path, bool makes, bool *is_new);
/* Rank 0 alone: what has the name makes room. A regular file is unlinked and made anew, anything else (a
 * link) is truncated. makes false: where nothing has the name then, nothing is made: *is_free. *gone: the
 * file that was unlinked, if no other name leads to it. */
int pcdf_file_root_replace(const char *path, bool makes, bool *is_free, struct pcdf_fileid *gone);
/* Rank 0 alone: gives a new file, which nobody wrote to, a time of change that no other file of the name will
 * have, some second of the last hour, and returns it as this rank then sees it; 0: that cannot be done. The
 * first write makes it what it should be. */
int64_t pcdf_file_root_stamp(const char *path);
/* Rank 0 alone. exists: also a link that leads nowhere; regular: a file, by links perhaps. */
int pcdf_file_root_look(const char *path, bool *exists, bool *regular);
/* Rank 0 alone: gives a file its name, in one step; noclobber: NC_EEXIST where something has it. */
int pcdf_file_root_rename(const char *from, const char *to, int noclobber);
/* Rank 0 alone: can it be opened? NC_ENOENT, NC_EACCESS, NC_EBAD_FILE, NC_EFILE ... */
int pcdf_file_root_probe(const char *path, int for_writing);
/* Unlinks: NC_ENOENT ... (ncmpi_delete). */
int pcdf_file_root_remove(const char *path);
#endif
