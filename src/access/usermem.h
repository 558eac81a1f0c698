#ifndef PCDF_USERMEM_H
#define PCDF_USERMEM_H
/* The caller's buffer as a sequence of elements in the order in which the file wants them: dense, or spread
 * by an imap. Packing and unpacking convert, swap and gather in one pass. */

#include "convert.h"

struct pcdf_run { /* one dimension of the buffer, innermost last */
    int64_t count;
    int64_t step; /* elements of memory between neighbours; any sign */
};

struct pcdf_memory {
    char *base;
    size_t size;           /* bytes of an element here */
    size_t file_size;      /* and in the file */
    int ndims;             /* 0 = dense */
    struct pcdf_run *runs; /* owned; neighbours that form one run are merged */
};

/* imap NULL = dense. NC_ENOMEM; NC_EINVAL: an imap that no memory can hold. */
int pcdf_memory_describe(struct pcdf_memory *memory, void *buf, enum pcdf_mtype mtype, nc_type xtype,
                         int ndims, const MPI_Offset *count, const MPI_Offset *imap);
void pcdf_memory_free(struct pcdf_memory *memory);

/* Elements [first, first + n) to and from dense file bytes. Return true when a value was out of range. */
bool pcdf_memory_pack(const struct pcdf_memory *memory, const struct pcdf_kernels *kernels,
                      const unsigned char *fill, int64_t first, int64_t n, unsigned char *file);
bool pcdf_memory_unpack(const struct pcdf_memory *memory, const struct pcdf_kernels *kernels, int64_t first,
                        int64_t n, const unsigned char *file);
#endif
