#ifndef PCDF_OPTIONS_H
#define PCDF_OPTIONS_H
/* The options of a command as one table. The parser, the help text, the rows for completion and the manual
 * page (src/api/manpages.py reads the tables as text) are made from it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum pcdf_option_kind {
    PCDF_OPTION_FLAG,    /* bool: becomes true */
    PCDF_OPTION_WORD,    /* const char *: of argv; the last one holds */
    PCDF_OPTION_NUMBER,  /* int64_t from low to high */
    PCDF_OPTION_SECONDS, /* double, above 0 and at most 1e6 */
    PCDF_OPTION_MEMORY,  /* int64_t: toolmemory.h */
    PCDF_OPTION_FORMAT,  /* int: pcdf_tool_format of toolkind.h */
    PCDF_OPTION_LIST,    /* const char *[high]; the int that counts them is at `count` */
    PCDF_OPTION_TAKEN    /* the function `take` puts it where it belongs */
};

struct pcdf_option {
    /* As the help shows it: "-q", "-o, --output FILE", "--json". What follows the names stands for the value.
     * NULL: `help` is text between the options, printed as it is. */
    const char *words;
    const char
        *help; /* filled to 80 columns, '\n' begins a line anyway. NULL: the help does not show the option */
    enum pcdf_option_kind kind;
    size_t at, count; /* offsets in the struct that the options are read into */
    int64_t low, high;
    const char
        *fault; /* the sentence for a wrong value (of a list: for one too many); % stands for the value */
    /* NULL, or a sentence, which stays as long as the process; "": it was said. value: NULL, if the option
     * has none. */
    const char *(*take)(void *into, const struct pcdf_option *row, const char *value);
    bool is_always_read; /* also behind a wrong option */
};

/* Behind words and help in a row. The compiler compares the member's type with the kind. */
#define PCDF_OPTION_AT(into, member, type)                                                                   \
    (offsetof(into, member) + 0 * sizeof(1 ? (type *)0 : &((into *)0)->member))
#define PCDF_FLAG(into, member) .kind = PCDF_OPTION_FLAG, .at = PCDF_OPTION_AT(into, member, bool)
#define PCDF_WORD(into, member) .kind = PCDF_OPTION_WORD, .at = PCDF_OPTION_AT(into, member, const char *)
#define PCDF_NUMBER(into, member, least, most, sentence)                                                     \
    .kind = PCDF_OPTION_NUMBER, .at = PCDF_OPTION_AT(into, member, int64_t), .low = (least), .high = (most), \
    .fault = (sentence)
#define PCDF_SECONDS(into, member, sentence)                                                                 \
    .kind = PCDF_OPTION_SECONDS, .at = PCDF_OPTION_AT(into, member, double), .fault = (sentence)
#define PCDF_MEMORY(into, member, sentence)                                                                  \
    .kind = PCDF_OPTION_MEMORY, .at = PCDF_OPTION_AT(into, member, int64_t), .fault = (sentence)
#define PCDF_FORMAT(into, member) .kind = PCDF_OPTION_FORMAT, .at = PCDF_OPTION_AT(into, member, int)
#define PCDF_LIST(into, member, counter, most, sentence)                                                     \
    .kind = PCDF_OPTION_LIST, .at = PCDF_OPTION_AT(into, member[0], const char *),                           \
    .count = PCDF_OPTION_AT(into, counter, int), .high = (most), .fault = (sentence)
#define PCDF_TAKEN(function)            .kind = PCDF_OPTION_TAKEN, .take = (function)
#define PCDF_TAKEN_AS(function, number) PCDF_TAKEN(function), .low = (number)
#define PCDF_TAKEN_AT(function, into, member, type)                                                          \
    PCDF_TAKEN(function), .at = PCDF_OPTION_AT(into, member, type)

struct pcdf_options {
    const struct pcdf_option *rows; /* the last one has neither words nor help */
    int column;                     /* where the help's sentences begin */
    /* Sentences, in which % stands for the option: one that is not known, one without its value. NULL: the
     * usual one; for `lacking` it is `unknown`, where that is given. */
    const char *unknown, *lacking;
    bool is_in_order; /* options come before all other arguments */
    /* What is to be left beside the options, and the sentences for fewer and for more; NULL: any number. */
    int least, most;
    const char *few, *many;
};

/* What is left beside the options: of argv, which is reordered. */
struct pcdf_arguments {
    int n;
    char **x;
};

/* argv[0] is no option. NULL, or the sentence of what is wrong with an option or with the number of
 * arguments, which stays until the next one; "": it was said. rest is set in any case. */
const char *pcdf_options_read(const struct pcdf_options *options, void *into, int argc, char **argv,
                              struct pcdf_arguments *rest);

/* A whole number from low to high; false: the text is none. */
bool pcdf_options_number(const char *text, int64_t low, int64_t high, int64_t *number);

/* A sentence with `text` where % is; stays until the next one. */
const char *pcdf_options_wrong(const char *sentence, const char *text);

/* The help's lines. */
void pcdf_options_print(FILE *to, const struct pcdf_options *options);

/* The rows of pcdf_tool_list. */
void pcdf_options_list(FILE *to, const char *command, const struct pcdf_options *options);
#endif
