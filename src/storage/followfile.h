#ifndef PCDF_FOLLOWFILE_H
#define PCDF_FOLLOWFILE_H
/* What a reader asks anew of a file that another job writes. A client of a network file system answers from
 * what it keeps; statx(2) with AT_STATX_FORCE_SYNC makes it ask the server for the attributes of the file,
 * and where these changed, it forgets the bytes that it kept. All functions are local. */

#include "fileplace.h"
#include "storage.h"

/* Of the very file that the storage has open, past what a client keeps: its size now. Bytes that are read
 * afterwards are those of the servers. One system call. */
int pcdf_followfile_size(struct pcdf_storage *bottom, int64_t *bytes);

/* Likewise by its name, in one call: does the name still lead to the file that is open? `identity` is of
 * pcdf_followfile_identity. Where the file system numbers inodes as it likes (inode 0), or a relative path
 * may mean another folder by now, the links that are left decide. */
int pcdf_followfile_name(struct pcdf_storage *bottom, const struct pcdf_fileid *identity, int64_t *bytes,
                         bool *is_there);
struct pcdf_fileid pcdf_followfile_identity(const struct pcdf_storage *bottom); /* the open file's */

/* The first n bytes, in one call where the file is not shorter; zeros stand for what is missing. */
int pcdf_followfile_read(struct pcdf_storage *bottom, void *bytes, int64_t n);
#endif
