/* Numbers of elements (base/grid.h) and boxes of an array (programs/reader/toolgrid.h) against plain loops:
 * random shapes and boxes, without dimensions, with lengths of 0, with steps that do not divide a length, and
 * with lengths near 2^63. */
#include "check.h"
#include "toolgrid.h"

#include <stdlib.h>

enum { MOST = 5, MOST_VALUES = 4096 };

static uint64_t state = 17;

static int64_t random_below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

static int64_t product(int ndims, const int64_t *x)
{
    int64_t n = 1;
    for (int i = 0; i < ndims; i++)
        n *= x[i];
    return n;
}

/* ---- indices */

/* The numbers of an array counted up, index by index. */
static void check_indices(int ndims, const int64_t *shape)
{
    int64_t index[MOST], want[MOST] = { 0 }, n = product(ndims, shape);
    CHECK_INT(pcdf_grid_count(ndims, shape), n);
    for (int64_t number = 0; number < n; number++) {
        pcdf_grid_index(ndims, shape, number, index);
        for (int i = 0; i < ndims; i++)
            CHECK_INT(index[i], want[i]);
        CHECK_INT(pcdf_grid_number(ndims, shape, index), number);
        CHECK_INT(pcdf_grid_advance(ndims, NULL, shape, want), number + 1 < n);
    }
    for (int i = 0; i < ndims; i++)
        CHECK_INT(want[i], 0);
}

/* ---- boxes */

/* Each value of the box is in one smaller box; these come in order, and each can be visited by its number. */
static void check_boxes(int ndims, const int64_t *low, const int64_t *length, const int64_t *step)
{
    static unsigned char seen[MOST_VALUES];
    struct pcdf_grid grid, again;
    int64_t nboxes = 1, visited = 0, values = 0, last = -1, per[MOST];
    CHECK(pcdf_grid_begin(&grid, ndims) && pcdf_grid_begin(&again, MOST), "no memory");
    pcdf_grid_cut(&grid, ndims, low, length, step);
    pcdf_grid_cut(&again, ndims, low, length, step);
    for (int i = 0; i < ndims; i++) {
        per[i] = (length[i] + step[i] - 1) / step[i];
        nboxes *= per[i];
    }
    CHECK_INT(pcdf_grid_boxes(&grid), nboxes);
    memset(seen, 0, sizeof seen);
    for (; pcdf_grid_next(&grid); visited++) {
        int64_t at[MOST], number = 0, index[MOST];
        pcdf_grid_visit(&again, visited);
        for (int i = 0; i < ndims; i++) {
            at[i] = (grid.start[i] - low[i]) / step[i];
            number = number * per[i] + at[i];
            int64_t left = length[i] - at[i] * step[i];
            CHECK_INT(grid.start[i], low[i] + at[i] * step[i]);
            CHECK_INT(grid.count[i], left < step[i] ? left : step[i]);
            CHECK_INT(again.start[i], grid.start[i]);
            CHECK_INT(again.count[i], grid.count[i]);
            index[i] = grid.start[i];
        }
        CHECK(number > last, "box %" PRId64 " comes after box %" PRId64, number, last);
        last = number;
        values += pcdf_grid_values(&grid);
        do {
            int64_t value = 0;
            for (int i = 0; i < ndims; i++)
                value = value * length[i] + index[i] - low[i];
            CHECK_INT(seen[value]++, 0);
        } while (pcdf_grid_advance(ndims, grid.start, grid.count, index));
    }
    CHECK_INT(visited, nboxes);
    CHECK_INT(values, product(ndims, length));
    if (nboxes > 1) { /* and goes on from there */
        pcdf_grid_visit(&again, nboxes - 2);
        CHECK(pcdf_grid_next(&again) && !pcdf_grid_next(&again), "one box is left");
    }
    pcdf_grid_end(&again);
    pcdf_grid_end(&grid);
}

/* ---- choosing a step */

/* The longest of the lengths that have room, found by trying. */
static void check_choice(int ndims, const int64_t *shape, const int64_t *unit, int64_t size, int64_t most,
                         bool is_even)
{
    int64_t step[MOST], bytes = size * (unit ? product(ndims, unit) : 1);
    bool is_open = true;
    pcdf_grid_choose(ndims, shape, unit, size, most, is_even, step);
    for (int i = ndims - 1; i >= 0; i--) {
        int64_t one = unit ? unit[i] : 1, units = 0, taken = 1, parts = 1;
        while (units * one < shape[i])
            units++;
        while (is_open && taken < units && bytes * (taken + 1) <= most)
            taken++;
        if (is_even) {
            while (parts * taken < units)
                parts++;
            for (taken = 1; parts * taken < units;)
                taken++;
        }
        taken = is_open ? taken : 1;
        CHECK_INT(step[i], taken * one);
        bytes *= taken;
        is_open = is_open && taken >= units;
    }
}

