/* See mapprocess.h. */

#include "mapprocess.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "closefrom.h"
#include "loader.h"
#include "mapwire.h"
#include "numbers.h"
#include "status.h"

extern char **environ;

enum {
    SECONDS_WITHOUT_PROGRESS = 60,
    ALL_SECONDS =
        60, /* in all, for each of these: also of a process that says again and again that it lives */
    MS_TO_END = 5000
};
static const int64_t most_memory = (int64_t)8 << 30, most_seconds = 1000000;

/* What it is for, in sentences. */
static const struct words {
    const char *does, *did, *is_done, *not_ended, *crashed;
    int code;
} words[] = { { "reads its definitions", "read its definitions", "its definitions are read",
                "read its definitions: the file is damaged, or", "read the definitions: the file is damaged",
                NC_ENOTNC },
              { "writes its metadata", "wrote its metadata", "its metadata is written",
                "write its metadata:", "wrote the metadata", NC_EWRITE } };

static const struct words *words_of(const struct pcdf_mapprocess *p)
{
    return &words[p->writes];
}

/* ---- time */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void pcdf_mapprocess_give_time(struct pcdf_mapprocess *p)
{
    p->alive = ALL_SECONDS * p->seconds;
    p->end = now_ms() + 1000 * p->alive;
}

/* ---- starting */

/* What it needs of the environment, and nothing else: where libraries and plug-ins are, and what steers
 * sanitizers. No passwords, no signs that it were a rank, nothing that libhdf5 would look at. */
static char **make_environment(void)
{
    static const char *const names[] = { "LD_LIBRARY_PATH=", "PARCDF_PLUGINS=",   "ASAN_OPTIONS=",
                                         "LSAN_OPTIONS=",    "UBSAN_OPTIONS=",    "TSAN_OPTIONS=",
                                         "GCOV_PREFIX=",     "GCOV_PREFIX_STRIP=" };
    enum { NAMES = sizeof names / sizeof *names };
    char **made = pcdf_calloc(NAMES + 1, sizeof *made);
    size_t kept = 0;
    for (size_t i = 0; made && environ && environ[i]; i++)
        for (size_t k = 0; k < NAMES && kept < NAMES; k++)
            if (strncmp(environ[i], names[k], strlen(names[k])) == 0)
                made[kept++] = environ[i];
    return made;
}

/* Its standard input is the socket; it writes nothing, and libraries that it has nothing to the user. */
static int spawn(const char *program, const struct pcdf_mapprocess *p, int socket, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    char *argv[] = { (char *)program, (char *)p->plugin, p->writes ? "metadata" : NULL, NULL };
    char **env = make_environment();
    if (!env)
        return ENOMEM;
    int err = posix_spawn_file_actions_init(&files);
    if (!err) {
        err = posix_spawn_file_actions_adddup2(&files, socket, 0);
        for (int fd = 1; fd <= 2 && !err; fd++)
            err = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
        if (!err)
            err = pcdf_spawn_closes_from(&files, 3);
        if (!err)
            err = posix_spawnattr_init(&attributes);
        if (!err) {
            sigemptyset(&none);
            sigfillset(&usual);
            posix_spawnattr_setsigmask(&attributes, &none);
            posix_spawnattr_setsigdefault(&attributes, &usual);
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
            err = posix_spawn(pid, program, &files, &attributes, argv, env);
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&files);
    }
    pcdf_free(env);
    return err;
}

static int find(const struct pcdf_mapprocess *p, char **program)
{
    *program = pcdf_plugin_program("parcdf-map");
    if (*program)
        return NC_NOERR;
    return PCDF_FAIL(NC_ENOTBUILT,
                     "%s: the program parcdf-map that %s is not in %s (Debian: package parcdf-formats)",
                     p->name, words_of(p)->does, pcdf_plugin_folder());
}

int pcdf_mapprocess_check(const struct pcdf_mapprocess *p)
{
    char *program;
    PCDF_TRY(find(p, &program));
    pcdf_free(program);
    return NC_NOERR;
}

