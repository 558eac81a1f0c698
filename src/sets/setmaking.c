/* See setmaking.h. */
#include "setmaking.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "hash.h"
#include "owner.h"
#include "posixio.h"
#include "setnames.h"
#include "setparts.h"
#include "setpublish.h"
#include "status.h"

struct pcdf_setmaking {
    struct pcdf_set set;
    char *job, *step, *parts;
    int64_t files, keep;
    char key[PCDF_SET_KEY];
    PCDF_ARRAY(struct making_file) members;
};
struct making_file {
    char *file, *member;
};

static char *copy_of(const char *text)
{
    return pcdf_strndup(text ? text : "", text ? strlen(text) : 0);
}

/* Different for two generations that may exist at once; the same for all processes of a job that make one. */
static void make_key(const struct pcdf_setmaking_config *w, char *key)
{
    struct pcdf_owner self;
    char text[2 * PCDF_SET_TEXT + 256], own[160] = "";
    if (!w->job || !w->job[0]) {
        pcdf_owner_self(&self);
        snprintf(own, sizeof own, "%s %s %" PRId64 " %" PRId64, self.host, self.boot, self.process,
                 self.started);
    }
    snprintf(text, sizeof text, "%s\n%s\n%s\n%" PRId64, w->job ? w->job : "", own, w->step ? w->step : "",
             w->ordinal);
    snprintf(key, PCDF_SET_KEY, "%016" PRIx64, pcdf_hash_text(text));
}

/* ---- begin */

static int is_known(const struct pcdf_set *set, const char *key, bool *known, int64_t *newest)
{
    struct pcdf_setlist list;
    int64_t number = 0;
    PCDF_TRY(pcdf_set_list(set, &list));
    *newest = list.n ? list.numbers[list.n - 1] : 0;
    int err = pcdf_set_number_of(set, &list, key, 0, &number);
    *known = number > 0;
    pcdf_setlist_free(&list);
    return err;
}

/* A small file of a name that is this process's own: what has it is of one that did not come to its end. */
static int write_own(const struct pcdf_setfs *fs, const char *path, const char *bytes, size_t n)
{
    int err = fs->ops->write(fs->fs, path, bytes, n, NULL);
    if (err != NC_EEXIST)
        return err;
    err = fs->ops->unlink(fs->fs, path);
    return err && err != NC_ENOENT ? err : fs->ops->write(fs->fs, path, bytes, n, NULL);
}

/* In a folder of somebody else nothing is begun. */
static int check_parts(const struct pcdf_setmaking *g, const char *draft)
{
    struct pcdf_setfacts own, folder;
    const struct pcdf_setfs *fs = g->set.fs;
    PCDF_TRY(fs->ops->look(fs->fs, draft, &own));
    PCDF_TRY(fs->ops->look(fs->fs, g->parts, &folder));
    if (folder.is_own || folder.user == own.user)
        return NC_NOERR;
    return PCDF_FAIL(NC_EACCESS, "%s is of another user", g->parts);
}

/* The folder of parts, with the note of the job, by whichever process comes first: *is_first. */
static int make_parts(const struct pcdf_setmaking *g, int64_t after, bool *is_first)
{
    struct pcdf_owner self;
    const int64_t now = g->set.fs->ops->now(g->set.fs->fs);
    struct pcdf_setjob job = { g->job, g->step, g->files, after, now, g->set.place, &self };
    char *bytes = NULL, who[96];
    size_t n = 0;
    pcdf_owner_self(&self);
    PCDF_TRY(pcdf_setjob_encode(&job, &bytes, &n));
    pcdf_setparts_draft(&self, who, sizeof who);
    const struct pcdf_setfs *fs = g->set.fs;
    char *draft = pcdf_setname_in(g->parts, who), *path = pcdf_setname_in(g->parts, "job");
    int err = draft && path ? NC_NOERR : NC_ENOMEM;
    enum { TRIES = 8 };
    for (int i = 0; i < TRIES && (i == 0 || err == NC_ENOENT) && err != NC_ENOMEM; i++) {
        err = fs->ops->make_folder(fs->fs, g->parts); /* a recovery may remove it while it is empty */
        if (!err || err == NC_EEXIST)
            err = write_own(fs, draft, bytes, n);
        if (!err)
            err = check_parts(g, draft);
        if (!err)
            err = fs->ops->rename_new(fs->fs, draft, path);
        *is_first = !err;
        if (err)
            (void)fs->ops->unlink(fs->fs, draft);
        if (err == NC_EEXIST)
            err = NC_NOERR;
    }
    if (err && !*is_first) /* else a begun job, which the caller gives up */
        (void)fs->ops->remove_folder(fs->fs, g->parts);
    if (!err)
        err = fs->ops->sync_folder(fs->fs, g->parts);
    if (!err)
        err = fs->ops->sync_folder(fs->fs, g->set.dir);
    pcdf_free(draft);
    pcdf_free(path);
    pcdf_free(bytes);
    return err;
}

