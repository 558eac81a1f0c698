/* See h5parts.h. */

#include "h5parts.h"
#include <stdlib.h>
#include "alloc.h"
#include "numbers.h"
#include "status.h"

static int by_begin(const void *a, const void *b)
{
    const struct pcdf_h5part *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void pcdf_h5parts_sort(struct pcdf_h5parts *parts)
{
    int64_t n = 0;
    bool is_sorted = true;
    for (int64_t i = 1; i < parts->n && is_sorted; i++)
        is_sorted = parts->x[i].begin > parts->x[i - 1].end;
    if (is_sorted)
        return;
    qsort(parts->x, (size_t)parts->n, sizeof *parts->x, by_begin);
    for (int64_t i = 0; i < parts->n; i++)
        if (n > 0 && parts->x[i].begin <= parts->x[n - 1].end)
            parts->x[n - 1].end = pcdf_larger(parts->x[n - 1].end, parts->x[i].end);
        else
            parts->x[n++] = parts->x[i];
    parts->n = n;
}

/* Chunks mostly lie behind each other, so sorted they are few. */
static int make_room(struct pcdf_h5parts *parts)
{
    enum { FIRST = 64 };
    if (parts->n < parts->room)
        return NC_NOERR;
    pcdf_h5parts_sort(parts);
    if (parts->n < parts->room / 2)
        return NC_NOERR;
    int64_t room = parts->room ? 2 * parts->room : FIRST;
    struct pcdf_h5part *x = pcdf_realloc(parts->x, (size_t)room * sizeof *x);
    if (!x)
        return PCDF_FAIL(NC_ENOMEM, "no memory for %lld parts of a file", (long long)room);
    parts->x = x;
    parts->room = room;
    return NC_NOERR;
}

int pcdf_h5parts_add(struct pcdf_h5parts *parts, int64_t begin, int64_t end)
{
    if (begin >= end)
        return NC_NOERR;
    if (parts->n > 0 && parts->x[parts->n - 1].end == begin) {
        parts->x[parts->n - 1].end = end;
        return NC_NOERR;
    }
    PCDF_TRY(make_room(parts));
    parts->x[parts->n++] = (struct pcdf_h5part){ begin, end };
    return NC_NOERR;
}

struct taking {
    struct pcdf_h5parts *parts;
    int64_t size;
};

static int take(void *context, int64_t offset, int64_t length)
{
    const struct taking *t = context;
    if (length < 0 || offset < 0 || offset >= t->size)
        return NC_NOERR;
    return pcdf_h5parts_add(t->parts, offset, offset + pcdf_smaller(length, t->size - offset));
}

static int64_t chunks_of(const struct pcdf_chunked *v)
{
    int64_t n = 1;
    for (int i = 0; i < v->ndims; i++)
        n *= v->shape[i] / v->chunk[i] + (v->shape[i] % v->chunk[i] != 0);
    return n;
}

int pcdf_h5parts_add_chunks(struct pcdf_h5parts *parts, const struct pcdf_image *image, int64_t size)
{
    struct taking t = { parts, size };
    for (int i = 0; i < image->nvars; i++)
        PCDF_TRY(pcdf_chunkmap_each(&image->vars[i].map, chunks_of(&image->vars[i]), take, &t));
    return NC_NOERR;
}

bool pcdf_h5parts_have(const struct pcdf_h5parts *parts, int64_t begin, int64_t end, int64_t *at)
{
    while (*at < parts->n && parts->x[*at].end <= begin)
        ++*at;
    return *at < parts->n && begin >= parts->x[*at].begin && end <= parts->x[*at].end;
}

void pcdf_h5parts_free(struct pcdf_h5parts *parts)
{
    pcdf_free(parts->x);
    *parts = (struct pcdf_h5parts){ NULL, 0, 0 };
}
