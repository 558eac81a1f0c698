/* See writer.h. */

#include "writer.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "status.h"
#include "tracefile.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Held to start or end the thread; taken before lock. */
static pthread_mutex_t coming = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_work; /* the thread waits for it */
static pthread_cond_t is_done;  /* callers wait for it */

/* Puts come in bursts, such as a checkpoint. Where all cores are in use, writing during a burst takes time
 * from the calls that make it. So a write waits until no put came for QUIET seconds, but no longer than
 * PATIENCE, and not where somebody waits or three quarters of the memory are taken. */
static const double QUIET = 0.004, PATIENCE = 0.2;
/* So much less is the thread's priority than that of the computation. */
enum { NICER = 10 };

static struct {
    struct pcdf_writes *queues;
    pthread_t thread;
    bool ends;
    /* The thread sleeps, and will wake by itself to see what waits. */
    bool wakes;
    /* Callers that wait for memory of any queue. While there are some, no limit holds. */
    int urgent;
    size_t lists;    /* bytes of structs of all waiting writes */
    double last_put; /* when a write was accepted */
} writer;

void pcdf_writer_lock(void)
{
    pthread_mutex_lock(&lock);
}

void pcdf_writer_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* ---- the thread. It has the lock, except while it writes */

enum { MOST_PAUSE_MS = 16 }; /* between steps of an ending */

/* Does somebody wait until all of it is written? */
static bool is_urgent(const struct pcdf_writes *q)
{
    return q->waiters > 0 || (q->ending.step && atomic_load(q->ending.hurry));
}

/* When the thread may go on with a queue, which has something to do: 0: now. The limit (q->not_before) always
 * holds, except where somebody waits; the end of a burst only while there is memory. */
static double due(const struct pcdf_writes *q)
{
    if (!q->first)
        return q->syncs ? 0 : q->ending.at;
    if (is_urgent(q) || writer.urgent > 0)
        return 0;
    double at = q->not_before, quiet = writer.last_put + QUIET, patience = q->first->since + PATIENCE,
           burst_ends = quiet < patience ? quiet : patience,
           soon = pcdf_tracefile_clock() + 1e-3 * MOST_PAUSE_MS;
    if (at < burst_ends && !pcdf_writepool_is_nearly_taken())
        at = burst_ends;
    return q->ending.step && at > soon ? soon : at; /* it may become urgent */
}

/* The queue that is next. NULL: none; *until is when the next one may go, 0: nothing waits. */
static struct pcdf_writes *choose(double *until)
{
    struct pcdf_writes *best = NULL;
    double now = pcdf_tracefile_clock();
    *until = 0;
    for (struct pcdf_writes *q = writer.queues; q; q = q->next) {
        if ((!q->first && !q->syncs && !q->ending.step) || q->is_taken || q->callers > 0)
            continue;
        double at = due(q);
        if (at > now) {
            *until = *until > 0 && *until < at ? *until : at;
            continue;
        }
        if (!q->first || is_urgent(q))
            return q;
        if (!best || q->first->since < best->first->since)
            best = q;
    }
    return best;
}

/* It does not wait any more. */
static void free_write(struct pcdf_writes *q, struct pcdf_write *w)
{
    q->bytes -= w->bytes;
    writer.lists -= w->size;
    if (w->memory)
        pcdf_writepool_drop(w->memory);
    pcdf_free(w);
}

/* Drops all writes of the queue, also the one that failed. */
static void drop_all(struct pcdf_writes *q)
{
    while (q->first) {
        struct pcdf_write *w = q->first;
        q->first = w->next;
        free_write(q, w);
    }
    q->last = NULL;
}

static void fail(struct pcdf_writes *q, int err)
{
    q->failed = err;
    snprintf(q->text, sizeof q->text, "%s", pcdf_fail_text());
    drop_all(q);
}

/* From memory or from the log. When this was the last write in the log, the log is emptied; if a sync relied
 * on the log, the file is synced before. */
static int write_one(struct pcdf_writes *q, const struct pcdf_write *w)
{
    int64_t last;
    bool is_acknowledged;
    if (!w->memory)
        PCDF_TRY(pcdf_stagelog_fetch(q->stage, &w->place));
    if (q->stage)
        pcdf_stagelog_touch(q->stage);
    PCDF_TRY(pcdf_storage_move(q->below, &w->x, NULL));
    if (q->stage)
        pcdf_stagelog_touch(q->stage);
    if (!q->stage || !pcdf_stagelog_has_records(q->stage, &last, &is_acknowledged) || last > w->number)
        return NC_NOERR;
    if (is_acknowledged)
        PCDF_TRY(pcdf_storage_sync(q->below, false));
    return pcdf_stagelog_empty(q->stage, w->number, NULL);
}

