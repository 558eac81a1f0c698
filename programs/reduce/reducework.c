/* See reducework.h. */
#include "reducework.h"
#include "alloc.h"
#include "numbers.h"
#include "reduceread.h"
#include "reducewrite.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum { SUMMED_AT_ONCE = 1 << 17 };

struct task { /* a unit of this rank, in work */
    struct pcdf_reduce_unit unit;
    struct pcdf_reduce_cells cells;
    unsigned char *copy; /* of a variable that is copied */
    bool is_copy, is_read;
};

struct job {
    struct pcdf_reduce_plan *plan;
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_tool_progress *progress;
    struct pcdf_tool_puts *puts;
    struct pcdf_reduce_shape *shapes; /* by varid of the input, as the next one */
    struct pcdf_reduce_cells
        *parts; /* of variables whose values are cut into parts: the cells of all parts */
    struct pcdf_reduce_reader reader;
    struct task *tasks;
    int ntasks, room;
    int64_t bytes;  /* of the tasks */
    int64_t *space; /* start and count of a unit: `most` each */
    int most;
};

static int no_memory(const struct job *j)
{
    return pcdf_tool_unusable(j->plan->options->to, "%s", pcdf_fail_text());
}

static enum pcdf_reduce_op op_of(const struct pcdf_reduce_plan *p, int var)
{
    enum pcdf_reduce_op op = p->options->op;
    bool is_turned = p->vars[var].keeps_packed && p->vars[var].values.meaning.packing.scale < 0;
    if (is_turned && op == PCDF_REDUCE_MIN)
        return PCDF_REDUCE_MAX;
    return is_turned && op == PCDF_REDUCE_MAX ? PCDF_REDUCE_MIN : op;
}

/* ---- shapes, and the cells of parts */

static int shape_variables(struct job *j)
{
    const struct pcdf_reduce_plan *p = j->plan;
    int64_t memory = 0;
    for (int i = 0; i < p->input->meta.nvars; i++) {
        struct pcdf_reduce_shape *s = &j->shapes[i];
        if (p->vars[i].treatment == PCDF_REDUCE_LEFT)
            continue;
        if (!pcdf_reduce_shape_of(p, i, s))
            return no_memory(j);
        int64_t bytes = s->ncells * s->nparts *
                        (int64_t)pcdf_reduce_cell_bytes(p->options->op, p->vars[i].is_weighted, 0);
        if (s->nparts > 1 && memory + bytes > pcdf_reduce_memory(p, PCDF_REDUCE_PARTS)) {
            s->nunits /= s->nparts;
            s->nparts = 1;
            s->cut = -1;
        }
        memory += s->nparts > 1 ? bytes : 0;
        if (s->nparts > 1 && pcdf_reduce_cells_make(&j->parts[i], op_of(p, i), p->vars[i].is_weighted,
                                                    s->ncells * s->nparts, 0))
            return no_memory(j);
    }
    return PCDF_TOOL_GOOD;
}

/* Of the cells of all units before it: a variable's units have the same number of cells but the last ones. */
static int64_t place_of(struct job *j, int var, int64_t unit)
{
    int64_t cells = 0;
    struct pcdf_reduce_unit u = { .start = j->space, .count = j->space + j->most };
    for (int64_t i = 0; i < unit; i++) {
        pcdf_reduce_unit_at(j->plan, &j->shapes[var], var, i, &u);
        cells += u.cells;
    }
    return cells;
}

/* ---- tasks */

static int64_t task_bytes(const struct job *j, const struct task *t)
{
    const struct pcdf_reduce_plan *p = j->plan;
    const struct pcdf_reduce_shape *s = &j->shapes[t->unit.var];
    if (s->bits && !t->is_copy)
        return t->unit.cells * (int64_t)(pcdf_reduce_cell_bytes(p->options->op, false, 0) +
                                         pcdf_reduce_select_bytes(s->bits));
    size_t each = t->is_copy
                      ? (size_t)pcdf_type_size(p->input->meta.vars[t->unit.var].type)
                      : pcdf_reduce_cell_bytes(p->options->op, p->vars[t->unit.var].is_weighted, s->reduced);
    return t->unit.cells * (int64_t)each;
}

