/* See boxread.h. A box whose values are taken is cut into parts that a stage has room for. Where a chunk is
 * fetched whole a part ends where chunks end, so that each is fetched and decoded once; a chunk that is
 * larger than the stage may be is cut by itself, and stays in the cache from one part to the next. */

#include "boxread.h"
#include "numbers.h"
#include "url.h"

#define STAGE         (INT64_C(4) << 20)
#define STAGE_OF_FAR  (INT64_C(32) << 20)  /* so that much is under way at a time */
#define LARGEST_CHUNK (INT64_C(256) << 20) /* of which a stage has room for all */

struct part {           /* of a box: a box itself */
    size_t box, bounds; /* its bounds: of each dimension the first index within the box, then how many */
    const unsigned char *values;
};

struct staging {
    struct pcdf_virtual *v;
    const struct pcdf_boxes *boxes;
    struct pcdf_room stage;
    size_t used;
    PCDF_ARRAY(struct part) parts;
    PCDF_ARRAY(int64_t) bounds;
};

/* Of a text in UCS-4 the chars are a dimension that the chunks do not have. */
static bool is_text(const struct pcdf_varview *w)
{
    return w->v->stored == PCDF_STORED_UCS4;
}

static int64_t chars_of(const struct pcdf_varview *w, const struct pcdf_box *box)
{
    return is_text(w) ? box->count[w->ndims] : 1;
}

static bool has_whole_texts(const struct pcdf_varview *w, const struct pcdf_box *box)
{
    return !is_text(w) || box->count[w->ndims] == w->width;
}

static int64_t stride_of(const struct pcdf_box *box, int dim)
{
    return box->stride && box->count[dim] > 1 ? box->stride[dim] : 1;
}

/* ---- from the stage to who wants it */

/* n elements, from number `first` of the box on. */
static void give(const struct staging *s, size_t number, int64_t first, int64_t n,
                 const unsigned char *values)
{
    const struct pcdf_box *box = &s->boxes->x[number];
    const struct pcdf_varview *w = &s->v->views.vars[box->varid];
    int64_t chars = chars_of(w, box);
    if (has_whole_texts(w, box)) {
        s->boxes->take(s->boxes->context, number, first * chars, n * chars, values);
        return;
    }
    for (int64_t i = 0; i < n; i++, values += w->width)
        for (int64_t k = 0; k < chars; k++) {
            const unsigned char *one = values + box->start[w->ndims] + k * stride_of(box, w->ndims);
            int64_t element = (first + i) * chars + k;
            if (s->boxes->take)
                s->boxes->take(s->boxes->context, number, element, 1, one);
            else
                box->values[element] = (char)*one;
        }
}

static void give_part(const struct staging *s, const struct part *part)
{
    const struct pcdf_box *box = &s->boxes->x[part->box];
    const struct pcdf_varview *w = &s->v->views.vars[box->varid];
    const int64_t *low = s->bounds.x + part->bounds, *n = low + w->ndims;
    const unsigned char *values = part->values;
    int64_t at[PCDF_MOST_DIMS], step[PCDF_MOST_DIMS], run = 1, element = 0;
    int inner = w->ndims - 1; /* the dimension along which a run lies, with all that is behind it */
    while (inner > 0 && n[inner] == box->count[inner])
        run *= n[inner--];
    for (int64_t i = w->ndims - 1, all = 1; i >= 0; all *= box->count[i--]) {
        at[i] = 0;
        step[i] = all;
        element += low[i] * all;
    }
    run *= inner >= 0 ? n[inner] : 1;
    for (int k = 0; k >= 0; values += run * w->width) {
        give(s, part->box, element, run, values);
        for (k = inner - 1; k >= 0; k--) {
            element += step[k];
            if (++at[k] < n[k])
                break;
            element -= n[k] * step[k];
            at[k] = 0;
        }
    }
}

static int flush(struct staging *s)
{
    PCDF_TRY(pcdf_needs_end(&s->v->needs));
    for (size_t i = 0; i < s->parts.n; i++)
        give_part(s, &s->parts.x[i]);
    s->parts.n = s->bounds.n = s->used = 0;
    return NC_NOERR;
}

