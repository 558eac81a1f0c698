/* See near.h. */

#include "near.h"
#include "alloc.h"
#include "status.h"

enum {
    WINDOW = 1 << 20, /* bytes of one call */
    BATCH = 1024      /* pieces that are looked at together */
};

static int get_one_by_one(const struct pcdf_mover *mover, const struct pcdf_extents *x)
{
    char *data = x->data;
    int64_t got = 0;

    for (size_t i = 0; i < x->n; i++) {
        PCDF_TRY(mover->get(mover->file, data, x->length[i], x->offset[i], &got));
        data += x->length[i];
    }
    return NC_NOERR;
}

int pcdf_near_get(const struct pcdf_mover *mover, const struct pcdf_extents *x)
{
    int64_t span = x->offset[x->n - 1] + x->length[x->n - 1] - x->offset[0];
    const int64_t batch = (int64_t)x->n < BATCH ? (int64_t)x->n : BATCH;
    const int64_t window = span < WINDOW ? span : WINDOW;
    struct pcdf_owned o = { .x = x, .window_size = window };
    struct pcdf_answer answer = { 0, 0 };
    int64_t at = 0;

    o.order = pcdf_malloc((size_t)batch * sizeof *o.order + (size_t)window);
    if (!o.order) /* it goes without */
        return get_one_by_one(mover, x);
    o.window = (char *)(o.order + batch);
    for (size_t i = 0; i < x->n && !answer.failed;) {
        for (o.n = 0; o.n < batch && i < x->n; o.n++, at += x->length[i++])
            o.order[o.n] = (struct pcdf_placed){ { x->offset[i], x->length[i] }, x->data + at, 0 };
        pcdf_owned_move(&o, mover, &answer);
    }
    pcdf_free(o.order);
    return (int)-answer.failed;
}

int64_t pcdf_bytes_before(const struct pcdf_extents *x, int64_t size)
{
    int64_t there = 0;

    for (size_t i = 0; i < x->n && x->offset[i] < size; i++)
        there += size - x->offset[i] < x->length[i] ? size - x->offset[i] : x->length[i];
    return there;
}
