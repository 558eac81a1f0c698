/* See copyselect.h. */
#include "copyselect.h"
#include "copycoord.h"
#include "copydates.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 14, CIRCLE = 360 };

struct point { /* one end of a range */
    bool is_given, is_date;
    double number;
    struct pcdf_copy_date date;
};

struct range {
    enum { BETWEEN, EXACTLY, NEAREST } kind;
    struct point low, high; /* low: also the one value */
    double distance;        /* the nearest is to be within */
    int64_t nearest;        /* its index */
    double off;             /* how far away it is */
    int64_t hits;
    const char *text; /* as it was given */
    int length;
};

struct pcdf_copy_term {
    struct pcdf_copy_coord coord;
    int box; /* of which --box; -1: of a --select */
    struct range *ranges;
    int n;
    bool turns; /* the dimension is a circle, which may begin elsewhere: at `first` */
    int64_t first;
    double first_off;
    double least, most; /* of all values */
};

/* ---- what was asked for */

static const char *parse_point(const struct pcdf_copy_coord *c, const char *at, struct point *p)
{
    char *end;

    *p = (struct point){ .is_given = true };
    const char *behind = c->has_time || c->width > 0 ? pcdf_copy_date_parse(at, &p->date) : NULL;
    p->is_date = behind != NULL;
    if (!behind) {
        p->number = strtod(at, &end);
        behind = end == at || c->width > 0 || !isfinite(p->number) ? NULL : end;
    }
    /* What a float cannot be is meant to be the nearest that it can. */
    if (c->meaning.packing.is_packed ? c->meaning.packing.is_float : c->type == NC_FLOAT)
        p->number = (double)(float)p->number;
    return behind;
}

/* One range, up to a comma or the end; NULL: it is none. */
static const char *parse_range(const struct pcdf_copy_coord *c, const char *at, struct range *r)
{
    *r = (struct range){ .kind = *at == '~' ? NEAREST : EXACTLY, .distance = INFINITY, .nearest = -1 };
    at += *at == '~';
    if (*at != ':')
        at = parse_point(c, at, &r->low);
    if (at && *at == ':' && r->kind == EXACTLY) {
        r->kind = BETWEEN;
        at++;
        if (*at && *at != ',')
            at = parse_point(c, at, &r->high);
    } else if (at && *at == '~' && r->kind == EXACTLY) {
        char *end;
        r->kind = NEAREST;
        r->distance = strtod(at + 1, &end);
        at = end > at + 1 && r->distance >= 0 ? end : NULL;
    }
    bool has_any = r->low.is_given || r->high.is_given;
    return at && has_any && (!*at || *at == ',') ? at : NULL;
}

static double number_of(const struct pcdf_copy_coord *c, const struct point *p)
{
    struct pcdf_instant t;
    if (!p->is_date)
        return p->number;
    t = pcdf_copy_date_first(&p->date);
    return c->width > 0 ? pcdf_copy_coord_number(&t) : pcdf_time_value(&c->time, &t);
}

/* From north to south is the same as from south to north; eastwards from 350 to 10 is not. */
static int order_ends(const struct pcdf_copy_term *term, struct range *r, const char *path, const char *spec)
{
    const struct pcdf_copy_coord *c = &term->coord;
    bool has_both = r->kind == BETWEEN && r->low.is_given && r->high.is_given;

    if (r->kind == NEAREST)
        r->low = (struct point){ true, false, number_of(c, &r->low), { 0 } };
    if (!has_both || c->is_longitude)
        return PCDF_TOOL_GOOD;
    if (r->low.is_date != r->high.is_date)
        return pcdf_tool_unusable(path, "%.300s: one end is a date and one a number", spec);
    if (r->low.is_date || number_of(c, &r->low) <= number_of(c, &r->high))
        return PCDF_TOOL_GOOD;
    struct point low = r->high;
    r->high = r->low;
    r->low = low;
    return PCDF_TOOL_GOOD;
}

