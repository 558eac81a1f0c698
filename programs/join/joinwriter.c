/* See joinwriter.h. Two rooms take turns: one is filled, what was in the other is written. */
#include "joinwriter.h"
#include "alloc.h"
#include "posixio.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct pcdf_join_writer {
    const char *name;
    unsigned char *rooms[2];
    int fd, next; /* next: the room that is filled */
    bool has_thread;
    pthread_t thread;
    /* the lock's */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int busy; /* the room that is written; -1: none */
    struct pcdf_join_runs runs;
    int err; /* errno of the first that failed */
    bool ends;
};

/* More than one that this process may run on: ranks that are bound to one get no thread. */
static bool has_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 1;
}

static int write_room(const struct pcdf_join_writer *w, int room, const struct pcdf_join_runs *runs)
{
    for (int64_t i = 0; i < runs->n; i++) {
        errno = EIO;
        if (pcdf_posix_move(w->fd, PCDF_PUT, w->rooms[room] + i * runs->bytes, runs->bytes,
                            runs->at + i * runs->step, NULL, w->name))
            return errno ? errno : EIO;
    }
    return 0;
}

static void *write_rooms(void *context)
{
    struct pcdf_join_writer *w = context;
    pthread_mutex_lock(&w->lock);
    while (!w->ends || w->busy >= 0) {
        if (w->busy < 0) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        int err = w->err, room = w->busy;
        struct pcdf_join_runs runs = w->runs;
        pthread_mutex_unlock(&w->lock);
        if (!err)
            err = write_room(w, room, &runs);
        pthread_mutex_lock(&w->lock);
        w->err = err;
        w->busy = -1;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Signals are the program's own thread's. */
static void begin_thread(struct pcdf_join_writer *w)
{
    sigset_t all, before;
    if (!has_processors())
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->has_thread = pthread_create(&w->thread, NULL, write_rooms, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void free_all(struct pcdf_join_writer *w)
{
    pcdf_free(w->rooms[0]);
    pcdf_free(w->rooms[1]);
    pcdf_free(w);
}

struct pcdf_join_writer *pcdf_join_writer_begin(const char *name, int64_t most)
{
    struct pcdf_join_writer *w = pcdf_calloc(1, sizeof *w);
    if (!w) {
        errno = ENOMEM;
        return NULL;
    }
    *w = (struct pcdf_join_writer){ .name = name, .busy = -1 };
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    for (int i = 0; i < 2; i++)
        w->rooms[i] = pcdf_malloc((size_t)most);
    w->fd = w->rooms[0] && w->rooms[1] ? pcdf_posix_open(name, O_WRONLY) : -1;
    if (w->fd < 0) {
        int err = w->rooms[0] && w->rooms[1] ? errno : ENOMEM;
        free_all(w);
        errno = err;
        return NULL;
    }
    begin_thread(w);
    return w;
}

unsigned char *pcdf_join_writer_room(const struct pcdf_join_writer *w)
{
    return w->rooms[w->next];
}

int pcdf_join_writer_put(struct pcdf_join_writer *w, const struct pcdf_join_runs *runs)
{
    if (!w->has_thread) {
        w->err = w->err ? w->err : write_room(w, w->next, runs);
        return w->err;
    }
    pthread_mutex_lock(&w->lock);
    while (w->busy >= 0)
        pthread_cond_wait(&w->changed, &w->lock);
    int err = w->err;
    w->busy = w->next;
    w->runs = *runs;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    w->next = !w->next;
    return err;
}

int pcdf_join_writer_end(struct pcdf_join_writer *w, bool keeps)
{
    bool failed = false;
    if (w->has_thread) {
        pthread_mutex_lock(&w->lock);
        w->ends = true;
        pthread_cond_broadcast(&w->changed);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    int err = w->err;
    if (!err && keeps && pcdf_posix_sync(w->fd, w->name, &failed))
        err = errno ? errno : EIO;
    if (close(w->fd) && !err)
        err = errno;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free_all(w);
    return err;
}
