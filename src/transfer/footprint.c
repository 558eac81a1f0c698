/* See footprint.h. */
#include "footprint.h"
#include <string.h>
#include "alloc.h"

struct pcdf_row_range {
    int64_t low, high; /* bytes, the gaps between records included */
    int64_t time;
};

const struct pcdf_footprint pcdf_footprint_none = { INT64_MAX, INT64_MIN, { INT64_MAX, 0 } };

void pcdf_footprint_add(struct pcdf_footprint *f, const struct pcdf_request *r,
                        const struct pcdf_var_layout *layout)
{
    for (int i = 0; i < r->num; i++) {
        struct pcdf_slab slab = pcdf_request_slab(r, layout->ndims, i);
        int64_t low = 0, high = layout->xsize;
        if (pcdf_slab_elements(&slab, layout->ndims) == 0)
            continue;
        for (int d = 0; d < layout->ndims; d++) { /* all within 63 bits: pcdf_request_reach */
            int64_t stride = slab.stride ? slab.stride[d] : 1, count = slab.count ? slab.count[d] : 1;
            low += slab.start[d] * layout->step[d];
            high += (slab.start[d] + (count - 1) * stride) * layout->step[d];
        }
        f->first_var = r->varid < f->first_var ? r->varid : f->first_var;
        f->last_var = r->varid > f->last_var ? r->varid : f->last_var;
        f->bytes.begin = low < f->bytes.begin ? low : f->bytes.begin;
        f->bytes.end = high > f->bytes.end ? high : f->bytes.end;
    }
}

int pcdf_footprints_room(struct pcdf_footprints *f, int nvars)
{
    if (nvars <= f->nrows)
        return NC_NOERR;
    struct pcdf_row_range *rows = pcdf_calloc((size_t)nvars, sizeof *rows);
    if (!rows)
        return PCDF_FAIL(NC_ENOMEM, "no memory to let puts of %d variables wait", nvars);
    if (f->nrows > 0)
        memcpy(rows, f->rows, (size_t)f->nrows * sizeof *rows);
    pcdf_free(f->rows);
    f->rows = rows;
    f->nrows = nvars;
    if (f->time == 0)
        f->time = 1;
    return NC_NOERR;
}

/* Where the ranks put to different variables the range is taken to be of all between. */
bool pcdf_footprints_meet(const struct pcdf_footprints *f, const struct pcdf_footprint *call)
{
    for (int64_t v = call->first_var; v <= call->last_var; v++) {
        const struct pcdf_row_range *row = &f->rows[v];
        if (row->time == f->time && call->bytes.begin < row->high && row->low < call->bytes.end)
            return true;
    }
    return false;
}

void pcdf_footprints_add(struct pcdf_footprints *f, const struct pcdf_footprint *call)
{
    for (int64_t v = call->first_var; v <= call->last_var; v++) {
        struct pcdf_row_range *row = &f->rows[v];
        bool is_first = row->time != f->time;
        row->low = is_first || call->bytes.begin < row->low ? call->bytes.begin : row->low;
        row->high = is_first || call->bytes.end > row->high ? call->bytes.end : row->high;
        row->time = f->time;
    }
}
