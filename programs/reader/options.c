/* See options.h. */
#include "options.h"
#include "toolkind.h"
#include "toolmemory.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 64,
    MOST_NAME = 32,
    WORD_CODE = 256, /* getopt's code of a word: this and the row's number; a letter has its own */
    COLUMNS = 80
};

static char sentence[512];

const char *pcdf_options_wrong(const char *text, const char *value)
{
    const char *sign = strchr(text, '%');
    int before = (int)(sign ? (size_t)(sign - text) : strlen(text));
    snprintf(sentence, sizeof sentence, "%.*s%.300s%s", before, text, sign ? value : "",
             sign ? sign + 1 : "");
    return sentence;
}

static bool is_last(const struct pcdf_option *row)
{
    return !row->words && !row->help;
}

/* ---- the words of a row, as getopt has them */

struct names {
    char letter;      /* 0: none */
    const char *word; /* without its dashes; NULL: none */
    int length;
    bool has_value;
};

static struct names names_of(const char *words)
{
    struct names names = { 0 };
    while (*words == '-') {
        int n = (int)strcspn(words, " ,");
        if (words[1] == '-') {
            names.word = words + 2;
            names.length = n - 2;
        } else {
            names.letter = words[1];
        }
        words += n;
        words += strspn(words, " ,");
    }
    names.has_value = *words != '\0';
    return names;
}

/* What getopt_long is called with. */
struct grammar {
    char letters[2 + 2 * MOST_ROWS + 1];
    char words[MOST_ROWS][MOST_NAME];
    struct option longs[MOST_ROWS + 1];
};

static void add_row(struct grammar *g, const struct names *names, int row, int *nlongs)
{
    if (names->letter) {
        const char letter[] = { names->letter, names->has_value ? ':' : '\0', '\0' };
        strcat(g->letters, letter);
    }
    if (!names->word)
        return;
    snprintf(g->words[row], MOST_NAME, "%.*s", names->length, names->word);
    g->longs[(*nlongs)++] = (struct option){ .name = g->words[row],
                                             .has_arg = names->has_value ? required_argument : no_argument,
                                             .val = WORD_CODE + row };
}

static void make_grammar(const struct pcdf_options *options, struct grammar *g)
{
    int nlongs = 0;

    memset(g, 0, sizeof *g);
    strcpy(g->letters, options->is_in_order ? "+:" : ":");
    for (int i = 0; !is_last(&options->rows[i]); i++) {
        assert(i < MOST_ROWS);
        struct names names = options->rows[i].words ? names_of(options->rows[i].words) : (struct names){ 0 };
        add_row(g, &names, i, &nlongs);
    }
}

static const struct pcdf_option *row_of(const struct pcdf_options *options, int code)
{
    if (code >= WORD_CODE)
        return &options->rows[code - WORD_CODE];
    const struct pcdf_option *row = options->rows;
    while (!row->words || names_of(row->words).letter != code)
        row++;
    return row;
}

/* ---- values */

bool pcdf_options_number(const char *text, int64_t low, int64_t high, int64_t *number)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    bool is_good = end != text && !*end && !errno && n >= low && n <= high;
    if (is_good)
        *number = n;
    return is_good;
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && *seconds > 0 && *seconds <= 1e6;
}

static bool add_word(const char **list, int *n, int64_t most, const char *word)
{
    bool has_room = *n < most;
    if (has_room)
        list[(*n)++] = word;
    return has_room;
}

/* Is the value one that the option may have? */
static bool put_value(void *into, const struct pcdf_option *row, const char *value)
{
    void *at = (char *)into + row->at;

    switch (row->kind) {
    case PCDF_OPTION_FLAG:
        *(bool *)at = true;
        return true;
    case PCDF_OPTION_WORD:
        *(const char **)at = value;
        return true;
    case PCDF_OPTION_NUMBER:
        return pcdf_options_number(value, row->low, row->high, at);
    case PCDF_OPTION_SECONDS:
        return read_seconds(value, at);
    case PCDF_OPTION_MEMORY:
        return pcdf_tool_memory_read(value, at);
    case PCDF_OPTION_FORMAT:
        *(int *)at = pcdf_tool_format(value);
        return *(int *)at != 0;
    case PCDF_OPTION_LIST:
        return add_word(at, (int *)(void *)((char *)into + row->count), row->high, value);
    case PCDF_OPTION_TAKEN:
        break;
    }
    return false; /* cannot be */
}

