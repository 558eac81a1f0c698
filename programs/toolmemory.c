/* See toolmemory.h. */
#include "toolmemory.h"
#include "hintrows.h"
#include "onehint.h"

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

/* A wrong one is told where the output is opened. */
int64_t pcdf_tool_memory_default(void)
{
    int64_t bytes = row()->number;
    char value[64];
    if (pcdf_onehint(name, value, sizeof value))
        (void)pcdf_hint_number(row(), value, &bytes);
    return bytes;
}
