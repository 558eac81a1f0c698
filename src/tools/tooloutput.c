/* See tooloutput.h. */
#include "tooloutput.h"
#include "alloc.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ };
enum { NDEADLY = sizeof deadly / sizeof deadly[0] };
static const char *volatile to_remove;

static void remove_and_die(int signal_number)
{
    if (to_remove)
        unlink(to_remove);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void guard(const char *name)
{
    to_remove = name;
    for (int i = 0; i < NDEADLY; i++)
        signal(deadly[i], name ? remove_and_die : SIG_DFL);
}

static int unusable(struct pcdf_tool_output *out, const char *why)
{
    pcdf_tool_say(out->path, "%s", why);
    pcdf_free(out->name);
    out->name = NULL;
    return PCDF_TOOL_UNUSABLE;
}

/* path, or what it points to as a symbolic link: a rename replaces the file, not the link. */
static char *resolved(const char *path)
{
    char *real = realpath(path, NULL), *copy;
    copy = pcdf_strndup(real ? real : path, strlen(real ? real : path));
    free(real);
    return copy;
}

int pcdf_tool_output_begin(struct pcdf_tool_output *out, const char *path, bool replace)
{
    struct stat st;
    *out = (struct pcdf_tool_output){ .path = path };
    bool exists = stat(path, &st) == 0;
    if (exists && S_ISDIR(st.st_mode))
        return unusable(out, "this is a folder");
    out->is_device = exists && !S_ISREG(st.st_mode);
    if (exists && !out->is_device && !replace)
        return unusable(out, "the file exists (option -O replaces it)");
    char *real = resolved(path);
    size_t room = real ? strlen(real) + 40 : 0;
    out->name = room ? pcdf_malloc(room) : NULL;
    if (out->name)
        snprintf(out->name, room, out->is_device ? "%s" : "%s.parcdf-%ld", real, (long)getpid());
    pcdf_free(real);
    if (!out->name)
        return unusable(out, "no memory for its name");
    if (out->is_device)
        return PCDF_TOOL_GOOD;
    int fd = open(out->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? st.st_mode & 0777 : 0666);
    if (fd < 0)
        return unusable(out, strerror(errno));
    close(fd);
    guard(out->name);
    return PCDF_TOOL_GOOD;
}

int pcdf_tool_output_commit(struct pcdf_tool_output *out)
{
    int err = 0;

    if (!out->is_device) {
        int fd = open(out->name, O_WRONLY | O_CLOEXEC);
        char *real = resolved(out->path);
        if (fd < 0 || fsync(fd) || !real || rename(out->name, real))
            err = errno ? errno : ENOMEM;
        if (fd >= 0 && close(fd) && !err)
            err = errno;
        pcdf_free(real);
        if (err)
            unlink(out->name);
        guard(NULL);
    }
    if (err)
        return unusable(out, strerror(err));
    pcdf_free(out->name);
    out->name = NULL;
    return PCDF_TOOL_GOOD;
}

void pcdf_tool_output_abandon(struct pcdf_tool_output *out)
{
    if (!out->name)
        return;
    if (!out->is_device) {
        unlink(out->name);
        guard(NULL);
    }
    pcdf_free(out->name);
    out->name = NULL;
}
