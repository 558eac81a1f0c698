/* See closing.h. The list is in the order of the closes. */
#include "closing.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "closingmark.h"
#include "closingnode.h"
#include "debuglog.h"
#include "fileplace.h"
#include "hash.h"
#include "vote.h"
#include "worldmodel.h"
#include "writequeue.h"

enum {
    MOST = 8,        /* files of a communicator */
    MOST_TOLD = 256, /* errors that wait for somebody */
    TEXT = 512
};

struct closing {
    struct pcdf_dataset *ds;
    struct pcdf_closing_way way;
    struct spare *spare;           /* NULL: it could not be had */
    bool by_thread;                /* the thread of rank 0 completes it: the same on all ranks */
    bool has_told;                 /* the thread's own: this rank has written everything */
    struct pcdf_closing_done done; /* the thread's, until its last step */
    atomic_bool is_given_up;       /* the thread no longer waits for other ranks */
    bool is_deleted;               /* by this rank, after the close */
    /* A call of this rank told what failed, before the file was completed. */
    bool is_asked;
    MPI_Request announced; /* valid if is_announced */
    bool is_announced;
    int64_t number; /* the close's number */
    bool is_taken;  /* by a thread that looks at it */
    struct closing *next;
};

/* An error that nobody asked for yet. It is not in counted memory, because it outlives the file. */
struct told {
    int code;
    bool speaks;                /* this rank prints it */
    bool is_asked;              /* an open told it: only parcdf_wait tells again */
    int fd;                     /* keeps the inode from others; -1: none */
    struct pcdf_filename later; /* the name that it was to get */
    struct pcdf_called called;
    char *path;
    char text[TEXT];
    struct told *next;
};

struct spare { /* a listed file's extras, kept for the next */
    const struct pcdf_shared_comm *shared;
    MPI_Comm comm;                 /* for meet_all alone; MPI_COMM_NULL: one rank */
    struct pcdf_closingnode *node; /* NULL: the ranks share no memory. The same on all ranks */
    int64_t number;                /* among its communicator's: the same on all ranks */
    bool is_taken; /* for ever where a missed rank was given up: so not the same on all ranks */
    struct spare *next;
};

/* Protects all that follows. It is held for short steps only. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct closing *list;
static struct told *errors;
static struct spare *spares;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER; /* a file was given back, or unlisted */
static int nerrors;
static int64_t closes;
static _Thread_local bool is_completing; /* this thread votes on a file being completed */

/* ---- the list */

/* Takes the first file of a communicator (NULL: of any) that has more than `most` files on the list. NULL: it
 * has not. Only this thread looks at a file that it took. */
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

static int descriptor_of(const struct pcdf_dataset *ds)
{
    return pcdf_storage_bottom(ds->io->storage)->fd;
}

static void free_told(struct told *t)
{
    if (t && t->fd >= 0)
        close(t->fd);
    if (t)
        free(t->path);
    free(t);
}

/* Before the file is freed: what an error of it is kept with. NULL: no memory. */
static struct told *prepare_told(const struct pcdf_dataset *ds, bool is_asked)
{
    struct told *t = calloc(1, sizeof *t);
    char *path = strdup(ds->path);
    if (!t || !path) {
        free(t);
        free(path);
        return NULL;
    }
    *t = (struct told){ .speaks = ds->ranks.rank == 0,
                        .is_asked = is_asked,
                        .fd = fcntl(descriptor_of(ds), F_DUPFD_CLOEXEC, 0),
                        .later = ds->later,
                        .called = ds->called,
                        .path = path };
    return t;
}

/* Takes over t. If there is no room for the error, it is printed at once. */
static void keep_error(int code, struct told *t, bool speaks)
{
    /* Nothing comes any more. Closing the descriptor would not end the mark where a child process has it,
     * too. */
    if (t)
        pcdf_closingmark_clear(t->fd);
    if (!code) {
        free_told(t);
        return;
    }
    if (t) {
        t->code = code;
        snprintf(t->text, sizeof t->text, "%s", pcdf_fail_text());
    }
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
    if (speaks)
        tell(pcdf_fail_text());
    free_told(t);
}

