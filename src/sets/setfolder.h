#ifndef PCDF_SETFOLDER_H
#define PCDF_SETFOLDER_H
/* What sets ask of a file system, as a table of functions: POSIX here, and in tests/sets a simulated one that
 * crashes. Paths are absolute. All functions return an NC_ code: NC_ENOENT where a name is not there,
 * NC_EEXIST where it must not be there. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "owner.h"

struct pcdf_setfacts {
    int64_t size, inode, device, links;
    int64_t changed; /* nanoseconds since 1970 of the last change of the contents */
    int64_t user;    /* whose it is */
    bool is_own;     /* of this process's user, or of root */
    bool is_file;    /* a regular one; links are not followed */
};

typedef int pcdf_setvisit(void *context, const char *name);

struct pcdf_setfolder_ops {
    /* Every name in a folder, until visit fails. */
    int (*list)(void *fs, const char *folder, pcdf_setvisit *visit, void *context);
    /* All bytes of a small regular file, and a NUL, which the caller frees. NC_EFILE: more than `most`.
     * facts: of what was read; NULL: not wanted. */
    int (*read)(void *fs, const char *path, size_t most, char **bytes, size_t *n,
                struct pcdf_setfacts *facts);
    /* A new file, whose contents are on the storage when it returns; its name need not be. NC_EEXIST. like:
     * who may read and write that file may do the same with this one; NULL: as with any new file. */
    int (*write)(void *fs, const char *path, const void *bytes, size_t n, const char *like);
    int (*rename_over)(void *fs, const char *from, const char *to); /* as rename(2) */
    int (*rename_new)(void *fs, const char *from, const char *to);  /* NC_EEXIST */
    int (*link)(void *fs, const char *from, const char *to); /* NC_ENOTSUPPORT: no (more) hard links here */
    int (*unlink)(void *fs, const char *path);
    int (*make_folder)(void *fs, const char *path);
    int (*remove_folder)(void *fs, const char *path); /* NC_EEXIST: it is not empty */
    int (*sync_folder)(void *fs, const char *path);   /* its names are on the storage */
    enum pcdf_owner_state (*owner)(void *fs, const struct pcdf_owner *owner); /* does it run? */
    int (*look)(void *fs, const char *path, struct pcdf_setfacts *facts);
    int64_t (*now)(void *fs); /* nanoseconds since 1970 */
};

struct pcdf_setfs {
    const struct pcdf_setfolder_ops *ops;
    void *fs; /* their first argument */
};
extern const struct pcdf_setfs pcdf_setfs_posix;
#endif
