/* The program under PnetCDF's name ncvalidator: its options, verdicts and exit status. Only the drop-in
 * installs that name; `parcdf check` says more. What it finds is what check finds; what that tolerates, and
 * PnetCDF's does not, is an error here (fails). */
#include "tool.h"
#include "toolfile.h"
#include "toolpadding.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct validating {
    const char *path;
    bool quiet;
    int64_t errors, fixed;
};

static int usage(void)
{
    fputs("Usage: ncvalidator [-h] | [-t] [-x] [-q] file\n"
          "       -h  print this help\n"
          "       -t  print the contents of the header, too\n"
          "       -x  write null bytes into the padding of the header, in the file\n"
          "       -q  print nothing (exit status 1: not valid, 0: valid)\n"
          "This is parcdf; 'parcdf check' prints more.\n",
          stderr);
    return 1; /* of -h, too, as PnetCDF's */
}

/* Does this finding make the file invalid for PnetCDF's program? Errors, what is not opened for writing,
 * padding that is not zero, bytes behind the data. */
static bool fails(const struct pcdf_finding *finding)
{
    if (finding->severity == PCDF_FOUND_ERROR)
        return true;
    return finding->severity == PCDF_FOUND_WARNING &&
           (finding->code || strcmp(finding->rule, "PADDING") == 0 || strcmp(finding->rule, "TRAILING") == 0);
}

static void print_finding(void *context, const struct pcdf_finding *finding)
{
    struct validating *v = context;

    if (finding->severity == PCDF_FOUND_NOTE)
        return;
    v->errors += fails(finding);
    if (v->quiet)
        return;
    printf("%s @ [0x%08" PRIx64 "]:\n\t", fails(finding) ? "Error" : "Warning", (uint64_t)finding->offset);
    pcdf_tool_print(stdout, finding->text);
    putchar('\n');
}

static void count_fixed(void *context, const struct pcdf_finding *finding)
{
    struct validating *v = context;
    (void)finding;
    v->fixed++;
}

static int look(struct pcdf_tool_file *file, struct validating *v)
{
    struct pcdf_check_result result;
    return pcdf_tool_findings(file, print_finding, v, &result);
}

static void print_file(const char *path)
{
    fputs("File \"", stdout);
    pcdf_tool_print(stdout, path);
}

/* The lines that scripts look for. */
static void print_verdict(const struct pcdf_tool_file *file, const struct validating *v)
{
    int version = file->n > 3 && memcmp(file->bytes, "CDF", 3) == 0 ? file->bytes[3] : 0;

    if (v->quiet)
        return;
    print_file(v->path);
    if (version != 1 && version != 2 && version != 5) {
        puts("\" format is unknown");
        return;
    }
    if (v->errors == 0)
        printf("\" is a valid NetCDF classic CDF-%d file.\n", version);
    else
        printf("\" fails to conform with classic CDF-%d file format specifications\n", version);
    if (v->fixed == 0)
        return;
    fputs("and its padding has been repaired in place. Please run \"ncvalidator ", stdout);
    pcdf_tool_print(stdout, v->path);
    puts("\" to validate again.");
}

static int validate(struct validating *v, bool fix)
{
    struct pcdf_tool_file file;

    if (pcdf_tool_open_regular(&file, v->path))
        return 1;
    int status = look(&file, v); /* as it was */
    if (!status && fix && v->errors > 0)
        status = pcdf_tool_fix_padding(v->path, count_fixed, v);
    if (!status)
        print_verdict(&file, v);
    pcdf_tool_close(&file);
    return status || v->errors > 0;
}

int pcdf_tool_ncvalidator(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct validating v = { 0 };
    bool fix = false, trace = false;
    int c;

    while ((c = getopt(argc, argv, "xtqh")) != -1) {
        if (c == 'h' || c == '?')
            return usage();
        fix = fix || c == 'x';
        trace = trace || c == 't';
        v.quiet = v.quiet || c == 'q';
    }
    if (optind >= argc)
        return usage();
    v.path = argv[optind];
    if (trace && !v.quiet) {
        char *words[] = { "offsets", "--", argv[optind], NULL };
        optind = 0; /* options are read once more */
        if (pcdf_tool_offsets.run(ranks, 3, words) == PCDF_TOOL_UNUSABLE)
            return 1;
    }
    return validate(&v, fix);
}
