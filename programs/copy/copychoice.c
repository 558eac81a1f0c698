/* Which variables are copied: lists of names, and the coordinates that go with them. */
#include "copyplan.h"
#include "meaningnames.h"
#include "status.h"
#include "text.h"
#include "tool.h"

int pcdf_copy_find_dim(const struct pcdf_meta *meta, const char *name)
{
    struct pcdf_name nfc;
    return pcdf_name_lookup(name, &nfc) ? -1 : pcdf_meta_find_dim(meta, nfc.text);
}

int pcdf_copy_choose(const struct pcdf_copy_options *options, const struct pcdf_tool_dataset *ds,
                     bool *chosen)
{
    const char *list = options->with_coordinates ? options->with_coordinates
                       : options->only           ? options->only
                                                 : options->excluded;
    int status = list ? pcdf_tool_choose(ds, list, chosen) : PCDF_TOOL_GOOD;
    if (status)
        return status;
    for (int i = 0; i < ds->meta.nvars && (!list || options->excluded); i++)
        chosen[i] = !chosen[i];
    if (options->with_coordinates && pcdf_meaning_bring(&ds->meta, chosen))
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    return PCDF_TOOL_GOOD;
}
