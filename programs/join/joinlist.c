/* See joinlist.h. */
#include "joinlist.h"
#include "alloc.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 256 << 20 };

static char *names;  /* all of them, each with a NUL */
static char **paths; /* those of the arguments, too */

/* The text of the list, with one NUL more. */
static int root_read(const char *path, int64_t *n)
{
    struct stat st;
    int fd = pcdf_posix_open(path, O_RDONLY | O_NONBLOCK), status = PCDF_TOOL_GOOD;
    int64_t got = 0;
    if (fd < 0)
        return pcdf_tool_unusable(path, "%s", strerror(errno));
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > MOST)
        status = pcdf_tool_unusable(path, "this is no list of files");
    *n = status ? 0 : (int64_t)st.st_size;
    names = pcdf_calloc((size_t)*n + 1, 1);
    if (!status && !names)
        status = pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    if (!status && pcdf_posix_move(fd, PCDF_GET, names, *n, 0, &got, path))
        status = pcdf_tool_unusable(path, "%s", strerror(errno));
    if (!status && (got < *n || memchr(names, 0, (size_t)*n)))
        status = pcdf_tool_unusable(path, got < *n ? "the file became shorter while it was read"
                                                   : "this is no list of files");
    close(fd);
    return status;
}

/* Lines become names; empty ones are none. */
static int split(struct pcdf_join_options *o, int64_t n)
{
    int count = o->nfrom;
    for (int64_t i = 0; i < n; i++)
        count += names[i] == '\n' || i == n - 1;
    paths = pcdf_calloc((size_t)count + 1, sizeof *paths);
    if (!paths)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    memcpy(paths, o->from, (size_t)o->nfrom * sizeof *paths);
    for (char *at = names, *end; at < names + n; at = end + 1) {
        end = at + strcspn(at, "\n");
        *end = '\0';
        if (*at)
            paths[o->nfrom++] = at;
    }
    o->from = paths;
    return o->nfrom ? PCDF_TOOL_GOOD : pcdf_tool_unusable(o->list, "the list has no names");
}

int pcdf_join_list_all(struct pcdf_join_options *o, const struct pcdf_tool_ranks *ranks)
{
    int64_t root[2] = { PCDF_TOOL_GOOD, 0 };
    if (!o->list) /* arguments: the same on all ranks, as is what follows */
        return PCDF_TOOL_GOOD;
    if (ranks->rank == 0)
        root[0] = root_read(o->list, &root[1]);
    pcdf_tool_share_all(ranks, root, sizeof root, 0);
    if (root[0])
        return (int)root[0];
    if (ranks->rank > 0)
        names = pcdf_calloc((size_t)root[1] + 1, 1);
    int status = names ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    status = pcdf_tool_worst_all(ranks, status);
    if (!status)
        pcdf_tool_share_all(ranks, names, (int)root[1], 0);
    return status ? status : pcdf_tool_worst_all(ranks, split(o, root[1]));
}

void pcdf_join_list_free(struct pcdf_join_options *o)
{
    o->from = NULL;
    pcdf_free(paths);
    pcdf_free(names);
    paths = NULL;
    names = NULL;
}
