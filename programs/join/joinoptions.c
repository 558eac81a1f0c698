/* See joinoptions.h. */
#include "joinoptions.h"
#include "toolkind.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static char sentence[512];

static const char *wrong(const char *what, const char *text)
{
    snprintf(sentence, sizeof sentence, "%s %.300s", what, text);
    return sentence;
}

static const char *read_kind(struct pcdf_join_options *o, const char *text)
{
    o->version = pcdf_tool_kind(text);
    return o->version ? NULL : wrong("-k takes classic, 64-bit-offset or cdf5, not", text);
}

static const char *read_keep(struct pcdf_join_options *o, const char *text)
{
    o->keep = strcmp(text, "first") == 0  ? PCDF_JOIN_KEEP_FIRST
              : strcmp(text, "last") == 0 ? PCDF_JOIN_KEEP_LAST
                                          : PCDF_JOIN_KEEP_NONE;
    return o->keep ? NULL : wrong("--keep takes first or last, not", text);
}

static const char *read_base(struct pcdf_join_options *o, const char *text)
{
    o->base = strcmp(text, "0") == 0 ? 0 : strcmp(text, "1") == 0 ? 1 : -1;
    return o->base >= 0 ? NULL : wrong("--base takes 0 or 1, not", text);
}

static const char *choose(struct pcdf_join_options *o, enum pcdf_join_way way, const char *text)
{
    if (o->way)
        return "--along, --new, --layout and --index are given once, and only one of them";
    o->way = way;
    if (way == PCDF_JOIN_ALONG || way == PCDF_JOIN_NEW)
        o->dim = text;
    else
        o->text = text;
    return *text ? NULL : "a name is needed";
}

static const char *take(struct pcdf_join_options *o, int c, char **argv)
{
    switch (c) {
    case 'a':
        return choose(o, PCDF_JOIN_ALONG, optarg);
    case 'N':
        return choose(o, PCDF_JOIN_NEW, optarg);
    case 'l':
        return choose(o, PCDF_JOIN_LAYOUT, optarg);
    case 'i':
        return choose(o, PCDF_JOIN_INDEX, optarg);
    case 'b':
        return read_base(o, optarg);
    case 'e':
        return read_keep(o, optarg);
    case 'k':
        return read_kind(o, optarg);
    case 'L':
        o->list = optarg;
        return NULL;
    case 'V':
        o->values = optarg;
        return NULL;
    case 'f':
        o->fill_missing = true;
        return NULL;
    case 'K':
        o->keep_first = true;
        return NULL;
    case 'O':
        o->replace = true;
        return NULL;
    case 'j':
        o->json = true;
        return NULL;
    case 'n':
        o->dry_run = true;
        return NULL;
    case 'v':
        o->verbose = true;
        return NULL;
    default:
        return wrong(c == ':' ? "an argument is needed by option" : "there is no option", argv[optind - 1]);
    }
}

/* Options that belong to one way of joining. */
static const char *check(const struct pcdf_join_options *o)
{
    bool is_along = o->way == PCDF_JOIN_ALONG || o->way == PCDF_JOIN_BY_FILES;
    if (o->values && o->way != PCDF_JOIN_NEW)
        return "--values are those of a new dimension, for --new";
    if (o->base >= 0 && o->way != PCDF_JOIN_INDEX)
        return "--base is for --index";
    if (o->keep && !is_along)
        return "--keep is for records, with --along";
    if (o->fill_missing &&
        (o->way == PCDF_JOIN_ALONG || o->way == PCDF_JOIN_NEW || o->way == PCDF_JOIN_INDEX))
        return "--fill-missing is for tiles";
    return NULL;
}

const char *pcdf_join_read_options(struct pcdf_join_options *o, int argc, char **argv)
{
    static const struct option words[] = {
        { "along", required_argument, NULL, 'a' },  { "new", required_argument, NULL, 'N' },
        { "values", required_argument, NULL, 'V' }, { "layout", required_argument, NULL, 'l' },
        { "index", required_argument, NULL, 'i' },  { "base", required_argument, NULL, 'b' },
        { "keep", required_argument, NULL, 'e' },   { "fill-missing", no_argument, NULL, 'f' },
        { "files", required_argument, NULL, 'L' },  { "keep-first", no_argument, NULL, 'K' },
        { "kind", required_argument, NULL, 'k' },   { "replace", no_argument, NULL, 'O' },
        { "dry-run", no_argument, NULL, 'n' },      { "verbose", no_argument, NULL, 'v' },
        { "json", no_argument, NULL, 'j' },         { 0 }
    };
    const char *what = NULL;
    int c;

    *o = (struct pcdf_join_options){ .version = 5, .base = -1 };
    pcdf_tool_history_keep(&o->history, argc, argv);
    opterr = 0;
    optind = 0;
    while (!what && (c = getopt_long(argc, argv, ":Ok:nv", words, NULL)) != -1)
        what = take(o, c, argv);
    if (what)
        return what;
    if (argc - optind < (o->list ? 1 : 2))
        return "a file and the name of the new one are needed";
    o->from = argv + optind;
    o->nfrom = argc - optind - 1;
    o->to = argv[argc - 1];
    return check(o);
}
