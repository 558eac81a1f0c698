/* See toolhelp.h. */
#include "toolhelp.h"
#include "options.h"

#include <string.h>

/* The overview's order. A command that is missing here stands at the end. */
static const struct group {
    const char *title, *names;
} groups[] = {
    { "look", " info dump stats offsets check diff restart watch " },
    { "make and change", " copy reduce calc join gen refs repair " },
    { "measure", " bench report hints " },
};
enum { NGROUPS = sizeof groups / sizeof groups[0] };

static const char *place_in(const struct group *group, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = strstr(group->names, name); at; at = strstr(at + 1, name))
        if (at[-1] == ' ' && at[n] == ' ')
            return at;
    return NULL;
}

static bool has_group(const char *name)
{
    for (int g = 0; g < NGROUPS; g++)
        if (place_in(&groups[g], name))
            return true;
    return false;
}

/* The command that comes next in a group, behind `after`. */
static const struct pcdf_tool_command *next_in(const struct group *group, const char *after,
                                               const struct pcdf_tool_command *const *commands, int n)
{
    const struct pcdf_tool_command *next = NULL;

    for (int i = 0; i < n; i++) {
        const char *at = place_in(group, commands[i]->name);
        if (at && (!after || at > after) && (!next || at < place_in(group, next->name)))
            next = commands[i];
    }
    return next;
}

void pcdf_tool_overview(FILE *to, const struct pcdf_tool_command *const *commands, int n)
{
    fputs("usage: parcdf COMMAND [ARGUMENT...]\n"
          "       parcdf help [COMMAND], parcdf --version\n"
          "Works on netCDF classic files (CDF-1, CDF-2, CDF-5).\n",
          to);
    for (int g = 0; g < NGROUPS; g++) {
        const struct pcdf_tool_command *c = next_in(&groups[g], NULL, commands, n);
        if (c)
            fprintf(to, "%s\n", groups[g].title);
        for (; c; c = next_in(&groups[g], place_in(&groups[g], c->name), commands, n))
            fprintf(to, "  %-8s %s\n", c->name, c->summary);
    }
    for (int i = 0; i < n; i++)
        if (!has_group(commands[i]->name))
            fprintf(to, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
}

void pcdf_tool_page(FILE *to, const struct pcdf_tool_command *command)
{
    fprintf(to, "usage: parcdf %s %s\n\n%s", command->name, command->usage, command->help);
    if (command->options)
        pcdf_options_print(to, command->options);
    fputs(command->more_help ? command->more_help : "", to);
}

static bool is_between(char c)
{
    return c == ' ' || c == ',' || c == '[' || c == ']';
}

/* "-o, --output OUT" and what it means -> one row; "-n N --levels N" -> two, since what stands behind an
 * option ends its words. */
static void list_options(FILE *to, const char *command, const char *words, int length, const char *meaning,
                         int meaning_length)
{
    int at = 0;

    while (at < length && words[at] == '-') {
        fprintf(to, "option\t%s\t", command);
        for (int first = at; at < length && words[at] == '-'; at += (int)strspn(words + at, " ,[]")) {
            int n = 1;
            while (at + n < length && !is_between(words[at + n]) && words[at + n] != '=')
                n++;
            fprintf(to, "%s%.*s", at > first ? " " : "", n, words + at);
            at += n;
            if (at >= length || words[at] == '=')
                break;
        }
        at += at < length && words[at] == '=';
        int begin = at;
        while (at < length && !(words[at] == '-' && is_between(words[at - 1])))
            at++;
        int end = at < length ? at : length;
        bool has_bracket = end > begin && memchr(words + begin, '[', (size_t)(end - begin));
        while (end > begin && is_between(words[end - 1]) && !(has_bracket && words[end - 1] == ']'))
            end--;
        fprintf(to, "\t%.*s\t%.*s\n", end > begin ? end - begin : 1, end > begin ? words + begin : "-",
                meaning_length, meaning);
    }
}

/* A line of the help from "  -" on: the meaning stands behind two spaces, or on the next line. */
static void list_line(FILE *to, const char *command, const char *line)
{
    int length = (int)strcspn(line, "\n"), words = 0;

    while (words < length && strncmp(line + words, "  ", 2) != 0)
        words++;
    const char *meaning = line + words;
    if (words == length && *meaning == '\n')
        meaning++;
    meaning += strspn(meaning, " ");
    list_options(to, command, line, words, meaning, (int)strcspn(meaning, "\n"));
}

static void list_lines(FILE *to, const char *command, const char *line)
{
    for (; *line; line += line[0] == '\n') {
        int length = (int)strcspn(line, "\n");
        if (strncmp(line, "  -", 3) == 0)
            list_line(to, command, line + 2);
        line += length;
    }
}

void pcdf_tool_list(FILE *to, const struct pcdf_tool_command *const *commands, int n)
{
    for (int i = 0; i < n; i++) {
        fprintf(to, "command\t%s\t%s\n", commands[i]->name, commands[i]->summary);
        list_lines(to, commands[i]->name, commands[i]->help);
        if (commands[i]->options)
            pcdf_options_list(to, commands[i]->name, commands[i]->options);
        if (commands[i]->more_help)
            list_lines(to, commands[i]->name, commands[i]->more_help);
    }
}
