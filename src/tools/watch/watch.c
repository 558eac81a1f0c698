/* `parcdf watch`: shows each new record of a file that another job writes. */
#include "alloc.h"
#include "stats.h"
#include "status.h"
#include "tool.h"
#include "toolcell.h"
#include "toolfile.h"
#include "tooljson.h"
#include "toolmeaning.h"
#include "tooltime.h"
#include "watchlook.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    BINS = 24,
    CHUNK = 256 * 1024,
    TIMED_OUT = 3,
    FIRST_PAUSE = 5 /* ms */,
    PATIENCE = 1 /* s */,
    FAILURES = 3
};

struct watch {
    const char *path, *variables, *command;
    int64_t next, until, behind; /* the record to be shown next; -1: the last; until: -1 for ever */
    double interval, timeout;
    bool is_json, is_once, is_quiet, waits;
    int notices; /* of inotify; -1: none */
    struct pcdf_watch_look look;
    struct pcdf_tool_dataset ds; /* the file as it was when its definitions were last seen */
    bool is_open;
    int failures;               /* to open it, one after another */
    enum pcdf_watch_state told; /* why there is nothing to show */
    double since;               /* when the file was found so */
};

static volatile sig_atomic_t told_to_stop;

static void stop(int signal)
{
    (void)signal;
    told_to_stop = 1;
}

/* ---- what is printed */

static void tell(const struct watch *w, const char *event, const char *sentence)
{
    struct pcdf_json json;

    if (w->is_json) {
        pcdf_json_begin(&json, stdout);
        pcdf_json_open(&json, '{', true);
        pcdf_json_key(&json, "event");
        pcdf_json_text(&json, event);
        pcdf_json_close(&json, '}');
        pcdf_json_end(&json);
    } else if (!w->is_quiet) {
        printf("%s\n", sentence);
    }
    fflush(stdout);
}

struct seen { /* one variable of one record */
    struct pcdf_stats_part all, bins[BINS];
    enum pcdf_stats_kind kind;
    struct pcdf_tool_packing packing;
    int nbins;
};

static int take(struct pcdf_tool_dataset *ds, int varid, int64_t record, unsigned char *room,
                struct seen *seen)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t size = pcdf_type_size(var->type), n = var->nbytes / size, done = 0;
    struct pcdf_stats_holes holes;
    int status = PCDF_TOOL_GOOD;

    *seen = (struct seen){ .packing = pcdf_tool_packing_of(var), .nbins = n < BINS ? (int)n : BINS };
    pcdf_stats_find_holes(&holes, var, seen->packing.type);
    seen->kind = holes.kind;
    for (int bin = 0; bin < seen->nbins && !status; bin++) {
        int64_t end = bin + 1 == seen->nbins ? n : n / seen->nbins * (bin + 1);
        while (done < end && !status && !told_to_stop) {
            int64_t some = end - done < CHUNK / size ? end - done : CHUNK / size;
            status = pcdf_tool_values(ds, varid, record * n + done, some, room);
            if (!status)
                pcdf_stats_take(&seen->bins[bin], &holes, room, some);
            done += some;
        }
        pcdf_stats_merge(&seen->all, &seen->bins[bin], seen->kind);
    }
    return status;
}

static double value(const struct seen *s, double stored)
{
    return pcdf_tool_unpack(&s->packing, stored);
}

static void ends(const struct seen *s, double *lo, double *hi)
{
    double a = value(s, pcdf_stats_extreme(&s->all, s->kind, false));
    double b = value(s, pcdf_stats_extreme(&s->all, s->kind, true));
    *lo = a < b ? a : b;
    *hi = a < b ? b : a;
}

static void print_line(const char *name, const struct seen *s)
{
    bool utf8 = pcdf_tool_has_utf8();
    double lo, hi;

    fputs("  ", stdout);
    pcdf_tool_cell(stdout, name, 16, true);
    fputc(' ', stdout);
    if (s->all.n == 0) {
        printf("no values, %" PRId64 " missing\n", s->all.fills + s->all.nans);
        return;
    }
    ends(s, &lo, &hi);
    for (int i = 0; i < s->nbins; i++) {
        const struct pcdf_stats_part *bin = &s->bins[i];
        double mean = bin->n ? value(s, pcdf_stats_mean(bin, s->kind)) : 0;
        double share = hi > lo ? (mean - lo) / (hi - lo) : 0.5;
        pcdf_tool_column(stdout, bin->n ? (share > 0.01 ? share : 0.01) : 0, utf8);
    }
    printf("%*s min %.6g  mean %.6g  max %.6g  missing %" PRId64 "\n", BINS - s->nbins, "", lo,
           value(s, pcdf_stats_mean(&s->all, s->kind)), hi, s->all.fills + s->all.nans);
}

