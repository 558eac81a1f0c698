#ifndef PCDF_JOINBOX_H
#define PCDF_JOINBOX_H
/* Boxes of values between two arrays in memory, each with a step in bytes for every dimension. Pure. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_join_box {
    int ndims;
    const int64_t *count;     /* not 0 */
    const int64_t *from, *to; /* bytes from one index to the next */
    int size;                 /* of a value */
};

/* Bytes from the first value of dimensions `dim` and later to behind the last one, by these steps. */
int64_t pcdf_join_box_span(const struct pcdf_join_box *box, int dim, const int64_t *steps);
/* Bytes of all values of these dimensions. */
int64_t pcdf_join_box_bytes(const struct pcdf_join_box *box, int dim);
/* Dimensions `dim` and later. */
void pcdf_join_box_copy(const struct pcdf_join_box *box, int dim, const unsigned char *from,
                        unsigned char *to);
/* The same, but values that are there already, as `mask` (a byte for each byte of `to`) tells, must be equal;
 * the others are copied, and are there then. false: one differs. */
bool pcdf_join_box_merge(const struct pcdf_join_box *box, int dim, const unsigned char *from,
                         unsigned char *to, unsigned char *mask);
/* `to` gets this value everywhere. */
void pcdf_join_box_fill(const struct pcdf_join_box *box, int dim, const unsigned char *value,
                        unsigned char *to);
#endif
