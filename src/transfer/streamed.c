/* See streamed.h. */
#include "streamed.h"
#include "independent.h"
#include "numbers.h"
#include "range.h"
#include "records.h"
#include "types.h"
#include "vote.h"

struct last { /* the last value of the first record */
    int64_t begin, end;
};

static struct last last_value(const struct pcdf_dataset *ds)
{
    struct last last = { 0, 0 };
    for (int i = 0; i < ds->meta.nvars; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        int64_t end = ds->layout.begin[i] + var->nbytes;
        if (var->is_record && end > last.end)
            last = (struct last){ end - pcdf_type_size(var->type), end };
    }
    return last;
}

/* ---- */

bool pcdf_streamed_is_needed(const struct pcdf_dataset *ds, const struct pcdf_span *span)
{
    bool may_overtake = ds->ranks.size > 1 || ds->commit == PCDF_COMMIT_RECORD;
    if (!ds->is_streaming || !may_overtake || ds->meta.nrecord_vars == 0 || span->begin >= span->end)
        return false;
    return span->end > last_value(ds).begin + ds->whole_records * ds->layout.recsize;
}

void pcdf_streamed_reached(struct pcdf_dataset *ds, int64_t end)
{
    if (!ds->is_streaming || ds->meta.nrecord_vars == 0)
        return;
    int64_t first = last_value(ds).end;
    if (end >= first && ds->layout.recsize > 0)
        ds->whole_records = pcdf_larger(ds->whole_records, 1 + (end - first) / ds->layout.recsize);
}

/* Everything that any rank put before `from` is in the file, with pcdf_commit=record on the storage. *next:
 * where the first bytes begin that any rank has from there on. */
static int agree_all(struct pcdf_dataset *ds, const struct pcdf_iterator *all, int64_t from, int status,
                     int64_t *next)
{
    pcdf_first(&ds->io_error, status);
    (void)pcdf_records_flush(ds); /* the vote tells a failure */
    return pcdf_range_next_all(ds, PCDF_KIND_BARRIER, all, from, status, next);
}

/* The last value of a record, by the rank that has it. It waits for nothing and nobody. */
static int put_last(struct pcdf_dataset *ds, const struct pcdf_iterator *all, struct pcdf_stage *stage,
                    int64_t at, int64_t *moved)
{
    struct pcdf_range s = { all, { at, at + 1 } };
    const struct pcdf_iterator it = pcdf_range_iterator(&s);
    int64_t now = 0;
    int err = it.nbytes > 0 ? pcdf_independent(ds->io, &it, stage, false, &now) : NC_NOERR;
    if (!err && pcdf_parts_any(&ds->parts))
        err = pcdf_parts_drain(ds);
    *moved += now;
    pcdf_first(&ds->io_error, err);
    return err;
}

/* A record ends with its last value. Those in which nobody has bytes take no step, however many there are. */
int pcdf_streamed_put_all(struct pcdf_dataset *ds, const struct pcdf_iterator *all, struct pcdf_stage *stage,
                          const struct pcdf_span *span, pcdf_move_all *move_all, void *context,
                          int64_t *moved)
{
    const struct last last = last_value(ds);
    int64_t step = ds->layout.recsize, record = ds->whole_records, begun = span->begin;
    int status = NC_NOERR;
    *moved = 0;
    /* All of this is the same on all ranks; a failure is, after the vote. */
    while (PCDF_SAME_IN(ds, !status && begun < span->end)) {
        if (begun >= last.end) /* earlier records are not waited for */
            record = pcdf_larger(record, (begun - last.end) / step + 1);
        int64_t at = last.begin + record * step, end = last.end + record * step, next = INT64_MAX, now = 0;
        struct pcdf_range s = { all, { begun, pcdf_smaller(at, span->end) } };
        const struct pcdf_iterator it = pcdf_range_iterator(&s);
        if (PCDF_SAME_IN(ds, s.span.begin < s.span.end))
            status = move_all(context, &it, &s.span, &now);
        *moved += now;
        if (PCDF_SAME_IN(ds, at >= span->end)) /* the caller votes */
            break;
        status = agree_all(ds, all, at, status, &next);
        if (PCDF_SAME_IN(ds, !status && next < end)) { /* somebody has the last value */
            status = put_last(ds, all, stage, at, moved);
            next = INT64_MAX;
            if (PCDF_SAME_IN(ds, end < span->end))
                status = agree_all(ds, all, end, status, &next);
        }
        begun = next;
        record++;
    }
    return status;
}
