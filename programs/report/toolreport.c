/* `parcdf report`: runs of `parcdf bench`, or a run that was recorded with the hint pcdf_trace, as one page
 * of HTML. */
#include "alloc.h"
#include "array.h"
#include "benchpage.h"
#include "options.h"
#include "recordpage.h"
#include "reporthtml.h"
#include "tool.h"
#include "toolfile.h"
#include "tooloutput.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct inputs {
    PCDF_ARRAY(char *) logs; /* owned */
    struct pcdf_bench_run runs[PCDF_BENCH_MOST_RUNS];
    int nruns;
    struct pcdf_arena arena; /* of the runs */
};

/* ---- inputs */

static int add_log(struct inputs *in, const char *path)
{
    char *copy = PCDF_RESERVE(&in->logs, in->logs.n + 1) ? NULL : pcdf_strndup(path, strlen(path));
    if (!copy)
        return pcdf_tool_unusable(path, "no memory for its name");
    in->logs.x[in->logs.n++] = copy;
    return PCDF_TOOL_GOOD;
}

/* PATH.0, PATH.1 ... as far as there are; *found: the first is there. */
static int add_series(struct inputs *in, const char *path, bool *found)
{
    size_t room = strlen(path) + 16;
    char *name = pcdf_malloc(room);
    int status = name ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
    *found = false;
    for (int rank = 0; !status && rank < PCDF_RECORD_MOST_RANKS; rank++) {
        snprintf(name, room, "%s.%d", path, rank);
        FILE *f = fopen(name, "r");
        if (!f)
            break;
        fclose(f);
        *found = true;
        status = add_log(in, name);
    }
    pcdf_free(name);
    return status;
}

static int add_run(struct inputs *in, const char *path, FILE *f)
{
    const char *fault = NULL;
    size_t at = 0;
    if (in->nruns == PCDF_BENCH_MOST_RUNS)
        return pcdf_tool_unusable(path, "a page compares at most %d runs", PCDF_BENCH_MOST_RUNS);
    char *bytes = pcdf_malloc(PCDF_JSON_MOST_BYTES + 1);
    size_t n = bytes ? fread(bytes, 1, PCDF_JSON_MOST_BYTES + 1, f) : 0;
    bool failed = !bytes || ferror(f);
    if (failed)
        fault = bytes ? strerror(errno) : "no memory to read it";
    else if (n > PCDF_JSON_MOST_BYTES)
        fault = "JSON of more than 4 MiB is not of parcdf bench";
    struct pcdf_json_value *json =
        fault ? NULL : pcdf_json_read(&in->arena, bytes, n, &pcdf_json_strict, &fault, &at);
    bool is_json = json;
    if (json)
        fault = pcdf_bench_fault(json);
    if (fault && (is_json || at == 0))
        pcdf_tool_say(path, "%s", fault);
    else if (fault)
        pcdf_tool_say(path, "byte %zu: %s", at, fault);
    else
        in->runs[in->nruns++] = (struct pcdf_bench_run){ path, json };
    pcdf_free(bytes);
    return !fault ? PCDF_TOOL_GOOD : failed ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_BAD;
}

/* '{': JSON, by the first byte that is no blank; '#': a log; 0: neither. What cannot go back to its
 * beginning, such as a pipe, goes back to that byte. */
static int kind_of(FILE *f)
{
    int c;
    do
        c = fgetc(f);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t');
    bool is_json = c == '{' || c == '[', is_log = c == '#' && fgetc(f) == ' ';
    if (fseek(f, 0, SEEK_SET) != 0)
        ungetc(c, f);
    return is_json ? '{' : is_log ? '#' : 0;
}

