/* See joinindex.h. */
#include "joinindex.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <inttypes.h>
#include <string.h>

enum { PIECE = 4096, WORDS = 1 << 19 }; /* numbers read at once; words of the table: 32 million elements */

void pcdf_join_index_decode(nc_type type, const unsigned char *bytes, int64_t n, int64_t *to)
{
    int size = pcdf_type_size(type);
    for (int64_t i = 0; i < n; i++) {
        struct pcdf_value value = pcdf_value_load(type, bytes + i * size);
        if (pcdf_value_is_unsigned(type)) /* what is far too large stays so, and no arithmetic overflows */
            to[i] = value.is.natural > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)value.is.natural;
        else
            to[i] = pcdf_larger(pcdf_smaller(value.is.integer, INT64_MAX / 2), -INT64_MAX / 2);
    }
}

/* ---- reading one */

typedef int visit(void *context, const char *path, int64_t at, int64_t number);

/* Calls `each` for all numbers of the axis in a file. */
static int visit_file(const struct pcdf_join_plan *plan, int k, int file, visit *each, void *context)
{
    const char *path = plan->options->from[file], *name = plan->axes[k].index;
    struct pcdf_tool_dataset *ds;
    unsigned char bytes[8 * PIECE];
    int64_t numbers[PIECE];
    int status = pcdf_tool_files_get(plan->files, file, &ds);
    if (status)
        return status;
    int id = pcdf_meta_find_var(&ds->meta, name);
    if (id < 0 || ds->meta.vars[id].ndims != 1)
        status = pcdf_tool_unusable(path, "there is no variable %.200s of one dimension", name);
    int64_t n = status ? 0 : pcdf_tool_count(&ds->meta, id);
    for (int64_t at = 0, some; at < n && !status; at += some) {
        some = pcdf_smaller(n - at, PIECE);
        status = pcdf_tool_values(ds, id, at, some, bytes);
        if (!status)
            pcdf_join_index_decode(ds->meta.vars[id].type, bytes, some, numbers);
        for (int64_t i = 0; i < some && !status; i++)
            status = each(context, path, at + i, numbers[i]);
    }
    if (!status && ds->read_behind)
        status = pcdf_tool_unusable(path, "the file became shorter while it was read");
    return status;
}

/* ---- the axes */

static int add_axis(struct pcdf_join_plan *plan, const char *dim_name, const char *var_name)
{
    const struct pcdf_meta *in = &plan->in;
    const char *path = plan->options->from[0];
    struct pcdf_join_axis *axis;
    int dim = pcdf_meta_find_dim(in, dim_name), id = pcdf_meta_find_var(in, var_name);
    if (dim < 0)
        return pcdf_tool_no_dimension(path, in, dim_name);
    if (id < 0)
        return pcdf_tool_no_variable(path, in, var_name, "");
    const struct pcdf_var *var = &in->vars[id];
    if (var->ndims != 1 || var->dimids[0] != dim || pcdf_value_is_real(var->type) || var->type == NC_CHAR)
        return pcdf_tool_unusable(
            path, "variable %.200s has no integers for the elements of dimension %.200s", var_name, dim_name);
    if (pcdf_join_add_axis(plan, dim, in->dims[dim].name, &axis))
        return PCDF_TOOL_UNUSABLE;
    axis->is_scattered = true;
    axis->index = var->name;
    axis->length = 0;
    return PCDF_TOOL_GOOD;
}

static int begin_said(struct pcdf_join_plan *plan)
{
    const char *at = plan->options->text;
    int status = PCDF_TOOL_GOOD;
    while (*at && !status) {
        size_t n = strcspn(at, "=,");
        if (at[n] != '=')
            return pcdf_tool_unusable(
                NULL, "--index takes dimensions and their variables, as nCells=indexToCellID, not %.200s",
                plan->options->text);
        size_t more = strcspn(at + n + 1, ",");
        const char *dim = pcdf_join_keep_text(plan, at, n);
        const char *var = dim ? pcdf_join_keep_text(plan, at + n + 1, more) : NULL;
        status = var ? add_axis(plan, dim, var) : PCDF_TOOL_UNUSABLE;
        at += n + 1 + more;
        at += *at == ',';
    }
    return status;
}

