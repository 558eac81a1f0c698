/* See calcoptions.h. */
#include "calcoptions.h"
#include "alloc.h"
#include "status.h"
#include "toolkind.h"
#include "toolmemory.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static char sentence[512];

static const char *wrong(const char *what, const char *text)
{
    snprintf(sentence, sizeof sentence, "%s %.300s", what, text);
    return sentence;
}

static const char *take(struct pcdf_calc_options *o, int c, char **argv)
{
    switch (c) {
    case 'f':
        o->file = optarg;
        return NULL;
    case 'a':
        o->has_all = true;
        return NULL;
    case 'k':
        o->version = pcdf_tool_kind(optarg);
        return o->version ? NULL : wrong("-k takes classic, 64-bit-offset or cdf5, not", optarg);
    case 'm':
        return pcdf_tool_memory_read(optarg, &o->memory) ? NULL : wrong("--memory takes a size, not", optarg);
    case 'O':
        o->replace = true;
        return NULL;
    case 'j':
        o->json = true;
        return NULL;
    case 'n':
        o->dry_run = true;
        return NULL;
    default:
        return wrong(c == ':' ? "an argument is needed by option" : "there is no option", argv[optind - 1]);
    }
}

/* NAME=FILE: names are letters, digits and _. A file whose own name looks so is written ./NAME=FILE. */
static void name_input(struct pcdf_calc_options *o, int i, char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t n = strspn(text, letters);
    bool is_named = n > 0 && text[n] == '=' && (text[0] < '0' || text[0] > '9');
    o->paths[i] = is_named ? text + n + 1 : text;
    o->names[i] = is_named ? text : NULL;
    if (is_named)
        text[n] = '\0';
}

static const char *name_inputs(struct pcdf_calc_options *o, char **argv)
{
    o->names = pcdf_calloc((size_t)o->nfrom + 1, sizeof *o->names);
    o->paths = pcdf_calloc((size_t)o->nfrom + 1, sizeof *o->paths);
    if (!o->names || !o->paths)
        return pcdf_fail_text();
    for (int i = 0; i < o->nfrom; i++)
        name_input(o, i, argv[i]);
    for (int i = 0; i < o->nfrom; i++)
        for (int k = 0; k < i && o->names[i]; k++)
            if (o->names[k] && strcmp(o->names[i], o->names[k]) == 0)
                return wrong("two files have the name", o->names[i]);
    return NULL;
}

const char *pcdf_calc_read_options(struct pcdf_calc_options *o, int argc, char **argv)
{
    static const struct option words[] = {
        { "file", required_argument, NULL, 'f' }, { "all", no_argument, NULL, 'a' },
        { "kind", required_argument, NULL, 'k' }, { "memory", required_argument, NULL, 'm' },
        { "replace", no_argument, NULL, 'O' },    { "dry-run", no_argument, NULL, 'n' },
        { "json", no_argument, NULL, 'j' },       { 0 }
    };
    const char *what = NULL;
    int c;

    *o = (struct pcdf_calc_options){ .version = 5, .memory = PCDF_TOOL_MEMORY };
    pcdf_tool_history_keep(&o->history, argc, argv);
    opterr = 0;
    optind = 0;
    while (!what && (c = getopt_long(argc, argv, ":f:ak:On", words, NULL)) != -1)
        what = take(o, c, argv);
    if (what)
        return what;
    if (argc - optind < (o->file ? 2 : 3))
        return o->file ? "a file and the name of the new one are needed"
                       : "a program, a file and the name of the new one are needed";
    if (!o->file)
        o->program = argv[optind++];
    o->nfrom = argc - optind - 1;
    o->to = argv[argc - 1];
    return name_inputs(o, argv + optind);
}
