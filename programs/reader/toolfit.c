/* See toolfit.h. */
#include "toolfit.h"
#include "meaningsame.h"
#include "timevalue.h"
#include "toolfile.h"
#include "toolsay.h"

#include <inttypes.h>
#include <string.h>

struct pair { /* what is compared: the first file's, and the other one's */
    const struct pcdf_tool_fit *fit;
    const struct pcdf_var *var, *other;
    const char *dim, *other_dim, *att;
    int64_t n, other_n;
};

/* ---- sentences */

static const char *word_of(const struct pair *p, char what, char number[32])
{
    snprintf(number, 32, "%" PRId64, what == 'n' ? p->other_n : p->n);
    switch (what) {
    case 'v':
        return p->var->name;
    case 'd':
        return p->other_dim;
    case 'e':
        return p->dim;
    case 't':
        return pcdf_type_cdl(p->other->type);
    case 'u':
        return pcdf_type_cdl(p->var->type);
    case 'a':
        return p->att;
    case 'f':
        return p->fit->first_path;
    default:
        return number; /* n, m */
    }
}

/* Says what it is, if the command does not let it pass. */
static int misfit(const struct pair *p, enum pcdf_tool_misfit what)
{
    char sentence[PCDF_TOOL_SENTENCE] = "", number[32];
    const char *at = p->fit->words[what];

    if (!at)
        return PCDF_TOOL_GOOD;
    while (*at) {
        size_t n = strcspn(at, "$"), has = strlen(sentence);
        bool is_path = at[n] && at[n + 1] == 'f';
        const char *word = at[n] ? word_of(p, at[n + 1], number) : "";
        snprintf(sentence + has, sizeof sentence - has, "%.*s%.*s", (int)n, at, is_path ? 300 : 200, word);
        at += n + (at[n] ? 2 : 0);
    }
    return pcdf_tool_unusable(p->fit->path, "%s", sentence);
}

/* ---- what is compared */

static int fit_dimension(struct pair *p, int dim, int other)
{
    const struct pcdf_tool_fit *fit = p->fit;
    bool is_record = dim == fit->record_dim, other_is = other == fit->mine->record_dim;
    int status = PCDF_TOOL_GOOD;

    p->dim = fit->first->dims[dim].name;
    p->other_dim = fit->mine->dims[other].name;
    p->n = fit->length ? fit->length(fit->context, dim) : pcdf_tool_dim_length(fit->first, dim);
    p->other_n = pcdf_tool_dim_length(fit->mine, other);
    if (strcmp(p->dim, p->other_dim) != 0)
        status = misfit(p, PCDF_FIT_DIM);
    if (!status && is_record != other_is)
        status = misfit(p, other_is ? PCDF_FIT_UNLIMITED : PCDF_FIT_FIXED);
    if (!status && p->n >= 0 && p->n != p->other_n)
        status = misfit(p, is_record ? PCDF_FIT_RECORDS : PCDF_FIT_LENGTH);
    return status;
}

static int fit_shape(struct pair *p)
{
    int status = p->var->type == p->other->type ? PCDF_TOOL_GOOD : misfit(p, PCDF_FIT_TYPE);

    p->n = p->var->ndims;
    p->other_n = p->other->ndims;
    if (!status && p->n != p->other_n)
        return misfit(p, p->fit->words[PCDF_FIT_NDIMS] ? PCDF_FIT_NDIMS : PCDF_FIT_TYPE);
    for (int i = 0; i < p->var->ndims && !status; i++)
        status = fit_dimension(p, p->var->dimids[i], p->other->dimids[i]);
    return status;
}

static int fit_meaning(struct pair *p, int varid, int id)
{
    const struct pcdf_tool_fit *fit = p->fit;
    struct pcdf_time a, b;

    p->att = fit->skips_units ? NULL : pcdf_time_differs(fit->first, varid, fit->mine, id);
    bool are_dates = p->att && pcdf_time_of(&a, fit->first, varid) == PCDF_TIME_DATES &&
                     pcdf_time_of(&b, fit->mine, id) == PCDF_TIME_DATES;
    p->att = p->att ? p->att : pcdf_meaning_differs(p->var, p->other);
    if (!p->att)
        return PCDF_TOOL_GOOD;
    return misfit(p, are_dates && fit->words[PCDF_FIT_DATES] ? PCDF_FIT_DATES : PCDF_FIT_MEANING);
}

int pcdf_tool_fit_variable(const struct pcdf_tool_fit *fit, int varid)
{
    struct pair p = { .fit = fit, .var = &fit->first->vars[varid] };
    int id = pcdf_meta_find_var(fit->mine, p.var->name);

    if (id < 0)
        return misfit(&p, PCDF_FIT_ABSENT);
    p.other = &fit->mine->vars[id];
    int status = fit_shape(&p);
    return status ? status : fit_meaning(&p, varid, id);
}

int pcdf_tool_fit_no_more(const struct pcdf_tool_fit *fit)
{
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < fit->mine->nvars && !status; i++) {
        const struct pair p = { .fit = fit, .var = &fit->mine->vars[i] };
        if (pcdf_meta_find_var(fit->first, p.var->name) < 0)
            status = misfit(&p, PCDF_FIT_MORE);
    }
    return status;
}

int pcdf_tool_fit_file(const struct pcdf_tool_fit *fit)
{
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < fit->first->nvars && !status; i++)
        status = pcdf_tool_fit_variable(fit, i);
    return status ? status : pcdf_tool_fit_no_more(fit);
}
