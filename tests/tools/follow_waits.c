/* Fixes what ends the wait between two looks at a file (programs/toolfollow.h): changes of the file and of
 * its name, each soon; signals, whenever they come, to whatever thread; and nothing that happens to other
 * files of a busy folder. It sleeps with ppoll, which is ours here: it counts, and may raise a signal at the
 * last instant before the system would sleep.
 *
 *     follow_waits FOLDER
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <poll.h>
#include "check.h"
#include "toolfollow.h"
#include "toolstop.h"

enum { LONG = 20 /* s: who waits for so long was not told */ };

static char folder[400], path[500], other[500], kept[500];
static long polls;
static int raises; /* this signal, before the next sleep */
static pthread_t thread;

__attribute__((visibility("default"))) int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *time,
                                                 const sigset_t *mask)
{
    struct timespec left = *time;            /* the system writes to it */
    int now = time->tv_sec > 0 ? raises : 0; /* not in the least pause */
    polls++;
    raises = now ? 0 : raises;
    if (now && thread)
        pthread_kill(thread, now);
    else if (now)
        raise(now);
    return (int)syscall(SYS_ppoll, fds, n, &left, mask, 8);
}

static void write_to(const char *name, int flags)
{
    int fd = open(name, O_WRONLY | O_CREAT | flags, 0600);
    CHECK(fd >= 0 && write(fd, "x", 1) == 1, "%s", name);
    close(fd);
}

/* ---- what is done to the file, and ends the wait */

static void create(void)
{
    write_to(path, O_EXCL);
}

static void add(void)
{
    write_to(path, O_APPEND);
}

static void replace(void) /* the old one lives on, by another name */
{
    write_to(other, O_EXCL);
    CHECK(link(path, kept) == 0 && rename(other, path) == 0, "rename");
}

static void move_away(void)
{
    CHECK(rename(path, other) == 0, "rename");
}

static void move_back(void)
{
    CHECK(rename(other, path) == 0, "rename");
}

static void cut(void)
{
    CHECK(truncate(path, 0) == 0, "truncate");
}

static void lead_elsewhere(void) /* the name is a link from now on */
{
    CHECK(rename(path, other) == 0 && symlink(other, path) == 0, "symlink");
}

static void add_elsewhere(void)
{
    write_to(other, O_APPEND);
}

static void take_away(void)
{
    CHECK(unlink(path) == 0 && unlink(other) == 0 && unlink(kept) == 0, "unlink");
}

static void *do_soon(void *what)
{
    nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    (*(void (**)(void))what)();
    return NULL;
}

static void changes_are_told(void)
{
    static const struct {
        void (*act)(void);
        const char *name;
    } steps[] = { { create, "create" },
                  { add, "add" },
                  { replace, "replace" },
                  { add, "add to the new one" },
                  { move_away, "move away" },
                  { move_back, "move back" },
                  { cut, "cut" },
                  { lead_elsewhere, "lead elsewhere" },
                  { add_elsewhere, "add elsewhere" },
                  { take_away, "take away" } };
    struct pcdf_tool_follow f;

    pcdf_tool_follow_begin(&f, path, LONG, 0);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        void (*act)(void) = steps[i].act;
        pthread_t at;
        f.pause = LONG;
        double began = pcdf_tool_clock();
        pthread_create(&at, NULL, do_soon, (void *)&act);
        CHECK_INT(pcdf_tool_follow_wait(&f, false), PCDF_FOLLOW_LOOK);
        if (pcdf_tool_clock() - began < 0.01) /* a name that leads elsewhere is looked at once more at once */
            pcdf_tool_follow_wait(&f, false);
        CHECK(pcdf_tool_clock() - began < 1, "%s: %.1f s", steps[i].name, pcdf_tool_clock() - began);
        pthread_join(at, NULL);
    }
    pcdf_tool_follow_end(&f);
}

/* ---- what does not */

struct disturbance {
    double end;
    bool names; /* files come and go, too */
};

static void *disturb(void *what)
{
    const struct disturbance *d = what;
    char name[600];
    for (long i = 0; pcdf_tool_clock() < d->end; i++) {
        snprintf(name, sizeof name, "%s/other%ld", folder, i % 100);
        write_to(name, O_APPEND);
        if (d->names && i % 3 == 0)
            unlink(name);
    }
    return NULL;
}

static void clear_away(void)
{
    char name[600];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "%s/other%d", folder, i);
        unlink(name);
    }
}

