/* See toolstop.h. */
#include "toolstop.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t is_stopped;
static int wakes = -1; /* an eventfd */

static void wake(int signal)
{
    const uint64_t one = 1;
    int err = errno;

    if (signal != SIGCHLD)
        is_stopped = 1;
    (void)!write(wakes, &one, sizeof one); /* it fails where it can be read already */
    errno = err;
}

void pcdf_tool_stop_begin(void)
{
    const struct sigaction action = { .sa_handler = wake };
    static const int signals[] = { SIGINT, SIGTERM, SIGCHLD };

    if (wakes < 0)
        wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &action, NULL);
}

bool pcdf_tool_is_stopped(void)
{
    return is_stopped;
}

void pcdf_tool_sleep(int fd, double seconds)
{
    struct pollfd fds[] = { { .fd = wakes, .events = POLLIN }, { .fd = fd, .events = POLLIN } };
    const double whole = floor(fmax(seconds, 0));
    const struct timespec time = { .tv_sec = (time_t)whole,
                                   .tv_nsec = (long)(1e9 * (fmax(seconds, 0) - whole)) };
    uint64_t n;

    if (ppoll(fds, 2, &time, NULL) > 0 && fds[0].revents)
        (void)!read(wakes, &n, sizeof n);
}

double pcdf_tool_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
