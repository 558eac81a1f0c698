/* See meaningtypes.h. */
#include "meaningtypes.h"
#include "value.h"

#include <string.h>

bool pcdf_meaning_has_type_of_variable(const char *name)
{
    static const char *const names[] = { "_FillValue",  "missing_value", "valid_min", "valid_max",
                                         "valid_range", "flag_values",   "flag_masks" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool pcdf_meaning_is_type_lost(const struct pcdf_att *att, const struct pcdf_var *var)
{
    if (att->type == NC_CHAR)
        return false;
    if (att->nelems == 0)
        return true;
    if (var && var->type != NC_CHAR && pcdf_meaning_has_type_of_variable(att->name))
        return att->type != var->type;
    return att->type != (pcdf_value_is_real(att->type) ? NC_DOUBLE : NC_INT);
}
