/* See owner.h. proc(5) has the fields. */
#include "owner.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first bytes of a small file as a text; "" where it cannot be read. */
static void read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
}

/* When a process started, and *runs: it does, and has not ended without being waited for. The name in
 * parentheses may hold anything; the fields stand behind its last one. */
static int64_t start_of(int64_t process, bool *runs)
{
    enum { STARTED = 22, STATE = 3 };
    char path[48], text[1024];
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)process);
    read_text(path, text, sizeof text);
    char *at = strrchr(text, ')');
    *runs = at != NULL;
    for (int field = STATE; at && field <= STARTED; field++) {
        at = strchr(at, ' ');
        if (!at)
            break;
        at++;
        if (field == STATE)
            *runs = *at != 'Z' && *at != 'X';
    }
    return at ? strtoll(at, NULL, 10) : 0;
}

void pcdf_owner_self(struct pcdf_owner *owner)
{
    struct stat st;
    bool runs;
    *owner = (struct pcdf_owner){ .process = getpid() };
    owner->started = start_of(owner->process, &runs);
    owner->space = stat("/proc/self/ns/pid", &st) ? 0 : (int64_t)st.st_ino;
    (void)gethostname(owner->host, sizeof owner->host - 1);
    read_text("/proc/sys/kernel/random/boot_id", owner->boot, sizeof owner->boot);
    owner->boot[strcspn(owner->boot, "\n")] = '\0';
}

enum pcdf_owner_state pcdf_owner_look(const struct pcdf_owner *owner)
{
    struct pcdf_owner self;
    bool runs;
    pcdf_owner_self(&self);
    if (!owner->boot[0] || !self.boot[0] || !owner->space || !self.space || !owner->started || !self.started)
        return PCDF_OWNER_UNKNOWN;
    if (strcmp(owner->boot, self.boot) != 0)
        return strcmp(owner->host, self.host) == 0 ? PCDF_OWNER_RESTARTED : PCDF_OWNER_ELSEWHERE;
    if (owner->space != self.space)
        return PCDF_OWNER_HIDDEN;
    if (owner->process == self.process && owner->started == self.started)
        return PCDF_OWNER_SELF;
    int64_t started = start_of(owner->process, &runs);
    if (!started && (kill((pid_t)owner->process, 0) == 0 || errno == EPERM)) /* /proc hides it: hidepid */
        return PCDF_OWNER_UNKNOWN;
    return started == owner->started && runs ? PCDF_OWNER_RUNS : PCDF_OWNER_ENDED;
}
