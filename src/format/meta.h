#ifndef PCDF_META_H
#define PCDF_META_H
/* Dimensions, variables and attributes of one file: a pure value that can be copied, encoded and
 * decoded. No I/O, no MPI. Where things lie in the file is layout.h's business. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "types.h"

struct pcdf_names; /* name -> id, seeded hash; base/names.h */

/* Names, dimension ids and the attributes of a list lie in the arena of their meta. A name comes first in its
 * struct (names.h); name_length: its bytes without the NUL. */
struct pcdf_dim {
    char *name;
    int64_t length; /* 0 = the record dimension */
    int name_length;
};

struct pcdf_att {
    char *name;
    nc_type type;
    int name_length;
    int64_t nelems;
    unsigned char
        *values; /* external form: big-endian, padded with zeros to 4 bytes; NULL when nelems is 0 */
};

struct pcdf_atts {
    struct pcdf_att *x;
    int n, room;
    struct pcdf_names *index; /* made when n grows past a few, NULL before */
};

/* How the values of a variable are rounded when they are put (quantize.h). digits are what is kept: decimal
 * ones, or bits; 0 where the mode is none. */
struct pcdf_quantize {
    unsigned char mode; /* enum pcdf_quantize_mode */
    unsigned char digits;
};

struct pcdf_var {
    char *name;
    nc_type type;
    int ndims;
    int *dimids;
    struct pcdf_atts atts;
    int64_t nbytes; /* external bytes of the whole variable, of one record where is_record; not padded */
    int name_length;
    bool is_record;
    struct pcdf_quantize quantize; /* in a file an attribute tells it */
};

struct pcdf_meta {
    enum pcdf_version version;
    /* By whose rule values convert: the version's own; of a netCDF-4 file of the classic model CDF-2's. */
    enum pcdf_version ranges;
    int64_t numrecs;
    struct pcdf_dim *dims;
    int ndims, dims_room, record_dim; /* record_dim: id of the record dimension, -1 when there is none */
    struct pcdf_var *vars;
    int nvars, vars_room, nrecord_vars;
    struct pcdf_atts gatts;
    struct pcdf_names *dim_index, *var_index;
    struct pcdf_arena arena;
    int natt_indexes; /* attribute lists of variables that have an index */
};

void pcdf_meta_init(struct pcdf_meta *meta, enum pcdf_version version);
void pcdf_meta_set_version(struct pcdf_meta *meta, enum pcdf_version version); /* and its own rules */
void pcdf_meta_free(struct pcdf_meta *meta);
int pcdf_meta_copy(struct pcdf_meta *to, const struct pcdf_meta *from); /* NC_ENOMEM: `to` is empty */
/* Names and values that were replaced keep their memory: where that is half of all, this gives it back.
 * Pointers into meta are no longer valid then. */
void pcdf_meta_tidy(struct pcdf_meta *meta);

/* Look-up by NFC name: id, or -1. */
int pcdf_meta_find_dim(const struct pcdf_meta *meta, const char *name);
int pcdf_meta_find_var(const struct pcdf_meta *meta, const char *name);
int pcdf_atts_find(const struct pcdf_atts *atts, const char *name);

/* The attribute list of a variable, or the global one for NC_GLOBAL; NULL when varid is out of range. To be
 * changed only where meta may be. */
struct pcdf_atts *pcdf_meta_atts(const struct pcdf_meta *meta, int varid);

/* Adding takes over nothing: names, dimids and values are copied. Rules (uniqueness, limits, types, sizes)
 * are the caller's, see rules.h; these fail only with NC_ENOMEM and then change nothing. *id may be NULL. */
int pcdf_meta_add_dim(struct pcdf_meta *meta, const char *name, int64_t length, int *id);
int pcdf_meta_add_var(struct pcdf_meta *meta, const char *name, nc_type type, int ndims, const int *dimids,
                      int *id);
/* atts: a list of this meta. Adds or replaces. values: external form, nelems * size bytes (padding is added
 * here); NULL = zeros. */
int pcdf_atts_put(struct pcdf_meta *meta, struct pcdf_atts *atts, const char *name, nc_type type,
                  int64_t nelems, const void *values);
/* Adds, though the list, as files do that were not written well, may have the name already: look-ups find the
 * first. */
int pcdf_atts_append(struct pcdf_meta *meta, struct pcdf_atts *atts, const char *name, nc_type type,
                     int64_t nelems, const void *values);
int pcdf_atts_replace(struct pcdf_meta *meta, struct pcdf_atts *atts, int attid, nc_type type, int64_t nelems,
                      const void *values);

/* edit.c. The name is copied; its uniqueness is the caller's. atts: the list of an attribute. NC_ENOMEM:
 * nothing changed. */
enum pcdf_named { PCDF_DIMENSION, PCDF_VARIABLE, PCDF_ATTRIBUTE };
int pcdf_meta_rename(struct pcdf_meta *meta, enum pcdf_named what, struct pcdf_atts *atts, int id,
                     const char *name);
/* Later ids move down by one. */
void pcdf_atts_delete(struct pcdf_meta *meta, struct pcdf_atts *atts, int attid);

/* Shape of a variable: shape[i] of dimension i, the record dimension as meta->numrecs. */
void pcdf_var_shape(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t *shape);

/* Bytes of a variable (of one record), -1 when they, padded to 4, do not fit in 63 bits. */
int64_t pcdf_meta_var_bytes(const struct pcdf_meta *meta, nc_type type, int ndims, const int *dimids);

/* Bytes of the values of an attribute in the file, padded to 4; -1: more than fit in 63 bits. */
static inline int64_t pcdf_att_padded(nc_type type, int64_t nelems)
{
    int64_t nbytes;
    if (__builtin_mul_overflow(nelems, (int64_t)pcdf_type_size(type), &nbytes) || nbytes > INT64_MAX - 3)
        return -1;
    return (nbytes + 3) & ~(int64_t)3;
}
#endif
