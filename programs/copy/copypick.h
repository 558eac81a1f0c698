#ifndef PCDF_COPYPICK_H
#define PCDF_COPYPICK_H
/* Which indices of a dimension are copied. Pure. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_copy_run { /* indices first to first + n - 1 of the new dimension: low, low + stride, ... */
    int64_t first, low, stride, n;
};

struct pcdf_copy_cut {
    int64_t length; /* of the old dimension */
    int64_t n;      /* of the new one */
    bool is_whole;
    bool rises; /* old indices rise with the new ones */
    struct pcdf_copy_run one, *runs;
    int64_t nruns, room; /* 0: `one` is all. runs: owned */
};

void pcdf_copy_cut_whole(struct pcdf_copy_cut *cut, int64_t length);
void pcdf_copy_cut_to(struct pcdf_copy_cut *cut, int64_t length, int64_t low, int64_t n, int64_t stride);
/* A cut to nothing, to add runs to. */
void pcdf_copy_cut_none(struct pcdf_copy_cut *cut, int64_t length);
/* Indices low to low + n - 1, behind those that are there, and behind the last of them. NC_ENOMEM; NC_EINVAL:
 * more separate runs than are kept. */
int pcdf_copy_cut_add(struct pcdf_copy_cut *cut, int64_t low, int64_t n);
/* Lets the run begin that begins with old index `low`; nothing where none does. */
void pcdf_copy_cut_rotate(struct pcdf_copy_cut *cut, int64_t low);
void pcdf_copy_cut_free(struct pcdf_copy_cut *cut);

struct pcdf_copy_span { /* old indices: n of them from `low` on */
    int64_t low, stride, n;
};

/* Those that belong to the new indices from i on, as far as one span goes. */
struct pcdf_copy_span pcdf_copy_cut_at(const struct pcdf_copy_cut *cut, int64_t i);
/* How many of those that are copied lie below this old index, where they rise. */
int64_t pcdf_copy_cut_below(const struct pcdf_copy_cut *cut, int64_t index);
#endif
