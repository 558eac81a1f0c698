#ifndef PCDF_WRITEPOOL_H
#define PCDF_WRITEPOOL_H
/* The memory of this process's write queues: one range of addresses, of which queues take blocks. A block
 * has holders: who fills it, and each write that waits and has its bytes there. It is free again when the
 * last one drops it. Blocks are taken from the low end, so that memory that is not needed is never touched.
 *
 * Other processes of the node can map the range (pcdf_writepool_share), and fill blocks for this one. It
 * stays when the last queue goes, so that the next file finds its pages warm: until the process ends, or a
 * queue asks for another size. Every function but the last two is called under the lock of writer.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One more queue, which wants so many bytes. While there are queues, what the first one wants holds.
 * NC_ENOMEM. */
int pcdf_writepool_enter(int64_t bytes);
void pcdf_writepool_leave(void);
int64_t pcdf_writepool_bytes(void); /* 0: there is no queue */

/* A block of at least so many bytes, at a multiple of 64, held once. NULL: there is no room now. */
char *pcdf_writepool_take(int64_t bytes);
int64_t pcdf_writepool_size(const char *block); /* its bytes: all can be used */
bool pcdf_writepool_is_nearly_taken(void);      /* three quarters of it, or more */
bool pcdf_writepool_has(const char *at);        /* lies in a block that is held? */
int pcdf_writepool_holders(const char *at);
void pcdf_writepool_hold(const char *at);
void pcdf_writepool_drop(const char *at);
/* Nobody uses more than the first `used` bytes of the block: the rest is free. */
void pcdf_writepool_trim(const char *block, int64_t used);
bool pcdf_writepool_shares(const char *a, const char *b); /* do both lie in the same block? */

/* The next memory that nobody touched yet and that is likely to be taken soon. The writer touches it while it
 * has time, because the first touch takes longer than filling it. NULL: there is none. */
char *pcdf_writepool_cold(int64_t *bytes);
/* The system cannot touch memory in advance: pcdf_writepool_cold returns NULL from now on. */
void pcdf_writepool_stays_cold(void);

/* How other processes of this node find the range: a descriptor of this process (-1: they can't), its size,
 * and a number that is another one whenever it was made anew. */
struct pcdf_writepool_share {
    int64_t fd, bytes, number;
};
struct pcdf_writepool_share pcdf_writepool_share(void);
char *pcdf_writepool_base(void); /* where it begins here; NULL: there is none */
/* Frees the range if there is no queue. */
void pcdf_writepool_end(void);
#endif
