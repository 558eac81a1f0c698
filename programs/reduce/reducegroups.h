#ifndef PCDF_REDUCEGROUPS_H
#define PCDF_REDUCEGROUPS_H
/* Which indices of a dimension are reduced together: of a month, a season, every N, a window. Pure. */

#include "reduceoptions.h"
#include "timevalue.h"

struct pcdf_reduce_groups {
    int64_t n;
    int64_t *begins, *items;    /* n + 1: group g has items[begins[g]] to items[begins[g + 1] - 1]. Owned */
    int64_t each, step, length; /* items NULL: group g has `each` indices from g * step on, below length */
};

static inline int64_t pcdf_reduce_group_size(const struct pcdf_reduce_groups *g, int64_t group)
{
    int64_t left = g->length - group * g->step;
    return g->items ? g->begins[group + 1] - g->begins[group] : left < g->each ? left : g->each;
}

/* Index number i of a group; they rise. */
static inline int64_t pcdf_reduce_group_item(const struct pcdf_reduce_groups *g, int64_t group, int64_t i)
{
    return g->items ? g->items[g->begins[group] + i] : group * g->step + i;
}

/* length: of the dimension. values: its coordinates, where the period is of time; NULL otherwise. false: no
 * memory. */
bool pcdf_reduce_groups_make(struct pcdf_reduce_groups *groups, const struct pcdf_reduce_options *options,
                             int64_t length, const struct pcdf_time *time, const double *values);
void pcdf_reduce_groups_free(struct pcdf_reduce_groups *groups);
static inline bool pcdf_reduce_is_of_time(enum pcdf_reduce_period period)
{
    return period >= PCDF_REDUCE_YEAR && period <= PCDF_REDUCE_HOUR;
}
#endif
