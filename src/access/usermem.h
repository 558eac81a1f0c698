#ifndef PCDF_USERMEM_H
#define PCDF_USERMEM_H
/* The caller's buffer as a sequence of elements in the order in which the file wants them: dense, or spread
 * by an imap, by an MPI datatype, or by both. Packing and unpacking convert, swap and gather in one pass. */

#include "convert.h"
#include "memtype.h"
#include "meta.h"

struct pcdf_run { /* one dimension of the buffer, innermost last */
    int64_t count;
    int64_t step; /* elements of memory between neighbours; any sign */
    int64_t each; /* elements of the dimensions within */
};

struct pcdf_memory {
    char *base;
    size_t size;           /* bytes of an element */
    int ndims;             /* 0 = dense */
    struct pcdf_run *runs; /* owned; neighbours that form one run are merged */
    /* Owned. If it is not NULL, the elements above are those of this datatype, in its own order. */
    struct pcdf_memtype *type;
    struct pcdf_quantize quantize; /* how values are rounded when they are packed */
    unsigned char fill[8];         /* the value that is not: bytes of memory */
};

enum { PCDF_COUNT_IGNORE = -1 }; /* NC_COUNT_IGNORE of the public header */

/* imap NULL = dense. NC_ENOMEM; NC_EINVAL: an imap that no memory can hold. */
int pcdf_memory_describe(struct pcdf_memory *memory, void *buf, enum pcdf_mtype mtype, int ndims,
                         const MPI_Offset *count, const MPI_Offset *imap);
/* The flexible API: the memory is bufcount items of buftype, whose nelems elements are then spread by imap
 * (NULL = dense; it may not lead out of a buffer that is not dense). Gives the memory type; the caller picks
 * the converters by it and finds text against numbers then. MPI_DATATYPE_NULL: dense, the external type's own
 * memory type, bufcount ignored. buf may be MPI_BOTTOM. Keeps nothing of MPI. In this order: NC_EINVAL
 * (PCDF_COUNT_IGNORE with a type that is not predefined), NC_EUNSPTETYPE, NC_EMULTITYPES, NC_EIOMISMATCH
 * (also for bufcount 0 and elements: independent and nonblocking calls, where that means nothing to do, ask
 * before they come here), NC_EBADTYPE (MPI_BYTE, MPI_UNSIGNED_LONG), NC_EINVAL (imap or type beyond any
 * memory); NC_ENOMEM. On failure nothing is to be freed. */
int pcdf_memory_describe_flexible(struct pcdf_memory *memory, enum pcdf_mtype *mtype, void *buf,
                                  MPI_Offset bufcount, MPI_Datatype buftype, nc_type xtype, int64_t nelems,
                                  int ndims, const MPI_Offset *count, const MPI_Offset *imap);
void pcdf_memory_free(struct pcdf_memory *memory);

/* Where elements [first, first + n) lie when they are dense; else NULL with *dense false. (An address may be
 * NULL.) */
char *pcdf_memory_dense(const struct pcdf_memory *memory, int64_t first, int64_t n, bool *dense);

/* Elements [first, first + n) to and from dense file bytes. Return true when a value was out of range. */
bool pcdf_memory_pack(const struct pcdf_memory *memory, const struct pcdf_converter *converter,
                      const unsigned char *fill, int64_t first, int64_t n, unsigned char *file);
bool pcdf_memory_unpack(const struct pcdf_memory *memory, const struct pcdf_converter *converter,
                        int64_t first, int64_t n, const unsigned char *file);
#endif
