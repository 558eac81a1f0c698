#ifndef MPI_COUNT_H
#define MPI_COUNT_H
/* Counts what a program and its libraries ask of MPI: mpi_count.c defines the MPI_ functions over their PMPI_
 * names. Calls that MPI makes inside itself (collective I/O uses collectives) are not counted: only the
 * outermost is. */

#include <stdint.h>

enum mpi_count {
    COUNT_ALLREDUCE,
    COUNT_BCAST,
    COUNT_BARRIER,
    COUNT_OTHER_COLLECTIVE, /* gathers, alltoalls, scans, reductions to one rank */
    COUNT_COMM,             /* communicators made */
    COUNT_FILE_OPEN,        /* and close */
    COUNT_SET_VIEW,
    COUNT_WRITE, /* not collective, with or without an explicit offset */
    COUNT_READ,
    COUNT_WRITE_ALL, /* collective */
    COUNT_READ_ALL,
    COUNT_SYNC,
    COUNT_RESIZE, /* set_size, preallocate */
    COUNT_KINDS
};

extern const char *const mpi_count_names[COUNT_KINDS];

/* From now on what this process asks is added to `into` (COUNT_KINDS numbers); NULL: counted nowhere. */
void mpi_count_into(int64_t *into);
#endif
