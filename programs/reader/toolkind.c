/* See toolkind.h. */
#include "toolkind.h"

#include <stddef.h>
#include <strings.h>

struct kind {
    const char *word;
    int number;
};

static int find(const struct kind *kinds, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(kinds[i].word, word) == 0)
            return kinds[i].number;
    return 0;
}

int pcdf_tool_kind(const char *word)
{
    static const struct kind kinds[] = { { "classic", 1 },
                                         { "nc3", 1 },
                                         { "1", 1 },
                                         { "cdf1", 1 },
                                         { "64-bit-offset", 2 },
                                         { "64-bit offset", 2 },
                                         { "nc6", 2 },
                                         { "2", 2 },
                                         { "6", 2 },
                                         { "cdf2", 2 },
                                         { "cdf5", 5 },
                                         { "nc5", 5 },
                                         { "5", 5 },
                                         { "cdf-5", 5 },
                                         { "64-bit data", 5 },
                                         { "64-bit-data", 5 },
                                         { "64-bit-variable", 5 } };
    return find(kinds, sizeof kinds / sizeof *kinds, word);
}

int pcdf_tool_format(const char *word)
{
    static const struct kind kinds[] = { { "netCDF-4", PCDF_TOOL_NETCDF4 },
                                         { "netcdf4", PCDF_TOOL_NETCDF4 },
                                         { "hdf5", PCDF_TOOL_NETCDF4 },
                                         { "nc4", PCDF_TOOL_NETCDF4 },
                                         { "enhanced", PCDF_TOOL_NETCDF4 },
                                         { "3", PCDF_TOOL_NETCDF4 },
                                         { "netCDF-4 classic model", PCDF_TOOL_NETCDF4_CLASSIC },
                                         { "netcdf4-classic", PCDF_TOOL_NETCDF4_CLASSIC },
                                         { "nc7", PCDF_TOOL_NETCDF4_CLASSIC },
                                         { "4", PCDF_TOOL_NETCDF4_CLASSIC } };
    int format = find(kinds, sizeof kinds / sizeof *kinds, word);
    return format ? format : pcdf_tool_kind(word);
}

bool pcdf_tool_format_is_netcdf4(int format)
{
    return format == PCDF_TOOL_NETCDF4 || format == PCDF_TOOL_NETCDF4_CLASSIC;
}

int pcdf_tool_format_version(int format)
{
    return pcdf_tool_format_is_netcdf4(format) ? 5 : format;
}
