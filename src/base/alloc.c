/* Each block carries its size in front, so that freeing needs no table and the sums are exact. */
#include "alloc.h"
#include "status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* As long as the strictest alignment, so that what follows it is aligned as malloc's is. (max_align_t itself
 * may be longer than that.) */
union prefix {
    struct {
        size_t size;
        bool is_aside;
    };
    char room[_Alignof(max_align_t)];
};

static struct account {
    _Atomic int64_t held, most_held;
} files, others; /* which a block belongs to is in its prefix */
static _Atomic int64_t asked, fail_at;
static _Atomic int fail_sticky;
static _Thread_local bool is_aside_now;

/* Counts the request; true when a test wants it to fail. */
static bool must_fail(void)
{
    int64_t turn = atomic_fetch_add(&asked, 1) + 1, at = atomic_load(&fail_at);
    return at > 0 && (turn == at || (turn > at && atomic_load(&fail_sticky)));
}

static void *no_memory(size_t size)
{
    pcdf_fail(NC_ENOMEM, "no memory for %zu bytes", size);
    return NULL;
}

static void count(const union prefix *block, int64_t bytes)
{
    struct account *a = block->is_aside ? &others : &files;
    int64_t now = atomic_fetch_add(&a->held, bytes) + bytes, most = atomic_load(&a->most_held);
    while (now > most && !atomic_compare_exchange_weak(&a->most_held, &most, now))
        ;
}

/* The block behind the prefix, counted. */
static void *hand_out(union prefix *block, size_t size, int64_t more)
{
    block->size = size;
    count(block, more);
    return block + 1;
}

static void *hand_out_new(union prefix *block, size_t size)
{
    block->is_aside = is_aside_now;
    return hand_out(block, size, (int64_t)(sizeof *block + size));
}

static bool too_large(size_t size)
{
    return size > (size_t)PTRDIFF_MAX - sizeof(union prefix);
}

void *pcdf_malloc(size_t size)
{
    union prefix *block = must_fail() || too_large(size) ? NULL : malloc(sizeof *block + size);
    return block ? hand_out_new(block, size) : no_memory(size);
}

void *pcdf_calloc(size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all))
        all = SIZE_MAX;
    union prefix *block = must_fail() || too_large(all) ? NULL : calloc(1, sizeof *block + all);
    return block ? hand_out_new(block, all) : no_memory(all);
}

void *pcdf_realloc(void *old, size_t size)
{
    if (!old)
        return pcdf_malloc(size);
    union prefix *before = (union prefix *)old - 1;
    size_t had = before->size;
    union prefix *block = must_fail() || too_large(size) ? NULL : realloc(before, sizeof *block + size);
    return block ? hand_out(block, size, (int64_t)size - (int64_t)had) : no_memory(size);
}

char *pcdf_strndup(const char *text, size_t length)
{
    char *copy = pcdf_malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void pcdf_free(void *memory)
{
    if (!memory)
        return;
    union prefix *block = (union prefix *)memory - 1;
    count(block, -(int64_t)(sizeof *block + block->size));
    free(block);
}

void pcdf_alloc_aside(bool on)
{
    is_aside_now = on;
}

int64_t pcdf_alloc_now(void)
{
    return atomic_load(&files.held) + atomic_load(&others.held);
}
int64_t pcdf_alloc_peak(void)
{
    return atomic_load(&files.most_held) + atomic_load(&others.most_held);
}
int64_t pcdf_alloc_of_files(void)
{
    return atomic_load(&files.held);
}
int64_t pcdf_alloc_peak_of_files(void)
{
    return atomic_load(&files.most_held);
}

void pcdf_alloc_fail_at(int64_t n, int sticky)
{
    atomic_store(&fail_sticky, sticky);
    atomic_store(&asked, 0);
    atomic_store(&fail_at, n);
}

int64_t pcdf_alloc_asked(void)
{
    return atomic_load(&asked);
}
