/* See domains.h. */

#include "domains.h"
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include "numbers.h"

enum {
    SMALL_ALIGN = 1 << 16, /* also the shortest stripe that counts */
    LARGE_ALIGN = 1 << 20,
    LONGEST_STRIPE = 1 << 28,
    MOST_TARGETS = 1 << 16,
    PAGE = 4096
};

/* a / b, rounded up; a >= 0. */
static int64_t parts_of(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

/* a + n * each, or INT64_MAX where that is too large; none is negative. */
static int64_t after(int64_t a, int64_t n, int64_t each)
{
    int64_t bytes;
    bool too_large = __builtin_mul_overflow(n, each, &bytes) || __builtin_add_overflow(a, bytes, &bytes);
    return too_large ? INT64_MAX : bytes;
}

static int64_t up_to(int64_t a, int64_t align)
{
    return after(0, parts_of(a, align), align);
}

/* Groups of one whose regions are as long as can be equal, with borders that suit the file system. */
static void make_plain_domains(struct pcdf_domains *d, const struct pcdf_domains_config *config,
                               bool has_stripe)
{
    bool has_limit = config->stripe_count == 1 && config->writers > 0;
    int64_t n = has_limit ? pcdf_smaller(config->writers, config->aggregators) : config->aggregators;
    int64_t align = has_stripe                                           ? config->stripe
                    : parts_of(d->end - d->begin, n) >= 16 * LARGE_ALIGN ? LARGE_ALIGN
                                                                         : SMALL_ALIGN;
    d->members = 1;
    d->period = d->turns = 1;
    d->first = d->begin / align * align;
    d->region = d->unit = up_to(parts_of(d->end - d->first, n), align);
}

/* Stripes that are dealt together: where members have several targets, those next to each other, if a window
 * has room for them and no member gets more than by single ones. */
static int64_t together(const struct pcdf_domains_config *config)
{
    int64_t targets = config->stripe_count, each = parts_of(targets, config->aggregators), best = 1;
    for (int64_t k = 2; k <= each && k * config->stripe <= config->window; k++)
        if (targets % k == 0 && k * parts_of(targets / k, config->aggregators) == each)
            best = k;
    return best;
}

/* As many members as can have the same number of targets each, or some less. */
static void make_cycles(struct pcdf_domains *d, const struct pcdf_domains_config *config)
{
    int64_t stripes = together(config);
    d->unit = stripes * config->stripe;
    d->period = config->stripe_count / stripes;
    d->turns = parts_of(d->period, config->aggregators);
    d->members = (int)parts_of(d->period, d->turns);

    int64_t groups = config->aggregators / d->members, bytes = d->period * d->unit;
    groups = config->writers > 0 ? pcdf_smaller(groups, config->writers) : groups;
    d->first = d->begin / bytes * bytes;
    d->region = up_to(parts_of(d->end - d->first, groups), bytes);
}

void pcdf_domains_make(struct pcdf_domains *d, const struct pcdf_domains_config *config)
{
    bool has_stripe =
        config->deals_any || (config->stripe >= SMALL_ALIGN && config->stripe <= LONGEST_STRIPE);
    bool has_targets =
        config->stripe_count > 1 && (config->deals_any || config->stripe_count <= MOST_TARGETS);
    assert(config->begin >= 0 && config->begin < config->end && config->aggregators > 0 &&
           config->window > 0);
    *d = (struct pcdf_domains){ .begin = config->begin, .end = config->end };
    if (has_stripe && has_targets && config->aggregators > 1)
        make_cycles(d, config);
    else
        make_plain_domains(d, config, has_stripe);
    d->groups = (int)parts_of(d->end - d->first, d->region);
    d->n = d->groups * d->members;

    /* A range is one long unit; the parts of a stripe are about equally long. */
    int64_t parts = parts_of(d->unit, config->window);
    d->block = parts == 1        ? d->unit
               : d->members == 1 ? config->window
                                 : pcdf_smaller(config->window, up_to(parts_of(d->unit, parts), PAGE));
    d->parts = parts_of(d->unit, d->block);
    d->blocks = d->members == 1 || d->parts > 1 ? 1 : config->window / d->unit;
    assert(d->n <= config->aggregators);
}

struct pcdf_block pcdf_domains_at(const struct pcdf_domains *d, int64_t offset)
{
    assert(offset >= d->begin && offset < d->end);
    int64_t group = (offset - d->first) / d->region, begin = d->first + group * d->region;
    int64_t unit = (offset - begin) / d->unit, dealt = unit % d->period;
    int64_t part = (offset - begin - unit * d->unit) / d->block;
    int64_t own = unit / d->period * d->turns + dealt / d->members; /* its number among the member's units */
    struct pcdf_block b = { .domain = (int)(group * d->members + dealt % d->members),
                            .round = d->parts == 1 ? own / d->blocks : own * d->parts + part,
                            .index = d->parts == 1 ? own % d->blocks : 0 };
    b.from = begin + unit * d->unit + part * d->block;
    b.to = after(b.from, 1, pcdf_smaller(d->block, d->unit - part * d->block));
    return b;
}

/* Which unit of the region the own-th of a member is; -1: in this period it has none. */
static int64_t unit_of(const struct pcdf_domains *d, int64_t member, int64_t own)
{
    int64_t dealt = own % d->turns * d->members + member;
    return dealt < d->period ? own / d->turns * d->period + dealt : -1;
}

int64_t pcdf_domains_block(const struct pcdf_domains *d, int domain, int64_t round, int64_t index,
                           int64_t *to)
{
    int64_t begin = d->first + domain / d->members * d->region;
    int64_t own = d->parts == 1 ? round * d->blocks + index : round / d->parts;
    int64_t part = d->parts == 1 ? 0 : round % d->parts;
    int64_t unit = unit_of(d, domain % d->members, own);
    assert(domain >= 0 && domain < d->n && index >= 0 && index < d->blocks);
    int64_t bytes = unit < 0 ? d->region : after(part * d->block, unit, d->unit);
    if (bytes >= d->region || bytes >= d->end - begin || part * d->block >= d->unit)
        return INT64_MAX;
    if (to)
        *to = after(begin + bytes, 1, pcdf_smaller(d->block, d->unit - part * d->block));
    return begin + bytes;
}

struct pcdf_block pcdf_domains_from(const struct pcdf_domains *d, int domain, int64_t offset)
{
    int64_t begin = d->first + domain / d->members * d->region, member = domain % d->members;
    int64_t behind = offset > begin ? offset - begin : 0, unit = behind / d->unit;
    int64_t dealt = unit % d->period, turn = dealt > member ? parts_of(dealt - member, d->members) : 0;
    int64_t own = unit / d->period * d->turns + turn;
    if (unit_of(d, member, own) < 0) /* the period ends before its turn */
        own += d->turns - turn;
    int64_t part = unit_of(d, member, own) == unit ? behind % d->unit / d->block : 0;
    struct pcdf_block b = { .domain = domain,
                            .round = d->parts == 1 ? own / d->blocks : own * d->parts + part,
                            .index = d->parts == 1 ? own % d->blocks : 0 };
    b.from = behind < d->region ? pcdf_domains_block(d, domain, b.round, b.index, &b.to) : INT64_MAX;
    return b;
}

void pcdf_domains_band(const struct pcdf_domains *d, int group, int64_t round, int64_t *from, int64_t *to)
{
    int64_t begin = d->first + group * d->region, end = pcdf_smaller(after(begin, 1, d->region), d->end);
    int64_t own = d->parts == 1 ? round * d->blocks : round / d->parts, last = own + d->blocks - 1;
    int64_t part = d->parts == 1 ? 0 : round % d->parts * d->block;
    int64_t units = last / d->turns * d->period + pcdf_smaller((last % d->turns + 1) * d->members, d->period);
    int64_t behind = after(begin, units, d->unit);
    if (part < d->unit - d->block && behind < INT64_MAX)
        behind -= d->unit - part - d->block;
    *from = after(begin + part, own / d->turns * d->period + own % d->turns * d->members, d->unit);
    *from = *from > d->begin ? *from : d->begin;
    *to = pcdf_smaller(behind, end);
}

int64_t pcdf_domains_rounds(const struct pcdf_domains *d)
{
    int64_t bytes = pcdf_smaller(d->region, d->end - d->first);
    int64_t periods = parts_of(parts_of(bytes, d->unit), d->period);
    return d->parts == 1 ? parts_of(periods * d->turns, d->blocks) : periods * d->turns * d->parts;
}
