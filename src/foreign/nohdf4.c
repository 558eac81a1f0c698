/* Takes the place of sdsource.c and sdfile.c where libhdf4 is not there. */
#include "foreign.h"
#include "tool.h"

const bool pcdf_foreign_has_hdf4 = false;

int pcdf_foreign_open_sd(struct pcdf_foreign_source *source, const struct pcdf_foreign_options *options)
{
    (void)options;
    return pcdf_tool_unusable(source->path, "this needs libhdf4, without which parcdf-foreign was built");
}
