#ifndef STRIPEMODEL_H
#define STRIPEMODEL_H
/* A parallel file system that stores nothing and counts: stripes go to targets in turn, and a client (a node)
 * needs a lock on what it writes of a target's object. Locks grow and move as those of Lustre do: a lock that
 * nobody is in the way of grows up to the nearest ones of other clients; whoever writes to what another
 * client's lock covers takes that lock away as a whole, which is a transfer, and gets no more than it writes.
 * Where more than four locks of others are on an object, locks grow to its end only, where more than 32, by
 * at most 32 MiB.
 *
 * Time goes in steps: what writers write in one, they write at once. */

#include <stdint.h>

struct stripemodel;

struct stripemodel_figures {
    int64_t calls, bytes, steps;
    int64_t transfers;    /* of locks */
    int writers, clients; /* of the target that has most */
    int targets;          /* of the writer that has most */
    int active;           /* writers in all */
    double busy;          /* targets, on average, in the steps between the first and the last tenth */
    double share; /* of the speed that the file system has where all targets are equally busy throughout */
};

/* Ends the program where there is no memory. */
struct stripemodel *stripemodel_make(int64_t stripe, int targets, int writers, int clients);
void stripemodel_free(struct stripemodel *m);
/* One call of a writer, numbered from 0, on a client. */
void stripemodel_put(struct stripemodel *m, int writer, int client, int64_t offset, int64_t bytes);
void stripemodel_step(struct stripemodel *m); /* the step ends; one in which nobody wrote is none */
struct stripemodel_figures stripemodel_read(const struct stripemodel *m);
#endif
