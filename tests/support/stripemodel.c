/* See stripemodel.h. */

#include "stripemodel.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_GROWTH_DOWN = 4, LITTLE_GROWTH = 32, GROWTH = 32 << 20 };

struct lock { /* of bytes of an object */
    int64_t begin, end;
    int client;
};

struct target {
    struct lock *locks; /* rising, none overlap */
    size_t n, room;
    int64_t bytes; /* of this step */
    int writers, clients;
};

struct stripemodel {
    int64_t stripe;
    int ntargets, nwriters, nclients;
    struct target *targets;
    unsigned char *wrote, *has; /* by target: each writer, each client */
    int *busy;                  /* targets, by step */
    size_t steps, room;
    int64_t calls, bytes, transfers, slowest; /* slowest: of each step, the bytes of the busiest target */
};

static void *grown(void *old, size_t n, size_t size)
{
    void *x = realloc(old, (n ? n : 1) * size);
    if (!x) {
        fprintf(stderr, "stripemodel: no memory\n");
        exit(1);
    }
    return x;
}

static void *zeros(size_t n, size_t size)
{
    return memset(grown(NULL, n, size), 0, (n ? n : 1) * size);
}

struct stripemodel *stripemodel_make(int64_t stripe, int targets, int writers, int clients)
{
    struct stripemodel *m = zeros(1, sizeof *m);
    *m = (struct stripemodel){
        .stripe = stripe, .ntargets = targets, .nwriters = writers, .nclients = clients
    };
    m->targets = zeros((size_t)targets, sizeof *m->targets);
    m->wrote = zeros((size_t)targets * (size_t)writers, 1);
    m->has = zeros((size_t)targets * (size_t)clients, 1);
    return m;
}

void stripemodel_free(struct stripemodel *m)
{
    for (int i = 0; i < m->ntargets; i++)
        free(m->targets[i].locks);
    free(m->targets);
    free(m->wrote);
    free(m->has);
    free(m->busy);
    free(m);
}

/* The first lock that ends behind `at`. */
static size_t find(const struct target *t, int64_t at)
{
    size_t low = 0, high = t->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (t->locks[mid].end <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* A lock on [begin, end) of an object for a client, in the place of those that are in the way or its own. */
static void take_lock(struct stripemodel *m, struct target *t, int client, int64_t begin, int64_t end)
{
    size_t first = find(t, begin), behind = first;
    int64_t taken = 0;
    if (first < t->n && t->locks[first].client == client && t->locks[first].begin <= begin &&
        end <= t->locks[first].end)
        return;
    struct lock lock = { begin, end, client };
    for (; behind < t->n && t->locks[behind].begin < end; behind++) {
        const struct lock *old = &t->locks[behind];
        if (old->client != client) {
            taken++;
            continue;
        }
        lock.begin = old->begin < lock.begin ? old->begin : lock.begin;
        lock.end = old->end > lock.end ? old->end : lock.end;
    }
    m->transfers += taken;
    if (taken == 0) {
        bool is_first = first == 0, is_last = behind == t->n;
        int64_t low = is_first ? 0 : t->locks[first - 1].end,
                high = is_last ? INT64_MAX : t->locks[behind].begin;
        if (t->n > LITTLE_GROWTH && high > end + GROWTH)
            high = end + GROWTH;
        if (t->n <= NO_GROWTH_DOWN && low < lock.begin)
            lock.begin = low;
        lock.end = high > lock.end ? high : lock.end;
    }
    if (t->n + 1 > t->room) {
        t->room = 2 * t->room + 8;
        t->locks = grown(t->locks, t->room, sizeof *t->locks);
    }
    memmove(t->locks + first + 1, t->locks + behind, (t->n - behind) * sizeof *t->locks);
    t->n += 1 - (behind - first);
    t->locks[first] = lock;
}

void stripemodel_put(struct stripemodel *m, int writer, int client, int64_t offset, int64_t bytes)
{
    m->calls++;
    m->bytes += bytes;
    while (bytes > 0) {
        int64_t unit = offset / m->stripe, within = offset % m->stripe;
        int64_t part = m->stripe - within < bytes ? m->stripe - within : bytes;
        int64_t at = unit / m->ntargets * m->stripe + within; /* in the object */
        size_t i = (size_t)(unit % m->ntargets);
        struct target *t = &m->targets[i];
        unsigned char *wrote = &m->wrote[i * (size_t)m->nwriters + (size_t)writer];
        unsigned char *has = &m->has[i * (size_t)m->nclients + (size_t)client];
        t->writers += !*wrote;
        t->clients += !*has;
        *wrote = *has = 1;
        t->bytes += part;
        take_lock(m, t, client, at, at + part);
        offset += part;
        bytes -= part;
    }
}

void stripemodel_step(struct stripemodel *m)
{
    int busy = 0;
    int64_t most = 0;
    for (int i = 0; i < m->ntargets; i++) {
        busy += m->targets[i].bytes > 0;
        most = m->targets[i].bytes > most ? m->targets[i].bytes : most;
        m->targets[i].bytes = 0;
    }
    if (busy == 0)
        return;
    m->slowest += most;
    if (m->steps == m->room) {
        m->room = 2 * m->room + 64;
        m->busy = grown(m->busy, m->room, sizeof *m->busy);
    }
    m->busy[m->steps++] = busy;
}

struct stripemodel_figures stripemodel_read(const struct stripemodel *m)
{
    struct stripemodel_figures f = {
        .calls = m->calls, .bytes = m->bytes, .steps = (int64_t)m->steps, .transfers = m->transfers
    };
    size_t from = m->steps / 10, to = m->steps - from;
    for (size_t i = from; i < to; i++)
        f.busy += m->busy[i] / (double)(to - from);
    f.share = m->slowest > 0 ? (double)m->bytes / ((double)m->slowest * m->ntargets) : 0;
    for (int i = 0; i < m->ntargets; i++) {
        const struct target *t = &m->targets[i];
        f.writers = t->writers > f.writers ? t->writers : f.writers;
        f.clients = t->clients > f.clients ? t->clients : f.clients;
    }
    for (int w = 0; w < m->nwriters; w++) {
        int targets = 0;
        for (int i = 0; i < m->ntargets; i++)
            targets += m->wrote[(size_t)i * (size_t)m->nwriters + (size_t)w];
        f.targets = targets > f.targets ? targets : f.targets;
        f.active += targets > 0;
    }
    return f;
}
