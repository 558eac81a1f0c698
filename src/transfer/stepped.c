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
            status = pcdf_range_next_all(ds, all, end, status, &begun);
    }
    return status;
}

int pcdf_stepped_place_alone(struct pcdf_dataset *ds)
{
    return ds->writer && ds->ranks.size == 1 ? ds->writer->place_all(ds) : NC_NOERR;
}
