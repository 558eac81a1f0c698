#ifndef PCDF_ARENA_H
#define PCDF_ARENA_H
/* Small pieces of memory that go together: names, ids and values of a file's definitions. Taking one costs a
 * few instructions, giving all back a free per block. Pieces are never given back one by one. A struct of
 * zeros is an empty arena; it may be copied when the copied one is used no more. Counted memory. Not
 * thread-safe. */

#include <stddef.h>
#include <string.h>

struct pcdf_arena_block;

struct pcdf_arena {
    unsigned char *at, *end; /* free room of the newest block: structs come from below, text from above */
    struct pcdf_arena_block *newest;
    size_t held; /* bytes of all blocks */
    size_t lost; /* bytes of pieces that nobody uses any more, as their users say */
};

/* A newest block with room for a piece of so many bytes. NC_ENOMEM: the arena is as it was. */
int pcdf_arena_grow(struct pcdf_arena *arena, size_t size);

/* size > 0 bytes, aligned as the widest number and pointer are. NULL: no memory. */
static inline void *pcdf_arena_take(struct pcdf_arena *arena, size_t size)
{
    size_t room = (size_t)(arena->end - arena->at), all = (size + 7) & ~(size_t)7;
    if ((size > room || all > room) && pcdf_arena_grow(arena, size) != 0)
        return NULL;
    arena->at += all;
    return arena->at - all;
}

/* size > 0 bytes, not aligned. NULL: no memory. */
static inline void *pcdf_arena_bytes(struct pcdf_arena *arena, size_t size)
{
    if (size > (size_t)(arena->end - arena->at) && pcdf_arena_grow(arena, size) != 0)
        return NULL;
    return arena->end -= size;
}

/* length bytes and a NUL. NULL: no memory. */
static inline char *pcdf_arena_text(struct pcdf_arena *arena, const char *text, size_t length)
{
    char *copy = pcdf_arena_bytes(arena, length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* A longer piece in the place of one that was taken: its bytes stay, `old` (may be NULL) is lost unless it
 * could be made longer where it is. NULL: no memory, and `old` is as it was. */
void *pcdf_arena_lengthen(struct pcdf_arena *arena, void *old, size_t old_size, size_t size);
void pcdf_arena_free(struct pcdf_arena *arena); /* it is empty then */
#endif