static int check_alone(const struct pcdf_setmaking *g)
{
    struct pcdf_setlist list;
    PCDF_TRY(pcdf_set_list(&g->set, &list));
    int err = pcdf_setparts_check_others(&g->set, &list, g->job);
    pcdf_setlist_free(&list);
    return err;
}

/* What this process made of it goes; why it failed is told. */
static void take_back(const struct pcdf_setmaking *g, int err)
{
    char why[400];
    snprintf(why, sizeof why, "%s", pcdf_fail_text());
    (void)pcdf_setparts_discard(&g->set, g->key);
    (void)pcdf_fail(err, "%s", why);
}

int pcdf_setmaking_begin(const struct pcdf_set *set, const struct pcdf_setmaking_config *config,
                         struct pcdf_setmaking **making)
{
    bool known = true, is_first = false;
    int64_t newest = 0;
    if ((config->job && strlen(config->job) > PCDF_SET_TEXT) ||
        (config->step && strlen(config->step) > PCDF_SET_TEXT))
        return PCDF_FAIL(NC_EINVAL, "a job and a step of a set have at most %d bytes", (int)PCDF_SET_TEXT);
    PCDF_TRY(pcdf_set_recover(set, PCDF_RECOVER_BEGIN, config->job ? config->job : ""));
    struct pcdf_setmaking *g = pcdf_calloc(1, sizeof *g);
    if (!g)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a generation of %s", set->name);
    int err = pcdf_set_open_in(set->fs, set->dir, set->name, &g->set);
    g->files = config->files;
    g->keep = config->keep;
    g->job = copy_of(config->job);
    g->step = copy_of(config->step);
    if (!err && (!g->job || !g->step))
        err = NC_ENOMEM;
    struct pcdf_setmaking_config next = *config;
    for (next.ordinal = config->ordinal; !err && known;
         next.ordinal += INT32_MAX) { /* a job of the same name */
        make_key(&next, g->key);
        err = is_known(set, g->key, &known, &newest);
    }
    g->parts = err ? NULL : pcdf_setname_keyed(set->dir, set->name, PCDF_SET_PARTS, g->key);
    if (!err)
        err = g->parts ? make_parts(g, newest, &is_first) : NC_ENOMEM;
    if (!err && is_first) /* another job may have begun at the same time */
        err = check_alone(g);
    if (err && is_first)
        take_back(g, err);
    if (err)
        pcdf_setmaking_free(g);
    else
        *making = g;
    return err;
}

void pcdf_setmaking_free(struct pcdf_setmaking *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->members.n; i++) {
        pcdf_free(g->members.x[i].file);
        pcdf_free(g->members.x[i].member);
    }
    pcdf_free(g->members.x);
    pcdf_set_close(&g->set);
    pcdf_free(g->job);
    pcdf_free(g->step);
    pcdf_free(g->parts);
    pcdf_free(g);
}

const char *pcdf_setmaking_key(const struct pcdf_setmaking *g)
{
    return g->key;
}

/* ---- files */

