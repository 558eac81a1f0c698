/* A run of values in the order of the file as hyperslabs: see copymove.h. */
#include "alloc.h"
#include "copymove.h"
#include "numbers.h"
#include "toolgrid.h"

bool pcdf_copy_boxes_begin(struct pcdf_copy_boxes *boxes, int ndims)
{
    size_t each = (size_t)ndims + 1;
    *boxes = (struct pcdf_copy_boxes){ 0 };
    boxes->starts = pcdf_calloc(PCDF_COPY_BOXES, sizeof *boxes->starts);
    boxes->counts = pcdf_calloc(PCDF_COPY_BOXES, sizeof *boxes->counts);
    int64_t *numbers = pcdf_calloc(2 * PCDF_COPY_BOXES * each, sizeof *numbers);
    if (!boxes->starts || !boxes->counts || !numbers) {
        pcdf_free(numbers);
        pcdf_copy_boxes_end(boxes);
        return false;
    }
    for (size_t i = 0; i < PCDF_COPY_BOXES; i++) {
        boxes->starts[i] = numbers + 2 * i * each;
        boxes->counts[i] = numbers + (2 * i + 1) * each;
    }
    return true;
}

void pcdf_copy_boxes_end(struct pcdf_copy_boxes *boxes)
{
    pcdf_free(boxes->starts ? boxes->starts[0] : NULL);
    pcdf_free(boxes->starts);
    pcdf_free(boxes->counts);
    *boxes = (struct pcdf_copy_boxes){ 0 };
}

/* The largest box that begins at value `first` and has up to n values. Gives how many it has. */
static int64_t fill_one(int64_t *start, int64_t *count, const int64_t *shape, int ndims, int64_t first,
                        int64_t n)
{
    int64_t below = 1; /* values in one step of dimension i */
    int i = ndims - 1;

    pcdf_grid_index(ndims, shape, first, start);
    for (; i > 0 && start[i] == 0 && shape[i] <= n / below; i--) {
        count[i] = shape[i];
        below *= shape[i];
    }
    count[i] = i > 0 ? pcdf_smaller(n / below, shape[i] - start[i]) : n / below;
    for (int k = 0; k < i; k++)
        count[k] = 1;
    return below * count[i];
}

void pcdf_copy_boxes_fill(struct pcdf_copy_boxes *boxes, const int64_t *shape, int ndims, int64_t first,
                          int64_t n)
{
    boxes->n = 0;
    if (ndims == 0) {
        boxes->n = 1;
        return;
    }
    while (n > 0) {
        int64_t got = fill_one(boxes->starts[boxes->n], boxes->counts[boxes->n], shape, ndims, first, n);
        boxes->n++;
        first += got;
        n -= got;
    }
}
