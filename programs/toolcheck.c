/* `parcdf check`: each finding of format/findings.h on a line, and a verdict for each file. */
#include "options.h"
#include "tool.h"
#include "toolchunks.h"
#include "toolfile.h"
#include "toolpadding.h"
#include "toolshare.h"
#include "status.h"

#include <inttypes.h>
#include <string.h>

struct printing {
    const char *path, *kind; /* kind: one of another format, NULL: classic */
    bool quiet, verbose, data, fix_padding, is_empty;
    int64_t max, printed, hidden; /* max < 0: all; hidden: notes that only -v prints */
};

static const char *const severity_names[] = { "note", "warning", "error" };

static void print_finding(void *context, const struct pcdf_finding *finding)
{
    struct printing *p = context;

    if (finding->severity == PCDF_FOUND_NOTE && p->kind) /* about bytes that the file does not have */
        return;
    bool is_hidden = finding->severity == PCDF_FOUND_NOTE && !p->verbose;
    p->hidden += is_hidden;
    if (is_hidden || p->quiet || (p->max >= 0 && p->printed >= p->max))
        return;
    bool is_other = strcmp(finding->rule, "MAGIC") == 0 || p->is_empty;
    const char *text = is_other ? pcdf_tool_why(p->path, finding->text) : finding->text;
    p->printed++;
    pcdf_tool_print(stdout, p->path);
    printf(": offset %" PRId64 ": %s: ", finding->offset, severity_names[finding->severity]);
    pcdf_tool_print(stdout, text);
    printf(" [%s%s%s]\n", finding->rule, finding->code ? " " : "",
           finding->code ? pcdf_error_of(finding->code)->name : "");
}

static void print_verdict(const struct printing *p, const struct pcdf_check_result *result)
{
    int64_t total = result->count[0] + result->count[1] + result->count[2];

    if (p->quiet)
        return;
    if (p->printed + p->hidden < total) {
        pcdf_tool_print(stdout, p->path);
        printf(": %" PRId64 " more findings not shown\n", total - p->printed - p->hidden);
    }
    pcdf_tool_print(stdout, p->path);
    printf(": %s: ", result->count[PCDF_FOUND_ERROR] ? "bad" : "good");
    if (result->decoded && p->kind)
        printf("%s, ", p->kind);
    else if (result->decoded)
        printf("CDF-%d, ", (int)result->version);
    if (result->decoded)
        printf("dimensions %d, variables %d, global attributes %d, records %" PRId64 "; ", result->ndims,
               result->nvars, result->ngatts, result->numrecs);
    printf("errors %" PRId64 ", warnings %" PRId64 ", notes %" PRId64 "\n", result->count[PCDF_FOUND_ERROR],
           result->count[PCDF_FOUND_WARNING], result->count[PCDF_FOUND_NOTE]);
}

static int check_open_file(struct pcdf_tool_file *file, struct printing *p)
{
    struct pcdf_check_result result;
    p->is_empty = file->size == 0;
    p->kind = pcdf_tool_source_is_image(file->source) ? pcdf_tool_chunks_kind(file->source) : NULL;
    int status = pcdf_tool_findings(file, print_finding, p, &result);

    if (!status && file->source && pcdf_tool_chunks_places(file->source, print_finding, p, &result))
        status = pcdf_tool_unusable(p->path, "%s", pcdf_fail_text());
    if (status)
        return status;
    if (p->kind)
        result.count[PCDF_FOUND_NOTE] = 0;
    print_verdict(p, &result);
    return result.count[PCDF_FOUND_ERROR] ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
}

static void print_fixed(void *context, const struct pcdf_finding *finding)
{
    const struct printing *p = context;

    if (p->quiet)
        return;
    pcdf_tool_print(stdout, p->path);
    printf(": offset %" PRId64 ": fixed (%d bytes set to zero): ", finding->offset, finding->nbytes);
    pcdf_tool_print(stdout, finding->text);
    putchar('\n');
}

