#ifndef PCDF_NCSOURCE_H
#define PCDF_NCSOURCE_H
/* A netCDF-4 or NCZarr data set while it is read (ncsource.c), and its definitions as classic ones
 * (ncflatten.c). */

#include "zarrarray.h"

struct pcdf_nc_dim { /* of any group; the index is libnetcdf's dimension id */
    char *name;      /* flattened: "group_name" */
    int64_t length;
    bool is_scalar, is_unlimited, leads, follows; /* a variable has it first; has it elsewhere */
    int dimid;                                    /* in the flattened definitions, -1 while it has none */
};

struct pcdf_nc_var {
    int group, varid;              /* libnetcdf's */
    bool is_scalar;                /* has libnetcdf's dimension of one that stands for none */
    int64_t width;                 /* of the longest string of a string variable; 0: not one */
    int64_t *chunk;                /* NULL: contiguous */
    int64_t cache;                 /* bytes of one chunk */
    struct pcdf_zarr_array *array; /* of a store: numbers are read there; NULL: by libnetcdf. Owned */
};

struct pcdf_nc {
    const char *path;
    const struct pcdf_foreign_options *options;
    int ncid;
    int64_t file_size; /* -1: a folder */
    int folder;        /* its descriptor, or -1 */
    char url[64];      /* libnetcdf's name of it */
    struct pcdf_nc_dim *dims;
    int ndims;
    struct pcdf_nc_var *vars;
    int nvars, room;
    int64_t **chunks;             /* of vars, as the source shows them */
    int64_t held;                 /* bytes that libnetcdf keeps of a store */
    int cached;                   /* the variable whose chunks are held in memory, -1 */
    struct pcdf_zarr_array *last; /* read last: of a store the one whose chunk is held, or NULL */
    struct pcdf_meta *meta;
};

/* Fills meta and vars from the open data set. Says what is wrong: UNUSABLE, what there is stays to be freed.
 */
int pcdf_nc_flatten(struct pcdf_nc *nc);
/* Says "WHAT: libnetcdf's sentence", or that there is no room to write, gives UNUSABLE. */
int pcdf_nc_failed(const char *path, int err, const char *format, ...) __attribute__((format(printf, 3, 4)));
int pcdf_nc_no_memory(const struct pcdf_nc *nc);
/* ncdims.c: "prefix_name" as a legal name. room: PCDF_NC_NAME bytes. */
enum { PCDF_NC_NAME = NC_MAX_NAME + 1 };
int pcdf_nc_join(const struct pcdf_nc *nc, const char *prefix, const char *name, char *room);
/* The group and those in it; prefix: what the names of its members begin with. */
typedef int (*pcdf_nc_visit)(struct pcdf_nc *nc, int group, const char *prefix);
int pcdf_nc_walk(struct pcdf_nc *nc, int group, const char *outer, int depth, pcdf_nc_visit function);
/* Fills dims, and meta's dimensions. */
int pcdf_nc_add_dims(struct pcdf_nc *nc);
/* Strings libnetcdf made, or NULLs. */
void pcdf_nc_free_strings(char **strings, int64_t n);
#endif
