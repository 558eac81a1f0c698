#ifndef PCDF_VOTE_H
#define PCDF_VOTE_H
/* The one message with which every collective call starts: each rank says what it knows, all learn the same.
 * It agrees errors, spots ranks that called something else, carries the number of records, and lets all ranks
 * take the same way through the transfer. On one rank there is nothing to send. */

#include "dataset.h"

enum pcdf_kind { /* of a collective call; never ncid, variable, form, type or arguments, in which ranks may
                    differ */
                 PCDF_KIND_PUT,
                 PCDF_KIND_GET,
                 PCDF_KIND_WAIT,
                 PCDF_KIND_END_OF_PUT, /* the second vote of a put that raised numrecs */
                 PCDF_KIND_ENDDEF,
                 PCDF_KIND_MOVE,
                 PCDF_KIND_FILL, /* fill_var_rec, and enddef filling */
                 PCDF_KIND_REDEF,
                 PCDF_KIND_SYNC,
                 PCDF_KIND_FLUSH,
                 PCDF_KIND_SYNC_NUMRECS,
                 PCDF_KIND_BEGIN_INDEP,
                 PCDF_KIND_END_INDEP,
                 PCDF_KIND_CLOSE,
                 PCDF_KIND_ABORT,
                 PCDF_KIND_OPEN,
                 PCDF_KIND_CREATE,
                 PCDF_KIND_DEF_DIM, /* from here on: calls that vote in safe mode only (safety.c) */
                 PCDF_KIND_RENAME_DIM,
                 PCDF_KIND_DEF_VAR,
                 PCDF_KIND_RENAME_VAR,
                 PCDF_KIND_PUT_ATT,
                 PCDF_KIND_COPY_ATT,
                 PCDF_KIND_RENAME_ATT,
                 PCDF_KIND_DEL_ATT,
                 PCDF_KIND_SET_FILL,
                 PCDF_KIND_DEF_VAR_FILL,
                 PCDF_KINDS
};

/* The calls of a file are counted from its number on the communicator times this: a call on another file is
 * another call. */
#define PCDF_CALLS_OF_A_FILE ((int64_t)1 << 32)

enum pcdf_strategy { /* how the bytes go; the largest wins */
                     PCDF_STRATEGY_NONE,
                     PCDF_STRATEGY_INDEPENDENT, /* each rank moves its own, by explicit offsets */
                     PCDF_STRATEGY_TWOPHASE,    /* through the windows of aggregators (twophase.h) */
                     PCDF_STRATEGY_VIEW         /* through file views, by MPI-IO's own collective calls */
};

enum { PCDF_BALLOT_NUMBERS = 4, PCDF_VOTE_NUMBERS = 9 + PCDF_BALLOT_NUMBERS, PCDF_FIRST_NUMBERS = 400 };

struct pcdf_ballot { /* what this rank says */
    enum pcdf_kind kind;
    int error;                            /* NC_ code of this rank's call, 0 = none */
    int64_t numrecs;                      /* records that will exist when this rank's part succeeds */
    enum pcdf_strategy way, get_way;      /* of this rank's puts and gets; of the agreed, the largest */
    int64_t numbers[PCDF_BALLOT_NUMBERS]; /* what else this kind of call agrees on */
    uint64_t hash;                        /* enddef: of the encoded header; safe mode: of the arguments too */
    const char *variable; /* this rank's call is about, for a sentence; NULL: none, or not known */
};

struct pcdf_agreed { /* what all ranks know now */
    int error;       /* the worst (smallest) code of any rank's call, 0 = none */
    int io_error;    /* a failure of storage that some rank had before this call */
    int64_t numrecs;
    enum pcdf_strategy way, get_way;
    int64_t numbers[PCDF_BALLOT_NUMBERS]; /* the largest of each */
    bool hash_differs;
    bool mismatch; /* ranks called different collectives; the handle is poisoned */
};

/* Collective, one MPI_Allreduce (with a watchdog, messages that do the same), none on one rank, nor on a
 * poisoned file. Sets ds->io_error to the agreed one, poisons ds on a mismatch, or when a rank did not come
 * in the time of pcdf_watchdog_s. Returns NC_NOERR, NC_EMULTIDEFINE_FNC_ARGS (mismatch, or too late) or
 * NC_EMPI.
 */
int pcdf_vote_all(struct pcdf_dataset *ds, const struct pcdf_ballot *ballot, struct pcdf_agreed *agreed);

/* Keeps the first error, as pcdf_first does, but for one: that ranks called different things, or cannot talk
 * any more, is heard on every rank, whatever that rank did wrong itself. err: of a function that votes. */
static inline void pcdf_first_vote(const struct pcdf_dataset *ds, int *status, int err)
{
    if (*status == NC_NOERR || (err && ds->poisoned))
        *status = err;
}

const char *pcdf_kind_name(enum pcdf_kind kind);

/* The first message of create and open (kind), on the communicator that files share: the largest of all ranks
 * of each of n numbers. Collective. NC_EMULTIDEFINE_FNC_ARGS: a rank did not come in time. (comm.c) */
int pcdf_comm_first_vote_all(const struct pcdf_ranks *ranks, const struct pcdf_lease *lease,
                             const struct pcdf_hints *hints, enum pcdf_kind kind, int64_t *most, int n);
#endif
