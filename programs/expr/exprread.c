/* See exprread.h. */
#include "exprread.h"
#include "numbers.h"
#include "stored.h"
#include "tool.h"
#include "toolgrid.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 15 }; /* values */

struct walk {
    struct pcdf_expr_files *files;
    struct pcdf_tool_dataset *ds;
    const struct pcdf_var *var;
    struct pcdf_stored_form form;
    int varid;
    int64_t *exact;
    double *x;
};

int pcdf_expr_files_begin(struct pcdf_expr_files *f, struct pcdf_tool_dataset **datasets)
{
    *f = (struct pcdf_expr_files){ .datasets = datasets };
    f->bytes = pcdf_malloc(PIECE * 8);
    f->rest = pcdf_malloc(PIECE * sizeof *f->rest);
    if (f->bytes && f->rest)
        return NC_NOERR;
    pcdf_expr_files_end(f);
    return NC_ENOMEM;
}

void pcdf_expr_files_end(struct pcdf_expr_files *f)
{
    pcdf_free(f->bytes);
    pcdf_free(f->rest);
    f->bytes = NULL;
    f->rest = NULL;
}

/* x + rest; 2^63 and 2^64 are what the largest integers are rounded to: their rest is negative. */
static int64_t exact_of(nc_type type, double x, double rest)
{
    if (x != x)
        return 0;
    if (type == NC_UINT64)
        return x >= 0x1p64 ? (int64_t)(UINT64_MAX - (uint64_t)(-rest - 1))
                           : (int64_t)((uint64_t)x + (uint64_t)(int64_t)rest);
    return x >= 0x1p63 ? INT64_MAX - (int64_t)(-rest - 1) : (int64_t)x + (int64_t)rest;
}

/* Values that lie together. */
static int take_run(struct walk *w, int64_t first, int64_t n)
{
    int64_t size = pcdf_type_size(w->var->type);
    for (int64_t done = 0; done < n; done += PIECE) {
        int64_t some = pcdf_smaller(n - done, PIECE);
        int status = pcdf_tool_values(w->ds, w->varid, first + done, some, w->files->bytes);
        if (status)
            return status;
        pcdf_stored_decode(&w->form, w->files->bytes, some, w->x, w->files->rest);
        if (w->form.unpacks)
            pcdf_meaning_round(&w->form.meaning.packing, some, w->x);
        for (int64_t i = 0; w->exact && i < some; i++)
            w->exact[i] = exact_of(w->form.type, w->x[i], w->files->rest[i]);
        w->files->read += some * size;
        w->x += some;
        w->exact = w->exact ? w->exact + some : NULL;
    }
    return PCDF_TOOL_GOOD;
}

/* From which dimension on the box has values that lie together, and how many. */
static int find_run(int ndims, const int64_t *shape, const int64_t *count, int64_t *run)
{
    int i = ndims;
    *run = 1;
    while (i > 0) {
        i--;
        *run *= count[i];
        if (count[i] != shape[i])
            break;
    }
    return i;
}

static int take_box(struct walk *w, const int64_t *start, const int64_t *count)
{
    int64_t shape[PCDF_EXPR_DIMS], index[PCDF_EXPR_DIMS], run;
    int ndims = w->var->ndims, status = PCDF_TOOL_GOOD;
    pcdf_var_shape(&w->ds->meta, w->var, shape);
    int outer = find_run(ndims, shape, count, &run);
    if (pcdf_grid_count(ndims, count) == 0)
        return status;
    memcpy(index, start, (size_t)ndims * sizeof *index);
    do
        status = take_run(w, pcdf_grid_number(ndims, shape, index), run);
    while (!status && pcdf_grid_advance(outer, start, count, index));
    return status;
}

int pcdf_expr_files_read(void *context, int source, int varid, const int64_t *start, const int64_t *count,
                         double *x, int64_t *exact)
{
    struct pcdf_expr_files *f = context;
    struct walk w = { .files = f, .ds = f->datasets[source], .varid = varid, .x = x, .exact = exact };
    w.var = &w.ds->meta.vars[varid];
    pcdf_stored_of(&w.form, w.var, false);
    return take_box(&w, start, count);
}
