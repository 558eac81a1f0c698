/* See closing.h. The list is in the order of the closes. */
#include "closing.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "debuglog.h"
#include "posixio.h"
#include "vote.h"
#include "writequeue.h"

enum {
    MOST = 8,        /* files of a communicator */
    MOST_TOLD = 256, /* errors that wait for somebody */
    TEXT = 512
};

struct closing {
    struct pcdf_dataset *ds;
    pcdf_closing_finish *finish;
    MPI_Comm comm;         /* of its ranks, for meet_all alone; MPI_COMM_NULL: there is one rank */
    MPI_Request announced; /* while is_announced */
    bool is_announced;
    int64_t number; /* of the close */
    bool is_taken;  /* by a thread that looks at it */
    struct closing *next;
};

struct told { /* an error that nobody asked for yet; not counted memory: it outlives the file */
    int code;
    bool speaks; /* this rank prints it */
    char *path;
    char text[TEXT];
    struct told *next;
};

struct spare {
    const struct pcdf_shared_comm *shared;
    MPI_Comm comm;
    bool is_taken;
    struct spare *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows; nobody waits while he has it */
static struct closing *list;
static struct told *errors;
static struct spare *spares;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER; /* one is taken no more, or gone */
static int nerrors;
static int64_t closes;
static _Thread_local bool is_completing; /* its votes are of a file that is completed */

/* ---- the list */

/* The first one that only this thread looks at from now on, of a communicator (NULL: any) that has more than
 * so many. */
static struct closing *take_first(const struct pcdf_shared_comm *shared, int most)
{
    struct closing *first;
    int n;
    pthread_mutex_lock(&lock);
    for (;; pthread_cond_wait(&given, &lock)) {
        first = NULL;
        n = 0;
        for (struct closing *c = list; c; c = c->next)
            if (!shared || c->ds->lease.shared == shared) {
                first = first ? first : c;
                n++;
            }
        if (n <= most || !first->is_taken)
            break;
    }
    first = n > most ? first : NULL;
    if (first)
        first->is_taken = true;
    pthread_mutex_unlock(&lock);
    return first;
}

static void give(struct closing *c)
{
    pthread_mutex_lock(&lock);
    c->is_taken = false;
    pthread_cond_broadcast(&given);
    pthread_mutex_unlock(&lock);
}

static void take_off(struct closing *c)
{
    pthread_mutex_lock(&lock);
    struct closing **slot = &list;
    while (*slot != c)
        slot = &(*slot)->next;
    *slot = c->next;
    pthread_cond_broadcast(&given);
    pthread_mutex_unlock(&lock);
}

static void tell(const char *text)
{
    pcdf_debuglog_tell("parcdf: a file closed in the background failed: %s", text);
}

/* Where there is no room for it, it is told at once. */
static void keep_error(int code, char *path, bool speaks)
{
    struct told *t = code && path ? calloc(1, sizeof *t) : NULL;
    if (t)
        *t = (struct told){ .code = code, .speaks = speaks, .path = path };
    if (t)
        snprintf(t->text, sizeof t->text, "%s", pcdf_fail_text());
    pthread_mutex_lock(&lock);
    bool is_kept = t && nerrors < MOST_TOLD;
    struct told **slot = &errors;
    while (is_kept && *slot)
        slot = &(*slot)->next;
    if (is_kept)
        *slot = t;
    nerrors += is_kept;
    pthread_mutex_unlock(&lock);
    if (is_kept)
        return;
    if (code && speaks)
        tell(pcdf_fail_text());
    free(path);
    free(t);
}

/* ---- names */

/* Only rank 0 of a file asks the file system: it speaks for all. */
static bool is_named(const struct pcdf_dataset *ds, const char *path)
{
    path = pcdf_path_posix(path);
    if (!path || !strcmp(pcdf_path_posix(ds->path), path))
        return path;
    return ds->comm.rank == 0 && (pcdf_posix_same(path, pcdf_path_posix(ds->path)) ||
                                  pcdf_posix_same(path, pcdf_path_posix(pcdf_dataset_path(ds))));
}

/* Has `comm` all ranks of the file? */
static bool includes(MPI_Comm comm, const struct pcdf_dataset *ds)
{
    MPI_Group all, few;
    int n = ds->comm.size, there = 1;
    int *ranks = malloc(2 * (size_t)n * sizeof *ranks);
    if (!ranks)
        return false;
    MPI_Comm_group(comm, &all);
    MPI_Comm_group(ds->comm.comm, &few);
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(few, n, ranks, all, ranks + n);
    for (int i = 0; i < n; i++)
        there &= ranks[n + i] != MPI_UNDEFINED;
    MPI_Group_free(&all);
    MPI_Group_free(&few);
    free(ranks);
    return there;
}

/* ---- looking through the list: threads may complete files of other communicators meanwhile */

struct wish {
    const struct pcdf_shared_comm *shared;
    MPI_Comm user;
    const char *path;
};

/* Must a create or open of this path have it, on a communicator that all its ranks are in? */
static bool is_needed(const struct closing *c, const struct wish *w)
{
    if (!w->path)
        return false;
    if (c->ds->lease.shared == w->shared)
        return is_named(c->ds, w->path);
    return !strcmp(c->ds->path, w->path) && includes(w->user, c->ds);
}

static bool is_of_call(const struct closing *c, const struct wish *w)
{
    return c->ds->lease.shared == w->shared || is_needed(c, w);
}

static bool is_waited_for(const struct closing *c, const struct wish *w)
{
    return !w->path || !strcmp(c->ds->path, w->path);
}

static bool is_meant(const struct closing *c, const struct wish *w)
{
    return is_named(c->ds, w->path);
}

/* The first one after that number, which only this thread looks at from now on. */
static struct closing *take(int64_t after, bool (*is)(const struct closing *, const struct wish *),
                            const struct wish *w)
{
    struct closing *c;
    pthread_mutex_lock(&lock);
    for (;; pthread_cond_wait(&given, &lock)) {
        c = list;
        while (c && (c->number <= after || !is(c, w)))
            c = c->next;
        if (!c || !c->is_taken)
            break;
    }
    if (c)
        c->is_taken = true;
    pthread_mutex_unlock(&lock);
    return c;
}

/* ---- meeting */

/* A communicator of the ranks of `shared` that nothing else uses, for those that come to complete a file:
 * they may come by different calls, and one that waits in vain goes on. Kept for the next file. The same on
 * all ranks; MPI_COMM_NULL: it cannot be had. */
static MPI_Comm borrow_comm_all(const struct pcdf_dataset *ds)
{
    struct spare *found = NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    pthread_mutex_lock(&lock);
    for (struct spare *s = spares; s && !found; s = s->next)
        if (s->shared == ds->lease.shared && !s->is_taken)
            found = s;
    if (found)
        found->is_taken = true;
    pthread_mutex_unlock(&lock);
    if (found) /* the same on all ranks: files are closed and completed in one order */
        return found->comm;
    found = calloc(1, sizeof *found);
    int err = MPI_Comm_dup(ds->comm.comm, &comm);
    int64_t lacks = err || !found;
    err = pcdf_ranks_reduce_all(&ds->comm, MPI_MAX, &lacks, 1);
    if (err || lacks) { /* the same on all ranks; one that some rank lacks is left to MPI_Finalize */
        free(found);
        return MPI_COMM_NULL;
    }
    *found = (struct spare){ ds->lease.shared, comm, true, NULL };
    pthread_mutex_lock(&lock);
    found->next = spares;
    spares = found;
    pthread_mutex_unlock(&lock);
    return comm;
}

static void give_comm_back(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (struct spare *s = spares; s; s = s->next)
        s->is_taken &= s->comm != comm;
    pthread_mutex_unlock(&lock);
}

static void free_comms_all(const struct pcdf_shared_comm *shared)
{
    for (struct spare **slot = &spares, *s = spares; s; s = *slot) {
        if (shared && s->shared != shared) {
            slot = &s->next;
            continue;
        }
        *slot = s->next;
        MPI_Comm_free(&s->comm);
        free(s);
    }
}

/* This rank is at a call at which it can help to complete the file. Until all ranks are at one, or, false,
 * for so many seconds; then it stays announced. seconds < 0: until all are. */
static bool meet_all(struct closing *c, double seconds)
{
    const struct timespec pause = { 0, 200000 };
    double begin = MPI_Wtime();
    int all_are = c->comm == MPI_COMM_NULL;
    if (!all_are && !c->is_announced) /* no rank waits here for ever, but where it must */
        c->is_announced = MPI_Ibarrier(c->comm, &c->announced) == MPI_SUCCESS;
    if (c->is_announced && seconds < 0) {
        MPI_Wait(&c->announced, MPI_STATUS_IGNORE);
        all_are = true;
    }
    while (c->is_announced && !all_are && !MPI_Test(&c->announced, &all_are, MPI_STATUS_IGNORE) && !all_are) {
        if (MPI_Wtime() - begin > seconds)
            return false;
        nanosleep(&pause, NULL);
    }
    c->is_announced = false;
    return true;
}

/* ---- completing */

static void keep_result(struct pcdf_dataset *ds, pcdf_closing_finish *finish)
{
    char *path = strdup(ds->path);
    bool speaks = ds->comm.rank == 0;
    is_completing = true;
    int err = finish(ds);
    is_completing = false;
    keep_error(err, path, speaks);
}

/* Have all ranks written what they put? must: this call needs the file. On all ranks the same. */
static bool is_due_all(struct pcdf_dataset *ds, bool must)
{
    struct pcdf_sync_vote vote = { .common = { .kind = PCDF_KIND_CLOSING },
                                   .wrote = !pcdf_writequeue_is_idle(ds->io->storage),
                                   .header_dirty = must };
    is_completing = true;
    (void)pcdf_vote_all(ds, &vote); /* a file whose ranks cannot talk any more goes, too */
    is_completing = false;
    return ds->poisoned || !vote.wrote || vote.header_dirty;
}

/* All ranks of the file are there. Gives it back, or it is gone. */
static void look_all(struct closing *c, bool must)
{
    if (!PCDF_SAME_IN(c->ds, is_due_all(c->ds, must))) {
        give(c);
        return;
    }
    take_off(c);
    if (c->comm != MPI_COMM_NULL && !c->is_announced) /* else somebody may still come to it */
        give_comm_back(c->comm);
    keep_result(c->ds, c->finish);
    free(c);
}

static void meet_and_look_all(struct closing *c, bool must)
{
    int64_t hint = c->ds->hints.watchdog_s;
    c->ds->poisoned |=
        !meet_all(c, hint > 0 ? (double)hint : -1); /* a rank is missing: it goes without a word */
    look_all(c, must);
}

static int finalize_comes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    pcdf_closing_end_all();
    return MPI_SUCCESS;
}

