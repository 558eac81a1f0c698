/* See generation.h. */
#include "generation.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "codes.h"
#include "crc32c.h"
#include "debuglog.h"
#include "fileplace.h"
#include "owner.h"
#include "posixio.h"
#include "status.h"

/* Counted memory would show while no file is open: plain malloc, as in comm.h. */
struct generation {
    struct generation *next;
    struct pcdf_set set;
    struct pcdf_setmaking *making;
    char *path, *step; /* DIR/NAME, with the real path of DIR */
    int64_t files;
    int open, whole, failed; /* members of this process */
    bool is_begun;           /* by parcdf_set_begin */
};

/* How many generations of a set and step this process has begun. */
struct counter {
    struct counter *next;
    int64_t n;
    char name[]; /* set, a zero byte, step */
};

struct pcdf_member {
    struct generation *of;
    const char *path;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct generation *list;
static struct generation *begun; /* one of the list */
static struct counter *counters;
static struct pcdf_generation_ticket ticket; /* `begun`'s, or one without files here yet */
static bool has_ticket;
static int refused; /* files refused while only a ticket existed */

/* ---- which one it is */

static bool is_env_job(char *room, size_t size, const char *const *names)
{
    size_t used = 0;
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (!value && used == 0)
            return false;
        int n = snprintf(room + used, size - used, "%s%s", used ? "." : "", value ? value : "0");
        used += n > 0 && (size_t)n < size - used ? (size_t)n : 0;
    }
    return used > 0;
}

void pcdf_generation_job(char *room, size_t size)
{
    static const char *const names[][4] = { { "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT" },
                                            { "PALS_APID" },
                                            { "FLUX_JOB_ID" },
                                            { "PMIX_NAMESPACE", "OMPI_MCA_orte_hnp_uri" },
                                            { "ALPS_APP_ID" },
                                            { "LSB_JOBID", "LSB_JOBINDEX" },
                                            { "PMI_JOBID" } };
    room[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_env_job(room, size, names[i]))
            continue;
        uint32_t sum = pcdf_crc32c(0, room, strlen(room)); /* addresses of machines are nobody's business */
        snprintf(room, size, "%s-%.24s-%08" PRIx32, names[i][0], getenv(names[i][0]), sum);
        return;
    }
}

/* A set as the table knows it: whatever the working folder is then, and however the name is spelled. The
 * caller frees it. */
static int name_of(const char *given, char **name)
{
    struct pcdf_set set;
    PCDF_TRY(pcdf_set_open(given, &set));
    size_t size = strlen(set.dir) + strlen(set.name) + 2;
    char *made = malloc(size);
    if (made)
        snprintf(made, size, "%s/%s", set.dir, set.name);
    pcdf_set_close(&set);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the set %s", given);
    *name = made;
    return NC_NOERR;
}

/* The same, or the text from the root on where its folder cannot be looked at. The kept sentence stays what
 * it was. NULL: no memory. The caller frees it. */
static char *name_or_text(const char *given)
{
    char said[PCDF_SENTENCE], *name = NULL;
    pcdf_fail_save(said);
    if (!name_of(given, &name))
        return name;
    char *text = pcdf_fileplace_absolute(given);
    if (text)
        name = strdup(pcdf_path_posix(text));
    pcdf_free(text);
    pcdf_fail_restore(said);
    return name;
}

/* The number of the next generation of a set (by name_of) and step; first 1. -1: no memory. */
static int64_t next_ordinal(const char *set, const char *step)
{
    size_t n = strlen(set) + 1, m = strlen(step) + 1;
    struct counter *c = counters;
    while (c && (strcmp(c->name, set) != 0 || strcmp(c->name + n, step) != 0))
        c = c->next;
    if (!c && (c = calloc(1, sizeof *c + n + m))) {
        memcpy(c->name, set, n);
        memcpy(c->name + n, step, m);
        c->next = counters;
        counters = c;
    }
    return c ? ++c->n : -1;
}

