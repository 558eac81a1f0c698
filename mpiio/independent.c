/* See independent.h. */
#include "independent.h"
#include <assert.h>
#include <string.h>
#include "alloc.h"
#include "status.h"
#include "tracestorage.h"

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

/* Data sieving: near pieces come in one call, with what lies between. The MPI libraries' own way to do that,
 * a view on one rank, does not tell when less came than was asked for. */
static int get_near(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n)
{
    int64_t span = pieces[n - 1].offset + pieces[n - 1].length - pieces[0].offset, end;
    const int64_t room = span < WINDOW ? span : WINDOW;
    char *window = pcdf_malloc((size_t)room);
    int status = NC_NOERR;

    for (size_t run; n > 0 && !status; n -= run, pieces += run) {
        run = run_of(pieces, n, window ? room : 0, &end); /* without memory one by one */
        char *to = run == 1 ? pieces->data : window;
        status = pcdf_storage_move_at(s, PCDF_GET, to, end - pieces->offset, pieces->offset, NULL);
        for (size_t i = 0; i < run && run > 1 && !status; i++)
            memcpy(pieces[i].data, window + (pieces[i].offset - pieces->offset), (size_t)pieces[i].length);
    }
    pcdf_free(window);
    return status;
}

int pcdf_independent_get(struct pcdf_sharedfile *f, const struct pcdf_piece *pieces, size_t n, int64_t nbytes)
{
    const struct pcdf_extents x = { .dir = PCDF_GET, .n = n, .pieces = pieces };
    if (n < 2 || (int64_t)n < f->view_threshold)
        return pcdf_storage_move(f->storage, &x, NULL);
    double begin = pcdf_tracestorage_hush(f->storage);
    int err = get_near(f->storage, pieces, n);
    pcdf_tracestorage_tell(f->storage, begin,
                           &(struct pcdf_trace_line){ "get", (int64_t)n, pieces[0].offset, nbytes, err });
    return err;
}

int pcdf_independent(struct pcdf_sharedfile *f, const struct pcdf_iterator *it,
                     const struct pcdf_stage *stage, int64_t *moved)
{
    struct pcdf_part part = { .next = it->begin };
    *moved = 0;
    while (part.next != INT64_MAX) {
        struct pcdf_look look = { part.next, INT64_MAX, stage->pieces, stage->size, stage->bytes };
        PCDF_TRY(it->peek(it->context, &look, &part));
        assert(part.n > 0);
        if (it->dir == PCDF_PUT) {
            it->copy(it->context, stage->bytes);
            const struct pcdf_extents x = { .dir = PCDF_PUT, .n = part.n, .pieces = part.pieces };
            PCDF_TRY(pcdf_storage_move(f->storage, &x, NULL));
        } else {
            PCDF_TRY(pcdf_independent_get(f, part.pieces, part.n, part.nbytes));
            it->copy(it->context, stage->bytes);
        }
        *moved += part.asked;
    }
    return NC_NOERR;
}