/* Does the text begin with a date, or go on with one? "2000" is one, too, where dates may be meant. */
static bool has_date(const char *text)
{
    struct pcdf_copy_date date;
    const char *colon = strchr(text, ':');

    text += *text == '~';
    return pcdf_copy_date_parse(text, &date) || (colon && pcdf_copy_date_parse(colon + 1, &date));
}

static int parse_ranges(struct pcdf_copy_term *term, const char *text, const char *path, const char *spec)
{
    size_t n = 1;

    for (const char *at = text; *at; at++)
        n += *at == ',';
    term->ranges = pcdf_calloc(n, sizeof *term->ranges);
    if (!term->ranges)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    for (const char *at = text; at; at = *at ? at + 1 : NULL) {
        struct range *r = &term->ranges[term->n++];
        const char *begin = at;
        at = parse_range(&term->coord, at, r);
        if (term->coord.time.kind == PCDF_TIME_UNREADABLE && has_date(begin))
            return pcdf_tool_unusable(path, "%.300s: no dates are known of it: %s", spec,
                                      term->coord.time.why);
        if (!at)
            return pcdf_tool_unusable(
                path, "%.300s: '%.100s' is no range of %s (LOW:HIGH, VALUE or ~VALUE)", spec, begin,
                term->coord.has_time || term->coord.width ? "numbers or dates" : "numbers");
        r->text = begin;
        r->length = (int)(at - begin);
        int status = order_ends(term, r, path, spec);
        if (status)
            return status;
    }
    return PCDF_TOOL_GOOD;
}

static int refuse_name(const struct pcdf_tool_dataset *ds, const char *name)
{
    int varid = pcdf_tool_find_variable(&ds->meta, name);
    if (varid >= 0)
        return pcdf_tool_unusable(
            ds->file.path, "%.200s is no coordinate: values select by a numeric variable of one dimension",
            name);
    bool is_dim = pcdf_meta_find_dim(&ds->meta, name) >= 0;
    return is_dim ? pcdf_tool_unusable(
                        ds->file.path,
                        "there is no variable %.200s to select by; -d takes indices of the dimension", name)
                  : pcdf_tool_no_variable(ds->file.path, &ds->meta, name, " to select by");
}

/* NAME=RANGE,... */
static int add_term(struct pcdf_copy_select *s, const struct pcdf_tool_dataset *ds, const char *spec, int box)
{
    const char *path = ds->file.path;
    struct pcdf_copy_term term = {
        .box = box, .first = -1, .first_off = INFINITY, .least = INFINITY, .most = -INFINITY
    };
    const char *equals = strchr(spec, '=');
    char name[PCDF_TOOL_NAME];

    if (!equals || equals == spec || equals - spec >= PCDF_TOOL_NAME)
        return pcdf_tool_unusable(path, "NAME=RANGE is wanted to select by, not '%.200s'", spec);
    snprintf(name, sizeof name, "%.*s", (int)(equals - spec), spec);
    int varid = pcdf_tool_find_variable(&ds->meta, name);
    if (varid < 0 || !pcdf_copy_coord_of(&ds->meta, varid, &term.coord))
        return refuse_name(ds, name);
    term.turns = term.coord.is_longitude &&
                 term.coord.dimid == pcdf_meta_find_dim(&ds->meta, ds->meta.vars[varid].name);
    int status = parse_ranges(&term, equals + 1, path, spec);
    struct pcdf_copy_term *terms = status ? NULL : pcdf_realloc(s->terms, (size_t)(s->n + 1) * sizeof *terms);
    if (!terms) {
        pcdf_free(term.ranges);
        return status ? status : pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    }
    s->terms = terms;
    s->terms[s->n++] = term;
    return PCDF_TOOL_GOOD;
}

