/* See independent.h. */
#include "independent.h"
#include "alloc.h"

int pcdf_engine_move(struct pcdf_engine *io, enum pcdf_dir dir, const struct pcdf_part *part,
                     int (*through)(struct pcdf_engine *, const struct pcdf_extents *, int64_t *))
{
    int64_t few[2], *offset = part->n > 1 ? pcdf_malloc(2 * part->n * sizeof *offset) : few;
    int status = offset ? NC_NOERR : NC_ENOMEM;
    struct pcdf_extents x = { .dir = dir };
    if (offset && part->n > 0)
        x = (struct pcdf_extents){
            dir, part->n, offset, offset + part->n, part->pieces[0].data, part->nbytes
        };
    for (size_t i = 0; i < x.n; i++) {
        offset[i] = part->pieces[i].offset;
        offset[x.n + i] = part->pieces[i].length;
    }
    pcdf_first(&status, through(io, &x, NULL));
    if (offset != few)
        pcdf_free(offset);
    return status;
}

struct flow {
    const struct pcdf_iterator *it;
    struct pcdf_part part;
    int64_t *numbers;
    size_t room;
    int64_t moved;
};

static int64_t flow_next(void *context, int64_t from)
{
    struct flow *f = context;
    return f->it->next(f->it->context, from);
}

static int flow_look(void *context, int64_t from, int64_t to, size_t room, struct pcdf_extents *x,
                     int64_t *next)
{
    struct flow *f = context;
    struct pcdf_look look = { from, to, room, INT64_MAX, NULL };
    PCDF_TRY(f->it->peek(f->it->context, &look, &f->part));
    if (f->part.n > f->room) {
        pcdf_free(f->numbers);
        f->room = f->part.n;
        f->numbers = pcdf_malloc(2 * f->room * sizeof *f->numbers);
        if (!f->numbers)
            return NC_ENOMEM;
    }
    for (size_t i = 0; i < f->part.n; i++) {
        f->numbers[i] = f->part.pieces[i].offset;
        f->numbers[f->room + i] = f->part.pieces[i].length;
    }
    *x = (struct pcdf_extents){
        f->it->dir, f->part.n, f->numbers, f->numbers + f->room, NULL, f->part.nbytes
    };
    *next = f->part.next;
    return NC_NOERR;
}

static int flow_move(void *context, char *window)
{
    struct flow *f = context;
    f->it->copy(f->it->context, window);
    f->moved += f->part.asked;
    return NC_NOERR;
}

static void flow_again(void *context)
{
    ((struct flow *)context)->moved = 0;
}

int pcdf_engine_exchange_all(struct pcdf_engine *io, const struct pcdf_iterator *it,
                             const struct pcdf_span *span, bool *done, int64_t *moved)
{
    struct flow f = { .it = it };
    const struct pcdf_flow flow = { .dir = it->dir,
                                    .nbytes = it->nbytes,
                                    .pieces = it->pieces,
                                    .begin = it->nbytes ? it->begin : 0,
                                    .end = it->end,
                                    .begin_all = span->begin,
                                    .end_all = span->end,
                                    .context = &f,
                                    .next = flow_next,
                                    .look = flow_look,
                                    .move = flow_move,
                                    .again = flow_again };
    int status = io->ops->exchange_all(io, &flow, done, moved);
    *moved = f.moved;
    pcdf_free(f.numbers);
    return status;
}

int pcdf_independent(struct pcdf_engine *io, const struct pcdf_iterator *it, const struct pcdf_stage *stage,
                     int64_t *moved)
{
    struct pcdf_part part = { .next = it->begin };
    *moved = 0;
    while (part.next != INT64_MAX) {
        struct pcdf_look look = { part.next, INT64_MAX, stage->pieces, stage->size, stage->bytes };
        PCDF_TRY(it->peek(it->context, &look, &part));
        if (it->dir == PCDF_PUT)
            it->copy(it->context, stage->bytes);
        PCDF_TRY(pcdf_engine_move(io, it->dir, &part, io->ops->transfer));
        if (it->dir == PCDF_GET)
            it->copy(it->context, stage->bytes);
        *moved += part.asked;
    }
    return NC_NOERR;
}
