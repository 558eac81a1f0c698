/* See toolmeaning.h. */
#include "toolmeaning.h"
#include "value.h"

#include <math.h>
#include <string.h>
#include <strings.h>

bool pcdf_tool_att_number(const struct pcdf_atts *atts, const char *name, int64_t i, int64_t n, double *to)
{
    const struct pcdf_att *att = pcdf_meaning_att(atts, name);

    if (!att || att->type == NC_CHAR || att->nelems != n)
        return false;
    *to = pcdf_value_load_real(att->type, att->values + i * pcdf_type_size(att->type));
    return isfinite(*to);
}

const unsigned char *pcdf_tool_fill(const struct pcdf_var *var)
{
    bool has_own = pcdf_var_fill(var) != pcdf_type_fill(var->type);
    return has_own || pcdf_type_size(var->type) > 1 ? pcdf_var_fill(var) : NULL;
}

/* The type of the same size with, or without, a sign; itself where there is none. */
static nc_type turned(nc_type type, bool is_unsigned)
{
    static const nc_type pairs[][2] = {
        { NC_BYTE, NC_UBYTE }, { NC_SHORT, NC_USHORT }, { NC_INT, NC_UINT }, { NC_INT64, NC_UINT64 }
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (type == pairs[i][!is_unsigned])
            return pairs[i][is_unsigned];
    return type;
}

static bool says(const struct pcdf_att *att, const char *word)
{
    return att && att->type == NC_CHAR && att->nelems >= (int64_t)strlen(word) &&
           strncasecmp((const char *)att->values, word, strlen(word)) == 0;
}

static bool is_wide(const struct pcdf_atts *atts, const char *name)
{
    const struct pcdf_att *att = pcdf_meaning_att(atts, name);
    return att && att->type != NC_FLOAT;
}

struct pcdf_tool_packing pcdf_tool_packing_of(const struct pcdf_var *var)
{
    struct pcdf_tool_packing p = { .type = var->type, .scale = 1 };
    const struct pcdf_att *sign = pcdf_meaning_att(&var->atts, "_Unsigned");

    if (says(sign, "true") || says(sign, "false"))
        p.type = turned(var->type, says(sign, "true"));
    if (var->type == NC_CHAR)
        return p;
    bool has_scale = pcdf_tool_att_number(&var->atts, "scale_factor", 0, 1, &p.scale);
    bool has_offset = pcdf_tool_att_number(&var->atts, "add_offset", 0, 1, &p.offset);
    if (p.scale == 0) /* of such values nothing would be left */
        p.scale = 1;
    p.is_packed = has_scale || has_offset;
    p.is_float = p.is_packed && var->type != NC_DOUBLE && !is_wide(&var->atts, "scale_factor") &&
                 !is_wide(&var->atts, "add_offset");
    return p;
}

double pcdf_tool_unpack(const struct pcdf_tool_packing *p, double stored)
{
    return p->is_packed ? stored * p->scale + p->offset : stored;
}
