/* h5target.h where HDF5, or a library that deflates, was not found: libnetcdf compresses. */
#include "h5target.h"
#include "tool.h"

bool pcdf_h5_is_there(void)
{
    return false;
}

int pcdf_h5_open(struct pcdf_h5_target *target, const char *name, const struct pcdf_meta *meta,
                 const char *to)
{
    (void)target;
    (void)name;
    (void)meta;
    return pcdf_tool_unusable(to, "built without HDF5");
}

int pcdf_h5_write(struct pcdf_h5_target *target, int varid, const struct pcdf_foreign_chunk *chunk)
{
    (void)varid;
    (void)chunk;
    return pcdf_tool_unusable(target->to, "built without HDF5");
}

int pcdf_h5_close(struct pcdf_h5_target *target, int status)
{
    (void)target;
    return status;
}
