#ifndef PCDF_NODECACHE_H
#define PCDF_NODECACHE_H
/* Decoded chunks that the ranks of a node share. Whoever needs a chunk asks: if it is there, he reads it; if
 * nobody has it, he is the one who decodes it for all; if another is at it, he does something else first.
 * There are no messages, and nobody waits for long: a rank that is slow, or that was killed, costs the others
 * a moment, and then they decode for themselves.
 *
 * It lies in memory that the caller made (sharedmemory.h). A chunk that somebody reads stays where it is; of
 * the others, those used last are kept, as many as there is room for. One thread of a process at a time. */

#include <stdbool.h>
#include <stdint.h>
#include "sharedmemory.h"

struct pcdf_nodecache; /* as this process sees it */

enum { PCDF_NODECACHE_LEAST = 4096, PCDF_NODECACHE_SIZES = 32 };

struct pcdf_nodecache_plan { /* the same on all ranks of the node */
    int64_t most;            /* bytes of chunks that are kept */
    uint32_t sizes;          /* bit i: some chunks have more than 2^(i-1) bytes, and at most 2^i */
    int users;               /* ranks */
};

/* Adds a size of chunks. False: chunks of this size are not shared, being too small or too large. */
bool pcdf_nodecache_plan_size(struct pcdf_nodecache_plan *plan, int64_t bytes);
int64_t pcdf_nodecache_bytes(const struct pcdf_nodecache_plan *plan); /* of memory, most never touched */
/* One process, before the others: the memory, all zeros, becomes an empty cache. False: the system lacks what
 * it takes. */
bool pcdf_nodecache_lay_out(const struct pcdf_nodecache_plan *plan, const struct pcdf_sharedmemory *memory);
/* user: from 0 up. Owns the memory from then on. NULL: no memory; it does not. */
struct pcdf_nodecache *pcdf_nodecache_enter(const struct pcdf_nodecache_plan *plan, int user,
                                            const struct pcdf_sharedmemory *memory);
void pcdf_nodecache_leave(struct pcdf_nodecache *cache); /* NULL: nothing */
const struct pcdf_nodecache_plan *pcdf_nodecache_plan_of(const struct pcdf_nodecache *cache);
int pcdf_nodecache_user(const struct pcdf_nodecache *cache);

enum pcdf_nodechunk_state {
    PCDF_NODECHUNK_NONE,  /* it has no place here: decode it elsewhere */
    PCDF_NODECHUNK_READY, /* it is there: read it, then drop it */
    PCDF_NODECHUNK_MINE,  /* decode it there, then publish it or give it back */
    PCDF_NODECHUNK_BUSY   /* another user decodes it */
};

struct pcdf_nodechunk { /* what was lent */
    enum pcdf_nodechunk_state state;
    unsigned char *bytes;
    int place, user; /* user: who decodes it, or did */
    bool is_late;    /* NONE, because he does not get on */
};

/* What this user reads from now on, as far as others can use it: all or some chunks of a variable whose
 * indices lie between these (both included). var -1: any; ndims -1: nothing for now. */
void pcdf_nodecache_tell(struct pcdf_nodecache *cache, int var, int ndims, const int64_t *low,
                         const int64_t *high);
/* May another user want it? As he told; one that reads nothing now may come, unless experience is against it.
 */
bool pcdf_nodecache_is_wanted(struct pcdf_nodecache *cache, int var, const int64_t *index, int ndims);

/* bytes: of a chunk; its size is that of all chunks of the variable. is_wanted: it is worth a place in any
 * case; else it is MINE only while most of the cache is empty. */
struct pcdf_nodechunk pcdf_nodecache_ask(struct pcdf_nodecache *cache, int var, int64_t chunk, int64_t bytes,
                                         bool is_wanted);
/* The same, but waits for whoever decodes it, while he gets on: never BUSY. Who holds a chunk that is MINE
 * does not wait: the other might wait for it. */
struct pcdf_nodechunk pcdf_nodecache_await(struct pcdf_nodecache *cache, int var, int64_t chunk,
                                           int64_t bytes, bool is_wanted);
/* Of one that is MINE: all may read it. It is READY then, also for the caller. */
void pcdf_nodecache_publish(struct pcdf_nodecache *cache, struct pcdf_nodechunk *lent);
/* Ends what ask began, in any state: one that is READY is dropped, one that is MINE given back, as if nobody
 * had asked for it. */
void pcdf_nodecache_drop(struct pcdf_nodecache *cache, struct pcdf_nodechunk *lent);
#endif