static int check_file(const char *path, struct printing *p)
{
    struct pcdf_tool_file file;

    p->path = path;
    p->printed = p->hidden = 0;
    int status = p->fix_padding ? pcdf_tool_fix_padding(path, print_fixed, p) : PCDF_TOOL_GOOD;
    if (!status)
        status = pcdf_tool_open(&file, path);
    if (status)
        return status;
    status = check_open_file(&file, p);
    pcdf_tool_close(&file);
    return status;
}

#define MAX_TAKES "--max takes a number from 0 on"

static const struct pcdf_option rows[] = {
    { "-v", "print notes, too", PCDF_FLAG(struct printing, verbose) },
    { "-q", "print nothing; only the exit status tells the result", PCDF_FLAG(struct printing, quiet) },
    { "--max N", "print at most N lines for each file",
      PCDF_NUMBER(struct printing, max, 0, INT64_MAX, MAX_TAKES) },
    { "--data",
      "also compare the data with the checksums that are stored beside the file (hint pcdf_checksum=crc32c), "
      "and name the blocks that are damaged; of a far file, and of other formats, all values are read; under "
      "mpiexec the ranks share the work",
      PCDF_FLAG(struct printing, data) },
    { "--fix-padding",
      "first write zeros to padding bytes of the header that are not zero; this changes the file, and its "
      "checksums become invalid",
      PCDF_FLAG(struct printing, fix_padding) },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 17,
                                             .unknown = "unknown option %",
                                             .lacking = MAX_TAKES,
                                             .least = 1,
                                             .few = "no file given" };

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    const struct pcdf_tool_sharing sharing = { 0 };
    struct printing p = { .max = -1 };
    struct pcdf_arguments files;
    int worst = pcdf_tool_options(&pcdf_tool_check, &p, argc, argv, &files);

    if (worst)
        return worst;
    for (int i = 0; i < files.n; i++) { /* the same on all ranks; rank 0 reads headers */
        int status = p.data ? pcdf_tool_sources_share_all(ranks, sharing, 1, (const char *const *)&files.x[i])
                            : PCDF_TOOL_GOOD;
        if (status)
            return status; /* no memory, on all ranks */
        status = ranks->rank == 0 ? check_file(files.x[i], &p) : PCDF_TOOL_GOOD;
        worst = status > worst ? status : worst;
        if (p.data) {       /* the same on all ranks */
            bool is_source; /* the same on all ranks */
            status = pcdf_tool_check_source_all(ranks, files.x[i], p.quiet, p.max, &is_source);
            if (!is_source)
                status = pcdf_tool_check_data_all(ranks, files.x[i], p.quiet, p.max);
            worst = status > worst ? status : worst;
        }
    }
    return worst;
}

const struct pcdf_tool_command pcdf_tool_check = {
    .name = "check",
    .usage = "[-qv] [--max N] [--data] [--fix-padding] FILE...",
    .summary = "find what is wrong with a file",
    .help = "Checks the header of each file and prints what is wrong, one line each:\n"
            "  FILE: offset N: warning|error: SENTENCE [RULE]\n"
            "The last line for each file is the verdict.\n\n"
            "  error    the file cannot be read as it is, or data is lost\n"
            "  warning  the file can be read, but it departs from the specification (with an\n"
            "           error code: the library does not open it for writing); or data at\n"
            "           its end was never written or is lost\n"
            "  note     nothing is wrong; the file has unused room, for example\n\n",
    .options = &options,
    .more_help = "\nExit status, the worst of all files: 0 good (warnings are allowed), 1 bad,\n"
                 "2 unusable. With --data, 2 also means that there is no verdict: the file has no\n"
                 "checksums, is being written, or was changed by a program that did not update\n"
                 "the checksums.\n\n"
                 "EXAMPLES\n"
                 "  parcdf check run_*.nc && echo good\n"
                 "  parcdf check -v --max 3 run_1.nc\n"
                 "  parcdf check --fix-padding run_1.nc\n",
    .is_parallel = true,
    .run = run,
};