static int put_note(const struct pcdf_setmaking *g, const struct pcdf_setfile *f, const char *kind,
                    bool is_whole)
{
    char *bytes = NULL, *path = pcdf_setname_note(g->parts, f->file, kind);
    size_t n = 0;
    struct pcdf_owner self;
    const struct pcdf_setfs *fs = g->set.fs;
    pcdf_owner_self(&self);
    int err = path ? pcdf_setnote_encode(f, is_whole, g->set.dir, &self, &bytes, &n) : NC_ENOMEM;
    if (!err)
        err = fs->ops->write(fs->fs, path, bytes, n, NULL);
    if (!err)
        err = fs->ops->sync_folder(fs->fs, g->parts);
    pcdf_free(bytes);
    pcdf_free(path);
    return err;
}

static const struct making_file *file_of(const struct pcdf_setmaking *g, const char *member)
{
    for (size_t i = 0; i < g->members.n; i++)
        if (strcmp(g->members.x[i].member, member) == 0)
            return &g->members.x[i];
    return NULL;
}

struct counter {
    size_t begun;
    bool has_job;
};

static int count_one(void *context, const char *name)
{
    struct counter *c = context;
    c->begun += pcdf_setname_ends(name, ".begun") || pcdf_setname_ends(name, ".failed");
    c->has_job |= strcmp(name, "job") == 0;
    return NC_NOERR;
}

/* Is there room for one more file? had: of its own notes. */
static int check_room(const struct pcdf_setmaking *g, size_t had)
{
    struct counter c = { 0 };
    const struct pcdf_setfs *fs = g->set.fs;
    int err = fs->ops->list(fs->fs, g->parts, count_one, &c);
    if (err == NC_ENOENT || (!err && !c.has_job))
        return PCDF_FAIL(NC_EEXIST, "a generation of %s is committed or given up already", g->set.name);
    if (!err && g->files > 0 && c.begun - had >= (size_t)g->files)
        return PCDF_FAIL(NC_EEXIST, "a generation of %s has its %" PRId64 " files already", g->set.name,
                         g->files);
    return err;
}

/* The note "begun": where the generation is complete, or was committed meanwhile, none stays. */
static int begin_file(const struct pcdf_setmaking *g, const struct pcdf_setfile *f)
{
    struct pcdf_setfacts facts;
    PCDF_TRY(check_room(g, 0));
    char *failed = pcdf_setname_note(g->parts, f->file, "failed");
    int err = failed ? g->set.fs->ops->look(g->set.fs->fs, failed, &facts) : NC_ENOMEM;
    pcdf_free(failed);
    if (err != NC_ENOENT)
        return err ? err
                   : PCDF_FAIL(NC_EEXIST, "%s failed in a generation of %s already", f->file, g->set.name);
    err = put_note(g, f, "begun", false);
    if (err == NC_ENOENT)
        return PCDF_FAIL(NC_EEXIST, "a generation of %s is committed or given up already", g->set.name);
    PCDF_TRY(err);
    err = check_room(g, 1);
    char *path = err ? pcdf_setname_note(g->parts, f->file, "begun") : NULL;
    if (path)
        (void)g->set.fs->ops->unlink(g->set.fs->fs, path);
    pcdf_free(path);
    return err;
}

int pcdf_setmaking_member(struct pcdf_setmaking *g, const char *path, const char **member)
{
    struct pcdf_setfacts facts;
    const struct pcdf_setfs *fs = g->set.fs;
    struct making_file made = { 0 };
    int err = PCDF_RESERVE(&g->members, g->members.n + 1);
    if (!err)
        err = fs == &pcdf_setfs_posix ? pcdf_setname_real(path, &made.file)
                                      : ((made.file = copy_of(path)) ? NC_NOERR : NC_ENOMEM);
    if (!err && !(made.member = pcdf_setname_member(made.file, g->key)))
        err = NC_ENOMEM;
    struct pcdf_setfile f = { .file = made.file, .format = "" };
    if (!err)
        err = begin_file(g, &f);
    if (!err && fs->ops->look(fs->fs, made.member, &facts) == NC_NOERR)
        err = PCDF_FAIL(NC_EEXIST, "%s is there already", made.member);
    if (err) {
        pcdf_free(made.file);
        pcdf_free(made.member);
        return err;
    }
    g->members.x[g->members.n++] = made;
    *member = made.member;
    return NC_NOERR;
}

