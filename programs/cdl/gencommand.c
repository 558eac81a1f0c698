/* `parcdf gen`: its options. */
#include "gen.h"
#include "tool.h"

#include <getopt.h>
#include <string.h>

static int language(struct pcdf_gen *gen, const char *word)
{
    if (strcmp(word, "c") == 0 || strcmp(word, "C") == 0)
        gen->what = PCDF_GEN_C;
    else if (strcmp(word, "b") == 0)
        gen->what = PCDF_GEN_FILE;
    else
        return pcdf_tool_misused(&pcdf_tool_gen, "-l %s: the languages are c, and b for a file", word);
    return PCDF_TOOL_GOOD;
}

static int kind(struct pcdf_gen *gen, const char *word)
{
    gen->version = pcdf_gen_kind(word);
    if (gen->version < 0)
        return pcdf_tool_misused(&pcdf_tool_gen, "-k %s: netCDF-4 is what `parcdf copy` makes of a file",
                                 word);
    if (gen->version == 0)
        return pcdf_tool_misused(&pcdf_tool_gen, "-k %s: the kinds are nc3, nc6, nc5", word);
    return PCDF_TOOL_GOOD;
}

static int take(struct pcdf_gen *gen, int c, const char *word)
{
    switch (c) {
    case 'b':
        gen->what = gen->what == PCDF_GEN_C ? gen->what : PCDF_GEN_FILE;
        return PCDF_TOOL_GOOD;
    case 'c':
        return language(gen, "c");
    case 'l':
        return language(gen, optarg);
    case 'k':
    case 'v':
        return kind(gen, optarg);
    case '1':
    case '2':
    case '5':
    case '6':
        return kind(gen, (const char[]){ (char)c, 0 });
    case '3': /* as an option of its own ncgen means netCDF-3 */
        return kind(gen, "nc3");
    case '4':
    case '7':
        return kind(gen, "nc4");
    case 'o':
        gen->output = optarg;
        gen->what = gen->what == PCDF_GEN_CHECK ? PCDF_GEN_FILE : gen->what;
        return PCDF_TOOL_GOOD;
    case 'x':
        gen->no_fill = true;
        return PCDF_TOOL_GOOD;
    default:
        return pcdf_tool_misused(&pcdf_tool_gen, "unknown option, or one without its argument: %s", word);
    }
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    static const struct option words[] = { { "kind", required_argument, NULL, 'k' },
                                           { "language", required_argument, NULL, 'l' },
                                           { "output", required_argument, NULL, 'o' },
                                           { "nofill", no_argument, NULL, 'x' },
                                           { NULL, 0, NULL, 0 } };
    struct pcdf_gen gen = { .suffix = ".nc" };
    int c;

    (void)team;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "bcl:k:v:o:x1234567", words, NULL)) != -1) {
        int status = take(&gen, c, argv[optind - 1]);
        if (status)
            return status;
    }
    if (optind + 1 < argc)
        return pcdf_tool_misused(&pcdf_tool_gen, "takes one text");
    gen.path = optind < argc ? argv[optind] : NULL;
    return pcdf_gen_run(&gen);
}

const struct pcdf_tool_command pcdf_tool_gen = {
    .name = "gen",
    .usage = "[-b] [-o FILE] [-k KIND] [-x] [-l c] [TEXT.cdl]",
    .summary = "make a file, or a C program that makes it, from CDL text",
    .help = "Reads CDL, the text that `parcdf dump` prints and people write, from TEXT.cdl\n"
            "or standard input. Without -b, -o or -l it only checks the text. Error messages\n"
            "show line, column and text.\n\n"
            "  -o, --output FILE    write this file\n"
            "  -b                   write a file named after the text: x.nc for x.cdl or for\n"
            "                       `netcdf x`\n"
            "  -k, --kind KIND      nc3, classic or 1 (CDF-1); nc6, 64-bit-offset or 2\n"
            "                       (CDF-2); nc5, 64-bit-data or 5 (CDF-5). Default: the\n"
            "                       kind that the text names, or the first one that has its\n"
            "                       types\n"
            "  -x, --nofill         do not write fill values into variables without values\n"
            "  -l, --language LANG  c: print a C program with pnetcdf.h calls that makes the\n"
            "                       file; b: the same as -b\n\n"
            "Exit status: 0 good; 1 an error in the text; 2 wrong arguments, or a file\n"
            "cannot be read or written. After an error no part of a file is left.\n\n"
            "EXAMPLES\n"
            "  parcdf gen run.cdl\n"
            "  parcdf gen -k nc5 -o run.nc run.cdl\n"
            "  sed s/depth/height/ run.cdl | parcdf gen -o heights.nc\n"
            "  parcdf gen -l c run.cdl > run.c\n",
    .run = run,
};
