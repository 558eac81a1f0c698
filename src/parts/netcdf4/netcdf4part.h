#ifndef PCDF_NETCDF4PART_H
#define PCDF_NETCDF4PART_H
/* Files of netCDF-4 that all ranks write: the writer (dataset/filewriter.h) of HDF5 files. Chunks are
 * assembled and encoded by the rank that owns them, and written by it; HDF5's metadata is made by libhdf5 in
 * a process beside rank 0 (virtual/h5meta.h), at each sync and at close. */

#include <stdbool.h>
#include "part.h"
#include "storedvars.h"

extern const struct pcdf_part_ops pcdf_part_netcdf4;

/* How the values of its variables are stored; NULL: it is no such file. */
struct pcdf_stored_vars *pcdf_netcdf4_stored(struct pcdf_dataset *ds);
#endif