/* Other files grow, come and go, thousands of times. */
static void others_are_not_ours(bool names, long most)
{
    struct pcdf_tool_follow f;
    pthread_t at;

    create();
    pcdf_tool_follow_begin(&f, path, 0.2, 0);
    f.pause = 0.2;
    double began = pcdf_tool_clock();
    struct disturbance d = { began + 0.3, names };
    pthread_create(&at, NULL, disturb, &d);
    nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    polls = 0;
    CHECK_INT(pcdf_tool_follow_wait(&f, false), PCDF_FOLLOW_LOOK);
    double waited = pcdf_tool_clock() - began;
    CHECK(waited > 0.19, "a change of another file ended the wait after %.3f s", waited);
    CHECK(polls <= most, "%ld sleeps in %.3f s", polls, waited);
    pthread_join(at, NULL);
    pcdf_tool_follow_end(&f);
    clear_away();
    unlink(path);
}

static void *write_often(void *end)
{
    while (pcdf_tool_clock() < *(double *)end)
        write_to(path, O_APPEND);
    return NULL;
}

/* A writer at full speed does not make who looks spin; its last write is seen. */
static void burst(void)
{
    struct pcdf_tool_follow f;
    struct stat now, seen = { 0 };
    long looks = 0;
    pthread_t at;

    create();
    pcdf_tool_follow_begin(&f, path, LONG, 0);
    double began = pcdf_tool_clock(), end = began + 0.3;
    pthread_create(&at, NULL, write_often, &end);
    for (; pcdf_tool_clock() < end + 0.05; looks++) {
        CHECK(stat(path, &seen) == 0, "stat");
        if (pcdf_tool_clock() > end)
            f.pause = 0.1; /* there may be nothing more */
        pcdf_tool_follow_wait(&f, true);
    }
    pthread_join(at, NULL);
    double took = pcdf_tool_clock() - began;
    CHECK(stat(path, &now) == 0 && now.st_size > 300 && seen.st_size == now.st_size, "%ld bytes of %ld",
          (long)seen.st_size, (long)now.st_size);
    CHECK(looks <= took / 2e-3 + 2, "%ld looks in %.3f s at %ld writes", looks, took, (long)now.st_size);
    pcdf_tool_follow_end(&f);
    unlink(path);
}

/* ---- signals */

static void *idle(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

/* 0: the wait was ended by a signal, and soon. */
static int wait_in_child(int raised, bool to_thread)
{
    struct pcdf_tool_follow f;
    double began = pcdf_tool_clock();

    alarm(2 * LONG);
    if (to_thread)
        pthread_create(&thread, NULL, idle, NULL);
    pcdf_tool_follow_begin(&f, path, LONG, 0);
    f.pause = LONG;
    raises = raised;
    bool is_stop = pcdf_tool_follow_wait(&f, false) == PCDF_FOLLOW_STOP;
    return !is_stop || pcdf_tool_clock() - began > LONG / 2;
}

static int status_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* At the last instant before the system sleeps: the flag was tested before. */
static void at_the_last_instant(void)
{
    static const int signals[] = { SIGINT, SIGTERM };
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(wait_in_child(signals[i % 2], i >= 2));
        CHECK(status_of(child) == 0, "signal %d, %s", signals[i % 2], i >= 2 ? "to a thread" : "to itself");
    }
}

static void at_random_instants(void)
{
    enum { TIMES = 300 };
    for (int i = 0; i < TIMES; i++) {
        int ready[2];
        char byte;
        CHECK(pipe(ready) == 0, "pipe");
        pid_t child = fork();
        if (child == 0) {
            CHECK(write(ready[1], "x", 1) == 1, "pipe");
            _exit(wait_in_child(0, false));
        }
        CHECK(read(ready[0], &byte, 1) == 1, "pipe");
        nanosleep(&(struct timespec){ .tv_nsec = random() % 300000 }, NULL);
        kill(child, i % 2 ? SIGINT : SIGTERM);
        CHECK(status_of(child) == 0, "%d", i);
        close(ready[0]);
        close(ready[1]);
    }
}

int main(int argc, char **argv)
{
    snprintf(folder, sizeof folder, "%s/follow_waits.%d", argc > 1 ? argv[1] : ".", (int)getpid());
    CHECK(mkdir(folder, 0700) == 0, "%s", folder);
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other, sizeof other, "%s/elsewhere", folder);
    snprintf(kept, sizeof kept, "%s/kept", folder);
    alarm(100);
    pcdf_tool_stop_begin();
    changes_are_told();
    others_are_not_ours(true, 210); /* each 2 ms twice */
    others_are_not_ours(false, 60); /* what was created before the wait */
    burst();
    at_the_last_instant();
    at_random_instants();
    CHECK(rmdir(folder) == 0, "%s: %s", folder, strerror(errno));
    return check_done("follow_waits");
}
