/* `parcdf gen`: its options. */
#include "gen.h"
#include "options.h"
#include "tool.h"

#include <string.h>

static const char *take_language(void *into, const struct pcdf_option *row, const char *word)
{
    struct pcdf_gen *gen = into;

    (void)row;
    if (!word || strcmp(word, "c") == 0 || strcmp(word, "C") == 0)
        gen->what = PCDF_GEN_C;
    else if (strcmp(word, "b") == 0)
        gen->what = PCDF_GEN_FILE;
    else
        return pcdf_options_wrong("-l %: the languages are c, and b for a file", word);
    return NULL;
}

static const char *take_kind(void *into, const struct pcdf_option *row, const char *word)
{
    struct pcdf_gen *gen = into;

    word = word ? word : row->fault;
    gen->version = pcdf_gen_kind(word);
    if (gen->version < 0)
        return pcdf_options_wrong("-k %: netCDF-4 is what `parcdf copy` makes of a file", word);
    return gen->version ? NULL : pcdf_options_wrong("-k %: the kinds are nc3, nc6, nc5", word);
}

static const char *take_output(void *into, const struct pcdf_option *row, const char *path)
{
    struct pcdf_gen *gen = into;

    (void)row;
    gen->output = path;
    gen->what = gen->what == PCDF_GEN_CHECK ? PCDF_GEN_FILE : gen->what;
    return NULL;
}

static const char *take_file(void *into, const struct pcdf_option *row, const char *none)
{
    struct pcdf_gen *gen = into;

    (void)row, (void)none;
    gen->what = gen->what == PCDF_GEN_C ? gen->what : PCDF_GEN_FILE;
    return NULL;
}

/* The letters of ncgen for kinds. */
#define KIND(word) PCDF_TAKEN(take_kind), .fault = (word)

static const struct pcdf_option rows[] = {
    { "-o, --output FILE", "write this file", PCDF_TAKEN(take_output) },
    { "-b", "write a file named after the text: x.nc for x.cdl or for `netcdf x`", PCDF_TAKEN(take_file) },
    { "-k, --kind KIND",
      "nc3, classic or 1 (CDF-1); nc6, 64-bit-offset or 2 (CDF-2); nc5, 64-bit-data or 5 (CDF-5). Default: "
      "the\nkind that the text names, or the first one that has its types",
      PCDF_TAKEN(take_kind) },
    { "-x, --nofill", "do not write fill values into variables without values",
      PCDF_FLAG(struct pcdf_gen, no_fill) },
    { "-l, --language LANG",
      "c: print a C program with pnetcdf.h calls that makes the file; b: the same as -b",
      PCDF_TAKEN(take_language) },
    { "-c", NULL, PCDF_TAKEN(take_language) },
    { "-v KIND", NULL, PCDF_TAKEN(take_kind) },
    { "-1", NULL, KIND("1") },
    { "-2", NULL, KIND("2") },
    { "-3", NULL, KIND("nc3") },
    { "-4", NULL, KIND("nc4") },
    { "-5", NULL, KIND("5") },
    { "-6", NULL, KIND("6") },
    { "-7", NULL, KIND("nc4") },
    { 0 }
};
static const struct pcdf_options options = { .rows = rows,
                                             .column = 23,
                                             .unknown = "unknown option, or one without its argument: %",
                                             .most = 1,
                                             .many = "takes one text" };

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct pcdf_gen gen = { .suffix = ".nc" };
    struct pcdf_arguments texts;

    (void)ranks;
    int status = pcdf_tool_options(&pcdf_tool_gen, &gen, argc, argv, &texts);
    if (status)
        return status;
    gen.path = texts.n > 0 ? texts.x[0] : NULL;
    return pcdf_gen_run(&gen);
}

const struct pcdf_tool_command pcdf_tool_gen = {
    .name = "gen",
    .usage = "[-b] [-o FILE] [-k KIND] [-x] [-l c] [TEXT.cdl]",
    .summary = "make a file, or a C program that makes it, from CDL text",
    .help = "Reads CDL, the text that `parcdf dump` prints and people write, from TEXT.cdl\n"
            "or standard input. Without -b, -o or -l it only checks the text. Error messages\n"
            "show line, column and text.\n\n",
    .options = &options,
    .more_help = "\nExit status: 0 good; 1 an error in the text; 2 wrong arguments, or a file\n"
                 "cannot be read or written. After an error no part of a file is left.\n\n"
                 "EXAMPLES\n"
                 "  parcdf gen run.cdl\n"
                 "  parcdf gen -k nc5 -o run.nc run.cdl\n"
                 "  sed s/depth/height/ run.cdl | parcdf gen -o heights.nc\n"
                 "  parcdf gen -l c run.cdl > run.c\n",
    .run = run,
};
