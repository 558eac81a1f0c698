/* See netcdf4part.h. */
#include "netcdf4part.h"

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)ds, (void)own, (void)decision;
    return false;
}

const struct pcdf_part_ops pcdf_part_netcdf4 = {
    .name = "netcdf4",
    .agreed = agreed,
};
