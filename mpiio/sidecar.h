#ifndef PCDF_SIDECAR_H
#define PCDF_SIDECAR_H
/* A file of ours beside the user's: journals and checksums. Always by POSIX calls, on any rank. All functions
 * are local. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_sidecar {
    int fd; /* -1: not open */
    char *path;
    bool sync_failed;
};

/* ".<name><suffix>" in the folder of the real file (links resolved); the caller frees *path. NC_ENOMEM, and
 * what errno says where the folder cannot be found. */
int pcdf_sidecar_path(const char *file, const char *suffix, char **path);

/* Makes it empty, whatever lay there, locked against other processes as long as it is open, and takes
 * `bytes` of the storage where the file system can. NC_EACCESS and others from errno. */
int pcdf_sidecar_make(const char *path, int64_t bytes, struct pcdf_sidecar *s);
/* Opens one that exists; with `lock`, NC_EACCESS when another process holds it. NC_ENOENT. */
int pcdf_sidecar_open(const char *path, bool lock, struct pcdf_sidecar *s);
bool pcdf_sidecar_exists(const char *path);

int pcdf_sidecar_size(const struct pcdf_sidecar *s, int64_t *bytes);
int pcdf_sidecar_put(struct pcdf_sidecar *s, const void *data, int64_t bytes, int64_t offset);
/* Zeros behind the end; *got (may be NULL): what was there. */
int pcdf_sidecar_get(struct pcdf_sidecar *s, void *data, int64_t bytes, int64_t offset, int64_t *got);
/* Its bytes are on the storage; a failed one is final. */
int pcdf_sidecar_sync(struct pcdf_sidecar *s);
/* Its name, or that it is gone, is on the storage. */
int pcdf_sidecar_sync_folder(const char *path);
int pcdf_sidecar_close(struct pcdf_sidecar *s);
int pcdf_sidecar_remove(const char *path); /* NC_NOERR where there is none */

/* Of the user's file, links followed. sync: what any process of this node wrote is on the storage. peek: its
 * first bytes; *got: how many it has of them. */
int pcdf_sidecar_inode(const char *file, int64_t *inode);
bool pcdf_sidecar_in_memory(
    const char *file);      /* on a file system that has no storage: a flush costs nothing */
struct pcdf_sidecar_facts { /* how one tells that a file is the same as it was */
    int64_t size, inode, time, time_ns;
};
int pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts);
int pcdf_sidecar_sync_file(const char *file);
int pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got);
#endif
