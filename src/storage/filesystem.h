#ifndef PCDF_FILESYSTEM_H
#define PCDF_FILESYSTEM_H
/* What kind of file system a file is on, and how it stripes the file. */

#include <stdbool.h>
#include <stdint.h>

/* Of one machine, which caches a file once for all who use it. Of what is not known: no. */
bool pcdf_filesystem_is_local(const char *path);
bool pcdf_filesystem_holds_locally(int fd);
/* May each client number inodes as it likes? Of what is not known: no. */
bool pcdf_filesystem_numbers_by_client(const char *path);
/* Does it store a name that was made, changed or removed before the call returns? NFS does. */
bool pcdf_filesystem_stores_names(int fd);

/* How many bytes more this user may store on it. False: it does not say. */
bool pcdf_filesystem_room(const char *path, int64_t *bytes);

/* How far locks of both kinds (filelock.h) keep processes apart, once they are granted. */
enum pcdf_lock_reach {
    PCDF_LOCKS_UNKNOWN, /* of a node perhaps, or of nobody: NFS (nolock, local_lock), BeeGFS, FUSE ... */
    PCDF_LOCKS_MACHINE, /* the file system is of this machine alone: nobody else can be at work */
    PCDF_LOCKS_NODES    /* between all nodes: Lustre mounted with `flock`, GPFS */
};
enum pcdf_lock_reach pcdf_filesystem_locks(int fd);

/* Lustre's own word on a file's stripes. False: another file system, or several layouts in one file. */
bool pcdf_filesystem_stripes(const char *path, int64_t *bytes, int64_t *count);
/* Gives an empty file, made by mknod and never opened, the layout of another; nothing happens where the file
 * system has none. */
void pcdf_filesystem_stripe_like(const char *path, const char *like);
#endif