struct range {
    int64_t least, most, n;
};

static int widen(void *context, const char *path, int64_t at, int64_t number)
{
    struct range *r = context;
    (void)path, (void)at;
    r->least = r->n ? pcdf_smaller(r->least, number) : number;
    r->most = r->n ? pcdf_larger(r->most, number) : number;
    r->n++;
    return PCDF_TOOL_GOOD;
}

/* A part has other numbers than 1, 2, ... n, or those of 0. */
static int begin_mpas(struct pcdf_join_plan *plan, bool *is_part)
{
    static const char *const known[][2] = { { "nCells", "indexToCellID" },
                                            { "nEdges", "indexToEdgeID" },
                                            { "nVertices", "indexToVertexID" } };
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < 3 && !status; i++)
        if (pcdf_meta_find_dim(&plan->in, known[i][0]) >= 0 &&
            pcdf_meta_find_var(&plan->in, known[i][1]) >= 0)
            status = add_axis(plan, known[i][0], known[i][1]);
    for (int k = 0; k < plan->naxes && !status; k++) {
        struct range r = { 0 };
        status = visit_file(plan, k, 0, widen, &r);
        *is_part |= !status && r.n > 0 && (r.least > 1 || r.most - r.least + 1 != r.n);
    }
    if (!status && !*is_part && plan->options->nfrom > 1 && plan->naxes) { /* the first part may begin at 1 */
        struct range r = { 0 };
        status = visit_file(plan, 0, 1, widen, &r);
        *is_part = !status && r.n > 0 && (r.least > 1 || r.most - r.least + 1 != r.n);
    }
    return status;
}

int pcdf_join_index_begin(struct pcdf_join_plan *plan, bool *is_part)
{
    *is_part = plan->way == PCDF_JOIN_INDEX;
    if (*is_part)
        return begin_said(plan);
    int status = begin_mpas(plan, is_part);
    for (int k = 0; k < plan->naxes && !*is_part; k++)
        plan->axis_of[plan->axes[k].dim] = -1;
    plan->naxes = *is_part ? plan->naxes : 0;
    return status;
}

/* ---- is each number there once? */

struct table { /* a bit for each number of a window */
    const struct pcdf_join_axis *axis;
    int64_t from; /* the first number of the window, from 0 */
    int64_t *words;
    bool names; /* a number that is there already is named, else it is added up */
};

static int tell_twice(struct table *t, const char *path, int64_t at, int64_t number)
{
    return pcdf_tool_unusable(path, "%.200s(%" PRId64 ") is %" PRId64 ", a number that another element has",
                              t->axis->index, at, number);
}

static int enter(void *context, const char *path, int64_t at, int64_t number)
{
    struct table *t = context;
    int64_t place = number - t->axis->base - t->from;
    if (place < 0 || place >= (int64_t)WORDS * 64)
        return PCDF_TOOL_GOOD;
    uint64_t bit = UINT64_C(1) << (place % 64), word = (uint64_t)t->words[place / 64];
    if ((word & bit) && t->names)
        return tell_twice(t, path, at, number);
    t->words[place / 64] = (int64_t)(t->names ? word | bit : word + bit);
    return PCDF_TOOL_GOOD;
}

/* All numbers of the window are there, as many as there are bits: then each is there once, since no fewer
 * powers of two add up to all ones. */
static bool is_full(const struct table *t)
{
    int64_t n = pcdf_smaller(t->axis->length - t->from, (int64_t)WORDS * 64);
    bool is = true;
    for (int64_t i = 0; i < n / 64; i++)
        is &= t->words[i] == -1;
    return is && (n % 64 == 0 || (uint64_t)t->words[n / 64] == (UINT64_C(1) << (n % 64)) - 1);
}

