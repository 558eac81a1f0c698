/* Takes the place of ncsource.c, nctarget.c and their like where libnetcdf is not there. */
#include "foreigncopy.h"
#include "tool.h"

const bool pcdf_foreign_has_netcdf = false;

static int lacking(const char *path)
{
    return pcdf_tool_unusable(path, "this needs libnetcdf, without which parcdf-foreign was built");
}

int pcdf_foreign_open_nc(struct pcdf_foreign_source *source, const struct pcdf_foreign_options *options)
{
    (void)options;
    return lacking(source->path);
}

int pcdf_foreign_write_nc_all(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                              struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *options,
                              int64_t *bytes)
{
    (void)team;
    (void)source;
    (void)plan;
    (void)bytes;
    return lacking(options->to);
}