static int add_task(struct job *j, int var, int64_t unit, int64_t number)
{
    struct task *t = &j->tasks[j->ntasks];
    const struct pcdf_reduce_plan *p = j->plan;
    int ndims = p->input->meta.vars[var].ndims;
    *t = (struct task){ .is_copy = p->vars[var].treatment == PCDF_REDUCE_COPIED };
    t->unit.start = pcdf_calloc((size_t)ndims * 2 + 1, sizeof *t->unit.start);
    if (!t->unit.start)
        return no_memory(j);
    j->ntasks++;
    t->unit.count = t->unit.start + ndims;
    pcdf_reduce_unit_at(p, &j->shapes[var], var, unit, &t->unit);
    t->unit.number = number;
    t->unit.index = unit;
    j->bytes += task_bytes(j, t);
    if (t->is_copy)
        t->copy = pcdf_calloc(1, (size_t)task_bytes(j, t) + 8);
    else if (j->shapes[var].bits) {
        if (pcdf_reduce_cells_select(&t->cells, t->unit.cells, j->shapes[var].bits, p->options->quantile))
            return no_memory(j);
    } else if (pcdf_reduce_cells_make(&t->cells, op_of(p, var), p->vars[var].is_weighted, t->unit.cells,
                                      j->shapes[var].reduced))
        return no_memory(j);
    return t->is_copy && !t->copy ? no_memory(j) : PCDF_TOOL_GOOD;
}

static void drop_tasks(struct job *j)
{
    for (int i = 0; i < j->ntasks; i++) {
        pcdf_reduce_cells_free(&j->tasks[i].cells);
        pcdf_free(j->tasks[i].copy);
        pcdf_free(j->tasks[i].unit.start);
    }
    j->ntasks = 0;
    j->bytes = 0;
}

/* Has the file values of the unit that are still to be read? */
static bool is_of_file(const struct job *j, const struct task *t, int file)
{
    if (t->is_read)
        return false;
    bool all = j->plan->options->across ? !t->is_copy : j->plan->input->meta.vars[t->unit.var].is_record;
    return all || file == 0;
}

static int read_tasks(struct job *j)
{
    int status = PCDF_TOOL_GOOD;
    for (int file = 0; file < j->plan->options->nfrom && !status; file++) {
        bool is_needed = false;
        for (int i = 0; i < j->ntasks; i++)
            is_needed |= is_of_file(j, &j->tasks[i], file);
        if (is_needed)
            status = pcdf_reduce_input_turn(j->plan->input, file);
        for (int i = 0; i < j->ntasks && !status; i++) {
            struct task *t = &j->tasks[i];
            int64_t before = j->reader.read;
            if (!is_of_file(j, t, file))
                continue;
            status = t->is_copy ? pcdf_reduce_copy(&j->reader, &t->unit, t->copy)
                                : pcdf_reduce_read(&j->reader, &t->unit, &t->cells);
            pcdf_tool_progress_add(j->progress, j->reader.read - before);
        }
    }
    return status;
}

static int put_task_all(struct job *j, struct task *t)
{
    if (t->is_copy)
        return pcdf_reduce_put_all(j->plan, j->puts, &t->unit, t->copy);
    if (t->unit.nparts == 1)
        return pcdf_reduce_put_cells_all(j->plan, j->puts, &t->unit, &t->cells);
    struct pcdf_reduce_cells to =
        pcdf_reduce_slice(&j->parts[t->unit.var], place_of(j, t->unit.var, t->unit.index), t->unit.cells);
    pcdf_reduce_merge(&to, &t->cells); /* into empty ones */
    return PCDF_TOOL_GOOD;
}

/* false: all values were read, of quantiles that count them as often as they need. */
static bool need_pass(struct job *j)
{
    bool need = false;
    for (int i = 0; i < j->ntasks; i++) {
        struct task *t = &j->tasks[i];
        t->is_read = t->is_read || !t->cells.select || !pcdf_reduce_select_next(t->cells.select);
        need |= !t->is_read;
    }
    return need;
}

static int do_tasks_all(struct job *j)
{
    int status = read_tasks(j);
    while (!status && need_pass(j))
        status = read_tasks(j);
    for (int i = 0; i < j->ntasks && !status; i++)
        status = put_task_all(j, &j->tasks[i]);
    drop_tasks(j);
    return status;
}

/* This rank's units, as many at a time as there is memory for: each file is gone through once for them. */
static int do_units_all(struct job *j)
{
    const struct pcdf_meta *meta = &j->plan->input->meta;
    int64_t number = 0;
    int status = PCDF_TOOL_GOOD;
    for (int var = 0; var < meta->nvars && !status; var++) {
        int64_t n = j->plan->vars[var].treatment == PCDF_REDUCE_LEFT ? 0 : j->shapes[var].nunits;
        for (int64_t i = 0; i < n && !status; i++, number++) {
            if (pcdf_tool_owner(number, j->ranks->size) != j->ranks->rank)
                continue;
            status = add_task(j, var, i, number);
            if (!status &&
                (j->ntasks == j->room || j->bytes >= pcdf_reduce_memory(j->plan, PCDF_REDUCE_UNITS) / 2))
                status = do_tasks_all(j);
        }
    }
    if (status)
        drop_tasks(j);
    return status ? status : do_tasks_all(j);
}

/* ---- parts: each cell's come from several ranks, and are put together in their order by rank 0 */

