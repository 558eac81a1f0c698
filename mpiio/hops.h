#ifndef PCDF_HOPS_H
#define PCDF_HOPS_H
/* Which node forwards what, where many nodes have bytes for each other: arithmetic alone, no MPI.
 *
 * A level divides an interval of nodes into groups, which are intervals of equal length (or one longer). Each
 * node sends what is for nodes of a group to one node of that group: the one with its own number in the
 * group, its column. After it, everything is in the group that it is for, and the next level divides this
 * group. The last level divides into single nodes. So with two levels of 100 groups a node sends 200 messages
 * to reach 10,000 nodes, and each byte is sent twice.
 *
 *     10 nodes, 2 levels:   level 0, columns         level 1
 *                           0 1 2 | 0 1 2 | 0 1 2 1  each group by itself
 *
 * A group that is one longer than others has a last node without a column of its own. It sends in the column
 * that its group's number gives, and gets nothing at this level. */

#include <stdint.h>

enum { PCDF_HOPS_MOST = 8 };

struct pcdf_hops {
    int nodes;
    int levels; /* 0: nodes send to each other directly */
    int groups; /* on each level; the last: the nodes */
};

struct pcdf_hop { /* a level as a node sees it */
    int first, n; /* the nodes that it divides */
    int groups;
    int column;
    int color; /* the same on nodes sending to each other */
};

/* As few levels as possible, at least two, so that a node that sends `bytes` sends messages of `message`. */
void pcdf_hops_make(struct pcdf_hops *h, int nodes, int64_t bytes, int64_t message);
struct pcdf_hop pcdf_hops_at(const struct pcdf_hops *h, int level, int node);
/* The group of a node among those that the level divides. */
int pcdf_hops_group(const struct pcdf_hop *at, int node);
/* By group: which one of the nodes with this color, in their order, takes what is for the group. Returns how
 * many nodes have the color. */
int pcdf_hops_members(const struct pcdf_hop *at, int *members);
/* No level has more nodes of one color. */
int pcdf_hops_width(const struct pcdf_hops *h);
/* How many messages a node sends at most, where it has bytes for all others. */
int pcdf_hops_messages(const struct pcdf_hops *h);
#endif
