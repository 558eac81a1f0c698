/* See throttlestorage.h. */

#include "throttlestorage.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "status.h"

struct throttle {
    struct pcdf_storage storage;
    double delay, rate; /* seconds, bytes a second */
    double is_free;     /* when all bytes so far will have passed */
    atomic_bool is_used;
};

/* Returns the time. */
static double enter(struct pcdf_storage *s)
{
    struct timespec t;
    if (atomic_exchange(&((struct throttle *)s)->is_used, true)) {
        fputs("two threads use a storage at the same time\n", stderr);
        abort();
    }
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns when the operation, begun at `begin`, may end. */
static int pass(struct pcdf_storage *s, double begin, int64_t bytes, int result)
{
    struct throttle *t = (struct throttle *)s;
    double end = begin + t->delay;
    if (t->rate > 0 && bytes > 0) {
        t->is_free = (t->is_free > begin ? t->is_free : begin) + (double)bytes / t->rate;
        end = end > t->is_free ? end : t->is_free;
    }
    struct timespec until = { (time_t)end, (long)((end - (double)(time_t)end) * 1e9) };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
    t->is_used = false;
    return result;
}

static int throttle_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    double begin = enter(s);
    return pass(s, begin, pcdf_pieces_bytes(x->pieces, x->n), pcdf_storage_move(s->below, x, got));
}

static int throttle_size(struct pcdf_storage *s, int64_t *bytes)
{
    double begin = enter(s);
    return pass(s, begin, 0, pcdf_storage_size(s->below, bytes));
}

static int throttle_resize(struct pcdf_storage *s, int64_t bytes)
{
    double begin = enter(s);
    return pass(s, begin, 0, pcdf_storage_resize(s->below, bytes));
}

static int throttle_sync(struct pcdf_storage *s, bool together)
{
    double begin = enter(s);
    return pass(s, begin, 0, pcdf_storage_sync(s->below, together));
}

static int throttle_close(struct pcdf_storage *s)
{
    (void)enter(s);
    return pcdf_storage_close(s->below);
}

static const struct pcdf_storage_ops throttle_ops = {
    .name = "throttle",
    .move = throttle_move,
    .size = throttle_size,
    .resize = throttle_resize,
    .sync = throttle_sync,
    .close = throttle_close,
};

int throttle_stack(const char *numbers, int rank, struct pcdf_storage **top)
{
    double delay_us, rate;
    char rest;
    (void)rank;
    if (sscanf(numbers, "%lf:%lf%c", &delay_us, &rate, &rest) != 2 || delay_us < 0 || rate < 0)
        return PCDF_FAIL(NC_EINVAL, "\"%.40s\" is not DELAY_US:BYTES_PER_S", numbers);
    struct throttle *t = pcdf_storage_make(sizeof *t, &throttle_ops, *top, NULL);
    if (!t)
        return NC_ENOMEM;
    t->delay = delay_us / 1e6;
    t->rate = rate;
    *top = &t->storage;
    return NC_NOERR;
}
