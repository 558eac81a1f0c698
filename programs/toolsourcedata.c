/* `parcdf check --data` of what is no local classic file: there are no checksums beside it; all of its values
 * are read, so that every chunk is fetched and decoded. */
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"
#include "toolsource.h"

#include <inttypes.h>

enum { BLOCK = 16 << 20 };

/* The range of this rank in the bytes. */
static int read_share(const struct pcdf_tool_ranks *ranks, const char *path, struct pcdf_storage *s,
                      int64_t size)
{
    int64_t from, to;
    int status = PCDF_TOOL_GOOD;
    char *room = pcdf_malloc(BLOCK);
    if (!room)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    pcdf_grid_share(size, ranks->rank, ranks->size, &from, &to);
    for (int64_t at = from, n; at < to && !status; at += n) {
        n = pcdf_smaller(BLOCK, to - at);
        int err = pcdf_storage_move_at(s, PCDF_GET, room, n, at, NULL);
        if (err)
            (void)pcdf_tool_unusable(path, "%s", pcdf_fail_text());
        status = !err ? PCDF_TOOL_GOOD : err == NC_EREAD ? PCDF_TOOL_BAD : PCDF_TOOL_UNUSABLE;
    }
    pcdf_free(room);
    return status;
}

int pcdf_tool_check_source_all(const struct pcdf_tool_ranks *ranks, const char *path, bool quiet,
                               bool *is_source)
{
    struct pcdf_tool_source *source;
    int64_t size = 0;
    int status = pcdf_tool_source_open(path, &source, NULL);
    *is_source = status || source;
    if (!status && source && pcdf_storage_size(source->storage, &size))
        status = pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    status = pcdf_tool_agree_all(ranks, path, source ? 2 * (uint32_t)size + 1 : 0, status);
    if (status) /* the same on all ranks */
        *is_source = true;
    else if (source) {
        status = pcdf_tool_worst_all(ranks, read_share(ranks, path, source->storage, size));
        if (!status && !quiet && ranks->rank == 0) {
            pcdf_tool_print(stdout, path);
            printf(": data: good, all %" PRId64 " bytes of it can be read\n", size);
        }
    }
    pcdf_tool_source_close(source);
    return status;
}
