#ifndef PCDF_REQUEST_H
#define PCDF_REQUEST_H
/* One put or get whose arguments were checked: hyperslabs of a variable on one side, described memory on the
 * other. Nothing was moved yet. */

#include "access.h"
#include "convert.h"
#include "layout.h"
#include "usermem.h"
#include "walk.h"

struct pcdf_request {
    enum pcdf_dir dir;
    int varid;
    struct pcdf_place place;   /* where the variable lies; place.step is owned */
    struct pcdf_slab slab;     /* the only hyperslab, unless ... */
    int num;                   /* ... there are several (varn): */
    MPI_Offset *const *starts; /* the caller's arrays, or NULL */
    MPI_Offset *const *counts;
    MPI_Offset *whole; /* owned start and count of form var */
    struct pcdf_memory memory;
    const struct pcdf_kernels *kernels;
    unsigned char fill[8]; /* the variable's fill value as it stands in a file */
    int64_t nelems;
    int64_t numrecs_after; /* records that exist once a put succeeded; 0 for other requests */
    bool out_of_range;     /* some value did not fit: a warning until the call returns */
};

struct pcdf_request_context { /* what the dataset knows */
    const struct pcdf_meta *meta;
    const struct pcdf_layout *layout;
    bool relaxed;
};

/* Checks the arguments of one access and makes the request; it refers to the caller's arrays and buffer, not
 * to the definitions. Errors in the API's order: NC_EGLOBAL, NC_ENOTVAR, NC_ECHAR, then of the coordinates
 * (bounds.h), NC_ENULLSTART and NC_EINVAL (varn), NC_ENOMEM. On failure the request is empty and needs no
 * free. Local. */
int pcdf_request_make(struct pcdf_request *request, const struct pcdf_request_context *context, int varid,
                      const struct pcdf_access *access);
void pcdf_request_free(struct pcdf_request *request);

/* The i-th hyperslab, 0 <= i < request->num. */
struct pcdf_slab pcdf_request_slab(const struct pcdf_request *request, int i);
#endif