/* Generations of this process alone have a number that no other process of the job gives. */
static int64_t alone(int64_t ordinal)
{
    struct pcdf_owner self;
    memset(&self, 0, sizeof self);
    pcdf_owner_self(&self);
    return ordinal | (int64_t)(pcdf_crc32c(0, &self, sizeof self) & 0x7fffffff) << 32;
}

static void drop(struct generation *g)
{
    struct generation **slot = &list;
    while (*slot && *slot != g)
        slot = &(*slot)->next;
    if (*slot)
        *slot = g->next;
    if (begun == g)
        begun = NULL;
    pcdf_setmaking_free(g->making);
    pcdf_set_close(&g->set);
    free(g->path);
    free(g->step);
    free(g);
}

static int make(const char *set, const char *step, const struct pcdf_setmaking_config *config,
                struct generation **made)
{
    struct generation *g = calloc(1, sizeof *g);
    if (!g)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the set %s", set);
    g->path = strdup(set);
    g->step = strdup(step);
    int err = g->path && g->step ? pcdf_set_open(set, &g->set) : NC_ENOMEM;
    if (!err)
        err = pcdf_setmaking_begin(&g->set, config, &g->making);
    if (err) {
        drop(g);
        return err;
    }
    g->files = config->files;
    g->next = list;
    list = g;
    *made = g;
    return NC_NOERR;
}

/* Older ones of the set that nobody here writes: other processes may still complete them. One that could not
 * be committed, since the disk was full, may now. */
static void forget_older(const char *set)
{
    int64_t number;
    for (struct generation *g = list, *next; g; g = next) {
        next = g->next;
        if (g == begun || g->open > 0 || strcmp(g->path, set) != 0)
            continue;
        if (!g->failed && g->files)
            (void)pcdf_setmaking_commit(g->making, false, &number);
        (void)pcdf_setmaking_leave(g->making, g->failed > 0, true);
        drop(g);
    }
}

static int make_next(const struct pcdf_member_config *w, struct generation **g)
{
    char job[PCDF_GENERATION_TEXT];
    snprintf(job, sizeof job, "%.255s", w->job);
    if (!*job)
        pcdf_generation_job(job, sizeof job);
    job[PCDF_SET_TEXT] = '\0';
    int64_t n = next_ordinal(w->set, w->step);
    if (n < 0)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the set %s", w->set);
    bool is_shared = w->files > 0 && *job;
    struct pcdf_setmaking_config config = {
        .job = job, .step = w->step, .ordinal = is_shared ? n : alone(n), .files = w->files, .keep = w->keep
    };
    forget_older(w->set);
    return make(w->set, w->step, &config, g);
}

/* ---- a file of it */

/* Whatever failed of it. */
static struct generation *last_of(const struct pcdf_member_config *w)
{
    struct generation *g = list;
    while (g && (g->is_begun || strcmp(g->path, w->set) != 0 || strcmp(g->step, w->step) != 0))
        g = g->next;
    return g;
}

/* The one for the next file. Where the number of files is known, all of a step meet in one, also if some
 * failed: else the others would wait in another one, for ever. */
static struct generation *newest_of(const struct pcdf_member_config *w)
{
    struct generation *g = last_of(w);
    return g && g->failed && !g->files ? NULL : g;
}

static int make_begun(void)
{
    const struct pcdf_setmaking_config config = {
        .job = ticket.job, .step = ticket.step, .ordinal = ticket.ordinal, .keep = ticket.keep
    };
    char *name;
    PCDF_TRY(name_of(ticket.set, &name));
    forget_older(name);
    int err = make(name, ticket.step, &config, &begun);
    free(name);
    if (!err)
        begun->is_begun = true;
    return err;
}

static int find_own(const struct pcdf_member_config *w, const char *path, struct pcdf_member *m)
{
    m->of = newest_of(w);
    int err = m->of ? pcdf_setmaking_member(m->of->making, path, &m->path) : NC_EEXIST;
    if (err != NC_EEXIST)
        return err;
    PCDF_TRY(make_next(w, &m->of));
    err = pcdf_setmaking_member(m->of->making, path, &m->path);
    if (err && !w->files) { /* else others may have files: pcdf_member_refuse */
        (void)pcdf_setmaking_discard(m->of->making);
        drop(m->of);
    }
    return err;
}

