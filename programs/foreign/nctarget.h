#ifndef PCDF_NCTARGET_H
#define PCDF_NCTARGET_H
/* A netCDF-4 file as libnetcdf writes it: on rank 0 alone. */

#include "copyplan.h"
#include "foreigncopy.h"

struct pcdf_nc_target {
    int ncid;
    const char *to; /* for sentences */
    const struct pcdf_meta *meta;
};

/* Creates `name` and defines everything; chunks as copychunks.h has them. Says what is
 * wrong, gives UNUSABLE; then nothing is open. */
int pcdf_nc_create(struct pcdf_nc_target *target, const char *name, const struct pcdf_meta *meta,
                   const struct pcdf_foreign_options *options, int64_t *const *chunks);
int pcdf_nc_write(struct pcdf_nc_target *target, int varid, const int64_t *start, const int64_t *count,
                  const void *values);
/* status: of all before; where that failed, nothing more is said. */
int pcdf_nc_close(struct pcdf_nc_target *target, int status);
/* libnetcdf failed, and the sentence was said: should it crash then, as at the end of a file that could not
 * be written, there is nothing to add. */
extern volatile int pcdf_nc_has_said;
#endif
