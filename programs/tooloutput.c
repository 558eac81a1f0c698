/* See tooloutput.h. */
#include "tooloutput.h"
#include "alloc.h"
#include "journalfile.h"
#include "posixio.h"
#include "rootfile.h"
#include "sidecar.h"
#include "sidename.h"
#include "status.h"
#include "checksumtable.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int deadly[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ };
enum { NDEADLY = sizeof deadly / sizeof deadly[0] };
static const char *volatile to_remove, *volatile to_remove_too;
static void (*volatile to_call)(void);
static atomic_bool is_held; /* signals wait */
static atomic_int held_signal;

void pcdf_tool_output_remove(void)
{
    if (to_remove)
        unlink(to_remove);
    if (to_remove_too)
        unlink(to_remove_too);
    if (to_call)
        to_call();
}

/* In any thread: MPI has some of its own, which take signals too. */
static void remove_and_die(int signal_number)
{
    held_signal = signal_number;
    if (is_held)
        return;
    pcdf_tool_output_remove();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A signal that is ignored, as SIGHUP under nohup, stays so, at every moment. */
static void handle(bool removes)
{
    struct sigaction now;

    for (int i = 0; i < NDEADLY; i++)
        if (sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            signal(deadly[i], removes ? remove_and_die : SIG_DFL);
}

void pcdf_tool_output_hold(void)
{
    is_held = true;
    handle(true);
}

void pcdf_tool_output_release(void)
{
    is_held = false;
    if (held_signal)
        raise(held_signal);
    handle(to_remove || to_call);
}

static void guard(const char *name, const char *sums)
{
    to_remove = name;
    to_remove_too = sums;
    handle(name || is_held);
}

void pcdf_tool_output_watch(const char *name)
{
    static char *sums;
    char *before = sums;
    sums = name ? pcdf_sidename_beside(name, PCDF_CHECKSUMS_SUFFIX) : NULL;
    guard(name, sums);
    pcdf_free(before);
}

void pcdf_tool_output_guard(void (*remove)(void))
{
    to_call = remove;
    handle(remove || is_held);
}

static void forget(struct pcdf_tool_output *out)
{
    pcdf_free(out->name);
    pcdf_free(out->sums);
    pcdf_free(out->target);
    out->name = out->sums = out->target = NULL;
}

static int unusable(struct pcdf_tool_output *out, const char *why)
{
    pcdf_tool_say(out->path, "%s", why);
    forget(out);
    return PCDF_TOOL_UNUSABLE;
}

static int not_made(struct pcdf_tool_output *out, int err)
{
    char folder[PATH_MAX], why[PATH_MAX + 100];
    if (err != ENOENT || !pcdf_posix_missing_folder(out->target, folder))
        return unusable(out, strerror(err));
    snprintf(why, sizeof why, "%s (there is no folder %s)", strerror(err), folder);
    return unusable(out, why);
}

/* path, or what it points to as a symbolic link: a rename replaces the file, not the link. */
static char *resolved(const char *path)
{
    char *real = realpath(path, NULL), *copy;
    copy = pcdf_strndup(real ? real : path, strlen(real ? real : path));
    free(real);
    return copy;
}

bool pcdf_tool_output_spares(const char *path, const char *input)
{
    struct stat st;
    if (!pcdf_posix_same(path, input) || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return true;
    pcdf_tool_say(path, "this is the file that is read");
    return false;
}

/* The n-th name to try; with a long one of its own the file gets a short one. */
static void name_it(struct pcdf_tool_output *out, size_t room, int n, bool is_short)
{
    const char *slash = strrchr(out->target, '/');
    int folder = slash ? (int)(slash + 1 - out->target) : 0;
    if (is_short)
        snprintf(out->name, room, "%.*s.parcdf-%ld-%d", folder, out->target, (long)getpid(), n);
    else if (n > 0)
        snprintf(out->name, room, "%s.parcdf-%ld-%d", out->target, (long)getpid(), n);
    else
        snprintf(out->name, room, "%s.parcdf-%ld", out->target, (long)getpid());
}

/* Names may be taken, by what a process of this number left when it was killed: that is not ours to remove.
 */
static int make_file(struct pcdf_tool_output *out, size_t room)
{
    enum { TRIES = 1000 };
    bool is_short = false;
    int fd = -1;
    for (int n = 0; n < TRIES && fd < 0; n++) {
        name_it(out, room, n, is_short);
        fd = pcdf_posix_open(out->name, O_WRONLY | O_CREAT | O_EXCL);
        if (fd < 0 && errno != EEXIST && (errno != ENAMETOOLONG || is_short))
            break;
        is_short = is_short || (fd < 0 && errno == ENAMETOOLONG);
    }
    return fd;
}

int pcdf_tool_output_begin(struct pcdf_tool_output *out, const char *path, bool replace)
{
    struct stat st, made;
    *out = (struct pcdf_tool_output){ .path = path, .may_replace = replace };
    bool exists = stat(path, &st) == 0;
    if (!exists && lstat(path, &made) == 0)
        return unusable(out, "this is a symbolic link to nothing");
    if (exists && S_ISDIR(st.st_mode))
        return unusable(out, "this is a folder");
    out->is_device = exists && !S_ISREG(st.st_mode);
    if (exists && !out->is_device && !replace)
        return unusable(out, "the file exists (option -O replaces it)");
    out->target = resolved(path);
    size_t room = out->target ? strlen(out->target) + 60 : 0;
    out->name = room ? pcdf_malloc(room) : NULL;
    if (!out->name)
        return unusable(out, "no memory for its name");
    if (out->is_device) {
        snprintf(out->name, room, "%s", out->target);
        return PCDF_TOOL_GOOD;
    }
    pcdf_tool_output_hold(); /* until the file is guarded */
    int fd = make_file(out, room), err = errno;
    if (fd >= 0) {
        out->mode = exists ? st.st_mode & 0777 : fstat(fd, &made) == 0 ? made.st_mode & 0777 : 0644;
        close(fd);
        out->is_private = exists && (st.st_mode & 077) == 0;
        out->sums = pcdf_sidename_beside(out->name, PCDF_CHECKSUMS_SUFFIX);
        guard(out->name, out->sums);
        pcdf_tool_output_hide(out);
    }
    pcdf_tool_output_release();
    return fd < 0 ? not_made(out, err) : PCDF_TOOL_GOOD;
}

void pcdf_tool_output_hide(const struct pcdf_tool_output *out)
{
    if (out->is_private)
        (void)chmod(out->name, 0600);
}

static void remove_both(const struct pcdf_tool_output *out)
{
    unlink(out->name);
    if (out->sums)
        unlink(out->sums);
}

/* The file has its name now: what the library kept beside the one of that name before is of no use, and would
 * only confuse (a journal is src/define/change.h's). errno, if its own checksums cannot come beside it. */
static int replace_beside(const struct pcdf_tool_output *out)
{
    char *sums = NULL, *journal = NULL;
    bool has_sums = false, has_journal = false;
    int err = 0;
    if (pcdf_sidecar_find(out->target, PCDF_JOURNAL_SUFFIX, &journal, &has_journal) == NC_NOERR &&
        has_journal)
        (void)pcdf_sidecar_remove(journal);
    if (pcdf_sidecar_find(out->target, PCDF_CHECKSUMS_SUFFIX, &sums, &has_sums) == NC_NOERR &&
        (!out->sums || pcdf_file_root_rename(out->sums, sums, false))) {
        err = out->sums && errno != ENOENT ? errno : 0;
        if (err)
            unlink(out->sums);
        if (has_sums)
            (void)pcdf_sidecar_remove(sums);
    }
    pcdf_free(sums);
    pcdf_free(journal);
    return err;
}

/* errno of the first thing that failed, 0: the file is stored and has its name and mode. */
static int put_in_place(const struct pcdf_tool_output *out)
{
    int fd = pcdf_posix_open(out->name, O_RDONLY), err = 0;
    bool failed;
    if (fd < 0)
        return errno;
    if (fchmod(fd, out->mode) && errno != EPERM) /* some file systems have no modes */
        err = errno;
    if (pcdf_posix_sync(fd, out->name, &failed) && !err)
        err = errno;
    if (close(fd) && !err)
        err = errno;
    return err ? err : pcdf_file_root_rename(out->name, out->target, !out->may_replace) ? errno : 0;
}

int pcdf_tool_output_commit(struct pcdf_tool_output *out)
{
    int err = 0, beside = 0;

    if (!out->is_device) {
        err = put_in_place(out);
        if (err)
            remove_both(out);
        else
            beside = replace_beside(out);
        guard(NULL, NULL);
    }
    if (err == EEXIST)
        return unusable(out,
                        "a file of this name has come to be meanwhile, and stays (option -O replaces it)");
    if (err)
        return unusable(out, strerror(err));
    if (beside) {
        pcdf_tool_say(out->path, "the file is complete, but its checksums cannot come beside it: %s",
                      strerror(beside));
        forget(out);
        return PCDF_TOOL_UNUSABLE;
    }
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

/* ---- by all ranks */

struct named { /* what rank 0 tells the others */
    char name[PATH_MAX];
    int status;
    bool is_device; /* not ours to remove */
};

static struct named root_begin(struct pcdf_tool_output *out, const char *path, bool replace)
{
    struct named root = { .status = pcdf_tool_output_begin(out, path, replace) };
    if (!root.status)
        snprintf(root.name, sizeof root.name, "%s", out->name);
    root.is_device = out->is_device;
    return root;
}

static int root_end(struct pcdf_tool_output *out, int status)
{
    if (!status)
        return pcdf_tool_output_commit(out);
    pcdf_tool_output_abandon(out);
    return status;
}

int pcdf_tool_output_make_all(const struct pcdf_tool_ranks *ranks, const char *path, bool replace,
                              pcdf_tool_fill_all *fill_all, void *context)
{
    struct pcdf_tool_output out = { 0 };
    struct named root = { .status = PCDF_TOOL_GOOD };
    bool is_root = ranks->rank == 0;
    if (is_root)
        root = root_begin(&out, path, replace);
    pcdf_tool_share_all(ranks, &root, sizeof root, 0);
    if (root.status) /* the same on all ranks, as is what follows */
        return root.status;
    if (!is_root && !root.is_device)
        pcdf_tool_output_watch(root.name);
    int status = pcdf_tool_worst_all(ranks, fill_all(context, root.name, is_root ? &out : NULL));
    if (is_root)
        status = root_end(&out, status);
    status = pcdf_tool_worst_all(ranks, status);
    if (!is_root)
        pcdf_tool_output_watch(NULL);
    return status;
}
