#ifndef PCDF_REQUEST_H
#define PCDF_REQUEST_H
/* One put or get whose arguments were checked: hyperslabs of a variable on one side, memory on the other.
 * Nothing was moved yet. A pending request is just this, so it is kept small (request.c asserts 80 bytes). */

#include "access.h"
#include "convert.h"
#include "misfits.h"
#include "usermem.h"
#include "walk.h"

struct pcdf_request {
    union {
        struct pcdf_slab slab; /* the only hyperslab ... */
        struct {
            MPI_Offset *const *starts, *const *counts; /* ... or varn: the caller's arrays, */
            const MPI_Offset *flat;                    /* or a copy: start, count of each */
        } list;
    };
    /* The caller's buffer, or with is_external the file's bytes, packed. */
    char *base;
    /* Owned: says where the elements lie when they are not dense from base on, or that they are quantized. */
    struct pcdf_memory *spread;
    const struct pcdf_converter *converter; /* never NULL */
    int64_t nelems;
    /* Number of the post since none was pending: of overlapping puts the later wins. */
    int posted;
    int varid, num; /* num: hyperslabs */
    int layout;     /* its number among the layouts of a transfer */
    int status;
    unsigned state : 2; /* a pending request's (posted.h) */
    unsigned dir : 1;   /* enum pcdf_dir */
    bool is_list : 1, is_external : 1;
    /* The start that slab or list points to, and what follows it, is a copy of its own. */
    bool owns : 1;
    /* Some value did not fit: a warning until the call returns. */
    bool out_of_range : 1;
    bool is_cut : 1;      /* file ended before the data: another warning */
    bool is_buffered : 1; /* the bytes count against the attached buffer */
    bool is_in_chunk : 1; /* base is a chunk's, which frees it (posted.h) */
};

struct pcdf_request_context { /* what the dataset knows */
    const struct pcdf_meta *meta;
    bool is_relaxed; /* start == length is legal for count 0 */
    /* A bput has no attached buffer: NC_ENULLABUF comes before any error of coordinates. */
    bool lacks_buffer;
    const struct pcdf_cells *cells; /* a chunked file's (cells.h); NULL: classic file */
};

/* Checks the arguments of one access and makes the request; it refers to the caller's arrays and buffer, not
 * to the definitions. Errors in the API's order: NC_EGLOBAL, NC_ENOTVAR, NC_ECHAR (typed calls),
 * NC_ENULLABUF; varn: NC_ENULLSTART and NC_EINVAL; of all start values NC_EINVALCOORDS; of each dimension
 * NC_ENEGATIVECNT and NC_EEDGE (NC_EINTOVERFLOW when a put would make more records than the format can
 * count); NC_ESTRIDE; of a flexible buffer (usermem.h); NC_EINVAL (values, but no buffer); NC_ENOMEM. On
 * failure the request is empty and needs no free. Local. */
int pcdf_request_make(struct pcdf_request *request, const struct pcdf_request_context *context, int varid,
                      const struct pcdf_access *access);
void pcdf_request_free(struct pcdf_request *request);

/* A request that outlives the call: the caller's arrays are copied into `room`, of
 * pcdf_request_shape_bytes, which stays the caller's to free. */
size_t pcdf_request_shape_bytes(const struct pcdf_request *request, int ndims);
void pcdf_request_keep_at(struct pcdf_request *request, int ndims, MPI_Offset *room);

struct pcdf_packing {            /* for a put that is packed when posted */
    const unsigned char *fill;   /* the variable's; used where values are converted */
    struct pcdf_misfits misfits; /* out: of the request as 0 */
};
/* A put is packed into `bytes` (nelems elements of converters->xsize); it then refers to nothing of the
 * caller's. Sets out_of_range. `bytes` becomes base and stays the caller's to free. */
void pcdf_request_pack_now(struct pcdf_request *request, struct pcdf_packing *packing, unsigned char *bytes);
/* Of a record variable: do the hyperslabs end within 63 bits of file? Records that exist once a put succeeded
 * are added to *numrecs. NC_EINTOVERFLOW. */
int pcdf_request_reach(const struct pcdf_request *request, const struct pcdf_var_layout *layout,
                       int64_t *numrecs);

/* The i-th hyperslab, 0 <= i < request->num. */
static inline struct pcdf_slab pcdf_request_slab(const struct pcdf_request *request, int ndims, int i)
{
    if (!request->is_list)
        return request->slab;
    if (request->list.flat) {
        const MPI_Offset *start = request->list.flat + (int64_t)2 * ndims * i;
        return (struct pcdf_slab){ .start = start, .count = start + ndims };
    }
    return (struct pcdf_slab){ .start = request->list.starts[i],
                               .count = request->list.counts ? request->list.counts[i] : NULL };
}

/* Elements [first, first + n) to and from file bytes. True where some of them were out of range, which is
 * noted, too; pcdf_misfits_count then finds which. */
bool pcdf_request_pack(struct pcdf_request *request, const unsigned char *fill, int64_t first, int64_t n,
                       bool streams, unsigned char *file);
bool pcdf_request_unpack(struct pcdf_request *request, int64_t first, int64_t n, const unsigned char *file);
#endif