/* Once more than comm.c: MPI_Finalize calls such functions in the opposite order, and ROMIO's, which ends
 * MPI-IO, is made when the first file is opened. Where it fails, comm.c's does it. */
static void hear_finalize(void)
{
    static bool hears;
    int key = MPI_KEYVAL_INVALID;
    pthread_mutex_lock(&lock);
    bool does = hears;
    hears = true;
    pthread_mutex_unlock(&lock);
    if (does || MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize_comes, &key, NULL) != MPI_SUCCESS)
        return;
    (void)MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key); /* it stays while the attribute does */
}

void pcdf_closing_add_all(struct pcdf_dataset *ds, pcdf_closing_finish *finish)
{
    struct closing *c = malloc(sizeof *c);
    const struct pcdf_shared_comm *shared = ds->lease.shared;
    int64_t lacks = !c;
    MPI_Comm comm = ds->comm.size > 1 ? borrow_comm_all(ds) : MPI_COMM_NULL; /* the same on all ranks */
    int err = pcdf_ranks_reduce_all(&ds->comm, MPI_MAX, &lacks, 1);
    if (PCDF_SAME(&ds->comm, err || lacks || (comm == MPI_COMM_NULL && ds->comm.size > 1))) {
        free(c); /* it is completed at once */
        if (comm != MPI_COMM_NULL)
            give_comm_back(comm);
        keep_result(ds, finish);
        return;
    }
    *c = (struct closing){ .ds = ds, .finish = finish, .comm = comm };
    hear_finalize();
    pthread_mutex_lock(&lock);
    c->number = ++closes;
    struct closing **slot = &list;
    while (*slot)
        slot = &(*slot)->next;
    *slot = c;
    pthread_mutex_unlock(&lock);
    while ((c = take_first(shared, MOST))) /* as many on all ranks */
        meet_and_look_all(c, true);
}