static void print_json(struct pcdf_json *json, const char *name, const struct seen *s)
{
    double lo, hi;

    pcdf_json_key(json, name);
    pcdf_json_open(json, '{', true);
    if (s->all.n > 0) {
        ends(s, &lo, &hi);
        pcdf_json_key(json, "min");
        pcdf_json_real(json, lo);
        pcdf_json_key(json, "mean");
        pcdf_json_real(json, value(s, pcdf_stats_mean(&s->all, s->kind)));
        pcdf_json_key(json, "max");
        pcdf_json_real(json, hi);
    }
    pcdf_json_key(json, "missing");
    pcdf_json_integer(json, s->all.fills + s->all.nans);
    pcdf_json_close(json, '}');
}

/* The record's time, of the coordinate variable of the record dimension. */
static int time_of(struct pcdf_tool_dataset *ds, int64_t record, char text[PCDF_TOOL_TEXT])
{
    char units[PCDF_TOOL_TEXT], calendar[PCDF_TOOL_TEXT];
    struct pcdf_tool_time time;
    unsigned char bytes[8];

    *text = '\0';
    for (int i = 0; i < ds->meta.nvars; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        if (!var->is_record || var->ndims != 1 || var->type == NC_CHAR ||
            !pcdf_tool_att_text(&var->atts, "units", units))
            continue;
        pcdf_tool_att_text(&var->atts, "calendar", calendar);
        if (!pcdf_tool_time_parse(&time, units, calendar))
            continue;
        int status = pcdf_tool_values(ds, i, record, 1, bytes);
        if (status)
            return status;
        struct pcdf_tool_packing packing = pcdf_tool_packing_of(var);
        struct pcdf_value x = pcdf_value_load(packing.type, bytes);
        double when = pcdf_tool_unpack(&packing, pcdf_value_as_real(&x));
        if (isfinite(when))
            text[pcdf_tool_time_text(&time, when, ' ', text)] = '\0';
        return PCDF_TOOL_GOOD;
    }
    return PCDF_TOOL_GOOD;
}

static bool is_shown(const struct pcdf_var *var)
{
    return var->is_record && var->type != NC_CHAR && var->nbytes > 0;
}

struct record { /* what is shown of one */
    int64_t number;
    char when[PCDF_TOOL_TEXT];
    struct seen *seen; /* of each variable */
};

static int gather(const struct watch *w, struct pcdf_tool_dataset *ds, const bool *chosen,
                  struct record *record)
{
    unsigned char *room = pcdf_malloc(CHUNK);
    int status = room ? time_of(ds, record->number, record->when)
                      : pcdf_tool_unusable(w->path, "%s", pcdf_fail_text());

    for (int i = 0; i < ds->meta.nvars && !status && (w->is_json || !w->is_quiet); i++)
        if (chosen[i] && is_shown(&ds->meta.vars[i]))
            status = take(ds, i, record->number, room, &record->seen[i]);
    pcdf_free(room);
    return status;
}

static void print(const struct pcdf_meta *meta, const bool *chosen, const struct record *record)
{
    printf("record %" PRId64 "%s%s\n", record->number, *record->when ? "  " : "", record->when);
    for (int i = 0; i < meta->nvars; i++)
        if (chosen[i] && is_shown(&meta->vars[i]))
            print_line(meta->vars[i].name, &record->seen[i]);
}

