/* Which variables are copied: lists of names, and the coordinates that go with them. */
#include "alloc.h"
#include "copyplan.h"
#include "text.h"
#include "tool.h"

#include <string.h>

int pcdf_copy_find_dim(const struct pcdf_meta *meta, const char *name)
{
    struct pcdf_name nfc;
    return pcdf_name_lookup(name, &nfc) ? -1 : pcdf_meta_find_dim(meta, nfc.text);
}

static bool add(const struct pcdf_meta *meta, const char *name, bool *chosen)
{
    int varid = pcdf_tool_find_variable(meta, name);
    if (varid < 0 || chosen[varid])
        return false;
    chosen[varid] = true;
    return true;
}

/* The variables that an attribute names, with spaces between (CF: coordinates, bounds). */
static bool add_named(const struct pcdf_meta *meta, const struct pcdf_var *var, const char *attribute,
                      bool *chosen)
{
    int id = pcdf_atts_find(&var->atts, attribute);
    const struct pcdf_att *att = id < 0 ? NULL : &var->atts.x[id];
    bool added = false;
    if (!att || att->type != NC_CHAR || att->nelems == 0)
        return false;
    char *text = pcdf_strndup((const char *)att->values, (size_t)att->nelems), *rest = text;
    for (char *name; text && (name = strsep(&rest, " \t\n"));)
        added |= *name && add(meta, name, chosen);
    pcdf_free(text);
    return added;
}

static bool add_coordinates(const struct pcdf_meta *meta, int varid, bool *chosen)
{
    const struct pcdf_var *var = &meta->vars[varid];
    bool added = false;
    for (int i = 0; i < var->ndims; i++)
        added |= add(meta, meta->dims[var->dimids[i]].name, chosen);
    added |= add_named(meta, var, "coordinates", chosen);
    added |= add_named(meta, var, "bounds", chosen);
    return added;
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
    bool added = options->with_coordinates;
    while (added) {
        added = false;
        for (int i = 0; i < ds->meta.nvars; i++)
            added |= chosen[i] && add_coordinates(&ds->meta, i, chosen);
    }
    return PCDF_TOOL_GOOD;
}
