/* See reducemask.h. */
#include "reducemask.h"
#include "alloc.h"
#include "codes.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"

#include <string.h>

/* ---- values of the file that is open */

/* Boxes of record variables begin at records of all files together. */
static int read_box(void *context, int source, int varid, const int64_t *start, const int64_t *count,
                    double *x, int64_t *exact)
{
    struct pcdf_reduce_mask *m = context;
    const struct pcdf_var *var = &m->input->meta.vars[varid];
    int64_t begin[PCDF_EXPR_DIMS], from, to;
    memcpy(begin, start, (size_t)var->ndims * sizeof *begin);
    pcdf_reduce_input_records(m->input, m->input->open, &from, &to);
    if (var->is_record)
        begin[0] -= from;
    if (var->is_record && (begin[0] < 0 || begin[0] > to - from - count[0]))
        return pcdf_tool_unusable(m->input->options->from[m->input->open],
                                  "a mask with shift or roll along the records is for one file");
    return pcdf_expr_files_read(&m->files, source, pcdf_reduce_input_id(m->input, varid), begin, count, x,
                                exact);
}

/* ---- open, close */

static int compile(struct pcdf_reduce_mask *m, bool tells)
{
    const char *text = m->input->options->masked_by;
    struct pcdf_expr_fault fault = { 0 };
    m->source = (struct pcdf_expr_source){ "a", m->input->options->from[0], &m->input->meta };
    int err = pcdf_expr_of(&m->expr, text, &m->source, 1, &fault);
    m->is_compiled = err == NC_NOERR;
    if (err == NC_EINVAL) {
        if (tells)
            pcdf_expr_tell(&fault, text);
        return PCDF_TOOL_UNUSABLE;
    }
    return err ? pcdf_tool_unusable(NULL, "%s", pcdf_fail_text()) : PCDF_TOOL_GOOD;
}

static void find_dims(struct pcdf_reduce_mask *m)
{
    struct pcdf_expr_dim dims[PCDF_EXPR_DIMS];
    m->node = m->expr.results.x[0].node;
    m->ndims = pcdf_expr_shape(&m->expr, m->node, dims);
    for (int i = 0; i < m->ndims; i++)
        m->dimids[i] = pcdf_meta_find_dim(&m->input->meta, dims[i].name);
}

