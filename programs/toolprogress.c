/* See toolprogress.h. */
#include "toolprogress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30, LEAST_WIDTH = 5 };

double pcdf_tool_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void pcdf_tool_progress_begin(struct pcdf_tool_progress *p, const struct pcdf_tool_ranks *ranks,
                              const char *what, int64_t total)
{
    *p = (struct pcdf_tool_progress){
        .what = what, .total = total, .size = ranks->size, .begun = pcdf_tool_seconds()
    };
    p->is_shown = ranks->rank == 0 && total > 0 && isatty(STDERR_FILENO);
    p->drawn = p->begun + 1;
}

static int columns(void)
{
    struct winsize window;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

/* "18 s", "3 min 20 s", "2 h 5 min" */
static void time_words(double seconds, char *words, size_t size)
{
    int64_t s = seconds < 1e6 ? (int64_t)(seconds + 0.5) : 1000000;

    if (s < 60)
        snprintf(words, size, "%d s", (int)s);
    else if (s < 3600)
        snprintf(words, size, "%d min %d s", (int)(s / 60), (int)(s % 60));
    else
        snprintf(words, size, "%d h %d min", (int)(s / 3600), (int)(s % 3600 / 60));
}

/* A line that wraps cannot be drawn over: a narrow terminal has a shorter bar, or none, or half the words. */
static void draw(struct pcdf_tool_progress *p, double t)
{
    static const char bar[] = "##############################";
    double done = (double)p->done * p->size, share = done / (double)p->total, seconds = t - p->begun;
    char left[32], head[64], tail[96];

    share = share > 1 ? 1 : share;
    time_words(share > 0 ? seconds * (1 - share) / share : 0, left, sizeof left);
    int n = snprintf(head, sizeof head, "%.40s %3d %%", p->what, (int)(100 * share));
    n += snprintf(tail, sizeof tail, " %.0f MiB/s, %s left", done / seconds / 1048576, left);
    int room = columns() - 1 - n, width = room - 3 < WIDTH ? room - 3 : WIDTH, full = (int)(share * width);
    if (width >= LEAST_WIDTH)
        fprintf(stderr, "\r%s [%.*s%*s]%s\033[K", head, full, bar, width - full, "", tail);
    else
        fprintf(stderr, "\r%s%s\033[K", head, room >= 0 ? tail : "");
    p->is_drawn = true;
    p->drawn = t;
}

void pcdf_tool_progress_add(struct pcdf_tool_progress *p, int64_t bytes)
{
    p->done += bytes;
    if (!p->is_shown)
        return;
    double t = pcdf_tool_seconds();
    if (t - p->drawn > 0.1)
        draw(p, t);
}

void pcdf_tool_progress_end(struct pcdf_tool_progress *p)
{
    if (p->is_drawn)
        fputs("\r\033[K", stderr);
}
