#ifndef PCDF_SIDECAR_H
#define PCDF_SIDECAR_H
/* A file of ours beside the user's: journals and checksums. Always by POSIX calls, on any rank. All functions
 * are local. Whoever may not open the user's file may not open ours, links are not followed, and what
 * somebody else put under the name is neither used nor changed (base/sidename.h has the rule). */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_sidecar {
    int fd; /* -1: not open */
    char *path;
    bool sync_failed;
    bool lock_is_whole; /* this process owns it, and the file system granted all there is (filelock.h) */
};

/* ".<name><suffix>" in the folder of the real file (links resolved); the caller frees *path. NC_ENOMEM. */
int pcdf_sidecar_path(const char *file, const char *suffix, char **path);
/* Of such names, the one to use: that of ours if there is one
 * (*is_there), else a free name. The same on all ranks. The caller frees *path. NC_ENOMEM; NC_EACCESS: others
 * have all such names. */
int pcdf_sidecar_find(const char *file, const char *suffix, char **path, bool *is_there);

/* Makes it anew, in the place of one of ours, beside `file` and with its permissions, locked against other
 * processes as long as it is open, and takes `bytes` of the storage where the file system can. NC_EACCESS and
 * others from errno. */
int pcdf_sidecar_make(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s);
/* Likewise, but what has the name stays: NC_EEXIST. */
int pcdf_sidecar_make_new(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s);
/* Opens one that exists; with `lock`, NC_EACCESS when another process holds it. NC_ENOENT; NC_EACCESS: it is
 * not ours. */
int pcdf_sidecar_open(const char *file, const char *path, bool lock, struct pcdf_sidecar *s);
/* The same, to read: whoever may read the user's file may read ours, too. */
int pcdf_sidecar_open_read(const char *file, const char *path, struct pcdf_sidecar *s);
/* Locks an open one, or says that this process works on it, too, whose rank 0 has it. */
int pcdf_sidecar_lock(struct pcdf_sidecar *s);
void pcdf_sidecar_join(const struct pcdf_sidecar *s);
bool pcdf_sidecar_has_name(const struct pcdf_sidecar *s, const char *path); /* the path leads to it, now */
bool pcdf_sidecar_is_linked(const struct pcdf_sidecar *s);                  /* some name does */
bool pcdf_sidecar_exists(const char *path);

int pcdf_sidecar_size(const struct pcdf_sidecar *s, int64_t *bytes);
int pcdf_sidecar_put(struct pcdf_sidecar *s, const void *data, int64_t bytes, int64_t offset);
/* Zeros behind the end; *got (may be NULL): what was there. */
int pcdf_sidecar_get(struct pcdf_sidecar *s, void *data, int64_t bytes, int64_t offset, int64_t *got);
/* Its bytes are on the storage; a failed one is final. */
int pcdf_sidecar_sync(struct pcdf_sidecar *s);
/* Its name, or that it is gone, is on the storage. NC_EACCESS: nobody can say so, since the folder may not be
 * read and the file system is none where something else helps. */
int pcdf_sidecar_sync_folder(const char *path);
int pcdf_sidecar_close(struct pcdf_sidecar *s);
int pcdf_sidecar_remove(const char *path); /* NC_NOERR where there is none */
/* Another name in the same folder, which must be free: NC_EEXIST. The path of *s follows. */
int pcdf_sidecar_rename(struct pcdf_sidecar *s, const char *path);
/* The paths in the folder of the real file whose names begin with a point and end with the suffix, until
 * `visit` says false or a bound is met. */
int pcdf_sidecar_each(const char *file, const char *suffix, bool (*visit)(void *context, const char *path),
                      void *context);

/* Of the user's file, links followed. sync: what any process of this node wrote is on the storage. peek: its
 * first bytes; *got: how many it has of them; *facts (may be NULL) are of the very file that has them. */
int pcdf_sidecar_inode(const char *file, int64_t *inode);
bool pcdf_sidecar_in_memory(
    const char *file);      /* on a file system that has no storage: a flush costs nothing */
struct pcdf_sidecar_facts { /* how one tells that a file is the same as it was */
    int64_t size, inode, time, time_ns, links;
};
int pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts);
int pcdf_sidecar_sync_file(const char *file);
int pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got,
                      struct pcdf_sidecar_facts *facts);
#endif
