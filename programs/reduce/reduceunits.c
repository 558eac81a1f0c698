/* See reduceunits.h. */
#include "reduceunits.h"
#include "numbers.h"

enum {
    CELLS = 1 << 17,      /* of a unit, at most */
    FEW_UNITS = 16,       /* fewer are cut further */
    LEAST_PART = 1 << 18, /* values: less is not worth a part */
    MOST_PARTS = 64,
    LONG_ROW = 1024, /* cells: shorter rows take the time of long ones to read */
    OF_READER = 3 << 20,
    LEAST = 1 << 20
};

int64_t pcdf_reduce_memory(const struct pcdf_reduce_plan *p, enum pcdf_reduce_share share)
{
    int64_t memory = p->options->memory - OF_READER - (p->mask.is_given ? PCDF_REDUCE_MASK_MEMORY : 0);
    memory = pcdf_larger(memory, LEAST);
    return share == PCDF_REDUCE_UNITS ? memory / 2 : memory / 4;
}

static bool is_reduced(const struct pcdf_reduce_plan *p, const struct pcdf_var *var, int i)
{
    return p->dims[var->dimids[i]] == PCDF_REDUCE_GONE;
}

/* Of dimensions that stay. */
static int64_t new_length(const struct pcdf_reduce_plan *p, const struct pcdf_var *var, int i)
{
    return pcdf_reduce_new_length(p, var->dimids[i]);
}

static int64_t longest_group(const struct pcdf_reduce_plan *p)
{
    int64_t most = 0;
    for (int64_t i = 0; i < p->groups.n; i++)
        most = pcdf_larger(most, pcdf_reduce_group_size(&p->groups, i));
    return most;
}

static int64_t values_of_cell(const struct pcdf_reduce_plan *p, const struct pcdf_var *var)
{
    int64_t n = p->options->across ? p->options->nfrom : 1;
    for (int i = 0; i < var->ndims; i++)
        n *= is_reduced(p, var, i)          ? pcdf_reduce_length(p, var->dimids[i])
             : var->dimids[i] == p->grouped ? longest_group(p)
                                            : 1;
    return n;
}

/* The longest reduced dimension, into parts that are worth it. */
static void cut_parts(const struct pcdf_reduce_plan *p, const struct pcdf_var *var, int64_t cells,
                      struct pcdf_reduce_shape *s)
{
    int64_t bytes = cells * (int64_t)pcdf_reduce_cell_bytes(p->options->op, p->weights.are_given, 0),
            longest = 1;
    bool may_be = p->options->op != PCDF_REDUCE_QUANTILE && !p->options->across && s->nunits < FEW_UNITS;
    for (int i = 0; i < var->ndims && may_be; i++) {
        int64_t length = pcdf_reduce_length(p, var->dimids[i]);
        if (!is_reduced(p, var, i) || length <= longest)
            continue;
        s->cut = i;
        longest = length;
        if (length >= MOST_PARTS) /* the outermost that is long enough: its parts lie in one piece */
            break;
    }
    if (s->cut < 0)
        return;
    int64_t worth = cells / s->nunits * s->reduced / LEAST_PART;
    int64_t room = pcdf_reduce_memory(p, PCDF_REDUCE_PARTS) / 2 / pcdf_larger(bytes, 1);
    s->nparts = pcdf_smaller(pcdf_smaller(worth, room), pcdf_smaller(longest, MOST_PARTS));
    if (s->nparts < 2) {
        s->nparts = 1;
        s->cut = -1;
    }
}

static int64_t cells_of(const struct pcdf_reduce_plan *p, const struct pcdf_var *var)
{
    int64_t n = 1;
    for (int i = 0; i < var->ndims; i++)
        n *= is_reduced(p, var, i) ? 1 : new_length(p, var, i);
    return n;
}

/* Cells of a unit that keeps all values. Where these would be too few, values are counted: more cells fit,
 * and the file is read several times. */
static int64_t cells_of_quantile(int64_t memory, int64_t cells, struct pcdf_reduce_shape *s)
{
    int64_t kept = memory / pcdf_larger(s->reduced, 1) / 8;
    if (kept >= cells || kept >= LONG_ROW)
        return kept;
    int64_t counted = pcdf_smaller(
        pcdf_larger(memory / (int64_t)pcdf_reduce_select_bytes(PCDF_REDUCE_LEAST_BITS), 1), cells);
    s->bits = PCDF_REDUCE_LEAST_BITS;
    while (s->bits < PCDF_REDUCE_MOST_BITS &&
           counted * (int64_t)pcdf_reduce_select_bytes(s->bits + 1) <= memory)
        s->bits++;
    return counted;
}

void pcdf_reduce_shape_of(const struct pcdf_reduce_plan *p, int id, struct pcdf_reduce_shape *s)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    bool is_quantile = p->options->op == PCDF_REDUCE_QUANTILE && p->vars[id].treatment == PCDF_REDUCE_REDUCED;
    int64_t inner = 1, cells = 1, memory = pcdf_reduce_memory(p, PCDF_REDUCE_UNITS) / 2;
    *s = (struct pcdf_reduce_shape){ .split = -1, .cut = -1, .nparts = 1, .nunits = 1 };
    s->reduced = p->vars[id].treatment == PCDF_REDUCE_REDUCED ? values_of_cell(p, var) : 1;
    int64_t most = is_quantile
                       ? cells_of_quantile(memory, cells_of(p, var), s)
                       : memory / (int64_t)pcdf_reduce_cell_bytes(p->options->op, p->weights.are_given, 0);
    most = pcdf_larger(pcdf_smaller(most, CELLS), 1);
    for (int i = var->ndims - 1; i >= 0; i--) {
        int64_t length = is_reduced(p, var, i) ? 1 : new_length(p, var, i);
        cells *= length;
        if (s->split >= 0) {
            s->nunits *= length;
        } else if (inner * length > most) {
            s->split = i;
            s->length = pcdf_larger(most / inner, 1);
            s->nunits = (length + s->length - 1) / s->length;
        } else {
            inner *= length;
        }
    }
    if (s->reduced > 1)
        cut_parts(p, var, cells, s);
    s->nunits *= s->nparts;
    if (cells == 0)
        s->nunits = 0;
}

void pcdf_reduce_unit_at(const struct pcdf_reduce_plan *p, const struct pcdf_reduce_shape *s, int id,
                         int64_t i, struct pcdf_reduce_unit *unit)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    unit->var = id;
    unit->nparts = s->nparts;
    unit->part = i % s->nparts;
    unit->cells = 1;
    i /= s->nparts;
    for (int k = var->ndims - 1; k >= 0; k--) {
        bool is_gone = is_reduced(p, var, k);
        int64_t length = is_gone ? pcdf_reduce_length(p, var->dimids[k]) : new_length(p, var, k);
        unit->start[k] = 0;
        unit->count[k] = length;
        if (k == s->cut) {
            unit->start[k] = length * unit->part / s->nparts;
            unit->count[k] = length * (unit->part + 1) / s->nparts - unit->start[k];
        } else if (!is_gone && s->split >= 0 && k <= s->split) {
            int64_t step = k == s->split ? s->length : 1, n = (length + step - 1) / step;
            unit->start[k] = i % n * step;
            unit->count[k] = pcdf_smaller(step, length - unit->start[k]);
            i /= n;
        }
        if (!is_gone)
            unit->cells *= unit->count[k];
    }
}
