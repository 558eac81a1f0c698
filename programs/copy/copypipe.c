/* See copypipe.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#endif
#include "copypipe.h"
#include "alloc.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_PIPE = 1 << 20 };

static const char out[] = "standard output";

bool pcdf_copy_is_pipe(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool pcdf_copy_is_whole(const struct pcdf_copy_options *o)
{
    return o->nfrom == 1 && !o->version && !o->kind && !o->with_coordinates && !o->only && !o->excluded &&
           !o->nranges && !o->nterms && !o->nedits && !o->header_only && !o->append && !o->fix_records &&
           !o->recompute && !o->checksum && !o->merge && !o->unlimited && !o->align && !o->record_align &&
           !o->reserve && !o->zarr && !o->chunks && !o->deflate && !o->has_history && !o->dry_run &&
           !o->quantize.mode;
}

/* A pipe holds 64 KiB by itself: then both ends wait for each other all the time. */
char *pcdf_copy_pipe_begin(int fd, size_t n)
{
#ifdef F_SETPIPE_SZ
    (void)fcntl(fd, F_SETPIPE_SZ, IN_PIPE);
#endif
    return pcdf_malloc(n);
}

/* After a call that failed: may it be called again? Waits until it makes sense. O_NONBLOCK is of the pipe's
 * end, which this program shares with those that made it: so it is not taken away. */
static bool may_go_on(int fd, short events)
{
    struct pollfd one = { .fd = fd, .events = events };
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return false;
    return poll(&one, 1, -1) >= 0 || errno == EINTR;
}

ssize_t pcdf_copy_pipe_read(void *bytes, size_t n)
{
    ssize_t got;
    do {
        got = read(STDIN_FILENO, bytes, n);
    } while (got < 0 && may_go_on(STDIN_FILENO, POLLIN));
    if (got < 0)
        pcdf_tool_say("standard input", "%s", strerror(errno));
    return got;
}

int pcdf_copy_pipe_write(const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t done = write(STDOUT_FILENO, at, n);
        if (done < 0 && !may_go_on(STDOUT_FILENO, POLLOUT))
            return pcdf_tool_unusable(out, "%s", strerror(errno));
        at += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return PCDF_TOOL_GOOD;
}

/* Quotas and disks of servers that are full: a client tells at the fsync, and at each close of a descriptor,
 * also of a second one. The first one stays, for what MPI may still print. */
int pcdf_copy_pipe_end(void)
{
    struct stat st;
    bool is_file = fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode), failed = false;
    if (is_file && pcdf_posix_sync(STDOUT_FILENO, out, &failed))
        return pcdf_tool_unusable(out, "%s", pcdf_fail_text());
    int second = dup(STDOUT_FILENO);
    if (second < 0 || (close(second) && errno != EINTR))
        return pcdf_tool_unusable(out, "%s", strerror(errno));
    return PCDF_TOOL_GOOD;
}
