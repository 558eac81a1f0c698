/* See reducegroups.h. */
#include "reducegroups.h"
#include "alloc.h"
#include "numbers.h"
#include "stored.h"

#include <math.h>
#include <stdlib.h>

struct keyed {
    int64_t key, index;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Groups rise with their number, as months do. A date that cannot be told (NaN, too far away) is in none. */
static bool key_of(const struct pcdf_reduce_options *o, const struct pcdf_time *time, double value,
                   int64_t *key)
{
    struct pcdf_instant t;
    if (!pcdf_time_instant(time, value, &t))
        return false;
    int64_t month = t.year * 12 + t.month - 1, of_year = o->of_all_years ? t.month - 1 : month;
    switch (o->period) {
    case PCDF_REDUCE_YEAR:
        *key = t.year;
        break;
    case PCDF_REDUCE_SEASON: /* December begins the winter of the next year */
        *key = o->of_all_years ? t.month % 12 / 3 : (int64_t)floor((double)(month + 1) / 3);
        break;
    case PCDF_REDUCE_MONTH:
        *key = of_year;
        break;
    case PCDF_REDUCE_DAY:
        *key = of_year * 32 + t.day;
        break;
    default:
        *key = (o->of_all_years ? 0 : (of_year * 32 + t.day) * 24) + (int64_t)(t.second / 3600);
    }
    return true;
}

static bool group_by_time(struct pcdf_reduce_groups *g, const struct pcdf_reduce_options *o, int64_t length,
                          const struct pcdf_time *time, const double *values)
{
    struct keyed *keys = pcdf_calloc((size_t)length + 1, sizeof *keys);
    int64_t n = 0;
    g->begins = pcdf_calloc((size_t)length + 2, sizeof *g->begins);
    g->items = pcdf_calloc((size_t)length + 1, sizeof *g->items);
    bool good = keys && g->begins && g->items;
    for (int64_t i = 0; good && i < length; i++) {
        keys[n].index = i;
        n += key_of(o, time, values[i], &keys[n].key);
    }
    if (good)
        qsort(keys, (size_t)n, sizeof *keys, by_key);
    for (int64_t i = 0; good && i < n; i++) {
        if (i == 0 || keys[i].key != keys[i - 1].key)
            g->begins[g->n++] = i;
        g->items[i] = keys[i].index;
        g->begins[g->n] = i + 1;
    }
    pcdf_free(keys);
    return good;
}

/* Every N, the last group may be shorter; or windows, which are whole; or all. */
static bool group_by_index(struct pcdf_reduce_groups *g, const struct pcdf_reduce_options *o, int64_t length)
{
    bool is_window = o->period == PCDF_REDUCE_WINDOW;
    g->each = o->period ? o->length : pcdf_larger(length, 1);
    g->step = is_window ? 1 : g->each;
    g->length = length;
    g->n = is_window ? pcdf_larger(length - g->each + 1, 0) : length / g->each + (length % g->each > 0);
    return true;
}

bool pcdf_reduce_groups_make(struct pcdf_reduce_groups *g, const struct pcdf_reduce_options *o,
                             int64_t length, const struct pcdf_time *time, const double *values)
{
    *g = (struct pcdf_reduce_groups){ 0 };
    bool good = pcdf_reduce_is_of_time(o->period) ? group_by_time(g, o, length, time, values)
                                                  : group_by_index(g, o, length);
    if (!good)
        pcdf_reduce_groups_free(g);
    return good;
}

void pcdf_reduce_groups_free(struct pcdf_reduce_groups *g)
{
    pcdf_free(g->begins);
    pcdf_free(g->items);
    *g = (struct pcdf_reduce_groups){ 0 };
}
