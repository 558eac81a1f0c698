#ifndef PCDF_F77SUPPORT_H
#define PCDF_F77SUPPORT_H

/* What both Fortran interfaces need to turn Fortran's arguments into C's: the first dimension of Fortran is
 * the last of C, numbers count from 1, texts are padded with blanks and have no NUL. */
#include <stdbool.h>
#include <stddef.h>
#include <parcdf.h>
#include <pnetcdf.h>

_Static_assert(sizeof(MPI_Offset) == 8, "the Fortran interfaces say integer(8) for MPI_OFFSET_KIND");
_Static_assert(sizeof(int) == 4, "a default integer of Fortran is an int");

#define PCDF_FORTRAN_API __attribute__((visibility("default")))

/* Keeps the sentence on an error that only the Fortran interface sees, for nfmpi_last_error of this thread.
 * Returns err. */
__attribute__((format(printf, 2, 3))) int pcdf_fortran_fail(int err, const char *format, ...);

/* Forgets it: the sentence of the C function is told. */
void pcdf_fortran_forget(void);

/* Around what a call does with numbers from Fortran, so that sentences tell them as Fortran counts, and name
 * functions as the caller does: nfmpi_, or nf90mpi_ of the module. */
void pcdf_begin(void);
void pcdf_begin_f90(void);
/* The module's functions that call an nfmpi_ one say so before. */
PCDF_FORTRAN_API void pcdf_f90_comes(void);
static inline int pcdf_end(int err)
{
    parcdf_tell_fortran(0);
    return err;
}

/* A name or path from Fortran without its trailing blanks; empty, which no call accepts, where memory is
 * short. */
struct pcdf_text {
    char *text, *large, small[NC_MAX_NAME + 16];
    int err;
};

void pcdf_text_in(struct pcdf_text *text, const char *fortran, size_t len);

/* Releases it and returns err, or NC_ENOMEM where the text could not be copied. */
int pcdf_text_free(struct pcdf_text *text, int err);

/* Copies to Fortran and pads with blanks. NC_ESTS where the text is cut. */
int pcdf_text_out(char *fortran, size_t len, const char *text);

/* The index vectors of one request, in C's order. Vectors that were not given are NULL, and all of them where
 * varid is not known: then the C function says so. */
struct pcdf_index {
    MPI_Offset *start, *count, *stride, *imap;
    int ndims, err;
    MPI_Offset small[4 * 8], *large;
};

void pcdf_index_make(struct pcdf_index *x, int ncid, int varid, const MPI_Offset *start,
                     const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap);

/* Asks for the variable's dimensions and makes room for all four vectors. False where either failed. */
bool pcdf_index_room(struct pcdf_index *x, int ncid, int varid);

/* Releases it and returns err, or what went wrong while it was made. The C function must have been called all
 * the same: other ranks may wait for this one. */
int pcdf_index_free(struct pcdf_index *x, int err);

/* The same for the many starts and counts of varn. */
struct pcdf_indexes {
    MPI_Offset **starts, **counts, *numbers;
    int ndims, err;
};

/* Room for num vectors of starts, and of counts. False where there is none: then both are NULL. */
bool pcdf_indexes_room(struct pcdf_indexes *x, int ncid, int varid, int num, bool with_counts);

void pcdf_indexes_make(struct pcdf_indexes *x, int ncid, int varid, int num, const MPI_Offset *starts,
                       const MPI_Offset *counts);
int pcdf_indexes_free(struct pcdf_indexes *x, int err);

#endif
