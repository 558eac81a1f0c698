#ifndef MPI_COUNT_H
#define MPI_COUNT_H
/* Counts what a program and its libraries ask of MPI and of the system: mpi_count.c defines the MPI_
 * functions over their PMPI_ names. Calls that MPI makes inside itself (collective I/O uses collectives) are
 * not counted: only the outermost is. What the process asks of the system, through whatever library, is
 * Linux' own account
 * (/proc/self/io): calls of the read and write families; and its time on a processor. */

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
    COUNT_RESIZE,     /* set_size, preallocate */
    COUNT_SEND,       /* messages between two ranks, one-sided ones too */
    COUNT_SENT_BYTES, /* theirs, and what all-to-alls and all-gathers hand over */
    COUNT_WINDOW,     /* windows made */
    COUNT_SYS_WRITE,  /* system calls that write, on whatever, and their bytes */
    COUNT_SYS_WRITE_BYTES,
    COUNT_SYS_READ,
    COUNT_SYS_READ_BYTES,
    COUNT_USER_US, /* the process' time on a processor, in microseconds: says more than the clock where others
                      work */
    COUNT_SYSTEM_US,
    COUNT_PAGE_FAULTS,
    COUNT_KINDS
};

extern const char *const mpi_count_names[COUNT_KINDS];

/* From now on what this process asks is added to `into` (COUNT_KINDS numbers); NULL: counted nowhere. */
void mpi_count_into(int64_t *into);
#endif
