/* See varview.h. */

#include "varview.h"
#include "alloc.h"
#include "grid.h"
#include "status.h"

enum { WIDEST = 4096, RAW_FROM = 1 << 20 }; /* bytes of an element, and of a chunk, that come in part */

enum { LISTS = 6 };

/* Of a text that is no UCS-4, the characters are one more dimension. */
static bool has_chars(const struct pcdf_chunked *v)
{
    return v->stored == PCDF_STORED_TEXT && v->size > 1;
}

static void add_chars(struct pcdf_varview *w, int64_t size)
{
    int k = w->ndims++;
    w->length[k] = w->shape[k] = w->chunk[k] = size;
    w->grid[k] = 1;
}

/* The stored order is told slowest first. */
static void set_inner(struct pcdf_varview *w)
{
    int64_t step = 1;
    if (w->ndims > w->v->ndims) {
        w->inner[w->ndims - 1] = 1;
        step = w->chunk[w->ndims - 1];
    }
    for (int i = w->v->ndims - 1; i >= 0; i--) {
        int k = w->v->order ? w->v->order[i] : i;
        w->inner[k] = step;
        step *= w->chunk[k];
    }
    w->chunk_bytes = step * w->elem;
}

static void set_view(struct pcdf_varview *w, const struct pcdf_image *image, int id)
{
    const struct pcdf_chunked *v = &image->vars[id];
    const struct pcdf_var *var = &image->meta.vars[id];
    w->v = v;
    w->id = id;
    w->begin = image->layout.begin[id];
    w->is_record = var->is_record;
    w->bytes = var->nbytes;
    w->ndims = v->ndims;
    w->elem = has_chars(v) ? 1 : v->size;
    w->width = v->stored == PCDF_STORED_UCS4 ? v->size : pcdf_type_size(var->type);
    w->nchunks = pcdf_grid_chunks(v->ndims, v->shape, v->chunk);
    for (int i = 0; i < v->ndims; i++) {
        bool grows = i == 0 && var->is_record;
        w->length[i] = grows ? image->meta.numrecs : image->meta.dims[var->dimids[i]].length;
        w->shape[i] = v->shape[i];
        w->chunk[i] = v->chunk[i];
        w->grid[i] = v->shape[i] / v->chunk[i] + (v->shape[i] % v->chunk[i] > 0);
        w->has_tail |= w->shape[i] < w->length[i];
    }
    if (has_chars(v))
        add_chars(w, v->size);
    w->elements = 1;
    for (int i = w->ndims - 1; i >= 0; i--) {
        w->stride[i] = w->elements;
        w->elements *= w->length[i];
    }
    set_inner(w);
}

/* Begins rise with the ids in a layout of ours, so there is mostly nothing to do. */
static void sort(int *ids, int n, const struct pcdf_varview *vars)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && vars[ids[k - 1]].begin > vars[ids[k]].begin; k--) {
            int id = ids[k];
            ids[k] = ids[k - 1];
            ids[k - 1] = id;
        }
}

/* One record variable whose records follow each other without a gap is as a fixed one. */
static void join_records(struct pcdf_views *views, const struct pcdf_image *image)
{
    struct pcdf_varview *w = views->nrecords == 1 ? &views->vars[views->records[0]] : NULL;
    if (!w || image->layout.recsize != w->bytes)
        return;
    w->bytes *= image->meta.numrecs;
    w->is_record = false;
    views->nrecords = 0;
    if (image->meta.numrecs > 0)
        views->fixed[views->nfixed++] = w->id;
}

int pcdf_views_make(const struct pcdf_image *image, struct pcdf_views *views)
{
    size_t n = (size_t)image->nvars, numbers = 0;
    *views = (struct pcdf_views){ .image = image };
    for (size_t i = 0; i < n; i++)
        numbers += LISTS * ((size_t)image->vars[i].ndims + 1);
    views->vars = pcdf_calloc(n + 1, sizeof *views->vars);
    views->fixed = pcdf_calloc(2 * n + 2, sizeof *views->fixed);
    views->lists = pcdf_calloc(numbers + 1, sizeof *views->lists);
    if (!views->vars || !views->fixed || !views->lists) {
        pcdf_views_free(views);
        return PCDF_FAIL(NC_ENOMEM, "no memory for the places of %zu variables", n);
    }
    views->records = views->fixed + n + 1;
    int64_t *at = views->lists;
    for (size_t i = 0; i < n; i++) {
        struct pcdf_varview *w = &views->vars[i];
        size_t room = (size_t)image->vars[i].ndims + 1;
        int64_t **lists[LISTS] = { &w->length, &w->stride, &w->shape, &w->chunk, &w->grid, &w->inner };
        for (int k = 0; k < LISTS; k++, at += room)
            *lists[k] = at;
        set_view(w, image, (int)i);
        if (w->is_record)
            views->records[views->nrecords++] = (int)i;
        else
            views->fixed[views->nfixed++] = (int)i;
    }
    sort(views->fixed, views->nfixed, views->vars);
    sort(views->records, views->nrecords, views->vars);
    join_records(views, image);
    views->data_end = pcdf_layout_file_end(&image->layout, &image->meta);
    return NC_NOERR;
}

bool pcdf_views_come_whole(const struct pcdf_views *views, int varid)
{
    const struct pcdf_varview *w = &views->vars[varid];
    bool is_coded = w->v->chain >= 0 && views->image->chains[w->v->chain].n > 0;
    return is_coded || w->v->order || w->elem > WIDEST || w->chunk_bytes < RAW_FROM;
}

void pcdf_views_free(struct pcdf_views *views)
{
    pcdf_free(views->vars);
    pcdf_free(views->fixed);
    pcdf_free(views->lists);
    *views = (struct pcdf_views){ 0 };
}

/* Of those that begin at or before the offset the last one; *next: where the one behind it begins. */
static const struct pcdf_varview *last_before(const struct pcdf_views *views, const int *ids, int n,
                                              int64_t offset, int64_t *next)
{
    int low = -1, high = n;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (views->vars[ids[middle]].begin <= offset)
            low = middle;
        else
            high = middle;
    }
    *next = high < n ? views->vars[ids[high]].begin : INT64_MAX;
    return low < 0 ? NULL : &views->vars[ids[low]];
}

const struct pcdf_varview *pcdf_views_at(const struct pcdf_views *views, int64_t offset, int64_t *record,
                                         int64_t *from, int64_t *left)
{
    const struct pcdf_layout *layout = &views->image->layout;
    int64_t first = views->nrecords ? views->vars[views->records[0]].begin : INT64_MAX, next, base = 0;
    const struct pcdf_varview *w;
    *record = 0;
    if (offset < first) {
        w = last_before(views, views->fixed, views->nfixed, offset, &next);
        next = next < first ? next : first;
    } else {
        *record = (offset - first) / layout->recsize;
        if (*record >= views->image->meta.numrecs) {
            *left = INT64_MAX - offset;
            return NULL;
        }
        base = *record * layout->recsize;
        w = last_before(views, views->records, views->nrecords, offset - base, &next);
        next = next < first + layout->recsize ? next : first + layout->recsize;
    }
    *from = w ? offset - base - w->begin : 0;
    *left = next - (offset - base);
    if (!w || *from >= w->bytes)
        return NULL;
    *left = w->bytes - *from;
    return w;
}
