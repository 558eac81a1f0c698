/* See infotimes.h. */
#include "infotimes.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pcdf_info_times_is_gap(const struct pcdf_info_times *t, double before, double x)
{
    return t->step > 0 && x - before > 1.5 * t->step;
}

/* ---- what there is to look at: all values, or two of each file */

static int64_t count(const struct pcdf_tool_series *s, bool is_whole)
{
    int64_t n = 0;
    for (int i = 0; i < s->n; i++)
        n += is_whole ? s->x[i].length : (s->x[i].length > 0 ? 2 : 0);
    return n;
}

static void take_member(struct pcdf_info_times *t, const struct pcdf_tool_member *m)
{
    for (int64_t i = 0; t->is_whole && i < m->length; i++)
        t->x[t->n++] = m->values[i];
    if (t->is_whole || m->length == 0)
        return;
    t->x[t->n++] = m->first;
    t->x[t->n++] = m->last;
}

static int take_values(struct pcdf_info_times *t, const struct pcdf_tool_series *s)
{
    t->x = pcdf_malloc(((size_t)count(s, t->is_whole) + 1) * sizeof *t->x);
    if (!t->x)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    for (int i = 0; i < s->n; i++)
        take_member(t, &s->x[i]);
    return PCDF_TOOL_GOOD;
}

/* ---- steps */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From a value to the next one; from the ends of files, that between two files alone. */
static bool is_step(const struct pcdf_info_times *t, int64_t i)
{
    return t->is_whole || i % 2 == 0;
}

static int find_step(struct pcdf_info_times *t)
{
    double *steps = pcdf_malloc(((size_t)t->n + 1) * sizeof *steps);
    int64_t n = 0;

    if (!steps)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    for (int64_t i = 1; i < t->n; i++)
        if (is_step(t, i) && t->x[i] > t->x[i - 1])
            steps[n++] = t->x[i] - t->x[i - 1];
    qsort(steps, (size_t)n, sizeof *steps, compare);
    t->step = n > 0 ? steps[(n - 1) / 2] : 0;
    pcdf_free(steps);
    return PCDF_TOOL_GOOD;
}

static void note_step(struct pcdf_info_times *t, int file, double before, double x)
{
    double step = x - before;

    if (step == 0 && t->ntwice++ == 0)
        t->twice = x;
    if (step < 0 && t->nback++ == 0)
        t->back = x;
    if (step <= 0)
        return;
    if (!pcdf_info_times_is_gap(t, before, x)) {
        t->least = t->least == 0 || step < t->least ? step : t->least;
        t->most = step > t->most ? step : t->most;
    } else if (t->ngaps++ == 0 || step > t->to - t->from) {
        t->from = before;
        t->to = x;
        t->file = file;
    }
}

static void look_at_steps(struct pcdf_info_times *t, const struct pcdf_tool_series *s)
{
    int64_t at = 0;
    int before = 0; /* the file of the value before */

    for (int i = 0; i < s->n; i++) {
        int64_t n = t->is_whole ? s->x[i].length : (s->x[i].length > 0 ? 2 : 0);
        for (int64_t k = 0; k < n; k++, at++) {
            double x = t->x[at];
            t->first = at == 0 || x < t->first ? x : t->first;
            t->last = at == 0 || x > t->last ? x : t->last;
            if (at > 0 && is_step(t, at))
                note_step(t, before, t->x[at - 1], x);
            before = i;
        }
    }
}

int pcdf_info_times_of(const struct pcdf_tool_series *s, struct pcdf_info_times *t)
{
    *t = (struct pcdf_info_times){ .has_span = s->coordinate >= 0, .is_whole = true };
    for (int i = 0; i < s->n; i++) {
        const struct pcdf_tool_member *m = &s->x[i];
        t->has_span = t->has_span && (m->length == 0 || m->has_ends);
        t->is_whole = t->is_whole && (m->length == 0 || m->values);
        for (int64_t k = 0; m->values && k < m->length; k++)
            t->has_span = t->has_span && !isnan(m->values[k]);
    }
    t->has_span = t->has_span && count(s, t->is_whole) > 0;
    if (!t->has_span)
        return PCDF_TOOL_GOOD;
    int status = take_values(t, s);
    if (!status)
        status = find_step(t);
    if (!status)
        look_at_steps(t, s);
    if (status)
        pcdf_info_times_free(t);
    return status;
}

void pcdf_info_times_free(struct pcdf_info_times *t)
{
    pcdf_free(t->x);
    t->x = NULL;
}
