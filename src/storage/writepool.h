#ifndef PCDF_WRITEPOOL_H
#define PCDF_WRITEPOOL_H
/* The memory of this process's write queues: one stretch, taken in blocks that lie in one piece each. A block
 * has holders: whoever fills it, and each write that waits and has its bytes there. It is free again when the
 * last one drops it. Blocks are taken from the low end, so that memory that is not needed is never touched.
 *
 * The stretch can be mapped by other processes of the node (pcdf_writepool_share), which fill blocks for this
 * one. It stays when the last queue goes, so that the next file finds its pages warm, until the process ends
 * or a queue asks for another size. Every function but the last two is called under the lock of writer.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One more queue, which wants so many bytes. The first one's wish holds while there is any. NC_ENOMEM. */
int pcdf_writepool_enter(int64_t bytes);
void pcdf_writepool_leave(void);
int64_t pcdf_writepool_bytes(void); /* 0: there is no queue */

/* A block of at least so many bytes, at a multiple of 64, held once. NULL: there is no room now. */
char *pcdf_writepool_take(int64_t bytes);
bool pcdf_writepool_has(const char *at);     /* lies in a block that is held */
int64_t pcdf_writepool_room(const char *at); /* bytes from there to the end of its block */
int pcdf_writepool_holders(const char *at);
void pcdf_writepool_hold(const char *at);
void pcdf_writepool_drop(const char *at);
bool pcdf_writepool_shares(const char *a, const char *b); /* in the same block */

/* The next memory that nobody touched yet and that is likely to be taken: a first touch takes longer than
 * filling it, and the writer has time. NULL: there is none. */
char *pcdf_writepool_cold(int64_t *bytes);
/* The system does not make it warm: no more is asked for. */
void pcdf_writepool_stays_cold(void);

/* How other processes of this node find it: a descriptor of this process (-1: they can't), its size, and a
 * number that changes when it is made anew. */
struct pcdf_writepool_share {
    int64_t pid, fd, bytes, number;
};
struct pcdf_writepool_share pcdf_writepool_share(void);
char *pcdf_writepool_base(void); /* where it begins here; NULL: there is none */
/* Frees it, where no queue uses it. */
void pcdf_writepool_end(void);
#endif