static void print_as_json(const struct pcdf_meta *meta, const bool *chosen, const struct record *record)
{
    struct pcdf_json json;

    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', true);
    pcdf_json_key(&json, "event");
    pcdf_json_text(&json, "record");
    pcdf_json_key(&json, "record");
    pcdf_json_integer(&json, record->number);
    if (*record->when) {
        pcdf_json_key(&json, "time");
        pcdf_json_text(&json, record->when);
    }
    pcdf_json_key(&json, "variables");
    pcdf_json_open(&json, '{', true);
    for (int i = 0; i < meta->nvars; i++)
        if (chosen[i] && is_shown(&meta->vars[i]))
            print_json(&json, meta->vars[i].name, &record->seen[i]);
    pcdf_json_close(&json, '}');
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

/* *is_gone: the file was changed while it was read. Then nothing is shown, and the next look tells. */
static int show(const struct watch *w, struct pcdf_tool_dataset *ds, const bool *chosen,
                struct record *record, bool *is_gone)
{
    int status = gather(w, ds, chosen, record);

    if (told_to_stop || status)
        return status;
    *is_gone = !w->is_once && (ds->read_behind || !pcdf_watch_is_same(&w->look, w->path));
    if (*is_gone)
        return PCDF_TOOL_GOOD;
    if (w->is_json)
        print_as_json(&ds->meta, chosen, record);
    else if (!w->is_quiet)
        print(&ds->meta, chosen, record);
    fflush(stdout);
    return PCDF_TOOL_GOOD;
}

/* ---- --exec */

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

/* A signal that asks this program to end is passed on. */
static int run_line(const char *line)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (told_to_stop)
            kill(child, SIGTERM);
    return child < 0 ? -1 : status;
}

/* It ends before the next record is looked at: so there are never two of them. */
static int execute(const struct watch *w, int64_t record)
{
    char number[24];

    snprintf(number, sizeof number, "%" PRId64, record);
    setenv("PARCDF_RECORD", number, 1);
    setenv("PARCDF_FILE", w->path, 1);
    char *line = filled_in(w->command, number);
    if (!line)
        return pcdf_tool_unusable(w->path, "%s", pcdf_fail_text());
    int status = run_line(line);
    int err = errno;
    pcdf_free(line);
    if (status == -1)
        return pcdf_tool_unusable(w->path, "the command does not start: %s", strerror(err));
    if (status && !told_to_stop)
        pcdf_tool_say(w->path, "the command of record %" PRId64 " ended with status %d", record,
                      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return PCDF_TOOL_GOOD;
}

/* ---- the loop */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The file changes, or so many seconds pass. Its name may come to be: so the folder is watched. */
static void pause_for(const struct watch *w, double seconds)
{
    struct pollfd fd = { .fd = w->notices, .events = POLLIN };
    char room[4096];

    if (poll(&fd, w->notices >= 0, (int)ceil(seconds * 1000)) > 0 && read(w->notices, room, sizeof room) < 0)
        return;
}

static void begin_notices(struct watch *w)
{
    const char *slash = strrchr(w->path, '/');
    char *folder = slash ? pcdf_strndup(w->path, (size_t)(slash - w->path) + 1) : NULL;

    w->notices = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (w->notices >= 0)
        inotify_add_watch(w->notices, folder ? folder : ".", IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE);
    pcdf_free(folder);
}

static void close_file(struct watch *w)
{
    if (w->is_open)
        pcdf_tool_dataset_close(&w->ds);
    w->is_open = false;
}

static int open_file(struct watch *w)
{
    int status = pcdf_tool_dataset_open(&w->ds, w->path, w->is_once);
    w->is_open = !status;
    if (!status && !w->is_once && w->ds.file.fd < 0)
        return pcdf_tool_unusable(w->path, "only a classic file of this system can be followed; --once shows "
                                           "the records that there are");
    return status;
}

static int show_each(struct watch *w, const bool *chosen, struct seen *seen, bool *is_new)
{
    int64_t end = w->ds.meta.numrecs - w->behind;
    int status = PCDF_TOOL_GOOD;

    if (w->next < 0)
        w->next = end > 0 ? end - 1 : 0;
    while (w->next < end && (w->until < 0 || w->next <= w->until) && !status && !told_to_stop) {
        struct record record = { .number = w->next, .seen = seen };
        bool is_gone = false;
        status = show(w, &w->ds, chosen, &record, &is_gone);
        if (is_gone || told_to_stop)
            break;
        if (!status && w->command)
            status = execute(w, w->next);
        w->next++;
        *is_new = true;
        if (!status && ferror(stdout))
            status = PCDF_TOOL_UNUSABLE;
    }
    return status;
}

static int show_new(struct watch *w, bool *is_new)
{
    size_t nvars = (size_t)w->ds.meta.nvars + 1;
    bool *chosen = pcdf_calloc(nvars, sizeof *chosen);
    struct seen *seen = pcdf_calloc(nvars, sizeof *seen);
    int status = chosen && seen ? PCDF_TOOL_GOOD : pcdf_tool_unusable(w->path, "%s", pcdf_fail_text());

    for (int i = 0; i < w->ds.meta.nvars && chosen; i++)
        chosen[i] = !w->variables;
    if (!status && w->variables)
        status = pcdf_tool_choose(&w->ds, w->variables, chosen);
    if (!status)
        status = show_each(w, chosen, seen, is_new);
    if (!status && w->is_once && w->ds.read_behind)
        status = PCDF_TOOL_BAD;
    w->ds.read_behind = false;
    pcdf_free(chosen);
    pcdf_free(seen);
    return status;
}

/* There is nothing to show: why, once it lasts. What was never a file of the format ends the command. */
static int be_patient(struct watch *w, enum pcdf_watch_state state)
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
    bool is_new = w->told == PCDF_WATCH_READY;
    bool was_seen = w->look.has_seen;

    if (!was_seen && (state == PCDF_WATCH_NOT_OURS || (state == PCDF_WATCH_ABSENT && !w->waits)))
        return open_file(w); /* says what is wrong, or opens what only --once can show */
    if (is_new)
        w->since = now();
    if (state == PCDF_WATCH_ABSENT)
        w->look.inode = 0; /* the next file may get the same number */
    bool is_late = now() - w->since > (state == PCDF_WATCH_ABSENT ? 0 : PATIENCE);
    if (is_late && state == PCDF_WATCH_TORN && !was_seen)
        return open_file(w);
    if (is_late) {
        tell(w, events[state], why[state]);
        w->since = INFINITY;
    }
    w->told = state;
    return PCDF_TOOL_GOOD;
}