int pcdf_mapprocess_start(struct pcdf_mapprocess *p, const struct pcdf_map_limits *limits)
{
    int ends[2] = { -1, -1 };
    p->socket = -1;
    p->memory = limits->memory > 0 ? limits->memory : most_memory;
    p->seconds = limits->seconds > 0 ? pcdf_smaller(limits->seconds, most_seconds) : SECONDS_WITHOUT_PROGRESS;
    pcdf_mapprocess_give_time(p);
    char *program;
    PCDF_TRY(find(p, &program));
    int err = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? errno : 0;
    if (!err)
        err = spawn(program, p, ends[1], &p->pid);
    if (err)
        PCDF_FAIL(NC_ENOTBUILT, "%s: %s by a process of its own, and %s cannot be started: %s", p->name,
                  words_of(p)->is_done, program, strerror(err));
    pcdf_free(program);
    if (ends[1] >= 0)
        close(ends[1]);
    if (err && ends[0] >= 0)
        close(ends[0]);
    p->socket = err ? -1 : ends[0];
    return err ? NC_ENOTBUILT : NC_NOERR;
}

/* ---- talking: the process may stop to listen or to speak at any time */

static int await(const struct pcdf_mapprocess *p, short events, int64_t end)
{
    struct pollfd f = { .fd = p->socket, .events = events };
    for (;;) {
        int64_t left = end - now_ms();
        int n = left <= 0 ? 0 : poll(&f, 1, (int)left);
        if (n > 0)
            return 0;
        if (n == 0)
            return PCDF_MAPPROCESS_STUCK;
        if (errno != EINTR)
            return PCDF_MAPPROCESS_DISTURBED;
    }
}