/* ---- from a box to the stage */

/* Indices first to first + n of each dimension of the box. */
static int add_part(struct staging *s, size_t number, const int64_t *first, const int64_t *n)
{
    const struct pcdf_box *box = &s->boxes->x[number];
    const struct pcdf_varview *w = &s->v->views.vars[box->varid];
    int64_t start[PCDF_MOST_DIMS], stride[PCDF_MOST_DIMS], bytes = w->width;
    size_t at = s->bounds.n, ndims = (size_t)w->ndims;
    for (int i = 0; i < w->ndims; i++) {
        stride[i] = stride_of(box, i);
        start[i] = box->start[i] + first[i] * stride[i];
        bytes *= n[i];
    }
    if (s->used > 0 && s->used + (size_t)bytes > s->stage.n) {
        PCDF_TRY(flush(s));
        at = 0;
    }
    if (s->used == 0 && !pcdf_room_of(&s->stage, (size_t)bytes))
        return PCDF_FAIL(NC_ENOMEM, "no memory to stage %lld bytes", (long long)bytes);
    PCDF_TRY(PCDF_RESERVE(&s->parts, s->parts.n + 1));
    PCDF_TRY(PCDF_RESERVE(&s->bounds, at + 2 * ndims + 1));
    for (size_t i = 0; i < ndims; i++) {
        s->bounds.x[at + i] = first[i];
        s->bounds.x[at + ndims + i] = n[i];
    }
    s->bounds.n += 2 * ndims;
    s->parts.x[s->parts.n++] = (struct part){ number, at, s->stage.bytes + s->used };
    PCDF_TRY(pcdf_needs_add(&s->v->needs, w, start, n, stride, (char *)s->stage.bytes + s->used));
    s->used = (s->used + (size_t)bytes + 7) & ~(size_t)7;
    return NC_NOERR;
}

/* The same, in parts of at most `most` bytes. Changes first and n, and leaves them as they were. */
static int add_cut(struct staging *s, size_t number, int64_t *first, int64_t *n, int64_t most)
{
    const struct pcdf_varview *w = &s->v->views.vars[s->boxes->x[number].varid];
    int64_t bytes = w->width;
    int dim = -1; /* the first that can be cut */
    for (int i = w->ndims - 1; i >= 0; i--) {
        bytes *= n[i];
        dim = n[i] > 1 ? i : dim;
    }
    if (bytes <= most || dim < 0)
        return add_part(s, number, first, n);
    int64_t all = n[dim], half = all / 2;
    n[dim] = half;
    PCDF_TRY(add_cut(s, number, first, n, most));
    first[dim] += half;
    n[dim] = all - half;
    PCDF_TRY(add_cut(s, number, first, n, most));
    first[dim] -= half;
    n[dim] = all;
    return NC_NOERR;
}

struct shape {                     /* of the parts of a box */
    int64_t unit[PCDF_MOST_DIMS];  /* of indices, at whose multiples a part ends; */
    int64_t units[PCDF_MOST_DIMS]; /* so many are one part; 0: all that the box has */
    int64_t most;                  /* bytes: a part that has more is cut */
};

/* How many indices of the box a unit has at most. */
static int64_t indices_in(const struct pcdf_box *box, int dim, int64_t unit)
{
    return pcdf_smaller(box->count[dim], (unit - 1) / stride_of(box, dim) + 1);
}

