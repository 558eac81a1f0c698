#ifndef PCDF_FILESYSTEM_H
#define PCDF_FILESYSTEM_H
/* What kind of file system a file is on; stripes.h has how it spreads the file. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_filesystem { /* a kind; what is not known is false */
    uint32_t number;     /* statfs(2) */
    const char *name;    /* as people call it; NULL: unknown kind */
    /* One machine's, which caches a file once for all who use it. */
    bool is_local;
    /* Many machines': each reads at once what the others wrote. */
    bool is_coherent;
    bool is_memory;         /* it has no storage: a flush costs nothing */
    bool numbers_by_client; /* each client may number inodes as it likes */
    /* Bytes reach it by system calls alone, also those that MPI libraries write. */
    bool by_system;
    /* A name that was made, changed or removed is stored before the call returns. */
    bool stores_names;
    /* Writers on two nodes that share a block wait for each other. */
    bool locks_blocks;
    bool has_chunks;     /* it tells of them as BeeGFS does */
    bool shifts_extents; /* inserts ranges as extentshift.h says, crashes included */
    /* Byte-range locks (those of open file descriptions) hold between nodes ... */
    bool locks_nodes;
    const char *locks_by_option; /* ... where it is mounted with this one */
};
/* Of a file, or, where it is not there, of the folder it would be in; never NULL. */
const struct pcdf_filesystem *pcdf_filesystem_at(const char *path);
const struct pcdf_filesystem *pcdf_filesystem_of(int fd);

/* The bytes of which a file's blocks are; 0: it does not say. */
int64_t pcdf_filesystem_block(int fd);
/* False: its metadata is not kept in a journal, so a power cut leaves its changes in any order (ext4 that was
 * made with -O ^has_journal). */
bool pcdf_filesystem_has_journal(int fd);

/* A call to it takes as long as moving so many bytes: the order of magnitude. */
int64_t pcdf_filesystem_call_bytes(const struct pcdf_filesystem *fs);

/* For the user: "ext4", "tmpfs", "lustre" ...; "0x..." in `room` for a kind that is not known, "unknown"
 * where the system does not tell. */
const char *pcdf_filesystem_name(const char *path, char room[16]);

/* How many bytes more this user may store on it. False: it does not say. */
bool pcdf_filesystem_room(const char *path, int64_t *bytes);

/* How far the byte-range locks of filelock.h keep processes apart, once they are granted. flock is no proof:
 * on GPFS it holds on one node only. */
enum pcdf_lock_reach {
    /* They hold on a node perhaps, or keep nobody apart: NFS (nolock, local_lock), BeeGFS, FUSE ... */
    PCDF_LOCKS_UNKNOWN,
    /* The file system is of this machine alone: nobody else can be at work. */
    PCDF_LOCKS_MACHINE,
    PCDF_LOCKS_NODES /* between all nodes: Lustre mounted with `flock`, GPFS */
};
enum pcdf_lock_reach pcdf_filesystem_locks(int fd);
#endif
