#ifndef PCDF_ZARRARRAY_H
#define PCDF_ZARRARRAY_H
/* The arrays of a Zarr store of version 2, read without libnetcdf, which (4.9.0) takes compressed, big-endian
 * and Fortran-ordered chunks for plain ones, does not tell fill values, and crashes on types that it does not
 * know. What is not read here either is refused with a sentence that names array and codec. */

#include "foreign.h"

enum { PCDF_ZARR_DIMS = 32 };

struct pcdf_zarr_array {
    const char *store; /* for sentences */
    char *folder;      /* in the store, owned */
    int root;          /* descriptor of the store, not owned */
    char kind;         /* of type: 'i', 'u', 'f'; 'U' and 'S': text, which libnetcdf reads */
    int size;          /* bytes of a value */
    bool is_big, is_fortran, is_deflated, is_nczarr, has_fill;
    char separator;
    int ndims;
    int64_t shape[PCDF_ZARR_DIMS], chunk[PCDF_ZARR_DIMS];
    int64_t nbytes;        /* of a chunk */
    unsigned char fill[8]; /* in the machine's form; zeros where there is none */
    unsigned char *bytes;  /* the chunk that was read last, owned */
    int64_t held[PCDF_ZARR_DIMS];
    bool holds;
};

/* All arrays of the store: can they be read? Says which cannot, and why: UNUSABLE. */
int pcdf_zarr_check(const char *store, int root);
/* folder: "group/name". Says what is wrong: UNUSABLE. */
int pcdf_zarr_open(const char *store, int root, const char *folder, struct pcdf_zarr_array **array);
/* size: bytes of a value where they go; one of another size is refused. The chunk that was read last stays in
 * memory. */
int pcdf_zarr_read(struct pcdf_zarr_array *array, const struct pcdf_foreign_slab *slab, int size,
                   void *values);
void pcdf_zarr_drop_chunk(struct pcdf_zarr_array *array);
void pcdf_zarr_close(struct pcdf_zarr_array *array);

/* What zlib or gzip made, of exactly `size` bytes; false: it is not that. */
bool pcdf_zarr_inflate(const unsigned char *packed, size_t n, unsigned char *bytes, size_t size);
#endif
