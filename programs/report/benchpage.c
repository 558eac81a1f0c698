/* See benchpage.h. A member that is missing reads as 0 or "". */
#include "benchpage.h"
#include "hintrows.h"
#include "reporthtml.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { R = PCDF_HTML_ROOM, RANKS_SHOWN = 64, PHASES = 6, MOST_MEMBERS = 1000 };

/* "written" is define, write and close together. */
static const char *const phases[PHASES] = { "define", "write", "close", "written", "open", "read" };
static const int phase_colours[PHASES] = { 4, 0, 6, 0, 6, 1 };

static const struct pcdf_json_value *phase_of(const struct pcdf_bench_run *run, const char *phase)
{
    return pcdf_json_member(pcdf_json_member(run->json, "phases"), phase);
}

static double figure(const struct pcdf_bench_run *run, const char *phase, const char *what, const char *which)
{
    return pcdf_json_number(pcdf_json_member(phase_of(run, phase), what), which, 0);
}

/* Members are found one after the other: the time grows with the square of their number. */
static bool is_large(const struct pcdf_json_value *v)
{
    return v && v->kind == PCDF_JSON_OBJECT && v->n > MOST_MEMBERS;
}

static bool has_large(const struct pcdf_json_value *json)
{
    const struct pcdf_json_value *environment = pcdf_json_member(json, "environment"),
                                 *all = pcdf_json_member(json, "phases");
    bool large = is_large(json) || is_large(all) || is_large(environment) ||
                 is_large(pcdf_json_member(environment, "hints"));
    for (int i = 0; i < PHASES && !large; i++) {
        const struct pcdf_json_value *phase = pcdf_json_member(all, phases[i]);
        large = is_large(phase) || is_large(pcdf_json_member(phase, "mpi"));
    }
    return large;
}

const char *pcdf_bench_fault(const struct pcdf_json_value *json)
{
    static const char *const needed[] = { "ranks", "bytes", "repeats", "wrong" };
    if (json->kind != PCDF_JSON_OBJECT || strcmp(pcdf_json_string(json, "program", ""), "checkpoint") != 0)
        return "this JSON is not of parcdf bench";
    if (has_large(json))
        return "an object has more than 1000 members";
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(pcdf_json_number(json, needed[i], -1) >= 0))
            return "a number that parcdf bench always writes is missing or negative";
    const struct pcdf_json_value *all = pcdf_json_member(json, "phases");
    for (int i = 0; i < PHASES; i++) {
        const struct pcdf_json_value *seconds = pcdf_json_member(pcdf_json_member(all, phases[i]), "seconds");
        if (!(pcdf_json_number(seconds, "median", -1) >= 0) || !(pcdf_json_number(seconds, "max", -1) >= 0))
            return "a phase has no seconds";
    }
    return NULL;
}

static void text_rate(char room[2 * R], double mib)
{
    char bytes[R];
    snprintf(room, 2 * R, "%s/s", pcdf_html_bytes(bytes, mib * 1048576));
}

/* ---- one row a run */

