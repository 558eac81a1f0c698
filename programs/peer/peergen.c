/* The program when it is called `ncgen` or `ncmpigen`: their options and exit statuses. */
#include "gen.h"
#include "tool.h"

#include <string.h>
#include <unistd.h>

enum { TEXT_IS_WRONG = 1, KIND_IS_WRONG = 2, FILES_ARE_MANY = 6, NO_TEXT = 7, OPTION_IS_WRONG = 8 };

struct peer {
    const char *name, *options, *usage;
    int cannot_write; /* its exit status */
};

static const struct peer ncgen = {
    "ncgen", "134567bcdD:hHk:v:l:M:nN:L:o:PW:x",
    "usage: ncgen [-b] [-o FILE] [-k KIND | -3 | -6 | -5] [-x] [-l c|b] [-N NAME]\n"
    "             [TEXT.cdl]\n",
    TEXT_IS_WRONG
};
static const struct peer ncmpigen = { "ncmpigen", "bcfl:no:v:x",
                                      "usage: ncmpigen [-b] [-n] [-o FILE] [-v 1|2|5] [-x] [-c] [TEXT.cdl]\n",
                                      6 };

static int misused(const struct peer *peer, const char *what)
{
    fprintf(stderr, "%s: %s\n%s", peer->name, what, peer->usage);
    return OPTION_IS_WRONG;
}

static int language(struct pcdf_gen *gen, const char *word, const struct peer *peer)
{
    if (strcmp(word, "c") == 0 || strcmp(word, "C") == 0) {
        gen->what = PCDF_GEN_C;
    } else if (strcmp(word, "b") == 0) {
        gen->what = PCDF_GEN_FILE;
    } else {
        fprintf(stderr, "%s: of languages there is c; Fortran and Java programs are not made\n", peer->name);
        return TEXT_IS_WRONG;
    }
    return 0;
}

static int kind(struct pcdf_gen *gen, const char *word, const struct peer *peer)
{
    int version = pcdf_gen_kind(word);

    if (version <= 0 && peer == &ncmpigen)
        version = 1; /* it takes any word */
    if (version <= 0) {
        fprintf(stderr, "%s: kinds are nc3, nc6 and nc5; netCDF-4 files are not made\n", peer->name);
        return KIND_IS_WRONG;
    }
    gen->version = version;
    return 0;
}

static int take(struct pcdf_gen *gen, int c, const struct peer *peer)
{
    bool is_first = gen->what == PCDF_GEN_CHECK;

    if (c == 'b' || c == 'o' || (c == 'n' && peer == &ncmpigen))
        gen->what = is_first ? PCDF_GEN_FILE : gen->what;
    if (c == 'o')
        gen->output = optarg;
    if (c == 'n' && peer == &ncmpigen)
        gen->suffix = ".cdf";
    gen->no_fill = gen->no_fill || c == 'x';
    if (c == 'c' || c == 'f')
        return language(gen, c == 'c' ? "c" : "f77", peer);
    if (c == 'l')
        return language(gen, optarg, peer);
    if (c == 'k' || c == 'v')
        return kind(gen, optarg, peer);
    if (c >= '1' && c <= '7')
        return kind(gen, c == '3' ? "nc3" : (const char[]){ (char)c, 0 }, peer);
    return c == '?' ? misused(peer, "no such option, or one without its argument") : 0;
}

static int generate(const struct pcdf_gen *gen, const struct peer *peer)
{
    if (gen->path && strcmp(gen->path, "-") != 0 && access(gen->path, R_OK) != 0) {
        pcdf_tool_say(gen->path, "cannot be read");
        return NO_TEXT;
    }
    int status = pcdf_gen_run(gen);
    return status == PCDF_TOOL_GOOD ? 0 : status == PCDF_TOOL_BAD ? TEXT_IS_WRONG : peer->cannot_write;
}

static int run(const struct peer *peer, int argc, char **argv)
{
    struct pcdf_gen gen = { .suffix = ".nc", .after_title = peer == &ncmpigen };
    int c, status;

    opterr = 0;
    while ((c = getopt(argc, argv, peer->options)) != -1) {
        if (c == 'h') {
            fputs(peer->usage, stdout);
            return 0;
        }
        status = take(&gen, c, peer);
        if (status)
            return status;
    }
    if (optind + 1 < argc) {
        fprintf(stderr, "%s: takes one text\n", peer->name);
        return FILES_ARE_MANY;
    }
    gen.path = optind < argc ? argv[optind] : NULL;
    return generate(&gen, peer);
}

int pcdf_tool_ncgen(const struct pcdf_tool_ranks *ranks, int argc, char **argv);
int pcdf_tool_ncgen(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    (void)ranks;
    return run(&ncgen, argc, argv);
}

int pcdf_tool_ncmpigen(const struct pcdf_tool_ranks *ranks, int argc, char **argv);
int pcdf_tool_ncmpigen(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    (void)ranks;
    return run(&ncmpigen, argc, argv);
}
