/* See posted.h. */
#include "posted.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "status.h"

enum {
    SLOTS = 1024, /* requests of a chunk */
    /* Bytes of a block of shapes. Each is twice as large as the one before. */
    SMALLEST_BLOCK = 1024,
    LARGEST_BLOCK = 1 << 16,
    /* The first of a chunk has the room that the chunk before it needed, up to this. */
    LARGEST_FIRST = 1 << 18,
    /* A packed put of up to so many bytes has them beside its shape. */
    SMALL_PUT = 512
};

struct block { /* holds shapes */
    struct block *older;
    size_t room;
    MPI_Offset x[];
};

struct pcdf_chunk {
    struct pcdf_request slots[SLOTS];
    int pending;
    struct block *block; /* the newest */
};

struct pcdf_request *pcdf_posted_slot(const struct pcdf_posted *posted, int i)
{
    static struct pcdf_request gone; /* nobody writes to a free slot */
    struct pcdf_chunk *chunk = posted->chunks[i / SLOTS];
    return chunk ? &chunk->slots[i % SLOTS] : &gone;
}

/* ---- Chunks ---- */

static void free_blocks(struct block *block)
{
    while (block) {
        struct block *older = block->older;
        pcdf_free(block);
        block = older;
    }
}

static void free_chunk(struct pcdf_chunk *chunk)
{
    if (chunk)
        free_blocks(chunk->block);
    pcdf_free(chunk);
}

static int grow(struct pcdf_posted *posted)
{
    if ((size_t)posted->used < posted->nchunks * SLOTS)
        return NC_NOERR;
    if (posted->used > INT_MAX / 2 - SLOTS)
        return PCDF_FAIL(NC_ENOMEM, "%d requests are pending", posted->pending);
    PCDF_TRY(pcdf_array_reserve((void **)&posted->chunks, &posted->chunks_room, posted->nchunks + 1,
                                sizeof *posted->chunks));
    struct pcdf_chunk *chunk = pcdf_malloc(sizeof *chunk);
    if (!chunk)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a request beside %d pending ones", posted->pending);
    chunk->pending = 0;
    chunk->block = NULL;
    posted->next_room = posted->shapes < SMALLEST_BLOCK  ? SMALLEST_BLOCK
                        : posted->shapes < LARGEST_FIRST ? posted->shapes
                                                         : LARGEST_FIRST;
    posted->shapes = 0;
    posted->chunks[posted->nchunks++] = chunk;
    return NC_NOERR;
}

/* Room for a shape, and for bytes of a put, in the chunk that is being filled. */
static int find_room(struct pcdf_posted *posted, struct pcdf_chunk *chunk, size_t bytes, MPI_Offset **at)
{
    assert(bytes % sizeof **at == 0);
    if (!chunk->block || bytes > chunk->block->room - posted->block_used) {
        size_t room = posted->next_room > bytes ? posted->next_room : bytes;
        struct block *block = pcdf_malloc(sizeof *block + room);
        if (!block)
            return NC_ENOMEM;
        *block = (struct block){ chunk->block, room };
        posted->next_room = !chunk->block              ? SMALLEST_BLOCK
                            : room < LARGEST_BLOCK / 2 ? 2 * room
                                                       : LARGEST_BLOCK;
        chunk->block = block;
        posted->block_used = 0;
    }
    *at = chunk->block->x + posted->block_used / sizeof **at;
    posted->block_used += bytes;
    posted->shapes += bytes;
    return NC_NOERR;
}

/* No request is pending: one chunk stays, with one block, for the next ones. */
static void reset(struct pcdf_posted *posted)
{
    struct pcdf_chunk *last = posted->chunks[posted->nchunks - 1];
    for (size_t i = 0; i + 1 < posted->nchunks; i++)
        free_chunk(posted->chunks[i]);
    posted->chunks[0] = last;
    posted->nchunks = last ? 1 : 0;
    posted->used = 0;
    if (!last)
        return;
    posted->block_used = 0;
    if (last->block && last->block->room > LARGEST_BLOCK) {
        free_blocks(last->block);
        last->block = NULL;
    } else if (last->block) {
        free_blocks(last->block->older);
        last->block->older = NULL;
    }
}

