/* The words for the kinds of files that ncgen's option -k takes. */
#include "gen.h"
#include "toolkind.h"

#include <string.h>

int pcdf_gen_kind(const char *word)
{
    static const struct {
        const char *word;
        int version;
    } kinds[] = {
        /* ncgen's 3 and 4 are its old numbers for the two kinds of netCDF-4. */
        { "3", -1 },        { "4", -1 },        { "7", -1 },
        { "nc4", -1 },      { "nc7", -1 },      { "hdf5", -1 },
        { "enhanced", -1 }, { "netCDF-4", -1 }, { "netCDF-4 classic model", -1 },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return kinds[i].version;
    return pcdf_tool_kind(word);
}
