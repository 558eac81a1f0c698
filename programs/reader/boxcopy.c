/* See boxcopy.h. */
#include "boxcopy.h"

#include <string.h>

int64_t pcdf_boxcopy_steps(int ndims, const int64_t *shape, int size, int64_t *steps)
{
    int64_t bytes = size;
    for (int i = ndims - 1; i >= 0; i--) {
        steps[i] = bytes;
        bytes *= shape[i];
    }
    return bytes;
}

int64_t pcdf_boxcopy_offset(int ndims, const int64_t *low, const int64_t *index, const int64_t *steps)
{
    int64_t bytes = 0;
    for (int i = 0; i < ndims; i++)
        bytes += (index[i] - low[i]) * steps[i];
    return bytes;
}

int64_t pcdf_boxcopy_span(const struct pcdf_boxcopy *box, int dim, const int64_t *steps)
{
    int64_t span = box->size;
    for (int i = dim; i < box->ndims; i++)
        span += (box->count[i] - 1) * steps[i];
    return span;
}

int64_t pcdf_boxcopy_bytes(const struct pcdf_boxcopy *box, int dim)
{
    int64_t bytes = box->size;
    for (int i = dim; i < box->ndims; i++)
        bytes *= box->count[i];
    return bytes;
}

/* The first dimension from which on values lie together on both sides, and their bytes. */
static int together(const struct pcdf_boxcopy *box, int dim, int64_t *run)
{
    int i = box->ndims;
    *run = box->size;
    while (i > dim && (box->count[i - 1] == 1 || (box->from[i - 1] == *run && box->to[i - 1] == *run)))
        *run *= box->count[--i];
    return i;
}

static void copy_rows(const struct pcdf_boxcopy *box, int dim, int end, int64_t run,
                      const unsigned char *from, unsigned char *to)
{
    if (dim == end) {
        memcpy(to, from, (size_t)run);
        return;
    }
    for (int64_t i = 0; i < box->count[dim]; i++, from += box->from[dim], to += box->to[dim])
        if (dim + 1 == end)
            memcpy(to, from, (size_t)run);
        else
            copy_rows(box, dim + 1, end, run, from, to);
}

void pcdf_boxcopy_move(const struct pcdf_boxcopy *box, int dim, const unsigned char *from, unsigned char *to)
{
    int64_t run;
    int end = together(box, dim, &run);
    copy_rows(box, dim, end, run, from, to);
}

bool pcdf_boxcopy_merge(const struct pcdf_boxcopy *box, int dim, const unsigned char *from, unsigned char *to,
                        unsigned char *mask)
{
    size_t size = (size_t)box->size;
    bool agrees = true;
    if (dim < box->ndims) {
        for (int64_t i = 0; i < box->count[dim] && agrees; i++)
            agrees = pcdf_boxcopy_merge(box, dim + 1, from + i * box->from[dim], to + i * box->to[dim],
                                        mask + i * box->to[dim]);
        return agrees;
    }
    if (*mask)
        return memcmp(from, to, size) == 0;
    memcpy(to, from, size);
    *mask = 1;
    return true;
}

void pcdf_boxcopy_fill(const struct pcdf_boxcopy *box, int dim, const unsigned char *value, unsigned char *to)
{
    if (dim == box->ndims) {
        memcpy(to, value, (size_t)box->size);
        return;
    }
    for (int64_t i = 0; i < box->count[dim]; i++)
        pcdf_boxcopy_fill(box, dim + 1, value, to + i * box->to[dim]);
}
