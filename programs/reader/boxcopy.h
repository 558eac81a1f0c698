#ifndef PCDF_BOXCOPY_H
#define PCDF_BOXCOPY_H
/* Boxes of values between two arrays in memory, each with a step in bytes for every dimension. Pure. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_boxcopy {
    int ndims;
    const int64_t *count;     /* not 0 */
    const int64_t *from, *to; /* bytes from one index to the next */
    int size;                 /* of a value */
};

/* Bytes from one index to the next, of an array whose values lie together; gives its bytes. */
int64_t pcdf_boxcopy_steps(int ndims, const int64_t *shape, int size, int64_t *steps);
/* Bytes from index `low` to another index. */
int64_t pcdf_boxcopy_offset(int ndims, const int64_t *low, const int64_t *index, const int64_t *steps);
/* Bytes from the first value of dimensions `dim` and later to behind the last one, by these steps. */
int64_t pcdf_boxcopy_span(const struct pcdf_boxcopy *box, int dim, const int64_t *steps);
/* Bytes of all values of these dimensions. */
int64_t pcdf_boxcopy_bytes(const struct pcdf_boxcopy *box, int dim);
/* Dimensions `dim` and later. */
void pcdf_boxcopy_move(const struct pcdf_boxcopy *box, int dim, const unsigned char *from, unsigned char *to);
/* The same, but values that are there already, as `mask` (a byte for each byte of `to`) tells, must be equal;
 * the others are copied, and are there then. false: one differs. */
bool pcdf_boxcopy_merge(const struct pcdf_boxcopy *box, int dim, const unsigned char *from, unsigned char *to,
                        unsigned char *mask);
/* `to` gets this value everywhere. */
void pcdf_boxcopy_fill(const struct pcdf_boxcopy *box, int dim, const unsigned char *value,
                       unsigned char *to);
#endif
