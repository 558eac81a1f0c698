/* See tooloutput.h. */
#include "tooloutput.h"
#include "alloc.h"
#include "sums.h"
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
static const char *volatile to_remove, *volatile to_remove_too;

void pcdf_tool_output_remove(void)
{
    if (to_remove)
        unlink(to_remove);
    if (to_remove_too)
        unlink(to_remove_too);
}

static void remove_and_die(int signal_number)
{
    pcdf_tool_output_remove();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A signal that is ignored, as SIGHUP under nohup, stays so. */
static void guard(const char *name, const char *sums)
{
    to_remove = name;
    to_remove_too = sums;
    for (int i = 0; i < NDEADLY; i++)
        if (signal(deadly[i], name ? remove_and_die : SIG_DFL) == SIG_IGN)
            signal(deadly[i], SIG_IGN);
}

static void forget(struct pcdf_tool_output *out)
{
    pcdf_free(out->name);
    pcdf_free(out->sums);
    out->name = out->sums = NULL;
}

static int unusable(struct pcdf_tool_output *out, const char *why)
{
    pcdf_tool_say(out->path, "%s", why);
    forget(out);
    return PCDF_TOOL_UNUSABLE;
}

/* A hidden file of the library's beside `path`; the caller frees it. */
static char *beside(const char *path, const char *suffix)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t room = strlen(path) + strlen(suffix) + 2;
    char *other = pcdf_malloc(room);
    if (other)
        snprintf(other, room, "%.*s.%s%s", (int)(name - path), path, name, suffix);
    return other;
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
    out->sums = beside(out->name, PCDF_SUMS_SUFFIX);
    guard(out->name, out->sums);
    return PCDF_TOOL_GOOD;
}

static void remove_both(const struct pcdf_tool_output *out)
{
    unlink(out->name);
    if (out->sums)
        unlink(out->sums);
}

/* The file has its name now: what the library kept beside the one of that name before is of no use, and would
 * only confuse (a journal is src/dataset/change.h's). */
static void settle_beside(struct pcdf_tool_output *out, const char *real)
{
    char *sums = beside(real, PCDF_SUMS_SUFFIX), *journal = beside(real, ".parcdf-journal");
    if (journal)
        unlink(journal);
    if (sums && out->sums && rename(out->sums, sums) != 0)
        unlink(sums);
    pcdf_free(sums);
    pcdf_free(journal);
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
        if (!err)
            settle_beside(out, real);
        pcdf_free(real);
        if (err)
            remove_both(out);
        guard(NULL, NULL);
    }
    if (err)
        return unusable(out, strerror(err));
    forget(out);
    return PCDF_TOOL_GOOD;
}

void pcdf_tool_output_abandon(struct pcdf_tool_output *out)
{
    if (!out->name)
        return;
    if (!out->is_device) {
        remove_both(out);
        guard(NULL, NULL);
    }
    forget(out);
}