void pcdf_closing_progress_all(MPI_Comm user, const struct pcdf_lease *lease, const char *path)
{
    const struct wish w = { lease->shared, user, path };
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_of_call, &w));) { /* the same on all ranks of the file */
        number = c->number;
        meet_and_look_all(c, is_needed(c, &w));
    }
}

/* The call that this is part of keeps its own sentence. */
void pcdf_closing_look_all(const struct pcdf_dataset *ds)
{
    const struct wish w = { .shared = ds->lease.shared };
    char text[1024];
    int64_t number = 0;
    if (is_completing || ds->poisoned ||
        ds->lease.own) /* of its own: threads may vote in any order (comm.h) */
        return;
    struct closing *c = take(number, is_of_call, &w);
    if (!c) /* the same on all ranks */
        return;
    snprintf(text, sizeof text, "%s", pcdf_fail_text());
    for (; c; c = take(number, is_of_call, &w)) { /* the same on all ranks */
        number = c->number;
        meet_and_look_all(c, false);
    }
    pcdf_fail_clear();
    if (*text)
        (void)PCDF_FAIL(NC_NOERR, "%s", text);
}

/* Others that come by a vote look at earlier files of the communicator first, and so does this rank. */
static bool await_all(const struct pcdf_shared_comm *shared, int64_t last, int64_t hint,
                      const struct wish *named)
{
    enum { PATIENCE = 60 }; /* seconds */
    const struct wish w = { .shared = shared };
    bool is_there = true;
    int64_t number = 0;
    for (struct closing *c; is_there && number < last && (c = take(number, is_of_call, &w));) {
        number = c->number;
        is_there = number > last || meet_all(c, hint > 0 ? (double)hint : PATIENCE);
        if (is_there && number <= last) /* on all ranks of the file, or others don't wait */
            look_all(c, is_meant(c, named));
        else
            give(c);
    }
    return is_there;
}

