#ifndef PCDF_NETCDF4PART_H
#define PCDF_NETCDF4PART_H
/* netCDF-4 files that are written. Not on for any file yet. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_netcdf4;
#endif
