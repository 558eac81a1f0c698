/* See setparts.h. */
#include "setparts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "checksumtable.h"
#include "crc32c.h"
#include "hash.h"
#include "setnames.h"
#include "setpublish.h"
#include "sidename.h"

enum { NANO = 1000000000 };
typedef PCDF_ARRAY(struct pcdf_setfile) setfiles;

struct reading {
    const struct pcdf_set *set;
    struct pcdf_setparts *p;
    const char *folder;
    setfiles begun, whole, failed;
    PCDF_ARRAY(struct pcdf_owner) owners;
};

static bool is_same_owner(const struct pcdf_owner *a, const struct pcdf_owner *b)
{
    return a->process == b->process && a->started == b->started && a->space == b->space &&
           strcmp(a->boot, b->boot) == 0 && strcmp(a->host, b->host) == 0;
}

static int add_owner(struct reading *r, const struct pcdf_owner *by)
{
    if (!by->process)
        return NC_NOERR;
    for (size_t i = r->owners.n; i-- > 0;)
        if (is_same_owner(&r->owners.x[i], by))
            return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&r->owners, r->owners.n + 1));
    r->owners.x[r->owners.n++] = *by;
    return NC_NOERR;
}

/* A note of anybody else than of whom the folder is, is none. */
static int read_small(const struct reading *r, const char *name, char **bytes, size_t *n)
{
    struct pcdf_setfacts facts;
    char *path = pcdf_setname_in(r->folder, name);
    int err =
        path ? r->set->fs->ops->read(r->set->fs->fs, path, PCDF_SET_NOTE_BYTES, bytes, n, &facts) : NC_ENOMEM;
    if (!err && !facts.is_own && facts.user != r->p->folder.user)
        err = PCDF_FAIL(NC_EFILE, "%s is of another user", path);
    pcdf_free(path);
    return err;
}

/* Reads one; what is torn, or went meanwhile, is not there. */
static int read_note(struct reading *r, const char *name, setfiles *to)
{
    char *bytes = NULL;
    size_t n = 0;
    struct pcdf_setfile file;
    struct pcdf_owner by;
    int err = read_small(r, name, &bytes, &n);
    if (!err)
        err = pcdf_setnote_decode(bytes, n, r->set->dir, &r->p->arena, &file, &by);
    if (!err)
        err = add_owner(r, &by);
    if (!err)
        err = PCDF_RESERVE(to, to->n + 1);
    if (!err)
        to->x[to->n++] = file;
    pcdf_free(bytes);
    if (err != NC_EFILE && err != NC_ENOENT)
        return err;
    r->p->ntorn++;
    return NC_NOERR;
}

static int read_job(struct reading *r)
{
    char *bytes = NULL;
    size_t n = 0;
    int err = read_small(r, "job", &bytes, &n);
    r->p->job.by = &r->p->by;
    if (!err)
        err = pcdf_setjob_decode(bytes, n, &r->p->arena, &r->p->job);
    r->p->has_job = !err;
    r->p->is_bound = !err && pcdf_set_is_bound(r->set, &r->p->job.place);
    r->p->is_trusted = pcdf_set_trusts(r->set, &r->p->folder);
    r->p->removes_others = r->p->is_bound && r->p->folder.is_own;
    if (!err)
        err = add_owner(r, &r->p->by);
    pcdf_free(bytes);
    return err == NC_EFILE || err == NC_ENOENT ? NC_NOERR : err;
}

/* Of a machine, and of its process numbers. */
static uint64_t place_of(const struct pcdf_owner *o)
{
    char text[PCDF_OWNER_HOST + PCDF_OWNER_BOOT + 40];
    snprintf(text, sizeof text, "%s\n%s\n%" PRId64, o->host, o->boot, o->space);
    return pcdf_hash_text(text);
}

void pcdf_setparts_draft(const struct pcdf_owner *owner, char *name, size_t size)
{
    snprintf(name, size, "job-%" PRId64 "-%" PRId64 "-%016" PRIx64, owner->process, owner->started,
             place_of(owner));
}

