/* See zarrgrid.h. */
#include "zarrgrid.h"
#include "alloc.h"
#include "numbers.h"

#include <string.h>

bool pcdf_zarrgrid_room(struct pcdf_zarrgrid *grid, int ndims)
{
    size_t each = (size_t)ndims + 1;
    *grid = (struct pcdf_zarrgrid){ .low = pcdf_calloc(each, 5 * sizeof *grid->low) };
    if (!grid->low)
        return false;
    grid->high = grid->low + each;
    grid->step = grid->high + each;
    grid->start = grid->step + each;
    grid->count = grid->start + each;
    return true;
}

void pcdf_zarrgrid_free(struct pcdf_zarrgrid *grid)
{
    pcdf_free(grid->low);
    *grid = (struct pcdf_zarrgrid){ 0 };
}

void pcdf_zarrgrid_over(struct pcdf_zarrgrid *grid, int ndims, const int64_t *low, const int64_t *count,
                        const int64_t *step)
{
    grid->ndims = ndims;
    grid->begun = false;
    for (int i = 0; i < ndims; i++) {
        grid->low[i] = grid->start[i] = low ? low[i] : 0;
        grid->high[i] = grid->low[i] + count[i];
        grid->step[i] = step[i];
    }
}

static bool measure(struct pcdf_zarrgrid *grid)
{
    for (int i = 0; i < grid->ndims; i++) {
        grid->count[i] = pcdf_smaller(grid->step[i], grid->high[i] - grid->start[i]);
        if (grid->count[i] <= 0)
            return false;
    }
    return true;
}

bool pcdf_zarrgrid_next(struct pcdf_zarrgrid *grid)
{
    if (!grid->begun) {
        grid->begun = true;
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

int64_t pcdf_zarrgrid_values(const struct pcdf_zarrgrid *grid)
{
    int64_t n = 1;
    for (int i = 0; i < grid->ndims; i++)
        n *= grid->count[i];
    return n;
}

void pcdf_zarrgrid_grow(int ndims, const int64_t *shape, const int64_t *unit, int size, int64_t most,
                        bool even, int64_t *step)
{
    int64_t bytes = size;

    for (int i = 0; i < ndims; i++) {
        step[i] = unit[i];
        bytes *= unit[i];
    }
    for (int i = ndims - 1; i >= 0; i--) {
        int64_t units = shape[i] / unit[i] + (shape[i] % unit[i] != 0), fit = most / bytes;
        units = units > 0 ? units : 1;
        if (fit < 1)
            fit = 1;
        int64_t parts = (units - 1) / fit + 1, take = even ? (units - 1) / parts + 1 : fit;
        take = pcdf_smaller(take, units);
        step[i] = take * unit[i];
        bytes *= take;
        if (take < units)
            break;
    }
}
