#ifndef PCDF_GENC_H
#define PCDF_GENC_H
/* Values and text as C source. */

#include <stdint.h>
#include <stdio.h>
#include "types.h"

const char *pcdf_genc_mpi_type(nc_type type); /* "MPI_INT" */
/* "    static const int values[] = { 1, 2, 3 };\n" from external form; text is a literal. */
void pcdf_genc_array(FILE *to, nc_type type, int64_t n, const unsigned char *bytes);
/* A literal, of several lines where it is long. */
void pcdf_genc_text(FILE *to, const char *text, size_t n);
/* Text inside a comment, which it cannot end. */
void pcdf_genc_comment(FILE *to, const char *text);
#endif
