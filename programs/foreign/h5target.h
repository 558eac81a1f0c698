#ifndef PCDF_H5TARGET_H
#define PCDF_H5TARGET_H
/* A netCDF-4 file that libnetcdf has defined and closed, opened by HDF5 to store chunks that are compressed
 * already: on rank 0 alone. */

#include "foreignpack.h"
#include "meta.h"

struct pcdf_h5_target {
    const char *to; /* for sentences */
    const struct pcdf_meta *meta;
    int64_t file, dataset; /* hid_t; -1: not open */
    int varid;             /* of `dataset` */
    int64_t *room;         /* where a chunk begins */
};

/* Was HDF5 there when the program was built, in the version that can? */
bool pcdf_h5_is_there(void);
/* Says what is wrong, UNUSABLE; then nothing is open. */
int pcdf_h5_open(struct pcdf_h5_target *target, const char *name, const struct pcdf_meta *meta,
                 const char *to);
int pcdf_h5_write(struct pcdf_h5_target *target, int varid, const struct pcdf_foreign_chunk *chunk);
/* status: of all before; where that failed, nothing more is said. */
int pcdf_h5_close(struct pcdf_h5_target *target, int status);
#endif
