/* See sieve.h. */

#include "sieve.h"
#include "alloc.h"
#include "status.h"
#include <string.h>

enum {
    NEAR = 4096,      /* a gap up to this long is read rather than calling twice */
    LARGE = 65536,    /* a piece from which on a call of its own is cheaper than copying it from the window */
    WINDOW = 1 << 20, /* bytes of one call */
};

/* How many pieces from `first` on one call reads; *end: of theirs. */
static size_t run_of(const struct pcdf_extents *x, size_t first, int64_t window, int64_t *end)
{
    size_t n = 1;
    *end = x->offset[first] + x->length[first];
    if (x->length[first] >= LARGE)
        return n;
    for (; first + n < x->n; n++) {
        int64_t next = x->offset[first + n] + x->length[first + n];
        if (x->offset[first + n] - *end > NEAR || x->length[first + n] >= LARGE ||
            next - x->offset[first] > window)
            break;
        *end = next;
    }
    return n;
}

int pcdf_sieve_get(const struct pcdf_mover *mover, const struct pcdf_extents *x)
{
    int64_t span = x->offset[x->n - 1] + x->length[x->n - 1] - x->offset[0], end, got = 0;
    const int64_t room = span < WINDOW ? span : WINDOW;
    char *window = pcdf_malloc((size_t)room), *data = x->data;
    int status = NC_NOERR;

    for (size_t i = 0, n; i < x->n && !status; i += n) {
        n = run_of(x, i, window ? room : 0, &end); /* without memory one by one */
        if (n == 1) {
            status = mover->get(mover->file, data, x->length[i], x->offset[i], &got);
            data += x->length[i];
            continue;
        }
        status = mover->get(mover->file, window, end - x->offset[i], x->offset[i], &got);
        for (size_t k = i; k < i + n && !status; data += x->length[k++])
            memcpy(data, window + (x->offset[k] - x->offset[i]), (size_t)x->length[k]);
    }
    pcdf_free(window);
    return status;
}

int64_t pcdf_bytes_before(const struct pcdf_extents *x, int64_t size)
{
    int64_t there = 0;

    for (size_t i = 0; i < x->n && x->offset[i] < size; i++)
        there += size - x->offset[i] < x->length[i] ? size - x->offset[i] : x->length[i];
    return there;
}
