#ifndef PCDF_JOINGROUPS_H
#define PCDF_JOINGROUPS_H
/* Tiles in groups that lie one behind the other: a group's files are open together, and ranks have groups of
 * their own. Pure. */

#include "joinplan.h"

struct pcdf_join_groups {
    int64_t n; /* 1: there are none */
    int64_t
        *bounds; /* of axis k: n + 1 indices from k * (n + 1) on; group g has those from number g to g + 1 */
    bool is_clean[PCDF_JOIN_AXES]; /* the groups lie one behind the other on this axis, too */
};

/* wanted: as many groups as there may be; fewer where the tiles do not fall into so many. An NC_ code. */
int pcdf_join_groups_make(struct pcdf_join_groups *groups, const struct pcdf_join_plan *plan, int axis,
                          int64_t wanted);
void pcdf_join_groups_free(struct pcdf_join_groups *groups);
/* The axis of a variable that runs slowest; -1: none, or its elements are scattered. */
int pcdf_join_slowest(const struct pcdf_join_plan *plan, int var);
#endif
