/* See calcwork.h. */
#include "calcwork.h"
#include "calcstore.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"
#include "meaningvalues.h"
#include "value.h"

enum { COPIED = 1 << 17 }; /* values of a box that is copied */

struct job {
    struct pcdf_calc_work *w;
    struct pcdf_expr_files files;
    unsigned char *bytes;  /* of numbers that are written */
    struct pcdf_grid grid; /* boxes of the variable in work; their values have the numbers from `shape` */
    int64_t *shape;
};

static int no_memory(const struct job *j)
{
    return pcdf_tool_unusable(j->w->plan->options->to, "%s", pcdf_fail_text());
}

/* ---- boxes */

/* Cuts a variable into boxes of `most` values, and gives this rank's. Neighbours go to one rank, since chunks
 * of files may have values of several boxes; of variables with few boxes each begins with another rank. */
static void cut(struct job *j, int out, int64_t most, int64_t *from, int64_t *to)
{
    const struct pcdf_meta *meta = &j->w->plan->out;
    const struct pcdf_var *var = &meta->vars[out];
    const struct pcdf_tool_ranks *ranks = j->w->ranks;
    pcdf_var_shape(meta, var, j->shape);
    pcdf_grid_choose(var->ndims, j->shape, NULL, 1, most, false, j->grid.step);
    pcdf_grid_cut(&j->grid, var->ndims, NULL, j->shape, j->grid.step);
    pcdf_grid_share(pcdf_grid_boxes(&j->grid), (ranks->rank + out) % ranks->size, ranks->size, from, to);
}

static int put_box_all(const struct job *j, int out)
{
    const struct pcdf_tool_put put = {
        .varid = out, .start = j->grid.start, .count = j->grid.count, .values = j->bytes
    };
    return pcdf_tool_put_all(j->w->puts, &put);
}

/* ---- copies */

static int copy_all(struct job *j, int out)
{
    const struct pcdf_calc_var *v = &j->w->plan->vars[out];
    int64_t from, to, size = pcdf_type_size(j->w->plan->out.vars[out].type);
    int status = PCDF_TOOL_GOOD;
    cut(j, out, COPIED, &from, &to);
    for (int64_t i = from; i < to && !status; i++) {
        pcdf_grid_visit(&j->grid, i);
        int64_t first = pcdf_grid_number(j->grid.ndims, j->shape, j->grid.start),
                n = pcdf_grid_values(&j->grid);
        status = pcdf_tool_values(j->w->datasets[v->source], v->varid, first, n, j->bytes);
        if (!status)
            pcdf_values_swap(j->bytes, n, (int)size);
        status = status ? status : put_box_all(j, out);
        pcdf_tool_progress_add(j->w->progress, n * size);
    }
    return status;
}

/* ---- what is computed */

static int store_all(struct job *j, int out, struct pcdf_expr_run *run, int number, int64_t n)
{
    const struct pcdf_var *var = &j->w->plan->out.vars[out];
    const struct pcdf_expr_block values = pcdf_expr_run_values(run, number);
    unsigned char fill[8];
    int size = pcdf_type_size(var->type);
    pcdf_meaning_fill(var, fill);
    pcdf_values_swap(fill, 1, size);
    j->w->lost[out] += pcdf_calc_store(var->type, fill, &values, 0, n, j->bytes);
    return put_box_all(j, out);
}

static int do_boxes_all(struct job *j, struct pcdf_expr_run *run, const int *outs, int nouts)
{
    int64_t from, to;
    int status = PCDF_TOOL_GOOD;
    cut(j, outs[0], pcdf_smaller(pcdf_expr_run_most(run), COPIED), &from, &to);
    for (int64_t i = from; i < to && !status; i++) {
        int64_t before = j->files.read;
        pcdf_grid_visit(&j->grid, i);
        status = pcdf_expr_run_box(run, j->grid.start, j->grid.count);
        if (status < 0) /* a code: memory */
            status = no_memory(j);
        for (int k = 0; k < nouts && !status; k++)
            status = store_all(j, outs[k], run, k, pcdf_grid_values(&j->grid));
        pcdf_tool_progress_add(j->w->progress, j->files.read - before);
    }
    return status;
}

static int compute_all(struct job *j, int group, int *nodes, int *outs)
{
    const struct pcdf_calc_plan *p = j->w->plan;
    const struct pcdf_expr_reader reader = { &j->files, pcdf_expr_files_read };
    struct pcdf_expr_run *run;
    int n = 0;
    for (int i = 0; i < p->out.nvars; i++)
        if (p->vars[i].group == group) {
            nodes[n] = p->vars[i].node;
            outs[n++] = i;
        }
    if (pcdf_expr_run_begin(&run, &p->expr, nodes, n, &reader, p->options->memory / 2))
        return no_memory(j);
    int status = do_boxes_all(j, run, outs, n);
    j->w->lost[p->out.nvars] += pcdf_expr_run_lost(run);
    pcdf_expr_run_end(run);
    return status;
}

static int do_puts_all(struct job *j)
{
    const struct pcdf_calc_plan *p = j->w->plan;
    int status = PCDF_TOOL_GOOD, *nodes = pcdf_calloc((size_t)p->out.nvars * 2 + 1, sizeof *nodes);
    if (!nodes)
        return no_memory(j);
    for (int i = 0; i < p->out.nvars && !status; i++)
        if (p->vars[i].node < 0)
            status = copy_all(j, i);
    for (int i = 0; i < p->ngroups && !status; i++)
        status = compute_all(j, i, nodes, nodes + p->out.nvars);
    pcdf_free(nodes);
    return status;
}

int pcdf_calc_work_all(struct pcdf_calc_work *w)
{
    struct job j = { .w = w };
    int most = pcdf_tool_most_dims(&w->plan->out);
    j.bytes = pcdf_malloc(COPIED * 8);
    j.shape = pcdf_calloc((size_t)most + 1, sizeof *j.shape);
    bool has_memory =
        j.bytes && j.shape && pcdf_grid_begin(&j.grid, most) && !pcdf_expr_files_begin(&j.files, w->datasets);
    int status = has_memory ? do_puts_all(&j) : no_memory(&j);
    if (has_memory)
        pcdf_expr_files_end(&j.files);
    pcdf_grid_end(&j.grid);
    pcdf_free(j.bytes);
    pcdf_free(j.shape);
    return status;
}
