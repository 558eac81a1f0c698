#ifndef PCDF_NEWFILE_H
#define PCDF_NEWFILE_H
/* The file that a create with hint pcdf_atomic_create writes, until it gets its name (publish.h):
 * ".NAME.HOST-PROCESS-MACHINE-STARTED-N.parcdf-new" beside the final one. No two jobs have the same, so none
 * renames another's. Rank 0 alone. */

#include <limits.h>
#include <stdbool.h>

#define PCDF_NEW_SUFFIX ".parcdf-new"

struct pcdf_newfile;

/* Finds the final name (links followed), removes what jobs that ended left, and chooses a name, *path, which
 * the caller frees; makes nothing. */
int pcdf_newfile_root_begin(const char *user_path, struct pcdf_newfile **n, char **path);
/* Likewise, but the name is chosen: `name`, a path for POSIX calls. */
int pcdf_newfile_root_begin_as(const char *user_path, const char *name, struct pcdf_newfile **n, char **path);
/* Makes the file; where an old one has the final name it is private until it is published, and striped as
 * that one. */
int pcdf_newfile_root_make(const struct pcdf_newfile *n, const char *path);
/* It is there and open, whoever made it (n NULL: nothing to do, here and below): from now on this file is
 * meant, whatever has the name. */
int pcdf_newfile_root_keep(struct pcdf_newfile *n, const char *path);
/* It is still the file that was written, and gets mode, owner, group and access list of what has the final
 * name. NC_EWRITE: the name leads to another file, or to none. */
int pcdf_newfile_root_prove(const struct pcdf_newfile *n, const char *path);
/* Gives it the final name in one step, with mode, owner, group and access list of the old file there.
 * NC_EWRITE: the name leads to another file, or to none; then nothing is renamed. NC_EEXIST with noclobber.
 * *renamed with an error: it has its name, but its folder could not be flushed. */
int pcdf_newfile_root_publish(struct pcdf_newfile *n, const char *path, bool noclobber, bool *renamed);
/* Calls nothing of MPI. Where it is now, *now, though a folder above it was renamed: then its final name
 * moved along. Where that is not known: `path`. */
void pcdf_newfile_root_follow(struct pcdf_newfile *n, const char *path, char now[PATH_MAX]);
const char *pcdf_newfile_final(const struct pcdf_newfile *n); /* links followed, for POSIX calls */
void pcdf_newfile_root_remove(const struct pcdf_newfile *n, const char *path); /* only if it is this file */
void pcdf_newfile_free(struct pcdf_newfile *n); /* NULL is fine; the file stays */
#endif
