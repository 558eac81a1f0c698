/* See cutflow.h. */

#include "cutflow.h"

static int64_t cut_next(void *context, int64_t from)
{
    const struct pcdf_cut *c = context;
    int64_t next = c->whole->next(c->whole->context, from);
    return next < c->end ? next : INT64_MAX;
}

static int cut_look(void *context, int64_t from, int64_t to, size_t room, struct pcdf_extents *x,
                    int64_t *next)
{
    const struct pcdf_cut *c = context;
    int err = c->whole->look(c->whole->context, from, to < c->end ? to : c->end, room, x, next);
    *next = *next < c->end ? *next : INT64_MAX;
    return err;
}

static int cut_move(void *context, char *window)
{
    const struct pcdf_cut *c = context;
    return c->whole->move(c->whole->context, window);
}

static void cut_again(void *context)
{
    const struct pcdf_cut *c = context;
    if (c->whole->again)
        c->whole->again(c->whole->context);
}

struct pcdf_flow pcdf_cutflow(struct pcdf_cut *cut, const struct pcdf_flow *whole, int64_t end)
{
    struct pcdf_flow some = *whole;
    *cut = (struct pcdf_cut){ whole, end };
    some.context = cut;
    some.next = cut_next;
    some.look = cut_look;
    some.move = cut_move;
    some.again = cut_again;
    return some;
}