static int find_member(const struct pcdf_member_config *w, const char *path, struct pcdf_member *m)
{
    struct pcdf_member_config named = *w;
    char *name;
    if (has_ticket && !begun)
        PCDF_TRY(make_begun());
    m->of = begun;
    if (begun)
        return pcdf_setmaking_member(begun->making, path, &m->path);
    PCDF_TRY(name_of(w->set, &name));
    named.set = name;
    int err = find_own(&named, path, m);
    free(name);
    return err;
}

/* NULL: it is not known. Its folder may be gone for a moment: the generation is known all the same. */
static struct generation *last_of_config(const struct pcdf_member_config *w)
{
    struct pcdf_member_config named = *w;
    char *name = name_or_text(w->set);
    named.set = name;
    struct generation *g = name ? last_of(&named) : NULL;
    free(name);
    return g;
}

void pcdf_member_refuse(const struct pcdf_member_config *w)
{
    pthread_mutex_lock(&lock);
    struct generation *g = begun || has_ticket || !w ? begun : last_of_config(w);
    if (g)
        g->failed++;
    else if (has_ticket)
        refused++;
    for (g = w || begun || has_ticket ? NULL : list; g; g = g->next) /* it may be of any of them */
        g->failed += g->open > 0;
    pthread_mutex_unlock(&lock);
}

int pcdf_member_begin(const struct pcdf_member_config *config, const char *path, struct pcdf_member **m)
{
    struct pcdf_member *made = calloc(1, sizeof *made);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory to create %s", path);
    pthread_mutex_lock(&lock);
    int err = find_member(config, path, made);
    if (!err)
        made->of->open++;
    pthread_mutex_unlock(&lock);
    if (err)
        free(made);
    else
        *m = made;
    return err;
}

const char *pcdf_member_path(const struct pcdf_member *m)
{
    return m->path;
}

const char *pcdf_member_set(const struct pcdf_member *m)
{
    return m->of->path;
}

/* Nobody here writes a file of it any more, and it is not one that waits for parcdf_set_commit. */
static int finish_generation(struct generation *g, int64_t *committed)
{
    int err = NC_NOERR;
    if (!g->failed)
        err = pcdf_setmaking_commit(g->making, !g->files, committed);
    if (!err && !g->failed && !g->files && !*committed)
        err = PCDF_FAIL(NC_EFILE,
                        "the set %s: what was noted of the files of this generation is not whole, so "
                        "that it cannot be committed",
                        g->path);
    if (!g->files && !*committed) { /* also after a failed commit: nobody retries */
        char why[400];
        snprintf(why, sizeof why, "%s", pcdf_fail_text());
        (void)pcdf_setmaking_discard(g->making);
        if (err)
            (void)PCDF_FAIL(err, "%s", why);
    }
    if (g->failed && g->files) { /* it never commits, whatever others do */
        char why[400];
        snprintf(why, sizeof why, "%s", pcdf_fail_text());
        (void)pcdf_setmaking_leave(g->making, true, false);
        (void)pcdf_fail(NC_NOERR, "%s", why);
    }
    if (!g->files || *committed)
        drop(g);
    return err;
}

int pcdf_member_end(struct pcdf_member *m, const struct pcdf_setmember *whole, int64_t *committed)
{
    struct generation *g = m->of;
    *committed = 0;
    pthread_mutex_lock(&lock);
    int err = whole ? pcdf_setmaking_whole(g->making, m->path, whole) : NC_NOERR;
    if (!whole || err) {
        char why[400];
        snprintf(why, sizeof why, "%s", pcdf_fail_text());
        (void)pcdf_setmaking_failed(g->making, m->path);
        pcdf_fail_clear();
        if (err)
            (void)PCDF_FAIL(err, "%s", why);
        else if (*why)
            (void)PCDF_FAIL(NC_NOERR, "%s", why);
        g->failed++;
    } else {
        g->whole++;
    }
    g->open--;
    if (g->open == 0 && !g->is_begun) {
        int failed = finish_generation(g, committed);
        if (!err)
            err = failed;
    }
    pthread_mutex_unlock(&lock);
    free(m);
    return err;
}

