/* See calcwork.h. */
#include "calcwork.h"
#include "calcstore.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "meaningvalues.h"
#include "value.h"

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <string.h>

enum { COPIED = 1 << 17 }; /* values of a box that is copied */

/* How a variable is cut: its dimensions behind `split` are whole, those before it have one index a box. */
struct cut {
    int ndims, split; /* -1: one box has all */
    int64_t length;   /* indices of dimension `split` in a box */
    int64_t nboxes;
    int64_t *shape, *start, *count; /* of all dimensions; the box */
};

struct job {
    struct pcdf_calc_work *w;
    struct pcdf_expr_files files;
    unsigned char *bytes; /* of numbers that are written */
    int64_t *space;
    MPI_Offset *place; /* start and count */
};

static int no_memory(const struct job *j)
{
    return pcdf_tool_unusable(j->w->plan->options->to, "%s", pcdf_fail_text());
}

/* ---- boxes */

static void make_cut(const struct job *j, struct cut *c, int out, int64_t most)
{
    const struct pcdf_meta *meta = &j->w->plan->out;
    const struct pcdf_var *var = &meta->vars[out];
    int64_t inner = 1;
    *c = (struct cut){ .ndims = var->ndims, .split = -1, .nboxes = 1 };
    c->shape = j->space;
    c->start = c->shape + var->ndims;
    c->count = c->start + var->ndims;
    pcdf_var_shape(meta, var, c->shape);
    for (int i = var->ndims - 1; i >= 0; i--) {
        int64_t length = c->shape[i];
        if (length == 0) {
            c->nboxes = 0;
        } else if (c->split >= 0) {
            c->nboxes *= length;
        } else if (inner * length > most) {
            c->split = i;
            c->length = pcdf_larger(most / inner, 1);
            c->nboxes *= (length + c->length - 1) / c->length;
        } else {
            inner *= length;
        }
    }
}

/* Gives the number of values. */
static int64_t box_at(struct cut *c, int64_t number)
{
    int64_t n = 1;
    for (int i = c->ndims - 1; i >= 0; i--) {
        int64_t step = i < c->split ? 1 : i == c->split ? c->length : c->shape[i];
        int64_t boxes = (c->shape[i] + step - 1) / step;
        c->start[i] = number % boxes * step;
        c->count[i] = pcdf_smaller(step, c->shape[i] - c->start[i]);
        number /= boxes;
        n *= c->count[i];
    }
    return n;
}

/* Neighbours go to one rank, since chunks of files may have values of several boxes; what has few boxes goes
 * to another rank each time. */
static void share(const struct job *j, int64_t nboxes, int turn, int64_t *from, int64_t *to)
{
    int size = j->w->ranks->size;
    int64_t rank = (j->w->ranks->rank + turn) % size, each = nboxes / size, more = nboxes % size;
    *from = rank * each + pcdf_smaller(rank, more);
    *to = *from + each + (rank < more);
}

static int put_box(const struct job *j, int out, const struct cut *c)
{
    for (int i = 0; i < c->ndims; i++) {
        j->place[i] = c->start[i];
        j->place[c->ndims + i] = c->count[i];
    }
    int err = ncmpi_put_vara(j->w->ncid, out, j->place, j->place + c->ndims, j->bytes, 1, MPI_DATATYPE_NULL);
    return err ? pcdf_tool_unusable(j->w->plan->options->to, "%s", parcdf_last_error()) : PCDF_TOOL_GOOD;
}

/* ---- copies */

static int copy(struct job *j, int out)
{
    const struct pcdf_calc_var *v = &j->w->plan->vars[out];
    struct cut c;
    int64_t from, to, n, size = pcdf_type_size(j->w->plan->out.vars[out].type);
    int status = PCDF_TOOL_GOOD;
    make_cut(j, &c, out, COPIED);
    share(j, c.nboxes, out, &from, &to);
    for (int64_t i = from; i < to && !status; i++) {
        int64_t first = 0;
        n = box_at(&c, i);
        for (int k = 0; k < c.ndims; k++)
            first = first * c.shape[k] + c.start[k];
        status = pcdf_tool_values(j->w->datasets[v->source], v->varid, first, n, j->bytes);
        if (!status)
            pcdf_values_swap(j->bytes, n, (int)size);
        status = status ? status : put_box(j, out, &c);
        pcdf_tool_progress_add(j->w->progress, n * size);
    }
    return status;
}

/* ---- what is computed */

static int store(struct job *j, int out, struct pcdf_expr_run *run, int number, const struct cut *c,
                 int64_t n)
{
    const struct pcdf_var *var = &j->w->plan->out.vars[out];
    const struct pcdf_expr_block values = pcdf_expr_run_values(run, number);
    unsigned char fill[8];
    int size = pcdf_type_size(var->type);
    pcdf_meaning_fill(var, fill);
    pcdf_values_swap(fill, 1, size);
    j->w->lost[out] += pcdf_calc_store(var->type, fill, &values, 0, n, j->bytes);
    return put_box(j, out, c);
}

static int do_boxes(struct job *j, struct pcdf_expr_run *run, const int *outs, int nouts)
{
    struct cut c;
    int64_t from, to;
    int status = PCDF_TOOL_GOOD;
    make_cut(j, &c, outs[0], pcdf_smaller(pcdf_expr_run_most(run), COPIED));
    share(j, c.nboxes, outs[0], &from, &to);
    for (int64_t i = from; i < to && !status; i++) {
        int64_t n = box_at(&c, i), before = j->files.read;
        status = pcdf_expr_run_box(run, c.start, c.count);
        if (status < 0) /* a code: memory */
            status = no_memory(j);
        for (int k = 0; k < nouts && !status; k++)
            status = store(j, outs[k], run, k, &c, n);
        pcdf_tool_progress_add(j->w->progress, j->files.read - before);
    }
    return status;
}

static int compute(struct job *j, int group, int *nodes, int *outs)
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
    int status = do_boxes(j, run, outs, n);
    j->w->lost[p->out.nvars] += pcdf_expr_run_lost(run);
    pcdf_expr_run_end(run);
    return status;
}

static int do_all(struct job *j)
{
    const struct pcdf_calc_plan *p = j->w->plan;
    int status = PCDF_TOOL_GOOD, *nodes = pcdf_calloc((size_t)p->out.nvars * 2 + 1, sizeof *nodes);
    if (!nodes)
        return no_memory(j);
    for (int i = 0; i < p->out.nvars && !status; i++)
        if (p->vars[i].node < 0)
            status = copy(j, i);
    for (int i = 0; i < p->ngroups && !status; i++)
        status = compute(j, i, nodes, nodes + p->out.nvars);
    pcdf_free(nodes);
    return status;
}

int pcdf_calc_work(struct pcdf_calc_work *w)
{
    struct job j = { .w = w };
    size_t most = (size_t)pcdf_tool_most_dims(&w->plan->out) + 1;
    j.bytes = pcdf_malloc(COPIED * 8);
    j.space = pcdf_malloc(most * 3 * sizeof *j.space);
    j.place = pcdf_malloc(most * 2 * sizeof *j.place);
    bool has_memory = j.bytes && j.space && j.place && !pcdf_expr_files_begin(&j.files, w->datasets);
    int status = has_memory ? do_all(&j) : no_memory(&j);
    if (has_memory)
        pcdf_expr_files_end(&j.files);
    pcdf_free(j.bytes);
    pcdf_free(j.space);
    pcdf_free(j.place);
    return status;
}
