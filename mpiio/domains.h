#ifndef PCDF_DOMAINS_H
#define PCDF_DOMAINS_H
/* File domains: which aggregator moves which bytes of a collective call, and in which round. Arithmetic
 * alone: no MPI, no file, no memory, so that one process can replay the plans of any number of ranks.
 *
 * Where the stripes of the file are known, the domains are group-cyclic (Liao and Choudhary, SC'08). The
 * call's range is cut into regions, one a group of aggregators, at multiples of a period: as many stripes as
 * the file has targets. Inside a region the stripes are dealt to the members of the group in turn, and in
 * each period the same way, so a domain has stripes of one target only (of a few, where there are fewer
 * aggregators than targets), a target has one writer a group, and in each round all members are at different
 * targets.
 *
 *     domain of each stripe, 4 targets, 8 aggregators:    0 1 2 3 0 1 2 3 | 4 5 6 7 4 5 6 7
 *     2 aggregators, windows of one stripe:               0 1 0 1 0 1 0 1   0 1 0 1 0 1 0 1
 *     windows of two or more:                             0 0 1 1 0 0 1 1   0 0 1 1 0 0 1 1
 *
 * Where they are not known, domain o is the o-th range of the range: a group of one, with one long unit.
 *
 * A round of a domain is a window: `blocks` units of it, one after the other, or, where a unit is longer than
 * a window, a part of one. What the windows of a group have in a round is one range of the file, its band.
 */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_domains_config {
    /* Bytes of the call; 0 <= begin < end. */
    int64_t begin, end;
    int aggregators; /* at least 1 */
    int64_t window;  /* bytes */
    int64_t stripe;  /* bytes; 0: not known */
    /* 0: not known. Then domains are ranges whose borders are those of stripes. */
    int64_t stripe_count;
    int64_t writers; /* at most, for a target; 0: all aggregators */
    /* Stripes of any length and number are dealt. With as many targets as aggregators it does not depend on
     * the call who moves a byte: domain offset / stripe % aggregators. So chunks have owners (format/cells.h,
     * a cell being a stripe). */
    bool deals_any;
};

/* The rule, where the user does not say: more writers do not make it faster. */
enum { PCDF_DOMAINS_WRITERS = 16 };

struct pcdf_domains {
    int64_t begin, end; /* bytes of the call */
    /* Domains in use. Number o is member o % members of group o / members. */
    int n;
    int members, groups; /* members of a group; groups */
    int64_t unit;        /* bytes dealt together: a stripe, or several */
    /* Units after which the dealing begins anew, and the most units that a member has in them. */
    int64_t period, turns;
    /* Where group 0 begins, at or before `begin`, and the bytes of a group. */
    int64_t first, region;
    int64_t blocks; /* units of a window, at least 1 */
    /* Windows that a unit takes. If it takes more than 1, `blocks` is 1. */
    int64_t parts;
    int64_t block; /* bytes of a block: a unit or less */
};

struct pcdf_block { /* a part of a window */
    int domain;
    int64_t round; /* from 0 */
    int64_t index; /* in the window, below `blocks` */
    /* Its range in the file. It is not cut to the call, so it may begin before it and end behind it. */
    int64_t from, to;
};

void pcdf_domains_make(struct pcdf_domains *d, const struct pcdf_domains_config *config);
/* The block in which the byte at `offset` of the call lies. */
struct pcdf_block pcdf_domains_at(const struct pcdf_domains *d, int64_t offset);
/* The first block of a domain that ends behind `offset`. Its `from` is INT64_MAX: there is none. */
struct pcdf_block pcdf_domains_from(const struct pcdf_domains *d, int domain, int64_t offset);
/* Where a block begins; INT64_MAX: the window has no such block. *to: where it ends; may be NULL. */
int64_t pcdf_domains_block(const struct pcdf_domains *d, int domain, int64_t round, int64_t index,
                           int64_t *to);
/* From the first to the last byte that the windows of a group have in a round, cut to the call; none where
 * *from >= *to. Bands of different rounds overlap where parts > 1, else not. */
void pcdf_domains_band(const struct pcdf_domains *d, int group, int64_t round, int64_t *from, int64_t *to);
/* Rounds until every domain has been gone through. */
int64_t pcdf_domains_rounds(const struct pcdf_domains *d);
#endif