void pcdf_posted_free(struct pcdf_posted *posted)
{
    for (size_t i = 0; i < posted->nchunks; i++)
        free_chunk(posted->chunks[i]);
    pcdf_free(posted->chunks);
    memset(posted, 0, sizeof *posted);
}

/* ---- Requests ---- */

int pcdf_posted_add(struct pcdf_posted *posted, struct pcdf_request *request, int ndims,
                    struct pcdf_packing *packing, int *id)
{
    PCDF_TRY(grow(posted));
    struct pcdf_chunk *chunk = posted->chunks[posted->used / SLOTS];
    struct pcdf_request *slot = &chunk->slots[posted->used % SLOTS];
    size_t shape = request->owns ? 0 : pcdf_request_shape_bytes(request, ndims);
    size_t packed = packing ? (size_t)(request->nelems * request->converter->xsize) : 0;
    bool is_small = packed > 0 && packed <= SMALL_PUT;
    MPI_Offset *room = NULL;
    size_t whole = is_small ? (packed + sizeof *room - 1) / sizeof *room * sizeof *room : 0;
    if (shape + whole > 0)
        PCDF_TRY(find_room(posted, chunk, shape + whole, &room));
    if (packed > 0) {
        void *bytes = is_small ? (void *)(room + shape / sizeof *room) : pcdf_malloc(packed);
        if (!bytes)
            return PCDF_FAIL(NC_ENOMEM, "no memory to keep %lld elements of a pending put",
                             (long long)request->nelems);
        pcdf_request_pack_now(request, packing, bytes);
        request->is_in_chunk = is_small;
    }
    *slot = *request;
    if (shape > 0)
        pcdf_request_keep_at(slot, ndims, room);
    slot->out_of_range = false; /* reported now, not at wait */
    slot->state = PCDF_REQUEST_PENDING;
    slot->posted = posted->used;
    *id = 2 * posted->used++ + (request->dir == PCDF_GET);
    chunk->pending++;
    posted->pending++;
    return NC_NOERR;
}

struct pcdf_request *pcdf_posted_find(const struct pcdf_posted *posted, int id)
{
    if (id < 0 || id / 2 >= posted->used)
        return NULL;
    struct pcdf_request *slot = pcdf_posted_slot(posted, id / 2);
    bool is_it = slot->state == PCDF_REQUEST_PENDING && id % 2 == (slot->dir == PCDF_GET);
    return is_it ? slot : NULL;
}

struct pcdf_request *pcdf_posted_next(const struct pcdf_posted *posted, int i)
{
    while (i < posted->used) {
        struct pcdf_chunk *chunk = posted->chunks[i / SLOTS];
        int end = (i / SLOTS + 1) * SLOTS < posted->used ? (i / SLOTS + 1) * SLOTS : posted->used;
        for (; chunk && i < end; i++)
            if (chunk->slots[i % SLOTS].state == PCDF_REQUEST_PENDING)
                return &chunk->slots[i % SLOTS];
        i = end;
    }
    return NULL;
}

void pcdf_posted_drop(struct pcdf_posted *posted, struct pcdf_request *request)
{
    size_t number = (size_t)request->posted / SLOTS;
    struct pcdf_chunk *chunk = posted->chunks[number];
    assert(chunk && chunk->pending > 0 && request->state != PCDF_REQUEST_FREE);
    if (request->is_buffered)
        posted->buffer_used -= request->nelems * request->converter->xsize;
    if (request->is_external && !request->is_in_chunk)
        pcdf_free(request->base);
    pcdf_request_free(request);
    request->state = PCDF_REQUEST_FREE;
    if (--chunk->pending == 0 && (number + 1) * SLOTS <= (size_t)posted->used) {
        free_chunk(chunk); /* none will be added to it */
        posted->chunks[number] = NULL;
    }
    if (--posted->pending == 0)
        reset(posted);
}
