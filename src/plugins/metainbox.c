/* See metainbox.h. */

#include "metainbox.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "maphost.h"
#include "status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_come = PTHREAD_COND_INITIALIZER;
static struct queue {
    struct pcdf_metainbox_message *first, **last;
} told = { NULL, &told.first }, answers = { NULL, &answers.first };
static int nawaited;

/* ---- the thread */

/* What there is no memory for. */
static void skip(int64_t n)
{
    char room[4096];
    for (int64_t part; n > 0; n -= part) {
        part = n < (int64_t)sizeof room ? n : (int64_t)sizeof room;
        pcdf_maphost_get(room, (size_t)part);
    }
}

static bool has_bytes(const struct pcdf_mapwire_message *m)
{
    return m->what != PCDF_METAWIRE_FLUSH && m->length > 0 &&
           (m->what != PCDF_MAPWIRE_BYTES || m->code == NC_NOERR);
}

/* Not by pcdf_malloc, whose sentence of failure belongs to the main thread. */
static struct pcdf_metainbox_message *get_message(void)
{
    struct pcdf_mapwire_message is;
    pcdf_maphost_get(&is, sizeof is);
    struct pcdf_metainbox_message *m = calloc(1, sizeof *m);
    if (!m)
        raise(SIGKILL); /* too much memory: so the library says it */
    else
        m->is = is;
    if (m && has_bytes(&is)) {
        m->bytes = malloc((size_t)is.length);
        if (m->bytes)
            pcdf_maphost_get(m->bytes, (size_t)is.length);
        else
            skip(is.length);
    }
    return m;
}

static void *listen(void *nothing)
{
    (void)nothing;
    for (;;) {
        struct pcdf_metainbox_message *m = get_message();
        struct queue *q = m->is.what == PCDF_MAPWIRE_BYTES ? &answers : &told;
        pthread_mutex_lock(&lock);
        *q->last = m;
        q->last = &m->next;
        nawaited += m->is.what == PCDF_METAWIRE_FLUSH;
        pthread_cond_signal(&has_come);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int pcdf_metainbox_start(void)
{
    pthread_t thread;
    int err = pthread_create(&thread, NULL, listen, NULL);
    return err ? err : pthread_detach(thread);
}

/* ---- the main thread */

static struct pcdf_metainbox_message *take(struct queue *q)
{
    pthread_mutex_lock(&lock);
    while (!q->first)
        pthread_cond_wait(&has_come, &lock);
    struct pcdf_metainbox_message *m = q->first;
    q->first = m->next;
    if (!q->first)
        q->last = &q->first;
    pthread_mutex_unlock(&lock);
    return m;
}

struct pcdf_metainbox_message *pcdf_metainbox_take(void)
{
    return take(&told);
}

void pcdf_metainbox_free(struct pcdf_metainbox_message *message)
{
    free(message->bytes);
    free(message);
}

static int read_part(int64_t offset, int64_t length, void *to)
{
    pcdf_maphost_say(PCDF_MAPWIRE_READ, 0, offset, length);
    struct pcdf_metainbox_message *m = take(&answers);
    int err = m->is.code;
    if (!err && m->bytes && m->is.length == length)
        memcpy(to, m->bytes, (size_t)length);
    else if (!err)
        err = NC_ENOMEM;
    pcdf_metainbox_free(m);
    return err;
}

int pcdf_metainbox_read(int64_t offset, int64_t length, void *to)
{
    for (int64_t done = 0, n; done < length; done += n) {
        n = length - done < PCDF_MAPWIRE_MOST_READ ? length - done : PCDF_MAPWIRE_MOST_READ;
        int err = read_part(offset + done, n, (char *)to + done);
        if (err)
            return err;
    }
    return NC_NOERR;
}

void pcdf_metainbox_room_of(const struct pcdf_metainbox_message *message, int64_t *begin, int64_t *end)
{
    struct pcdf_metawire_room room = { INT64_MAX / 2, 0 };
    if (message->is.what == PCDF_METAWIRE_ENTER && message->bytes)
        memcpy(&room, message->bytes, sizeof room);
    *begin = message->is.offset;
    *end = message->is_room_used ? *begin : *begin + room.length;
}

static struct pcdf_metainbox_message *find_room(void)
{
    for (struct pcdf_metainbox_message *m = told.first; m; m = m->next)
        if (!m->is_room_used && (m->is.what == PCDF_METAWIRE_ENTER || m->is.what == PCDF_METAWIRE_FLUSH))
            return m;
    return NULL;
}

void pcdf_metainbox_room(int64_t *begin, int64_t *end)
{
    struct pcdf_metainbox_message *m;
    pthread_mutex_lock(&lock);
    while (!(m = find_room()))
        pthread_cond_wait(&has_come, &lock);
    pcdf_metainbox_room_of(m, begin, end);
    m->is_room_used = true;
    pthread_mutex_unlock(&lock);
}

bool pcdf_metainbox_is_awaited(void)
{
    pthread_mutex_lock(&lock);
    bool is = nawaited > 0;
    pthread_mutex_unlock(&lock);
    return is;
}

void pcdf_metainbox_answered(void)
{
    pthread_mutex_lock(&lock);
    nawaited--;
    pthread_mutex_unlock(&lock);
}
