/* See safety.h. */
#include "safety.h"
#include "hash.h"

uint64_t pcdf_facts_hash(const struct pcdf_fact *facts, int n)
{
    uint64_t hashes[PCDF_FACTS_MAX] = { 0 };
    for (int i = 0; i < n; i++)
        hashes[i] = facts[i].n == PCDF_FACT_TEXT ? pcdf_hash_text(facts[i].bytes)
                                                 : pcdf_hash_bytes(facts[i].bytes, facts[i].n);
    return pcdf_hash_bytes(hashes, (size_t)n * sizeof hashes[0]);
}

int pcdf_name_difference_all(struct pcdf_dataset *ds, enum pcdf_kind kind, const struct pcdf_fact *facts,
                             int n)
{
    int64_t most[2 * PCDF_FACTS_MAX] = { 0 };
    /* All are equal when the largest is the complement of the largest complement. */
    for (int i = 0; i < n; i++) {
        most[2 * i] = (int64_t)(pcdf_facts_hash(&facts[i], 1) >> 1);
        most[2 * i + 1] = ~most[2 * i];
    }
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, most, 2 * n);
    ds->poisoned |= err != NC_NOERR;
    PCDF_TRY(err);
    for (int i = 0; i < n; i++)
        if (most[2 * i] != ~most[2 * i + 1])
            return PCDF_FAIL(facts[i].code, "%s: %s differs between ranks; nothing is done (safe mode)",
                             pcdf_kind_name(kind), facts[i].what);
    /* Only the sum of the hashes can have differed, in a bit that is not sent here. */
    return PCDF_FAIL(NC_EMULTIDEFINE, "%s: arguments differ between ranks", pcdf_kind_name(kind));
}

int pcdf_agree_safely_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int status,
                          const struct pcdf_fact *facts, int n)
{
    struct pcdf_vote vote = { .kind = kind, .error = status };
    if (!status)
        vote.hash = pcdf_facts_hash(facts, n);
    if (ds->poisoned) /* on all ranks that still call */
        return pcdf_check_poison(ds);
    int err = pcdf_vote_all(ds, &vote);
    if (!err && vote.error && vote.error != status)
        err = PCDF_FAIL(vote.error, "%s fails on another rank: nothing is done (safe mode)",
                        pcdf_kind_name(kind));
    else if (!err && vote.error)
        err = status;
    else if (PCDF_SAME_IN(ds, !err && vote.hash_differs))
        err = pcdf_name_difference_all(ds, kind, facts, n);
    return err;
}
