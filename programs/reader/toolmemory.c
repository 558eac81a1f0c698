/* See toolmemory.h. */
#include "toolmemory.h"
#include "hintrows.h"

bool pcdf_tool_memory_read(const char *text, int64_t *bytes)
{
    static const struct pcdf_hint_row size = { .low = 4 << 20, .high = INT64_MAX / 4, .is_bytes = true };
    return pcdf_hint_number(&size, text, bytes) == PCDF_HINT_GOOD;
}
