/* See nodecache.h. All that tells where chunks are changes under a lock, for a few lines each time; chunks
 * are decoded and read without it. The lock knows of owners that died: then the cache is given up, as it is
 * where the lock can't be had for a long time. */

#include "nodecache.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "alloc.h"
#include "hash.h"
#include "numbers.h"

enum { LINE = 64, PAGE = 4096, BUCKETS = 1 << 14, MOST_SLOTS = 1 << 14, LARGEST_SIZE = 31 };
enum { LOCK_SECONDS = 1, PINNED = 256, TOLD = 8 /* dimensions; others are as if all were read */ };
/* How long others wait for somebody who does not get on: as long as slow codecs need, and some more. */
#define PATIENCE         INT64_C(100000000) /* nanoseconds */
#define PATIENCE_OF_BYTE INT64_C(20)
#define PAUSE            INT64_C(50000)
#define LONGEST_PAUSE    INT64_C(1000000)

enum state { FREE, DECODING, READY };

struct slot { /* places are numbered from 1 */
    int64_t chunk;
    int64_t held; /* bytes of its memory that may have been touched, and count */
    int32_t var, state, user;
    _Atomic int32_t readers;
    int32_t next;         /* in its bucket, or of the free ones of its size */
    int32_t newer, older; /* by use, of those that are ready */
};

struct user {                                 /* each writes its own */
    _Alignas(LINE) _Atomic int64_t heartbeat; /* chunks that it published or gave back */
    _Atomic int64_t late;                     /* one more than the heartbeat at which others gave it up */
    _Atomic int64_t used;                     /* by others: how often they read what it decoded */
    /* What it reads, as it told; not all of one time: nothing but speed depends on it. */
    _Atomic int32_t var, ndims; /* ndims: one more, 0: it reads nothing */
    _Atomic int64_t low[TOLD], high[TOLD];
};

struct head {
    pthread_mutex_t lock;
    int32_t is_broken; /* as the rest: under the lock */
    int64_t held;
    int32_t newest, oldest;
    int32_t used[PCDF_NODECACHE_SIZES]; /* slots of a size that were ever used: the first ones */
    int32_t free[PCDF_NODECACHE_SIZES];
};

struct pcdf_nodecache {
    struct pcdf_nodecache_plan plan;
    struct pcdf_sharedmemory memory;
    int user;
    bool has_left; /* it is of no use any more */
    int64_t used;  /* of this user, when it was last looked at */
    int64_t vain;  /* bytes that it decoded since, and that nobody else read */
    struct head *head;
    struct user *users;
    int32_t *buckets;
    struct slot *slots; /* place 1 is slots[0] */
    /* by size: */
    int32_t first[PCDF_NODECACHE_SIZES + 1]; /* place before the first one */
    int64_t region[PCDF_NODECACHE_SIZES];    /* where its memory begins */
    unsigned char
        *seen; /* by place: this process has its pages, for reading, for writing, too; counted memory */
};

/* ---- where things lie */

static int64_t rounded(int64_t bytes, int64_t to)
{
    return (bytes + to - 1) / to * to;
}

static int size_of(int64_t bytes)
{
    int size = 0;
    while (INT64_C(1) << size < bytes)
        size++;
    return size;
}

static bool fits(const struct pcdf_nodecache_plan *plan, int64_t bytes)
{
    return bytes >= PCDF_NODECACHE_LEAST && bytes <= INT64_C(1) << LARGEST_SIZE &&
           bytes <= plan->most / plan->users;
}

bool pcdf_nodecache_plan_size(struct pcdf_nodecache_plan *plan, int64_t bytes)
{
    if (!fits(plan, bytes))
        return false;
    plan->sizes |= UINT32_C(1) << size_of(bytes);
    return true;
}

struct layout {                            /* offsets in the memory */
    int64_t users, buckets, slots, tables; /* tables: where they end */
    int64_t bytes;
};

/* Address space costs nothing: of each size there are as many places as all memory could fill. first, region:
 * as in pcdf_nodecache. */
