/* The program parcdf-map: makes the map of one file by the library of its format, in a process of its own.
 * What that library does to itself, by a damaged file, is then an error and no crash of the caller.
 *
 *   parcdf-map KIND                  started by the library (virtual/mapmaker.c): its standard input is a
 *                                    socket
 *   parcdf-map KIND metadata         the same (virtual/h5meta.c): makes the metadata of a file that the
 *                                    library writes (metahost.c)
 *   parcdf-map --print KIND FILE     prints what the plug-in says of a file
 *
 * It reads the file through the library that started it: so it needs neither credentials nor network, and
 * sees the same bytes. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "loader.h"
#include "maphost.h"
#include "mapwire.h"
#include "status.h"

enum { SOCKET = STDIN_FILENO, FILES = 64 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MAY_LIMIT_MEMORY = 0 }; /* the sanitizer's own map of memory is larger than any limit */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { MAY_LIMIT_MEMORY = 0 };
#else
enum { MAY_LIMIT_MEMORY = 1 };
#endif
#else
enum { MAY_LIMIT_MEMORY = 1 };
#endif

/* ---- the socket. Where the library is gone, nobody needs a map. */

/* The program that the library is in. Its end must be seen even if the socket stays open: a process that it
 * forked may have the other end, too. */
static struct {
    pid_t pid;
    int fd; /* readable when it has ended; or -1 */
} program = { -1, -1 };

static void know_program(void)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    program.pid = getsockopt(SOCKET, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? getppid() : peer.pid;
#ifdef SYS_pidfd_open
    program.fd = (int)syscall(SYS_pidfd_open, program.pid, 0U);
#endif
    if (getppid() != program.pid)
        _exit(2);
}

static void await(short events)
{
    enum { LOOK_MS = 1000 };
    struct pollfd of[] = { { .fd = SOCKET, .events = events }, { .fd = program.fd, .events = POLLIN } };
    while (poll(of, 2, program.fd < 0 ? LOOK_MS : -1) <= 0 || !of[0].revents)
        if (of[1].revents || getppid() != program.pid)
            _exit(2);
}

void pcdf_maphost_get(void *to, size_t n)
{
    for (char *at = to; n > 0;) {
        await(POLLIN);
        ssize_t got = recv(SOCKET, at, n, 0);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            _exit(2);
        if (got > 0) {
            at += got;
            n -= (size_t)got;
        }
    }
}

void pcdf_maphost_send(const void *from, size_t n)
{
    for (const char *at = from; n > 0;) {
        await(POLLOUT);
        ssize_t done = send(SOCKET, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            _exit(2);
        if (done > 0) {
            at += done;
            n -= (size_t)done;
        }
    }
}

void pcdf_maphost_say(int what, int code, int64_t offset, int64_t length)
{
    struct pcdf_mapwire_message m = { what, code, offset, length };
    pcdf_maphost_send(&m, sizeof m);
}

void pcdf_maphost_say_failure(int err)
{
    size_t length = strnlen(pcdf_fail_text(), PCDF_MAPWIRE_MOST_TEXT);
    pcdf_maphost_say(PCDF_MAPWIRE_FAILED, err, 0, (int64_t)length);
    pcdf_maphost_send(pcdf_fail_text(), length);
}

/* Once a second at most. */
void pcdf_maphost_alive(void)
{
    static time_t last;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec != last)
        pcdf_maphost_say(PCDF_MAPWIRE_ALIVE, 0, 0, 0);
    last = now.tv_sec;
}

int pcdf_maphost_read(void *context, int64_t offset, int64_t length, void *to)
{
    (void)context;
    struct pcdf_mapwire_message answer;
    for (int64_t done = 0, n; done < length; done += n) {
        n = length - done < PCDF_MAPWIRE_MOST_READ ? length - done : PCDF_MAPWIRE_MOST_READ;
        pcdf_maphost_say(PCDF_MAPWIRE_READ, 0, offset + done, n);
        pcdf_maphost_get(&answer, sizeof answer);
        if (answer.code)
            return answer.code;
        pcdf_maphost_get((char *)to + done, (size_t)n);
    }
    return NC_NOERR;
}

/* ---- */

/* Nothing of the program that uses the library: where posix_spawn could not close it (virtual/closefrom.h).
 */
static void close_others(void)
{
    bool is_done = false;
#ifdef SYS_close_range
    is_done = syscall(SYS_close_range, 3U, ~0U, 0U) == 0;
#endif
    long most = is_done ? 0 : sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < most && fd < 65536; fd++)
        close(fd);
}

