#ifndef STATES_H
#define STATES_H
/* The states that a crash could leave, from a recorded log, each of them once, and what becomes of it. */
#include "verdict.h"

enum { NFILES = 2 }; /* the file and its journal */

struct state {
    struct bytes files[NFILES];
    bool there[NFILES];
    const struct bytes *stored[NFILES]; /* of a kill: what is on the storage of it; of a power cut NULL */
    bool is_named[NFILES];              /* and whether its name is */
    uint64_t inode;                     /* of the file, as the journal knows it */
    int low, high;
    bool is_power;
    size_t at;
};

enum { TALLIES = 7 };
struct tally { /* TALLIES numbers */
    long enumerated, distinct, right, refused, recovered;
    long nested; /* of the enumerated, in recoveries */
    long bad;
};

struct enumeration {
    const struct versions *versions;
    struct tally *tally;
    const char *title; /* of what is printed */
    int subsets;       /* where there are too many to take all */
    int depth;         /* 1: states of a recovery */
    uint64_t seed;
    bool kills_only;             /* the log is of a file in memory, of which a power cut leaves nothing */
    const struct state *between; /* of a recovery: the versions that are possible; else NULL */
};

/* Every state after each entry of a log; `w` is at its beginning. */
void states_of_log(struct enumeration *e, struct world *w, const struct log *log);
/* Judges one, recovers it where that is due; the tally has it. */
void states_judge(struct enumeration *e, const struct state *s);
#endif
