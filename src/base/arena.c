/* A list of blocks, each half as large as all before it together: what is free in the newest one is a bounded
 * part of all. */
#include "arena.h"
#include "alloc.h"
#include "codes.h"

#include <string.h>

enum { ALIGNMENT = 8, SMALLEST = 1 << 10, LARGEST = 1 << 20 };

struct pcdf_arena_block {
    struct pcdf_arena_block *older;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

/* The rest of the newest block is given up; no more than a block's, so that large pieces cost little room. */
int pcdf_arena_grow(struct pcdf_arena *arena, size_t size)
{
    size_t room = arena->held / 2;
    room = room < SMALLEST ? SMALLEST : room > LARGEST ? LARGEST : room;
    if (size > room)
        room = size;
    if (room > (size_t)PTRDIFF_MAX - sizeof(struct pcdf_arena_block) - ALIGNMENT)
        room = (size_t)PTRDIFF_MAX; /* no memory for that */
    room = (room + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct pcdf_arena_block *block = pcdf_malloc(sizeof *block + room);
    if (!block)
        return NC_ENOMEM;
    block->older = arena->newest;
    arena->newest = block;
    arena->at = block->bytes;
    arena->end = block->bytes + room;
    arena->held += room;
    return NC_NOERR;
}

void *pcdf_arena_lengthen(struct pcdf_arena *arena, void *old, size_t old_size, size_t size)
{
    if (old && (unsigned char *)old + old_size == arena->at &&
        size - old_size <= (size_t)(arena->end - arena->at) && size % ALIGNMENT == 0) {
        arena->at += size - old_size;
        return old;
    }
    void *made = pcdf_arena_take(arena, size);
    if (!made || !old)
        return made;
    memcpy(made, old, old_size);
    arena->lost += old_size;
    return made;
}

void pcdf_arena_free(struct pcdf_arena *arena)
{
    for (struct pcdf_arena_block *block = arena->newest, *older; block; block = older) {
        older = block->older;
        pcdf_free(block);
    }
    *arena = (struct pcdf_arena){ 0 };
}