/* Once more after the file was opened: so what is shown is of the definitions that were looked at. */
static int look(struct watch *w, bool *is_new)
{
    for (bool is_opened = true; is_opened;) {
        bool is_other = false, is_redefined = false;
        enum pcdf_watch_state state = pcdf_watch_look_at(&w->look, w->path, &is_other, &is_redefined);
        if (state != PCDF_WATCH_READY)
            return be_patient(w, state);
        w->told = state;
        if (is_other) {
            tell(w, "replaced",
                 "another file, or it begins anew: its records are shown from the first one on");
            w->next = 0;
        } else if (is_redefined)
            tell(w, "redefined", "the definitions have changed");
        if (is_other || is_redefined)
            close_file(w);
        is_opened = !w->is_open;
        int status = is_opened ? open_file(w) : PCDF_TOOL_GOOD;
        w->failures = status ? w->failures + 1 : 0;
        if (status) /* it may have been changed just now */
            return w->failures < FAILURES ? PCDF_TOOL_GOOD : status;
    }
    w->ds.meta.numrecs = w->look.numrecs;
    w->ds.file.size = w->look.size;
    w->ds.window_n = 0; /* it may have been read before the record was */
    return show_new(w, is_new);
}

static int follow(struct watch *w)
{
    double last = now(), pause = 1e-3 * FIRST_PAUSE;

    for (;;) {
        bool is_new = false;
        int status = w->is_once ? open_file(w) : look(w, &is_new);
        if (!status && w->is_once)
            return show_new(w, &is_new);
        if (status || told_to_stop)
            return status;
        if (w->until >= 0 && w->next > w->until) {
            tell(w, "ended", "the last record that was asked for");
            return status;
        }
        last = is_new ? now() : last;
        pause = is_new ? 1e-3 * FIRST_PAUSE : fmin(2 * pause, w->interval);
        double left = w->timeout > 0 ? w->timeout - (now() - last) : pause;
        if (left <= 0) {
            tell(w, "timeout", "no new record for too long");
            return TIMED_OUT;
        }
        pause_for(w, fmin(left, pause));
        if (told_to_stop)
            return PCDF_TOOL_GOOD;
    }
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && *seconds > 0 && *seconds <= 1e6;
}

static bool read_number(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && !*end && !errno && *number >= 0;
}

static bool is_clean(const char *command)
{
    for (; *command; command++)
        if ((unsigned char)*command < ' ' && *command != '\n' && *command != '\t')
            return false;
    return true;
}

