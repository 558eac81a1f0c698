#ifndef PCDF_NCTARGET_H
#define PCDF_NCTARGET_H
/* A netCDF-4 file or NCZarr store as libnetcdf writes it: on rank 0 alone. */

#include "copyplan.h"
#include "foreign.h"

struct pcdf_nc_target {
    int ncid;
    bool is_zarr, is_closed;
    const char *name; /* what was created */
    int64_t held;     /* bytes that libnetcdf keeps of a store */
    bool skips;       /* --skip-unsupported */
    const char *to;   /* for sentences */
    const struct pcdf_meta *meta;
};

/* ncfit.c. Attributes made such as the format has them: a fill value is one of its variable's type, text of a
 * store has no NUL inside. What cannot be is refused, or left out with --skip-unsupported. The same on all
 * ranks. */
int pcdf_nc_fit(struct pcdf_meta *meta, const struct pcdf_foreign_options *options);
/* Creates `name` (for NCZarr a URL) and defines everything; chunks as foreignchunks.h has them. Says what is
 * wrong, gives UNUSABLE; then nothing is open. */
int pcdf_nc_create(struct pcdf_nc_target *target, const char *name, const struct pcdf_meta *meta,
                   const struct pcdf_foreign_options *options, int64_t *const *chunks);
int pcdf_nc_write(struct pcdf_nc_target *target, int varid, const struct pcdf_foreign_slab *slab,
                  const void *values);
/* status: of all before; where that failed, nothing more is said. */
int pcdf_nc_close(struct pcdf_nc_target *target, int status);
#endif
