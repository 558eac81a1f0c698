#ifndef PCDF_JOINCOVER_H
#define PCDF_JOINCOVER_H
/* Do boxes cover an array: is anything left out, or there twice? Pure. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_join_span {   /* of a tile on an axis */
    int64_t first, count; /* in the new file */
    int64_t local;        /* where that begins in the tile's own file */
};

struct pcdf_join_boxes {
    int64_t n;
    int naxes;                          /* spans of each box */
    const struct pcdf_join_span *spans; /* of box i and axis k: i * naxes + k */
};

struct pcdf_join_cover {
    bool has_overlap, has_hole;
    int64_t *hole; /* of each chosen axis: first and count of one hole. The caller's */
};

/* chosen: n axes, of these lengths. An NC_ code: no memory, or the boxes are so irregular that it cannot be
 * told in bounded memory. */
int pcdf_join_cover(const struct pcdf_join_boxes *boxes, int n, const int *chosen, const int64_t *lengths,
                    struct pcdf_join_cover *cover);
#endif
