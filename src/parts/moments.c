/* See part.h: the moments, part by part. */
#include "part.h"
#include <assert.h>
#include "alloc.h"
#include "dataset.h"
#include "numbers.h"
#include "provesame.h"
#include "vote.h"

void *pcdf_part_own(const struct pcdf_dataset *ds, const struct pcdf_part_ops *ops)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops == ops)
            return p->own;
    }
    return NULL;
}

void *pcdf_part_state(const struct pcdf_dataset *ds, const struct pcdf_part_ops *ops)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops == ops)
            return p->own;
    }
    return NULL;
}

void pcdf_part_turn_on(struct pcdf_dataset *ds, const struct pcdf_part_ops *ops)
{
    struct pcdf_parts *parts = &ds->parts;
    bool is_on = false;
    assert(ops->is_local);
    for (int i = 0; i < parts->n; i++)
        is_on = is_on || parts->on[i].ops == ops;
    /* Behind the others: a loop over them, in which this may be, goes on with the next one. */
    for (int i = 0; i < parts->nbuilt && !is_on; i++)
        if (parts->built[i].ops == ops)
            parts->on[parts->n++] = parts->built[i];
}

/* ---- create and open */

void pcdf_parts_hints_read(struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->hints_read)
            p->ops->hints_read(ds, p->own);
    }
}

int pcdf_parts_root_place(struct pcdf_opening *o, int64_t *decision)
{
    for (int i = 0; i < o->ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &o->ds->parts.built[i];
        if (p->ops->root_place)
            PCDF_TRY(p->ops->root_place(o, p->own, &decision[i]));
    }
    return NC_NOERR;
}

int pcdf_parts_root_begin(struct pcdf_opening *o, int64_t *decision)
{
    for (int i = 0; i < o->ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &o->ds->parts.built[i];
        if (p->ops->root_begin)
            PCDF_TRY(p->ops->root_begin(o, p->own, &decision[i]));
    }
    return NC_NOERR;
}

void pcdf_parts_agreed(struct pcdf_dataset *ds, const int64_t *decision)
{
    assert(ds->parts.n == 0);
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (ds->writer && p->ops->is_classic_only)
            pcdf_hints_drop(pcdf_dataset_hints_to_read(ds), p->hints, "the file is no classic one");
        else if (p->ops->agreed(ds, p->own, decision[i]))
            ds->parts.on[ds->parts.n++] = *p;
    }
}

void pcdf_parts_configure(struct pcdf_dataset *ds, struct pcdf_sharedfile_config *config)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->configure)
            p->ops->configure(ds, p->own, config);
    }
}

int pcdf_parts_opened_all(struct pcdf_dataset *ds)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->opened_all) /* the same on all ranks */
            pcdf_first(&status, p->ops->opened_all(ds, p->own));
    }
    return status;
}

int pcdf_parts_root_recover(struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->root_recover)
            PCDF_TRY(p->ops->root_recover(ds, p->own));
    }
    return NC_NOERR;
}

void pcdf_parts_header_read(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->header_read)
            p->ops->header_read(ds, p->own, header);
    }
}

int pcdf_parts_read_all(struct pcdf_dataset *ds, const struct pcdf_opened *o)
{
    struct pcdf_opened now = *o;
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->read_all) /* the same on all ranks */
            now.status = p->ops->read_all(ds, p->own, &now);
    }
    return now.status;
}

void pcdf_parts_not_opened(struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->not_opened)
            p->ops->not_opened(ds, p->own);
    }
}

/* ---- an open file */

int pcdf_parts_before_change_all(struct pcdf_dataset *ds)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->before_change_all) /* the same on all ranks */
            pcdf_first(&status, p->ops->before_change_all(ds, p->own));
    }
    return status;
}

void pcdf_parts_before_move(struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->before_move)
            p->ops->before_move(ds, p->own);
    }
}

int pcdf_parts_before_move_all(struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->before_move_all && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, p->ops->before_move_all(ds, p->own, span));
    }
    return status;
}

void pcdf_parts_moved(struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->moved)
            p->ops->moved(ds, p->own, span);
    }
}

int pcdf_parts_after_get(struct pcdf_dataset *ds)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->after_get)
            pcdf_first(&status, p->ops->after_get(ds, p->own));
    }
    return status;
}

void pcdf_parts_records_seen(struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->records_seen)
            p->ops->records_seen(ds, p->own);
    }
}

void pcdf_parts_put_done(struct pcdf_dataset *ds, const struct pcdf_request *put)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->put_done)
            p->ops->put_done(ds, p->own, put);
    }
}

int pcdf_parts_put_all(struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->put_all && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, p->ops->put_all(ds, p->own, span));
    }
    return status;
}

bool pcdf_parts_hold_records(const struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->holds_records && p->ops->holds_records(ds, p->own))
            return true;
    }
    return false;
}

int64_t pcdf_parts_count_later(const struct pcdf_dataset *ds, int64_t numrecs)
{
    int64_t later = 0;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->count_later)
            later = pcdf_larger(later, p->ops->count_later(ds, p->own, numrecs));
    }
    return later;
}

bool pcdf_parts_puts_wait(const struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->puts_wait && p->ops->puts_wait(ds, p->own))
            return true;
    }
    return false;
}

int pcdf_parts_drain(struct pcdf_dataset *ds)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->drain)
            pcdf_first(&status, p->ops->drain(ds, p->own));
    }
    return status;
}

