#ifndef PCDF_PATCHSTORAGE_H
#define PCDF_PATCHSTORAGE_H
/* A layer that, while it is told so, keeps what is put in memory as patches (patchset.h), and lays them over
 * what is read below it. It is for storages below which ranks have to agree on what is put: in independent
 * mode a rank keeps its puts, and all ranks move them at the next call of all.
 *
 * A put is kept whole or fails with NC_ENOMEM; bytes that the rule does not keep pass. Pieces of a get that
 * patches cover are not read below. size, resize, sync, and moves `together`, are those of the storage below,
 * which knows nothing of patches. A close with patches fails, as they are lost. Where it does not keep, moves
 * pass; what was kept before waits for its iterator, or to be forgotten.
 *
 * As with any storage, one thread at a time calls it and these functions. A queue (writequeue.h) lies below
 * it: then a put that does not fit fails at once, and is no failed write. */

#include "iterator.h"
#include "storage.h"

struct pcdf_patches;

/* Which puts are kept: those of bytes that lie where ranks agree. */
struct pcdf_patches_rule {
    /* Are the bytes from `offset` on kept? *end: up to where the same holds. NULL: all are. */
    bool (*keeps)(const void *context, int64_t offset, int64_t *end);
    const void *context;
};

/* Lays it on *top. limit: most bytes of memory for patches. NC_ENOMEM: nothing was laid. */
int pcdf_patches_stack(int64_t limit, struct pcdf_storage **top, struct pcdf_patches **patches);
/* rule: what it points to outlives its use. NULL: it keeps nothing from now on. */
void pcdf_patches_keep(struct pcdf_patches *patches, const struct pcdf_patches_rule *rule);
bool pcdf_patches_is_keeping(const struct pcdf_patches *patches);
/* Did the last put that might be kept fail because it did not fit? */
bool pcdf_patches_lacked_room(const struct pcdf_patches *patches);
/* For a put of all patches, while it does not keep. Good until it keeps or forgets. */
struct pcdf_iterator pcdf_patches_iterator(struct pcdf_patches *patches);
/* They were moved, or are lost. */
void pcdf_patches_forget(struct pcdf_patches *patches);
#endif
