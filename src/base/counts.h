#ifndef PCDF_COUNTS_H
#define PCDF_COUNTS_H
/* What one open file asked of MPI and of the file system on this rank. Whoever makes a collective or a file
 * operation counts it where it calls: mpiio/collective.c the messages, storages the rest. The
 * trace storage and the tests read them. */

#include <stdint.h>

struct pcdf_counts {
    int64_t allreduce, bcast, barrier;
    int64_t exchange;   /* alltoall, alltoallv */
    int64_t puts_again; /* exchanges in which ranks overlapped, and which were made in turn */
    int64_t forwarded;  /* exchanges in which nodes forwarded what others had */
    int64_t lent;       /* windows that were memory of the write queue */
    int64_t file_open, set_view;
    int64_t write_at, read_at;             /* explicit offset, no view */
    int64_t write_view_all, read_view_all; /* collective, through a view */
    int64_t sieved_puts;                   /* writes of several runs with what lies between */
    int64_t chunks_decoded;                /* of files of other formats */
    int64_t chunks_shared;                 /* that another rank of the node had decoded */
    int64_t chunks_late;                   /* that another rank was to decode, but did not in time */
    int64_t sync, resize;
    int64_t bytes_written, bytes_read;  /* of moves that succeeded whole: header, fill and moved data, too */
    int64_t bytes_cloned;               /* of those written: shared with an older file instead */
    int64_t bytes_deduped;              /* shared with it after they were written */
    int64_t nodes, aggregators, window; /* of the last exchange: no counts, but what there was */
};
#endif
