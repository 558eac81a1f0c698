#ifndef PCDF_H5FILE_H
#define PCDF_H5FILE_H
/* An HDF5 file while its map is made. The file is walked once (h5walk.c), which finds groups and data sets;
 * then dimensions are found (h5dims.c), and each data set becomes a variable (h5map.c, h5types.c, h5atts.c).
 * Nothing outside the file is ever opened: external links, external storage and virtual data sets are left
 * out. */

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include "plugin.h"

enum { PCDF_H5_RANK = H5S_MAX_RANK };

struct pcdf_h5_group {
    char *path; /* "" of the root, "/a/b" */
    haddr_t address;
    int depth;
};

struct pcdf_h5_dim {
    int group;
    char *name;
    haddr_t address; /* of its scale; HADDR_UNDEF: it has none */
    int64_t length;
    bool is_unlimited;
    int number; /* as _Netcdf4Dimid says; -1 */
    int id;     /* as the builder has it */
};

struct pcdf_h5_set { /* a data set */
    int group;
    char *name;
    haddr_t address;
    const char *reason; /* why it is left out; NULL: it is not */
    int rank;
    int64_t shape[PCDF_H5_RANK];
    bool is_unlimited[PCDF_H5_RANK];
    bool is_scale;
    bool is_dim_alone; /* a scale that is a dimension and no variable */
    int own_dim;       /* of a scale: index of its dimension; -1 */
    int dims[PCDF_H5_RANK];
};

struct pcdf_h5 {
    const struct pcdf_map_source *source;
    const struct pcdf_map_builder *to;
    hid_t file;
    struct pcdf_h5_group *groups;
    size_t ngroups, groups_room;
    struct pcdf_h5_dim *dims;
    size_t ndims, dims_room;
    struct pcdf_h5_set *sets;
    size_t nsets, sets_room;
    struct pcdf_h5_text *texts; /* names, freed together */
    int64_t inline_bytes;       /* of values that are in the map itself */
    bool is_netcdf4, is_strict;
    int err;            /* in callbacks of libhdf5: what failed */
    unsigned char *raw; /* room for a chunk, which is never read */
    size_t raw_room;
};

/* h5plugin.c. Sentences go to the builder. */
int pcdf_h5_fail(struct pcdf_h5 *h, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "libhdf5 cannot read <what>: <why>", NC_ENOTNC. */
int pcdf_h5_damaged(struct pcdf_h5 *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
int pcdf_h5_left_out(struct pcdf_h5 *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *pcdf_h5_keep(struct pcdf_h5 *h, const char *text); /* NULL: no memory */
/* Room for one more in a list. false: no memory. */
bool pcdf_h5_reserve(void *list, size_t n, size_t *room, size_t each);

int pcdf_h5_walk(struct pcdf_h5 *h);

int pcdf_h5_find_dims(struct pcdf_h5 *h);

/* h5types.c */
struct pcdf_h5_type {
    enum pcdf_stored stored;
    int size;
    bool is_big;
    bool is_varying;    /* texts of any length, read as pointers */
    const char *reason; /* the classic model has no place for it: why; NULL: it has */
};
struct pcdf_h5_type pcdf_h5_type_of(hid_t type);
/* Values as they lie in the file become native ones. */
void pcdf_h5_to_native(const struct pcdf_h5_type *type, void *values, int64_t n);
/* n pointers to texts become n texts of *size bytes each (malloc). NULL: no memory, or more than `most`
 * bytes. */
char *pcdf_h5_rows(char **texts, int64_t n, int64_t most, int *size);

/* h5atts.c: the attributes of a group or (var >= 0) a variable. */
int pcdf_h5_atts(struct pcdf_h5 *h, hid_t object, const char *group, int var, const char *name,
                 bool is_scale);
struct pcdf_h5_att { /* of an object, open */
    hid_t id, type, space;
    hssize_t n; /* values; -1: it is not there, or is damaged */
};
/* To be closed in any case. */
struct pcdf_h5_att pcdf_h5_att_open(hid_t object, const char *name);
void pcdf_h5_att_close(const struct pcdf_h5_att *att);
/* Up to n ints of an attribute: how many it has; -1: there is no such attribute of whole numbers. */
int pcdf_h5_att_ints(hid_t object, const char *name, int n, int *values);
/* A text attribute of fixed size, cut to the room. false: there is none. */
bool pcdf_h5_att_text(hid_t object, const char *name, char *text, size_t room);

/* h5map.c */
int pcdf_h5_var(struct pcdf_h5 *h, const struct pcdf_h5_set *set);

/* h5vfd.c: libhdf5 reads through the builder's source, and by this alone. */
int pcdf_h5_driver(const struct pcdf_map_source *source, hid_t *fapl); /* 0; -1 */
void pcdf_h5_driver_end(void);
/* While it records, what libhdf5 would read of raw data is noted and not read. */
void pcdf_h5_record(bool on);
bool pcdf_h5_recorded(haddr_t *address, size_t *n); /* the last one since this or record was called */
#endif
