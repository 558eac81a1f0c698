#ifndef CUTFS_H
#define CUTFS_H
/* A file system in memory that crashes, behind the functions that sets ask for (src/sets/setfolder.h).
 *
 * Contents are on the storage when a write returned; while it is on its way, any part of them. Names are on
 * the storage after a sync of their folder. Before that, a power cut keeps of each folder's changes any first
 * ones, in their order; one folder knows nothing of another. A kill keeps all that programs see, and what was
 * not on the storage still is not. After each change, `changed` is called: it may look at copies. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "setfolder.h"

struct sim_inode { /* contents are shared among copies, and never change */
    const char *bytes;
    size_t n;
    int64_t number;
    uint64_t hash; /* of the bytes */
    int user;      /* whose it is; 0: of the one who asks */
    bool is_folder;
    bool loses; /* a power cut takes the second half of it */
};
struct sim_name {
    int folder, name; /* of sim_text */
    int inode;
};
struct sim_step {                  /* a change of names: one of them, or both, at once */
    int folder, gone, come, inode; /* < 0: none */
};

struct cutfs {
    struct sim_inode *inodes;
    struct sim_name *seen, *stored;
    struct sim_step *steps; /* not on the storage yet */
    int ninodes, nseen, nstored, nsteps;
    int64_t numbers, now;
    bool has_links;
    int mutant; /* which rule is broken; 0: none */
    void (*changed)(struct cutfs *fs);
    void (*paused)(struct cutfs *fs); /* between a listing and what its caller makes of it */
    void *context;
};

extern const struct pcdf_setfolder_ops cutfs_ops;
extern enum pcdf_owner_state (*cutfs_owner)(const struct pcdf_owner *owner); /* does a job run? */

void cutfs_init(struct cutfs *fs);
void cutfs_copy(struct cutfs *to, const struct cutfs *from); /* without `changed` */
void cutfs_free(struct cutfs *fs);

/* What a program does with its own files. */
void cutfs_put(struct cutfs *fs, const char *path, const void *bytes,
               size_t n);                              /* makes it, or replaces its contents */
void cutfs_folder(struct cutfs *fs, const char *path); /* on the storage at once */
void cutfs_own(struct cutfs *fs, const char *path, int user);
const struct sim_inode *cutfs_find(const struct cutfs *fs, const char *path); /* NULL: no such name */

/* How many power cuts there may be: a product; more than `most`: `most`. */
int64_t cutfs_cuts(const struct cutfs *fs, int64_t most);
/* The one of that number of all; beyond those that are counted: one by the number as a seed. */
void cutfs_cut(struct cutfs *fs, int64_t number, int64_t all);
uint64_t cutfs_hash(const struct cutfs *fs); /* equal states, equal numbers */

int sim_text(const char *text, size_t n); /* the number of a text; the same for equal ones */
const char *sim_text_of(int number);
uint64_t sim_mix(uint64_t x);
#endif
