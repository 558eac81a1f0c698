/* See tracefile.h. */
#include "tracefile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"

enum { GROUP = 32768, LINE = 4096 };

struct pcdf_tracefile {
    char *name;
    int fd; /* -1: not begun, or writing it failed */
    int64_t id;
    double zero;
    /* Guards what follows: the writer's thread has lines, too (writer.h). */
    pthread_mutex_t lock;
    size_t n;
    char group[GROUP];
};

double pcdf_tracefile_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct pcdf_tracefile *pcdf_tracefile_make(const char *path, int rank)
{
    size_t room = strlen(path) + 16;
    struct pcdf_tracefile *t = pcdf_malloc(sizeof *t + room);
    if (!t)
        return NULL;
    t->name = (char *)(t + 1);
    snprintf(t->name, room, "%s.%d", path, rank);
    pthread_mutex_init(&t->lock, NULL);
    t->fd = -1;
    t->id = 0;
    t->n = 0;
    t->zero = pcdf_tracefile_clock();
    return t;
}

double pcdf_tracefile_at(const struct pcdf_tracefile *t, double clock)
{
    return clock - t->zero;
}

/* Each group in one write, unless the system takes less. */
static void write_group(struct pcdf_tracefile *t)
{
    size_t done = 0;
    while (t->fd >= 0 && done < t->n) {
        ssize_t wrote = write(t->fd, t->group + done, t->n - done);
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            close(t->fd);
            t->fd = -1;
        }
    }
    t->n = 0;
}

void pcdf_tracefile_write(struct pcdf_tracefile *t)
{
    pthread_mutex_lock(&t->lock);
    write_group(t);
    pthread_mutex_unlock(&t->lock);
}

static void add_line(struct pcdf_tracefile *t, const char *format, va_list args)
{
    if (t->fd < 0)
        return;
    if (t->n > GROUP - LINE)
        write_group(t);
    if (t->n == 0)
        t->n = (size_t)snprintf(t->group, LINE, "# in %lld\n", (long long)t->id);
    int n = vsnprintf(t->group + t->n, LINE, format, args);
    if (n < 0)
        return;
    t->n += n < LINE - 1 ? (size_t)n : LINE - 2;
    t->group[t->n++] = '\n';
}

void pcdf_tracefile_line(struct pcdf_tracefile *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&t->lock);
    add_line(t, format, args);
    pthread_mutex_unlock(&t->lock);
    va_end(args);
}

void pcdf_tracefile_begin(struct pcdf_tracefile *t, int64_t id, int rank, int nranks, const char *path)
{
    char room[LINE / 2];
    t->zero = pcdf_tracefile_clock();
    t->id = id;
    t->n = 0;
    t->fd = open(t->name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    pcdf_tracefile_line(t, "# file %d %d %s", rank, nranks, pcdf_tracefile_escape(path, room, sizeof room));
}

void pcdf_tracefile_free(struct pcdf_tracefile *t)
{
    if (!t)
        return;
    pcdf_tracefile_write(t);
    if (t->fd >= 0)
        close(t->fd);
    pthread_mutex_destroy(&t->lock);
    pcdf_free(t);
}

const char *pcdf_tracefile_escape(const char *text, char *room, int size)
{
    int n = 0;
    bool is_dash = strcmp(text, "-") == 0; /* which would be mistaken for none */
    for (const unsigned char *c = (const unsigned char *)text; *c && n + 4 <= size; c++)
        n += snprintf(room + n, (size_t)(size - n),
                      *c > ' ' && *c != '%' && *c != 0x7f && !is_dash ? "%c" : "%%%02X", *c);
    room[n] = '\0';
    return room;
}
