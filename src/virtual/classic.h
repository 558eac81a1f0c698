#ifndef PCDF_CLASSIC_H
#define PCDF_CLASSIC_H
/* From any format's definitions to those of the classic model, in one place for HDF5, HDF4 and Zarr:
 * - groups are flattened: variable v of group /a/b becomes "a.b.v", with the attribute _path "/a/b/v"; an
 *   attribute of a group becomes the global attribute "a.b.att"; dimensions alike;
 * - names become legal and unique (a second "x" is "x_2"), which is told;
 * - one unlimited dimension becomes the record dimension: the first one that is the first dimension of every
 *   variable that has it, and is nowhere else; others are fixed at their present length;
 * - types: bool becomes NC_BYTE, float16 NC_FLOAT, texts chars with one more dimension;
 * - what has no place is left out and named (pcdf_image_left_out).
 *
 * Used as: begin, dimensions, variables and attributes in the order of the source, finish. Local. */

#include "image.h"

struct pcdf_classic;

/* image: after pcdf_image_init. */
int pcdf_classic_begin(struct pcdf_image *image, struct pcdf_classic **c);
void pcdf_classic_free(struct pcdf_classic *c); /* also instead of finish */

/* group: "" or "/a/b". id: for pcdf_classic_var. length may be 0. */
int pcdf_classic_dim(struct pcdf_classic *c, const char *group, const char *name, int64_t length,
                     bool is_unlimited, int *id);

/* A variable. dims: of the stored dimensions (v->ndims). v: shape may be shorter along unlimited dimensions
 * than these are. It is taken over, also where this fails. id: for pcdf_classic_att; -1: it was left out. */
int pcdf_classic_var(struct pcdf_classic *c, const char *group, const char *name, const int *dims,
                     struct pcdf_chunked *v, int *id);

/* An attribute: var -1: of the group. n values, native byte order, as `stored` and size say; texts: of `size`
 * bytes each, NULs at the end are cut, and several are joined by newlines. */
struct pcdf_classic_values {
    enum pcdf_stored stored;
    int size;
    int64_t n;
    const void *values;
};
int pcdf_classic_att(struct pcdf_classic *c, const char *group, int var, const char *name,
                     const struct pcdf_classic_values *values);
/* The fill value of a variable, native: sets v->fill, and the attribute _FillValue unless says_nothing. */
int pcdf_classic_fill(struct pcdf_classic *c, int var, const void *value, bool says_nothing);

/* Record rule, definitions, layout, header. NC_ENOMEM and codes of format/. Frees c. */
int pcdf_classic_finish(struct pcdf_classic *c);
#endif