static struct layout lay_out(const struct pcdf_nodecache_plan *plan, int32_t *first, int64_t *region)
{
    struct layout l = { .users = rounded(sizeof(struct head), LINE) };
    l.buckets = l.users + plan->users * (int64_t)sizeof(struct user);
    l.slots = rounded(l.buckets + BUCKETS * (int64_t)sizeof(int32_t), LINE);
    first[0] = 0;
    for (int i = 0; i < PCDF_NODECACHE_SIZES; i++) {
        bool is_used = plan->sizes >> i & 1;
        int64_t n = is_used ? pcdf_smaller(plan->most / (INT64_C(1) << (i - 1)), MOST_SLOTS) : 0;
        first[i + 1] = first[i] + (int32_t)n;
    }
    l.tables = rounded(l.slots + first[PCDF_NODECACHE_SIZES] * (int64_t)sizeof(struct slot), PAGE);
    l.bytes = l.tables;
    for (int i = 0; i < PCDF_NODECACHE_SIZES; i++) {
        region[i] = l.bytes;
        l.bytes += (first[i + 1] - first[i]) * (INT64_C(1) << i);
    }
    return l;
}

int64_t pcdf_nodecache_bytes(const struct pcdf_nodecache_plan *plan)
{
    struct pcdf_nodecache c;
    return lay_out(plan, c.first, c.region).bytes;
}

bool pcdf_nodecache_lay_out(const struct pcdf_nodecache_plan *plan, const struct pcdf_sharedmemory *memory)
{
    struct pcdf_nodecache c;
    struct head *head = (struct head *)memory->at;
    pthread_mutexattr_t how;
    if (!pcdf_sharedmemory_take(memory, 0, lay_out(plan, c.first, c.region).tables) ||
        pthread_mutexattr_init(&how))
        return false;
    bool made = !pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED) &&
                !pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST) &&
                !pthread_mutex_init(&head->lock, &how);
    pthread_mutexattr_destroy(&how);
    return made;
}

struct pcdf_nodecache *pcdf_nodecache_enter(const struct pcdf_nodecache_plan *plan, int user,
                                            const struct pcdf_sharedmemory *memory)
{
    struct pcdf_nodecache *c = pcdf_calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->plan = *plan;
    c->memory = *memory;
    c->user = user;
    const struct layout l = lay_out(plan, c->first, c->region);
    c->head = (struct head *)memory->at;
    c->users = (struct user *)(memory->at + l.users);
    c->buckets = (int32_t *)(memory->at + l.buckets);
    c->slots = (struct slot *)(memory->at + l.slots);
    c->seen = pcdf_calloc((size_t)c->first[PCDF_NODECACHE_SIZES] + 1, 1);
    if (!c->seen) {
        pcdf_free(c);
        return NULL;
    }
    (void)madvise(memory->at, (size_t)memory->bytes, MADV_DONTDUMP);
    return c;
}

void pcdf_nodecache_leave(struct pcdf_nodecache *c)
{
    if (!c)
        return;
    pcdf_sharedmemory_free(&c->memory);
    pcdf_free(c->seen);
    pcdf_free(c);
}

const struct pcdf_nodecache_plan *pcdf_nodecache_plan_of(const struct pcdf_nodecache *c)
{
    return &c->plan;
}

int pcdf_nodecache_user(const struct pcdf_nodecache *c)
{
    return c->user;
}

static struct slot *slot_at(const struct pcdf_nodecache *c, int32_t place)
{
    return &c->slots[place - 1];
}

static int size_at(const struct pcdf_nodecache *c, int32_t place)
{
    int i = 0;
    while (c->first[i + 1] < place)
        i++;
    return i;
}

static int64_t offset_of(const struct pcdf_nodecache *c, int32_t place)
{
    int size = size_at(c, place);
    return c->region[size] + (place - 1 - c->first[size]) * (INT64_C(1) << size);
}

/* ---- the lock */

