/* See stepped.h. */
#include "stepped.h"
#include "numbers.h"
#include "range.h"
#include "vote.h"
#include "filewriter.h"

int pcdf_stepped_put_all(struct pcdf_dataset *ds, const struct pcdf_iterator *all,
                         const struct pcdf_span *span, pcdf_move_all *move_all, void *context, int64_t *moved)
{
    int64_t step = ds->writer->step(ds), begun = span->begin;
    int status = NC_NOERR;
    *moved = 0;
    while (PCDF_SAME_IN(ds, begun < span->end)) { /* as a vote said, or all know */
        int64_t left = span->end - begun, end = begun + pcdf_smaller(left, step), now = 0;
        struct pcdf_range s = { all, { begun, end } };
        const struct pcdf_iterator it = pcdf_range_iterator(&s);
        pcdf_first(&status, move_all(context, &it, &s.span, &now));
        *moved += now;
        pcdf_first(&ds->io_error, status);
        pcdf_first(&status, ds->writer->place_all(ds));
        begun = end;
        if (PCDF_SAME_IN(ds, end < span->end)) /* behind the last one the caller votes */
            status = pcdf_range_next_all(ds, PCDF_KIND_STEP_OF_PUT, all, end, status, &begun);
    }
    return status;
}

bool pcdf_stepped_is_alone(const struct pcdf_dataset *ds)
{
    return ds->writer && ds->ranks.size == 1;
}

static int place_alone(struct pcdf_dataset *ds)
{
    return ds->ranks.size == 1 ? ds->writer->place_all(ds) : NC_NOERR;
}

int pcdf_stepped_put_alone(struct pcdf_dataset *ds, const struct pcdf_iterator *all, pcdf_stepped_move *move,
                           void *context, int64_t *moved)
{
    int64_t step = ds->writer->step(ds), begun = all->nbytes > 0 ? all->begin : INT64_MAX;
    int status = NC_NOERR;
    *moved = 0;
    while (!status && begun < all->end) {
        int64_t end = begun + pcdf_smaller(all->end - begun, step), now = 0;
        struct pcdf_range s = { all, { begun, end } };
        const struct pcdf_iterator it = pcdf_range_iterator(&s);
        status = move(context, &it, &now);
        *moved += now;
        if (!status)
            status = place_alone(ds);
        begun = all->next(all->context, end);
    }
    return status;
}