/* Gives up the lock while it writes. Until then the write stays in the list, where gets look for it. */
static void write_first(struct pcdf_writes *q)
{
    struct pcdf_write *w = q->first;
    q->is_taken = true;
    pthread_mutex_unlock(&lock);
    double begin = pcdf_tracefile_clock();
    pcdf_fail_clear();
    int err = write_one(q, w);
    double end = pcdf_tracefile_clock();
    if (q->log)
        pcdf_tracefile_line(q->log, "%s %zu %lld %lld %d %.7f %.7f", w->memory ? "write" : "write_staged",
                            w->x.n, (long long)w->x.pieces->offset, (long long)w->bytes, err,
                            pcdf_tracefile_at(q->log, begin), pcdf_tracefile_at(q->log, end));
    pthread_mutex_lock(&lock);
    q->is_taken = false;
    q->not_before = begin + (double)w->bytes * q->seconds_each_byte;
    if (err) {
        fail(q, err);
    } else {
        q->written = w->number;
        q->first = w->next;
        q->last = q->first ? q->last : NULL;
        free_write(q, w);
    }
    pthread_cond_broadcast(&is_done);
}

/* Gives up the lock while it syncs. */
static void sync_file(struct pcdf_writes *q)
{
    q->is_taken = true;
    pthread_mutex_unlock(&lock);
    pcdf_fail_clear();
    double begin = pcdf_tracefile_clock();
    int err = pcdf_storage_sync(q->below, false);
    if (q->log)
        pcdf_tracefile_line(q->log, "write_sync 0 0 0 %d %.7f %.7f", err, pcdf_tracefile_at(q->log, begin),
                            pcdf_tracefile_at(q->log, pcdf_tracefile_clock()));
    pthread_mutex_lock(&lock);
    q->is_taken = q->syncs = false;
    if (err && !q->failed)
        fail(q, err);
    pthread_cond_broadcast(&is_done);
}

/* Gives up the lock meanwhile. */
static void make_step(struct pcdf_writes *q)
{
    q->is_taken = true;
    pthread_mutex_unlock(&lock);
    bool is_last = q->ending.step(q->ending.context, q->below, q->failed, q->text);
    pthread_mutex_lock(&lock);
    q->is_taken = false;
    q->ending.pause = is_urgent(q) ? 1e-3 : 2 * q->ending.pause;
    if (q->ending.pause > 1e-3 * MOST_PAUSE_MS)
        q->ending.pause = 1e-3 * MOST_PAUSE_MS;
    q->ending.at = pcdf_tracefile_clock() + q->ending.pause;
    if (is_last)
        q->ending.step = NULL;
    pthread_cond_broadcast(&is_done);
}

/* Lets the system give memory its pages, which takes longer than filling it. Gives up the lock meanwhile. */
static void warm(char *at, int64_t bytes)
{
    pthread_mutex_unlock(&lock);
    bool is_warm = !madvise(at, (size_t)bytes, MADV_POPULATE_WRITE);
    pthread_mutex_lock(&lock);
    if (!is_warm) /* a kernel before 5.14, or no memory */
        pcdf_writepool_stays_cold();
}

/* If the rank is bound to a core, the thread would take time from the computation there: it asks for all
 * cores. The system allows those that the job has. Where all of these compute, the thread comes second: Linux
 * has a priority for each thread. */
static void step_back(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    (void)sched_setaffinity(0, sizeof all, &all);
    id_t thread = (id_t)syscall(SYS_gettid);
    (void)setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + NICER);
}

/* Until there is work, or, where `until` is no 0, until then. Under the lock. */
static void sleep_until(double until)
{
    const struct timespec wake = { (time_t)until, (long)((until - (double)(time_t)until) * 1e9) };
    writer.wakes = until > 0 && until <= pcdf_tracefile_clock() + PATIENCE; /* soon enough for any put */
    if (until > 0)
        pthread_cond_timedwait(&has_work, &lock, &wake);
    else
        pthread_cond_wait(&has_work, &lock);
    writer.wakes = false;
}

static void *write_until_end(void *nothing)
{
    double until;
    char *cold;
    int64_t bytes;
    step_back();
    pthread_mutex_lock(&lock);
    while (!writer.ends) {
        struct pcdf_writes *q = choose(&until);
        if (q && q->first)
            write_first(q);
        else if (q && q->syncs)
            sync_file(q);
        else if (q)
            make_step(q);
        else if ((cold = pcdf_writepool_cold(&bytes)))
            warm(cold, bytes);
        else
            sleep_until(until);
    }
    pthread_mutex_unlock(&lock);
    return nothing;
}

