/* See readorder.h. */

#include "readorder.h"

enum { MOST_RUNS = 4096 }; /* of a batch */

static size_t end_of_run(const struct pcdf_readorder *o, size_t at)
{
    const struct pcdf_need *x = o->needs->list.x, *first = &x[at];
    while (at < o->needs->list.n && x[at].var == first->var && x[at].chunk == first->chunk)
        at++;
    return at;
}

/* From `end` on. */
static void next_batch(struct pcdf_readorder *o)
{
    size_t runs = 0, at = o->end, end;
    int64_t bytes = 0;
    o->begin = at;
    while (at < o->needs->list.n && (o->users == 1 || runs < MOST_RUNS)) {
        int64_t more = o->needs->views->vars[o->needs->list.x[at].var].chunk_bytes;
        if (o->most > 0 && runs > 0 && more > o->most - bytes)
            break;
        bytes += o->most > 0 ? more : 0; /* of a damaged image any number */
        runs++;
        at = end_of_run(o, at);
    }
    end = at;
    at = o->begin;
    for (size_t i = 0; i < runs * (size_t)o->user / (size_t)o->users; i++)
        at = end_of_run(o, at);
    o->end = end;
    o->at = o->first = at;
    o->has_turned = false;
    o->again = 0;
}

void pcdf_readorder_begin(struct pcdf_readorder *o, const struct pcdf_needs *needs, int user, int users,
                          int64_t most)
{
    *o = (struct pcdf_readorder){ .needs = needs, .user = user, .users = users, .most = most };
    next_batch(o);
}

static bool is_batch_over(struct pcdf_readorder *o)
{
    if (o->at == o->end && !o->has_turned) {
        o->has_turned = true;
        o->at = o->begin;
    }
    return o->has_turned && o->at == o->first;
}

/* Does one that was put off come next? They come once before the next batch, and at the end as often as it
 * takes. */
static bool is_again(struct pcdf_readorder *o)
{
    return is_batch_over(o) && o->later.n > 0 && (o->again > 0 || o->end == o->needs->list.n);
}

static void go_on(struct pcdf_readorder *o)
{
    if (is_batch_over(o) && o->again == 0 && o->end < o->needs->list.n)
        next_batch(o);
}

bool pcdf_readorder_next(struct pcdf_readorder *o, struct pcdf_run *run)
{
    bool again = is_again(o);
    size_t at = again ? o->later.x[0] : o->at;
    if (!again && is_batch_over(o))
        return false;
    *run = (struct pcdf_run){ &o->needs->list.x[at], end_of_run(o, at) - at,
                              again && o->again == 0 && o->end == o->needs->list.n };
    return true;
}

size_t pcdf_readorder_ahead(struct pcdf_readorder *o, struct pcdf_run *run)
{
    *run = (struct pcdf_run){ 0 };
    if (!pcdf_readorder_next(o, run))
        return 0;
    return is_again(o) ? run->n : (o->has_turned ? o->first : o->end) - o->at;
}

static void leave_later(struct pcdf_readorder *o)
{
    o->later.n--;
    for (size_t i = 0; i < o->later.n; i++)
        o->later.x[i] = o->later.x[i + 1];
    o->again -= o->again > 0;
}

void pcdf_readorder_take(struct pcdf_readorder *o, const struct pcdf_run *run)
{
    if (is_again(o)) {
        leave_later(o);
    } else {
        o->at += run->n;
        if (is_batch_over(o)) /* what was put off until now comes again */
            o->again = o->later.n;
    }
    go_on(o);
}

int pcdf_readorder_put_off(struct pcdf_readorder *o, const struct pcdf_run *run)
{
    size_t at = (size_t)(run->x - o->needs->list.x);
    PCDF_TRY(PCDF_RESERVE(&o->later, o->later.n + 1));
    bool again = is_again(o);
    if (again) {
        leave_later(o);
        o->later.x[o->later.n++] = at;
        go_on(o);
    } else {
        o->later.x[o->later.n++] = at;
        pcdf_readorder_take(o, run);
    }
    return NC_NOERR;
}

void pcdf_readorder_free(struct pcdf_readorder *o)
{
    pcdf_free(o->later.x);
}
