#ifndef PCDF_PROVESAME_H
#define PCDF_PROVESAME_H
/* "The same on all ranks", as something that can be proved. PCDF_SAME(ranks, value) is the value, evaluated
 * once. Built with the option PARCDF_PROVE_SAME it is Collective: the ranks compare it in a message of its
 * own and, where it differs, the program ends (abort) with file, line, this rank's value and the smallest and
 * largest. Otherwise it costs nothing. The message is not counted, and passes by whoever stands between the
 * library and MPI.
 *
 * It stands where an `if` decides about a collective, and only behind a vote or another agreement of the same
 * call: before it, ranks of a program may be in different calls, and would wait here for each other. A proof
 * that waits for ever is none. For the same reason ranks are NULL, which proves nothing, where some rank may
 * have given up: on a poisoned file and where a watchdog ends votes (PCDF_SAME_IN in vote.h sees to both).
 * Tests in which MPI itself fails on one rank set PARCDF_PROVE_SAME=0 in the environment. */

#include "collective.h"

struct pcdf_proof {
    const char *what;
    int64_t value;
};

#if PARCDF_PROVE_SAME
#define PCDF_PROVES                  true
#define PCDF_SAME(ranks, value)      pcdf_prove_same_all((ranks), (int64_t)(value), #value, __FILE__, __LINE__)
#define PCDF_PROVE(ranks, proofs, n) pcdf_prove_all((ranks), (proofs), (n), __FILE__, __LINE__)
#else
#define PCDF_PROVES                  false
#define PCDF_SAME(ranks, value)      (value)
#define PCDF_PROVE(ranks, proofs, n) ((void)(proofs))
#endif

/* ranks: NULL, or Collective. The value. */
int64_t pcdf_prove_same_all(const struct pcdf_ranks *ranks, int64_t value, const char *what, const char *file,
                            int line);
void pcdf_prove_all(const struct pcdf_ranks *ranks, const struct pcdf_proof *proofs, int n, const char *file,
                    int line);
#endif
