/* See watchexec.h. */
#include "watchexec.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "toolstop.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *filled_in(const char *command, const char *number)
{
    size_t each = strlen(number), n = 1;
    for (const char *at = command; *at; at++)
        n += strncmp(at, "{}", 2) == 0 ? each : 1;
    char *line = pcdf_malloc(n), *to = line;
    for (const char *at = command; line && *at; at++) {
        if (strncmp(at, "{}", 2) == 0) {
            to += snprintf(to, each + 1, "%s", number);
            at++;
        } else
            *to++ = *at;
    }
    if (line)
        *to = '\0';
    return line;
}

/* No signal is lost on its way: before the shell is there, the child holds them back (posix_spawn does). */
static int start(char *line, pid_t *child)
{
    char shell[] = "sh", option[] = "-c", *const words[] = { shell, option, line, NULL };

    return posix_spawn(child, "/bin/sh", NULL, NULL, words, environ);
}

/* The end of the child wakes the sleep, and so does a signal that asks this program to end. */
static int end_of(pid_t child)
{
    bool is_told = false;
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (pcdf_tool_is_stopped() && !is_told) {
            is_told = true;
            kill(child, SIGTERM);
        }
        pcdf_tool_sleep(-1, 1);
    }
    return status;
}

int pcdf_watch_execute(const char *command, const char *path, int64_t record)
{
    char number[24];
    pid_t child;

    snprintf(number, sizeof number, "%" PRId64, record);
    setenv("PARCDF_RECORD", number, 1);
    setenv("PARCDF_FILE", path, 1);
    char *line = filled_in(command, number);
    if (!line)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    int err = start(line, &child);
    pcdf_free(line);
    if (err)
        return pcdf_tool_unusable(path, "the command does not start: %s", strerror(err));
    int status = end_of(child);
    if (status && !pcdf_tool_is_stopped())
        pcdf_tool_say(path, "the command of record %" PRId64 " ended with status %d", record,
                      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return PCDF_TOOL_GOOD;
}
