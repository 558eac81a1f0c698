#ifndef PCDF_SAFETY_H
#define PCDF_SAFETY_H
/* Safe mode (PNETCDF_SAFE_MODE): every collective call on the definitions says its arguments in its one vote.
 * Where they differ, a second message finds which, all ranks return the same NC_EMULTIDEFINE_ code, and
 * nothing is done; a rank's own error is every rank's. Out of safe mode nothing is sent. */

#include "vote.h"

/* One argument, and the code for ranks that differ in it. */
struct pcdf_fact {
    const char *what;
    int code;
    /* It is looked at only where this rank's checks found nothing wrong. */
    const void *bytes;
    size_t n; /* PCDF_FACT_TEXT: up to the NUL */
};
#define PCDF_FACT_TEXT SIZE_MAX

enum { PCDF_FACTS_MAX = 8 };

/* What the vote carries: of all n facts. */
uint64_t pcdf_facts_hash(const struct pcdf_fact *facts, int n);
/* Collective, one MPI_Allreduce: which fact differs, its code on all ranks; the first in the list counts.
 * `kind` is for the sentence. */
int pcdf_name_difference_all(struct pcdf_dataset *ds, enum pcdf_kind kind, const struct pcdf_fact *facts,
                             int n);
/* pcdf_agree_all in safe mode. */
int pcdf_agree_safely_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int status,
                          const struct pcdf_fact *facts, int n);

/* Collective in safe mode: may the call be made? status: of this rank's checks. One MPI_Allreduce, two where
 * the facts differ; the same answer on all ranks. Otherwise the answer is `status`, and the facts are not
 * even put into memory. n <= PCDF_FACTS_MAX. */
static inline int pcdf_agree_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int status,
                                 const struct pcdf_fact *facts, int n)
{
    return ds->safe_mode ? pcdf_agree_safely_all(ds, kind, status, facts, n)
                         : status; /* the same on all ranks */
}
#endif