/* Of another machine, it can't be known whether its process runs. */
static int read_draft(struct reading *r, const char *name)
{
    struct pcdf_owner owner, other = { .process = 0 };
    int64_t process, started;
    uint64_t place;
    if (sscanf(name, "job-%" SCNd64 "-%" SCNd64 "-%" SCNx64, &process, &started, &place) != 3)
        return NC_NOERR;
    pcdf_owner_self(&owner);
    if (place != place_of(&owner))
        owner = other;
    owner.process = process;
    owner.started = started;
    return add_owner(r, &owner);
}

static int read_one(void *context, const char *name)
{
    struct reading *r = context;
    if (strncmp(name, "job-", 4) == 0)
        return read_draft(r, name);
    if (pcdf_setname_ends(name, ".failed")) {
        r->p->has_failed = true;
        return read_note(r, name, &r->failed);
    }
    if (pcdf_setname_ends(name, ".begun"))
        return read_note(r, name, &r->begun);
    return pcdf_setname_ends(name, ".part") ? read_note(r, name, &r->whole) : NC_NOERR;
}

static int by_file(const void *a, const void *b)
{
    return strcmp(((const struct pcdf_setfile *)a)->file, ((const struct pcdf_setfile *)b)->file);
}

int pcdf_setparts_read(const struct pcdf_set *set, const char *key, struct pcdf_setparts *p)
{
    char *folder = pcdf_setname_keyed(set->dir, set->name, PCDF_SET_PARTS, key);
    struct reading r = { .set = set, .p = p, .folder = folder };
    *p = (struct pcdf_setparts){ 0 };
    int err = folder ? set->fs->ops->look(set->fs->fs, folder, &p->folder) : NC_ENOMEM;
    if (!err)
        err = set->fs->ops->list(set->fs->fs, folder, read_one, &r);
    if (!err)
        err = read_job(&r);
    p->job.by = NULL; /* p may be copied */
    p->begun = r.begun.x;
    p->nbegun = r.begun.n;
    p->whole = r.whole.x;
    p->nwhole = r.whole.n;
    p->failed = r.failed.x;
    p->nfailed = r.failed.n;
    p->owners = r.owners.x;
    p->nowners = r.owners.n;
    if (p->nbegun)
        qsort(p->begun, p->nbegun, sizeof *p->begun, by_file);
    if (p->nwhole)
        qsort(p->whole, p->nwhole, sizeof *p->whole, by_file);
    pcdf_free(folder);
    if (err)
        pcdf_setparts_free(p);
    return err;
}

void pcdf_setparts_free(struct pcdf_setparts *p)
{
    pcdf_free(p->begun);
    pcdf_free(p->whole);
    pcdf_free(p->failed);
    pcdf_free(p->owners);
    pcdf_arena_free(&p->arena);
    *p = (struct pcdf_setparts){ 0 };
}

bool pcdf_setparts_complete(const struct pcdf_setparts *p, bool is_all)
{
    if (!p->has_job || !p->is_bound || p->has_failed || p->ntorn || p->nwhole == 0 || p->nwhole != p->nbegun)
        return false;
    for (size_t i = 0; i < p->nwhole; i++)
        if (strcmp(p->whole[i].file, p->begun[i].file) != 0)
            return false;
    return is_all || (p->job.files > 0 && (int64_t)p->nwhole == p->job.files);
}

bool pcdf_setparts_is_over(const struct pcdf_setparts *p)
{
    return p->ntorn == 0 && p->nbegun == p->nwhole;
}

bool pcdf_setparts_is_before(int64_t after_a, int64_t begun_a, const char *key_a, int64_t after_b,
                             int64_t begun_b, const char *key_b)
{
    if (after_a != after_b)
        return after_a < after_b;
    return begun_a != begun_b ? begun_a < begun_b : strcmp(key_a, key_b) < 0;
}

/* ---- commit */