/* False: there is no cache any more. */
static bool lock(struct pcdf_nodecache *c)
{
    struct timespec until;
    if (c->has_left)
        return false;
    int err = pthread_mutex_trylock(&c->head->lock);
    if (err == EBUSY) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += LOCK_SECONDS;
        err = pthread_mutex_timedlock(&c->head->lock, &until);
    }
    if (err == EOWNERDEAD) { /* in the middle of something */
        c->head->is_broken = true;
        err = pthread_mutex_consistent(&c->head->lock);
    }
    c->has_left = err != 0;
    if (!err && c->head->is_broken) {
        c->has_left = true;
        pthread_mutex_unlock(&c->head->lock);
    }
    return !c->has_left;
}

static void unlock(struct pcdf_nodecache *c)
{
    pthread_mutex_unlock(&c->head->lock);
}

/* ---- lists; the lock is held, as in all that follows up to what can be called */

static int32_t *bucket_of(const struct pcdf_nodecache *c, int var, int64_t chunk)
{
    return &c->buckets[pcdf_hash_pair(var, chunk) % BUCKETS];
}

static int32_t look_up(const struct pcdf_nodecache *c, int var, int64_t chunk)
{
    int32_t place = *bucket_of(c, var, chunk);
    while (place && (slot_at(c, place)->var != var || slot_at(c, place)->chunk != chunk))
        place = slot_at(c, place)->next;
    return place;
}

static void insert(struct pcdf_nodecache *c, int32_t place)
{
    struct slot *s = slot_at(c, place);
    int32_t *bucket = bucket_of(c, s->var, s->chunk);
    s->next = *bucket;
    *bucket = place;
}

static void take_out(struct pcdf_nodecache *c, int32_t place)
{
    struct slot *s = slot_at(c, place);
    int32_t *at = bucket_of(c, s->var, s->chunk);
    while (*at != place)
        at = &slot_at(c, *at)->next;
    *at = s->next;
}

static void link_newest(struct pcdf_nodecache *c, int32_t place)
{
    struct slot *s = slot_at(c, place);
    s->newer = 0;
    s->older = c->head->newest;
    *(s->older ? &slot_at(c, s->older)->newer : &c->head->oldest) = place;
    c->head->newest = place;
}

static void unlink_used(struct pcdf_nodecache *c, int32_t place)
{
    struct slot *s = slot_at(c, place);
    *(s->newer ? &slot_at(c, s->newer)->older : &c->head->newest) = s->older;
    *(s->older ? &slot_at(c, s->older)->newer : &c->head->oldest) = s->newer;
}

/* ---- memory */

/* Its memory goes back to the system, where that does so; else it goes on to count. */
static void set_free(struct pcdf_nodecache *c, int32_t place)
{
    struct slot *s = slot_at(c, place);
    int size = size_at(c, place);
    if (s->held > 0 && pcdf_sharedmemory_give_back(&c->memory, offset_of(c, place), s->held)) {
        c->head->held -= s->held;
        s->held = 0;
    }
    s->state = FREE;
    s->next = c->head->free[size];
    c->head->free[size] = place;
}

/* One that nobody reads, of those used last the last; 0: there is none. Its memory still counts. */
static int32_t evict(struct pcdf_nodecache *c)
{
    int32_t place = c->head->oldest;
    for (int i = 0; place && i < PINNED && atomic_load(&slot_at(c, place)->readers) > 0; i++)
        place = slot_at(c, place)->newer;
    if (!place || atomic_load(&slot_at(c, place)->readers) > 0)
        return 0;
    unlink_used(c, place);
    take_out(c, place);
    slot_at(c, place)->state = FREE;
    return place;
}

/* In no list afterwards; 0: there is none. */
static int32_t take_unused(struct pcdf_nodecache *c, int size)
{
    struct head *head = c->head;
    int32_t place = head->free[size];
    if (place)
        head->free[size] = slot_at(c, place)->next;
    else if (head->used[size] < c->first[size + 1] - c->first[size])
        place = c->first[size] + ++head->used[size];
    return place;
}

/* A place for `bytes`, and room for them among what is held. What was used before of the same size is taken
 * as it is: its pages are there. *fresh: so many bytes at its end have none yet. */