/* Is the argument of the option what it has to be? */
static bool read_option(struct watch *w, int c, const char *text)
{
    switch (c) {
    case 'v':
        w->variables = text;
        return true;
    case 'x':
        w->command = text;
        return is_clean(text);
    case 'f':
        if (strcmp(text, "last") == 0)
            w->next = -1;
        return w->next == -1 || read_number(text, &w->next);
    case 'b':
        return read_number(text, &w->behind);
    case 'u':
        return read_number(text, &w->until);
    case 't':
        return read_seconds(text, &w->timeout);
    case 'i':
        return read_seconds(text, &w->interval);
    default:
        break;
    }
    w->is_json = w->is_json || c == 'j';
    w->is_once = w->is_once || c == 'o';
    w->is_quiet = w->is_quiet || c == 'q';
    w->waits = w->waits || c == 'w';
    return true;
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    static const struct option words[] = { { "variables", required_argument, NULL, 'v' },
                                           { "from", required_argument, NULL, 'f' },
                                           { "behind", required_argument, NULL, 'b' },
                                           { "until", required_argument, NULL, 'u' },
                                           { "timeout", required_argument, NULL, 't' },
                                           { "interval", required_argument, NULL, 'i' },
                                           { "exec", required_argument, NULL, 'x' },
                                           { "once", no_argument, NULL, 'o' },
                                           { "wait", no_argument, NULL, 'w' },
                                           { "json", no_argument, NULL, 'j' },
                                           { "quiet", no_argument, NULL, 'q' },
                                           { 0 } };
    struct watch w = { .until = -1, .interval = 1, .notices = -1 };
    const struct sigaction action = { .sa_handler = stop };
    int c;
    (void)team;

    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, ":v:q", words, NULL)) != -1) {
        if (c == ':')
            return pcdf_tool_misused(&pcdf_tool_watch, "option %s needs an argument", argv[optind - 1]);
        if (c == '?')
            return pcdf_tool_misused(&pcdf_tool_watch, "there is no option %s", argv[optind - 1]);
        if (!read_option(&w, c, optarg))
            return pcdf_tool_misused(&pcdf_tool_watch, "%s is not what this option takes", optarg);
    }
    if (argc - optind != 1)
        return pcdf_tool_misused(&pcdf_tool_watch, "one file is needed");
    w.path = argv[optind];
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!w.is_once)
        begin_notices(&w);
    int status = follow(&w);
    if (w.notices >= 0)
        close(w.notices);
    close_file(&w);
    pcdf_watch_look_free(&w.look);
    return status;
}

const struct pcdf_tool_command pcdf_tool_watch = {
    .name = "watch",
    .usage = "[OPTION...] FILE",
    .summary = "show each new record of a file that is being written",
    .help = "Shows each record of a file as a job writes it: its time, and for each record\n"
            "variable a picture, the minimum, mean and maximum, and how many values are\n"
            "missing. The command only reads, and takes no locks: it does not disturb the\n"
            "job. A file that takes its place, and definitions that change, are told.\n"
            "Ctrl-C ends it, with status 0.\n"
            "A writer that counts a record before all its data is written shows half\n"
            "records: use --behind 1, or parcdf with the hint pcdf_commit=step.\n\n"
            "  -v, --variables NAME[,NAME]  only these variables\n"
            "  --from N         begin with record N (default 0), or with the last one:\n"
            "                   --from last\n"
            "  --behind N       show a record only when N later ones are there\n"
            "  --until N        end after record N\n"
            "  --timeout SECONDS  end, with status 3, when no record came for so long\n"
            "  --interval SECONDS  look at least so often (default 1)\n"
            "  --exec COMMAND   run by the shell for each record; {} is its number. The\n"
            "                   next record waits for its end\n"
            "  --once           show the records that there are, and end\n"
            "  --wait           for a file that is not there yet\n"
            "  --json           a line of JSON for each record and event\n"
            "  -q, --quiet      print nothing of the records\n\n"
            "Exit status: 0 good; 1 not a netCDF classic file, or data is missing; 2 the file\n"
            "cannot be read; 3 no record came for so long.\n\n"
            "EXAMPLES\n"
            "  parcdf watch --once run_1.nc\n"
            "  parcdf watch --once --json --from last run_1.nc\n",
    .run = run,
};
