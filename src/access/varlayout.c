/* See varlayout.h. */
#include "varlayout.h"
#include "alloc.h"
#include "request.h"
#include "status.h"
#include "meaningvalues.h"
#include "value.h"

/* Numbers the variables as they come; returns how many. A few requests are compared with each other; of many,
 * a table has the ids between the lowest and the highest. -1: no memory. */
static int number_variables(struct pcdf_request *const *requests, int n)
{
    enum { FEW = 16 };
    int low = requests[0]->varid, high = low, distinct = 0;
    for (int i = 0; n <= FEW && i < n; i++) {
        int same = 0;
        while (requests[same]->varid != requests[i]->varid)
            same++;
        requests[i]->layout = same < i ? requests[same]->layout : distinct++;
    }
    if (n <= FEW)
        return distinct;
    for (int i = 1; i < n; i++) {
        low = requests[i]->varid < low ? requests[i]->varid : low;
        high = requests[i]->varid > high ? requests[i]->varid : high;
    }
    int *numbers = pcdf_calloc((size_t)(high - low) + 1, sizeof *numbers);
    if (!numbers)
        return -1;
    for (int i = 0; i < n; i++) {
        int *number = &numbers[requests[i]->varid - low];
        if (*number == 0)
            *number = ++distinct;
        requests[i]->layout = *number - 1;
    }
    pcdf_free(numbers);
    return distinct;
}

/* The variable of a classic file becomes one of a file of chunks. */
static __attribute__((noinline)) void move_to_cells(struct pcdf_var_layout *layout,
                                                    const struct pcdf_cells *cells)
{
    const struct pcdf_cells_var *v = &cells->x[layout->varid];
    int64_t bytes = layout->xsize;
    layout->begin = v->begin;
    layout->is_native = pcdf_cells_is_native(cells, layout->varid);
    if (v->is_record)
        layout->step[0] = cells->recsize;
    if (!v->chunk)
        return;
    layout->cells = cells;
    for (int d = v->ndims - 1; d >= 0; bytes *= v->chunk[d--])
        layout->step[d] = bytes;
}

int pcdf_var_layouts_make(struct pcdf_var_layouts *layouts, const struct pcdf_meta *meta,
                          const struct pcdf_layout *file, struct pcdf_request *const *requests, int n)
{
    int distinct = 1;
    requests[0]->layout = layouts->n = 0;
    layouts->has_chunks = false;
    if (n > 1)
        distinct = number_variables(requests, n);
    layouts->x = &layouts->single;
    if (distinct != 1)
        layouts->x = distinct > 1 ? pcdf_malloc((size_t)distinct * sizeof *layouts->x) : NULL;
    if (!layouts->x)
        return PCDF_FAIL(NC_ENOMEM, "no memory to find the variables of %d requests", n);
    for (int k = 0; k < n; k++) {
        const struct pcdf_request *r = requests[k];
        const struct pcdf_var *var = &meta->vars[r->varid];
        struct pcdf_var_layout *layout = &layouts->x[r->layout];
        /* The first request of its variable. SPEC: Notes on Computing File Offsets */
        if (r->layout == layouts->n) {
            int64_t bytes = r->converter->xsize;
            layout->begin = r->varid < file->nvars ? file->begin[r->varid] : 0;
            layout->xsize = bytes;
            layout->var = var;
            layout->ndims = var->ndims;
            layout->varid = r->varid;
            layout->has_fill = false;
            layout->step = layout->near;
            if (var->ndims > PCDF_INLINE_DIMS)
                layout->step = pcdf_malloc((size_t)var->ndims * sizeof *layout->step);
            if (!layout->step) {
                pcdf_var_layouts_free(layouts);
                return PCDF_FAIL(NC_ENOMEM, "variable %s: no memory for a request", var->name);
            }
            layouts->n++;
            for (int i = var->ndims - 1; i >= 0; i--) {
                int64_t length = meta->dims[var->dimids[i]].length;
                layout->step[i] = bytes;
                if (i > 0)
                    bytes *= length > 0 ? length : 1;
            }
            if (var->is_record)
                layout->step[0] = file->recsize;
            layout->cells = NULL;
            layout->is_native = false;
            if (file->cells) {
                move_to_cells(layout, file->cells);
                layouts->has_chunks |= layout->cells != NULL;
            }
        }
        if (!r->is_external && r->nelems > 0 && r->converter->converts)
            (void)pcdf_var_layout_fill(layout);
    }
    return NC_NOERR;
}

void pcdf_var_fill(const struct pcdf_var *var, bool is_native, unsigned char fill[8])
{
    const int one = 1;
    int size = pcdf_type_size(var->type);
    pcdf_meaning_fill(var, fill);
    if (is_native && size > 1 && *(const char *)&one)
        pcdf_values_reverse(fill, 1, size);
}

const unsigned char *pcdf_var_layout_fill(struct pcdf_var_layout *layout)
{
    if (!layout->has_fill)
        pcdf_var_fill(layout->var, layout->is_native, layout->fill);
    layout->has_fill = true;
    return layout->fill;
}

void pcdf_var_layouts_free(struct pcdf_var_layouts *layouts)
{
    for (int i = 0; i < layouts->n; i++)
        if (layouts->x[i].step != layouts->x[i].near)
            pcdf_free(layouts->x[i].step);
    if (layouts->x != &layouts->single)
        pcdf_free(layouts->x);
    layouts->x = NULL;
    layouts->n = 0;
}
