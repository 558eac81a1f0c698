/* domains.h: each byte of a call is in one block of one window of one domain, whatever the numbers; borders
 * are those of stripes; a domain has few targets, a target few writers, and a round keeps all members at
 * different targets. Cells of chunks have the same owner in every call. */

#include "check.h"
#include "domains.h"
#include "numbers.h"
#include <stdbool.h>
#include <stdlib.h>

static void tell(const struct pcdf_domains_config *w, const struct pcdf_domains *d, long bad)
{
    if (check_bad > bad)
        fprintf(stderr,
                "  hint %" PRId64 " to %" PRId64 ", aggregators %d, window %" PRId64 ", stripe %" PRId64
                " x %" PRId64 ", writers %" PRId64 "; made: members %d, groups %d, unit %" PRId64
                ", region %" PRId64 "\n",
                w->begin, w->end, w->aggregators, w->window, w->stripe, w->stripe_count, w->writers,
                d->members, d->groups, d->unit, d->region);
}

/* The block at an offset, and the block that the numbers say: the same, and it has the offset. */
static struct pcdf_block check_at(const struct pcdf_domains *d, int64_t window, int64_t offset)
{
    struct pcdf_block b = pcdf_domains_at(d, offset);
    int64_t to = -1, from = pcdf_domains_block(d, b.domain, b.round, b.index, &to), band_from, band_to;
    CHECK(b.domain >= 0 && b.domain < d->n, "domain %d", b.domain);
    CHECK(b.round >= 0 && b.round < pcdf_domains_rounds(d), "round %" PRId64 " of %" PRId64, b.round,
          pcdf_domains_rounds(d));
    CHECK(b.index >= 0 && b.index < d->blocks, "index %" PRId64, b.index);
    CHECK(b.from <= offset && offset < b.to, "%" PRId64 " is not in %" PRId64 " to %" PRId64, offset, b.from,
          b.to);
    CHECK(b.to - b.from <= d->block && d->block * d->blocks <= window, "%" PRId64 " bytes", b.to - b.from);
    CHECK_INT(from, b.from);
    CHECK_INT(to, b.to);
    pcdf_domains_band(d, b.domain / d->members, b.round, &band_from, &band_to);
    CHECK(band_from <= offset && offset < band_to, "the band %" PRId64 " to %" PRId64 " lacks %" PRId64,
          band_from, band_to, offset);
    CHECK(band_from >= d->begin && band_to <= d->end, "the band %" PRId64 " to %" PRId64, band_from, band_to);
    return b;
}

/* Goes through the call block by block, and counts what the domains say of themselves. */
static void check_all(const struct pcdf_domains_config *w)
{
    struct pcdf_domains d;
    int64_t blocks = 0, own = 0, bytes = 0, from, to;
    long bad = check_bad;
    pcdf_domains_make(&d, w);
    CHECK(d.n > 0 && d.n <= w->aggregators && d.n == d.members * d.groups, "%d domains", d.n);
    for (int64_t at = w->begin; at < w->end && check_bad == bad; blocks++) {
        struct pcdf_block b = check_at(&d, w->window, at);
        check_at(&d, w->window, pcdf_smaller(b.to, w->end) - 1);
        at = b.to;
    }
    for (int o = 0; o < d.n; o++)
        for (int64_t r = 0; r < pcdf_domains_rounds(&d); r++)
            for (int64_t i = 0; i < d.blocks; i++) {
                from = pcdf_domains_block(&d, o, r, i, &to);
                if (from == INT64_MAX || to <= w->begin)
                    continue;
                CHECK(from < w->end, "a block at %" PRId64 " behind the call", from);
                struct pcdf_block b = pcdf_domains_at(&d, from > w->begin ? from : w->begin);
                CHECK(b.domain == o && b.round == r && b.index == i,
                      "block %d, %" PRId64 ", %" PRId64 " is %d, %" PRId64 ", %" PRId64, o, r, i, b.domain,
                      b.round, b.index);
                struct pcdf_block next = pcdf_domains_from(&d, o, from > w->begin ? from : w->begin);
                CHECK(next.from == from && next.to == to && next.round == r && next.index == i,
                      "the block of domain %d behind %" PRId64 " is at %" PRId64, o, from, next.from);
                next = pcdf_domains_from(&d, o, to - 1);
                CHECK_INT(next.from, from);
                own++;
                bytes += pcdf_smaller(to, w->end) - (from > w->begin ? from : w->begin);
            }
    CHECK_INT(own, blocks);
    CHECK_INT(bytes, w->end - w->begin);

    /* The bands of a group follow each other without a gap. */
    for (int g = 0; d.parts == 1 && g < d.groups; g++) {
        int64_t behind = g == 0 ? w->begin : d.first + g * d.region;
        for (int64_t r = 0; r < pcdf_domains_rounds(&d); r++) {
            pcdf_domains_band(&d, g, r, &from, &to);
            if (from >= to)
                continue;
            CHECK_INT(from, behind);
            behind = to;
        }
        CHECK_INT(behind, pcdf_smaller(d.first + (g + 1) * d.region, w->end));
    }
    tell(w, &d, bad);
}

