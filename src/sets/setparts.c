/* See setparts.h. */
#include "setparts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "array.h"
#include "checksumtable.h"
#include "crc32c.h"
#include "setnames.h"
#include "setpublish.h"
#include "sidename.h"

typedef PCDF_ARRAY(struct pcdf_setfile) setfiles;

struct reading {
    const struct pcdf_set *set;
    struct pcdf_setparts *p;
    const char *folder;
    setfiles begun, whole;
};

/* Reads one; what is torn, or went meanwhile, is not there. */
static int read_note(struct reading *r, const char *name, setfiles *to)
{
    char *bytes = NULL, *path = pcdf_setname_in(r->folder, name);
    size_t n = 0;
    struct pcdf_setfile file;
    int err = path ? r->set->fs->ops->read(r->set->fs->fs, path, PCDF_SET_NOTE_BYTES, &bytes, &n) : NC_ENOMEM;
    if (!err)
        err = pcdf_setnote_decode(bytes, n, &r->p->arena, &file);
    if (!err)
        err = PCDF_RESERVE(to, to->n + 1);
    if (!err)
        to->x[to->n++] = file;
    pcdf_free(bytes);
    pcdf_free(path);
    if (err != NC_EFILE && err != NC_ENOENT)
        return err;
    r->p->ntorn++;
    return NC_NOERR;
}

static int read_job(struct reading *r)
{
    char *bytes = NULL, *path = pcdf_setname_in(r->folder, "job");
    size_t n = 0;
    int err = path ? r->set->fs->ops->read(r->set->fs->fs, path, PCDF_SET_NOTE_BYTES, &bytes, &n) : NC_ENOMEM;
    r->p->job.by = &r->p->by;
    if (!err)
        err = pcdf_setjob_decode(bytes, n, &r->p->arena, &r->p->job);
    r->p->has_job = !err;
    pcdf_free(bytes);
    pcdf_free(path);
    return err == NC_EFILE || err == NC_ENOENT ? NC_NOERR : err;
}

static int read_one(void *context, const char *name)
{
    struct reading *r = context;
    r->p->nfailed += pcdf_setname_ends(name, ".failed");
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
    int err = folder ? set->fs->ops->list(set->fs->fs, folder, read_one, &r) : NC_ENOMEM;
    if (!err)
        err = read_job(&r);
    p->job.by = NULL; /* p may be copied */
    p->begun = r.begun.x;
    p->nbegun = r.begun.n;
    p->whole = r.whole.x;
    p->nwhole = r.whole.n;
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
    pcdf_arena_free(&p->arena);
    *p = (struct pcdf_setparts){ 0 };
}

bool pcdf_setparts_complete(const struct pcdf_setparts *p, bool is_all)
{
    if (!p->has_job || p->nfailed || p->ntorn || p->nwhole == 0 || p->nwhole != p->nbegun)
        return false;
    for (size_t i = 0; i < p->nwhole; i++)
        if (strcmp(p->whole[i].file, p->begun[i].file) != 0)
            return false;
    return is_all || (p->job.files > 0 && (int64_t)p->nwhole >= p->job.files);
}

/* ---- commit */

/* The newest number, and the one of this key: 0 where there is none. */
static int find_key(const struct pcdf_set *set, const char *key, int64_t after, int64_t *newest,
                    int64_t *number)
{
    struct pcdf_setlist list;
    *number = 0;
    PCDF_TRY(pcdf_set_list(set, &list));
    *newest = list.n ? list.numbers[list.n - 1] : 0;
    if (list.nremoved && list.removed[list.nremoved - 1] > *newest)
        *newest = list.removed[list.nremoved - 1];
    int err = pcdf_set_number_of(set, &list, key, after, number);
    pcdf_setlist_free(&list);
    return err;
}

/* The lower one of two numbers of one key is nobody's: a process that was late made it. */
static int drop_twin(const struct pcdf_set *set, const char *key, int64_t after, int64_t *number)
{
    int64_t newest, other;
    PCDF_TRY(find_key(set, key, after, &newest, &other));
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
static int claim(const struct pcdf_set *set, const char *key, const char *draft, int64_t after,
                 int64_t *number)
{
    enum { TRIES = 1000 };
    const int64_t most = 100000000000000000; /* names have up to 18 digits */
    int64_t tried = 0;
    int err = NC_EEXIST;
    for (int i = 0; i < TRIES && err == NC_EEXIST; i++) {
        int64_t newest;
        PCDF_TRY(find_key(set, key, after, &newest, number));
        if (*number)
            return NC_NOERR;
        if (newest >= most || tried >= most)
            return PCDF_FAIL(NC_EFILE, "the set %s/%s has a generation of too large a number", set->dir,
                             set->name);
        *number = tried = (newest > tried ? newest : tried) + 1; /* a listing may be old */
        char *path = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_MANIFEST, *number);
        err = path ? set->fs->ops->rename_new(set->fs->fs, draft, path) : NC_ENOMEM;
        pcdf_free(path);
    }
    if (err)
        *number = 0;
    return err ? err : drop_twin(set, key, after, number);
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
                                  .time = time(NULL),
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
    int err = path ? set->fs->ops->write(set->fs->fs, path, bytes, n) : NC_ENOMEM;
    if (err == NC_EEXIST) { /* this process's own, which did not come to its end */
        err = set->fs->ops->unlink(set->fs->fs, path);
        if (!err || err == NC_ENOENT)
            err = set->fs->ops->write(set->fs->fs, path, bytes, n);
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
        if (!err)
            err = claim(set, key, draft, p.job.after, number);
        if (draft && set->fs->ops->unlink(set->fs->fs, draft) == NC_NOERR && err == NC_ENOENT)
            err = NC_NOERR;
        if (err == NC_ENOENT && draft) /* another process committed it, and cleaned up */
            err = NC_NOERR;
        int synced = *number ? set->fs->ops->sync_folder(set->fs->fs, set->dir) : NC_NOERR;
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

int pcdf_setparts_discard(const struct pcdf_set *set, const char *key)
{
    struct pcdf_setparts p;
    int64_t newest, number = 0;
    int err = pcdf_setparts_read(set, key, &p);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    err = find_key(set, key, p.has_job ? p.job.after : 0, &newest, &number);
    if (!err && number) { /* it is committed: nothing of it goes; but its number may not be on the storage */
        pcdf_setparts_free(&p);
        PCDF_TRY(set->fs->ops->sync_folder(set->fs->fs, set->dir));
        return pcdf_setparts_finish(set, key, number);
    }
    char *last = NULL;
    for (size_t i = 0; i < p.nbegun && !err; i++) {
        err = unlink_member(set, p.begun[i].file, key);
        char *folder = pcdf_setname_folder(p.begun[i].file);
        bool is_new = folder && (!last || strcmp(folder, last) != 0);
        if (!folder)
            err = NC_ENOMEM;
        if (last && is_new && !err)
            err = set->fs->ops->sync_folder(set->fs->fs, last);
        pcdf_free(last);
        last = folder;
    }
    if (last && !err)
        err = set->fs->ops->sync_folder(set->fs->fs, last);
    pcdf_free(last);
    pcdf_setparts_free(&p);
    return err ? err : pcdf_set_clean(set, key);
}
