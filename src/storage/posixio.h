#ifndef PCDF_POSIXIO_H
#define PCDF_POSIXIO_H
/* pread and pwrite that keep their word: EINTR is retried, short transfers go on, an error has its NC_ code
 * and a sentence, and errno tells it, too. The storage `posix` (storage.h) is made of them. */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include "extents.h"

/* Names. `path` may carry a ROMIO file-system prefix (ufs: nfs: xfs: pvfs2: gpfs: panfs: lustre: daos:
 * testfs: ime: quobyte:); this is the path for POSIX calls. */
const char *pcdf_path_posix(const char *path);

/* errno as an NC_ code; what has no code of its own becomes `fallback` (NC_EFILE, NC_EREAD, NC_EWRITE). Keeps
 * a sentence. */
int pcdf_posix_error(int err, int fallback, const char *what, const char *path);
/* The first folder on the way of a path that is not there; false: all are. */
bool pcdf_posix_missing_folder(const char *path, char folder[PATH_MAX]);

/* open(2), close-on-exec, EINTR retried; -1 with errno. A file that it makes may be read and written by all
 * whom the umask lets. */
int pcdf_posix_open(const char *path, int flags);
/* Do both paths lead to one file? */
bool pcdf_posix_same(const char *a, const char *b);
/* Makes a file that nobody else may open, for reading and writing; -1 with errno EEXIST where anything has
 * the name, a link too. */
int pcdf_posix_make(const char *path);

/* A put: NC_NOERR says that all bytes were accepted; the data is not changed. A get: bytes behind the end of
 * the file come back as zeros. *got (may be NULL) is raised by those that were there. Two calls in a row that
 * move no byte are an error. */
int pcdf_posix_move(int fd, enum pcdf_dir dir, void *data, int64_t length, int64_t offset, int64_t *got,
                    const char *path);

/* The storage may begin with these bytes now, for a sync to come. Nothing waits, nothing is promised; a
 * failure is as that of a sync. fd < 0: nothing happens. */
int pcdf_posix_start_sync(int fd, int64_t offset, int64_t bytes, const char *path);
/* These bytes are read soon: the system may begin with them. */
void pcdf_posix_expect(int fd, int64_t offset, int64_t bytes);
/* ftruncate, EINTR retried. 0, or errno. */
int pcdf_posix_cut(int fd, int64_t size);
/* fsync, EINTR retried; a device that has nothing to sync is no failure. *failed is set when it failed: a
 * second one would succeed although the bytes are lost. */
int pcdf_posix_sync(int fd, const char *path, bool *failed);
#endif