/* ---- what a call wants */

struct filter {
    const struct pcdf_shared_comm *shared; /* the call's; NULL: any */
    MPI_Comm user;                         /* MPI_COMM_NULL: none */
    const char *path;                      /* NULL: no file */
    bool by_text;                          /* also a file that this rank called so */
    struct pcdf_fileid file;               /* what the path leads to, */
    struct pcdf_filename name;             /* and where, also if nothing is there yet */
};

static struct filter filter_for(const char *path)
{
    struct filter w = { .user = MPI_COMM_NULL, .path = path };
    pthread_mutex_lock(&lock);
    bool asks = path && (list || errors);
    pthread_mutex_unlock(&lock);
    if (asks) {
        w.file = pcdf_fileplace_at(path);
        w.name = pcdf_fileplace_name(path);
    }
    return w;
}

/* The file that is open at fd, or is to get the name `later`. Without a descriptor it is a name of a storage
 * that is no file system. */
static bool leads_to(const struct filter *w, int fd, const struct pcdf_filename *later, const char *path)
{
    if (fd < 0)
        return w->path && !strcmp(path, w->path);
    return pcdf_fileid_is(w->file, pcdf_fileplace_of(fd)) || pcdf_filename_is_same(&w->name, later);
}

static bool wants(const struct filter *w, const struct closing *c)
{
    return leads_to(w, descriptor_of(c->ds), &c->ds->later, c->ds->path) ||
           (w->by_text && !strcmp(c->ds->path, w->path));
}

/* Has `comm` all ranks of the file? */
static bool includes(MPI_Comm comm, const struct pcdf_dataset *ds)
{
    MPI_Group all, few, both;
    int n = 0, likeness = MPI_UNEQUAL;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_size(comm, &n);
    if (n < ds->ranks.size)
        return false;
    /* This is cheaper than groups, whose intersection takes the product of their sizes. */
    if (n == ds->ranks.size)
        return MPI_Comm_compare(comm, ds->ranks.comm, &likeness) == MPI_SUCCESS && likeness != MPI_UNEQUAL;
    MPI_Comm_group(comm, &all);
    MPI_Comm_group(ds->ranks.comm, &few);
    MPI_Group_intersection(few, all, &both);
    MPI_Group_size(both, &n);
    MPI_Group_free(&both);
    MPI_Group_free(&few);
    MPI_Group_free(&all);
    return n == ds->ranks.size;
}

/* ---- looking through the list; other threads may complete files of other communicators meanwhile */

/* All ranks of the file are in this call: the same on all of them, whatever their paths look like. */
static bool is_of_call(const struct closing *c, const struct filter *w)
{
    return c->ds->lease.shared == w->shared || includes(w->user, c->ds);
}

/* Does a create or open need the file? For what the ranks vote on: only rank 0 of the file asks the file
 * system, and so tells the others. */
static bool is_needed(const struct closing *c, const struct filter *w)
{
    return w->path && (c->ds->ranks.rank == 0 ? wants(w, c) : !strcmp(c->ds->path, w->path));
}

/* By what all its ranks know of its names: the same on all of them, if they give the same path. */
static bool is_waited_for(const struct closing *c, const struct filter *w)
{
    return !w->path || pcdf_is_called(&c->ds->called, w->path);
}

/* Takes all ranks to complete it, and a subset of them may wait for it. */
static bool is_meant(const struct closing *c, const struct filter *w)
{
    return !c->by_thread && wants(w, c);
}

/* A thread completes it, or has done so and nobody was told yet. */
static bool is_by_thread(const struct closing *c, const struct filter *w)
{
    return c->by_thread && wants(w, c);
}

