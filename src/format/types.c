/* Look-ups made from types.def. */
#include "types.h"

#include <stddef.h>

const struct pcdf_type_row pcdf_type_rows[PCDF_TYPE_ROWS] = {
#define PCDF_TYPE(type, cdl, size, since, fill) [type] = { size, since },
#include "types.def"
#undef PCDF_TYPE
};

static const struct row {
    const char *name, *cdl;
    const char *fill;
} rows[PCDF_TYPE_ROWS] = {
#define PCDF_TYPE(type, cdl, size, since, fill) [type] = { #type, cdl, fill },
#include "types.def"
#undef PCDF_TYPE
};

#define PCDF_TYPE(type, cdl, size, since, fill)                                                              \
    _Static_assert(sizeof(fill) == (size) + 1, "a fill value has as many bytes as its type");
#include "types.def"
#undef PCDF_TYPE

const char *pcdf_type_name(nc_type type)
{
    return pcdf_type_size(type) > 0 ? rows[type].name : "?";
}

const char *pcdf_type_cdl(nc_type type)
{
    return pcdf_type_size(type) > 0 ? rows[type].cdl : "?";
}

const unsigned char *pcdf_type_fill(nc_type type)
{
    return pcdf_type_size(type) > 0 ? (const unsigned char *)rows[type].fill : NULL;
}
