/* See joinalong.h. */
#include "joinalong.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "meaningtext.h"
#include "value.h"

#include <inttypes.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 8192, MOST = 1 << 20 }; /* values read at once; records whose coordinates are kept */

/* ---- the axis */

int pcdf_join_along_begin(struct pcdf_join_plan *plan)
{
    const struct pcdf_join_options *o = plan->options;
    struct pcdf_join_axis *axis;
    if (plan->way == PCDF_JOIN_NEW) {
        if (pcdf_meta_find_dim(&plan->in, o->dim) >= 0)
            return pcdf_tool_unusable(o->from[0],
                                      "there is a dimension %.200s already (--along joins along it)", o->dim);
        int status = pcdf_join_add_axis(plan, -1, o->dim, &axis);
        if (!status)
            axis->length = o->nfrom;
        return status;
    }
    int dim = o->dim ? pcdf_meta_find_dim(&plan->in, o->dim) : plan->in.record_dim;
    if (dim < 0 && o->dim)
        return pcdf_tool_no_dimension(o->from[0], &plan->in, o->dim);
    if (dim < 0)
        return pcdf_tool_unusable(
            o->from[0], "it says of no tile that it is, and has no record dimension: --along, --new, "
                        "--layout or --index tell how to join it");
    return pcdf_join_add_axis(plan, dim, plan->in.dims[dim].name, &axis);
}

/* ---- units of time */

int pcdf_join_change_of(const struct pcdf_join_var *v, const char *path, const struct pcdf_meta *meta,
                        int varid, struct pcdf_join_change *change)
{
    const char *name = meta->vars[varid].name;
    const struct pcdf_time *to = v->time;
    struct pcdf_time from;
    *change = (struct pcdf_join_change){ 0 };
    pcdf_time_of(&from, meta, varid);
    if (pcdf_time_is_same(&from, to))
        return PCDF_TOOL_GOOD;
    if (from.kind == PCDF_TIME_UNREADABLE)
        return pcdf_tool_unusable(path, "variable %.200s: %s", name, from.why);
    if (to->kind == PCDF_TIME_UNREADABLE)
        return pcdf_tool_unusable(path, "variable %.200s cannot be converted: in the first file %s", name,
                                  to->why);
    if (from.kind == PCDF_TIME_DATES && from.calendar != to->calendar)
        return pcdf_tool_unusable(path, "variable %.200s has calendar %.100s, and in the first file %.100s",
                                  name, pcdf_calendar_name(from.calendar), pcdf_calendar_name(to->calendar));
    if (!pcdf_time_change(&from, to, &change->change))
        return pcdf_tool_unusable(
            path,
            "variable %.200s is in \"%.100s\", which cannot be converted to \"%.100s\" of the first file",
            name, from.units, to->units);
    change->is_needed = true;
    return PCDF_TOOL_GOOD;
}

bool pcdf_join_change_value(const struct pcdf_join_change *change, nc_type type, unsigned char *bytes)
{
    struct pcdf_value value = pcdf_value_load(type, bytes);
    double was = pcdf_value_as_real(&value);
    double x = was * change->change.times / change->change.by + change->change.plus;
    if (!isfinite(was))
        return true;
    if (type == NC_DOUBLE || type == NC_FLOAT) {
        value.is.real = x;
        pcdf_value_store(&value, bytes);
        double kept = pcdf_value_load_real(type, bytes); /* a float may be too short for it */
        return fabs(kept - x) * change->change.seconds < 0.5;
    }
    if (x != round(x) || fabs(x) > 9e15)
        return false;
    value.is.integer = (int64_t)x;
    if (pcdf_value_is_unsigned(type))
        value.is.natural = (uint64_t)(int64_t)x;
    pcdf_value_store(&value, bytes);
    return pcdf_value_load_real(type, bytes) == x;
}

/* ---- coordinates of all files */

struct record {
    double value;
    int file;      /* in the order of the arguments */
    int64_t local; /* its number in that file */
};