static bool is_deleted(const struct closing *c, const struct filter *w)
{
    return wants(w, c);
}

/* Takes the first file after that number. NULL: there is none. */
static struct closing *take(int64_t after, bool (*is)(const struct closing *, const struct filter *),
                            const struct filter *w)
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

/* The ranks that complete a file may come by different calls, and one that waits in vain goes on. So they
 * meet on a communicator that nothing else uses. The same on all ranks; NULL: it cannot be had. */
static struct spare *make_spare_all(const struct pcdf_dataset *ds)
{
    struct spare *made = calloc(1, sizeof *made);
    MPI_Comm comm = MPI_COMM_NULL;
    int err = MPI_SUCCESS;
    if (ds->ranks.size > 1) /* the same on all ranks */
        err = MPI_Comm_dup(ds->ranks.comm, &comm);
    int64_t lacks = err || !made;
    err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, &lacks, 1);
    if (err || lacks) { /* the same on all ranks. A communicator that some rank lacks cannot be freed */
        free(made);
        return NULL;
    }
    *made = (struct spare){ ds->lease.shared, comm, pcdf_closingnode_make_all(&ds->ranks), 0, true, NULL };
    pthread_mutex_lock(&lock);
    for (const struct spare *s = spares; s; s = s->next)
        made->number += s->shared == made->shared;
    made->next = spares;
    spares = made;
    pthread_mutex_unlock(&lock);
    return made;
}

/* Local: takes the youngest that is free. NULL: there is none. */
static struct spare *take_spare(const struct pcdf_shared_comm *shared)
{
    pthread_mutex_lock(&lock);
    struct spare *s = spares;
    while (s && (s->shared != shared || s->is_taken))
        s = s->next;
    if (s)
        s->is_taken = true;
    pthread_mutex_unlock(&lock);
    return s;
}

/* NULL: nothing. */
static void give_spare_back(struct spare *s)
{
    pthread_mutex_lock(&lock);
    if (s)
        s->is_taken = false;
    pthread_mutex_unlock(&lock);
}

static void begin_words(const struct spare *s)
{
    if (s && s->node)
        pcdf_closingnode_begin(s->node);
}

/* Every rank has begun with its words when this returns: messages came from all. *lacks: something on this
 * rank; then, on any, and nothing is agreed. NULL: it cannot be had, on any rank. */
static struct spare *borrow_spare_all(const struct pcdf_dataset *ds, bool *lacks)
{
    struct spare *s = take_spare(ds->lease.shared);
    int64_t number = s ? s->number : -1, most[3] = { *lacks, number, -number };
    begin_words(s);
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, most, 3);
    *lacks = err || most[0];
    if (*lacks || (most[1] >= 0 && most[1] == -most[2])) /* the same on all ranks */
        return s;
    give_spare_back(s); /* some rank has none, or another one */
    s = make_spare_all(ds);
    begin_words(s);
    most[0] = 0;
    *lacks = pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, most, 1) != MPI_SUCCESS;
    return s;
}

static void free_spares_all(const struct pcdf_shared_comm *shared)
{
    for (struct spare **slot = &spares, *s = spares; s; s = *slot) {
        if (shared && s->shared != shared) {
            slot = &s->next;
            continue;
        }
        *slot = s->next;
        pcdf_closingnode_free(s->node);
        if (s->comm != MPI_COMM_NULL) /* the same on all ranks */
            MPI_Comm_free(&s->comm);
        free(s);
    }
}

/* This rank is at a call in which it can help to complete the file. Waits until all ranks are at such a call.
 * False: they were not for so many seconds (< 0: no limit); then this rank stays announced. */