/* Names a number of this window that is there twice, or not at all; there may be none. */
static int root_name_fault(const struct pcdf_join_plan *plan, int k, struct table *t)
{
    int status = PCDF_TOOL_GOOD;
    int64_t at = 0;
    memset(t->words, 0, WORDS * sizeof *t->words);
    t->names = true;
    for (int i = 0; i < plan->options->nfrom && !status; i++)
        status = visit_file(plan, k, i, enter, t);
    if (status)
        return status;
    int64_t n = pcdf_smaller(t->axis->length - t->from, (int64_t)WORDS * 64);
    while (at < n && (uint64_t)t->words[at / 64] >> (at % 64) & 1)
        at++;
    if (at == n)
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(
        NULL, "no file has element %" PRId64 " of %.200s (variable %.200s), of %" PRId64 " in all",
        at + t->from + t->axis->base, t->axis->name, t->axis->index, t->axis->length);
}

/* has_more: there are more numbers than elements, so some window has one twice. */
static int check_window_all(const struct pcdf_join_plan *plan, int k, struct table *t, bool has_more)
{
    const struct pcdf_tool_ranks *ranks = plan->ranks;
    int status = PCDF_TOOL_GOOD;
    memset(t->words, 0, WORDS * sizeof *t->words);
    for (int i = ranks->rank; i < plan->options->nfrom && !status; i += ranks->size)
        status = visit_file(plan, k, i, enter, t);
    status = pcdf_tool_worst_all(ranks, status);
    pcdf_tool_sum_all(ranks, t->words, WORDS);
    if (!status && (has_more || !is_full(t))) /* the same on all ranks, as is what follows */
        status = ranks->rank == 0 ? root_name_fault(plan, k, t) : PCDF_TOOL_GOOD;
    return pcdf_tool_worst_all(ranks, status);
}

/* The least and the largest number of an axis in all files, and how many there are. */
static int measure_all(struct pcdf_join_plan *plan, int k, int64_t *count)
{
    const struct pcdf_tool_ranks *ranks = plan->ranks;
    struct range mine = { 0 };
    int status = PCDF_TOOL_GOOD;
    for (int i = ranks->rank; i < plan->options->nfrom && !status; i += ranks->size)
        status = visit_file(plan, k, i, widen, &mine);
    int64_t bounds[2] = { mine.n ? mine.most : INT64_MIN, mine.n ? -mine.least : INT64_MIN };
    *count = mine.n;
    status = pcdf_tool_worst_all(ranks, status);
    pcdf_tool_max_all(ranks, bounds, 2);
    pcdf_tool_sum_all(ranks, count, 1);
    if (status)
        return status;
    struct pcdf_join_axis *axis = &plan->axes[k];
    int64_t least = *count ? -bounds[1] : 0;
    axis->base = plan->options->base >= 0 ? plan->options->base : least == 0 ? 0 : 1;
    if (least < axis->base)
        return pcdf_tool_unusable(NULL, "variable %.200s has number %" PRId64 ", and counts from %d",
                                  axis->index, least, axis->base);
    axis->length = *count ? bounds[0] - axis->base + 1 : 0;
    if (axis->length > 8 * *count + 64)
        return pcdf_tool_unusable(NULL,
                                  "variable %.200s has number %" PRId64
                                  ", but all files together have %" PRId64 " elements of %.200s",
                                  axis->index, bounds[0], *count, axis->name);
    return PCDF_TOOL_GOOD;
}

static int place_axis_all(struct pcdf_join_plan *plan, int k)
{
    struct table t = { .axis = &plan->axes[k], .words = pcdf_calloc(WORDS, sizeof *t.words) };
    int64_t count = 0;
    int status = t.words ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    status = pcdf_tool_worst_all(plan->ranks, status);
    if (!status) /* the same on all ranks, as are lengths and windows */
        status = measure_all(plan, k, &count);
    for (; t.from < plan->axes[k].length && !status; t.from += (int64_t)WORDS * 64)
        status = check_window_all(plan, k, &t, count > plan->axes[k].length);
    pcdf_free(t.words);
    return status;
}

int pcdf_join_index_place_all(struct pcdf_join_plan *plan)
{
    int status = PCDF_TOOL_GOOD;
    for (int k = 0; k < plan->naxes && !status; k++) /* the same on all ranks */
        status = place_axis_all(plan, k);
    for (int64_t i = 0; i < plan->ntiles && !status; i++)
        for (int k = 0; k < plan->naxes; k++)
            plan->spans[i * plan->naxes + k] = (struct pcdf_join_span){ 0, plan->axes[k].length, 0 };
    return status;
}
