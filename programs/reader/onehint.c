/* See onehint.h. */
#include "onehint.h"

#include <stdlib.h>
#include <string.h>

/* "name = value", among others. */
bool pcdf_onehint(const char *name, char *value, size_t room)
{
    const char *at = getenv("PNETCDF_HINTS");
    bool is_there = false;
    for (; at && *at; at += strcspn(at, ";"), at += *at == ';') {
        const char *item = at + strspn(at, " \t"), *after = item + strlen(name);
        if (strncmp(item, name, strlen(name)) != 0)
            continue;
        after += strspn(after, " \t");
        size_t n = strcspn(after, ";");
        if (*after != '=' || n > room)
            continue;
        memcpy(value, after + 1, n - 1);
        value[n - 1] = '\0';
        is_there = true;
    }
    return is_there;
}
