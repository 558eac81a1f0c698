#ifndef PCDF_SIDENAME_H
#define PCDF_SIDENAME_H
/* Names of the library's own files beside a user's (journals, checksums), and which files of such a name are
 * believed. Library and tools find them by this (pcdf_sidecar_find), every process the same ones. */

#include <stdbool.h>
#include <sys/stat.h>

/* ".<name><suffix>" in the folder of `path`, a real path or one without links in its last part. A name that
 * would be longer than a file system takes (255 bytes) is cut off and followed by "~" and a hash of all of
 * it. The caller frees it; NULL: no memory. */
char *pcdf_sidename_beside(const char *path, const char *suffix);

/* Is what lies under such a name, `path`, ours to use? A regular file with one link, made by this user, by
 * root, by the owner of the data, or by somebody who may write the data anyway. data: the user's file. */
bool pcdf_sidename_is_ours(const struct stat *side, const char *data, const char *path);
#endif