static int put_parts_all(struct job *j, int var)
{
    struct pcdf_reduce_shape *s = &j->shapes[var];
    struct pcdf_reduce_unit u = { .start = j->space, .count = j->space + j->most };
    int64_t place = 0;
    int status = PCDF_TOOL_GOOD;
    for (int64_t i = 0; i < s->nunits && !status; i += s->nparts) {
        pcdf_reduce_unit_at(j->plan, s, var, i, &u);
        struct pcdf_reduce_cells to = pcdf_reduce_slice(&j->parts[var], place, u.cells);
        for (int64_t k = 1; k < s->nparts; k++) {
            const struct pcdf_reduce_cells more =
                pcdf_reduce_slice(&j->parts[var], place + k * u.cells, u.cells);
            pcdf_reduce_merge(&to, &more);
        }
        place += s->nparts * u.cells;
        status = pcdf_reduce_put_cells_all(j->plan, j->puts, &u, &to);
    }
    return status;
}

/* One rank has each cell; of the others it is all zeros, and so is the sum of their bits its own. */
static int put_all_parts_all(struct job *j)
{
    int status = PCDF_TOOL_GOOD;
    for (int var = 0; var < j->plan->input->meta.nvars; var++) { /* the same on all ranks */
        struct pcdf_reduce_cells *parts = &j->parts[var];
        if (!parts->block)
            continue;
        int64_t n = parts->n * (int64_t)(pcdf_reduce_cell_bytes(parts->op, parts->weight != NULL, 0) / 8);
        for (int64_t i = 0; i < n; i += SUMMED_AT_ONCE)
            pcdf_tool_sum_all(j->ranks, (int64_t *)parts->block + i,
                              (int)pcdf_smaller(n - i, SUMMED_AT_ONCE));
        if (j->ranks->rank == 0 && !status)
            status = put_parts_all(j, var);
        status = pcdf_tool_puts_finish_all(j->puts, status);
    }
    return status;
}

/* ---- all of it */

static int begin_job(struct job *j)
{
    size_t n = (size_t)j->plan->input->meta.nvars + 1;
    j->room = 4096;
    j->shapes = pcdf_calloc(n, sizeof *j->shapes);
    j->parts = pcdf_calloc(n, sizeof *j->parts);
    j->tasks = pcdf_calloc((size_t)j->room, sizeof *j->tasks);
    j->most = pcdf_tool_most_dims(&j->plan->input->meta) + 1;
    j->space = pcdf_calloc((size_t)j->most * 2, sizeof *j->space);
    bool has_memory =
        pcdf_reduce_reader_begin(&j->reader, j->plan) && j->shapes && j->parts && j->tasks && j->space;
    int status = has_memory ? shape_variables(j) : no_memory(j);
    if (!status &&
        pcdf_reduce_weights_keep(&j->plan->weights, pcdf_reduce_memory(j->plan, PCDF_REDUCE_WEIGHTS) / 8))
        status = no_memory(j);
    return status;
}

static void end_job(struct job *j)
{
    for (int i = 0; i < j->plan->input->meta.nvars; i++) {
        if (j->parts)
            pcdf_reduce_cells_free(&j->parts[i]);
        if (j->shapes)
            pcdf_grid_end(&j->shapes[i].boxes);
    }
    pcdf_reduce_reader_end(&j->reader);
    pcdf_free(j->shapes);
    pcdf_free(j->parts);
    pcdf_free(j->tasks);
    pcdf_free(j->space);
}

int pcdf_reduce_work_all(struct pcdf_reduce_plan *plan, struct pcdf_tool_puts *puts,
                         struct pcdf_tool_progress *progress, int64_t *bytes)
{
    const struct pcdf_tool_ranks *ranks = puts->ranks;
    struct job j = { .plan = plan, .ranks = ranks, .progress = progress, .puts = puts };
    int status = pcdf_tool_worst_all(ranks, begin_job(&j));
    if (!status) /* the same on all ranks, as is what follows */
        status = pcdf_tool_puts_finish_all(puts, do_units_all(&j));
    if (!status)
        status = put_all_parts_all(&j);
    if (!status && ranks->rank == 0)
        status = pcdf_reduce_put_axes_all(plan, puts);
    *bytes = j.reader.read;
    end_job(&j);
    return pcdf_tool_puts_finish_all(puts, status);
}

int64_t pcdf_reduce_work_bytes(const struct pcdf_reduce_plan *p)
{
    const struct pcdf_meta *meta = &p->input->meta;
    int64_t bytes = 0;
    for (int i = 0; i < meta->nvars; i++) {
        int64_t times =
            p->options->across && p->vars[i].treatment == PCDF_REDUCE_REDUCED ? p->options->nfrom : 1;
        if (p->vars[i].treatment != PCDF_REDUCE_LEFT)
            bytes += times * pcdf_tool_count(meta, i) * pcdf_type_size(meta->vars[i].type);
    }
    return bytes;
}
