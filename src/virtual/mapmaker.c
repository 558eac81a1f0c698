/* Maps by the libraries of other formats, in a process of their own (plugins/maphost.c): rank 0, or a
 * command, starts the program parcdf-map, reads the file for it, and gets an image. What the process says is
 * not trusted. If it crashes, hangs or takes too much memory, then the file is damaged, and the caller goes
 * on. */

#include "source.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
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
#include "posixio.h"
#include "status.h"

extern char **environ;

enum {
    SECONDS_WITHOUT_PROGRESS = 60,
    CPU_SECONDS = 15, /* for each of these */
    ALL_SECONDS =
        60, /* in all, for each of these: also of a process that says again and again that it lives */
    MS_TO_END = 5000,
    MOST_IMAGE = 1 << 30 /* bytes */
};
static const int64_t most_memory = (int64_t)8 << 30, most_seconds = 1000000;

struct process {
    pid_t pid;
    int socket;
    const char *name; /* of the file, for sentences */
    const char *plugin;
    struct pcdf_store *store;
    int64_t size;
    struct pcdf_map_limits limits;
    int64_t end;         /* when it has to be done: of now_ms */
    int64_t alive;       /* how often it may still say that it lives: an honest one does once a second */
    unsigned char *room; /* for what it reads */
    int64_t nroom;
    unsigned char *image;
    int64_t nimage;
};

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
static int spawn(const char *program, const char *plugin, int socket, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    char *argv[] = { (char *)program, (char *)plugin, NULL }, **env = make_environment();
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

static int start(struct process *p)
{
    int ends[2] = { -1, -1 };
    char *program = pcdf_plugin_program("parcdf-map");
    if (!program)
        return PCDF_FAIL(
            NC_ENOTBUILT,
            "%s: the program parcdf-map that reads its definitions is not in %s (Debian: package "
            "parcdf-formats)",
            p->name, pcdf_plugin_folder());
    int err = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? errno : 0;
    if (!err)
        err = spawn(program, p->plugin, ends[1], &p->pid);
    if (err)
        PCDF_FAIL(NC_ENOTBUILT,
                  "%s: its definitions are read by a process of its own, and %s cannot be started: %s",
                  p->name, program, strerror(err));
    pcdf_free(program);
    if (ends[1] >= 0)
        close(ends[1]);
    if (err && ends[0] >= 0)
        close(ends[0]);
    p->socket = err ? -1 : ends[0];
    return err ? NC_ENOTBUILT : NC_NOERR;
}

/* ---- talking: the process may stop to listen or to speak at any time */

enum { GONE = 1, STUCK, DISTURBED }; /* it ended; did not answer; here something failed */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int await(const struct process *p, short events, int64_t end)
{
    struct pollfd f = { .fd = p->socket, .events = events };
    for (;;) {
        int64_t left = end - now_ms();
        int n = left <= 0 ? 0 : poll(&f, 1, (int)left);
        if (n > 0)
            return 0;
        if (n == 0)
            return STUCK;
        if (errno != EINTR)
            return DISTURBED;
    }
}

/* One of the two is NULL. */
static int move(const struct process *p, void *to, const void *from, size_t n)
{
    int64_t end = pcdf_smaller(now_ms() + p->limits.seconds * 1000, p->end);
    for (size_t done = 0; done < n;) {
        int why = await(p, to ? POLLIN : POLLOUT, end);
        if (why)
            return why;
        ssize_t got = to ? recv(p->socket, (char *)to + done, n - done, MSG_DONTWAIT)
                         : send(p->socket, (const char *)from + done, n - done, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (got == 0 || (got < 0 && (errno == ECONNRESET || errno == EPIPE)))
            return GONE;
        if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return DISTURBED;
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

/* Ends it, where it has not ended, and tells how. *status is of waitpid; -1: another part of the program has
 * waited for it already. */
static void end(struct process *p, bool kills, int *status)
{
    if (p->socket >= 0)
        close(p->socket);
    p->socket = -1;
    const struct timespec moment = { 0, 1000000 };
    pid_t got = 0;
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

static int why_gone(struct process *p, int why)
{
    int status;
    end(p, why != GONE, &status);
    if (why == DISTURBED)
        return PCDF_FAIL(NC_EINTERNAL, "%s: no connection to the process that reads its definitions",
                         p->name);
    if (why == STUCK)
        return PCDF_FAIL(NC_ENOTNC,
                         "%s: lib%s did not end to read its definitions: the file is damaged, or hint "
                         "pcdf_debug_map_seconds is less than it needs",
                         p->name, p->plugin);
    if (status >= 0 && WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return PCDF_FAIL(NC_ENOTNC,
                         "%s: the process that read its definitions was killed (signal %d): too much time or "
                         "memory (hints "
                         "pcdf_debug_map_seconds, pcdf_debug_map_memory)",
                         p->name, WTERMSIG(status));
    if (status >= 0 && WIFSIGNALED(status))
        return PCDF_FAIL(NC_ENOTNC,
                         "%s: lib%s crashed (signal %d) while it read the definitions: the file is damaged",
                         p->name, p->plugin, WTERMSIG(status));
    return PCDF_FAIL(NC_ENOTNC, "%s: the process that read its definitions ended too early", p->name);
}

static int strange(struct process *p)
{
    int status;
    end(p, true, &status);
    return PCDF_FAIL(NC_ENOTNC, "%s: the process that read its definitions said what makes no sense",
                     p->name);
}

/* ---- what it asks for, and says */

static int say_hello(struct process *p)
{
    const char *path = strstr(p->name, "://") ? "" : pcdf_path_posix(p->name);
    struct pcdf_mapwire_hello hello = { PCDF_MAPWIRE_VERSION, (int32_t)strlen(path), p->size,
                                        p->limits.memory, CPU_SECONDS * p->limits.seconds };
    int why = move(p, NULL, &hello, sizeof hello);
    if (!why)
        why = move(p, NULL, path, strlen(path));
    return why ? why_gone(p, why) : NC_NOERR;
}

/* An error of the store is told to the process, which then fails, and kept here, since it is the better one.
 */
static int read_for(struct process *p, int64_t offset, int64_t length, int *of_store)
{
    struct pcdf_mapwire_answer answer = { NC_NOERR };
    if (length <= 0 || length > PCDF_MAPWIRE_MOST_READ || offset < 0 || offset > p->size - length)
        return strange(p);
    if (length > p->nroom) {
        unsigned char *more = pcdf_realloc(p->room, (size_t)length);
        if (more) {
            p->room = more;
            p->nroom = length;
        } else {
            answer.code = NC_ENOMEM;
        }
    }
    if (!answer.code) {
        struct pcdf_fetch f = {
            .store = p->store, .key = "", .offset = offset, .length = length, .to = p->room
        };
        pcdf_fetch_start(&f, 1);
        (void)pcdf_fetch_finish(&f, 1);
        answer.code = f.err ? f.err
                      : f.got < length
                          ? PCDF_FAIL(NC_EREAD, "%s: it became shorter while it was read", p->name)
                          : NC_NOERR;
    }
    *of_store = (int)answer.code;
    int why = move(p, NULL, &answer, sizeof answer);
    if (!why && !answer.code)
        why = move(p, NULL, p->room, (size_t)length);
    return why ? why_gone(p, why) : NC_NOERR;
}

static int take_image(struct process *p, int64_t n)
{
    if (p->image || n <= 0 || n > MOST_IMAGE)
        return strange(p);
    p->image = pcdf_malloc((size_t)n);
    if (!p->image) {
        int status;
        end(p, true, &status);
        return PCDF_FAIL(NC_ENOMEM, "%s: no memory for a map of %lld bytes", p->name, (long long)n);
    }
    p->nimage = n;
    int why = move(p, p->image, NULL, (size_t)n);
    return why ? why_gone(p, why) : NC_NOERR;
}

static bool is_code_of_plugin(int code)
{
    return code == NC_ENOTBUILT || code == NC_ENOMEM || code == NC_ENOTNC || code == NC_EINTERNAL ||
           code == NC_ENOTSUPPORT;
}

/* Text for people: nothing that a terminal obeys. */
static int take_failure(struct process *p, int code, int64_t n)
{
    char text[PCDF_MAPWIRE_MOST_TEXT + 1];
    int status;
    if (n < 0 || n > PCDF_MAPWIRE_MOST_TEXT)
        return strange(p);
    int why = move(p, text, NULL, (size_t)n);
    if (why)
        return why_gone(p, why);
    text[n] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    end(p, true, &status);
    return PCDF_FAIL(is_code_of_plugin(code) ? code : NC_ENOTNC, "%s: %s", p->name, text);
}

static int converse(struct process *p)
{
    int of_store = NC_NOERR;
    char store_text[400] = "";
    PCDF_TRY(say_hello(p));
    for (;;) {
        struct pcdf_mapwire_message m;
        int why = move(p, &m, NULL, sizeof m), err = NC_NOERR, status;
        if (why)
            return why_gone(p, why);
        switch (m.what) {
        case PCDF_MAPWIRE_READ:
            err = read_for(p, m.offset, m.length, &status);
            if (!err && status && !of_store) {
                of_store = status;
                strncpy(store_text, pcdf_fail_text(), sizeof store_text - 1);
            }
            break;
        case PCDF_MAPWIRE_ALIVE:
            if (p->alive-- <= 0)
                return why_gone(p, STUCK);
            break;
        case PCDF_MAPWIRE_IMAGE:
            err = take_image(p, m.length);
            break;
        case PCDF_MAPWIRE_FAILED:
            err = take_failure(p, m.code, m.length);
            return of_store ? PCDF_FAIL(of_store, "%s", store_text) : err;
        case PCDF_MAPWIRE_END:
            if (!p->image)
                return strange(p);
            end(p, true, &status); /* it has nothing more to say */
            return NC_NOERR;
        default:
            return strange(p);
        }
        PCDF_TRY(err);
    }
}

/* ---- */

/* The file is the one store of the image: what the process calls it does not count. */
static int name_store(struct pcdf_image *image, struct pcdf_store *store, const struct pcdf_pin *pin)
{
    const char *name = pcdf_store_name(store);
    char *copy = pcdf_strndup(name, strlen(name));
    if (!copy || image->nstores != 1) {
        pcdf_free(copy);
        return copy ? PCDF_FAIL(NC_ENOTNC,
                                "%s: the process that read its definitions said what makes no sense", name)
                    : PCDF_FAIL(NC_ENOMEM, "no memory for the name of %s", name);
    }
    pcdf_free(image->stores[0].name);
    pcdf_bond_free(&image->stores[0].bond);
    image->stores[0].name = copy;
    image->stores[0].pin = *pin;
    return pcdf_bond_copy(pcdf_store_bond(store), &image->stores[0].bond);
}

/* libhdf4 opens the file by its name, which may mean another one by now. Far files are compared at each read.
 */
static int check_unchanged(const char *name, const struct pcdf_pin *pin)
{
    struct pcdf_store *again = NULL;
    struct pcdf_pin now;
    if (strstr(name, "://"))
        return NC_NOERR;
    PCDF_TRY(pcdf_store_open(name, pin, &again));
    int err = pcdf_store_pin(again, &now);
    pcdf_store_close(again);
    return err;
}

int pcdf_map_by_plugin(const char *plugin, struct pcdf_store *store, const struct pcdf_map_limits *limits,
                       struct pcdf_image *image)
{
    struct process p = { .socket = -1, .name = pcdf_store_name(store), .plugin = plugin, .store = store };
    struct pcdf_pin pin;
    p.limits.memory = limits->memory > 0 ? limits->memory : most_memory;
    p.limits.seconds = limits->seconds > 0 ? limits->seconds : SECONDS_WITHOUT_PROGRESS;
    if (p.limits.seconds > most_seconds)
        p.limits.seconds = most_seconds;
    PCDF_TRY(pcdf_store_pin(store, &pin));
    p.size = pin.size;
    p.alive = ALL_SECONDS * p.limits.seconds;
    p.end = now_ms() + 1000 * p.alive;
    PCDF_TRY(start(&p));
    int err = converse(&p);
    if (!err)
        err = check_unchanged(p.name, &pin);
    if (!err) {
        err = pcdf_image_decode(p.image, p.nimage, image);
        if (!err)
            err = name_store(image, store, &pin);
        if (err)
            pcdf_image_free(image);
    }
    pcdf_free(p.image);
    pcdf_free(p.room);
    return err;
}
