/* See toolfollow.h. The file itself is watched for what is written to it, and its folder for the name: so
 * what happens to other files of the folder wakes nobody, but for those that come and go. */
#include "toolfollow.h"
#include "alloc.h"
#include "toolstop.h"

#include <math.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { OF_FOLDER = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE };
enum { OF_FILE = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF };

static const double LEAST = 2e-3, FIRST = 5e-3; /* seconds */

/* The watch of what the path leads to now; the same again where it still does. */
static bool watch(const struct pcdf_tool_follow *f, const char *path, uint32_t events, int *watched)
{
    int before = *watched;

    *watched = inotify_add_watch(f->notices, path, events);
    if (before >= 0 && *watched != before)
        inotify_rm_watch(f->notices, before);
    return *watched >= 0 && *watched != before;
}

/* True: the name leads to a file that was not watched before, so it may have changed since the look. */
static bool watch_both(struct pcdf_tool_follow *f)
{
    size_t n = (size_t)(f->name - f->path);

    if (f->notices < 0)
        return false;
    char *folder = n ? pcdf_strndup(f->path, n) : NULL;
    if (folder || !n)
        watch(f, n ? folder : ".", OF_FOLDER, &f->folder);
    pcdf_free(folder);
    return watch(f, f->path, OF_FILE, &f->file);
}

static bool is_ours(struct pcdf_tool_follow *f, const struct inotify_event *event)
{
    if (event->mask & IN_Q_OVERFLOW)
        return true;
    if (event->wd == f->folder)
        return event->len > 0 && strcmp(event->name, f->name) == 0;
    if (event->wd != f->file)
        return false; /* of a file that had the name before */
    if (event->mask & IN_IGNORED)
        f->file = -1;
    return true;
}

/* Takes all notices that there are. Is one of our file? */
static bool take_notices(struct pcdf_tool_follow *f)
{
    _Alignas(struct inotify_event) char room[16 * 1024];
    bool has_ours = false;
    ssize_t n;

    while ((n = read(f->notices, room, sizeof room)) > 0) {
        const struct inotify_event *event;
        for (char *at = room; at < room + n; at += sizeof *event + event->len) {
            event = (const struct inotify_event *)at;
            has_ours |= is_ours(f, event);
        }
    }
    return has_ours;
}

static void sleep_until(int fd, double end)
{
    pcdf_tool_sleep(fd, end - pcdf_tool_clock());
}

/* What comes at once is one change: a writer may write thousands of times a second. */
static void sleep_least(double end)
{
    double now = pcdf_tool_clock(), until = fmin(now + LEAST, end);
    for (; now < until && !pcdf_tool_is_stopped(); now = pcdf_tool_clock())
        sleep_until(-1, until);
}

static void wait_until(struct pcdf_tool_follow *f, double end)
{
    bool is_told = watch_both(f);

    sleep_least(end);
    while (!is_told && !pcdf_tool_is_stopped() && pcdf_tool_clock() < end) {
        sleep_until(f->notices, end);
        is_told = f->notices >= 0 && take_notices(f);
        if (!is_told)
            sleep_least(end);
    }
}

void pcdf_tool_follow_begin(struct pcdf_tool_follow *f, const char *path, double interval, double timeout)
{
    const char *slash = strrchr(path, '/');

    *f = (struct pcdf_tool_follow){ .path = path,
                                    .name = slash ? slash + 1 : path,
                                    .interval = interval,
                                    .timeout = timeout,
                                    .notices = inotify_init1(IN_CLOEXEC | IN_NONBLOCK),
                                    .folder = -1,
                                    .file = -1,
                                    .pause = FIRST,
                                    .last = pcdf_tool_clock() };
    watch_both(f);
}

enum pcdf_follow_next pcdf_tool_follow_wait(struct pcdf_tool_follow *f, bool is_new)
{
    double now = pcdf_tool_clock();

    f->last = is_new ? now : f->last;
    f->pause = is_new ? FIRST : fmin(2 * f->pause, f->interval);
    double left = f->timeout > 0 ? f->timeout - (now - f->last) : f->pause;
    if (pcdf_tool_is_stopped())
        return PCDF_FOLLOW_STOP;
    if (left <= 0)
        return PCDF_FOLLOW_LATE;
    wait_until(f, now + fmin(left, f->pause));
    return pcdf_tool_is_stopped() ? PCDF_FOLLOW_STOP : PCDF_FOLLOW_LOOK;
}

void pcdf_tool_follow_soon(struct pcdf_tool_follow *f)
{
    f->pause = FIRST / 2; /* the wait doubles it */
}

void pcdf_tool_follow_end(struct pcdf_tool_follow *f)
{
    if (f->notices >= 0)
        close(f->notices);
    f->notices = -1;
}