/* Where the number of a generation may be: above all that began before it, below all that began after it. */
struct place {
    int64_t number;  /* it has this one already; or 0 */
    int64_t newest;  /* of all */
    int64_t low;     /* the largest one of those that began before it, below high */
    int64_t high;    /* the smallest one of those that began after it; or INT64_MAX */
    int64_t waiting; /* so many that began before it may still be committed */
};

/* In the order of numbers, from the newest down to what was there when it began. */
static void compare_one(const struct pcdf_setmanifest *m, const char *key, const struct pcdf_setjob *job,
                        struct place *at)
{
    if (strcmp(m->key, key) == 0)
        at->number = m->number;
    else if (!m->begun || pcdf_setparts_is_before(job->after, job->begun, key, m->after, m->begun, m->key))
        at->high = m->number;
}

static int count_waiting(const struct pcdf_set *set, const struct pcdf_setlist *list, const char *key,
                         const struct pcdf_setjob *job, struct place *at)
{
    for (size_t i = 0; i < list->nmaking; i++) {
        struct pcdf_setparts p;
        if (strcmp(list->making[i], key) == 0)
            continue;
        int err = pcdf_setparts_read(set, list->making[i], &p);
        if (err == NC_ENOENT)
            continue;
        PCDF_TRY(err);
        at->waiting += p.has_job && pcdf_setparts_is_before(p.job.after, p.job.begun, list->making[i],
                                                            job->after, job->begun, key);
        pcdf_setparts_free(&p);
    }
    return NC_NOERR;
}

static int find_place(const struct pcdf_set *set, const struct pcdf_setlist *list, const char *key,
                      const struct pcdf_setjob *job, struct place *at)
{
    struct pcdf_setmanifest m;
    int err = NC_NOERR;
    *at = (struct place){ .high = INT64_MAX };
    at->newest = list->n ? list->numbers[list->n - 1] : 0;
    if (list->nremoved && list->removed[list->nremoved - 1] > at->newest)
        at->newest = list->removed[list->nremoved - 1];
    for (size_t i = list->n; i > 0 && list->numbers[i - 1] > job->after && !err && !at->number;) {
        err = pcdf_set_before(set, list, &i, &m);
        if (!err && m.number > job->after)
            compare_one(&m, key, job, at);
        if (!err)
            pcdf_setmanifest_free(&m);
    }
    at->low = job->after;
    for (size_t i = 0; i < list->n && list->numbers[i] < at->high; i++)
        at->low = list->numbers[i] > at->low ? list->numbers[i] : at->low;
    if (err == NC_ENOENT)
        err = NC_NOERR;
    return err || at->number ? err : count_waiting(set, list, key, job, at);
}

/* A number to try, above `tried` where only a listing limits it, since that may be old. Room is left for
 * those that began before. 0: there is none. */
static int64_t choose_number(const struct pcdf_setlist *list, const struct place *at, int64_t tried)
{
    if (at->high == INT64_MAX)
        return (at->newest > tried ? at->newest : tried) + 1 + at->waiting;
    int64_t number = at->low + 1 + at->waiting < at->high ? at->low + 1 + at->waiting : at->high - 1;
    for (size_t i = list->nremoved; i-- > 0;)
        number -= list->removed[i] == number;
    return number > at->low ? number : 0;
}

/* The number of this key: 0 where there is none. */
static int find_key(const struct pcdf_set *set, const char *key, int64_t after, int64_t *number)
{
    struct pcdf_setlist list;
    *number = 0;
    PCDF_TRY(pcdf_set_list(set, &list));
    int err = pcdf_set_number_of(set, &list, key, after, number);
    pcdf_setlist_free(&list);
    return err;
}

/* The lower one of two numbers of one key is nobody's: a process that was late made it. */
static int drop_twin(const struct pcdf_set *set, const char *key, int64_t after, int64_t *number)
{
    int64_t other;
    PCDF_TRY(find_key(set, key, after, &other));
    if (!other || other == *number)
        return NC_NOERR;
    int64_t lower = other < *number ? other : *number;
    *number = other < *number ? *number : other;
    char *path = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_MANIFEST, lower);
    int err = path ? set->fs->ops->unlink(set->fs->fs, path) : NC_ENOMEM;
    pcdf_free(path);
    return err == NC_ENOENT ? NC_NOERR : err;
}

