/* See toolshare.h. */
#include "toolshare.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "toolsay.h"

enum { AT_ONCE = 1 << 30 };

static int share_bytes_all(const struct pcdf_tool_ranks *ranks, const char *path, unsigned char **bytes,
                           int64_t n)
{
    if (ranks->rank > 0)
        *bytes = pcdf_malloc((size_t)n);
    int status = *bytes ? PCDF_TOOL_GOOD : pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    status = pcdf_tool_worst_all(ranks, status);
    for (int64_t at = 0; !status && at < n; at += AT_ONCE) /* the same on all ranks */
        pcdf_tool_share_all(ranks, *bytes + at, (int)pcdf_smaller(AT_ONCE, n - at), 0);
    return status;
}

static int share_one_all(const struct pcdf_tool_ranks *ranks, int number, const char *path)
{
    struct {
        int64_t status, n;
    } root = { 0 };
    unsigned char *bytes = NULL;
    int status = PCDF_TOOL_GOOD;

    if (ranks->rank == 0)
        root.status = pcdf_tool_sources_look(number, ranks->size > 1, &bytes, &root.n);
    pcdf_tool_share_all(ranks, &root, sizeof root, 0);
    if (root.n > 0) /* the same on all ranks */
        status = share_bytes_all(ranks, path, &bytes, root.n);
    if (!status && ranks->rank > 0)
        pcdf_tool_sources_take(number, (int)root.status, bytes, root.n);
    pcdf_free(bytes);
    return status;
}

int pcdf_tool_sources_share_all(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_sharing sharing, int n,
                                const char *const *paths)
{
    int status = pcdf_tool_worst_all(ranks, pcdf_tool_sources_begin(sharing, n, paths));

    for (int i = 0; i < n && !status; i++) /* the same on all ranks */
        status = share_one_all(ranks, i, paths[i]);
    return status;
}