static void runs_table(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    char rate[2 * R];
    pcdf_html_section(f, "Runs", "Written: from create to the end of close. Rates are of the slowest rank.");
    pcdf_html_table(f,
                    "run|case|library|#ranks|#bytes|#written in|#written|#read|#peak memory|#wrong values");
    for (int i = 0; i < n; i++) {
        const struct pcdf_json_value *json = runs[i].json;
        double written = figure(&runs[i], "written", "mib_per_second", "median"),
               got = figure(&runs[i], "read", "mib_per_second", "median");
        pcdf_html_row(f);
        pcdf_html_cell(f, runs[i].name);
        pcdf_html_cell(f, pcdf_json_string(json, "case", ""));
        pcdf_html_cell(f, pcdf_json_string(json, "library", ""));
        pcdf_html_cell_count(f, pcdf_json_number(json, "ranks", 0));
        pcdf_html_cell_bytes(f, pcdf_json_number(json, "bytes", 0));
        pcdf_html_cell_seconds(f, figure(&runs[i], "written", "seconds", "median"));
        text_rate(rate, written);
        pcdf_html_cell_number(f, rate, written);
        text_rate(rate, got);
        pcdf_html_cell_number(f, rate, got);
        pcdf_html_cell_bytes(f, 1024 * pcdf_json_number(pcdf_json_member(json, "peak_kib"), "max", 0));
        pcdf_html_cell_count(f, pcdf_json_number(json, "wrong", 0));
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
    pcdf_html_section_end(f);
}

/* ---- phases, the runs below each other */

static void phases_table(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    double most = 0;
    char rate[2 * R];
    for (int p = 0; p < PHASES; p++)
        for (int i = 0; i < n; i++)
            most = fmax(most, figure(&runs[i], phases[p], "seconds", "median"));
    pcdf_html_section(f, "Phases", "Seconds of all ranks and repeats: least, median, most.");
    pcdf_html_table(f, n > 1 ? "phase|run|#least|#median||#most|#rate" : "phase|#least|#median||#most|#rate");
    for (int p = 0; p < PHASES; p++)
        for (int i = 0; i < n; i++) {
            double mib = figure(&runs[i], phases[p], "mib_per_second", "median"),
                   median = figure(&runs[i], phases[p], "seconds", "median");
            text_rate(rate, mib);
            pcdf_html_row(f);
            pcdf_html_cell(f, i == 0 ? phases[p] : "");
            if (n > 1)
                pcdf_html_cell(f, runs[i].name);
            pcdf_html_cell_seconds(f, figure(&runs[i], phases[p], "seconds", "min"));
            pcdf_html_cell_seconds(f, median);
            pcdf_html_cell_bar(f, most > 0 ? median / most : 0, phase_colours[p]);
            pcdf_html_cell_seconds(f, figure(&runs[i], phases[p], "seconds", "max"));
            pcdf_html_cell_number(f, mib > 0 ? rate : "", mib);
            pcdf_html_row_end(f);
        }
    pcdf_html_table_end(f);
    pcdf_html_section_end(f);
}

/* ---- ranks */

static const struct pcdf_json_value *times_of(const struct pcdf_bench_run *run, const char *phase)
{
    const struct pcdf_json_value *list = pcdf_json_member(phase_of(run, phase), "by_rank");
    return list && list->kind == PCDF_JSON_LIST ? list : NULL;
}

static void rank_bars(FILE *f, const struct pcdf_bench_run *run, const char *phase, int colour)
{
    const struct pcdf_json_value *list = times_of(run, phase), *v = list ? list->first : NULL;
    double most = 0;
    char room[24];
    for (; v; v = v->next)
        most = fmax(most, v->number);
    fputs("<div><h3>", f);
    pcdf_html_format(f, "%s: %s", run->name, phase);
    fputs("</h3>\n", f);
    pcdf_html_table(f, "rank|#seconds|");
    v = list ? list->first : NULL;
    for (int i = 0; v && i < RANKS_SHOWN; v = v->next, i++) {
        snprintf(room, sizeof room, "%d", i);
        pcdf_html_row(f);
        pcdf_html_cell(f, room);
        pcdf_html_cell_seconds(f, v->number);
        pcdf_html_cell_bar(f, most > 0 ? v->number / most : 0, colour);
        pcdf_html_row_end(f);
    }
    if (v) {
        pcdf_html_row(f);
        fprintf(f, "<td colspan=\"3\">and %d more</td>", list->n - RANKS_SHOWN);
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
    fputs("</div>\n", f);
}

static void ranks_of(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    pcdf_html_section(f, "Ranks", "The median of each rank's repeats; each phase begins at a barrier.");
    fputs("<div class=\"two\">\n", f);
    for (int i = 0; i < n; i++) {
        if (times_of(&runs[i], "write") && times_of(&runs[i], "write")->first)
            rank_bars(f, &runs[i], "write", 0);
        if (times_of(&runs[i], "read") && times_of(&runs[i], "read")->first)
            rank_bars(f, &runs[i], "read", 1);
    }
    fputs("</div>\n", f);
    pcdf_html_section_end(f);
}

/* ---- what was asked of MPI */

static double asked(const struct pcdf_bench_run *run, const char *phase, const char *what)
{
    return pcdf_json_number(pcdf_json_member(phase_of(run, phase), "mpi"), what, 0);
}

static bool kind_rows(FILE *f, const struct pcdf_bench_run *runs, int n, const char *what)
{
    double all = 0;
    for (int i = 0; i < n; i++)
        all += asked(&runs[i], "write", what) + asked(&runs[i], "read", what);
    for (int i = 0; i < n && all > 0; i++) {
        pcdf_html_row(f);
        pcdf_html_cell(f, i == 0 ? what : "");
        if (n > 1)
            pcdf_html_cell(f, runs[i].name);
        pcdf_html_cell_count(f, asked(&runs[i], "write", what));
        pcdf_html_cell_count(f, asked(&runs[i], "read", what));
        pcdf_html_row_end(f);
    }
    return all > 0;
}

static void calls_of(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    const struct pcdf_json_value *kinds = pcdf_json_member(phase_of(&runs[0], "write"), "mpi");
    pcdf_html_section(f, "Asked of MPI and of the system",
                      "In one repeat, of the rank that asked most: while writing, while reading.");
    pcdf_html_table(f, n > 1 ? "what|run|#write|#read" : "what|#write|#read");
    const struct pcdf_json_value *v = kinds && kinds->kind == PCDF_JSON_OBJECT ? kinds->first : NULL;
    bool any = false;
    for (; v; v = v->next)
        any |= kind_rows(f, runs, n, v->key);
    if (!any)
        pcdf_html_row_none(f, n > 1 ? 4 : 3);
    pcdf_html_table_end(f);
    pcdf_html_section_end(f);
}

/* ---- environment */

static const struct pcdf_json_value *environment_of(const struct pcdf_bench_run *run)
{
    return pcdf_json_member(run->json, "environment");
}

static const char *hint_of(const struct pcdf_bench_run *run, const char *name)
{
    return pcdf_json_string(pcdf_json_member(environment_of(run), "hints"), name, "");
}

static bool is_default(const char *name, const char *value)
{
    char text[32];
    for (int i = 0; i < pcdf_hint_count; i++) {
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        if (strcmp(row->name, name) != 0)
            continue;
        snprintf(text, sizeof text, "%lld", (long long)row->number);
        return strcmp(value, row->text ? row->text : text) == 0;
    }
    return false;
}

static void environment_row(FILE *f, const char *what, const struct pcdf_bench_run *runs, int n,
                            const char *(*value)(const struct pcdf_bench_run *, const char *))
{
    pcdf_html_row(f);
    pcdf_html_cell(f, what);
    for (int i = 0; i < n; i++)
        pcdf_html_cell(f, value(&runs[i], what));
    pcdf_html_row_end(f);
}

static const char *member_of(const struct pcdf_bench_run *run, const char *what)
{
    return pcdf_json_string(environment_of(run), what, "");
}

static void hosts_row(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    pcdf_html_row(f);
    pcdf_html_cell(f, "hosts");
    for (int i = 0; i < n; i++) {
        const struct pcdf_json_value *hosts = pcdf_json_member(environment_of(&runs[i]), "hosts");
        const struct pcdf_json_value *v = hosts && hosts->kind == PCDF_JSON_OBJECT ? hosts->first : NULL;
        fputs("<td class=\"w\">", f);
        for (int k = 0; v && k < RANKS_SHOWN; v = v->next, k++)
            pcdf_html_format(f, "%s%s (%.0f ranks)", k ? ", " : "", v->key, v->number);
        fputs(v ? " ...</td>" : "</td>", f);
    }
    pcdf_html_row_end(f);
}

static void environment(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    const struct pcdf_json_value *hints = pcdf_json_member(environment_of(&runs[0]), "hints");
    pcdf_html_section(f, "Where it ran",
                      "Hints in effect that are not the default, or in which the runs differ.");
    fputs("<div class=\"scroll\"><table>\n<thead><tr><th>what</th>", f);
    for (int i = 0; i < n; i++) {
        fputs("<th>", f);
        pcdf_html_text(f, n > 1 ? runs[i].name : "value");
        fputs("</th>", f);
    }
    fputs("</tr></thead>\n<tbody>\n", f);
    environment_row(f, "mpi", runs, n, member_of);
    environment_row(f, "filesystem", runs, n, member_of);
    environment_row(f, "path", runs, n, member_of);
    hosts_row(f, runs, n);
    for (const struct pcdf_json_value *v = hints && hints->kind == PCDF_JSON_OBJECT ? hints->first : NULL; v;
         v = v->next) {
        bool shown = !is_default(v->key, hint_of(&runs[0], v->key));
        for (int i = 1; i < n; i++)
            shown |= strcmp(hint_of(&runs[i], v->key), hint_of(&runs[0], v->key)) != 0;
        if (shown)
            environment_row(f, v->key, runs, n, hint_of);
    }
    pcdf_html_table_end(f);
    pcdf_html_section_end(f);
}

/* ---- advice */

static void say(FILE *f, int *given, bool good, const char *head, const char *text)
{
    fprintf(f, "<li%s><b>", good ? " class=\"good\"" : "");
    pcdf_html_text(f, head);
    fputs("</b><span>", f);
    pcdf_html_text(f, text);
    fputs("</span></li>\n", f);
    ++*given;
}

static void advise_run(FILE *f, const struct pcdf_bench_run *run, int *given)
{
    char head[512];
    double written = figure(run, "written", "seconds", "median"),
           close = figure(run, "close", "seconds", "median"), least = INFINITY, most = 0;
    int slowest = 0, i = 0;
    const struct pcdf_json_value *list = times_of(run, "write");
    for (const struct pcdf_json_value *v = list ? list->first : NULL; v; v = v->next, i++) {
        least = fmin(least, v->number);
        slowest = v->number > most ? i : slowest;
        most = fmax(most, v->number);
    }
    if (pcdf_json_number(run->json, "wrong", 0) > 0) {
        snprintf(head, sizeof head, "%.200s: %.0f values came back wrong", run->name,
                 pcdf_json_number(run->json, "wrong", 0));
        say(f, given, false, head,
            "Do not trust this file system, or this library, with data; run it again with --keep and look at "
            "the "
            "file.");
    }
    if (written > 0 && close > 0.5 * written) {
        snprintf(head, sizeof head, "%.200s: close took %.0f %% of the time to write", run->name,
                 100 * close / written);
        say(f, given, false, head,
            "Until then data is in the memory of the nodes, and close waits until the storage has it. The "
            "hint "
            "pcdf_commit=none does not wait: a crash of a node may then lose the file.");
    }
    if (i > 1 && least > 0 && most / least >= 1.5) {
        snprintf(head, sizeof head, "%.200s: rank %d wrote for %.1f times as long as the fastest rank",
                 run->name, slowest, most / least);
        say(f, given, false, head, "A run with --hints pcdf_trace=LOG shows what it did.");
    }
}

static void compare_runs(FILE *f, const struct pcdf_bench_run *runs, int n, const char *phase,
                         const char *words, int *given)
{
    char head[1024];
    int best = 0, worst = 0;
    for (int i = 1; i < n; i++) {
        double rate = figure(&runs[i], phase, "mib_per_second", "median");
        best = rate > figure(&runs[best], phase, "mib_per_second", "median") ? i : best;
        worst = rate < figure(&runs[worst], phase, "mib_per_second", "median") ? i : worst;
    }
    double high = figure(&runs[best], phase, "mib_per_second", "median"),
           low = figure(&runs[worst], phase, "mib_per_second", "median");
    if (n < 2 || low <= 0 || high < 1.05 * low)
        return;
    snprintf(head, sizeof head, "%.200s %s %.2f times as fast as %.200s", runs[best].name, words, high / low,
             runs[worst].name);
    say(f, given, true, head,
        pcdf_json_number(runs[best].json, "bytes", 0) == pcdf_json_number(runs[worst].json, "bytes", 0)
            ? "Both moved the same number of bytes."
            : "They moved different numbers of bytes, so this says little.");
}

static void advice(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    int given = 0;
    pcdf_html_section(f, "Advice", NULL);
    fputs("<ul class=\"advice\">\n", f);
    compare_runs(f, runs, n, "written", "wrote", &given);
    compare_runs(f, runs, n, "read", "read", &given);
    for (int i = 0; i < n; i++)
        advise_run(f, &runs[i], &given);
    if (given == 0)
        say(f, &given, true, "Nothing stands out",
            "All values came back right, and no rank or phase takes more than its share.");
    fputs("</ul>\n", f);
    pcdf_html_section_end(f);
}

static void tiles(FILE *f, const struct pcdf_bench_run *run)
{
    char a[R], rate[2 * R], more[R + 20];
    fputs("<div class=\"tiles\">\n", f);
    snprintf(more, sizeof more, "%s read", pcdf_html_count(a, pcdf_json_number(run->json, "read_ranks", 0)));
    pcdf_html_tile(f, "ranks", pcdf_html_count(a, pcdf_json_number(run->json, "ranks", 0)), more);
    pcdf_html_tile(f, "bytes", pcdf_html_bytes(a, pcdf_json_number(run->json, "bytes", 0)),
                   pcdf_json_string(run->json, "case", ""));
    text_rate(rate, figure(run, "written", "mib_per_second", "median"));
    pcdf_html_tile(f, "written", rate, "create to the end of close");
    text_rate(rate, figure(run, "read", "mib_per_second", "median"));
    pcdf_html_tile(f, "read", rate, "by the slowest rank");
    snprintf(more, sizeof more, "%s compared", pcdf_html_count(a, pcdf_json_number(run->json, "values", 0)));
    pcdf_html_tile(f, "wrong values", pcdf_html_count(a, pcdf_json_number(run->json, "wrong", 0)), more);
    fputs("</div>\n", f);
}

void pcdf_bench_page(FILE *f, const struct pcdf_bench_run *runs, int n)
{
    if (n == 1)
        tiles(f, &runs[0]);
    advice(f, runs, n);
    runs_table(f, runs, n);
    phases_table(f, runs, n);
    ranks_of(f, runs, n);
    calls_of(f, runs, n);
    environment(f, runs, n);
}
