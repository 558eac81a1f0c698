/* See toolkind.h. */
#include "toolkind.h"

#include <stddef.h>
#include <strings.h>

int pcdf_tool_kind(const char *word)
{
    static const struct {
        const char *word;
        int version;
    } kinds[] = { { "classic", 1 },
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
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(kinds[i].word, word) == 0)
            return kinds[i].version;
    return 0;
}
