/* See vote.h. */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "vote.h"
#include "watchdog.h"

/* ---- the message: what every vote says, then what its form says; as long for all, so that ranks that call
 * different things meet */

/* CALL: number and kind of the call. All ranks' are equal when the largest is the complement of the largest
 * complement. SMALLEST: what a part says (vote_begins, part.h). */
enum { ERROR, IO_ERROR, NUMRECS, CALL, NOT_CALL, HASH, NOT_HASH, NOT_SMALLEST, OWN };
_Static_assert((int)OWN + (int)PCDF_VOTE_OWN == (int)PCDF_VOTE_NUMBERS, "all numbers have a meaning");

#define LARGEST(vote, field)  PCDF_VOTE_LARGEST(vote, field)
#define SMALLEST(vote, field) PCDF_VOTE_SMALLEST(vote, field)
#define SPAN(vote, field)     PCDF_VOTE_SPAN(vote, field)

const struct pcdf_vote_form pcdf_form_plain = { { { 0 } } };
const struct pcdf_vote_form pcdf_form_transfer = {
    { LARGEST(pcdf_transfer_vote, put), LARGEST(pcdf_transfer_vote, get), SPAN(pcdf_transfer_vote, put_span),
      SPAN(pcdf_transfer_vote, get_span), LARGEST(pcdf_transfer_vote, shared.begin),
      SMALLEST(pcdf_transfer_vote, shared.end) }
};
const struct pcdf_vote_form pcdf_form_sync = {
    { LARGEST(pcdf_sync_vote, header_dirty), LARGEST(pcdf_sync_vote, wrote), LARGEST(pcdf_sync_vote, reach) }
};

/* What a form says becomes numbers; or, `back`, the numbers that all ranks agreed become what it says. The
 * smallest number has the largest negative. */
static void carry_own(const struct pcdf_vote_form *form, struct pcdf_vote *vote, int64_t *numbers, bool back)
{
    const struct pcdf_vote_field *f = form->fields;
    for (int i = 0; i < PCDF_VOTE_OWN && f[i].rule; i++) {
        void *field = (char *)vote + f[i].at;
        int64_t sign = f[i].rule == PCDF_VOTE_IS_SMALLEST ? -1 : 1, agreed = sign * numbers[i];
        bool is_int = f[i].size == sizeof(int), is_bool = f[i].size == sizeof(bool);
        if (!back)
            numbers[i] = sign * (is_bool  ? *(const bool *)field
                                 : is_int ? *(const int *)field
                                          : *(const int64_t *)field);
        else if (is_bool)
            *(bool *)field = agreed;
        else if (is_int)
            *(int *)field = (int)agreed;
        else
            *(int64_t *)field = agreed;
    }
}

/* own: the error that this rank's call has by itself, 0 = none. */
static int report_mismatch(struct pcdf_dataset *ds, int64_t mine, int64_t largest, int64_t smallest, int own)
{
    int64_t other = mine == largest ? smallest : largest;
    int64_t call = mine / PCDF_KINDS, other_call = other / PCDF_KINDS;
    const char *name = pcdf_kind_name(mine % PCDF_KINDS), *other_name = pcdf_kind_name(other % PCDF_KINDS);
    const char *also = own ? "; this rank's call fails by itself, too: " : "";
    const char *own_name = own ? pcdf_error_of(own)->name : NULL;
    ds->poisoned = true;
    if (call / PCDF_CALLS_OF_A_FILE != other_call / PCDF_CALLS_OF_A_FILE)
        return PCDF_FAIL(
            NC_EMULTIDEFINE_FNC_ARGS,
            "this rank's collective call is %s on this file, another rank's is %s on another file; "
            "this file can only be closed now%s%s",
            name, other_name, also, own_name ? own_name : "");
    return PCDF_FAIL(
        NC_EMULTIDEFINE_FNC_ARGS,
        "this rank's collective call %lld on the file is %s, another rank's call %lld is %s; the file "
        "can only be closed now%s%s",
        (long long)(call % PCDF_CALLS_OF_A_FILE), name, (long long)(other_call % PCDF_CALLS_OF_A_FILE),
        other_name, also, own_name ? own_name : "");
}

