/* See toolhistory.h. */
#include "toolhistory.h"
#include "alloc.h"
#include "status.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void pcdf_tool_history_keep(struct pcdf_tool_history *history, int argc, char **argv)
{
    size_t room = sizeof history->command, n = (size_t)snprintf(history->command, room, "parcdf");
    for (int i = 0; i < argc && n < room; i++)
        n += (size_t)snprintf(history->command + n, room - n, " %s", argv[i]);
    if (n >= room)
        memcpy(history->command + room - 4, "...", 4);
}

void pcdf_tool_history_now_all(struct pcdf_tool_history *history, const struct pcdf_tool_ranks *ranks)
{
    history->now = (int64_t)time(NULL);
    pcdf_tool_share_all(ranks, &history->now, sizeof history->now, 0);
}

/* Text that is there, without NULs at its end. */
static size_t old_length(const struct pcdf_att *old)
{
    size_t n = old && old->type == NC_CHAR ? (size_t)old->nelems : 0;
    while (n > 0 && old->values[n - 1] == 0)
        n--;
    return n;
}

int pcdf_tool_history_put(const struct pcdf_tool_history *history, struct pcdf_meta *meta)
{
    int i = pcdf_atts_find(&meta->gatts, "history");
    const struct pcdf_att *old = i < 0 ? NULL : &meta->gatts.x[i];
    size_t n = old_length(old), room = sizeof history->command + 64;
    time_t now = (time_t)history->now;
    struct tm tm;
    char when[32], *text = pcdf_malloc(room + n);
    if (!text)
        return NC_ENOMEM;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    size_t line = (size_t)snprintf(text, room, "%s: %s%s", when, history->command, n ? "\n" : "");
    if (n)
        memcpy(text + line, old->values, n);
    int err = pcdf_atts_put(meta, &meta->gatts, "history", NC_CHAR, (int64_t)(line + n), text);
    pcdf_free(text);
    return err;
}
