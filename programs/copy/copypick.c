/* See copypick.h. */
#include "copypick.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"

enum { FIRST_ROOM = 16, MOST_RUNS = 1 << 19 };

void pcdf_copy_cut_whole(struct pcdf_copy_cut *cut, int64_t length)
{
    pcdf_copy_cut_to(cut, length, 0, length, 1);
}

void pcdf_copy_cut_to(struct pcdf_copy_cut *cut, int64_t length, int64_t low, int64_t n, int64_t stride)
{
    *cut = (struct pcdf_copy_cut){ .length = length,
                                   .n = n,
                                   .is_whole = low == 0 && n == length && stride == 1,
                                   .rises = true,
                                   .one = { 0, low, stride, n } };
}

void pcdf_copy_cut_none(struct pcdf_copy_cut *cut, int64_t length)
{
    *cut = (struct pcdf_copy_cut){ .length = length, .rises = true, .one = { .stride = 1 } };
}

static int grow(struct pcdf_copy_cut *cut)
{
    if (cut->nruns >= MOST_RUNS)
        return PCDF_FAIL(NC_EINVAL, "the choice falls into more than %d pieces", MOST_RUNS);
    int64_t room = cut->room ? 2 * cut->room : FIRST_ROOM;
    struct pcdf_copy_run *runs = pcdf_realloc(cut->runs, (size_t)room * sizeof *runs);
    if (!runs)
        return NC_ENOMEM;
    cut->runs = runs;
    cut->room = room;
    return NC_NOERR;
}

int pcdf_copy_cut_add(struct pcdf_copy_cut *cut, int64_t low, int64_t n)
{
    struct pcdf_copy_run *last = cut->nruns > 0 ? &cut->runs[cut->nruns - 1] : NULL;

    if (last && last->low + last->n == low) {
        last->n += n;
    } else {
        if (cut->nruns == cut->room)
            PCDF_TRY(grow(cut));
        cut->runs[cut->nruns++] = (struct pcdf_copy_run){ cut->n, low, 1, n };
    }
    cut->n += n;
    cut->is_whole = cut->n == cut->length;
    return NC_NOERR;
}

static void reverse(struct pcdf_copy_run *runs, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++) {
        struct pcdf_copy_run run = runs[i];
        runs[i] = runs[n - 1 - i];
        runs[n - 1 - i] = run;
    }
}

void pcdf_copy_cut_rotate(struct pcdf_copy_cut *cut, int64_t low)
{
    int64_t k = 0, first = 0;

    while (k < cut->nruns && cut->runs[k].low != low)
        k++;
    if (k == 0 || k == cut->nruns)
        return;
    reverse(cut->runs, k);
    reverse(cut->runs + k, cut->nruns - k);
    reverse(cut->runs, cut->nruns);
    for (int64_t i = 0; i < cut->nruns; i++) {
        cut->runs[i].first = first;
        first += cut->runs[i].n;
    }
    cut->rises = false;
}

void pcdf_copy_cut_free(struct pcdf_copy_cut *cut)
{
    pcdf_free(cut->runs);
    *cut = (struct pcdf_copy_cut){ 0 };
}

struct pcdf_copy_span pcdf_copy_cut_at(const struct pcdf_copy_cut *cut, int64_t i)
{
    const struct pcdf_copy_run *run = &cut->one;

    if (cut->is_whole) /* records of later files, too */
        return (struct pcdf_copy_span){ i, 1, INT64_MAX - i };
    if (cut->nruns > 0) {
        int64_t low = 0, high = cut->nruns;
        while (high - low > 1) {
            int64_t middle = low + (high - low) / 2;
            if (cut->runs[middle].first <= i)
                low = middle;
            else
                high = middle;
        }
        run = &cut->runs[low];
    }
    int64_t done = i - run->first;
    return (struct pcdf_copy_span){ run->low + done * run->stride, run->stride, run->n - done };
}

static int64_t below_in(const struct pcdf_copy_run *run, int64_t index)
{
    if (index <= run->low)
        return 0;
    return pcdf_smaller((index - 1 - run->low) / run->stride + 1, run->n);
}

int64_t pcdf_copy_cut_below(const struct pcdf_copy_cut *cut, int64_t index)
{
    int64_t low = 0, high = cut->nruns;

    if (cut->nruns == 0)
        return below_in(&cut->one, index);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (cut->runs[middle].low < index)
            low = middle;
        else
            high = middle;
    }
    return cut->runs[low].first + below_in(&cut->runs[low], index);
}
