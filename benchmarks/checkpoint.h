#ifndef CHECKPOINT_H
#define CHECKPOINT_H
/* The parts of the program `checkpoint` meet here. */

#include "bench.h"
#include "compute.h"
#include "mpi_count.h"
#include "workload.h"

enum phase { PHASE_DEFINE, PHASE_WRITE, PHASE_CLOSE, PHASE_OPEN, PHASE_READ, PHASES };

extern const char *const phase_names[PHASES];

struct settings {
    int64_t format, read_ranks, records, repeat, batch, expect, ne, levels, nvars, scale;
    const char *built_in, *grid, *header, *map, *dims, *wrf, *folder, *output, *keep;
    const char *pending; /* "record", "file": one wait for so much; "": blocking calls */
    const char *hints;   /* as the option has them */
    const char *seconds; /* of computation before each record, as the option has them */
    struct compute compute;
    const char *path;   /* of the file */
    MPI_Info info;      /* the hints */
    bool json, replace; /* replace: a file of that name */
};

/* A record with the computation before it: seconds of this rank, of each step of each repeat. */
struct steps {
    int n;
    double *computed; /* with the making of the values */
    double *waited;   /* inside library calls */
    double *whole;
};

struct measured {
    double *seconds[PHASES];             /* of this rank, one a repeat */
    double *slowest[PHASES];             /* of the slowest rank, one a repeat */
    int64_t counts[PHASES][COUNT_KINDS]; /* of this rank, one repeat */
    int64_t data_calls;                  /* collective puts, or gets, of one repeat */
    int64_t pieces, largest; /* of this rank in one record of all partitioned variables; in one call */
    int64_t values, wrong;   /* compared on this rank, all repeats */
    int64_t bytes;           /* written by all ranks in one repeat */
    struct steps steps;
    int nrepeats, read_ranks;
    MPI_Info in_effect; /* rank 0: what the library says of the file's hints; it frees it */
};

/* phases.c: writes the file over comm; reads and compares it over comm. Collective. */
void checkpoint_write(const struct workload *w, const struct settings *s, MPI_Comm comm, const char *path,
                      int repeat, struct measured *m);
void checkpoint_read(const struct workload *w, const struct settings *s, MPI_Comm comm, const char *path,
                     int repeat, struct measured *m);

/* report.c: rank 0 prints. Collective over comm. */
void checkpoint_report(const struct workload *w, const struct settings *s, MPI_Comm comm,
                       const struct measured *m);
/* checkpoint.c: the whole benchmark between MPI_Init and MPI_Finalize. name: of the program, for sentences.
 * 0: all values right; 1: some are not; 2: wrong arguments. Other failures end the job (bench_fail).
 * Collective.
 */
int checkpoint_run(int argc, char **argv, const char *name);
#endif
