/* See toolmemory.h. */
#include "toolmemory.h"
#include "hintrows.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "pcdf_tool_memory";

static const struct pcdf_hint_row *row(void)
{
    int i = 0;
    while (strcmp(pcdf_hint_rows[i].name, name) != 0)
        i++;
    return &pcdf_hint_rows[i];
}

bool pcdf_tool_memory_read(const char *text, int64_t *bytes)
{
    return pcdf_hint_number(row(), text, bytes) == PCDF_HINT_GOOD;
}

/* "name = value", among others; the last one holds. Wrong ones are told where the output is opened. */
int64_t pcdf_tool_memory_default(void)
{
    const char *at = getenv("PNETCDF_HINTS");
    int64_t bytes = row()->number;
    char value[64];
    for (; at && *at; at += strcspn(at, ";"), at += *at == ';') {
        const char *item = at + strspn(at, " \t"), *after = item + strlen(name);
        if (strncmp(item, name, strlen(name)) != 0)
            continue;
        after += strspn(after, " \t");
        size_t n = strcspn(after, ";");
        if (*after != '=' || n > sizeof value)
            continue;
        memcpy(value, after + 1, n - 1);
        value[n - 1] = '\0';
        (void)pcdf_hint_number(row(), value, &bytes);
    }
    return bytes;
}