static int32_t take_place(struct pcdf_nodecache *c, int64_t bytes, int64_t *fresh)
{
    struct head *head = c->head;
    int size = size_of(bytes);
    int32_t place = 0, old;
    for (;;) {
        int64_t more = bytes - (place ? slot_at(c, place)->held : 0);
        if (more <= 0 || head->held + more <= c->plan.most) {
            if (!place)
                place = take_unused(c, size);
            if (place)
                break;
        }
        if (!(old = evict(c)))
            break;
        if (!place && size_at(c, old) == size)
            place = old;
        else
            set_free(c, old);
    }
    int64_t more = place ? bytes - slot_at(c, place)->held : 0;
    if (more > 0 && head->held + more > c->plan.most) {
        set_free(c, place);
        return 0;
    }
    if (more > 0) {
        head->held += more;
        slot_at(c, place)->held = bytes;
    }
    *fresh = pcdf_larger(more, 0);
    return place;
}

/* ---- what can be called */

static bool is_late(const struct pcdf_nodecache *c, int user)
{
    return atomic_load(&c->users[user].late) == atomic_load(&c->users[user].heartbeat) + 1;
}

/* This process sees its pages. False: the system has no memory for what is fresh. */
static bool see(struct pcdf_nodecache *c, const struct pcdf_nodechunk *lent, int64_t held, int64_t fresh)
{
    enum { NOT, TO_READ, TO_WRITE };
    bool for_writing = lent->state == PCDF_NODECHUNK_MINE;
    unsigned char *seen = &c->seen[lent->place];
    int64_t offset = offset_of(c, lent->place);
    if (fresh > 0 && !pcdf_sharedmemory_take(&c->memory, offset + held - fresh, fresh))
        return false;
    if (fresh < held && *seen < (for_writing ? TO_WRITE : TO_READ))
        pcdf_sharedmemory_see(&c->memory, offset, held - fresh, for_writing);
    *seen = for_writing ? TO_WRITE : *seen > TO_READ ? *seen : TO_READ;
    return true;
}

/* Nobody has it. */
static int32_t begin(struct pcdf_nodecache *c, int var, int64_t chunk, int64_t bytes, int64_t *fresh)
{
    int32_t place = take_place(c, bytes, fresh);
    if (!place)
        return 0;
    struct slot *s = slot_at(c, place);
    s->var = var;
    s->chunk = chunk;
    s->state = DECODING;
    s->user = c->user;
    insert(c, place);
    return place;
}

void pcdf_nodecache_tell(struct pcdf_nodecache *c, int var, int ndims, const int64_t *low,
                         const int64_t *high)
{
    struct user *user = &c->users[c->user];
    for (int i = 0; i < ndims && i < TOLD; i++) {
        atomic_store_explicit(&user->low[i], low[i], memory_order_relaxed);
        atomic_store_explicit(&user->high[i], high[i], memory_order_relaxed);
    }
    atomic_store(&user->var, var);
    atomic_store(&user->ndims, ndims + 1);
}

static bool reads(struct user *user, int var, const int64_t *index, int ndims)
{
    int told = atomic_load(&user->var);
    bool meets = told < 0 || told == var;
    for (int i = 0; told >= 0 && meets && i < ndims && i < TOLD; i++)
        meets = index[i] >= atomic_load_explicit(&user->low[i], memory_order_relaxed) &&
                index[i] <= atomic_load_explicit(&user->high[i], memory_order_relaxed);
    return meets;
}

bool pcdf_nodecache_is_wanted(struct pcdf_nodecache *c, int var, const int64_t *index, int ndims)
{
    int64_t used = atomic_load_explicit(&c->users[c->user].used, memory_order_relaxed);
    bool may_come = false;
    c->vain = used == c->used ? c->vain : 0;
    c->used = used;
    for (int i = 0; i < c->plan.users; i++) {
        if (i == c->user)
            continue;
        if (atomic_load(&c->users[i].ndims) == 0)
            may_come = true;
        else if (reads(&c->users[i], var, index, ndims))
            return true;
    }
    return may_come && c->vain < c->plan.most / c->plan.users / 4;
}