/* A pipe has its bytes but once. */
static bool has_one_pass(FILE *f)
{
    struct stat st;
    return fstat(fileno(f), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int add_log_file(struct inputs *in, const char *path, FILE *f)
{
    if (!has_one_pass(f))
        return add_log(in, path);
    return pcdf_tool_unusable(path, "what is no JSON is read more than once, so it must be a file");
}

/* Logs are meant where nothing is called `path`, or something that is no input: a folder, a program. */
static int add_input(struct inputs *in, const char *path)
{
    FILE *f = fopen(path, "r");
    bool found = false;
    int why = errno, kind = f ? kind_of(f) : 0, status = kind ? PCDF_TOOL_GOOD : add_series(in, path, &found);
    if (f && !status && !found)
        status = kind == '{' ? add_run(in, path, f) : add_log_file(in, path, f);
    if (!f && !status && !found) {
        const char *other = pcdf_tool_why(path, NULL);
        if (other)
            status = pcdf_tool_unusable(path, "%s", other);
        else
            status = pcdf_tool_unusable(path, "%s, and there is no %s.0", strerror(why), path);
    }
    if (f)
        fclose(f);
    return status;
}

static void free_inputs(struct inputs *in)
{
    for (size_t i = 0; i < in->logs.n; i++)
        pcdf_free(in->logs.x[i]);
    pcdf_free(in->logs.x);
    pcdf_arena_free(&in->arena);
}

/* ---- the page */

static int write_page(FILE *f, struct inputs *in, struct pcdf_record *record)
{
    int status = PCDF_TOOL_GOOD, nlogs = (int)in->logs.n;
    char about[2048] = "";
    size_t at = 0;
    for (int i = 0; i < in->nruns && at < 1500; i++)
        at += (size_t)snprintf(about + at, sizeof about - at, "%s%.300s", i ? ", " : "", in->runs[i].name);
    if (nlogs > 0)
        snprintf(about + at, sizeof about - at, "%s%.300s%s", at ? "; recording " : "", in->logs.x[0],
                 nlogs > 1 ? " and the other ranks" : "");
    pcdf_html_begin(f, nlogs == 0 ? "Benchmark of parallel I/O" : "Recorded run", about);
    if (in->nruns > 0)
        pcdf_bench_page(f, in->runs, in->nruns);
    if (nlogs > 0)
        status = pcdf_record_page(f, record, in->logs.x, nlogs);
    pcdf_html_end(f);
    return status;
}

static int write_to(const char *path, bool replace, struct inputs *in, struct pcdf_record *record)
{
    struct pcdf_tool_output out;
    for (int i = 0; i < in->nruns; i++)
        if (!pcdf_tool_output_spares(path, in->runs[i].name))
            return PCDF_TOOL_UNUSABLE;
    for (size_t i = 0; i < in->logs.n; i++)
        if (!pcdf_tool_output_spares(path, in->logs.x[i]))
            return PCDF_TOOL_UNUSABLE;
    int status = pcdf_tool_output_begin(&out, path, replace);
    if (status)
        return status;
    FILE *f = fopen(out.name, "w");
    if (!f) {
        pcdf_tool_say(path, "%s", strerror(errno));
        pcdf_tool_output_abandon(&out);
        return PCDF_TOOL_UNUSABLE;
    }
    status = write_page(f, in, record);
    errno = 0;
    bool failed = ferror(f) != 0;
    failed |= fclose(f) != 0;
    if (failed)
        status = pcdf_tool_unusable(path, "%s", errno ? strerror(errno) : "it cannot be written");
    if (status)
        pcdf_tool_output_abandon(&out);
    return status ? status : pcdf_tool_output_commit(&out);
}

static int report(char **words, int n, const char *to, bool replace)
{
    struct inputs in = { 0 };
    struct pcdf_record *record = pcdf_calloc(1, sizeof *record);
    int status = record ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
    if (!record)
        pcdf_tool_say(NULL, "no memory for a report");
    for (int i = 0; i < n && !status; i++)
        status = add_input(&in, words[i]);
    if (!status && in.logs.n > 0)
        status = pcdf_record_read(record, in.logs.x, (int)in.logs.n);
    if (!status)
        status = to ? write_to(to, replace, &in, record) : write_page(stdout, &in, record);
    if (record)
        pcdf_record_free(record);
    pcdf_free(record);
    free_inputs(&in);
    return status;
}

struct options {
    const char *to;
    bool replaces;
};

static const struct pcdf_option rows[] = {
    { "-o, --output OUT.html", "write the page to this file (default: standard output)",
      PCDF_WORD(struct options, to) },
    { "-O, --overwrite", "replace the file if it exists", PCDF_FLAG(struct options, replaces) },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 25,
                                             .unknown = "unknown option %",
                                             .lacking = "a value is missing after %",
                                             .least = 1,
                                             .few = "no input given" };

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct options o = { 0 };
    struct pcdf_arguments inputs;
    (void)ranks;
    int status = pcdf_tool_options(&pcdf_tool_report, &o, argc, argv, &inputs);
    return status ? status : report(inputs.x, inputs.n, o.to, o.replaces);
}

const struct pcdf_tool_command pcdf_tool_report = {
    .name = "report",
    .usage = "[-O] [-o OUT.html] INPUT...",
    .summary = "make an HTML page about a benchmark or a recorded run",
    .help = "Each INPUT is the output of `parcdf bench --json`, or a recording: if the\n"
            "program ran with the hint pcdf_trace=LOG, name LOG to read the logs of all\n"
            "ranks (LOG.0, LOG.1, ...), or name single logs. Several runs of the benchmark\n"
            "are shown side by side. The page shows times by call, by variable and by rank,\n"
            "a time line, sizes, the strategy of each call and its reason, and advice. It\n"
            "needs no network and no scripts.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 good, 1 bad (an INPUT is neither), 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  mpiexec -n 4 parcdf bench --json >b.json && parcdf report b.json >b.html\n"
                 "  mpiexec -n 4 parcdf bench --hints pcdf_trace=r; parcdf report r >r.html\n",
    .run = run,
};
