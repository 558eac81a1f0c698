#ifndef PCDF_BIGCOUNT_H
#define PCDF_BIGCOUNT_H
/* Bytes in memory as the (count, type) of an MPI call whose count is an int. Up to INT_MAX that is MPI_BYTE;
 * above, one element of a derived type. This is the MPI-2 way, which every library has: it needs no question
 * about the MPI version, and one way means that both libraries run the code that the tests run. */

#include <mpi.h>
#include <stdint.h>

struct pcdf_bigcount {
    int count;
    MPI_Datatype type;
};

/* An MPI error code. */
int pcdf_bigcount_make(int64_t nbytes, struct pcdf_bigcount *big);
void pcdf_bigcount_free(struct pcdf_bigcount *big);
#endif
