/* See hops.h. */

#include "hops.h"
#include <assert.h>
#include <stdbool.h>

/* The smallest number whose power of `levels` is at least n. */
static int root_of(int n, int levels)
{
    for (int root = 1;; root++) {
        int64_t power = 1;
        for (int i = 0; i < levels && power < n; i++)
            power *= root;
        if (power >= n)
            return root;
    }
}

void pcdf_hops_make(struct pcdf_hops *h, int nodes, int64_t bytes, int64_t message)
{
    *h = (struct pcdf_hops){ .nodes = nodes, .levels = 2 };
    h->groups = root_of(nodes, h->levels);
    while (h->levels < PCDF_HOPS_MOST && h->groups > 2 && bytes / h->groups < message)
        h->groups = root_of(nodes, ++h->levels);
}

static int begin_of(const struct pcdf_hop *at, int group)
{
    return at->first + (int)((int64_t)group * at->n / at->groups);
}

int pcdf_hops_group(const struct pcdf_hop *at, int node)
{
    assert(node >= at->first && node < at->first + at->n);
    return (int)(((int64_t)(node - at->first + 1) * at->groups - 1) / at->n);
}

struct pcdf_hop pcdf_hops_at(const struct pcdf_hops *h, int level, int node)
{
    struct pcdf_hop at = { .n = h->nodes };
    assert(level >= 0 && level < h->levels);
    for (int i = 0;; i++) {
        at.groups = i == h->levels - 1 || at.n < h->groups ? at.n : h->groups;
        if (i == level)
            break;
        int group = pcdf_hops_group(&at, node), begin = begin_of(&at, group);
        at.n = begin_of(&at, group + 1) - begin;
        at.first = begin;
    }
    int group = pcdf_hops_group(&at, node), fewest = at.n / at.groups, place = node - begin_of(&at, group);
    at.column = place < fewest ? place : group % fewest;
    at.color = at.first + at.column;
    return at;
}

int pcdf_hops_members(const struct pcdf_hop *at, int *members)
{
    int fewest = at->n / at->groups, all = 0;
    for (int group = 0; group < at->groups; group++) {
        bool is_longer = begin_of(at, group + 1) - begin_of(at, group) > fewest;
        members[group] = all++;
        all += is_longer && group % fewest == at->column;
    }
    return all;
}

/* Of a column: its groups, and the last nodes of longer ones. */
int pcdf_hops_width(const struct pcdf_hops *h)
{
    return 2 * h->groups;
}

int pcdf_hops_messages(const struct pcdf_hops *h)
{
    return h->levels * (h->groups - 1);
}
