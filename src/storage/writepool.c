/* See writepool.h. The range is cut into units of equal size; a block is a run of units. */

#include "writepool.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "numbers.h"
#include "sharedmemory.h"
#include "status.h"

enum { LEAST_UNIT = 1 << 16, MOST_UNITS = 1 << 14, LEAST = 1 << 22 };

static struct {
    char *base; /* NULL: there is none */
    int64_t bytes, unit, number;
    /* So many bytes from the begin were ever part of a block; so many were touched in advance. */
    int64_t used, warm;
    int fd, users;
    int32_t units;
    int32_t taken; /* units of all blocks */
    /* for each unit */
    int32_t *length;  /* units of the block beginning there; 0: none */
    int32_t *first;   /* its block's first unit; -1: it is free */
    int32_t *holders; /* holders of the block that begins there */
} pool = { .fd = -1 };

static void forget(void)
{
    if (pool.base)
        munmap(pool.base, (size_t)pool.bytes);
    if (pool.fd >= 0)
        close(pool.fd);
    free(pool.length);
    pool.base = NULL;
    pool.length = NULL;
    pool.fd = -1;
}

/* As an object that other processes can open; if that fails, as memory of this process alone. Either takes
 * memory only where it is touched. */
static void map(void)
{
    struct pcdf_sharedmemory shared;
    if (pcdf_sharedmemory_make("parcdf-writes", pool.bytes, &shared)) {
        pool.base = shared.at;
        pool.fd = shared.fd;
        return;
    }
    void *at = mmap(NULL, (size_t)pool.bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pool.base = at == MAP_FAILED ? NULL : at;
}

static int make(int64_t bytes)
{
    pool.unit = LEAST_UNIT;
    while (bytes / pool.unit > MOST_UNITS)
        pool.unit *= 2;
    pool.units = (int32_t)((bytes + pool.unit - 1) / pool.unit);
    pool.bytes = pool.units * pool.unit;
    pool.number++;
    pool.used = pool.warm = 0;
    pool.taken = 0;
    /* It is not counted memory, which must not outlive the file. */
    pool.length = calloc((size_t)pool.units * 3, sizeof *pool.length);
    if (!pool.length)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a queue of %lld bytes", (long long)bytes);
    pool.first = pool.length + pool.units;
    pool.holders = pool.first + pool.units;
    memset(pool.first, -1, (size_t)pool.units * sizeof *pool.first);
    map();
    if (pool.base)
        return NC_NOERR;
    forget();
    return PCDF_FAIL(NC_ENOMEM, "no memory for a queue of %lld bytes", (long long)bytes);
}

int pcdf_writepool_enter(int64_t bytes)
{
    bytes = bytes < LEAST ? LEAST : bytes;
    if (pool.users == 0 && pool.base && (pool.bytes < bytes || pool.bytes - bytes >= pool.unit))
        forget();
    if (!pool.base)
        PCDF_TRY(make(bytes));
    pool.users++;
    return NC_NOERR;
}

void pcdf_writepool_leave(void)
{
    pool.users--;
}

int64_t pcdf_writepool_bytes(void)
{
    return pool.users > 0 ? pool.bytes : 0;
}

static int32_t block_of(const char *at)
{
    if (!pool.base || at < pool.base || at >= pool.base + pool.bytes)
        return -1;
    return pool.first[(at - pool.base) / pool.unit];
}

/* The first run of free units that is long enough. */
static int32_t find(int32_t units)
{
    for (int32_t at = 0, free = 0; at < pool.units;) {
        int32_t taken = pool.length[at];
        free = taken ? 0 : free + 1;
        at += taken ? taken : 1;
        if (free == units)
            return at - units;
    }
    return -1;
}

char *pcdf_writepool_take(int64_t bytes)
{
    int64_t needed = (bytes + pool.unit - 1) / pool.unit;
    int32_t at = needed <= pool.units ? find((int32_t)needed) : -1;
    if (at < 0)
        return NULL;
    pool.length[at] = (int32_t)needed;
    pool.taken += (int32_t)needed;
    pool.used = pcdf_larger(pool.used, (at + needed) * pool.unit);
    pool.holders[at] = 1;
    for (int32_t i = 0; i < (int32_t)needed; i++)
        pool.first[at + i] = at;
    return pool.base + at * pool.unit;
}

int64_t pcdf_writepool_size(const char *block)
{
    return pool.length[block_of(block)] * pool.unit;
}

char *pcdf_writepool_cold(int64_t *bytes)
{
    enum { AHEAD = 32 << 20, STEP = 1 << 20 };
    int64_t end = pcdf_smaller(pool.bytes, pool.used + AHEAD), at = pool.warm;
    if (pool.users == 0 || at >= end)
        return NULL;
    *bytes = pcdf_smaller(STEP, end - at);
    pool.warm = at + *bytes;
    return pool.base + at;
}

void pcdf_writepool_stays_cold(void)
{
    pool.warm = INT64_MAX;
}

bool pcdf_writepool_is_nearly_taken(void)
{
    return pool.taken > pool.units / 4 * 3;
}

bool pcdf_writepool_has(const char *at)
{
    return block_of(at) >= 0;
}

bool pcdf_writepool_shares(const char *a, const char *b)
{
    int32_t first = block_of(a);
    return first >= 0 && first == block_of(b);
}

int pcdf_writepool_holders(const char *at)
{
    return pool.holders[block_of(at)];
}

void pcdf_writepool_hold(const char *at)
{
    pool.holders[block_of(at)]++;
}

void pcdf_writepool_drop(const char *at)
{
    int32_t first = block_of(at);
    if (--pool.holders[first] > 0)
        return;
    int32_t units = pool.length[first];
    pool.length[first] = 0;
    pool.taken -= units;
    for (int32_t i = 0; i < units; i++)
        pool.first[first + i] = -1;
}

void pcdf_writepool_trim(const char *block, int64_t used)
{
    int32_t first = block_of(block), units = (int32_t)((used + pool.unit - 1) / pool.unit);
    units = units > 0 ? units : 1;
    for (int32_t i = first + units; i < first + pool.length[first]; i++)
        pool.first[i] = -1;
    pool.taken -= pool.length[first] - units;
    pool.length[first] = units;
}

struct pcdf_writepool_share pcdf_writepool_share(void)
{
    return (struct pcdf_writepool_share){ pool.users > 0 ? pool.fd : -1, pool.bytes, pool.number };
}

char *pcdf_writepool_base(void)
{
    return pool.base;
}

void pcdf_writepool_end(void)
{
    if (pool.users == 0)
        forget();
}
