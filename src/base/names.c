/* Open addressing, linear probing, at most three quarters full; removal closes the run of slots behind it, so
 * there are no tombstones and look-ups never slow down. Measured against uthash by benchmarks/names_bench.c.
 */
#include "names.h"
#include "alloc.h"
#include "status.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <threads.h>
#include <time.h>

struct slot {
    uint32_t hash;
    int32_t id; /* -1: empty */
};

struct pcdf_names {
    size_t n, mask; /* mask + 1 slots, a power of two */
    struct slot *slots;
};

static uint64_t key[2];
static once_flag key_once = ONCE_FLAG_INIT;

static void draw_key(void)
{
    if (getrandom(key, sizeof key, GRND_NONBLOCK) == (ssize_t)sizeof key)
        return;
    /* Early in a boot there is no entropy yet: the clock and where the loader put us must do. */
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    key[0] = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u ^ (uint64_t)now.tv_sec;
    key[1] = (uint64_t)(uintptr_t)&now ^ (uint64_t)(uintptr_t)&key << 17;
}

#define ROTATE(x, bits) ((x) << (bits) | (x) >> (64 - (bits)))

struct sip {
    uint64_t a, b, c, d;
};

static inline __attribute__((always_inline)) struct sip sip_round(struct sip v)
{
    v.a += v.b;
    v.c += v.d;
    v.b = ROTATE(v.b, 13) ^ v.a;
    v.d = ROTATE(v.d, 16) ^ v.c;
    v.a = ROTATE(v.a, 32);
    v.c += v.b;
    v.a += v.d;
    v.b = ROTATE(v.b, 17) ^ v.c;
    v.d = ROTATE(v.d, 21) ^ v.a;
    v.c = ROTATE(v.c, 32);
    return v;
}

/* Up to seven bytes, the first one lowest: reads that overlap bring the same byte to the same place. */
static inline uint64_t last_word(const char *text, size_t n)
{
    const unsigned char *t = (const unsigned char *)text;
    uint32_t first, last;
    if (n >= 4) {
        memcpy(&first, t, sizeof first);
        memcpy(&last, t + n - sizeof last, sizeof last);
        return first | (uint64_t)last << 8 * (n - 4);
    }
    return n > 0 ? t[0] | (uint64_t)t[n / 2] << 8 * (n / 2) | (uint64_t)t[n - 1] << 8 * (n - 1) : 0;
}

static inline __attribute__((always_inline)) struct sip sip_take(struct sip v, uint64_t word)
{
    v.d ^= word;
    v = sip_round(v);
    v.a ^= word;
    return v;
}

/* SipHash-1-3. The byte order of a word only changes which hash it is, and the key does that anyway. */
static uint32_t hash_of(const char *name, size_t length)
{
    struct sip v = { key[0] ^ 0x736F6D6570736575u, key[1] ^ 0x646F72616E646F6Du, key[0] ^ 0x6C7967656E657261u,
                     key[1] ^ 0x7465646279746573u };
    uint64_t word;
    size_t i = 0;
    for (; i + sizeof word <= length; i += sizeof word) {
        memcpy(&word, name + i, sizeof word);
        v = sip_take(v, word);
    }
    v = sip_take(v, last_word(name + i, length - i) ^ (uint64_t)length << 56);
    v.c ^= 0xFF;
    v = sip_round(sip_round(sip_round(v)));
    uint64_t hash = v.a ^ v.b ^ v.c ^ v.d;
    return (uint32_t)(hash ^ hash >> 32);
}

uint32_t pcdf_names_hash(const char *name, size_t length)
{
    call_once(&key_once, draw_key);
    return hash_of(name, length);
}

static void place(struct slot *slots, size_t mask, struct slot s)
{
    size_t i = s.hash & mask;
    while (slots[i].id >= 0)
        i = (i + 1) & mask;
    slots[i] = s;
}

/* The same in a table of `room` slots. */
static int resize(struct pcdf_names *names, size_t room)
{
    struct slot *slots = pcdf_malloc(room * sizeof *slots);
    if (!slots)
        return NC_ENOMEM;
    memset(slots, 0xFF, room * sizeof *slots); /* id -1 */
    for (size_t i = 0; names->n > 0 && i <= names->mask; i++)
        if (names->slots[i].id >= 0)
            place(slots, room - 1, names->slots[i]);
    pcdf_free(names->slots);
    names->slots = slots;
    names->mask = room - 1;
    return NC_NOERR;
}

int pcdf_names_new(struct pcdf_names **names, size_t n)
{
    size_t room = 16;
    while (room / 4 * 3 < n)
        room *= 2;
    call_once(&key_once, draw_key);
    struct pcdf_names *made = pcdf_calloc(1, sizeof *made);
    if (!made || resize(made, room)) {
        pcdf_free(made);
        return NC_ENOMEM;
    }
    *names = made;
    return NC_NOERR;
}

int pcdf_names_copy(struct pcdf_names **to, const struct pcdf_names *from)
{
    size_t room = from->mask + 1;
    PCDF_TRY(pcdf_names_new(to, room / 4 * 3));
    (*to)->n = from->n;
    memcpy((*to)->slots, from->slots, room * sizeof *from->slots);
    return NC_NOERR;
}

void pcdf_names_free(struct pcdf_names *names)
{
    if (!names)
        return;
    pcdf_free(names->slots);
    pcdf_free(names);
}

size_t pcdf_names_count(const struct pcdf_names *names)
{
    return names->n;
}

void pcdf_names_remove(struct pcdf_names *names, const char *name, int id)
{
    struct slot *slots = names->slots;
    size_t mask = names->mask;
    uint32_t hash = hash_of(name, strlen(name));
    size_t gap = hash & mask;

    while (slots[gap].id != id || slots[gap].hash != hash) {
        if (slots[gap].id < 0)
            return;
        gap = (gap + 1) & mask;
    }
    /* An entry behind the gap moves into it when its probe, from its home to i, passes the gap. */
    for (size_t i = (gap + 1) & mask; slots[i].id >= 0; i = (i + 1) & mask)
        if (((i - slots[i].hash) & mask) >= ((i - gap) & mask)) {
            slots[gap] = slots[i];
            gap = i;
        }
    slots[gap].id = -1;
    names->n--;
}

void pcdf_names_close_gap(struct pcdf_names *names, int id)
{
    for (size_t i = 0; i <= names->mask; i++)
        if (names->slots[i].id > id)
            names->slots[i].id--;
}

static int find(const struct pcdf_names *names, uint32_t hash, const char *name, const void *list,
                size_t stride)
{
    for (size_t i = hash & names->mask; names->slots[i].id >= 0; i = (i + 1) & names->mask) {
        if (names->slots[i].hash != hash)
            continue;
        const char *const *there = (const void *)((const char *)list + (size_t)names->slots[i].id * stride);
        if (strcmp(*there, name) == 0)
            return names->slots[i].id;
    }
    return -1;
}

int pcdf_names_find(const struct pcdf_names *names, const char *name, const void *list, size_t stride)
{
    return find(names, hash_of(name, strlen(name)), name, list, stride);
}

int pcdf_names_enter(struct pcdf_names *names, const char *name, size_t length, int id, const void *list,
                     size_t stride, int *there)
{
    uint32_t hash = hash_of(name, length);
    *there = find(names, hash, name, list, stride);
    if (*there >= 0)
        return NC_NOERR;
    if (names->n + 1 > (names->mask + 1) / 4 * 3)
        PCDF_TRY(resize(names, 2 * (names->mask + 1)));
    place(names->slots, names->mask, (struct slot){ hash, id });
    names->n++;
    return NC_NOERR;
}
