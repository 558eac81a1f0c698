#ifndef PCDF_BOXES_H
#define PCDF_BOXES_H
/* The language between requests and storages of chunks: hyperslabs of variables, each with its memory. A
 * storage that writes chunks will take the same struct, as `put_boxes`: with `give`, which fetches values, in
 * the place of `take`. */

#include <stddef.h>
#include <stdint.h>

struct pcdf_box {
    int varid;
    /* Inside the variable, as many as it has dimensions. No count is 0. */
    const int64_t *start, *count;
    const int64_t *stride; /* NULL: ones */
    /* Dense, in row-major order. NULL where the values are taken. */
    char *values;
};

struct pcdf_boxes { /* what one get wants */
    size_t n;
    const struct pcdf_box *x;
    int64_t nbytes; /* bytes of all values in their external type */
    /* NULL: the values of a box go to its memory, in the order of this machine. Else n values of box number
     * `box`, from number `element` on, are handed over as a classic file has them (big-endian): each once, in
     * any order. values is there only until take returns. */
    void (*take)(void *context, size_t box, int64_t element, int64_t n, const unsigned char *values);
    void *context;
};
#endif