static void check_one(void)
{
    int ndims = (int)random_below(MOST + 1);
    int64_t shape[MOST], low[MOST], step[MOST], unit[MOST], most = 1 + random_below(2000);
    for (int i = 0; i < ndims; i++) {
        shape[i] = random_below(40) ? 1 + random_below(5) : 0;
        low[i] = random_below(3) ? random_below(1000) : INT64_MAX - 10;
        step[i] = 1 + random_below(7);
        unit[i] = 1 + random_below(4);
    }
    check_indices(ndims, shape);
    check_boxes(ndims, low, shape, step);
    for (int k = 0; k < 4; k++)
        check_choice(ndims, shape, k & 1 ? unit : NULL, 1 + random_below(8), most, k & 2);
}

/* ---- shares, and large numbers */

static void check_shares(int64_t n, int nranks)
{
    int64_t end = 0;
    for (int rank = 0; rank < nranks; rank++) {
        int64_t from, to;
        pcdf_grid_share(n, rank, nranks, &from, &to);
        CHECK_INT(from, end);
        CHECK(to - from == n / nranks || to - from == n / nranks + 1, "rank %d has %" PRId64 " of %" PRId64,
              rank, to - from, n);
        end = to;
    }
    CHECK_INT(end, n);
}

static void check_large(void)
{
    const int64_t huge[] = { INT64_MAX, 3 }, none[] = { INT64_MAX, INT64_MAX, 0 }, ones[] = { 1, 1, 1 };
    const int64_t long_row[] = { 2, INT64_MAX / 2 }, unit[] = { INT64_MAX - 1, 5 };
    const int64_t records[] = { 0, 5, 7 };
    int64_t step[3], index[3];
    struct pcdf_grid grid;
    CHECK_INT(pcdf_grid_count(2, huge), INT64_MAX);
    CHECK_INT(pcdf_grid_count(3, none), 0);
    CHECK_INT(pcdf_grid_count(1, huge), INT64_MAX);
    CHECK_INT(pcdf_grid_chunks(0, NULL, NULL), 1);
    CHECK_INT(pcdf_grid_chunks(2, huge, (const int64_t[]){ INT64_MAX, 2 }), 2);
    CHECK_INT(pcdf_grid_chunks(2, huge, (const int64_t[]){ 2, 3 }), INT64_MAX / 2 + 1);
    CHECK_INT(pcdf_grid_chunks(2, huge, (const int64_t[]){ 1, 2 }), INT64_MAX);
    CHECK_INT(pcdf_grid_chunks(3, none, ones), 0);
    pcdf_grid_index(2, long_row, INT64_MAX - 1, index);
    CHECK_INT(index[0], 2);
    CHECK_INT(index[1], 0);
    pcdf_grid_index(2, long_row, INT64_MAX - 2, index);
    CHECK_INT(pcdf_grid_number(2, long_row, index), INT64_MAX - 2);
    pcdf_grid_index(3, records, INT64_MAX, index);
    CHECK_INT(pcdf_grid_number(3, records, index), INT64_MAX);
    CHECK_INT(index[0], INT64_MAX / 35);
    CHECK(pcdf_grid_begin(&grid, 3), "no memory");
    pcdf_grid_cut(&grid, 2, NULL, huge, ones);
    CHECK_INT(pcdf_grid_boxes(&grid), INT64_MAX);
    pcdf_grid_visit(&grid, INT64_MAX);
    CHECK_INT(grid.start[0], INT64_MAX / 3);
    pcdf_grid_cut(&grid, 3, NULL, none, ones);
    CHECK_INT(pcdf_grid_boxes(&grid), 0);
    CHECK(!pcdf_grid_next(&grid) && !pcdf_grid_next(&grid), "an empty box has none");
    pcdf_grid_choose(2, huge, NULL, 8, 1 << 20, false, step); /* whole rows of 24 bytes */
    CHECK_INT(step[0], (1 << 20) / 24);
    CHECK_INT(step[1], 3);
    pcdf_grid_choose(2, huge, unit, 8, 1 << 20, true, step); /* one unit has more bytes than fit 63 bits */
    CHECK_INT(step[0], INT64_MAX - 1);
    CHECK_INT(step[1], 5);
    pcdf_grid_cut(&grid, 2, NULL, huge, step);
    CHECK_INT(pcdf_grid_boxes(&grid), 2);
    pcdf_grid_visit(&grid, 1);
    CHECK_INT(grid.count[0], 1);
    pcdf_grid_choose(2, huge, NULL, 1, INT64_MAX, false, step);
    CHECK_INT(step[0], INT64_MAX / 3);
    pcdf_grid_end(&grid);
}

int main(void)
{
    for (int i = 0; i < 3000; i++)
        check_one();
    for (int nranks = 1; nranks < 20; nranks++)
        for (int64_t n = 0; n < 50; n++)
            check_shares(n, nranks);
    check_shares(INT64_MAX, 1000);
    check_large();
    return check_done("grid_boxes");
}
