#ifndef PCDF_NCTARGET_H
#define PCDF_NCTARGET_H
/* A netCDF-4 file as libnetcdf writes it: on rank 0 alone. */

#include "copyplan.h"
#include "foreign.h"

struct pcdf_nc_target {
    int ncid;
    const char *to; /* for sentences */
    const struct pcdf_meta *meta;
};

/* Creates `name` and defines everything; chunks as copychunks.h has them. Says what is
 * wrong, gives UNUSABLE; then nothing is open. */
int pcdf_nc_create(struct pcdf_nc_target *target, const char *name, const struct pcdf_meta *meta,
                   const struct pcdf_foreign_options *options, int64_t *const *chunks);
int pcdf_nc_write(struct pcdf_nc_target *target, int varid, const struct pcdf_foreign_slab *slab,
                  const void *values);
/* status: of all before; where that failed, nothing more is said. */
int pcdf_nc_close(struct pcdf_nc_target *target, int status);
#endif
