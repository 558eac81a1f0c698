#ifndef PCDF_SIDENAME_H
#define PCDF_SIDENAME_H
/* Names of the library's own files beside a user's (journals, checksums), and which files of such a name are
 * believed. Library and tools find them by this, every process the same ones. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* ".<name><suffix>" in the folder of `path`, a real path or one without links in its last part. A name that
 * would be longer than a file system takes (255 bytes) is cut off and followed by "~" and a hash of all of
 * it. The caller frees it; NULL: no memory. */
char *pcdf_sidename_beside(const char *path, const char *suffix);

/* Is what lies under such a name ours to use? A regular file with one link, made by this user, by root, by
 * the owner of the data, or by somebody who may write the data anyway. path: its name. */
bool pcdf_sidename_is_ours(const struct stat *side, const struct stat *data, const char *path);

/* The name of that suffix to use: of the file that is ours if there is one (*is_there), else a free one.
 * Where somebody else's file has the plain name there are others, ".<name>.1<suffix>" to ".9". The caller
 * frees *side. NC_ENOMEM; NC_EACCESS: all are taken by files of others. */
int pcdf_sidename_find(const char *path, const char *suffix, char **side, bool *is_there);
#endif
