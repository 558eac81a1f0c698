/* Each block carries its size in front, so that freeing needs no table and the sums are exact. */
#include "alloc.h"
#include "status.h"

#include <assert.h>
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
} accounts[2]; /* of open files, and of what was set aside; the prefix of a block tells which */
static _Atomic int64_t asked, fail_at;
static _Atomic int fail_sticky;
static _Thread_local bool is_aside_now;

/* A new block, or `old` with another size. Each call counts as one request, which a test may want to fail. */
static inline __attribute__((always_inline)) void *allocate(union prefix *old, size_t size, bool zeroed)
{
    int64_t turn = atomic_fetch_add(&asked, 1) + 1, at = atomic_load(&fail_at), more = (int64_t)size;
    bool must_fail = at > 0 && (turn == at || (turn > at && atomic_load(&fail_sticky)));
    union prefix *block = NULL;
    if (!must_fail && size <= (size_t)PTRDIFF_MAX - sizeof *block) {
        more += old ? -(int64_t)old->size : (int64_t)sizeof *block;
        block = old      ? realloc(old, sizeof *block + size)
                : zeroed ? calloc(1, sizeof *block + size)
                         : malloc(sizeof *block + size);
    }
    if (!block) {
        pcdf_fail(NC_ENOMEM, "no memory for %zu bytes", size);
        return NULL;
    }
    if (!old)
        block->is_aside = is_aside_now;
    block->size = size;
    struct account *account = &accounts[block->is_aside];
    int64_t now = atomic_fetch_add(&account->held, more) + more, most = atomic_load(&account->most_held);
    while (now > most && !atomic_compare_exchange_weak(&account->most_held, &most, now))
        ;
    return block + 1;
}

void *pcdf_malloc(size_t size)
{
    return allocate(NULL, size, false);
}

void *pcdf_calloc(size_t n, size_t size)
{
    size_t all;
    return allocate(NULL, __builtin_mul_overflow(n, size, &all) ? SIZE_MAX : all, true);
}

void *pcdf_realloc(void *old, size_t size)
{
    return allocate(old ? (union prefix *)old - 1 : NULL, size, false);
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
    assert(atomic_load(&accounts[block->is_aside].held) >= (int64_t)(sizeof *block + block->size));
    atomic_fetch_sub(&accounts[block->is_aside].held, (int64_t)(sizeof *block + block->size));
    free(block);
}

void pcdf_alloc_aside(bool on)
{
    is_aside_now = on;
}

int64_t pcdf_alloc_of_files(bool peak)
{
    return atomic_load(peak ? &accounts[false].most_held : &accounts[false].held);
}

int64_t pcdf_alloc_now(void)
{
    return pcdf_alloc_of_files(false) + atomic_load(&accounts[true].held);
}

int64_t pcdf_alloc_peak(void)
{
    return pcdf_alloc_of_files(true) + atomic_load(&accounts[true].most_held);
}

void pcdf_alloc_peak_again(void)
{
    for (int i = 0; i < 2; i++)
        atomic_store(&accounts[i].most_held, atomic_load(&accounts[i].held));
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
