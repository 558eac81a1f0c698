/* See toolprogress.h. */
#include "toolprogress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void pcdf_tool_progress_begin(struct pcdf_tool_progress *p, const struct pcdf_tool_team *team,
                              const char *what, int64_t total)
{
    *p = (struct pcdf_tool_progress){ .what = what, .total = total, .size = team->size, .begun = now() };
    p->is_shown = team->rank == 0 && total > 0 && isatty(STDERR_FILENO);
    p->drawn = p->begun + 1;
}

static void draw(struct pcdf_tool_progress *p, double t)
{
    double share = (double)p->done * p->size / (double)p->total, seconds = t - p->begun;
    int full;

    share = share > 1 ? 1 : share;
    full = (int)(share * WIDTH);
    fprintf(stderr, "\r%s %3d %% [%.*s%*s] %.0f MiB/s, %.0f s left \033[K", p->what, (int)(100 * share), full,
            "##############################", WIDTH - full, "", (double)p->done * p->size / seconds / 1048576,
            share > 0 ? seconds * (1 - share) / share : 0);
    p->is_drawn = true;
    p->drawn = t;
}

void pcdf_tool_progress_add(struct pcdf_tool_progress *p, int64_t bytes)
{
    p->done += bytes;
    if (!p->is_shown)
        return;
    double t = now();
    if (t - p->drawn > 0.1)
        draw(p, t);
}

void pcdf_tool_progress_end(struct pcdf_tool_progress *p)
{
    if (p->is_drawn)
        fputs("\r\033[K", stderr);
}