struct pcdf_nodechunk pcdf_nodecache_ask(struct pcdf_nodecache *c, int var, int64_t chunk, int64_t bytes,
                                         bool is_wanted)
{
    struct pcdf_nodechunk lent = { .state = PCDF_NODECHUNK_NONE };
    if (!fits(&c->plan, bytes) || !(c->plan.sizes >> size_of(bytes) & 1) || !lock(c))
        return lent;
    int32_t place = look_up(c, var, chunk);
    int64_t held = rounded(bytes, PAGE), fresh = 0;
    struct slot *s = place ? slot_at(c, place) : NULL;
    if (!s && (is_wanted || c->head->held < c->plan.most / 4)) {
        place = begin(c, var, chunk, held, &fresh);
        lent.state = place ? PCDF_NODECHUNK_MINE : PCDF_NODECHUNK_NONE;
        lent.user = c->user;
    } else if (s && s->state == READY) {
        atomic_fetch_add(&s->readers, 1);
        unlink_used(c, place);
        link_newest(c, place);
        lent.state = PCDF_NODECHUNK_READY;
        lent.user = s->user;
        if (s->user != c->user)
            atomic_fetch_add_explicit(&c->users[s->user].used, 1, memory_order_relaxed);
    } else if (s) {
        lent.is_late = s->user == c->user || is_late(c, s->user);
        lent.state = lent.is_late ? PCDF_NODECHUNK_NONE : PCDF_NODECHUNK_BUSY;
        lent.user = s->user;
    }
    unlock(c);
    lent.place = place;
    if (lent.state != PCDF_NODECHUNK_READY && lent.state != PCDF_NODECHUNK_MINE)
        return lent;
    lent.bytes = (unsigned char *)c->memory.at + offset_of(c, place);
    if (!see(c, &lent, held, fresh))
        pcdf_nodecache_drop(c, &lent);
    return lent;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct pcdf_nodechunk pcdf_nodecache_await(struct pcdf_nodecache *c, int var, int64_t chunk, int64_t bytes,
                                           bool is_wanted)
{
    struct pcdf_nodechunk lent = pcdf_nodecache_ask(c, var, chunk, bytes, is_wanted);
    int64_t patience = PATIENCE + bytes * PATIENCE_OF_BYTE, pause = PAUSE, since = now(), heartbeat = -1;
    while (lent.state == PCDF_NODECHUNK_BUSY) {
        struct user *user = &c->users[lent.user];
        int64_t seen = atomic_load(&user->heartbeat);
        if (seen != heartbeat)
            since = now();
        heartbeat = seen;
        if (now() - since > patience)
            atomic_store(&user->late, heartbeat + 1);
        const struct timespec t = { 0, (long)pause };
        nanosleep(&t, NULL);
        pause = pcdf_smaller(2 * pause, LONGEST_PAUSE);
        lent = pcdf_nodecache_ask(c, var, chunk, bytes, is_wanted);
    }
    return lent;
}

void pcdf_nodecache_publish(struct pcdf_nodecache *c, struct pcdf_nodechunk *lent)
{
    assert(lent->state == PCDF_NODECHUNK_MINE);
    if (!lock(c)) /* nobody will read it, and it stays the caller's */
        return;
    struct slot *s = slot_at(c, lent->place);
    s->state = READY;
    atomic_store(&s->readers, 1);
    link_newest(c, lent->place);
    unlock(c);
    lent->state = PCDF_NODECHUNK_READY;
    c->vain += slot_at(c, lent->place)->held;
    atomic_fetch_add(&c->users[c->user].heartbeat, 1);
}

void pcdf_nodecache_drop(struct pcdf_nodecache *c, struct pcdf_nodechunk *lent)
{
    if (lent->state == PCDF_NODECHUNK_READY) {
        atomic_fetch_sub(&slot_at(c, lent->place)->readers, 1);
    } else if (lent->state == PCDF_NODECHUNK_MINE && lock(c)) {
        take_out(c, lent->place);
        set_free(c, lent->place);
        unlock(c);
        atomic_fetch_add(&c->users[c->user].heartbeat, 1);
    }
    lent->state = PCDF_NODECHUNK_NONE;
}
