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
    struct pcdf_owner *owners; /* all that noted something, each once */
    size_t nowners;
    struct pcdf_setfile *begun, *whole; /* sorted by name */
    struct pcdf_setfile *failed;
    size_t nbegun, nwhole, nfailed, ntorn; /* of failed, those that can be read */
    bool has_failed;
    struct pcdf_setfacts folder;
    bool is_bound;       /* it lies where it was made: not in a copy */
    bool is_trusted;     /* of somebody who may remove files in DIR */
    bool removes_others; /* may members elsewhere go by it? */
};
/* NC_ENOENT: there is no such folder. */
int pcdf_setparts_read(const struct pcdf_set *set, const char *key, struct pcdf_setparts *p);
void pcdf_setparts_free(struct pcdf_setparts *p);
/* Are all files there that there are to be? is_all: as many as have begun. */
bool pcdf_setparts_complete(const struct pcdf_setparts *p, bool is_all);

/* Did a generation that noted `a` begin before the one that noted `b`? Total, and the same for everybody. */
bool pcdf_setparts_is_before(int64_t after_a, int64_t begun_a, const char *key_a, int64_t after_b,
                             int64_t begun_b, const char *key_b);

enum { PCDF_SET_SUPERSEDED = -1 };
/* *number > 0: committed, by whomever. 0: it is not complete, or its folder is gone. PCDF_SET_SUPERSEDED:
 * generations that began after it are committed, and there is no number before theirs. */
int pcdf_setparts_commit(const struct pcdf_set *set, const char *key, bool is_all, int64_t *number);
/* Publishes a committed generation; then its folder of parts goes. */
int pcdf_setparts_finish(const struct pcdf_set *set, const char *key, int64_t number);
/* Its members and the folder go. */
int pcdf_setparts_discard(const struct pcdf_set *set, const char *key);
/* Nobody writes a file of it any more: each one that began is whole or failed. */
bool pcdf_setparts_is_over(const struct pcdf_setparts *p);

/* The name of a draft of the note "job" in the folder of parts: it tells whose it is. */
void pcdf_setparts_draft(const struct pcdf_owner *owner, char *name, size_t size);

/* Of all generations in the making, does one that lives, and is of another job, come before the first one of
 * this job? Then NC_EACCESS. So of two jobs that begin at once, at most one is refused. job: "" for none. */
int pcdf_setparts_check_others(const struct pcdf_set *set, const struct pcdf_setlist *list, const char *job);
#endif