int pcdf_copy_select_begin(struct pcdf_copy_select *select, const struct pcdf_copy_options *options,
                           const struct pcdf_tool_dataset *ds)
{
    int status = PCDF_TOOL_GOOD;

    *select = (struct pcdf_copy_select){ .options = options };
    for (int i = 0; i < options->nterms && !status; i++)
        status = add_term(select, ds, options->terms[i].text, options->terms[i].box);
    if (status)
        pcdf_copy_select_end(select);
    return status;
}

void pcdf_copy_select_end(struct pcdf_copy_select *select)
{
    for (int i = 0; i < select->n; i++)
        pcdf_free(select->terms[i].ranges);
    pcdf_free(select->terms);
    *select = (struct pcdf_copy_select){ 0 };
}

bool pcdf_copy_select_has(const struct pcdf_copy_select *select, int dimid)
{
    for (int i = 0; i < select->n; i++)
        if (select->terms[i].coord.dimid == dimid)
            return true;
    return false;
}

/* ---- is a value in a range? */

/* How far to the east of `low` a longitude lies, 0 up to 360. */
static double eastwards(double value, double low)
{
    double off = fmod(value - low, CIRCLE);
    return off < 0 ? off + CIRCLE : off;
}

/* Packed numbers are off by roundings of their own. */
static double slack(const struct pcdf_copy_coord *c)
{
    return c->meaning.packing.is_packed ? fabs(c->meaning.packing.scale) * 1e-6 : 0;
}

static double distance(const struct pcdf_copy_coord *c, double a, double b)
{
    return c->is_longitude ? fabs(remainder(a - b, CIRCLE)) : fabs(a - b);
}

static bool is_between(const struct pcdf_copy_coord *c, const struct range *r, double value)
{
    double low = r->low.number, high = r->high.number, little = slack(c);
    bool has_both = r->low.is_given && r->high.is_given;

    if (c->is_longitude && has_both) {
        double span = high - low >= CIRCLE ? CIRCLE : eastwards(high, low),
               off = eastwards(value, low - little);
        return span >= CIRCLE || (span == 0 && high > low) || off <= span + 2 * little;
    }
    return (!r->low.is_given || value >= low - little) && (!r->high.is_given || value <= high + little);
}

static bool is_among_dates(const struct pcdf_copy_coord *c, const struct range *r, double value)
{
    const struct point *high = r->kind == EXACTLY ? &r->low : &r->high;
    struct pcdf_instant t;

    if (!pcdf_copy_coord_instant(c, value, &t))
        return false;
    return (!r->low.is_given || pcdf_copy_date_compare(&t, &r->low.date) >= 0) &&
           (!high->is_given || pcdf_copy_date_compare(&t, &high->date) <= 0);
}

static bool is_in(const struct pcdf_copy_coord *c, const struct range *r, int64_t index, double value)
{
    if (isnan(value))
        return false;
    if (r->kind == NEAREST)
        return index == r->nearest;
    if (r->low.is_date || r->high.is_date)
        return is_among_dates(c, r, value);
    return r->kind == EXACTLY ? distance(c, value, r->low.number) <= slack(c) : is_between(c, r, value);
}

/* ---- the indices of a dimension, piece by piece */

struct picking {
    const struct pcdf_copy_select *select;
    struct pcdf_tool_dataset *ds;
    int dimid;
    double *values;         /* PIECE, as the rest */
    bool *good, *any, *all; /* chosen; by any box, or range of a name; by all terms of a box */
};

static bool is_of(const struct picking *p, const struct pcdf_copy_term *term)
{
    return term->coord.dimid == p->dimid;
}

