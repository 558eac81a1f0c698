#ifndef PCDF_SETPARTS_H
#define PCDF_SETPARTS_H
/* The folder of parts of a generation, by its key: what stands in it, and what becomes of it. */

#include "owner.h"
#include "set.h"

struct pcdf_setparts {
    struct pcdf_arena arena;
    bool has_job;
    struct pcdf_setjob job;
    struct pcdf_owner by;
    struct pcdf_setfile *begun, *whole; /* sorted by name */
    size_t nbegun, nwhole, nfailed, ntorn;
};
/* NC_ENOENT: there is no such folder. */
int pcdf_setparts_read(const struct pcdf_set *set, const char *key, struct pcdf_setparts *p);
void pcdf_setparts_free(struct pcdf_setparts *p);
/* Are all files there that there are to be? is_all: as many as have begun. */
bool pcdf_setparts_complete(const struct pcdf_setparts *p, bool is_all);

/* *number > 0: committed, by whomever. 0: it is not complete, or its folder is gone. */
int pcdf_setparts_commit(const struct pcdf_set *set, const char *key, bool is_all, int64_t *number);
/* Publishes a committed generation; then its folder of parts goes. */
int pcdf_setparts_finish(const struct pcdf_set *set, const char *key, int64_t number);
/* Its members and the folder go. */
int pcdf_setparts_discard(const struct pcdf_set *set, const char *key);
#endif