struct coordinates {
    int varid; /* of the first file; -1: there is none that can be sorted */
    int64_t n;
    struct record *x;
    int64_t *bits; /* the values, as ranks add them up; the first one of each file at `begins` */
    int64_t *begins;
    int64_t are_changed; /* 1: real numbers of some file were converted */
};

static int find_coordinate(const struct pcdf_join_plan *plan)
{
    return pcdf_tool_coordinate(&plan->in, plan->axes[0].dim);
}

static int refuse_value(const struct pcdf_join_plan *plan, const char *path, int64_t at)
{
    const struct pcdf_join_axis *axis = &plan->axes[0];
    return pcdf_tool_unusable(
        path,
        "%.200s(%" PRId64
        ") cannot be written in the units of the first file, \"%.100s\": its type %s has no place for it",
        axis->name, at, plan->vars[find_coordinate(plan)].time->units,
        pcdf_type_cdl(plan->in.vars[find_coordinate(plan)].type));
}

/* The coordinates of one file, in the units of the first one. */
static int read_coordinate(const struct pcdf_join_plan *plan, struct coordinates *c, int file)
{
    const char *path = plan->options->from[file];
    struct pcdf_tool_dataset *ds;
    struct pcdf_join_change change = { 0 };
    unsigned char bytes[PIECE];
    int status = pcdf_tool_files_get(plan->files, file, &ds);
    if (status)
        return status;
    int id = pcdf_meta_find_var(&ds->meta, plan->axes[0].name);
    int64_t n = plan->facts[file].length[0];
    if (plan->vars[c->varid].time)
        status = pcdf_join_change_of(&plan->vars[c->varid], path, &ds->meta, id, &change);
    c->are_changed |= change.is_needed && pcdf_value_is_real(ds->meta.vars[id].type);
    nc_type type = plan->in.vars[c->varid].type;
    int size = pcdf_type_size(type);
    for (int64_t at = 0, some; at < n && !status; at += some) {
        some = n - at < PIECE / size ? n - at : PIECE / size;
        status = pcdf_tool_values(ds, id, at, some, bytes);
        for (int64_t i = 0; i < some && !status; i++) {
            if (change.is_needed && !pcdf_join_change_value(&change, type, bytes + i * size))
                status = refuse_value(plan, path, at + i);
            double x = pcdf_value_load_real(type, bytes + i * size);
            if (isnan(x))
                status =
                    pcdf_tool_unusable(path, "%.200s(%" PRId64 ") is no number", plan->axes[0].name, at + i);
            memcpy(&c->bits[c->begins[file] + at + i], &x, sizeof x);
        }
    }
    if (!status && ds->read_behind)
        status = pcdf_tool_unusable(path, "the file became shorter while it was read");
    return status;
}

static int count_records(const struct pcdf_join_plan *plan, struct coordinates *c)
{
    int nfrom = plan->options->nfrom;
    c->begins = pcdf_calloc((size_t)nfrom + 1, sizeof *c->begins);
    if (!c->begins)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    for (int i = 0; i < nfrom; i++)
        if (__builtin_add_overflow(c->begins[i], plan->facts[i].length[0], &c->begins[i + 1]))
            return pcdf_tool_unusable(plan->options->from[i],
                                      "the records of all files together are more than a file can have");
    c->n = c->begins[nfrom];
    return PCDF_TOOL_GOOD;
}