static bool meet_all(struct closing *c, double seconds)
{
    const struct timespec pause = { 0, 200000 };
    double begin = MPI_Wtime();
    int all_are = c->ds->ranks.size == 1;
    if (!all_are && !c->is_announced)
        c->is_announced = MPI_Ibarrier(c->spare->comm, &c->announced) == MPI_SUCCESS;
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

/* ---- in the thread */

/* Tells the others of this node that this rank has written everything, or what failed. On rank 0, completes
 * the file when all have. */
static bool make_step(void *context, struct pcdf_storage *below, int failed, const char *text)
{
    struct closing *c = context;
    struct pcdf_closingnode *node = c->spare->node;
    int worst;
    (void)text; /* the votes of finish_all tell it */
    if (!c->has_told && c->ds->ranks.rank > 0)
        pcdf_closingmark_clear(descriptor_of(c->ds));
    if (!c->has_told)
        pcdf_closingnode_tell(node, failed);
    c->has_told = true;
    if (c->ds->ranks.rank > 0)
        return true;
    bool all_told = pcdf_closingnode_all_told(node, &worst);
    if (!all_told && !atomic_load(&c->is_given_up))
        return false;
    if (all_told && !worst) {
        pcdf_fail_clear();
        c->done.is_done = true;
        c->done.code = worst = c->way.root_complete(c->ds, below, &c->done);
        snprintf(c->done.text, sizeof c->done.text, "%s", pcdf_fail_text());
    }
    pcdf_closingmark_clear(descriptor_of(c->ds));
    pcdf_closingnode_complete(node, all_told ? worst : NC_EWRITE);
    return true;
}

/* ---- completing */

/* Whatever the thread was asked to do is over: each rank waits for its own, and rank 0's for those of all. */
static void keep_result_all(struct pcdf_dataset *ds, const struct pcdf_closing_way *way,
                            const struct pcdf_closing_done *done, bool is_asked, bool is_deleted)
{
    struct told *told = prepare_told(ds, is_asked);
    bool speaks = ds->ranks.rank == 0;
    is_completing = true;
    pcdf_writequeue_wait_ended(ds->io->storage);
    int err = way->finish_all(ds, done, is_deleted);
    is_completing = false;
    keep_error(err, told, speaks);
}

struct due_vote {
    struct pcdf_vote common;
    bool writes; /* this rank's queue, or its thread */
    bool must;   /* this call needs the file */
};
static const struct pcdf_vote_form due_form = { { PCDF_VOTE_LARGEST(due_vote, writes),
                                                  PCDF_VOTE_LARGEST(due_vote, must) } };

/* Has every rank written what it put, and rank 0's thread completed the file if it does so? must: this call
 * needs the file. The same on all ranks. */
static bool is_due_all(struct pcdf_dataset *ds, bool must)
{
    struct due_vote vote = { .common = { .kind = PCDF_KIND_CLOSING },
                             .writes = !pcdf_writequeue_is_idle(ds->io->storage),
                             .must = must };
    is_completing = true;
    /* A file whose ranks cannot communicate any more is freed, too. */
    (void)pcdf_vote_form_all(ds, &due_form, &vote.common);
    is_completing = false;
    return ds->poisoned || !vote.writes || vote.must;
}

/* All ranks of the file are here. Gives the file back, or completes and frees it. */
static void look_all(struct closing *c, bool must)
{
    if (!PCDF_SAME_IN(c->ds, is_due_all(c->ds, must))) {
        give(c);
        return;
    }
    take_off(c);
    /* If the file is poisoned a rank is missing, and perhaps never writes its data. */
    atomic_store(&c->is_given_up, c->ds->poisoned);
    keep_result_all(c->ds, &c->way, &c->done, c->is_asked, c->is_deleted);
    if (!c->is_announced) /* otherwise the barrier is still under way */
        give_spare_back(c->spare);
    free(c);
}

/* watchdog: seconds, of the call that looks; the file has its own, too, and the longer one holds. */
static void meet_and_look_all(struct closing *c, int64_t watchdog, bool must)
{
    int64_t hint = c->ds->hints.watchdog_s > watchdog ? c->ds->hints.watchdog_s : watchdog;
    c->ds->poisoned |= !meet_all(c, hint > 0 ? (double)hint : -1); /* a rank is missing: no more messages */
    look_all(c, must);
}

/* The kernel hears MPI_Finalize, too. ROMIO's function, which ends MPI-IO, is made when the first file is
 * opened: so files must be completed by one that is made later and called before. If it cannot be made, the
 * kernel's function completes them. */
static void listen_to_finalize(void)
{
    static struct pcdf_world_listener listener = { .end = pcdf_closing_end_all };
    pthread_mutex_lock(&lock);
    (void)pcdf_world_listen(&listener);
    pthread_mutex_unlock(&lock);
}

static void put_on_list(struct closing *c)
{
    pthread_mutex_lock(&lock);
    c->number = ++closes;
    struct closing **slot = &list;
    while (*slot)
        slot = &(*slot)->next;
    *slot = c;
    pthread_mutex_unlock(&lock);
}

/* It is to get the name that the filter has, too. */
static bool is_rival(const struct closing *c, const struct filter *w)
{
    return pcdf_filename_is_same(&c->ds->later, &w->name);
}

static bool is_rival_by_thread(const struct closing *c, const struct filter *w)
{
    return c->by_thread && is_rival(c, w);
}

void pcdf_closing_await_rivals_all(const struct pcdf_dataset *ds)
{
    const struct filter w = { .shared = ds->lease.shared, .user = ds->ranks.comm, .name = ds->later };
    if (!ds->new_path || ds->keeps_new_path || is_completing || ds->poisoned) /* the same on all ranks */
        return;
    char text[PCDF_SENTENCE]; /* sentence of the call that looks at others */
    pcdf_fail_save(text);
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_of_call, &w));) { /* the same on all ranks of the file */
        number = c->number;
        meet_and_look_all(c, ds->hints.watchdog_s, is_rival(c, &w));
    }
    number = 0;
    for (struct closing *c; (c = take(number, is_rival_by_thread, &w));) {
        number = c->number;
        (void)pcdf_closingnode_await(c->spare->node);
        give(c);
    }
    pcdf_fail_restore(text);
}