/* Listed after `draft` was made in the same folder: so the listing is fresh, on NFS, too. */
static int claim(const struct pcdf_set *set, const char *key, const char *draft,
                 const struct pcdf_setjob *job, int64_t *number)
{
    enum { TRIES = 1000 };
    const int64_t most = 100000000000000000; /* names have up to 18 digits */
    int64_t tried = 0;
    int err = NC_EEXIST;
    for (int i = 0; i < TRIES && err == NC_EEXIST; i++) {
        struct pcdf_setlist list;
        struct place at;
        PCDF_TRY(pcdf_set_list(set, &list));
        err = find_place(set, &list, key, job, &at);
        tried = err ? 0 : choose_number(&list, &at, tried);
        pcdf_setlist_free(&list);
        *number = err ? 0 : at.number;
        if (err || *number)
            return err;
        if (tried > most)
            return PCDF_FAIL(NC_EFILE, "the set %s/%s has a generation of too large a number", set->dir,
                             set->name);
        *number = tried ? tried : PCDF_SET_SUPERSEDED;
        if (!tried)
            return NC_NOERR;
        char *path = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_MANIFEST, *number);
        err = path ? set->fs->ops->rename_new(set->fs->fs, draft, path) : NC_ENOMEM;
        pcdf_free(path);
    }
    if (err)
        *number = 0;
    return err ? err : drop_twin(set, key, job->after, number);
}

static int check_members(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    struct pcdf_setfacts facts;
    for (size_t i = 0; i < m->nfiles; i++) {
        char *member = pcdf_setname_member(m->files[i].file, m->key);
        int err = member ? set->fs->ops->look(set->fs->fs, member, &facts) : NC_ENOMEM;
        if (!err && (!facts.is_file || facts.size != m->files[i].size))
            err = PCDF_FAIL(NC_EFILE, "%s is not as it was closed", member);
        pcdf_free(member);
        PCDF_TRY(err);
    }
    return NC_NOERR;
}

static int write_manifest(const struct pcdf_set *set, const char *key, const struct pcdf_setparts *p,
                          char **draft)
{
    struct pcdf_owner self;
    struct pcdf_setmanifest m = { .name = set->name,
                                  .step = p->job.step,
                                  .key = key,
                                  .job = p->job.job,
                                  .time = set->fs->ops->now(set->fs->fs) / NANO,
                                  .after = p->job.after,
                                  .begun = p->job.begun,
                                  .place = set->place,
                                  .files = p->whole,
                                  .nfiles = p->nwhole };
    char *bytes = NULL, who[2 * PCDF_SET_KEY + 64];
    size_t n = 0;
    PCDF_TRY(check_members(set, &m));
    PCDF_TRY(pcdf_setmanifest_encode(&m, set->dir, &bytes, &n));
    pcdf_owner_self(&self);
    snprintf(who, sizeof who, "%s-%08" PRIx32, key,
             pcdf_crc32c(pcdf_crc32c(0, &self.process, sizeof self.process), self.boot, sizeof self.boot));
    char *path = pcdf_setname_keyed(set->dir, set->name, PCDF_SET_NEW, who);
    int err = path ? set->fs->ops->write(set->fs->fs, path, bytes, n, NULL) : NC_ENOMEM;
    if (err == NC_EEXIST) { /* this process's own, which did not come to its end */
        err = set->fs->ops->unlink(set->fs->fs, path);
        if (!err || err == NC_ENOENT)
            err = set->fs->ops->write(set->fs->fs, path, bytes, n, NULL);
    }
    pcdf_free(bytes);
    if (err)
        pcdf_free(path);
    else
        *draft = path;
    return err;
}