/* Each rank reads the coordinates of some files; all get all of them. */
static int read_all(const struct pcdf_join_plan *plan, struct coordinates *c)
{
    const struct pcdf_tool_ranks *ranks = plan->ranks;
    enum { AT_ONCE = 1 << 20 };
    c->bits = pcdf_calloc((size_t)c->n + 1, sizeof *c->bits);
    c->x = pcdf_calloc((size_t)c->n + 1, sizeof *c->x);
    int status = c->bits && c->x ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    for (int i = ranks->rank; i < plan->options->nfrom && !status; i += ranks->size)
        status = read_coordinate(plan, c, i);
    status = pcdf_tool_worst_all(ranks, status);
    pcdf_tool_max_all(ranks, &c->are_changed, 1);
    for (int64_t at = 0; at < c->n && !status; at += AT_ONCE) /* the same on all ranks */
        pcdf_tool_sum_all(ranks, c->bits + at, (int)(c->n - at < AT_ONCE ? c->n - at : AT_ONCE));
    for (int i = 0; i < plan->options->nfrom && !status; i++)
        for (int64_t at = c->begins[i]; at < c->begins[i + 1]; at++) {
            c->x[at] = (struct record){ .file = i, .local = at - c->begins[i] };
            memcpy(&c->x[at].value, &c->bits[at], sizeof c->x[at].value);
        }
    pcdf_free(c->bits);
    c->bits = NULL;
    return status;
}

/* ---- their order */

static int ascending(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->local > y->local) - (x->local < y->local);
}

static int descending(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value ? -1 : 1) : ascending(a, b);
}

/* Every file runs down, and one has two values at least. */
static bool runs_down(const struct coordinates *c)
{
    bool is = false;
    for (int64_t i = 1; i < c->n; i++) {
        if (c->x[i].file != c->x[i - 1].file)
            continue;
        if (c->x[i].value >= c->x[i - 1].value)
            return false;
        is = true;
    }
    return is;
}

/* "15", or the date of it. */
static void value_text(const struct pcdf_join_plan *plan, int varid, double value, char *to, size_t room)
{
    const struct pcdf_join_var *v = &plan->vars[varid];
    char date[64];
    int n = snprintf(to, room, "%.15g", value);
    if (v->time && pcdf_time_text(v->time, value, 'T', date))
        snprintf(to + n, room - (size_t)n, " (%s)", date);
}

/* Where times were converted, which rounds, values so near are one. */
static bool is_same(const struct coordinates *c, double a, double b)
{
    return a == b || (c->are_changed && fabs(a - b) <= 4 * DBL_EPSILON * fmax(fabs(a), fabs(b)));
}

