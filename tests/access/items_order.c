/* Fixes the order of a plan's items, whatever order they come in: by offset, then as posted, against the C
 * library's sort; sorted, falling, random and nearly sorted lists, runs that interleave, many equal offsets,
 * and runs too long for the scratch memory, which stays bounded. One process, no file. */
#include <stdlib.h>
#include "alloc.h"
#include "check.h"
#include "items.h"

static uint64_t seed = 1;

static int64_t draw(int64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((seed >> 33) % (uint64_t)below);
}

static int by_place(const void *a, const void *b)
{
    const struct pcdf_item *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

enum order { RANDOM, RISING, FALLING, NEARLY, RUNS, TURNED, EQUAL, ORDERS };

/* `runs`: how many runs where that is the order's way. */
static int64_t offset_of(enum order order, size_t i, size_t n, size_t runs)
{
    size_t length = n / runs + 1;
    switch (order) {
    case RISING:
        return (int64_t)i;
    case FALLING:
        return (int64_t)(n - i);
    case NEARLY:
        return (int64_t)i * 4 + draw(draw(50) ? 3 : 400);
    case RUNS:
        return (int64_t)(i % length * runs + i / length);
    case TURNED:
        return (int64_t)((i + n / 3) % n);
    case EQUAL:
        return draw(5);
    default:
        return draw(1 << 30);
    }
}

static void one_list(enum order order, size_t n, size_t runs)
{
    struct pcdf_item *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    for (size_t i = 0; i < n; i++) /* element tells them all apart, request some */
        x[i] = (struct pcdf_item){ offset_of(order, i, n, runs), (int64_t)i, (int)(i / 7), (int)(i % 1000) };
    memcpy(y, x, n * sizeof *x);
    int64_t before = pcdf_alloc_now();
    CHECK_INT(pcdf_items_sort(x, n), 0);
    CHECK_INT(pcdf_alloc_now(), before);
    qsort(y, n, sizeof *y, by_place);
    CHECK(memcmp(x, y, n * sizeof *x) == 0, "order %d of %zu items, %zu runs", (int)order, n, runs);
    free(x);
    free(y);
}

int main(void)
{
    for (int order = 0; order < ORDERS; order++)
        for (int i = 0; i < 60; i++)
            one_list((enum order)order, (size_t)draw(i < 40 ? 100 : 5000) + 1, (size_t)draw(40) + 1);
    CHECK(pcdf_alloc_peak() < 5000 * 24, "%" PRId64 " bytes of scratch", pcdf_alloc_peak());
    one_list(RUNS, 3 << 19, 2); /* each run longer than the scratch may be */
    CHECK(pcdf_alloc_peak() <= (16 << 20) + 64, "%" PRId64 " bytes of scratch", pcdf_alloc_peak());
    pcdf_alloc_fail_at(1, 0);
    struct pcdf_item two[] = { { 5, 0, 0, 1 }, { 1, 1, 0, 2 } };
    CHECK_INT(pcdf_items_sort(two, 2), 0); /* few need no memory */
    pcdf_alloc_fail_at(0, 0);
    return check_done("items_order");
}
