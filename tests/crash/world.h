#ifndef WORLD_H
#define WORLD_H
/* A recorded log, and what the files are at each of its records: what programs see (a kill keeps it), what is
 * on the storage, and what may be there in any combination.
 *
 * On the storage is what an fsync of the rank that wrote it covered, both having ended in that order: ranks
 * may be on different nodes. Names are on the storage after an fsync of their folder, in the order they were
 * made. A sector of 512 bytes is written as a whole; of its unsynced writes the first few may have landed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "shimlog.h"

enum { SECTOR = 512, MOST_INODES = 64, MOST_NAMES = 32 };

struct bytes {
    unsigned char *x;
    int64_t n, room; /* zeros from n to room */
};
void bytes_size(struct bytes *b, int64_t n);
void bytes_put(struct bytes *b, int64_t offset, const void *data, int64_t n);
bool bytes_read(struct bytes *b, const char *path); /* false: no such file */

struct entry { /* of a log */
    struct shim_record r;
    const unsigned char *name, *data;
    size_t begin, end; /* of an END: the entry it ends; of that: its END, or 0 */
};
struct log {
    unsigned char *bytes;
    struct entry *x;
    size_t n;
};
bool log_read(struct log *log, const char *path); /* a torn last record is not there */
void log_free(struct log *log);
bool log_note_is(const struct entry *e, const char *text);
const char *log_note_after(const struct entry *e, const char *word); /* "base 12", "base " -> "12"; or NULL */

struct delta { /* the part of a write that lies in one sector */
    const unsigned char *data;
    int from, n;
    int64_t end;         /* of the write's bytes in this sector, in the file */
    int rank;            /* who wrote it; < 0: anybody's fsync covers it */
    size_t began, ended; /* entries; ended SIZE_MAX: in flight */
};
struct sector {
    struct delta *x;
    int n, room;
};
struct resize {
    int64_t size;
    int rank;
    size_t ended;
    bool landed;
};
struct inode {
    uint64_t number;
    struct bytes seen, stored;
    struct sector *sectors;
    int64_t nsectors;
    struct resize *resizes;
    int nresizes;
};
struct naming { /* inode < 0: removed */
    char name[256];
    int inode, rank;
    size_t ended;
};
struct world {
    struct inode inodes[MOST_INODES];
    int ninodes;
    struct naming stored[MOST_NAMES], *pending; /* stored: one a name */
    int nstored, npending;
    const char *trouble; /* a log that cannot be followed: why */
};

int world_inode(struct world *w, uint64_t number);                 /* the latest of that number, or -1 */
int world_add(struct world *w, uint64_t number, const char *name); /* a file that was there before */
/* A file that a killed job left, as programs see it, and of it what is on the storage; any rank's fsync
 * covers the rest. `seen` outlives the world. */
void world_add_killed(struct world *w, uint64_t number, const char *name, bool is_named,
                      const struct bytes *seen, const struct bytes *stored);
void world_step(struct world *w, const struct log *log, size_t at);
int world_seen(const struct world *w, const char *name);              /* inode index or -1 */
int world_landed(const struct world *w, const char *name, int first); /* with that many pending namings */
void world_free(struct world *w);
#endif