int pcdf_setparts_commit(const struct pcdf_set *set, const char *key, bool is_all, int64_t *number)
{
    struct pcdf_setparts p;
    char *draft = NULL;
    *number = 0;
    int err = pcdf_setparts_read(set, key, &p);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    if (pcdf_setparts_complete(&p, is_all)) {
        err = write_manifest(set, key, &p, &draft);
        if (err == NC_ENOENT) { /* without hard links, the process that committed it took the member away */
            int found = find_key(set, key, p.job.after, number);
            err = found ? found : *number > 0 ? NC_NOERR : err;
        } else if (!err)
            err = claim(set, key, draft, &p.job, number);
        if (draft && set->fs->ops->unlink(set->fs->fs, draft) == NC_NOERR && err == NC_ENOENT)
            err = NC_NOERR;
        if (err == NC_ENOENT && draft) /* another process committed it, and cleaned up */
            err = NC_NOERR;
        int synced = *number > 0 ? set->fs->ops->sync_folder(set->fs->fs, set->dir) : NC_NOERR;
        if (synced) /* a power cut may take it: nobody is told that it is committed */
            *number = 0;
        pcdf_first(&err, synced);
    }
    pcdf_free(draft);
    pcdf_setparts_free(&p);
    return err;
}

int pcdf_setparts_finish(const struct pcdf_set *set, const char *key, int64_t number)
{
    struct pcdf_setmanifest m;
    int err = pcdf_set_read(set, number, false, &m);
    if (err == NC_ENOENT) /* removed since */
        return NC_NOERR;
    PCDF_TRY(err);
    err = pcdf_set_publish(set, &m);
    if (!err)
        err = pcdf_set_clean(set, key);
    pcdf_setmanifest_free(&m);
    return err;
}

/* ---- discard */

static int unlink_member(const struct pcdf_set *set, const char *file, const char *key)
{
    struct pcdf_setfacts facts;
    char *member = pcdf_setname_member(file, key);
    char *sums = member ? pcdf_sidename_beside(member, PCDF_CHECKSUMS_SUFFIX) : NULL;
    int err = sums ? set->fs->ops->unlink(set->fs->fs, sums) : NC_ENOMEM;
    if (!err || err == NC_ENOENT)
        err = set->fs->ops->look(set->fs->fs, member, &facts);
    if (!err && facts.is_file)
        err = set->fs->ops->unlink(set->fs->fs, member);
    pcdf_free(sums);
    pcdf_free(member);
    return err == NC_ENOENT ? NC_NOERR : err;
}

/* *last: the folder of the file before, which is synced when another one comes. */
static int discard_file(const struct pcdf_set *set, const char *key, const struct pcdf_setparts *p,
                        const char *file, char **last)
{
    if (!p->removes_others && !pcdf_setfile_is_below(file, set->dir))
        return NC_NOERR; /* a copy's: the members there are not its own */
    int err = unlink_member(set, file, key);
    char *folder = pcdf_setname_folder(file);
    bool is_new = folder && (!*last || strcmp(folder, *last) != 0);
    if (!folder)
        err = NC_ENOMEM;
    if (*last && is_new && !err)
        err = set->fs->ops->sync_folder(set->fs->fs, *last);
    pcdf_free(*last);
    *last = folder;
    return err;
}

int pcdf_setparts_discard(const struct pcdf_set *set, const char *key)
{
    struct pcdf_setparts p;
    int64_t number = 0;
    int err = pcdf_setparts_read(set, key, &p);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    err = find_key(set, key, p.has_job ? p.job.after : 0, &number);
    if (!err && number) { /* it is committed: nothing of it goes; but its number may not be on the storage */
        pcdf_setparts_free(&p);
        PCDF_TRY(set->fs->ops->sync_folder(set->fs->fs, set->dir));
        return pcdf_setparts_finish(set, key, number);
    }
    char *last = NULL;
    for (size_t i = 0; i < p.nbegun && !err; i++)
        err = discard_file(set, key, &p, p.begun[i].file, &last);
    for (size_t i = 0; i < p.nfailed && !err; i++)
        err = discard_file(set, key, &p, p.failed[i].file, &last);
    if (last && !err)
        err = set->fs->ops->sync_folder(set->fs->fs, last);
    pcdf_free(last);
    pcdf_setparts_free(&p);
    return err ? err : pcdf_set_clean(set, key);
}
