/* See setmaking.h: what jobs that ended left behind. */
#include <string.h>
#include <time.h>
#include "alloc.h"
#include "setmaking.h"
#include "setnames.h"
#include "setparts.h"
#include "setpublish.h"
#include "status.h"

enum { DAY = 24 * 60 * 60 };

/* How long has nothing changed in a generation in the making? Seconds. */
static int64_t idle_of(const struct pcdf_set *set, const char *key, const struct pcdf_setparts *p)
{
    enum { NANO = 1000000000 };
    struct pcdf_setfacts facts;
    int64_t newest = p->has_job ? p->job.begun : 0;
    char *parts = pcdf_setname_keyed(set->dir, set->name, PCDF_SET_PARTS, key);
    if (!parts)
        return 0;
    if (!set->fs->ops->look(set->fs->fs, parts, &facts) && facts.changed / NANO > newest)
        newest = facts.changed / NANO;
    for (size_t i = 0; i < p->nbegun; i++) {
        char *member = pcdf_setname_member(p->begun[i].file, key);
        if (member && !set->fs->ops->look(set->fs->fs, member, &facts) && facts.changed / NANO > newest)
            newest = facts.changed / NANO;
        pcdf_free(member);
    }
    pcdf_free(parts);
    return time(NULL) - newest;
}

/* Has the job ended? One of another host is believed to live while its generation changes. */
static bool has_ended(const struct pcdf_set *set, const char *key, const struct pcdf_setparts *p, bool *lives)
{
    *lives = false;
    if (!p->has_job)
        return idle_of(set, key, p) > DAY / 24; /* between the first two steps of a begin, or of a removal */
    switch (set->fs->ops->owner(set->fs->fs, &p->by)) {
    case PCDF_OWNER_SELF:
    case PCDF_OWNER_RUNS:
        *lives = true;
        return false;
    case PCDF_OWNER_ENDED:
    case PCDF_OWNER_RESTARTED:
        return true;
    default:
        return idle_of(set, key, p) > DAY;
    }
}

static int recover_one(const struct pcdf_set *set, const char *key, enum pcdf_setrecover how, const char *job)
{
    struct pcdf_setparts p;
    int64_t number = 0;
    bool lives;
    int err = pcdf_setparts_read(set, key, &p);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    bool ended = has_ended(set, key, &p, &lives);
    bool is_own = p.has_job && job[0] && strcmp(job, p.job.job) == 0;
    bool is_self = lives && set->fs->ops->owner(set->fs->fs, &p.by) == PCDF_OWNER_SELF;
    if (how == PCDF_RECOVER_BEGIN && lives && !is_own && !is_self)
        err = PCDF_FAIL(NC_EACCESS,
                        "another job writes to the set %s/%s: process %lld of %s, since second %lld",
                        set->dir, set->name, (long long)p.by.process, p.by.host, (long long)p.job.begun);
    pcdf_setparts_free(&p);
    if (err || !ended)
        return err;
    err = pcdf_setparts_commit(set, key, false, &number);
    if (err == NC_EFILE || err == NC_ENOENT) /* a member is not as its note says */
        err = NC_NOERR;
    if (!err && number)
        return pcdf_setparts_finish(set, key, number);
    return err ? err : pcdf_setparts_discard(set, key);
}

/* A manifest without a number, whose folder of parts is gone. */
static int remove_stray(const struct pcdf_set *set, const char *entry, const struct pcdf_setlist *list)
{
    struct pcdf_setentry e;
    pcdf_setname_parse(entry, &e);
    for (size_t i = 0; i < list->nmaking; i++) {
        size_t n = strlen(list->making[i]);
        if (strncmp(e.key, list->making[i], n) == 0 && e.key[n] == '-')
            return NC_NOERR;
    }
    char *path = pcdf_setname_in(set->dir, entry);
    int err = path ? set->fs->ops->unlink(set->fs->fs, path) : NC_ENOMEM;
    pcdf_free(path);
    return err == NC_ENOENT ? NC_NOERR : err;
}

int pcdf_set_recover(const struct pcdf_set *set, enum pcdf_setrecover how, const char *job)
{
    struct pcdf_setlist list;
    int status = NC_NOERR;
    PCDF_TRY(pcdf_set_list(set, &list));
    for (size_t i = 0; i < list.nremoved; i++)
        pcdf_first(&status, pcdf_set_remove(set, list.removed[i]));
    for (size_t i = 0; i < list.nnews; i++)
        pcdf_first(&status, remove_stray(set, list.news[i], &list));
    for (size_t i = 0; i < list.nmaking; i++) {
        int err = recover_one(set, list.making[i], how, job);
        pcdf_first(&status, err);
    }
    pcdf_setlist_free(&list);
    return status;
}

int pcdf_set_restore(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    return pcdf_set_give_names(set, m);
}
