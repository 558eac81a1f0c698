/* See watchloop.h. */
#include "watchloop.h"
#include "tool.h"
#include "toolstop.h"
#include "watchexec.h"

enum { PATIENCE = 1 /* s */ };

static void close_file(struct pcdf_watch *w)
{
    pcdf_watch_show_end(&w->show);
    if (w->is_open)
        pcdf_tool_dataset_close(&w->ds);
    w->is_open = false;
}

static int open_file(struct pcdf_watch *w)
{
    int status = pcdf_tool_dataset_open(&w->ds, w->path, w->is_once);

    w->is_open = !status;
    w->ds.is_growing = !w->is_once;
    if (!status && !w->is_once && w->ds.file.fd < 0)
        return pcdf_tool_unusable(w->path, "only a classic file of this system can be followed; --once shows "
                                           "the records that there are");
    return status;
}

static int show_event(const struct pcdf_watch *w, const char *event, const char *sentence)
{
    return pcdf_watch_show_event(&w->show, event, sentence) ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
}

/* The command runs for a record whose line is written. *is_gone: the file was changed while it was read. Then
 * nothing is shown, and the next look tells. */
static int show(struct pcdf_watch *w, bool *is_gone)
{
    int status = pcdf_watch_show_read(&w->show, &w->ds, w->next);

    if (pcdf_tool_is_stopped() || status)
        return pcdf_tool_is_stopped() ? PCDF_TOOL_GOOD : status;
    *is_gone = !w->is_once && (w->ds.read_behind || !pcdf_tool_look_is_same(&w->look, w->path));
    if (*is_gone)
        return PCDF_TOOL_GOOD;
    if (!pcdf_watch_show_print(&w->show, &w->ds.meta))
        return PCDF_TOOL_UNUSABLE; /* main.c says why */
    return w->command ? pcdf_watch_execute(w->command, w->path, w->next) : PCDF_TOOL_GOOD;
}

static int show_new(struct pcdf_watch *w, bool *is_new)
{
    int64_t end = w->ds.meta.numrecs - w->behind;
    int status = w->show.vars ? PCDF_TOOL_GOOD : pcdf_watch_show_begin(&w->show, &w->ds);

    if (w->next < 0)
        w->next = end > 0 ? end - 1 : 0;
    while (w->next < end && (w->until < 0 || w->next <= w->until) && !status) {
        bool is_gone = false;
        status = show(w, &is_gone);
        if (is_gone || pcdf_tool_is_stopped())
            break;
        w->next++;
        *is_new = true;
    }
    if (!status && w->is_once && w->ds.read_behind)
        status = PCDF_TOOL_BAD;
    w->ds.read_behind = false;
    return status;
}

/* There is nothing to show: why, once it lasts. */
static int tell_why(struct pcdf_watch *w, enum pcdf_tool_look_state state)
{
    static const char *const events[] = {
        "ready", "absent", "empty", "changing", "unreadable", "unreadable"
    };
    static const char *const why[] = {
        "",
        "there is no such file now: waiting for it",
        "the file has no header yet: waiting",
        "another job is changing the definitions, or died while it did: waiting",
        "the header cannot be decoded now: waiting",
        "it is no classic file now: waiting"
    };
    w->told = state;
    w->since = pcdf_tool_clock();
    return show_event(w, events[state], why[state]);
}

/* What was never a file of the format ends the command; but a header that comes to be is waited for, where
 * a file that is not there would be. */
static int be_patient(struct pcdf_watch *w, enum pcdf_tool_look_state state)
{
    bool was_seen = w->look.has_seen, is_absent = state == PCDF_LOOK_ABSENT;
    bool is_new = w->state == PCDF_LOOK_READY || is_absent != (w->state == PCDF_LOOK_ABSENT);

    if (!was_seen && (state == PCDF_LOOK_NOT_OURS || (is_absent && !w->waits)))
        return open_file(w); /* says what is wrong, or opens what only --once can show */
    if (is_new)
        w->since = pcdf_tool_clock();
    w->state = state;
    if (is_absent)
        w->look.inode = 0; /* the next file may get the same number */
    bool is_late = is_absent || pcdf_tool_clock() - w->since > PATIENCE;
    if (is_late && state == PCDF_LOOK_TORN && !was_seen && !w->waits)
        return open_file(w);
    return is_late && state != w->told ? tell_why(w, state) : PCDF_TOOL_GOOD;
}

/* The file is there, and whole. */
static int take_notice(struct pcdf_watch *w, bool is_other, bool is_redefined)
{
    int status = PCDF_TOOL_GOOD;

    w->state = w->told = PCDF_LOOK_READY;
    if (is_other) {
        w->next = 0;
        status = show_event(w, "replaced",
                            "another file, or it begins anew: its records are shown from the first one on");
    } else if (is_redefined)
        status = show_event(w, "redefined", "the definitions have changed");
    if (is_other || is_redefined)
        close_file(w);
    return status;
}

/* Once more after the file was opened: so what is shown is of the definitions that were looked at. */
static int look(struct pcdf_watch *w, bool *is_new)
{
    for (bool is_opened = true; is_opened;) {
        bool is_other = false, is_redefined = false;
        enum pcdf_tool_look_state state = pcdf_tool_look_at(&w->look, w->path, &is_other, &is_redefined);
        if (state != PCDF_LOOK_READY) {
            w->failing = 0;
            return be_patient(w, state);
        }
        int status = take_notice(w, is_other, is_redefined);
        if (status)
            return status;
        is_opened = !w->is_open;
        bool is_last = w->failing > 0 && pcdf_tool_clock() - w->failing > PATIENCE;
        pcdf_tool_mute(!is_last); /* it may be changed just now, and is tried again */
        status = is_opened ? open_file(w) : PCDF_TOOL_GOOD;
        pcdf_tool_mute(false);
        w->failing = !status ? 0 : w->failing > 0 ? w->failing : pcdf_tool_clock();
        if (status) {
            pcdf_tool_follow_soon(&w->follow);
            return is_last ? status : PCDF_TOOL_GOOD;
        }
    }
    w->ds.meta.numrecs = w->look.numrecs;
    w->ds.file.size = w->look.size;
    w->ds.window_n = 0; /* it may have been read before the record was */
    return show_new(w, is_new);
}

static int look_and_wait(struct pcdf_watch *w)
{
    for (;;) {
        bool is_new = false;
        int status = look(w, &is_new);
        if (status || pcdf_tool_is_stopped())
            return status;
        if (w->until >= 0 && w->next > w->until)
            return show_event(w, "ended", "the last record that was asked for");
        enum pcdf_follow_next next = pcdf_tool_follow_wait(&w->follow, is_new);
        if (next == PCDF_FOLLOW_STOP)
            return PCDF_TOOL_GOOD;
        if (next == PCDF_FOLLOW_LATE && w->failing > 0 && (status = open_file(w)))
            return status; /* it said why nothing was shown */
        if (next == PCDF_FOLLOW_LATE) {
            status = show_event(w, "timeout", "no new record for too long");
            return status ? status : PCDF_WATCH_LATE;
        }
    }
}

int pcdf_watch_follow(struct pcdf_watch *w)
{
    pcdf_tool_follow_begin(&w->follow, w->path, w->interval, w->timeout);
    int status = look_and_wait(w);
    pcdf_tool_follow_end(&w->follow);
    close_file(w);
    pcdf_tool_look_free(&w->look);
    return status;
}

int pcdf_watch_once(struct pcdf_watch *w)
{
    bool is_new = false;
    int status = open_file(w);

    if (!status)
        status = show_new(w, &is_new);
    close_file(w);
    return status;
}
