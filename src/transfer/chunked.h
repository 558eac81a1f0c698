#ifndef PCDF_CHUNKED_H
#define PCDF_CHUNKED_H
/* The strategy of files whose storage has boxes (storage/boxes.h): the hyperslabs of all gets of a call go to
 * the storage as they are. Local. */

#include "misfits.h"
#include "request.h"
#include "storage.h"

struct pcdf_chunked_gets { /* gets of one call */
    struct pcdf_request *const *requests;
    int n;
    const struct pcdf_var_layouts *layouts; /* that they name */
};

/* Hyperslabs that are not empty, and the bytes of their values. */
void pcdf_chunked_count(const struct pcdf_chunked_gets *gets, int64_t *slabs, int64_t *nbytes);
/* *moved: bytes of what was read, as the external types have them; all, or an error. *misfits is added to. */
int pcdf_chunked_get(struct pcdf_storage *storage, const struct pcdf_chunked_gets *gets,
                     struct pcdf_misfits *misfits, int64_t *moved);
#endif