int pcdf_closing_await_all(const char *path)
{
    int status = NC_NOERR;
    const struct wish w = { .path = path };
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_meant, &w));) {
        const struct pcdf_shared_comm *shared = c->ds->lease.shared;
        int64_t hint = c->ds->hints.watchdog_s;
        int size = c->ds->comm.size;
        number = c->number;
        give(c);                                  /* to take it in its turn */
        if (!await_all(shared, number, hint, &w)) /* on all ranks of the file, or nobody waits for ever */
            pcdf_first(&status,
                       PCDF_FAIL(NC_EACCESS,
                                 "%s: the %d ranks that closed the file still complete it, and some of "
                                 "them are in no call that lets them: let all of them call parcdf_wait "
                                 "before",
                                 path, size));
    }
    return status;
}

void pcdf_closing_forget_name(const char *path)
{
    const struct wish w = { .path = path };
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_meant, &w));) {
        number = c->number;
        (void)pcdf_writequeue_settle(c->ds->io->storage);
        c->ds->is_deleted = true;
        give(c);
    }
}

/* ---- errors */

static int fetch_errors(const char *path)
{
    int code = NC_NOERR;
    pthread_mutex_lock(&lock);
    for (struct told **slot = &errors, *t = errors; t; t = *slot) {
        if (path && strcmp(t->path, path) != 0) {
            slot = &t->next;
            continue;
        }
        if (!code)
            code = PCDF_FAIL(t->code, "%s", t->text);
        *slot = t->next;
        nerrors--;
        free(t->path);
        free(t);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

int pcdf_closing_wait_all(const char *path)
{
    const struct wish w = { .path = path };
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_waited_for, &w));) { /* the same on all ranks of each file */
        number = c->number;
        meet_and_look_all(c, true);
    }
    return fetch_errors(path);
}

/* ---- the end */

void pcdf_closing_end_of_all(const struct pcdf_shared_comm *shared)
{
    for (struct closing *c; (c = take_first(shared, 0));) /* the same on all ranks */
        meet_and_look_all(c, true);
    free_comms_all(shared);
}

void pcdf_closing_end_all(void)
{
    pcdf_closing_end_of_all(NULL);
    for (struct told *t = errors; t; t = t->next)
        if (t->speaks)
            tell(t->text);
    (void)fetch_errors(NULL);
    for (struct pcdf_dataset *ds = pcdf_dataset_after(-1); ds; ds = pcdf_dataset_after(ds->ncid))
        if (ds->io && pcdf_writequeue_settle(ds->io->storage)) /* nobody closed it */
            pcdf_debuglog_tell("parcdf: %s was not closed, and a put failed: %s", ds->path, pcdf_fail_text());
    pcdf_fail_clear();
}
