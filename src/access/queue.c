/* See queue.h. */
#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "queue.h"
#include "status.h"

enum { CHUNK = 1024 };

struct pcdf_request *pcdf_queue_slot(const struct pcdf_queue *queue, int i)
{
    return &queue->chunks[i / CHUNK][i % CHUNK];
}

static int grow(struct pcdf_queue *queue)
{
    if ((size_t)queue->used < queue->nchunks * CHUNK)
        return NC_NOERR;
    if (queue->used > INT_MAX / 2 - CHUNK)
        return PCDF_FAIL(NC_ENOMEM, "%d requests are pending", queue->pending);
    PCDF_TRY(pcdf_array_reserve((void **)&queue->chunks, &queue->chunks_room, queue->nchunks + 1,
                                sizeof *queue->chunks));
    struct pcdf_request *chunk = pcdf_calloc(CHUNK, sizeof *chunk);
    if (!chunk)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a request beside %d pending ones", queue->pending);
    queue->chunks[queue->nchunks++] = chunk;
    return NC_NOERR;
}

int pcdf_queue_add(struct pcdf_queue *queue, const struct pcdf_request *request, int *id)
{
    PCDF_TRY(grow(queue));
    struct pcdf_request *slot = pcdf_queue_slot(queue, queue->used);
    *slot = *request;
    slot->state = PCDF_REQUEST_PENDING;
    slot->posted = queue->used;
    *id = 2 * queue->used++ + (request->dir == PCDF_GET);
    queue->pending++;
    return NC_NOERR;
}

struct pcdf_request *pcdf_queue_find(const struct pcdf_queue *queue, int id)
{
    if (id < 0 || id / 2 >= queue->used)
        return NULL;
    struct pcdf_request *slot = pcdf_queue_slot(queue, id / 2);
    bool is_it = slot->state == PCDF_REQUEST_PENDING && id % 2 == (slot->dir == PCDF_GET);
    return is_it ? slot : NULL;
}

void pcdf_queue_drop(struct pcdf_queue *queue, struct pcdf_request *request, int64_t xsize)
{
    if (request->is_buffered)
        queue->buffer_used -= request->nelems * xsize;
    if (request->is_external)
        pcdf_free(request->base);
    pcdf_request_free(request);
    memset(request, 0, sizeof *request);
    if (--queue->pending == 0)
        queue->used = 0;
}

void pcdf_queue_free(struct pcdf_queue *queue)
{
    for (size_t i = 0; i < queue->nchunks; i++)
        pcdf_free(queue->chunks[i]);
    pcdf_free(queue->chunks);
    memset(queue, 0, sizeof *queue);
}
