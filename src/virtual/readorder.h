#ifndef PCDF_READORDER_H
#define PCDF_READORDER_H
/* In which order a rank reads the chunks of a sorted list of needs. Where ranks of a node share what they
 * decode (nodecache.h), each begins at another place: then ranks with the same needs do different chunks, and
 * find the others' done when they get there. They do so in one batch after the other, so that nothing has to
 * leave the cache before all have it. What another rank is at is put off, and comes again at the end of the
 * batch. Local. */

#include "array.h"
#include "needs.h"

struct pcdf_run { /* needs of one chunk */
    const struct pcdf_need *x;
    size_t n;
    bool is_last_try; /* it was put off, and nothing else is left to do */
};

struct pcdf_readorder {
    const struct pcdf_needs *needs;
    int user, users;
    int64_t most;          /* bytes of a batch; 0: all is one batch */
    size_t begin, end, at; /* of the batch, in the list; the next one */
    size_t first;          /* where in the batch this rank began */
    bool has_turned;       /* from its end to its begin */
    PCDF_ARRAY(size_t) later;
    size_t again; /* so many of `later` come again before the next batch; the first ones */
};

/* user, users: of the node; 0, 1: nobody shares. The needs stay as they are until it is freed. */
void pcdf_readorder_begin(struct pcdf_readorder *o, const struct pcdf_needs *needs, int user, int users,
                          int64_t most);
/* The next run, which stays the next one until it is taken. False: nothing is left. */
bool pcdf_readorder_next(struct pcdf_readorder *o, struct pcdf_run *run);
/* How many needs of the list come next, one behind the other, and the first of them. */
size_t pcdf_readorder_ahead(struct pcdf_readorder *o, struct pcdf_run *run);
void pcdf_readorder_take(struct pcdf_readorder *o, const struct pcdf_run *run);
/* In the place of take: it comes again. NC_ENOMEM: there is no memory to note it; it is the next one still.
 */
int pcdf_readorder_put_off(struct pcdf_readorder *o, const struct pcdf_run *run);
void pcdf_readorder_free(struct pcdf_readorder *o);
#endif