/* As many units as there is room for, those of the last dimensions first. */
static void set_shape(const struct staging *s, const struct pcdf_varview *w, const struct pcdf_box *box,
                      struct shape *shape)
{
    bool by_chunks = pcdf_views_come_whole(&s->v->views, box->varid);
    int64_t room = (int64_t)s->stage.n / w->width, n = 1, each[PCDF_MOST_DIMS];
    bool is_large = false;
    shape->most = LARGEST_CHUNK;
    for (int i = 0; i < w->ndims; i++) {
        shape->unit[i] = by_chunks ? pcdf_larger(w->chunk[i], stride_of(box, i)) : stride_of(box, i);
        shape->units[i] = 1;
        each[i] = indices_in(box, i, shape->unit[i]);
        is_large = is_large || each[i] > LARGEST_CHUNK / w->width / n;
        n *= is_large ? 1 : each[i];
    }
    if (is_large) {
        shape->most = (int64_t)s->stage.n;
        return;
    }
    for (int i = w->ndims - 1; i >= 0; i--) {
        int64_t fit = room / (n / each[i]);
        bool is_whole = fit >= box->count[i];
        shape->units[i] = is_whole ? 0 : pcdf_larger(1, fit / each[i]);
        n = n / each[i] * (is_whole ? box->count[i] : each[i] * shape->units[i]);
    }
}

/* Behind the last index of the part that begins with `first`, along a dimension. */
static int64_t end_of(const struct pcdf_box *box, const struct shape *shape, int dim, int64_t first)
{
    int64_t stride = stride_of(box, dim), unit = shape->unit[dim];
    if (shape->units[dim] == 0)
        return box->count[dim];
    int64_t end, number = (box->start[dim] + first * stride) / unit + shape->units[dim];
    if (__builtin_mul_overflow(number, unit, &end))
        return box->count[dim];
    return pcdf_smaller(box->count[dim], (end - box->start[dim] - 1) / stride + 1);
}

static int add_parts(struct staging *s, size_t number)
{
    const struct pcdf_box *box = &s->boxes->x[number];
    const struct pcdf_varview *w = &s->v->views.vars[box->varid];
    int64_t first[PCDF_MOST_DIMS], n[PCDF_MOST_DIMS];
    struct shape shape;
    set_shape(s, w, box, &shape);
    for (int i = 0; i < w->ndims; i++)
        first[i] = 0;
    for (int k = 0; k >= 0;) {
        for (int i = 0; i < w->ndims; i++)
            n[i] = end_of(box, &shape, i, first[i]) - first[i];
        PCDF_TRY(add_cut(s, number, first, n, shape.most));
        for (k = w->ndims - 1; k >= 0; k--) {
            first[k] += n[k];
            if (first[k] < box->count[k])
                break;
            first[k] = 0;
        }
    }
    return NC_NOERR;
}

/* ---- all boxes */

static int64_t stage_of(const struct pcdf_virtual *v)
{
    bool is_far = false;
    for (int i = 0; i < v->image->nstores && !is_far; i++)
        is_far = pcdf_url_is_far(v->image->stores[i].name);
    return is_far ? STAGE_OF_FAR : STAGE;
}

static int begin(struct staging *s)
{
    int64_t most = stage_of(s->v), bytes = pcdf_smaller(most, pcdf_larger(s->boxes->nbytes, 1));
    return pcdf_room_of(&s->stage, (size_t)bytes)
               ? NC_NOERR
               : PCDF_FAIL(NC_ENOMEM, "no memory to stage %lld bytes", (long long)bytes);
}

int pcdf_boxes_read(struct pcdf_virtual *v, const struct pcdf_boxes *boxes)
{
    struct staging s = { .v = v, .boxes = boxes };
    int err = NC_NOERR;
    pcdf_needs_begin(&v->needs, !boxes->take);
    for (size_t i = 0; i < boxes->n && !err; i++) {
        const struct pcdf_box *box = &boxes->x[i];
        const struct pcdf_varview *w = &v->views.vars[box->varid];
        bool is_staged = boxes->take || !has_whole_texts(w, box);
        if (is_staged && !s.stage.bytes)
            err = begin(&s);
        if (!err)
            err = is_staged ? add_parts(&s, i)
                            : pcdf_needs_add(&v->needs, w, box->start, box->count, box->stride, box->values);
    }
    if (!err)
        err = flush(&s);
    pcdf_needs_drop(&v->needs);
    pcdf_free(s.stage.bytes);
    pcdf_free(s.parts.x);
    pcdf_free(s.bounds.x);
    return err;
}
