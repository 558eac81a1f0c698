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
static void cut_parts(const struct pcdf_reduce_plan *p, const struct pcdf_var *var,
                      struct pcdf_reduce_shape *s)
{
    int64_t bytes = s->ncells * (int64_t)pcdf_reduce_cell_bytes(p->options->op, p->weights.are_given, 0),
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
    int64_t worth = s->ncells / s->nunits * s->reduced / LEAST_PART;
    int64_t room = pcdf_reduce_memory(p, PCDF_REDUCE_PARTS) / 2 / pcdf_larger(bytes, 1);
    s->nparts = pcdf_smaller(pcdf_smaller(worth, room), pcdf_smaller(longest, MOST_PARTS));
    if (s->nparts < 2) {
        s->nparts = 1;
        s->cut = -1;
    }
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

bool pcdf_reduce_shape_of(const struct pcdf_reduce_plan *p, int id, struct pcdf_reduce_shape *s)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    bool is_quantile = p->options->op == PCDF_REDUCE_QUANTILE && p->vars[id].treatment == PCDF_REDUCE_REDUCED;
    int64_t memory = pcdf_reduce_memory(p, PCDF_REDUCE_UNITS) / 2;
    *s = (struct pcdf_reduce_shape){ .cut = -1, .nparts = 1 };
    if (!pcdf_grid_begin(&s->boxes, var->ndims))
        return false;
    int64_t *shape = s->boxes.count;
    for (int i = 0; i < var->ndims; i++)
        shape[i] = is_reduced(p, var, i) ? 1 : new_length(p, var, i);
    s->ncells = pcdf_grid_count(var->ndims, shape);
    s->reduced = p->vars[id].treatment == PCDF_REDUCE_REDUCED ? values_of_cell(p, var) : 1;
    int64_t most = is_quantile
                       ? cells_of_quantile(memory, s->ncells, s)
                       : memory / (int64_t)pcdf_reduce_cell_bytes(p->options->op, p->weights.are_given, 0);
    most = pcdf_larger(pcdf_smaller(most, CELLS), 1);
    pcdf_grid_choose(var->ndims, shape, NULL, 1, most, false, s->boxes.step);
    pcdf_grid_cut(&s->boxes, var->ndims, NULL, shape, s->boxes.step);
    s->nunits = pcdf_grid_boxes(&s->boxes);
    if (s->reduced > 1 && s->nunits > 0)
        cut_parts(p, var, s);
    s->nunits *= s->nparts;
    return true;
}

void pcdf_reduce_unit_at(const struct pcdf_reduce_plan *p, struct pcdf_reduce_shape *s, int id, int64_t i,
                         struct pcdf_reduce_unit *unit)
{
    const struct pcdf_var *var = &p->input->meta.vars[id];
    unit->var = id;
    unit->nparts = s->nparts;
    unit->part = i % s->nparts;
    pcdf_grid_visit(&s->boxes, i / s->nparts);
    unit->cells = pcdf_grid_values(&s->boxes);
    for (int k = 0; k < var->ndims; k++) {
        unit->start[k] = s->boxes.start[k];
        unit->count[k] = s->boxes.count[k];
        if (is_reduced(p, var, k)) {
            int64_t length = pcdf_reduce_length(p, var->dimids[k]), part = k == s->cut ? unit->part : 0,
                    nparts = k == s->cut ? s->nparts : 1;
            unit->start[k] = length * part / nparts;
            unit->count[k] = length * (part + 1) / nparts - unit->start[k];
        }
    }
}
