#ifndef SIMFS_H
#define SIMFS_H
/* A file system in memory that can crash: contents that were not synced are torn or absent; names that were
 * not synced are there in the order in which they came, up to any one of each folder. */

#include <stdbool.h>
#include "setfolder.h"

struct simnode {
    const char *bytes; /* never changed: a crash makes other ones */
    size_t n;
    bool is_synced;
    int folder, links; /* folder: -1: a file */
    int64_t changed;
};
struct simentry {
    const char *name;
    int node;         /* -1: in a log, the name goes */
    const char *from; /* in a log: the name that it had */
};
struct simnames {
    struct simentry *x;
    int n, room;
};
struct simfolder {
    const char *path; /* of a folder that never goes; NULL */
    struct simnames now, stored, log;
};
struct simfs {
    struct pcdf_setfs setfs; /* for the code under test */
    struct simnode *nodes;
    struct simfolder *folders;
    int nnodes, nfolders, node_room, folder_room;
    bool has_links, owners_ended;
    int mutant;
    void (*step)(struct simfs *fs, void *context); /* after each change */
    void (*pause)(struct simfs *fs);               /* between a listing and what its caller makes of it */
    void *context;
};

void simfs_begin(struct simfs *fs, bool has_links);
void simfs_root(struct simfs *fs, const char *path);
void simfs_free(struct simfs *fs);
/* What a crash at this instant may leave, by chance. */
void simfs_crash(const struct simfs *fs, struct simfs *after, uint64_t *seed);
uint64_t simfs_hash(const struct simfs *fs);              /* of all names and contents */
int simfs_node(const struct simfs *fs, const char *path); /* -1: it is not there */
int simfs_put(struct simfs *fs, const char *path, const char *bytes, size_t n); /* a file, not synced */
void simfs_sync(struct simfs *fs, const char *path);                            /* its contents */
const char *simfs_keep(const char *text, size_t n); /* memory until simfs_forget */
void simfs_forget(void);
uint64_t simfs_random(uint64_t *seed, uint64_t below);
#endif
