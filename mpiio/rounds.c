/* See rounds.h: domains and windows of a transfer, and what an aggregator does. */

#include "rounds.h"
#include <string.h>
#include "numbers.h"
#include "sharedfile.h"
#include "writequeue.h"

/* ---- domains and windows */

static int aggregator_of(const struct pcdf_rounds *r, int domain)
{
    return (int)((int64_t)domain * r->nodes->total / r->d.n);
}

int pcdf_rounds_domain(const struct pcdf_rounds *r, int aggregator)
{
    int64_t domain = ((int64_t)aggregator * r->d.n + r->nodes->total - 1) / r->nodes->total;
    return domain < r->d.n && aggregator_of(r, (int)domain) == aggregator ? (int)domain : -1;
}

int pcdf_rounds_node(const struct pcdf_rounds *r, int domain)
{
    int number;
    return pcdf_nodes_node_of(r->nodes, aggregator_of(r, domain), &number);
}

int pcdf_rounds_window(const struct pcdf_rounds *r, int domain)
{
    int number, node = pcdf_nodes_node_of(r->nodes, aggregator_of(r, domain), &number);
    return node == r->nodes->index ? number : -1;
}

int64_t pcdf_rounds_place(const struct pcdf_rounds *r, int64_t index)
{
    return index * (r->d.block + PCDF_WINDOW_SLACK);
}

int64_t pcdf_rounds_due(const struct pcdf_rounds *r, int domain)
{
    int64_t due = INT64_MAX;
    for (int rank = 0; rank < r->nodes->size; rank++) {
        int64_t next = pcdf_nodes_list(r->nodes, r->buffer, rank).batch[domain].next;
        due = next < due ? next : due;
    }
    return due;
}

/* ---- what an aggregator does */

/* The runs of bytes that are in the window, block by block, between it and the storage. */
void pcdf_rounds_move(struct pcdf_rounds *r)
{
    for (int64_t i = 0; i < r->d.blocks && r->map.has_pieces && !r->failed; i++) {
        int64_t place = pcdf_rounds_place(r, i),
                from = pcdf_domains_block(&r->d, r->domain, r->open, i, NULL);
        struct pcdf_bytemap map = r->map;
        map.begin = (uint32_t)place;
        if (i + 1 < r->d.blocks)
            map.end = (uint32_t)pcdf_rounds_place(r, i + 1);
        if (from != INT64_MAX)
            r->failed = pcdf_sieve_window(&r->sieve, r->it->dir, &map, r->at, from - place);
    }
}

void pcdf_rounds_take(struct pcdf_rounds *r, const struct pcdf_short_piece *pieces, uint32_t n,
                      const char *bytes)
{
    (void)pcdf_bytemap_add(&r->map, pieces, n); /* nodes come one after the other */
    for (uint32_t i = 0; r->it->dir == PCDF_PUT && i < n; bytes += pieces[i++].length)
        memcpy(r->at + pieces[i].offset, bytes, pieces[i].length);
}

size_t pcdf_rounds_answer(const struct pcdf_rounds *r, const struct pcdf_short_piece *pieces, uint32_t n,
                          char *to)
{
    char *begin = to;
    for (uint32_t i = 0; i < n; to += pieces[i++].length)
        memcpy(to, r->at + pieces[i].offset, pieces[i].length);
    return (size_t)(to - begin);
}

/* ---- windows in the write queue */

char *pcdf_rounds_bytes(const struct pcdf_rounds *r, int number)
{
    char *lent = r->in_pools ? pcdf_poolmap_window(r->nodes, r->window, number) : NULL;
    return lent ? lent : pcdf_nodes_window(r->nodes, r->window, number);
}

/* Bytes of the window of this round or of a later one: of the last one what the call has of it, so that a
 * short call takes little. */
static int64_t most_from(const struct pcdf_rounds *r, int64_t round)
{
    const struct pcdf_domains *d = &r->d;
    int64_t bytes = 0;
    if (round + 1 < pcdf_domains_rounds(d))
        return pcdf_rounds_place(r, d->blocks);
    for (int64_t i = 0, to; i < d->blocks; i++) {
        int64_t from = pcdf_domains_block(d, r->domain, round, i, &to);
        if (from < d->end)
            bytes = pcdf_rounds_place(r, i) + pcdf_smaller(to, d->end) - from + PCDF_WINDOW_SLACK;
    }
    return bytes;
}

void pcdf_rounds_lend(struct pcdf_rounds *r, int window, int64_t first)
{
    struct pcdf_lent *lent = &r->lent[window];
    if (!r->in_pools || r->domain < 0 || lent->at)
        return;
    lent->bytes = first < pcdf_domains_rounds(&r->d) ? most_from(r, first) : 0;
    if (lent->bytes > 0 && pcdf_poolmap_has_own(r->nodes))
        lent->at = pcdf_writequeue_lend(r->f->storage, lent->bytes);
    pcdf_poolmap_announce(r->nodes, window, lent->at);
}

static void give(struct pcdf_rounds *r, int window, int64_t used)
{
    pcdf_writequeue_give(r->f->storage, r->lent[window].at, used);
    r->lent[window].at = NULL;
}

void pcdf_rounds_give(struct pcdf_rounds *r)
{
    give(r, 0, 0);
    give(r, 1, 0);
}

void pcdf_rounds_open(struct pcdf_rounds *r, int64_t round, int window)
{
    int64_t end = pcdf_rounds_place(r, r->d.blocks);
    if (r->open == round)
        return;
    r->open = round;
    r->opened = window;
    r->at = r->lent[window].at;
    if (!r->at)
        r->at = pcdf_nodes_window(r->nodes, window, r->nodes->mine - pcdf_nodes_first(r->nodes));
    r->map = (struct pcdf_bytemap){ .bits = r->nodes->bits };
    pcdf_bytemap_clear(&r->map, (uint32_t)end);
}

void pcdf_rounds_close(struct pcdf_rounds *r)
{
    if (r->it->dir == PCDF_PUT)
        pcdf_rounds_move(r);
    r->f->ranks.counts->lent += r->lent[r->opened].at != NULL;
    give(r, r->opened, r->lent[r->opened].bytes);
    r->open = -1;
}