/* ---- from parcdf_set_begin to commit */

bool pcdf_generation_is_open(void)
{
    pthread_mutex_lock(&lock);
    bool is = has_ticket;
    pthread_mutex_unlock(&lock);
    return is;
}

/* By the same name as those of hints (make_next): else two of one set have the same number. */
static int count_begun(struct pcdf_generation_ticket *t)
{
    char *name = name_or_text(t->set);
    pthread_mutex_lock(&lock);
    int64_t n = name ? next_ordinal(name, t->step) : -1;
    pthread_mutex_unlock(&lock);
    free(name);
    if (n < 0)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the set %s", t->set);
    t->ordinal = alone(n);
    return NC_NOERR;
}

int pcdf_generation_ticket(const struct pcdf_member_config *config, bool is_root,
                           struct pcdf_generation_ticket *t)
{
    memset(t, 0, sizeof *t);
    if (strlen(config->set) >= sizeof t->given || strlen(config->step) > PCDF_SET_TEXT ||
        strlen(config->job) > PCDF_SET_TEXT)
        return PCDF_FAIL(NC_EINVAL, "the set's name, or its step, is too long");
    snprintf(t->given, sizeof t->given, "%s", config->set);
    char *set = pcdf_fileplace_absolute(config->set);
    if (set)
        snprintf(t->set, sizeof t->set, "%s", set);
    pcdf_free(set);
    if (!set)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the set %s", config->set);
    snprintf(t->step, sizeof t->step, "%s", config->step);
    snprintf(t->job, sizeof t->job, "%s", config->job);
    if (!*t->job)
        pcdf_generation_job(t->job, PCDF_SET_TEXT + 1);
    if (!*t->job) { /* no other process will give this one */
        struct pcdf_owner self;
        pcdf_owner_self(&self);
        snprintf(t->job, PCDF_SET_TEXT + 1, "%.64s-%" PRId64 "-%" PRId64 "-%.40s", self.host, self.process,
                 self.started, self.boot);
    }
    t->keep = config->keep;
    return is_root ? count_begun(t) : NC_NOERR;
}

int pcdf_generation_enter(const struct pcdf_generation_ticket *t, bool is_root)
{
    pthread_mutex_lock(&lock);
    ticket = *t;
    refused = 0;
    int err = is_root ? make_begun() : NC_NOERR;
    has_ticket = !err;
    pthread_mutex_unlock(&lock);
    return err;
}

struct pcdf_generation_counts pcdf_generation_counts(void)
{
    pthread_mutex_lock(&lock);
    struct pcdf_generation_counts c = { 0 };
    if (begun)
        c = (struct pcdf_generation_counts){ begun->open, begun->whole, begun->failed };
    c.failed += refused;
    pthread_mutex_unlock(&lock);
    return c;
}

int pcdf_generation_root_commit(int64_t files, int64_t *committed)
{
    *committed = 0;
    pthread_mutex_lock(&lock);
    int err = begun ? pcdf_setmaking_commit(begun->making, true, committed) : NC_NOERR;
    if (!err && begun && !*committed)
        err = PCDF_FAIL(NC_EFILE, "the set %s lacks some of its %lld files", begun->path, (long long)files);
    pthread_mutex_unlock(&lock);
    return err;
}

int pcdf_generation_root_discard(void)
{
    pthread_mutex_lock(&lock);
    int err = begun ? pcdf_setmaking_discard(begun->making) : NC_NOERR;
    pthread_mutex_unlock(&lock);
    return err;
}

void pcdf_generation_leave(void)
{
    pthread_mutex_lock(&lock);
    has_ticket = false;
    refused = 0;
    if (begun && begun->open == 0)
        drop(begun);
    else if (begun) { /* aborted while files are open: they fail, too */
        begun->is_begun = false;
        begun->failed++;
        begun = NULL;
    }
    pthread_mutex_unlock(&lock);
}
