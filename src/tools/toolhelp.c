/* See toolhelp.h. */
#include "toolhelp.h"

#include <string.h>

/* The overview's order. A command that is missing here stands at the end. */
static const struct group {
    const char *title, *names;
} groups[] = {
    { "look", " info dump stats offsets " }, { "check", " check diff " },
    { "change", " copy repair " },           { "make", " gen refs " },
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
          "       parcdf help [COMMAND]\n"
          "       parcdf --version\n\n"
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
}

/* "-o, --output OUT   write to OUT" -> "-o --output", "OUT", "write to OUT". The line has no end of its own.
 */
static void list_option(FILE *to, const char *command, const char *line, int length)
{
    int gap = 0, words = 0;

    while (gap < length && strncmp(line + gap, "  ", 2) != 0)
        gap++;
    fprintf(to, "option\t%s\t", command);
    while (words < gap && line[words] == '-') {
        int n = (int)strcspn(line + words, " ,=[");
        n = n > gap - words ? gap - words : n;
        fprintf(to, "%s%.*s", words > 0 ? " " : "", n, line + words);
        words += n;
        if (words + 2 < gap && strncmp(line + words, ", -", 3) == 0)
            words += 2;
        else if (words < gap)
            words++;
    }
    fprintf(to, "\t%.*s\t", words < gap ? gap - words : 1, words < gap ? line + words : "-");
    while (gap < length && line[gap] == ' ')
        gap++;
    fprintf(to, "%.*s\n", length - gap, line + gap);
}

void pcdf_tool_list(FILE *to, const struct pcdf_tool_command *const *commands, int n)
{
    for (int i = 0; i < n; i++) {
        fprintf(to, "command\t%s\t%s\n", commands[i]->name, commands[i]->summary);
        for (const char *line = commands[i]->help; *line; line += line[0] == '\n') {
            int length = (int)strcspn(line, "\n");
            if (strncmp(line, "  -", 3) == 0)
                list_option(to, commands[i]->name, line + 2, length - 2);
            line += length;
        }
    }
}