static int begin_run(struct pcdf_reduce_mask *m)
{
    m->reader = (struct pcdf_expr_reader){ m, read_box };
    m->is_out = pcdf_malloc(PCDF_REDUCE_MASK_ROOM * sizeof *m->is_out);
    bool good = m->is_out && !pcdf_expr_files_begin(&m->files, &m->input->ds) &&
                !pcdf_expr_run_begin(&m->run, &m->expr, &m->node, 1, &m->reader, PCDF_REDUCE_MASK_MEMORY / 3);
    return good ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

int pcdf_reduce_mask_open(struct pcdf_reduce_mask *m, struct pcdf_reduce_input *input, bool tells)
{
    *m = (struct pcdf_reduce_mask){ .is_given = input->options->masked_by != NULL,
                                    .input = input,
                                    .file = -1 };
    int status = m->is_given ? compile(m, tells) : PCDF_TOOL_GOOD;
    if (!m->is_given || status)
        return status;
    find_dims(m);
    return begin_run(m);
}

void pcdf_reduce_mask_close(struct pcdf_reduce_mask *m)
{
    if (m->run)
        pcdf_expr_run_end(m->run);
    pcdf_expr_files_end(&m->files);
    if (m->is_compiled)
        pcdf_expr_free(&m->expr);
    pcdf_free(m->is_out);
    *m = (struct pcdf_reduce_mask){ 0 };
}

static int position(const struct pcdf_var *var, int dimid)
{
    int at = -1;
    for (int i = 0; i < var->ndims; i++)
        at = var->dimids[i] == dimid ? i : at;
    return at;
}

int pcdf_reduce_mask_foreign(const struct pcdf_reduce_mask *m, const struct pcdf_var *var)
{
    for (int i = 0; i < m->ndims; i++)
        if (position(var, m->dimids[i]) < 0)
            return m->dimids[i];
    return -1;
}

/* ---- a box of the variable, in it the values that lie together from some number on */

struct box {
    const struct pcdf_var *var;
    int64_t shape[PCDF_REDUCE_MASK_DIMS], start[PCDF_REDUCE_MASK_DIMS], count[PCDF_REDUCE_MASK_DIMS];
};

/* The largest one that begins there and has no more than n values, and whose expression is not too large. */
static int64_t make_box(const struct pcdf_reduce_mask *m, struct box *b, int64_t first, int64_t n)
{
    int64_t values = 1, asked = 1, most = pcdf_expr_run_most(m->run);
    bool is_open = true;
    pcdf_grid_index(b->var->ndims, b->shape, first, b->start);
    for (int i = b->var->ndims - 1; i >= 0; i--) {
        b->count[i] = 1;
        bool is_of_mask = false;
        for (int k = 0; k < m->ndims; k++)
            is_of_mask |= m->dimids[k] == b->var->dimids[i];
        int64_t room = is_of_mask ? pcdf_smaller(n / values, most / asked) : n / values;
        if (is_open && room > 0)
            b->count[i] = pcdf_larger(pcdf_smaller(b->shape[i] - b->start[i], room), 1);
        is_open = is_open && b->count[i] == b->shape[i];
        values *= b->count[i];
        asked *= is_of_mask ? b->count[i] : 1;
    }
    return values;
}

/* x: of the expression's dimensions, which may have another order. */
static void spread(const struct pcdf_reduce_mask *m, const struct box *b, const double *x, bool *to,
                   int64_t n)
{
    int64_t step[PCDF_REDUCE_MASK_DIMS] = { 0 }, index[PCDF_REDUCE_MASK_DIMS] = { 0 }, one = 1, at = 0;
    for (int k = m->ndims - 1; k >= 0; k--) {
        int i = position(b->var, m->dimids[k]);
        step[i] = one;
        one *= b->count[i];
    }
    for (int64_t k = 0; k < n; k++) {
        to[k] = !(x[at] == x[at] && x[at] != 0);
        int i = b->var->ndims - 1;
        for (at += i >= 0 ? step[i] : 0; i >= 0 && ++index[i] == b->count[i]; i--) {
            at -= step[i] * b->count[i];
            at += i > 0 ? step[i - 1] : 0;
            index[i] = 0;
        }
    }
}

static int take_box(struct pcdf_reduce_mask *m, const struct box *b, bool *to, int64_t n)
{
    int64_t start[PCDF_EXPR_DIMS] = { 0 }, count[PCDF_EXPR_DIMS] = { 0 }, from, end;
    pcdf_reduce_input_records(m->input, m->input->open, &from, &end);
    for (int k = 0; k < m->ndims; k++) {
        int i = position(b->var, m->dimids[k]);
        start[k] = b->start[i] + (m->dimids[k] == m->input->meta.record_dim ? from : 0);
        count[k] = b->count[i];
    }
    int status = pcdf_expr_run_box(m->run, start, count);
    if (!status)
        spread(m, b, pcdf_expr_run_values(m->run, 0).x, to, n);
    return status < 0 ? pcdf_tool_unusable(NULL, "%s", pcdf_fail_text()) : status; /* < 0: a code */
}

int pcdf_reduce_mask_get(struct pcdf_reduce_mask *m, int varid, int64_t first, int64_t n)
{
    struct box b = { .var = &m->input->meta.vars[varid] };
    int64_t from, to;
    int status = PCDF_TOOL_GOOD;
    pcdf_reduce_input_records(m->input, m->input->open, &from, &to);
    for (int i = 0; i < b.var->ndims; i++)
        b.shape[i] = b.var->dimids[i] == m->input->meta.record_dim
                         ? to - from
                         : m->input->meta.dims[b.var->dimids[i]].length;
    if (m->file != m->input->open)
        pcdf_expr_run_forget(m->run);
    m->file = m->input->open;
    for (int64_t done = 0, some; done < n && !status; done += some) {
        some = make_box(m, &b, first + done, n - done);
        status = take_box(m, &b, m->is_out + done, some);
    }
    return status;
}
