/* See grid.h. */
#include "grid.h"
#include "numbers.h"

void pcdf_grid_index(int ndims, const int64_t *shape, int64_t number, int64_t *index)
{
    for (int i = ndims - 1; i > 0; i--) {
        index[i] = number % shape[i];
        number /= shape[i];
    }
    if (ndims > 0)
        index[0] = number;
}

int64_t pcdf_grid_number(int ndims, const int64_t *shape, const int64_t *index)
{
    int64_t number = 0;
    for (int i = 0; i < ndims; i++)
        number = number * shape[i] + index[i];
    return number;
}

int64_t pcdf_grid_count(int ndims, const int64_t *shape)
{
    int64_t n = 1;
    for (int i = 0; i < ndims; i++)
        n = pcdf_product(n, shape[i]);
    return n;
}

int64_t pcdf_grid_chunks(int ndims, const int64_t *shape, const int64_t *chunk)
{
    int64_t n = 1;
    for (int i = 0; i < ndims; i++)
        n = pcdf_product(n, shape[i] / chunk[i] + (shape[i] % chunk[i] > 0));
    return n;
}