void pcdf_closing_add_all(struct pcdf_dataset *ds, const struct pcdf_closing_way *way)
{
    pcdf_closing_await_rivals_all(ds);
    struct closing *c = malloc(sizeof *c);
    const struct pcdf_shared_comm *shared = ds->lease.shared;
    bool lacks = !c;
    struct spare *spare = borrow_spare_all(ds, &lacks);
    bool by_thread = spare && spare->node && way->root_complete;
    if (PCDF_SAME(&ds->ranks, lacks || !spare)) { /* it is completed at once */
        free(c);
        give_spare_back(spare);
        keep_result_all(ds, way, &(struct pcdf_closing_done){ 0 }, false, false);
        return;
    }
    *c = (struct closing){ .ds = ds, .way = *way, .spare = spare, .by_thread = by_thread };
    listen_to_finalize();
    pcdf_closingmark_set(descriptor_of(ds), by_thread);
    put_on_list(c);
    if (by_thread) /* the same on all ranks */
        pcdf_writequeue_end_by(ds->io->storage, make_step, c, pcdf_closingnode_hurry(spare->node));
    while ((c = take_first(shared, MOST))) /* the same on all ranks */
        meet_and_look_all(c, 0, true);
}

void pcdf_closing_progress_all(MPI_Comm user, const struct pcdf_lease *lease, const char *path)
{
    struct filter w = filter_for(path);
    int64_t number = 0;
    w.shared = lease->shared;
    w.user = user;
    for (struct closing *c; (c = take(number, is_of_call, &w));) { /* the same on all ranks of the file */
        number = c->number;
        meet_and_look_all(c, 0, is_needed(c, &w));
    }
}

