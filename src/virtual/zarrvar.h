#ifndef PCDF_ZARRVAR_H
#define PCDF_ZARRVAR_H
/* What the metadata of one array says. Local. */

#include "image.h"
#include "zarrtree.h"
#include "zarrtype.h"

struct pcdf_zarr_var {
    struct pcdf_chunked v; /* shape, chunk, order, type, and of the map: separator, is_v3, shard. Owned */
    struct pcdf_chain chain, index_chain; /* index_chain: of shards */
    bool has_fill;
    unsigned char fill[8]; /* native, as stored */
    char why[200];         /* not "": why it has no place here */
    bool is_unit;          /* a scalar that is stored as one element of one dimension (NCZarr) */
};

/* NC_ENOMEM. What is wrong with the array itself is told in `why`. */
int pcdf_zarr_var_read2(const struct pcdf_zarr_tree *tree, const struct pcdf_zarr_node *node,
                        struct pcdf_zarr_var *var);
int pcdf_zarr_var_read3(const struct pcdf_zarr_tree *tree, const struct pcdf_zarr_node *node,
                        struct pcdf_zarr_var *var);
void pcdf_zarr_var_free(struct pcdf_zarr_var *var);

/* For both: a list of n lengths (-1: of as many as it has, which *n gets) from `least` on. */
int pcdf_zarr_lengths(struct pcdf_zarr_var *var, const struct pcdf_json_value *object, const char *key,
                      int64_t least, int64_t **lengths, int *n);
int pcdf_zarr_refuse(struct pcdf_zarr_var *var, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pcdf_zarr_refuse_type(struct pcdf_zarr_var *var, const struct pcdf_json_value *type);
/* Are bytes of a chunk and their number what memory can hold? */
void pcdf_zarr_measure(struct pcdf_zarr_var *var);
/* A name that an object has twice: other readers may take the other one. NULL: none. */
const char *pcdf_zarr_twice(const struct pcdf_json_value *object);

/* An attribute of JSON: values that classic.h takes; type: what NCZarr says it is, or NULL; own: otherwise
 * this one if all numbers have it, or NULL. `memory` is to be freed. */
struct pcdf_classic_values;
int pcdf_zarr_att(const struct pcdf_json_value *v, const char *type, const struct pcdf_zarr_type *own,
                  struct pcdf_classic_values *values, void **memory);
#endif
