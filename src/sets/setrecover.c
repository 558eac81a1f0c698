/* See setmaking.h: what jobs that ended left behind. */
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "setmaking.h"
#include "setnames.h"
#include "setparts.h"
#include "setpublish.h"
#include "status.h"

enum { HOUR = 60 * 60, DAY = 24 * HOUR };

/* How long has nothing changed in a generation in the making? Seconds. */
static int64_t idle_of(const struct pcdf_set *set, const char *key, const struct pcdf_setparts *p)
{
    enum { NANO = 1000000000 };
    struct pcdf_setfacts facts;
    int64_t newest = p->folder.changed;
    if (p->has_job && p->job.begun > newest)
        newest = p->job.begun;
    for (size_t i = 0; i < p->nbegun; i++) {
        char *member = pcdf_setname_member(p->begun[i].file, key);
        if (member && !set->fs->ops->look(set->fs->fs, member, &facts) && facts.changed > newest)
            newest = facts.changed;
        pcdf_free(member);
    }
    return (set->fs->ops->now(set->fs->fs) - newest) / NANO;
}

enum life { ENDED, UNKNOWN, LIVES, OWN /* a process of it is this one */ };

/* A generation lives while any process lives that began it or a file of it. */
static enum life life_of(const struct pcdf_set *set, const struct pcdf_setparts *p)
{
    enum life most = ENDED;
    for (size_t i = 0; i < p->nowners; i++) {
        enum life life = UNKNOWN;
        switch (set->fs->ops->owner(set->fs->fs, &p->owners[i])) {
        case PCDF_OWNER_SELF:
            life = OWN;
            break;
        case PCDF_OWNER_RUNS:
            life = LIVES;
            break;
        case PCDF_OWNER_ENDED:
        case PCDF_OWNER_RESTARTED:
            life = ENDED;
            break;
        default:
            break;
        }
        most = life > most ? life : most;
    }
    return most;
}

/* Nobody works on it any more. One of another host is believed to live while it changes, and one of the job
 * that asks as long as nobody knows better. */
static bool has_ended(const struct pcdf_set *set, const char *key, const struct pcdf_setparts *p,
                      const char *job)
{
    enum life life = life_of(set, p);
    bool is_same_job = p->has_job && job[0] && strcmp(job, p->job.job) == 0;
    if (life >= LIVES)
        return false;
    if (!p->has_job) /* between the first steps of a begin, or the last ones of a removal */
        return (p->nowners > 0 && life == ENDED) || idle_of(set, key, p) > HOUR;
    return life == ENDED || (!is_same_job && idle_of(set, key, p) > DAY);
}

/* One in which nobody has noted anything: whoever is about to makes it again. */
static int remove_empty(const struct pcdf_set *set, const char *key)
{
    char *parts = pcdf_setname_keyed(set->dir, set->name, PCDF_SET_PARTS, key);
    int err = parts ? set->fs->ops->remove_folder(set->fs->fs, parts) : NC_ENOMEM;
    if (!err)
        err = pcdf_set_clean_news(set, key);
    if (!err)
        err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
    pcdf_free(parts);
    return err == NC_EEXIST || err == NC_ENOENT ? NC_NOERR : err;
}

/* One of a job that lives: what is left of its commit, if it was committed, anybody may do. */
static int finish_one(const struct pcdf_set *set, const char *key, int64_t after)
{
    struct pcdf_setlist list;
    int64_t number = 0;
    PCDF_TRY(pcdf_set_list(set, &list));
    int err = pcdf_set_number_of(set, &list, key, after, &number);
    pcdf_setlist_free(&list);
    return err || !number ? err : pcdf_setparts_finish(set, key, number);
}

static int recover_one(const struct pcdf_set *set, const char *key, const char *job)
{
    struct pcdf_setparts p;
    int64_t number = 0;
    int err = pcdf_setparts_read(set, key, &p);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    bool is_left = p.is_trusted && has_ended(set, key, &p, job);
    bool is_empty = p.is_trusted && !p.has_job && p.nowners == 0;
    bool is_own =
        p.is_trusted && p.has_job && (life_of(set, &p) == OWN || (job[0] && !strcmp(job, p.job.job)));
    int64_t after = p.job.after;
    pcdf_setparts_free(&p);
    if (is_empty && !is_left)
        return remove_empty(set, key);
    if (!is_left)
        return is_own ? finish_one(set, key, after) : NC_NOERR;
    err = pcdf_setparts_commit(set, key, false, &number);
    if (err == NC_EFILE || err == NC_ENOENT) /* a member is not as its note says */
        err = NC_NOERR;
    if (!err && number > 0)
        return pcdf_setparts_finish(set, key, number);
    return err ? err : pcdf_setparts_discard(set, key);
}

/* ---- other jobs */

struct first { /* of some generations, the one that began first */
    bool is_there;
    int64_t after, begun;
    char key[PCDF_SET_KEY];
    struct pcdf_owner by;
};

static bool is_before(const struct first *a, const struct first *b)
{
    return pcdf_setparts_is_before(a->after, a->begun, a->key, b->after, b->begun, b->key);
}

static void take_first(struct first *first, const struct pcdf_setparts *p, const char *key)
{
    struct first one = { true, p->job.after, p->job.begun, "", p->by };
    snprintf(one.key, sizeof one.key, "%s", key);
    if (!first->is_there || is_before(&one, first))
        *first = one;
}

int pcdf_setparts_check_others(const struct pcdf_set *set, const struct pcdf_setlist *list, const char *job)
{
    enum { NANO = 1000000000 };
    struct first own = { 0 }, other = { 0 };
    for (size_t i = 0; i < list->nmaking; i++) {
        struct pcdf_setparts p;
        int err = pcdf_setparts_read(set, list->making[i], &p);
        if (err == NC_ENOENT)
            continue;
        PCDF_TRY(err);
        enum life life = p.has_job ? life_of(set, &p) : ENDED;
        bool is_own = life == OWN || (p.has_job && job[0] && strcmp(job, p.job.job) == 0);
        if (life >= LIVES)
            take_first(is_own ? &own : &other, &p, list->making[i]);
        pcdf_setparts_free(&p);
    }
    if (!other.is_there || (own.is_there && is_before(&own, &other)))
        return NC_NOERR;
    return PCDF_FAIL(NC_EACCESS, "another job writes to the set %s/%s: process %lld of %s, since second %lld",
                     set->dir, set->name, (long long)other.by.process, other.by.host,
                     (long long)(other.begun / NANO));
}

/* ---- all of it */

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
    if (how == PCDF_RECOVER_BEGIN)
        status = pcdf_setparts_check_others(set, &list, job);
    if (status) {
        pcdf_setlist_free(&list);
        return status;
    }
    status = pcdf_set_finish_restored(set, &list);
    for (size_t i = 0; i < list.nremoved; i++)
        pcdf_first(&status, pcdf_set_remove(set, list.removed[i]));
    for (size_t i = 0; i < list.nnews; i++)
        pcdf_first(&status, remove_stray(set, list.news[i], &list));
    for (size_t i = 0; i < list.nmaking; i++) {
        int err = recover_one(set, list.making[i], job);
        pcdf_first(&status, err);
    }
    pcdf_setlist_free(&list);
    return status;
}