/* One of the two is NULL. */
int pcdf_mapprocess_move(const struct pcdf_mapprocess *p, void *to, const void *from, size_t n)
{
    int64_t end = pcdf_smaller(now_ms() + p->seconds * 1000, p->end);
    for (size_t done = 0; done < n;) {
        int why = await(p, to ? POLLIN : POLLOUT, end);
        if (why)
            return why;
        ssize_t got = to ? recv(p->socket, (char *)to + done, n - done, MSG_DONTWAIT)
                         : send(p->socket, (const char *)from + done, n - done, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (got == 0 || (got < 0 && (errno == ECONNRESET || errno == EPIPE)))
            return PCDF_MAPPROCESS_GONE;
        if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return PCDF_MAPPROCESS_DISTURBED;
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

bool pcdf_mapprocess_speaks(const struct pcdf_mapprocess *p)
{
    struct pollfd f = { .fd = p->socket, .events = POLLIN };
    return poll(&f, 1, 0) > 0;
}

void pcdf_mapprocess_free(struct pcdf_mapprocess *p)
{
    int status;
    if (p->socket >= 0)
        pcdf_mapprocess_end(p, true, &status);
    pcdf_free(p->room);
    p->room = NULL;
}

/* Ends it, where it has not ended, and tells how. *status is of waitpid; -1: another part of the program has
 * waited for it already. */
void pcdf_mapprocess_end(struct pcdf_mapprocess *p, bool kills, int *status)
{
    if (p->socket >= 0)
        close(p->socket);
    p->socket = -1;
    const struct timespec moment = { 0, 1000000 };
    pid_t got = waitpid(p->pid, status, WNOHANG); /* else its number may be another's by now */
    for (int i = 0; i < MS_TO_END && got == 0 && !kills;
         i++) { /* it may have closed the socket and live on */
        got = waitpid(p->pid, status, WNOHANG);
        if (got == 0)
            nanosleep(&moment, NULL);
    }
    if (got == 0) {
        kill(p->pid, SIGKILL);
        do
            got = waitpid(p->pid, status, 0);
        while (got < 0 && errno == EINTR);
    }
    if (got < 0)
        *status = -1;
}

int pcdf_mapprocess_gone(struct pcdf_mapprocess *p, int why)
{
    const struct words *w = words_of(p);
    int status;
    pcdf_mapprocess_end(p, why != PCDF_MAPPROCESS_GONE, &status);
    if (why == PCDF_MAPPROCESS_DISTURBED)
        return PCDF_FAIL(NC_EINTERNAL, "%s: no connection to the process that %s", p->name, w->does);
    if (why == PCDF_MAPPROCESS_STUCK)
        return PCDF_FAIL(w->code,
                         "%s: lib%s did not end to %s hint pcdf_debug_map_seconds is less than it needs",
                         p->name, p->plugin, w->not_ended);
    if (status >= 0 && WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return PCDF_FAIL(w->code,
                         "%s: the process that %s was killed (signal %d): too much time or memory (hints "
                         "pcdf_debug_map_seconds, pcdf_debug_map_memory)",
                         p->name, w->did, WTERMSIG(status));
    if (status >= 0 && WIFSIGNALED(status))
        return PCDF_FAIL(w->code, "%s: lib%s crashed (signal %d) while it %s", p->name, p->plugin,
                         WTERMSIG(status), w->crashed);
    return PCDF_FAIL(w->code, "%s: the process that %s ended too early", p->name, w->did);
}

int pcdf_mapprocess_strange(struct pcdf_mapprocess *p)
{
    int status;
    pcdf_mapprocess_end(p, true, &status);
    return PCDF_FAIL(words_of(p)->code, "%s: the process that %s said what makes no sense", p->name,
                     words_of(p)->did);
}

/* ---- what it asks for, and says */

static int count_alive(struct pcdf_mapprocess *p)
{
    return p->alive-- <= 0 ? pcdf_mapprocess_gone(p, PCDF_MAPPROCESS_STUCK) : NC_NOERR;
}

static int read_for(struct pcdf_mapprocess *p, int64_t offset, int64_t length)
{
    struct pcdf_mapwire_message answer = { PCDF_MAPWIRE_BYTES, NC_NOERR, offset, length };
    if (length <= 0 || length > PCDF_MAPWIRE_MOST_READ || offset < 0 || offset > p->size - length)
        return pcdf_mapprocess_strange(p);
    if (length > p->nroom) {
        unsigned char *more = pcdf_realloc(p->room, (size_t)length);
        if (more) {
            p->room = more;
            p->nroom = length;
        } else {
            answer.code = NC_ENOMEM;
        }
    }
    if (!answer.code)
        answer.code = p->read(p->context, offset, length, p->room);
    if (answer.code && !p->read_failed) {
        p->read_failed = answer.code;
        snprintf(p->read_text, sizeof p->read_text, "%s", pcdf_fail_text());
    }
    int why = pcdf_mapprocess_move(p, NULL, &answer, sizeof answer);
    if (!why && !answer.code)
        why = pcdf_mapprocess_move(p, NULL, p->room, (size_t)length);
    return why ? pcdf_mapprocess_gone(p, why) : NC_NOERR;
}

int pcdf_mapprocess_read_failure(const struct pcdf_mapprocess *p)
{
    return p->read_failed ? PCDF_FAIL(p->read_failed, "%s", p->read_text) : NC_NOERR;
}

static bool is_code_of_plugin(const struct pcdf_mapprocess *p, int code)
{
    return code == NC_ENOTBUILT || code == NC_ENOMEM || code == NC_ENOTNC || code == NC_EINTERNAL ||
           code == NC_ENOTSUPPORT || (p->writes && code == NC_EWRITE);
}

/* Text for people: nothing that a terminal obeys. */
static int take_sentence(struct pcdf_mapprocess *p, int code, int64_t n)
{
    char text[PCDF_MAPWIRE_MOST_TEXT + 1];
    int status;
    if (n < 0 || n > PCDF_MAPWIRE_MOST_TEXT)
        return pcdf_mapprocess_strange(p);
    int why = pcdf_mapprocess_move(p, text, NULL, (size_t)n);
    if (why)
        return pcdf_mapprocess_gone(p, why);
    text[n] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    pcdf_mapprocess_end(p, true, &status);
    return PCDF_FAIL(is_code_of_plugin(p, code) ? code : words_of(p)->code, "%s: %s", p->name, text);
}

static int take_failure(struct pcdf_mapprocess *p, int code, int64_t n)
{
    int err = take_sentence(p, code, n);
    return p->read_failed ? pcdf_mapprocess_read_failure(p) : err;
}

int pcdf_mapprocess_hear(struct pcdf_mapprocess *p, struct pcdf_mapwire_message *m)
{
    int why = pcdf_mapprocess_move(p, m, NULL, sizeof *m);
    if (why)
        return pcdf_mapprocess_gone(p, why);
    if (m->what == PCDF_MAPWIRE_FAILED)
        return take_failure(p, m->code, m->length);
    if (m->what == PCDF_MAPWIRE_ALIVE)
        return count_alive(p);
    if (m->what != PCDF_MAPWIRE_READ)
        return NC_NOERR;
    m->what = PCDF_MAPWIRE_ALIVE;
    return read_for(p, m->offset, m->length);
}