static const char *put(void *into, const struct pcdf_option *row, const char *value)
{
    if (row->kind == PCDF_OPTION_TAKEN)
        return row->take(into, row, value);
    if (put_value(into, row, value))
        return NULL;
    bool is_format = row->kind == PCDF_OPTION_FORMAT;
    static const char formats[] = "-k takes classic, 64-bit-offset, cdf5, netcdf4 or netcdf4-classic, not %";
    return pcdf_options_wrong(is_format ? formats : row->fault, value);
}

/* ---- all of them */

/* c: '?' or ':', with which getopt says that there is no such option, or that a value is missing. */
static const char *refuse(const struct pcdf_options *o, int c, char **argv)
{
    const char letter[] = { '-', (char)optopt, '\0' };
    bool is_letter = optopt > ' ' && optopt < 127;
    bool is_within = optopt < 0 && argv[optind]; /* a byte that is no letter: getopt is still at its word */
    const char *unknown = o->unknown ? o->unknown : "there is no option %";
    const char *lacking = o->lacking ? o->lacking : o->unknown ? o->unknown : "option % needs an argument";

    return pcdf_options_wrong(c == ':' ? lacking : unknown,
                              is_letter ? letter : argv[is_within ? optind : optind - 1]);
}

/* Of the first fault: what is read behind it may write over the sentence. */
static const char *kept(const char *text)
{
    static char first[sizeof sentence];
    if (text)
        snprintf(first, sizeof first, "%s", text);
    return text ? first : NULL;
}

static const char *count(const struct pcdf_options *o, int n)
{
    if (o->few && n < o->least)
        return o->few;
    return o->many && n > o->most ? o->many : NULL;
}

const char *pcdf_options_read(const struct pcdf_options *o, void *into, int argc, char **argv,
                              struct pcdf_arguments *rest)
{
    struct grammar grammar;
    const char *wrong = NULL;
    int c;

    make_grammar(o, &grammar);
    opterr = 0;
    optind = 0; /* GNU: start anew */
    while ((c = getopt_long(argc, argv, grammar.letters, grammar.longs, NULL)) != -1) {
        bool is_refused = c == '?' || c == ':';
        const struct pcdf_option *row = is_refused ? NULL : row_of(o, c);
        if (!wrong)
            wrong = kept(is_refused ? refuse(o, c, argv) : put(into, row, optarg));
        else if (row && row->is_always_read)
            (void)put(into, row, optarg);
    }
    *rest = (struct pcdf_arguments){ argc - optind, argv + optind };
    return wrong ? wrong : count(o, rest->n);
}

/* ---- the help */

/* The length of what goes into a line that has `room`; at least a word, and no further than '\n'. */
static size_t line_length(const char *text, size_t room)
{
    size_t n = strcspn(text, " \n");
    while (text[n] == ' ' && n + 1 + strcspn(text + n + 1, " \n") <= room)
        n += 1 + strcspn(text + n + 1, " \n");
    return n;
}

/* Where the sentence begins in its first line. */
static int indent_of(const struct pcdf_option *row, int column)
{
    int behind = 2 + (int)strlen(row->words) + 2;
    return behind > column ? behind : column;
}

static void print_row(FILE *to, const struct pcdf_option *row, int column)
{
    int at = indent_of(row, column);
    fprintf(to, "  %-*s", at - 2, row->words);
    for (const char *text = row->help; *text;) {
        size_t n = line_length(text, (size_t)(COLUMNS - at));
        fprintf(to, "%.*s\n", (int)n, text);
        text += n + (text[n] != '\0');
        if (*text)
            fprintf(to, "%*s", column, "");
        at = column;
    }
}

void pcdf_options_print(FILE *to, const struct pcdf_options *options)
{
    for (const struct pcdf_option *row = options->rows; !is_last(row); row++) {
        if (!row->words)
            fputs(row->help, to);
        else if (row->help)
            print_row(to, row, options->column);
    }
}

void pcdf_options_list(FILE *to, const char *command, const struct pcdf_options *options)
{
    for (const struct pcdf_option *row = options->rows; !is_last(row); row++) {
        if (!row->words || !row->help)
            continue;
        int room = COLUMNS - indent_of(row, options->column);
        fprintf(to, "option\t%s\t", command);
        const char *words = row->words;
        for (size_t n; *words == '-'; words += n + strspn(words + n, " ,")) {
            n = strcspn(words, " ,");
            fprintf(to, "%s%.*s", words > row->words ? " " : "", (int)n, words);
        }
        fprintf(to, "\t%s\t%.*s\n", *words ? words : "-", (int)line_length(row->help, (size_t)room),
                row->help);
    }
}
