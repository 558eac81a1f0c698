/* See toolgrid.h. */
#include "toolgrid.h"
#include "alloc.h"
#include "numbers.h"

/* ---- one array */

bool pcdf_grid_advance(int ndims, const int64_t *low, const int64_t *count, int64_t *index)
{
    for (int i = ndims - 1; i >= 0; i--) {
        int64_t first = low ? low[i] : 0;
        if (++index[i] < first + count[i])
            return true;
        index[i] = first;
    }
    return false;
}

void pcdf_grid_share(int64_t n, int rank, int nranks, int64_t *from, int64_t *to)
{
    int64_t each = n / nranks, more = n % nranks;
    *from = each * rank + pcdf_smaller(rank, more);
    *to = *from + each + (rank < more);
}

/* ---- a box, cut into smaller ones */

bool pcdf_grid_begin(struct pcdf_grid *grid, int ndims)
{
    size_t each = (size_t)ndims + 1;
    *grid = (struct pcdf_grid){ .low = pcdf_calloc(each, 5 * sizeof *grid->low) };
    if (!grid->low)
        return false;
    grid->high = grid->low + each;
    grid->step = grid->high + each;
    grid->start = grid->step + each;
    grid->count = grid->start + each;
    return true;
}

void pcdf_grid_end(struct pcdf_grid *grid)
{
    pcdf_free(grid->low);
    *grid = (struct pcdf_grid){ 0 };
}

void pcdf_grid_cut(struct pcdf_grid *grid, int ndims, const int64_t *low, const int64_t *count,
                   const int64_t *step)
{
    grid->ndims = ndims;
    grid->is_begun = false;
    for (int i = 0; i < ndims; i++) {
        grid->low[i] = grid->start[i] = low ? low[i] : 0;
        grid->high[i] = grid->low[i] + count[i];
        grid->step[i] = step[i];
    }
}

/* The lengths of the box that begins where the grid stands; false: it is empty. */
static bool measure(struct pcdf_grid *grid)
{
    for (int i = 0; i < grid->ndims; i++) {
        grid->count[i] = pcdf_smaller(grid->step[i], grid->high[i] - grid->start[i]);
        if (grid->count[i] <= 0)
            return false;
    }
    return true;
}

bool pcdf_grid_next(struct pcdf_grid *grid)
{
    if (!grid->is_begun) {
        grid->is_begun = true;
        return measure(grid);
    }
    for (int i = grid->ndims - 1; i >= 0; i--) {
        if (grid->step[i] < grid->high[i] - grid->start[i]) {
            grid->start[i] += grid->step[i];
            return measure(grid);
        }
        grid->start[i] = grid->low[i];
    }
    return false;
}

/* How many lengths of `step` a length needs. */
static int64_t divide_up(int64_t length, int64_t step)
{
    return length / step + (length % step > 0);
}

static int64_t boxes_along(const struct pcdf_grid *grid, int dim)
{
    return divide_up(grid->high[dim] - grid->low[dim], grid->step[dim]);
}

int64_t pcdf_grid_boxes(const struct pcdf_grid *grid)
{
    int64_t n = 1;
    for (int i = 0; i < grid->ndims; i++)
        if (grid->high[i] == grid->low[i])
            return 0;
    for (int i = 0; i < grid->ndims; i++)
        n = pcdf_product(n, boxes_along(grid, i));
    return n;
}

void pcdf_grid_visit(struct pcdf_grid *grid, int64_t number)
{
    for (int i = grid->ndims - 1; i >= 0; i--) {
        int64_t n = boxes_along(grid, i);
        grid->start[i] = grid->low[i] + number % n * grid->step[i];
        number /= n;
    }
    grid->is_begun = true;
    (void)measure(grid);
}

int64_t pcdf_grid_values(const struct pcdf_grid *grid)
{
    return pcdf_grid_count(grid->ndims, grid->count);
}

void pcdf_grid_choose(int ndims, const int64_t *shape, const int64_t *unit, int64_t size, int64_t most,
                      bool is_even, int64_t *step)
{
    int64_t bytes = size;

    for (int i = 0; i < ndims; i++) {
        step[i] = unit ? unit[i] : 1;
        bytes = pcdf_product(bytes, step[i]);
    }
    for (int i = ndims - 1; i >= 0; i--) {
        int64_t units = pcdf_larger(divide_up(shape[i], step[i]), 1), fit = pcdf_larger(most / bytes, 1);
        int64_t taken = pcdf_smaller(is_even ? divide_up(units, divide_up(units, fit)) : fit, units);
        step[i] = pcdf_product(step[i], taken);
        bytes = pcdf_product(bytes, taken);
        if (taken < units)
            break;
    }
}
