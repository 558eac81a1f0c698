/* See items.h. Lists come nearly sorted: a few long runs (variables in another order than the file's, time
 * steps of several variables) or runs that interleave. So runs are found and merged, neighbours first, along
 * a tree that depends on their lengths alone, so that no item is moved more often than the logarithm of the
 * number of runs. */
#include "items.h"
#include <stdbool.h>
#include <string.h>
#include "alloc.h"
#include "status.h"

enum {
    SHORT_RUN = 24,                                       /* made longer by insertion */
    SCRATCH_ITEMS = (1 << 24) / sizeof(struct pcdf_item), /* longer runs are first taken apart in place */
    MOST_RUNS = 64 + 2                                    /* on the stack: their levels in the tree rise */
};

struct run {
    size_t at, n;
    int level; /* of the boundary to the run before, in the tree of merges */
};

struct sorter {
    struct pcdf_item *x, *scratch;
    size_t n, room; /* room: of scratch */
    struct run runs[MOST_RUNS];
    int nruns;
};

static bool is_before(const struct pcdf_item *a, const struct pcdf_item *b)
{
    if (a->offset != b->offset)
        return a->offset < b->offset;
    return a->request != b->request ? a->request < b->request : a->element < b->element;
}

static void reverse(struct pcdf_item *x, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct pcdf_item t = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = t;
    }
}

/* Sorts x[0 .. n) of which the first `sorted` are. */
static void insert(struct pcdf_item *x, size_t sorted, size_t n)
{
    for (size_t i = sorted; i < n; i++) {
        struct pcdf_item moving = x[i];
        size_t at = i;
        for (; at > 0 && is_before(&moving, &x[at - 1]); at--)
            x[at] = x[at - 1];
        x[at] = moving;
    }
}

/* How many items from x on are one run; what falls is turned round. */
static size_t find_run(struct pcdf_item *x, size_t n)
{
    size_t run = 1, least = n < SHORT_RUN ? n : SHORT_RUN;
    if (n == 1)
        return 1;
    if (is_before(&x[1], &x[0])) {
        while (run < n && is_before(&x[run], &x[run - 1]))
            run++;
        reverse(x, run);
    } else {
        while (run < n && !is_before(&x[run], &x[run - 1]))
            run++;
    }
    if (run >= least)
        return run;
    insert(x, run, least);
    return least;
}

/* Items of the sorted x[0 .. n) that come before `key`. */
static size_t count_before(const struct pcdf_item *x, size_t n, const struct pcdf_item *key)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (is_before(&x[low + half], key)) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* x[0 .. left) goes behind x[left .. n). */
static void rotate(struct pcdf_item *x, size_t left, size_t n)
{
    reverse(x, left);
    reverse(x + left, n - left);
    reverse(x, n);
}

static void merge_up(struct pcdf_item *x, size_t left, size_t n, struct pcdf_item *scratch)
{
    size_t a = 0, b = left, to = 0;
    memcpy(scratch, x, left * sizeof *x);
    while (a < left && b < n)
        x[to++] = is_before(&x[b], &scratch[a]) ? x[b++] : scratch[a++];
    memcpy(x + to, scratch + a, (left - a) * sizeof *x);
}

static void merge_down(struct pcdf_item *x, size_t left, size_t n, struct pcdf_item *scratch)
{
    size_t a = left, b = n - left, to = n;
    memcpy(scratch, x + left, b * sizeof *x);
    while (a > 0 && b > 0)
        x[--to] = is_before(&scratch[b - 1], &x[a - 1]) ? x[--a] : scratch[--b];
    memcpy(x, scratch, b * sizeof *x);
}

/* Scratch for the shorter of two runs, as far as there may be so much. */
static int need_scratch(struct sorter *s, size_t items)
{
    size_t most = s->n / 4 > SCRATCH_ITEMS ? s->n / 4 : SCRATCH_ITEMS;
    size_t room = items < most ? items : most;
    if (room <= s->room)
        return NC_NOERR;
    pcdf_free(s->scratch); /* nothing in it is needed */
    room = 2 * room < most ? 2 * room : most;
    s->scratch = pcdf_malloc(room * sizeof *s->scratch);
    s->room = s->scratch ? room : 0;
    return s->scratch ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to sort %zu hyperslabs", s->n);
}

/* Merges the sorted x[0 .. left) and x[left .. n). Runs too long for the scratch are halved by rotation. */
static int merge(struct sorter *s, struct pcdf_item *x, size_t left, size_t n)
{
    size_t skip = count_before(x, left, &x[left]); /* in place already, as is what follows the other end */
    x += skip;
    left -= skip;
    n -= skip;
    if (left == 0)
        return NC_NOERR;
    n = left + count_before(x + left, n - left, &x[left - 1]);
    size_t right = n - left;
    PCDF_TRY(need_scratch(s, left < right ? left : right));
    if (left > s->room && right > s->room) {
        size_t a = left / 2, b = count_before(x + left, right, &x[a]);
        rotate(x + a, left - a, left - a + b);
        PCDF_TRY(merge(s, x, a, a + b));
        return merge(s, x + a + b, left - a, n - a - b);
    }
    if (left <= right)
        merge_up(x, left, n, s->scratch);
    else
        merge_down(x, left, n, s->scratch);
    return NC_NOERR;
}

/* The level of the boundary between two neighbouring runs in a balanced tree over all items: the first binary
 * digit in which their middles, as fractions of n, differ. */
static int level_of(const struct run *a, const struct run *b, size_t n)
{
    size_t x = 2 * a->at + a->n, y = 2 * b->at + b->n, whole = 2 * n;
    for (int level = 1;; level++) {
        bool upper_x = x >= whole - x, upper_y = y >= whole - y;
        if (upper_x != upper_y)
            return level;
        x = upper_x ? 2 * x - whole : 2 * x;
        y = upper_y ? 2 * y - whole : 2 * y;
    }
}

static int merge_top(struct sorter *s)
{
    struct run *a = &s->runs[s->nruns - 2], *b = &s->runs[s->nruns - 1];
    PCDF_TRY(merge(s, s->x + a->at, a->n, a->n + b->n));
    a->n += b->n;
    s->nruns--;
    return NC_NOERR;
}

static int sort_runs(struct sorter *s)
{
    for (size_t at = 0; at < s->n;) {
        struct run run = { at, find_run(s->x + at, s->n - at), 0 };
        at += run.n;
        if (s->nruns > 0)
            run.level = level_of(&s->runs[s->nruns - 1], &run, s->n);
        while (s->nruns > 1 && s->runs[s->nruns - 1].level > run.level)
            PCDF_TRY(merge_top(s));
        s->runs[s->nruns++] = run;
    }
    while (s->nruns > 1)
        PCDF_TRY(merge_top(s));
    return NC_NOERR;
}

int pcdf_items_sort(struct pcdf_item *items, size_t n)
{
    struct sorter s = { .x = items, .n = n };
    int err = sort_runs(&s);
    pcdf_free(s.scratch);
    return err;
}
