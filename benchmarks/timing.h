#ifndef TIMING_H
#define TIMING_H
/* Phases of a benchmark that is repeated: how long each took on each rank, which MPI calls it made, and a
 * table or a JSON object of it at the end. */

#include "bench.h"
#include "mpi_count.h"

enum { TIMING_PHASES = 32 };

struct timing {
    const char *names[TIMING_PHASES]; /* up to the first NULL */
    int64_t repeats;
    int repeat;                     /* the one that runs */
    double *seconds[TIMING_PHASES]; /* of this rank, by repeat */
    double *span[TIMING_PHASES];    /* until all ranks were done */
    double began;
    int64_t counts[TIMING_PHASES][COUNT_KINDS]; /* of the first repeat */
};

void timing_begin(struct timing *t); /* names and repeats are set */
void timing_end(struct timing *t);
void timing_start(struct timing *t, int phase); /* collective: behind a barrier */
void timing_stop(struct timing *t, int phase);  /* collective */
/* Collective. Rank 0 prints: title and a table, or with json one object, to which `more` adds numbers. It has
 * the seconds from the first rank's start to the last one's end over the repeats ("span"), and the counts of
 * each phase, of the rank that made most ("mpi") and of all ranks together ("all"). */
void timing_report(struct timing *t, const char *program, const char *title, bool json,
                   void (*more)(struct bench_json *j, const void *context), const void *context);
#endif