void pcdf_closing_look_all(const struct pcdf_dataset *ds)
{
    const struct filter w = { .shared = ds->lease.shared, .user = MPI_COMM_NULL };
    char text[PCDF_SENTENCE]; /* sentence of the call that looks at others */
    int64_t number = 0;
    if (is_completing || ds->poisoned || ds->lease.own) /* threads may vote in any order (comm.h) */
        return;
    struct closing *c = take(number, is_of_call, &w);
    if (!c) /* the same on all ranks */
        return;
    pcdf_fail_save(text);
    for (; c; c = take(number, is_of_call, &w)) { /* the same on all ranks */
        number = c->number;
        meet_and_look_all(c, 0, false);
    }
    pcdf_fail_restore(text);
}

/* Ranks that come by a vote look at earlier files of the communicator first, and so does this rank. */
static bool await_all(const struct pcdf_shared_comm *shared, int64_t last, int64_t hint,
                      const struct filter *named)
{
    enum { PATIENCE = 60 }; /* seconds */
    const struct filter w = { .shared = shared, .user = MPI_COMM_NULL };
    bool is_there = true;
    int64_t number = 0;
    for (struct closing *c; is_there && number < last && (c = take(number, is_of_call, &w));) {
        number = c->number;
        is_there = number > last || meet_all(c, hint > 0 ? (double)hint : PATIENCE);
        /* is_there is the same on all ranks of the file: a rank that gave up is still announced. */
        if (is_there && number <= last)
            look_all(c, is_meant(c, named));
        else
            give(c);
    }
    return is_there;
}

/* What became of a file that a thread has completed. On rank 0 in its words. */
static int result_by_thread(struct closing *c)
{
    int code = pcdf_closingnode_result(c->spare->node);
    if (!code || c->is_asked)
        return NC_NOERR;
    c->is_asked = true;
    if (c->ds->ranks.rank == 0 && c->done.code)
        return PCDF_FAIL(code, "%s", c->done.text);
    return PCDF_FAIL(code,
                     "%s was closed in the background, and a rank could not write what it had put, or "
                     "rank 0 could not complete the file: parcdf_wait by all its ranks tells more",
                     c->ds->path);
}

/* Local: until the threads have completed all such files that they are to complete. */
static int await_threads(const struct filter *w)
{
    int status = NC_NOERR;
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_by_thread, w));) {
        number = c->number;
        if (pcdf_closingnode_await(c->spare->node))
            pcdf_first(&status, result_by_thread(c));
        else
            pcdf_first(&status, PCDF_FAIL(NC_EACCESS,
                                          "%s: the process of rank 0, which had to complete the file, ended",
                                          w->path));
        give(c);
    }
    return status;
}

/* The first of the files that the path leads to, once. parcdf_wait tells it again. */
static int ask_errors(const struct filter *w)
{
    int code = NC_NOERR;
    pthread_mutex_lock(&lock);
    for (struct told *t = errors; t; t = t->next) {
        if (t->is_asked || !leads_to(w, t->fd, &t->later, t->path))
            continue;
        if (!code)
            code = PCDF_FAIL(t->code, "%s", t->text);
        t->is_asked = true;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int await_matching_all(const struct filter *w)
{
    int status = await_threads(w);
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_meant, w));) {
        const struct pcdf_shared_comm *shared = c->ds->lease.shared;
        int64_t hint = c->ds->hints.watchdog_s;
        int size = c->ds->ranks.size;
        number = c->number;
        give(c);                                 /* await_all takes it in its turn */
        if (!await_all(shared, number, hint, w)) /* not the same on all ranks, and no rank waits for ever */
            pcdf_first(&status,
                       PCDF_FAIL(NC_EACCESS,
                                 "%s: the %d ranks that closed the file still complete it, and some of "
                                 "them are in no call that lets them: let all of them call parcdf_wait "
                                 "before",
                                 w->path, size));
    }
    pcdf_first(&status, ask_errors(w));
    return status;
}

int pcdf_closing_await_all(const char *path)
{
    const struct filter w = filter_for(path);
    return await_matching_all(&w);
}

