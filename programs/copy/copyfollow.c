/* See copyfollow.h. */
#include "copyfollow.h"
#include "copypipe.h"
#include "copysend.h"
#include "numbers.h"
#include "tool.h"
#include "toolfollow.h"
#include "toollook.h"
#include "toolstop.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

static const double INTERVAL = 1, PATIENCE = 1; /* seconds */

struct follower {
    const struct pcdf_copy_options *options;
    const char *path;
    struct pcdf_tool_look look;
    struct pcdf_copy_sender sender;
    bool is_open;
    double torn_since; /* the header cannot be decoded; 0: it can */
    int64_t sent;      /* records */
};

/* ---- the file that is followed */

static int check_kind(const struct pcdf_copy_sender *s, const char *path)
{
    if (s->file.source)
        return pcdf_tool_unusable(path, "only a classic file of this system can be followed");
    if (s->meta.nrecord_vars == 0)
        return pcdf_tool_unusable(path, "no variable has records: there is nothing to follow");
    if (!pcdf_copy_sender_may_stream(s))
        return pcdf_tool_unusable(path, "a variable without records lies behind the records");
    return PCDF_TOOL_GOOD;
}

/* The file that was looked at; another one may have its name, or its definitions, a moment later. */
static int open_file(struct follower *f)
{
    struct stat st;
    int status = pcdf_copy_sender_begin(&f->sender, f->path);
    if (status)
        return status;
    status = check_kind(&f->sender, f->path);
    f->is_open = !status && fstat(f->sender.file.fd, &st) == 0 && st.st_dev == f->look.device &&
                 st.st_ino == f->look.inode && f->sender.hash == f->look.hash;
    if (!f->is_open)
        pcdf_copy_sender_free(&f->sender);
    return status;
}

/* There is nothing to send now. What is no file of the format ends the command, with a sentence. */
static int be_patient(struct follower *f, enum pcdf_tool_look_state state)
{
    struct pcdf_copy_sender unused;
    bool is_torn = state == PCDF_LOOK_TORN;
    if (f->is_open && state == PCDF_LOOK_ABSENT) {
        pcdf_tool_say(f->path, "the file is gone: the stream ends after %" PRId64 " records", f->sent);
        return PCDF_TOOL_BAD;
    }
    if (is_torn && f->torn_since <= 0)
        f->torn_since = pcdf_tool_clock();
    bool is_hopeless = state == PCDF_LOOK_ABSENT || state == PCDF_LOOK_NOT_OURS ||
                       (is_torn && pcdf_tool_clock() > f->torn_since + PATIENCE);
    if (f->is_open || !is_hopeless)
        return PCDF_TOOL_GOOD;
    int status = pcdf_copy_sender_begin(&unused, f->path);
    if (!status) {
        status = check_kind(&unused, f->path);
        pcdf_copy_sender_free(&unused);
    }
    return status;
}

/* ---- what is sent */

static int64_t end_of(const struct follower *f, int64_t numrecs)
{
    struct pcdf_meta then = f->sender.meta;
    then.numrecs = numrecs;
    return pcdf_layout_file_end(&f->sender.layout, &then);
}

static bool has_all(const struct follower *f)
{
    return f->options->records >= 0 && f->sent >= f->options->records;
}

/* Variables without records go with the first record: a writer has written them by then. */
static int send_new(struct follower *f, bool *is_new)
{
    int64_t n = pcdf_larger(0, f->look.numrecs - f->options->behind);
    if (f->options->records >= 0)
        n = pcdf_smaller(n, f->options->records);
    *is_new = n > f->sent;
    if (!*is_new)
        return PCDF_TOOL_GOOD;
    int status = pcdf_copy_sender_send(&f->sender, end_of(f, n), true);
    if (!status)
        f->sent = n;
    return status;
}

static int look(struct follower *f, bool *is_new)
{
    bool is_other = false, is_redefined = false;
    enum pcdf_tool_look_state state = pcdf_tool_look_at(&f->look, f->path, &is_other, &is_redefined);
    *is_new = false;
    if (state != PCDF_LOOK_READY)
        return be_patient(f, state);
    f->torn_since = 0;
    if (f->is_open && (is_other || is_redefined)) {
        pcdf_tool_say(f->path, "%s: the stream ends after %" PRId64 " records",
                      is_other ? "another file has its name, or it begins anew" : "its definitions changed",
                      f->sent);
        return PCDF_TOOL_BAD;
    }
    int status = f->is_open ? PCDF_TOOL_GOOD : open_file(f);
    return status || !f->is_open ? status : send_new(f, is_new);
}

/* ---- the loop, and its end */

static int follow(struct follower *f, struct pcdf_tool_follow *waiting)
{
    enum pcdf_follow_next next = PCDF_FOLLOW_LOOK;
    for (;;) {
        bool is_new;
        int status = look(f, &is_new);
        if (status || has_all(f) || next != PCDF_FOLLOW_LOOK)
            return status;
        next = pcdf_tool_follow_wait(waiting, is_new); /* whatever it says, one more look */
    }
}

/* A file without records is one, too; and the last value has its padding, if it is there. */
static int send_end(struct follower *f)
{
    int64_t end = end_of(f, f->sent);
    if (f->sent == 0 && f->look.size < end)
        return pcdf_tool_unusable(f->path, "it has no records, and its other variables were not written");
    end = pcdf_larger(end, pcdf_smaller(end + pcdf_copy_sender_padding(&f->sender, end), f->look.size));
    return pcdf_copy_sender_send(&f->sender, end, true);
}

static int finish(struct follower *f)
{
    int64_t wanted = f->options->records;
    if (!f->is_open)
        return pcdf_tool_unusable(f->path, "no header came: nothing was sent");
    int status = send_end(f);
    if (!status)
        status = pcdf_copy_pipe_end();
    if (!status && f->sent < wanted) {
        pcdf_tool_say(f->path, "%" PRId64 " of %" PRId64 " records came", f->sent, wanted);
        status = PCDF_TOOL_BAD;
    }
    if (!status && f->options->verbose)
        fprintf(stderr, "parcdf copy: %" PRId64 " records, %" PRId64 " bytes\n", f->sent, f->sender.at);
    return status;
}

int pcdf_copy_follow(const struct pcdf_copy_options *options, const char *path)
{
    struct follower f = { .options = options, .path = path };
    struct pcdf_tool_follow waiting;

    pcdf_tool_stop_begin();
    pcdf_tool_follow_begin(&waiting, path, INTERVAL, options->timeout);
    int status = follow(&f, &waiting);
    if (!status)
        status = finish(&f);
    if (f.is_open)
        pcdf_copy_sender_free(&f.sender);
    pcdf_tool_look_free(&f.look);
    pcdf_tool_follow_end(&waiting);
    return status;
}