static int check_there(const struct pcdf_setmaking *g);

int pcdf_setmaking_whole(struct pcdf_setmaking *g, const char *member, const struct pcdf_setmember *m)
{
    struct pcdf_setfacts facts;
    const struct making_file *made = file_of(g, member);
    if (!made)
        return PCDF_FAIL(NC_EINTERNAL, "%s is no member of this generation", member);
    PCDF_TRY(g->set.fs->ops->look(g->set.fs->fs, member, &facts));
    if (!facts.is_file || facts.size != m->size)
        return PCDF_FAIL(NC_EFILE, "%s has %" PRId64 " bytes, not %" PRId64, member, facts.size, m->size);
    struct pcdf_setfile f = {
        made->file, m->size, m->crc, m->records, m->format, facts.inode, facts.changed
    };
    int err = put_note(g, &f, "part", true);
    /* As soon as the note was there, another process committed the generation, and removed the folder. */
    if (err == NC_ENOENT && g->set.fs->ops->look(g->set.fs->fs, g->parts, &facts) == NC_ENOENT)
        return check_there(g);
    return err;
}

/* The note "begun" becomes "failed": this needs no room on a disk that is full. */
int pcdf_setmaking_failed(struct pcdf_setmaking *g, const char *member)
{
    const struct making_file *made = file_of(g, member);
    const struct pcdf_setfs *fs = g->set.fs;
    if (!made)
        return NC_EINTERNAL;
    char *begun = pcdf_setname_note(g->parts, made->file, "begun");
    char *failed = pcdf_setname_note(g->parts, made->file, "failed");
    int err = begun && failed ? fs->ops->rename_over(fs->fs, begun, failed) : NC_ENOMEM;
    if (!err)
        err = fs->ops->sync_folder(fs->fs, g->parts);
    pcdf_free(begun);
    pcdf_free(failed);
    return err;
}

/* ---- the end */

/* Not complete: then it is to be there, unless another process committed it, and removed it since. */
static int check_there(const struct pcdf_setmaking *g)
{
    struct pcdf_setfacts facts;
    bool known = false;
    int64_t newest;
    int err = g->set.fs->ops->look(g->set.fs->fs, g->parts, &facts);
    if (err != NC_ENOENT)
        return err;
    PCDF_TRY(is_known(&g->set, g->key, &known, &newest));
    if (known)
        return NC_NOERR;
    return PCDF_FAIL(NC_ENOENT,
                     "the generation of %s/%s is gone: another job took it for one of a job that ended, or "
                     "removed it",
                     g->set.dir, g->set.name);
}

int pcdf_setmaking_commit(struct pcdf_setmaking *g, bool is_all, int64_t *committed)
{
    *committed = 0;
    PCDF_TRY(pcdf_setparts_commit(&g->set, g->key, is_all, committed));
    if (*committed == PCDF_SET_SUPERSEDED) {
        *committed = 0;
        (void)pcdf_setparts_discard(&g->set, g->key);
        return PCDF_FAIL(NC_EACCESS,
                         "the set %s/%s has newer generations, which began after this one: another job is at "
                         "work, and this one is given up",
                         g->set.dir, g->set.name);
    }
    if (*committed == 0)
        return check_there(g);
    int status = pcdf_setparts_finish(&g->set, g->key, *committed);
    if (!status)
        status = pcdf_set_keep(&g->set, g->keep);
    return status;
}

int pcdf_setmaking_leave(struct pcdf_setmaking *g, bool failed, bool is_next)
{
    struct pcdf_setparts p;
    int err = pcdf_setparts_read(&g->set, g->key, &p);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    bool has_all = g->files > 0 && p.nbegun + p.nfailed >= (size_t)g->files;
    bool goes = (failed || p.has_failed) && pcdf_setparts_is_over(&p) && (is_next || has_all);
    pcdf_setparts_free(&p);
    return goes ? pcdf_setparts_discard(&g->set, g->key) : NC_NOERR;
}

int pcdf_setmaking_discard(struct pcdf_setmaking *g)
{
    return pcdf_setparts_discard(&g->set, g->key);
}
