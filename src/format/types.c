/* Look-ups made from types.def. */
#include "types.h"

#include <stddef.h>

static const struct row {
    const char *name, *cdl;
    const char *fill;
    int size;
    enum pcdf_version since;
} rows[] = {
#define PCDF_TYPE(type, cdl, size, since, fill) [type] = { #type, cdl, fill, size, since },
#include "types.def"
#undef PCDF_TYPE
};

#define PCDF_TYPE(type, cdl, size, since, fill)                                                              \
    _Static_assert(sizeof(fill) == (size) + 1, "a fill value has as many bytes as its type");
#include "types.def"
#undef PCDF_TYPE

static const struct row *row_of(nc_type type)
{
    if (type < 0 || (size_t)type >= sizeof rows / sizeof rows[0] || rows[type].size == 0)
        return NULL;
    return &rows[type];
}

int pcdf_type_size(nc_type type)
{
    const struct row *row = row_of(type);
    return row ? row->size : 0;
}

const char *pcdf_type_name(nc_type type)
{
    const struct row *row = row_of(type);
    return row ? row->name : "?";
}

const char *pcdf_type_cdl(nc_type type)
{
    const struct row *row = row_of(type);
    return row ? row->cdl : "?";
}

bool pcdf_type_allowed(enum pcdf_version version, nc_type type)
{
    const struct row *row = row_of(type);
    return row && version >= row->since;
}

const unsigned char *pcdf_type_fill(nc_type type)
{
    const struct row *row = row_of(type);
    return row ? (const unsigned char *)row->fill : NULL;
}
