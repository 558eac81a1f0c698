#ifndef PCDF_MEMORYSTORAGE_H
#define PCDF_MEMORYSTORAGE_H
/* The RAM files of this process, by path: they outlive the storages that have them open. */

#include <stdint.h>

/* Bytes of the file: NC_ENOENT if there is none. */
int pcdf_memory_bytes(const char *path, int64_t *bytes);
/* Makes the file, or replaces what it holds, by `bytes` bytes from `data`. */
int pcdf_memory_put(const char *path, const void *data, int64_t bytes);
/* Copies `bytes` bytes from `offset` on out of it; zeros behind its end. */
int pcdf_memory_get(const char *path, int64_t offset, void *data, int64_t bytes);
/* Frees it, at the last close where it is open: NC_ENOENT. */
int pcdf_memory_remove(const char *path);
#endif
