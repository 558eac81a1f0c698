/* hops.h: from any node to any other, whatever their number, what is sent arrives after the last level; both
 * ends of a message see the same color, and agree on who in it is meant; no node forwards much more than
 * others; and as few levels are made as the length of messages allows. */

#include "check.h"
#include "hops.h"
#include <stdlib.h>

/* The node that `members` means: of those with the color at a level, in their order. */
static int node_of(const struct pcdf_hops *h, int level, int color, int member)
{
    for (int node = 0; node < h->nodes; node++)
        if (pcdf_hops_at(h, level, node).color == color && member-- == 0)
            return node;
    return -1;
}

/* next[node * groups + group] at a level. */
static void check_level(const struct pcdf_hops *h, int level, int *next)
{
    int *members = calloc((size_t)h->nodes, sizeof *members);
    for (int node = 0; node < h->nodes; node++) {
        const struct pcdf_hop at = pcdf_hops_at(h, level, node);
        int all = pcdf_hops_members(&at, members), seen = 0;
        CHECK(at.groups <= h->groups && all <= pcdf_hops_width(h), "%d nodes: %d groups, %d members",
              h->nodes, at.groups, all);
        for (int other = 0; other < h->nodes; other++)
            seen += pcdf_hops_at(h, level, other).color == at.color;
        CHECK_INT(seen, all);
        for (int group = 0; group < at.groups; group++) {
            int to = node_of(h, level, at.color, members[group]);
            CHECK(to >= 0 && pcdf_hops_group(&at, to) == group, "%d nodes, level %d: %d sends to %d",
                  h->nodes, level, node, to);
            next[node * h->groups + group] = to;
        }
    }
    free(members);
}

/* One byte from each node to each. */
static void check_all(const struct pcdf_hops *h)
{
    int nodes = h->nodes, *next = calloc((size_t)(nodes * h->groups), sizeof *next),
        *at = calloc((size_t)(nodes * nodes), sizeof *at), *held = calloc((size_t)nodes, sizeof *held);
    for (int i = 0; i < nodes * nodes; i++)
        at[i] = i / nodes; /* of source i / nodes to target i % nodes */
    for (int level = 0; level < h->levels; level++) {
        check_level(h, level, next);
        for (int node = 0; node < nodes; node++)
            held[node] = 0;
        for (int i = 0; i < nodes * nodes; i++) {
            const struct pcdf_hop hop = pcdf_hops_at(h, level, at[i]);
            at[i] = next[at[i] * h->groups + pcdf_hops_group(&hop, i % nodes)];
            held[at[i]]++;
        }
        for (int node = 0; node < nodes; node++)
            CHECK(held[node] <= 4 * nodes, "%d nodes, level %d: node %d has %d of %d", nodes, level, node,
                  held[node], nodes);
    }
    for (int i = 0; i < nodes * nodes; i++)
        CHECK(at[i] == i % nodes, "%d nodes, %d levels: from %d to %d came to %d", nodes, h->levels,
              i / nodes, i % nodes, at[i]);
    free(next);
    free(at);
    free(held);
}

int main(void)
{
    struct pcdf_hops h;
    for (int nodes = 2; nodes < 40; nodes++)
        for (int64_t bytes = 1; bytes < 64; bytes *= 2) {
            pcdf_hops_make(&h, nodes, bytes, 1);
            check_all(&h);
        }
    pcdf_hops_make(&h, 12512, 8 << 20, 1 << 16);
    CHECK_INT(h.levels, 2);
    CHECK_INT(h.groups, 112);
    pcdf_hops_make(&h, 12512, 4 << 20, 1 << 16);
    CHECK_INT(h.levels, 3);
    CHECK_INT(h.groups, 24);
    pcdf_hops_make(&h, 100096, 1, 1 << 16);
    CHECK_INT(h.levels, PCDF_HOPS_MOST);
    return check_done("node_hops");
}