enum { TARGETS = 64, MOST = 256 };

/* Where the stripes are known: borders are those of stripes, and who is where. */
static void check_targets(const struct pcdf_domains_config *w)
{
    static bool serves[MOST][TARGETS];
    struct pcdf_domains d;
    int t = (int)w->stripe_count;
    long bad = check_bad;
    pcdf_domains_make(&d, w);
    memset(serves, 0, sizeof serves);
    CHECK_INT(d.first % (w->stripe * t), 0);
    if (d.groups > 1)
        CHECK_INT(d.region % (w->stripe * t), 0);
    for (int64_t at = w->begin; at < w->end;) {
        struct pcdf_block b = pcdf_domains_at(&d, at);
        CHECK(d.unit == w->stripe ? b.from / w->stripe == (b.to - 1) / w->stripe
                                  : b.from % w->stripe == 0 && b.to % w->stripe == 0,
              "a block has a part of a stripe");
        for (int64_t i = b.from / w->stripe; i * w->stripe < b.to; i++)
            serves[b.domain][i % t] = true;
        at = b.to;
    }
    for (int o = 0; o < d.n; o++) {
        int targets = 0;
        for (int i = 0; i < t; i++)
            targets += serves[o][i];
        CHECK(targets <= (t + w->aggregators - 1) / w->aggregators, "domain %d has %d targets", o, targets);
    }
    for (int i = 0; i < t; i++) {
        int64_t writers = 0, most = w->aggregators < t ? 1 : w->aggregators / t;
        for (int o = 0; o < d.n; o++)
            writers += serves[o][i];
        most = w->writers > 0 ? pcdf_smaller(most, w->writers) : most;
        CHECK(writers <= most, "target %d has %" PRId64 " writers", i, writers);
    }
    for (int64_t r = 0; r < pcdf_domains_rounds(&d); r++)
        for (int g = 0; g < d.groups; g++) {
            bool is_busy[TARGETS] = { false };
            for (int j = 0; j < d.members; j++) {
                int64_t to, from = pcdf_domains_block(&d, g * d.members + j, r, 0, &to);
                for (int64_t i = from / w->stripe; from < INT64_MAX && i * w->stripe < to; i++) {
                    CHECK(!is_busy[i % t], "two members of group %d are at one target", g);
                    is_busy[i % t] = true;
                }
            }
        }
    tell(w, &d, bad);
}

enum { K = 1 << 10, STRIPE = 64 * K };
static const int64_t M = 1 << 20;

/* Few blocks, all numbers: what is counted in them is the same as in large ones. */
static void small_numbers(void)
{
    static const int64_t windows[] = { 16 * K, 40 * K, STRIPE, 3 * STRIPE };
    for (int64_t begin = 0; begin < 3; begin++)
        for (int64_t stripes = 1; stripes < 30; stripes += 1 + stripes / 10)
            for (int aggregators = 1; aggregators < 14; aggregators++)
                for (int64_t t = 0; t < 8; t++)
                    for (int k = 0; k < 4; k++) {
                        int64_t from = begin * (STRIPE + 100);
                        const struct pcdf_domains_config w = { .begin = from,
                                                               .end = from + stripes * STRIPE - 50 * begin,
                                                               .aggregators = aggregators,
                                                               .window = windows[k],
                                                               .stripe = STRIPE,
                                                               .stripe_count = t,
                                                               .writers = begin };
                        check_all(&w);
                        if (t > 1 && aggregators > 1)
                            check_targets(&w);
                    }
}

static int64_t draw(int64_t n)
{
    return (((int64_t)random() << 31) + random()) % n;
}

static void large_numbers(void)
{
    for (int i = 0; i < 400; i++) {
        struct pcdf_domains_config w = { .begin = draw(draw(2) ? 1 << 20 : (int64_t)1 << 60),
                                         .aggregators = 2 + (int)draw(MOST - 1),
                                         .window = 4096 * (8 + draw(249)),
                                         .stripe = STRIPE * (1 + draw(draw(2) ? 4 : 64)),
                                         .stripe_count = 2 + draw(TARGETS - 1),
                                         .writers = draw(2) * draw(10) };
        w.end = w.begin + 1 + draw(draw(2) ? 64 * M : 1000 * M);
        check_all(&w);
        check_targets(&w);
        w.stripe_count = 0;
        check_all(&w);
        w.stripe *= draw(2);
        w.aggregators = 1 + (int)draw(100000);
        check_all(&w);
    }
}

