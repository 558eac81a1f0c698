#ifndef PCDF_VOTE_H
#define PCDF_VOTE_H
/* The one message with which every collective call starts: each rank says what it knows, all learn the same.
 * It agrees errors, spots ranks that called something else, carries the number of records, and lets all ranks
 * take the same way through the transfer. On one rank there is nothing to send. */

#include <stddef.h>
#include "dataset.h"
#include "kinds.h"
#include "provesame.h"

/* The calls of a file are counted from its number on the communicator times this: a call on another file is
 * another call. */
#define PCDF_CALLS_OF_A_FILE ((int64_t)1 << 32)

enum pcdf_strategy { /* how the bytes go; the largest wins */
                     PCDF_STRATEGY_NONE,
                     PCDF_STRATEGY_INDEPENDENT, /* each rank moves its own, by explicit offsets */
                     PCDF_STRATEGY_OWN,         /* the same; it owns all chunks among them */
                     PCDF_STRATEGY_TWOPHASE,    /* through the windows of aggregators (twophase.h) */
                     PCDF_STRATEGY_VIEWS        /* through file views, by MPI-IO's own collective calls */
};

/* A vote: before it what this rank says, after it what all ranks know, the same on all. Of each field the
 * largest of all ranks holds where no other rule is told, of a bool: any rank's true. Each kind of call has a
 * struct with fields of its own, here or where it votes; what rules them is a form, below. When the vote
 * fails all is 0. */
struct pcdf_vote { /* the fields of every vote */
    enum pcdf_kind kind;
    /* What this rank's call is about, for messages. NULL: none, or not known. It is not told to other
     * ranks. */
    const char *variable;
    /* NC_ code of the call, 0: none. After the vote: the worst (smallest) of any rank's call. */
    int error;
    /* Said separately: a failure of storage that some rank had before this call. */
    int io_error;
    int64_t numrecs; /* records that exist if this rank's part succeeds */
    /* enddef: hash of the encoded header. Safe mode: of the arguments, too. It stays this rank's. */
    uint64_t hash;
    bool hash_differs;
};

struct pcdf_transfer_vote { /* put, get, wait */
    struct pcdf_vote common;
    /* What this rank needs for its puts and gets. The largest need wins. */
    enum pcdf_strategy put, get;
    struct pcdf_span put_span, get_span; /* from any rank's first byte to the last */
    /* Gets where one rank may read for others: from the last begin of any rank to the first end. A rank that
     * does not want that says { INT64_MAX, 0 }. */
    struct pcdf_span shared;
};

struct pcdf_sync_vote { /* sync, switches of mode, close, abort, redef */
    struct pcdf_vote common;
    bool header_dirty; /* the header changed and waits to be written */
    bool wrote;        /* something that was not synced yet */
    int64_t reach;     /* the file's end as this rank knows it */
};

/* ---- the forms: for each struct, which of its fields travel, and whether the largest or the smallest value
 * of all ranks holds. Who has a vote of its own writes its form with these macros. */

enum { PCDF_VOTE_NUMBERS = 16, PCDF_VOTE_OWN = 8, PCDF_FIRST_NUMBERS = 64 }; /* OWN: of its form */

struct pcdf_vote_form {
    struct pcdf_vote_field {
        enum { PCDF_VOTE_ABSENT, PCDF_VOTE_IS_LARGEST, PCDF_VOTE_IS_SMALLEST } rule;
        uint8_t at, size;
    } fields[PCDF_VOTE_OWN];
};

#define PCDF_VOTE_LARGEST(vote, field)                                                                       \
    {                                                                                                        \
        PCDF_VOTE_IS_LARGEST, offsetof(struct vote, field), sizeof((struct vote *)0)->field                  \
    }
#define PCDF_VOTE_SMALLEST(vote, field)                                                                      \
    {                                                                                                        \
        PCDF_VOTE_IS_SMALLEST, offsetof(struct vote, field), sizeof((struct vote *)0)->field                 \
    }
#define PCDF_VOTE_SPAN(vote, field) PCDF_VOTE_SMALLEST(vote, field.begin), PCDF_VOTE_LARGEST(vote, field.end)

extern const struct pcdf_vote_form pcdf_form_plain, pcdf_form_transfer, pcdf_form_sync;

/* Collective, one MPI_Allreduce (with a watchdog, messages that do the same), none on one rank, nor on a
 * poisoned file. Sets ds->io_error to the agreed one, poisons ds on a mismatch, or when a rank did not come
 * in the time of pcdf_watchdog_s. Returns NC_NOERR, NC_EMULTIDEFINE_FNC_ARGS (mismatch, or too late) or
 * NC_EMPI. common: of a struct of this form, the same on all ranks. */
int pcdf_vote_form_all(struct pcdf_dataset *ds, const struct pcdf_vote_form *form, struct pcdf_vote *common);
/* The same, of one of the structs above. */
#define PCDF_VOTE_IS(name, form) struct name * : &pcdf_form_##form
#define pcdf_vote_all(ds, vote)                                                                              \
    pcdf_vote_form_all((ds),                                                                                 \
                       _Generic((vote), PCDF_VOTE_IS(pcdf_vote, plain),                                      \
                                PCDF_VOTE_IS(pcdf_transfer_vote, transfer),                                  \
                                PCDF_VOTE_IS(pcdf_sync_vote, sync)),                                         \
                       (struct pcdf_vote *)(vote))

/* Keeps the first error, as pcdf_first does, but for one: that ranks called different things, or cannot talk
 * any more, is heard on every rank, whatever that rank did wrong itself. err: of a function that votes. */
static inline void pcdf_first_vote(const struct pcdf_dataset *ds, int *status, int err)
{
    if (*status == NC_NOERR || (err && ds->poisoned))
        *status = err;
}

/* The value, which is the same on all ranks (provesame.h). Behind a vote of the same call. */
#define PCDF_SAME_IN(ds, value) PCDF_SAME((ds)->poisoned || (ds)->watchdog ? NULL : &(ds)->ranks, (value))

/* The first message of create and open (kind), on the communicator that files share: the largest of all ranks
 * of each of n numbers. Collective. NC_EMULTIDEFINE_FNC_ARGS: a rank did not come in time. (comm.c) */
int pcdf_comm_first_vote_all(const struct pcdf_ranks *ranks, const struct pcdf_lease *lease,
                             const struct pcdf_hints *hints, enum pcdf_kind kind, int64_t *most, int n);
#endif