static int look_for_nearest(const struct picking *p, struct pcdf_copy_term *term, int64_t first, int64_t n)
{
    int status = pcdf_copy_coord_read(&term->coord, p->ds, first, n, p->values);
    for (int k = 0; k < term->n && !status; k++) {
        struct range *r = &term->ranges[k];
        for (int64_t i = 0; i < n && r->kind == NEAREST; i++) {
            double off = distance(&term->coord, p->values[i], r->low.number);
            if (isnan(off) || off > r->distance + slack(&term->coord) || (r->nearest >= 0 && off >= r->off))
                continue;
            r->nearest = first + i;
            r->off = off;
        }
    }
    return status;
}

/* The circle begins with what is the first chosen one east of where the first range begins. */
static void look_for_first(struct pcdf_copy_term *term, int64_t index, double value)
{
    const struct range *r = &term->ranges[0];
    double off = eastwards(value, r->low.number - slack(&term->coord));

    if (r->kind != BETWEEN || !r->low.is_given || off >= term->first_off)
        return;
    term->first = index;
    term->first_off = off;
}

static int apply(const struct picking *p, struct pcdf_copy_term *term, int64_t first, int64_t n)
{
    int status = pcdf_copy_coord_read(&term->coord, p->ds, first, n, p->values);

    for (int64_t i = 0; i < n && !status; i++) {
        double value = p->values[i];
        bool is = false;
        for (int k = 0; k < term->n; k++) {
            bool hit = is_in(&term->coord, &term->ranges[k], first + i, value);
            term->ranges[k].hits += hit;
            is |= hit;
        }
        if (is && term->turns)
            look_for_first(term, first + i, value);
        p->all[i] &= is;
        term->least = fmin(term->least, value); /* a NaN is none */
        term->most = fmax(term->most, value);
    }
    return status;
}

static void fill(bool *flags, int64_t n, bool with)
{
    memset(flags, with, (size_t)n * sizeof *flags);
}

static void join(bool *flags, const bool *with, int64_t n, bool is_and)
{
    for (int64_t i = 0; i < n; i++)
        flags[i] = is_and ? flags[i] && with[i] : flags[i] || with[i];
}

/* All terms of the same name, from term number `first` on, which is the first of it. */
static int apply_name(const struct picking *p, int first_term, int64_t first, int64_t n)
{
    const struct pcdf_copy_select *s = p->select;
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < first_term; i++)
        if (s->terms[i].box < 0 && s->terms[i].coord.varid == s->terms[first_term].coord.varid)
            return PCDF_TOOL_GOOD; /* it was its turn before */
    fill(p->any, n, false);
    for (int i = first_term; i < s->n && !status; i++) {
        if (s->terms[i].box >= 0 || s->terms[i].coord.varid != s->terms[first_term].coord.varid)
            continue;
        fill(p->all, n, true);
        status = apply(p, &s->terms[i], first, n);
        join(p->any, p->all, n, false);
    }
    join(p->good, p->any, n, true);
    return status;
}

static int apply_boxes(const struct picking *p, int64_t first, int64_t n)
{
    const struct pcdf_copy_select *s = p->select;
    int status = PCDF_TOOL_GOOD;

    fill(p->any, n, s->options->nboxes == 0);
    for (int box = 0; box < s->options->nboxes && !status; box++) {
        fill(p->all, n, true);
        for (int i = 0; i < s->n && !status; i++)
            if (s->terms[i].box == box && is_of(p, &s->terms[i]))
                status = apply(p, &s->terms[i], first, n);
        join(p->any, p->all, n, false);
    }
    join(p->good, p->any, n, true);
    return status;
}

static int add_good(const struct picking *p, int64_t first, int64_t n, struct pcdf_copy_cut *cut)
{
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && p->good[end] == p->good[i]; end++)
            ;
        if (p->good[i] && pcdf_copy_cut_add(cut, first + i, end - i))
            return pcdf_tool_unusable(p->ds->file.path, "%s", pcdf_fail_text());
    }
    return PCDF_TOOL_GOOD;
}

