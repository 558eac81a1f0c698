#ifndef PCDF_SECTION_H
#define PCDF_SECTION_H

/* An array or section of Fortran as memory of elements that put and get know. */
#include <stdbool.h>
#include <stdint.h>
#include <ISO_Fortran_binding.h>
#include <mpi.h>

/* Elements in array element order, first dimension fastest. The length of character values is the first
 * dimension. */
struct pcdf_section {
    char *base;
    MPI_Datatype type; /* MPI_DATATYPE_NULL: netCDF has no such type */
    size_t size;       /* bytes of an element */
    int ndims;
    int64_t extent[CFI_MAX_RANK + 1];
    int64_t step[CFI_MAX_RANK + 1]; /* bytes */
    int64_t n;                      /* elements; -1: an assumed-size array, nobody knows */
    bool dense;                     /* without gaps, in order */
    bool is_text;
};

struct pcdf_section pcdf_section_of(const CFI_cdesc_t *values);

/* Element i of the section, in its order. */
char *pcdf_section_at(const struct pcdf_section *s, int64_t i);

/* The datatype, committed, of its first n elements, 0 < n <= s->n. */
int pcdf_section_first(const struct pcdf_section *s, int64_t n, MPI_Datatype *type);

/* Whether what an imap of C's order reaches lies in it. */
bool pcdf_section_holds(const struct pcdf_section *s, int ndims, const MPI_Offset *count,
                        const MPI_Offset *imap);

/* The datatype, committed, of the n elements that such an imap leads to, in the order of the request. */
int pcdf_section_mapped(const struct pcdf_section *s, int64_t n, int ndims, const MPI_Offset *count,
                        const MPI_Offset *imap, MPI_Datatype *type);

#endif