/* Of equal coordinates one is kept, or they are refused. */
static int drop_duplicates(const struct pcdf_join_plan *plan, struct coordinates *c)
{
    int64_t kept = 0;
    char text[128];
    for (int64_t i = 0; i < c->n; i++) {
        struct record *before = kept ? &c->x[kept - 1] : NULL;
        if (!before || !is_same(c, before->value, c->x[i].value)) {
            c->x[kept++] = c->x[i];
            continue;
        }
        value_text(plan, c->varid, c->x[i].value, text, sizeof text);
        if (!plan->options->keep)
            return pcdf_tool_unusable(
                plan->options->from[c->x[i].file],
                "%.200s %s is there twice, here and in %.300s, and only one of them can be joined",
                plan->axes[0].name, text, plan->options->from[before->file]);
        bool is_later =
            c->x[i].file > before->file || (c->x[i].file == before->file && c->x[i].local > before->local);
        if (is_later == (plan->options->keep == PCDF_JOIN_KEEP_LAST))
            *before = c->x[i];
    }
    c->n = kept;
    return PCDF_TOOL_GOOD;
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Steps that are more than half longer than the middle one. */
static void tell_gaps(const struct pcdf_join_plan *plan, const struct coordinates *c)
{
    double *steps = c->n > 2 ? pcdf_malloc((size_t)c->n * sizeof *steps) : NULL;
    char from[128], to[128];
    if (!steps || !plan->options->verbose || plan->ranks->rank > 0) {
        pcdf_free(steps);
        return;
    }
    for (int64_t i = 1; i < c->n; i++)
        steps[i - 1] = fabs(c->x[i].value - c->x[i - 1].value);
    qsort(steps, (size_t)c->n - 1, sizeof *steps, compare_reals);
    double usual = steps[(c->n - 1) / 2];
    for (int64_t i = 1; i < c->n; i++) {
        if (fabs(c->x[i].value - c->x[i - 1].value) <= 1.5 * usual)
            continue;
        value_text(plan, c->varid, c->x[i - 1].value, from, sizeof from);
        value_text(plan, c->varid, c->x[i].value, to, sizeof to);
        pcdf_tool_say(NULL, "%.200s: there is a gap between %s and %s", plan->axes[0].name, from, to);
    }
    pcdf_free(steps);
}

/* ---- tiles: runs of records that follow each other in a file */

static int make_room(struct pcdf_join_plan *plan, int64_t n)
{
    pcdf_free(plan->tile_file);
    pcdf_free(plan->spans);
    plan->tile_file = pcdf_calloc((size_t)n + 1, sizeof *plan->tile_file);
    plan->spans = pcdf_calloc((size_t)n + 1, sizeof *plan->spans);
    plan->ntiles = n;
    return plan->tile_file && plan->spans ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

static bool follows(const struct record *a, const struct record *b)
{
    return b->file == a->file && b->local == a->local + 1;
}

static int place_records(struct pcdf_join_plan *plan, const struct coordinates *c)
{
    int64_t runs = 0;
    for (int64_t i = 0; i < c->n; i++)
        runs += i == 0 || !follows(&c->x[i - 1], &c->x[i]);
    int status = make_room(plan, runs);
    runs = -1;
    for (int64_t i = 0; i < c->n && !status; i++) {
        if (i == 0 || !follows(&c->x[i - 1], &c->x[i])) {
            plan->tile_file[++runs] = c->x[i].file;
            plan->spans[runs] = (struct pcdf_join_span){ i, 0, c->x[i].local };
        }
        plan->spans[runs].count++;
    }
    plan->axes[0].length = c->n;
    return status;
}

/* In the order of the arguments. */
static int place_files(struct pcdf_join_plan *plan, const struct coordinates *c)
{
    int status = make_room(plan, plan->options->nfrom);
    for (int i = 0; i < plan->options->nfrom && !status; i++) {
        plan->tile_file[i] = i;
        plan->spans[i] = (struct pcdf_join_span){ c->begins[i], c->begins[i + 1] - c->begins[i], 0 };
    }
    plan->axes[0].length = c->n;
    return status;
}

static int sort_all(struct pcdf_join_plan *plan, struct coordinates *c)
{
    int status = read_all(plan, c);
    if (status) /* the same on all ranks */
        return status;
    qsort(c->x, (size_t)c->n, sizeof *c->x, runs_down(c) ? descending : ascending);
    status = drop_duplicates(plan, c);
    if (status)
        return status;
    tell_gaps(plan, c);
    return place_records(plan, c);
}

int pcdf_join_along_place_all(struct pcdf_join_plan *plan)
{
    struct coordinates c = { .varid = find_coordinate(plan) };
    int status = pcdf_tool_worst_all(plan->ranks, count_records(plan, &c));
    bool is_sorted = c.varid >= 0 && c.n <= MOST;
    if (!status && !is_sorted && (plan->options->verbose || c.varid >= 0) && plan->ranks->rank == 0)
        pcdf_tool_say(
            NULL,
            c.varid < 0
                ? "%.200s has no coordinate: files are joined in the order in which they are given"
                : "%.200s is too long to be sorted: files are joined in the order in which they are given",
            plan->axes[0].name);
    if (!status && !is_sorted && plan->options->keep)
        status = pcdf_tool_unusable(NULL, "--keep: %.200s %s", plan->axes[0].name,
                                    c.varid < 0 ? "has no coordinate" : "is too long to be sorted");
    if (!status) /* the same on all ranks */
        status = is_sorted ? sort_all(plan, &c) : place_files(plan, &c);
    pcdf_free(c.x);
    pcdf_free(c.bits);
    pcdf_free(c.begins);
    return pcdf_tool_worst_all(plan->ranks, status);
}

int pcdf_join_new_place(struct pcdf_join_plan *plan)
{
    int status = make_room(plan, plan->options->nfrom);
    for (int i = 0; i < plan->options->nfrom && !status; i++) {
        plan->tile_file[i] = i;
        plan->spans[i] = (struct pcdf_join_span){ i, 1, 0 };
    }
    return status;
}