/* Near the end of all numbers, by samples. */
static void extremes(void)
{
    static const int64_t ends[] = { INT64_MAX, INT64_MAX - 1, INT64_MAX - 65536, (int64_t)1 << 62 };
    for (int i = 0; i < 4000; i++) {
        const struct pcdf_domains_config w = {
            .begin = draw(2) ? draw(1 << 20) : ends[i % 4] - 1 - draw((int64_t)1 << (1 + draw(60))),
            .end = ends[i % 4],
            .aggregators = 1 + (int)draw(draw(2) ? 10 : INT32_MAX),
            .window = 4096 * (8 + draw(249)),
            .stripe = draw(2) * draw(1 << 29),
            .stripe_count = draw(draw(2) ? 70000 : 20),
            .writers = draw(2) * draw(1000)
        };
        struct pcdf_domains d;
        long bad = check_bad;
        pcdf_domains_make(&d, &w);
        CHECK(d.n > 0 && d.n <= w.aggregators, "%d domains", d.n);
        for (int k = 0; k < 20; k++)
            check_at(&d, w.window, k == 0 ? w.begin : k == 1 ? w.end - 1 : w.begin + draw(w.end - w.begin));
        tell(&w, &d, bad);
    }
}

/* Who moves a byte depends on its cell alone, whatever range the call has and however long a window is. */
static void cells(void)
{
    for (int i = 0; i < 4000; i++) {
        const int64_t cell = (int64_t)1 << (3 + draw(30));
        const int ranks = 1 + (int)draw(draw(3) ? 9 : 1 << 20);
        struct pcdf_domains_config w = { .begin = draw((int64_t)1 << (4 + draw(58))),
                                         .aggregators = ranks,
                                         .window = 4096 * (1 + draw(8192)),
                                         .stripe = cell,
                                         .stripe_count = ranks,
                                         .deals_any = true };
        struct pcdf_domains d;
        long bad = check_bad;
        w.end = draw(20) ? w.begin + 1 + draw((int64_t)1 << (1 + draw(60))) : INT64_MAX;
        pcdf_domains_make(&d, &w);
        for (int k = 0; k < 20; k++) {
            int64_t at = k == 0 ? w.begin : k == 1 ? w.end - 1 : w.begin + draw(w.end - w.begin);
            struct pcdf_block b = check_at(&d, w.window, at);
            CHECK_INT(b.domain, at / cell % ranks);
            CHECK(ranks == 1 || b.to - b.from <= cell, "%" PRId64 " bytes", b.to - b.from);
        }
        tell(&w, &d, bad);
    }
}

/* What the comment of domains.h and the rule say, by example. */
static void examples(void)
{
    struct pcdf_domains d;
    struct pcdf_domains_config w = { 0, 16 * M, 8, M, M, 4, 0, false };
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.members, 4);
    CHECK_INT(d.groups, 2);
    CHECK_INT(pcdf_domains_at(&d, 5 * M).domain, 1);
    CHECK_INT(pcdf_domains_at(&d, 13 * M).domain, 5);
    CHECK_INT(pcdf_domains_rounds(&d), 2);
    w.writers = 1;
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.n, 4);
    w.aggregators = 2;
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.n, 2);
    CHECK_INT(pcdf_domains_at(&d, 7 * M).domain, 1);
    CHECK_INT(pcdf_domains_at(&d, 6 * M).domain, 0);
    w.window = 3 * M; /* room for two stripes, next to each other */
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.unit, 2 * M);
    CHECK_INT(pcdf_domains_at(&d, 5 * M).domain, 0);
    CHECK_INT(pcdf_domains_at(&d, 6 * M).domain, 1);
    w.stripe_count = 5; /* three for one, two for the other: no room, then no use */
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.unit, M);
    w.aggregators = 1; /* one has it all, and no reason to go by stripes */
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.unit, 16 * M);

    /* Stripes that are not known: equal ranges. One target: few of them. */
    w = (struct pcdf_domains_config){ 0, 256 * M, 8, M, 0, 0, 4, false };
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.n, 8);
    CHECK_INT(d.region, 32 * M);
    CHECK_INT(d.block, M);
    w.stripe_count = 1;
    w.stripe = M;
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.n, 4);
    w = (struct pcdf_domains_config){ 100, 101, 8, M, 0, 0, 0, false };
    pcdf_domains_make(&d, &w);
    CHECK_INT(d.n, 1);
    CHECK_INT(d.region, STRIPE);
    CHECK_INT(d.blocks, 1);
}

int main(void)
{
    examples();
    small_numbers();
    large_numbers();
    extremes();
    cells();
    return check_done("file_domains");
}
