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

/* How many of the n pieces one call reads, from the first on; *end: of theirs. */
static size_t run_of(const struct pcdf_piece *p, size_t n, int64_t window, int64_t *end)
{
    size_t i = 1;
    *end = p->offset + p->length;
    if (p->length >= LARGE)
        return i;
    for (; i < n; i++) {
        int64_t next = p[i].offset + p[i].length;
        if (p[i].offset - *end > NEAR || p[i].length >= LARGE || next - p->offset > window)
            break;
        *end = next;
    }
    return i;
}

int pcdf_sieve_get(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n)
{
    int64_t span = pieces[n - 1].offset + pieces[n - 1].length - pieces[0].offset, end;
    const int64_t room = span < WINDOW ? span : WINDOW;
    char *window = pcdf_malloc((size_t)room);
    int status = NC_NOERR;

    for (size_t run; n > 0 && !status; n -= run, pieces += run) {
        run = run_of(pieces, n, window ? room : 0, &end); /* without memory one by one */
        if (run == 1) {
            status = pcdf_storage_get(s, pieces, 1, NULL);
            continue;
        }
        status = pcdf_storage_get_at(s, window, end - pieces->offset, pieces->offset, NULL);
        for (size_t i = 0; i < run && !status; i++)
            memcpy(pieces[i].data, window + (pieces[i].offset - pieces->offset), (size_t)pieces[i].length);
    }
    pcdf_free(window);
    return status;
}
