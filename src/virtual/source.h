#ifndef PCDF_SOURCE_H
#define PCDF_SOURCE_H
/* What a name is, and how its image is made. Local (rank 0, or a command), without MPI. */

#include "image.h"

struct pcdf_map_limits { /* of the process that reads definitions (mapmaker.c); 0: 60 seconds, 8 GiB */
    int64_t seconds, memory;
};

struct pcdf_source { /* of one name */
    enum pcdf_source_kind kind;
    bool is_far;                   /* a URL: also CLASSIC ones have no file then */
    bool is_seen;                  /* a local classic file, whose first bytes this process has read */
    bool is_marked;                /* a local HDF5 file whose metadata is being changed; CLASSIC */
    struct pcdf_store *store;      /* opened; NULL of local files that are CLASSIC or nothing of these */
    struct pcdf_map_limits limits; /* may be set before pcdf_source_map */
    const char *allows;            /* the same: hint pcdf_references (reference.h) */
};

/* Is it a local file that open is to treat as always (CLASSIC, not far: also what is damaged, or nothing we
 * know, so that open's own sentences come), or one of ours? A mode behind '#' (mode=zarr, mode=bytes...)
 * decides where it is given. NC_ENOENT, NC_EACCESS and others of stores. */
int pcdf_source_look(const char *name, struct pcdf_source *source);
/* For who reads: waits until nobody changes its metadata any more. NC_ERECOVER: the change was interrupted,
 * or takes too long. */
int pcdf_source_look_to_read(const char *name, struct pcdf_source *source);
void pcdf_source_close(struct pcdf_source *source);
/* Not of CLASSIC. Fills in an image; *image is free'd on error. NC_ENOTBUILT: its plug-in is missing. */
int pcdf_source_map(const char *name, struct pcdf_source *source, struct pcdf_image *image);

/* The makers, each of one kind. */
int pcdf_map_by_plugin(const char *plugin, struct pcdf_store *store, const struct pcdf_map_limits *limits,
                       struct pcdf_image *image); /* mapmaker.c: "hdf5", "hdf4", in a process of its own */
int pcdf_zarr_map(const char *name, struct pcdf_store *store, enum pcdf_source_kind kind,
                  struct pcdf_image *image); /* zarr.c: NCZARR, ZARR2, ZARR3 */
int pcdf_kerchunk_map(struct pcdf_store *store, const char *allows,
                      struct pcdf_image *image); /* kerchunk.c */
#endif