/* What decides, in this call and in the next ones, whether a rank communicates. */
static void prove_state_all(const struct pcdf_dataset *ds)
{
    const struct pcdf_proof proofs[] = {
        { "mode", ds->mode },
        { "is_new", ds->is_new },
        { "readonly", ds->readonly },
        { "wrote_header", ds->wrote_header },
        { "has_grown", ds->has_grown },
        { "safe_mode", ds->safe_mode },
        { "has new_path", ds->new_path != NULL },
        { "keeps_new_path", ds->keeps_new_path },
        { "has old_meta", ds->old_meta != NULL },
        { "on_storage", ds->on_storage },
        { "is_short", ds->is_short },
        { "is_half_changed", ds->is_half_changed },
        { "numrecs_on_file", ds->numrecs_on_file },
        { "agreed_io_error", ds->agreed_io_error },
        { "deferral.holds", ds->deferral.holds },
        { "hint pcdf_defer", ds->hints.defer },
        { "commit", ds->commit },
        { "hint pcdf_debug_consistency", ds->hints.consistency },
    };
    PCDF_PROVE(ds->watchdog ? NULL : &ds->ranks, proofs, (int)(sizeof proofs / sizeof proofs[0]));
    pcdf_parts_prove_all(ds);
}

int pcdf_vote_form_all(struct pcdf_dataset *ds, const struct pcdf_vote_form *form, struct pcdf_vote *vote)
{
    assert(vote->kind < PCDF_KINDS && vote->error <= 0 && ds->io_error <= 0);
    pcdf_parts_before_vote_all(ds);
    bool asks = pcdf_parts_any(&ds->parts);
    int64_t call = ++ds->sequence * PCDF_KINDS + vote->kind,
            number = asks ? pcdf_parts_vote_begins(ds, vote->kind) : 0;
    if (ds->ranks.size == 1 && !ds->poisoned) { /* what was said is what is agreed */
        vote->io_error = ds->agreed_io_error = ds->io_error;
        vote->hash_differs = false;
        if (asks)
            pcdf_parts_vote_ends(ds, vote->kind, number);
        return NC_NOERR;
    }
    int err;
    const int64_t hash = (int64_t)(vote->hash >> 1);
    int64_t most[PCDF_VOTE_NUMBERS] = { [ERROR] = -(int64_t)vote->error,
                                        [IO_ERROR] = -(int64_t)ds->io_error,
                                        [NUMRECS] = vote->numrecs,
                                        [CALL] = call,
                                        [NOT_CALL] = ~call,
                                        [HASH] = hash,
                                        [NOT_HASH] = ~hash,
                                        [NOT_SMALLEST] = -number };
    carry_own(form, vote, &most[OWN], false);
    if (ds->poisoned) { /* others may be gone: nobody is waited for */
        err = pcdf_check_poison(ds);
    } else if (ds->watchdog) { /* the same on all ranks: agreed at open */
        ds->counts.allreduce++;
        err = pcdf_watchdog_vote_all(ds->watchdog, ds->path, call, vote->variable, most, PCDF_VOTE_NUMBERS);
    } else { /* the same on all ranks */
        err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, most, PCDF_VOTE_NUMBERS);
    }
    ds->poisoned |= err != NC_NOERR;
    if (!err && most[CALL] != ~most[NOT_CALL])
        err = report_mismatch(ds, call, most[CALL], ~most[NOT_CALL], vote->error);
    if (err)
        memset(most, 0, sizeof most);
    vote->error = (int)-most[ERROR];
    vote->io_error = (int)-most[IO_ERROR];
    vote->numrecs = most[NUMRECS];
    vote->hash_differs = !err && most[HASH] != ~most[NOT_HASH];
    carry_own(form, vote, &most[OWN], true);
    if (!err)
        ds->io_error = ds->agreed_io_error = vote->io_error;
    if (!err && asks) /* on all ranks */
        pcdf_parts_vote_ends(ds, vote->kind, -most[NOT_SMALLEST]);
    /* A rank that failed, while it opens for one, may lack what others have. The same on all ranks. */
    if (PCDF_PROVES && !err && !vote->error)
        prove_state_all(ds);
    return err;
}

int pcdf_check_poison(const struct pcdf_dataset *ds)
{
    if (ds->is_half_changed)
        return PCDF_FAIL(
            ds->io_error,
            "enddef failed while it changed the file, and where the data is now only recovery can "
            "tell: close it; it is finished when it is next opened for writing");
    if (!ds->poisoned)
        return NC_NOERR;
    return PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS,
                     "ranks made different collective calls on this file before, or did not come to one; it "
                     "can only be closed");
}