/* It reads one file by the socket: it needs no other ones but its libraries, writes none, starts nothing. */
static void limit(int64_t memory, int64_t seconds)
{
    rlim_t most = seconds > 0 ? (rlim_t)seconds : RLIM_INFINITY;
    struct rlimit none = { 0, 0 }, cpu = { most, most }, space = { (rlim_t)memory, (rlim_t)memory },
                  few = { FILES, FILES };
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_NOFILE, &few);
    if (MAY_LIMIT_MEMORY) { /* sanitizers write reports, and start a process for them */
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &none);
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL);
    if (MAY_LIMIT_MEMORY && memory > 0)
        setrlimit(RLIMIT_AS, &space);
}

static int make_image(const char *kind, const struct pcdf_map_source *source, unsigned char **bytes,
                      int64_t *n)
{
    const struct pcdf_plugin *plugin;
    struct pcdf_image image;
    struct pcdf_mapbuild *build = NULL;
    PCDF_TRY(pcdf_plugin_load(kind, "this file", &plugin));
    if (!plugin->map)
        return PCDF_FAIL(NC_ENOTBUILT, "the plug-in %s makes no maps", kind);
    pcdf_image_init(&image, PCDF_SOURCE_HDF5);
    int err = pcdf_mapbuild_begin(&image, pcdf_maphost_alive, &build);
    if (!err) {
        struct pcdf_map_builder functions = pcdf_mapbuild_functions(build);
        err = plugin->map(source, &functions);
        if (!err)
            err = pcdf_mapbuild_finish(build);
        else
            pcdf_mapbuild_free(build);
    }
    if (!err)
        err = pcdf_image_encode(&image, bytes, n);
    pcdf_image_free(&image);
    return err;
}

static int serve(const char *kind, bool writes)
{
    struct pcdf_mapwire_hello hello;
    unsigned char *bytes = NULL;
    int64_t n = 0;
    close_others();
    know_program();
    pcdf_maphost_get(&hello, sizeof hello);
    if (hello.version != PCDF_MAPWIRE_VERSION || hello.path_length < 0) {
        static const char text[] = "parcdf-map is of another version of parcdf";
        pcdf_maphost_say(PCDF_MAPWIRE_FAILED, NC_ENOTBUILT, 0, sizeof text - 1);
        pcdf_maphost_send(text, sizeof text - 1);
        return 1;
    }
    limit(hello.memory, hello.seconds);
    /* One that writes outlives the thread that started it, and ends when the program does. The thread that
     * started one that reads waits for it. */
    if (writes)
        return pcdf_metahost_serve(kind, hello.size);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char *path = calloc(1, (size_t)hello.path_length + 1);
    if (!path)
        return 2;
    pcdf_maphost_get(path, (size_t)hello.path_length);
    struct pcdf_map_source source = { NULL, hello.size, *path ? path : NULL, pcdf_maphost_read };
    int err = make_image(kind, &source, &bytes, &n);
    if (err) {
        pcdf_maphost_say_failure(err);
    } else {
        pcdf_maphost_say(PCDF_MAPWIRE_IMAGE, 0, 0, n);
        pcdf_maphost_send(bytes, (size_t)n);
        pcdf_maphost_say(PCDF_MAPWIRE_END, 0, 0, 0);
    }
    pcdf_free(bytes);
    free(path);
    return err ? 1 : 0;
}

/* ---- by hand */

static int read_file(void *context, int64_t offset, int64_t length, void *to)
{
    FILE *f = context;
    return fseeko(f, (off_t)offset, SEEK_SET) || fread(to, 1, (size_t)length, f) != (size_t)length ? NC_EREAD
                                                                                                   : NC_NOERR;
}

static int print(const char *kind, const char *path)
{
    const struct pcdf_plugin *plugin;
    FILE *f = fopen(path, "rb");
    int err = pcdf_plugin_load(kind, path, &plugin);
    if (!f || fseeko(f, 0, SEEK_END) || err || !plugin->map) {
        fprintf(stderr, "parcdf-map: %s\n", err ? pcdf_fail_text() : strerror(errno));
        return 1;
    }
    struct pcdf_map_source source = { f, ftello(f), path, read_file };
    struct pcdf_map_builder functions = pcdf_mapprint_functions(stdout);
    err = plugin->map(&source, &functions);
    fclose(f);
    return err ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "--print"))
        return print(argv[2], argv[3]);
    if (argc == 2 && argv[1][0] != '-')
        return serve(argv[1], false);
    if (argc == 3 && argv[1][0] != '-' && !strcmp(argv[2], "metadata"))
        _exit(serve(argv[1], true)); /* libhdf5 may be in the middle of its work: nothing is called at exit */
    fprintf(stderr, "parcdf-map makes maps of files for the library parcdf.\n"
                    "usage: parcdf-map --print hdf5|hdf4 FILE\n");
    return 2;
}
