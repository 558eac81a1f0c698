/* See vote.h. */
#include <string.h>
#include "watchdog.h"

static const char *const kind_names[PCDF_KINDS] = {
    "put", "get", "wait_all", "end of a put", "enddef", "enddef moving data", "fill_var_rec", "redef", "sync",
    "flush", "sync_numrecs", "begin_indep_data", "end_indep_data", "close", "abort", "open", "create",
    /* safe mode */
    "def_dim", "rename_dim", "def_var", "rename_var", "put_att", "copy_att", "rename_att", "del_att",
    "set_fill", "def_var_fill"
};

const char *pcdf_kind_name(enum pcdf_kind kind)
{
    return kind_names[kind];
}

enum { /* fields of the message; the largest of all ranks comes back */
       F_ERROR,
       F_IO_ERROR,
       F_NUMRECS,
       F_CALL,     /* number of the call on this file, and its kind */
       F_NOT_CALL, /* its complement: all equal when the largest is the complement of the largest F_CALL */
       F_WAY,
       F_GET_WAY,
       F_HASH,
       F_NOT_HASH,
       F_NUMBERS,
       F_FIELDS = F_NUMBERS + PCDF_BALLOT_NUMBERS
};

_Static_assert((int)F_FIELDS == (int)PCDF_VOTE_NUMBERS, "a watched vote has room for all fields");

static int watched_all(struct pcdf_dataset *ds, const char *variable, int64_t call, int64_t *most)
{
    ds->counts.allreduce++;
    return pcdf_watchdog_vote_all(ds->watchdog, ds->path, call, variable, most, F_FIELDS);
}

/* One message; on one rank what was said is what is agreed. */
static int exchange_all(struct pcdf_dataset *ds, const char *variable, const int64_t *mine, int64_t *most)
{
    memcpy(most, mine, F_FIELDS * sizeof *most);
    if (ds->poisoned) /* others may be gone: nobody is waited for */
        return pcdf_check_poison(ds);
    if (ds->comm.size == 1)
        return NC_NOERR;
    int err;
    if (ds->watchdog) /* the same on all ranks: agreed at open */
        err = watched_all(ds, variable, mine[F_CALL], most);
    else /* the same on all ranks */
        err = pcdf_ranks_max_all(&ds->comm, most, F_FIELDS);
    ds->poisoned |= err != NC_NOERR;
    return err;
}

/* own: the error that this rank's call has by itself, 0 = none. */
static int report_mismatch(struct pcdf_dataset *ds, int64_t mine, int64_t largest, int64_t smallest, int own)
{
    int64_t other = mine == largest ? smallest : largest;
    int64_t call = mine / PCDF_KINDS, other_call = other / PCDF_KINDS;
    const char *name = kind_names[mine % PCDF_KINDS], *other_name = kind_names[other % PCDF_KINDS];
    const char *also = own ? "; this rank's call fails by itself, too: " : "";
    const char *own_name = own ? pcdf_error_name(own) : NULL;
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

int pcdf_vote_all(struct pcdf_dataset *ds, const struct pcdf_ballot *ballot, struct pcdf_agreed *agreed)
{
    int64_t mine[F_FIELDS], most[F_FIELDS];
    int64_t call = ++ds->sequence * PCDF_KINDS + ballot->kind;
    mine[F_ERROR] = -(int64_t)ballot->error;
    mine[F_IO_ERROR] = -(int64_t)ds->io_error;
    mine[F_NUMRECS] = ballot->numrecs;
    mine[F_CALL] = call;
    mine[F_NOT_CALL] = ~call;
    mine[F_WAY] = ballot->way;
    mine[F_GET_WAY] = ballot->get_way;
    mine[F_HASH] = (int64_t)(ballot->hash >> 1);
    mine[F_NOT_HASH] = ~mine[F_HASH];
    memcpy(&mine[F_NUMBERS], ballot->numbers, sizeof ballot->numbers);
    memset(agreed, 0, sizeof *agreed);
    int err = exchange_all(ds, ballot->variable, mine, most);
    if (!err && most[F_CALL] != ~most[F_NOT_CALL]) {
        agreed->mismatch = true;
        err = report_mismatch(ds, call, most[F_CALL], ~most[F_NOT_CALL], ballot->error);
    }
    if (err)
        return err;
    agreed->error = (int)-most[F_ERROR];
    agreed->io_error = (int)-most[F_IO_ERROR];
    agreed->numrecs = most[F_NUMRECS];
    agreed->way = (enum pcdf_strategy)most[F_WAY];
    agreed->get_way = (enum pcdf_strategy)most[F_GET_WAY];
    memcpy(agreed->numbers, &most[F_NUMBERS], sizeof agreed->numbers);
    agreed->hash_differs = most[F_HASH] != ~most[F_NOT_HASH];
    ds->io_error = ds->agreed_io_error = agreed->io_error;
    return NC_NOERR;
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
