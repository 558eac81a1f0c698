#ifndef PCDF_SIDECAR_H
#define PCDF_SIDECAR_H
/* A file of ours beside the user's: journals and checksums. Always by POSIX calls, on any rank. All functions
 * are local. Whoever may not open the user's file may not open ours, links are not followed, and what
 * somebody else put under the name is neither used nor changed (sidename.h has the rule). */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_sidecar {
    int fd; /* -1: not open */
    char *path;
    bool sync_failed;
    /* This process owns it, and the file system granted all there is (filelock.h). */
    bool lock_is_whole;
};

/* ".<name><suffix>" in the folder of the real file (links resolved). Where somebody else's file has this name
 * there are others, ".<name>.1<suffix>" to ".9": the first of them all that is ours (*is_there), or free, so
 * that a file without a sidecar costs one look. The same on all ranks. The caller frees *path. NC_ENOMEM;
 * NC_EACCESS: others have all such names. */
int pcdf_sidecar_find(const char *file, const char *suffix, char **path, bool *is_there);

/* Makes it anew, in the place of one of ours, beside `file` and with its permissions, locked against other
 * processes as long as it is open, and takes `bytes` of the storage where the file system can. NC_EACCESS and
 * others from errno. */
int pcdf_sidecar_make(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s);
/* Likewise, but what has the name stays: NC_EEXIST. */
int pcdf_sidecar_make_new(const char *file, const char *path, int64_t bytes, struct pcdf_sidecar *s);
/* Opens one that exists. NC_ENOENT; NC_EACCESS: it is not ours, or another process holds one to OWN
 * (filelock.h). READ: whoever may read the user's file may read ours, too. */
enum pcdf_sidecar_use { PCDF_SIDECAR_READ, PCDF_SIDECAR_WRITE, PCDF_SIDECAR_OWN };
int pcdf_sidecar_open(const char *file, const char *path, enum pcdf_sidecar_use use, struct pcdf_sidecar *s);
/* Does the path lead to it, now? NULL: does some name? */
bool pcdf_sidecar_has_name(const struct pcdf_sidecar *s, const char *path);
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
/* The paths in the folder of the real file whose names begin with a point and end with the suffix, until
 * `visit` says false or a bound is met. */
int pcdf_sidecar_each(const char *file, const char *suffix, bool (*visit)(void *context, const char *path),
                      void *context);

/* Of the user's file, links followed. sync: what any process of this node wrote is on the storage. peek: its
 * first bytes; *got: how many it has of them; *facts (may be NULL) are of the very file that has them. */
/* How one tells that a file is the same as it was. */
struct pcdf_sidecar_facts {
    int64_t size, inode, time, time_ns, links;
};
int pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts);
int pcdf_sidecar_sync_file(const char *file);
int pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got,
                      struct pcdf_sidecar_facts *facts);
#endif