/* A new thread has the signal mask of the thread that makes it: so all signals are blocked meanwhile. */
static int start(void)
{
    sigset_t all, before;
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&has_work, &attr);
    pthread_cond_init(&is_done, NULL);
    pthread_condattr_destroy(&attr);
    writer.ends = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(&writer.thread, NULL, write_until_end, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return err ? PCDF_FAIL(NC_ENOMEM, "no thread can be started: %s", strerror(err)) : NC_NOERR;
}

/* ---- queues come and go */

int pcdf_writer_enter(struct pcdf_writes *q, int64_t pool_bytes)
{
    pthread_mutex_lock(&coming);
    pthread_mutex_lock(&lock);
    int err = pcdf_writepool_enter(pool_bytes);
    if (!err && !writer.queues && (err = start()))
        pcdf_writepool_leave();
    if (!err) {
        q->next = writer.queues;
        writer.queues = q;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&coming);
    return err;
}

void pcdf_writer_leave(struct pcdf_writes *q)
{
    pthread_mutex_lock(&coming);
    pthread_mutex_lock(&lock);
    struct pcdf_writes **slot = &writer.queues;
    while (*slot != q)
        slot = &(*slot)->next;
    *slot = q->next;
    pcdf_writepool_leave();
    writer.ends = !writer.queues;
    bool ends = writer.ends;
    if (ends)
        pthread_cond_signal(&has_work);
    pthread_mutex_unlock(&lock);
    if (ends) {
        pthread_join(writer.thread, NULL);
        pthread_cond_destroy(&has_work);
        pthread_cond_destroy(&is_done);
    }
    pthread_mutex_unlock(&coming);
}

/* ---- callers, under the lock */

/* Waits until something changed. Counts itself in *waiters, for which choose lifts limits. */
static void wait(int *waiters, double *waited)
{
    double begin = pcdf_tracefile_clock();
    (*waiters)++;
    pthread_cond_signal(&has_work);
    pthread_cond_wait(&is_done, &lock);
    (*waiters)--;
    *waited += pcdf_tracefile_clock() - begin;
}

/* Does any write wait? It will give memory back. */
static bool is_writing(void)
{
    for (const struct pcdf_writes *q = writer.queues; q; q = q->next)
        if (q->first)
            return true;
    return false;
}

/* Drops blocks that queues keep for their next puts, and in which nothing waits. False: there was none. */
static bool take_back_idle(void)
{
    bool any = false;
    for (struct pcdf_writes *q = writer.queues; q; q = q->next)
        if (q->block && pcdf_writepool_holders(q->block) == 1) {
            pcdf_writepool_drop(q->block);
            q->block = NULL;
            any = true;
        }
    return any;
}

char *pcdf_writer_block(int64_t bytes, double *waited)
{
    char *block;
    while (!(block = pcdf_writepool_take(bytes))) {
        if (take_back_idle())
            continue;
        if (!waited || !is_writing())
            return NULL;
        wait(&writer.urgent, waited);
    }
    return block;
}

void pcdf_writer_wait_lists(size_t bytes, double *waited)
{
    while (writer.lists > bytes && is_writing())
        wait(&writer.urgent, waited);
}

void pcdf_writer_add(struct pcdf_writes *q, struct pcdf_write *w)
{
    if (q->failed) { /* while the caller had given up the lock */
        pcdf_free(w);
        return;
    }
    w->next = NULL;
    w->number = ++q->accepted;
    w->since = writer.last_put = pcdf_tracefile_clock();
    if (w->memory)
        pcdf_writepool_hold(w->memory);
    if (q->last)
        q->last->next = w;
    else
        q->first = w;
    q->last = w;
    q->bytes += w->bytes;
    writer.lists += w->size;
    /* Waking it for each put would disturb the burst. */
    if (!writer.wakes || pcdf_writepool_is_nearly_taken())
        pthread_cond_signal(&has_work);
}

void pcdf_writer_sync(struct pcdf_writes *q)
{
    q->syncs = true;
    pthread_cond_signal(&has_work);
}

void pcdf_writer_end_by(struct pcdf_writes *q, const struct pcdf_ending *ending)
{
    q->ending = *ending;
    q->ending.pause = 5e-4;
    pthread_cond_signal(&has_work);
}

void pcdf_writer_wait_ended(struct pcdf_writes *q, double *waited)
{
    while (q->ending.step)
        wait(&q->waiters, waited);
}

void pcdf_writer_wait(struct pcdf_writes *q, int64_t number, double *waited)
{
    while (q->written < number && !q->failed)
        wait(&q->waiters, waited);
}

void pcdf_writer_take(struct pcdf_writes *q)
{
    q->callers++;
    while (q->is_taken)
        pthread_cond_wait(&is_done, &lock);
    q->is_taken = true;
}

void pcdf_writer_give(struct pcdf_writes *q)
{
    q->is_taken = false;
    q->callers--;
    pthread_cond_signal(&has_work);
}