int pcdf_closing_forget_name(const char *path)
{
    const struct filter w = filter_for(path);
    int64_t number = 0;
    int status = await_threads(&w);
    for (struct closing *c; (c = take(number, is_deleted, &w));) {
        number = c->number;
        pcdf_first(&status, pcdf_writequeue_drain(c->ds->io->storage));
        c->is_deleted = true;
        give(c);
    }
    pcdf_first(&status, ask_errors(&w));
    return status;
}

/* ---- errors */

/* By one of its names, or by what the path leads to now. */
static bool was_waited_for(const struct told *t, const struct filter *w)
{
    return !w->path || !strcmp(t->path, w->path) || pcdf_is_called(&t->called, w->path) ||
           leads_to(w, t->fd, &t->later, t->path);
}

/* Returns the first, and forgets all of them. */
static int fetch_errors(const struct filter *w)
{
    int code = NC_NOERR;
    pthread_mutex_lock(&lock);
    for (struct told **slot = &errors, *t = errors; t; t = *slot) {
        if (!was_waited_for(t, w)) {
            slot = &t->next;
            continue;
        }
        if (!code)
            code = PCDF_FAIL(t->code, "%s", t->text);
        *slot = t->next;
        nerrors--;
        free_told(t);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

/* The files of a communicator up to this number, those that are waited for and others before them: in the
 * order in which ranks meet that come by another call. */
static void complete_up_to_all(const struct pcdf_shared_comm *shared, int64_t last,
                               const struct filter *waited)
{
    const struct filter w = { .shared = shared, .user = MPI_COMM_NULL };
    int64_t number = 0;
    for (struct closing *c; number < last && (c = take(number, is_of_call, &w));) {
        number = c->number;
        if (number <= last) /* the same on all ranks of the file */
            meet_and_look_all(c, 0, is_waited_for(c, waited));
        else
            give(c);
    }
}

int pcdf_closing_wait_all(const char *path)
{
    struct filter w = filter_for(path);
    int status = NC_NOERR;
    int64_t number = 0;
    for (struct closing *c; (c = take(number, is_waited_for, &w));) { /* the same on all ranks of each file */
        const struct pcdf_shared_comm *shared = c->ds->lease.shared;
        number = c->number;
        give(c);
        complete_up_to_all(shared, number, &w);
    }
    w = filter_for(path);
    pcdf_first(&status, fetch_errors(&w));
    w.by_text = true;
    if (path) /* not the same on all ranks: what some know by this path. No rank waits for ever */
        pcdf_first(&status, await_matching_all(&w));
    return status;
}

/* ---- the end */

/* Also files of other communicators all of whose ranks are here: one of them may wait for the others to
 * complete such a file before it comes. */
void pcdf_closing_end_of_all(const struct pcdf_shared_comm *shared, MPI_Comm comm)
{
    const struct filter w = { .shared = shared, .user = comm };
    int64_t number = 0;
    for (struct closing *c; shared && (c = take(number, is_of_call, &w));) { /* the same on all ranks */
        number = c->number;
        meet_and_look_all(c, 0, c->ds->lease.shared == shared);
    }
    for (struct closing *c; !shared && (c = take_first(NULL, 0));) /* the same on all ranks */
        meet_and_look_all(c, 0, true);
    free_spares_all(shared);
}

void pcdf_closing_tell_unasked(void)
{
    pthread_mutex_lock(&lock);
    for (struct told *t = errors; t; t = t->next) {
        if (t->speaks && !t->is_asked)
            tell(t->text);
        t->speaks = false;
    }
    pthread_mutex_unlock(&lock);
}

void pcdf_closing_end_all(void)
{
    pcdf_closing_end_of_all(NULL, MPI_COMM_NULL);
    pcdf_closing_tell_unasked();
    (void)fetch_errors(&(struct filter){ .path = NULL });
    pcdf_fail_clear();
}