static int pick_piece(const struct picking *p, int64_t first, int64_t n, struct pcdf_copy_cut *cut)
{
    const struct pcdf_copy_select *s = p->select;
    int status = PCDF_TOOL_GOOD;

    fill(p->good, n, true);
    for (int i = 0; i < s->n && !status; i++)
        if (s->terms[i].box < 0 && is_of(p, &s->terms[i]))
            status = apply_name(p, i, first, n);
    status = status ? status : apply_boxes(p, first, n);
    return status ? status : add_good(p, first, n, cut);
}

static int pick(const struct picking *p, struct pcdf_copy_cut *cut)
{
    const struct pcdf_copy_select *s = p->select;
    int status = PCDF_TOOL_GOOD;

    for (int64_t at = 0; at < cut->length && !status; at += PIECE)
        for (int i = 0; i < s->n && !status; i++)
            if (is_of(p, &s->terms[i]))
                status = look_for_nearest(p, &s->terms[i], at, pcdf_smaller(PIECE, cut->length - at));
    for (int64_t at = 0; at < cut->length && !status; at += PIECE)
        status = pick_piece(p, at, pcdf_smaller(PIECE, cut->length - at), cut);
    for (int i = 0; i < s->n && !status; i++)
        if (is_of(p, &s->terms[i]) && s->terms[i].turns && s->terms[i].first >= 0) {
            pcdf_copy_cut_rotate(cut, s->terms[i].first);
            break;
        }
    return status;
}

/* ---- what has no value */

static int refuse_miss(const struct pcdf_copy_term *term, const struct range *r,
                       const struct pcdf_tool_dataset *ds)
{
    char least[PCDF_COPY_COORD_TEXT], most[PCDF_COPY_COORD_TEXT];
    const char *name = ds->meta.vars[term->coord.varid].name;
    bool is_value = r->kind == EXACTLY && !r->low.is_date;

    if (!(term->least <= term->most))
        return pcdf_tool_unusable(ds->file.path, "%.200s has no values to select by", name);
    pcdf_copy_coord_text(&term->coord, term->least, least);
    pcdf_copy_coord_text(&term->coord, term->most, most);
    return pcdf_tool_unusable(ds->file.path, "%.200s has no value %s%.*s: there are values from %s to %s%s",
                              name, r->kind == BETWEEN ? "in " : "", r->length < 200 ? r->length : 200,
                              r->text, least, most, is_value ? "; ~ before it takes the nearest" : "");
}

static int check_hits(const struct pcdf_copy_select *s, const struct pcdf_tool_dataset *ds, int dimid)
{
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->terms[i].n && s->terms[i].coord.dimid == dimid; k++)
            if (s->terms[i].ranges[k].hits == 0)
                return refuse_miss(&s->terms[i], &s->terms[i].ranges[k], ds);
    return PCDF_TOOL_GOOD;
}

int pcdf_copy_select_cut(const struct pcdf_copy_select *select, struct pcdf_tool_dataset *ds, int dimid,
                         bool may_miss, struct pcdf_copy_cut *cut)
{
    const struct pcdf_dim *dim = &ds->meta.dims[dimid];
    struct picking p = { .select = select, .ds = ds, .dimid = dimid };

    pcdf_copy_cut_none(cut, dimid == ds->meta.record_dim ? ds->meta.numrecs : dim->length);
    p.values = pcdf_calloc(PIECE, sizeof *p.values);
    p.good = pcdf_calloc(PIECE, 3 * sizeof *p.good);
    p.any = p.good + PIECE;
    p.all = p.any + PIECE;
    int status =
        p.values && p.good ? pick(&p, cut) : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    if (!status && !may_miss)
        status = check_hits(select, ds, dimid);
    if (!status && !may_miss && cut->n == 0)
        status = pcdf_tool_unusable(ds->file.path, "nothing of dimension %.200s is in all that was selected",
                                    dim->name);
    pcdf_free(p.good);
    pcdf_free(p.values);
    if (status)
        pcdf_copy_cut_free(cut);
    return status;
}
