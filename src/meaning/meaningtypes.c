/* See meaningtypes.h. */
#include "meaningtypes.h"
#include "meaningatts.h"
#include "value.h"

bool pcdf_meaning_is_type_lost(const struct pcdf_att *att, const struct pcdf_var *var)
{
    if (att->type == NC_CHAR)
        return false;
    if (att->nelems == 0)
        return true;
    if (var && var->type != NC_CHAR && pcdf_meaning_tells(att->name, PCDF_MEANING_HAS_TYPE))
        return att->type != var->type;
    return att->type != (pcdf_value_is_real(att->type) ? NC_DOUBLE : NC_INT);
}
