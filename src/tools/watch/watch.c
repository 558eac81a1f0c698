/* `parcdf watch`: shows each new record of a file that another job writes. */
#include "alloc.h"
#include "hash.h"
#include "stats.h"
#include "status.h"
#include "tool.h"
#include "toolcell.h"
#include "toolfile.h"
#include "tooljson.h"
#include "toolmeaning.h"
#include "tooltime.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BINS = 24, CHUNK = 256 * 1024, TIMED_OUT = 3, FIRST_PAUSE = 5 /* ms */ };

struct watch {
    const char *path, *variables, *command;
    int64_t next, until; /* the record to be shown next; -1: the last; until: -1 for ever */
    double interval, timeout;
    bool is_json, is_once, is_quiet, waits;
    int notices; /* of inotify; -1: none */
    bool has_seen, was_there;
    dev_t device;
    ino_t inode;
    uint64_t header; /* of the definitions that were seen */
    int64_t numrecs;
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

static int show(const struct watch *w, struct pcdf_tool_dataset *ds, const bool *chosen, int64_t record)
{
    unsigned char *room = pcdf_malloc(CHUNK);
    struct seen *seen = pcdf_malloc(sizeof *seen);
    char when[PCDF_TOOL_TEXT];
    struct pcdf_json json;
    int status =
        room && seen ? time_of(ds, record, when) : pcdf_tool_unusable(w->path, "%s", pcdf_fail_text());

    if (!status && w->is_json) {
        pcdf_json_begin(&json, stdout);
        pcdf_json_open(&json, '{', true);
        pcdf_json_key(&json, "event");
        pcdf_json_text(&json, "record");
        pcdf_json_key(&json, "record");
        pcdf_json_integer(&json, record);
        if (*when) {
            pcdf_json_key(&json, "time");
            pcdf_json_text(&json, when);
        }
        pcdf_json_key(&json, "variables");
        pcdf_json_open(&json, '{', true);
    } else if (!status && !w->is_quiet) {
        printf("record %" PRId64 "%s%s\n", record, *when ? "  " : "", when);
    }
    for (int i = 0; i < ds->meta.nvars && !status && (w->is_json || !w->is_quiet); i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        if (!chosen[i] || !var->is_record || var->type == NC_CHAR || var->nbytes == 0)
            continue;
        status = take(ds, i, record, room, seen);
        if (!status && w->is_json)
            print_json(&json, var->name, seen);
        else if (!status)
            print_line(var->name, seen);
    }
    if (!status && w->is_json) {
        pcdf_json_close(&json, '}');
        pcdf_json_close(&json, '}');
        pcdf_json_end(&json);
    }
    fflush(stdout);
    pcdf_free(room);
    pcdf_free(seen);
    return status;
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
    int status = system(line);
    pcdf_free(line);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
        told_to_stop = 1;
    else if (status == -1)
        return pcdf_tool_unusable(w->path, "the command does not start: %s", strerror(errno));
    else if (status)
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

/* Is there a header that is whole? What is empty, short, or marked as being changed is waited for. A client
 * of a network file system asks its server. */
static bool is_ready(struct watch *w)
{
    unsigned char bytes[12] = { 0 };
    struct statx st;

    if (statx(AT_FDCWD, w->path, AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_TYPE, &st)) {
        if (!w->has_seen && !w->waits)
            return true; /* opening it says what is wrong */
        if (w->was_there)
            tell(w, "vanished", "the file is not there any more: waiting for a new one");
        w->was_there = false;
        return false;
    }
    w->was_there = true;
    if (!S_ISREG(st.stx_mode))
        return true;
    FILE *file = fopen(w->path, "rbe");
    if (!file)
        return true;
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return n == sizeof bytes && !(memcmp(bytes, "CDF", 3) == 0 && (bytes[3] & 0x80));
}

/* Is this the file of before, with its definitions? */
static void compare(struct watch *w, const struct pcdf_tool_dataset *ds)
{
    struct stat st = { 0 };
    uint64_t header = ds->meta.nvars;

    if (ds->file.fd >= 0)
        fstat(ds->file.fd, &st);
    for (int i = 0; i < ds->meta.nvars; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        const int64_t facts[] = { (int64_t)header, ds->layout.begin[i], var->nbytes, var->type, var->ndims };
        header = pcdf_hash_bytes((const unsigned char *)facts, sizeof facts) ^
                 pcdf_hash_bytes((const unsigned char *)var->name, strlen(var->name));
    }
    bool is_other = w->has_seen && (st.st_dev != w->device || st.st_ino != w->inode);
    bool is_shorter = w->has_seen && !is_other && ds->meta.numrecs < w->numrecs;
    if (is_other || is_shorter) {
        tell(w, "replaced", "another file, or it begins anew: its records are shown from the first one on");
        w->next = 0;
    } else if (w->has_seen && header != w->header)
        tell(w, "redefined", "the definitions have changed");
    *w = (struct watch){ .path = w->path,
                         .variables = w->variables,
                         .command = w->command,
                         .next = w->next,
                         .until = w->until,
                         .interval = w->interval,
                         .timeout = w->timeout,
                         .is_json = w->is_json,
                         .is_once = w->is_once,
                         .is_quiet = w->is_quiet,
                         .waits = w->waits,
                         .notices = w->notices,
                         .has_seen = true,
                         .was_there = true,
                         .device = st.st_dev,
                         .inode = st.st_ino,
                         .header = header,
                         .numrecs = ds->meta.numrecs };
}

static int show_new(struct watch *w, struct pcdf_tool_dataset *ds, const bool *chosen, bool *is_new)
{
    int status = PCDF_TOOL_GOOD;

    if (w->next < 0)
        w->next = ds->meta.numrecs > 0 ? ds->meta.numrecs - 1 : 0;
    while (w->next < ds->meta.numrecs && (w->until < 0 || w->next <= w->until) && !status && !told_to_stop) {
        status = show(w, ds, chosen, w->next);
        if (!status && w->command)
            status = execute(w, w->next);
        w->next++;
        *is_new = true;
        if (!status && ferror(stdout))
            status = PCDF_TOOL_UNUSABLE;
    }
    return status;
}

static int look(struct watch *w, bool *is_new)
{
    struct pcdf_tool_dataset ds;

    if (!w->is_once && !is_ready(w))
        return PCDF_TOOL_GOOD;
    int status = pcdf_tool_dataset_open(&ds, w->path, true);
    if (status)
        return status;
    bool *chosen = pcdf_calloc((size_t)ds.meta.nvars + 1, sizeof *chosen);
    if (!chosen)
        status = pcdf_tool_unusable(w->path, "%s", pcdf_fail_text());
    for (int i = 0; i < ds.meta.nvars && chosen; i++)
        chosen[i] = !w->variables;
    if (!status && w->variables)
        status = pcdf_tool_choose(&ds, w->variables, chosen);
    if (!status) {
        compare(w, &ds);
        status = show_new(w, &ds, chosen, is_new);
    }
    if (!status && ds.read_behind)
        status = PCDF_TOOL_BAD;
    pcdf_free(chosen);
    pcdf_tool_dataset_close(&ds);
    return status;
}

static int follow(struct watch *w)
{
    double last = now(), pause = 1e-3 * FIRST_PAUSE;

    for (;;) {
        bool is_new = false;
        int status = look(w, &is_new);
        if (status || w->is_once || told_to_stop)
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
            "records; parcdf with the hint pcdf_commit=step does not.\n\n"
            "  -v, --variables NAME[,NAME]  only these variables\n"
            "  --from N         begin with record N (default 0), or with the last one:\n"
            "                   --from last\n"
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
