#ifndef PCDF_SHAREDMEMORY_H
#define PCDF_SHAREDMEMORY_H
/* Memory without a name that other processes of this machine can map: who has it tells them a notice, by
 * which they find its descriptor (/proc/PID/fd). It takes pages only where it is touched. Local. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_sharedmemory {
    char *at; /* NULL: there is none */
    int64_t bytes;
    int fd; /* this process's; -1: none */
};

struct pcdf_sharedmemory_notice {
    /* fd -1: there is none, or not for others. */
    int64_t pid, fd, bytes;
    /* What the descriptor leads to, since pids are not the same everywhere. */
    int64_t device, inode;
};

/* False: the system has none, or a limit forbids it. name: what the system shows for it. */
bool pcdf_sharedmemory_make(const char *name, int64_t bytes, struct pcdf_sharedmemory *made);
void pcdf_sharedmemory_free(struct pcdf_sharedmemory *m); /* does nothing where there is none */
/* Of a descriptor of this process, which may be -1. */
struct pcdf_sharedmemory_notice pcdf_sharedmemory_tell(int fd, int64_t bytes);
/* False: it can't be had, such as from another container. */
bool pcdf_sharedmemory_open(const struct pcdf_sharedmemory_notice *notice, struct pcdf_sharedmemory *opened);
/* Stretches are whole pages. Takes their memory now, so that there is an answer, and no signal, where the
 * system has none. */
bool pcdf_sharedmemory_take(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes);
/* What others may have taken: to look at it page by page, when it is first touched here, takes longer. */
void pcdf_sharedmemory_see(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes,
                           bool for_writing);
/* The pages of a range go back to the system. False: it does not do this. */
bool pcdf_sharedmemory_give_back(const struct pcdf_sharedmemory *m, int64_t offset, int64_t bytes);
#endif
