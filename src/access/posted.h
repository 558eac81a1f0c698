#ifndef PCDF_POSTED_H
#define PCDF_POSTED_H
/* Requests that were posted and not yet waited for, and the buffer attached for bput. Posting is O(1),
 * looking one up by its id too. Ids are even for puts and odd for gets. Requests and their shapes, with the
 * bytes of small packed puts, stand side by side in chunks, which are freed at once when the last request of
 * them is gone. */

#include "request.h"

enum pcdf_request_state { PCDF_REQUEST_FREE, PCDF_REQUEST_PENDING, PCDF_REQUEST_CHOSEN };

struct pcdf_posted {
    struct pcdf_chunk **chunks; /* requests never move; NULL: all are gone */
    size_t nchunks, chunks_room;
    /* Slots handed out since none was pending, and the requests in them. */
    int used, pending;
    size_t block_used; /* bytes used of the block being filled */
    size_t next_room;  /* bytes of the next block */
    size_t shapes;     /* bytes of the newest chunk's shapes */
    bool has_buffer;
    int64_t buffer_size, buffer_used; /* bytes of bput data, in file form */
};

void pcdf_posted_free(struct pcdf_posted *posted);

/* Takes over a request, with a copy of its shape where that is the caller's. packing:
 * of a put whose values are packed, else NULL: a few bytes stand beside the shape, and are freed with it,
 * more have memory of their own; request->out_of_range and the packing tell what does not fit. NC_ENOMEM: it
 * stays the caller's. */
int pcdf_posted_add(struct pcdf_posted *posted, struct pcdf_request *request, int ndims,
                    struct pcdf_packing *packing, int *id);
/* The pending request of an id, NULL when there is none. */
struct pcdf_request *pcdf_posted_find(const struct pcdf_posted *posted, int id);
/* The i-th slot, 0 <= i < used; free ones too. */
struct pcdf_request *pcdf_posted_slot(const struct pcdf_posted *posted, int i);
/* The next pending request at or behind the i-th slot, NULL: none. */
struct pcdf_request *pcdf_posted_next(const struct pcdf_posted *posted, int i);
/* Frees a request and all it holds; the pointer is then no longer valid. */
void pcdf_posted_drop(struct pcdf_posted *posted, struct pcdf_request *request);
#endif