int pcdf_parts_drain_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->drain_all && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, p->ops->drain_all(ds, p->own, kind));
    }
    return status;
}

bool pcdf_parts_sync_all(struct pcdf_dataset *ds, int *status)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->sync_all && p->ops->sync_all(ds, p->own, status)) /* the same on all ranks */
            return true;
    }
    return false;
}

int pcdf_parts_settle_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->settle_all && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, p->ops->settle_all(ds, p->own, kind));
    }
    return status;
}

/* The first that takes it over: ds is not the caller's any more. */
bool pcdf_parts_close_all(struct pcdf_dataset *ds, const struct pcdf_close_steps *steps, int *status,
                          int pending)
{
    bool is_taken = false;
    for (int i = 0; !is_taken && i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->close_all && !ds->poisoned) /* the same on all ranks */
            is_taken = p->ops->close_all(ds, p->own, steps, status, pending);
    }
    return is_taken;
}

int pcdf_parts_publish_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    int status = NC_NOERR;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->publish_all && !ds->poisoned) /* the same on all ranks */
            pcdf_first_vote(ds, &status, p->ops->publish_all(ds, p->own, kind));
    }
    return status;
}

int pcdf_parts_root_publish(const struct pcdf_dataset *ds, bool *renamed)
{
    int status = NC_NOERR;
    *renamed = false;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->root_publish && !status)
            status = p->ops->root_publish(ds, p->own, renamed);
    }
    return status;
}

bool pcdf_parts_must_settle(const struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->must_settle && p->ops->must_settle(ds, p->own))
            return true;
    }
    return false;
}

bool pcdf_parts_close_together(const struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->close_together && p->ops->close_together(ds, p->own))
            return true;
    }
    return false;
}

void pcdf_parts_whole(struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->whole)
            p->ops->whole(ds, p->own);
    }
}

void pcdf_parts_closed(struct pcdf_dataset *ds, bool is_over)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->closed)
            p->ops->closed(ds, p->own, is_over);
    }
}

void pcdf_parts_in_force(const struct pcdf_dataset *ds, struct pcdf_hints *hints)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->in_force)
            p->ops->in_force(ds, pcdf_part_own(ds, p->ops), hints);
    }
}

void pcdf_parts_prove_all(const struct pcdf_dataset *ds)
{
    struct pcdf_proof facts[PCDF_PART_FACTS] = { { "the parts that are on", 0 } };
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_ops *ops = ds->parts.built[i].ops;
        facts[0].value = 2 * facts[0].value + (!ops->is_local && pcdf_part_own(ds, ops));
    }
    PCDF_PROVE(ds->watchdog ? NULL : &ds->ranks, facts, 1);
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->is_local) /* the others are the same on all ranks */
            continue;
        int n = p->ops->facts ? p->ops->facts(ds, p->own, facts) : 0;
        assert(n <= PCDF_PART_FACTS);
        PCDF_PROVE(ds->watchdog ? NULL : &ds->ranks, facts, n);
        (void)n;
    }
}

void pcdf_parts_root_forget_others(const struct pcdf_dataset *ds, const char *path)
{
    for (int i = 0; i < ds->parts.nbuilt; i++) {
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->root_forget && !pcdf_part_own(ds, p->ops))
            (void)p->ops->root_forget(path);
    }
}

/* ---- a vote */

int64_t pcdf_parts_vote_begins(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    int64_t number = 0;
    bool is_said = false;
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (!p->ops->vote_begins)
            continue;
        assert(!is_said); /* a vote has room for one number */
        is_said = true;
        number = p->ops->vote_begins(ds, p->own, kind);
    }
    (void)is_said; /* where nothing is asserted */
    return number;
}

void pcdf_parts_vote_ends(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t smallest)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->vote_ends)
            p->ops->vote_ends(ds, p->own, kind, smallest);
    }
}

/* ---- a call */

void pcdf_parts_call_begins(const struct pcdf_dataset *ds)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->call_begins)
            p->ops->call_begins(ds, p->own);
    }
}

void pcdf_parts_call_moves(const struct pcdf_dataset *ds, const struct pcdf_moving *what)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->call_moves)
            p->ops->call_moves(ds, p->own, what);
    }
}

static void end_call(const struct pcdf_dataset *ds, const struct pcdf_call *call)
{
    for (int i = 0; i < ds->parts.n; i++) {
        const struct pcdf_part_slot *p = &ds->parts.on[i];
        if (p->ops->call_ends)
            p->ops->call_ends(ds, p->own, call);
    }
}

int pcdf_parts_call_ends(const struct pcdf_dataset *ds, const char *name, int varid, int err)
{
    if (pcdf_parts_any(&ds->parts))
        end_call(ds, &(struct pcdf_call){ .name = name, .varid = varid, .err = err });
    return err;
}

void pcdf_parts_access_ends(const struct pcdf_dataset *ds, int varid, const struct pcdf_access *access,
                            bool many, int err)
{
    end_call(ds, &(struct pcdf_call){ .varid = varid, .access = access, .many = many, .err = err });
}

void pcdf_parts_free(struct pcdf_dataset *ds)
{
    for (int i = ds->parts.nbuilt - 1; i >= 0; i--) { /* a part may use those before it */
        const struct pcdf_part_slot *p = &ds->parts.built[i];
        if (p->ops->free)
            p->ops->free(ds, p->own);
    }
    pcdf_free(ds->parts.memory);
    ds->parts = (struct pcdf_parts){ .n = 0 };
}
