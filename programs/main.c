/* The program `parcdf`: one command a file, one row a command. */
#include "alloc.h"
#include "tool.h"
#include "toolhelp.h"

#include "likeness.h"
#include "url.h"

#include <stdio.h>
#include <string.h>

#ifndef PARCDF_VERSION
#define PARCDF_VERSION "unversioned"
#endif

static const struct pcdf_tool_command *const commands[] = {
#define PCDF_TOOL(name) &pcdf_tool_##name,
#include "commands.def"
#undef PCDF_TOOL
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

#define PCDF_TOOL_ALIAS(name, is_parallel, needs_mpi, function)                                              \
    int function(const struct pcdf_tool_ranks *, int, char **);
#include "aliases.def"
#undef PCDF_TOOL_ALIAS
static const struct pcdf_tool_alias aliases[] = {
#define PCDF_TOOL_ALIAS(name, is_parallel, needs_mpi, function) { name, is_parallel, needs_mpi, function },
#include "aliases.def"
#undef PCDF_TOOL_ALIAS
};
enum { NALIASES = sizeof aliases / sizeof aliases[0] };

static const struct pcdf_tool_command *find(const char *name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    struct pcdf_likeness like = pcdf_like(name);
    char hint[PCDF_LIKE_HINT];
    for (int i = 0; i < NCOMMANDS; i++)
        (void)pcdf_like_offer(&like, commands[i]->name);
    fputs("parcdf: unknown command '", stderr);
    pcdf_tool_print(stderr, name);
    fprintf(stderr, "'%s\n`parcdf help` lists the commands\n", pcdf_like_hint(&like, hint));
    return PCDF_TOOL_UNUSABLE;
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        pcdf_tool_overview(stdout, commands, NCOMMANDS);
        return PCDF_TOOL_GOOD;
    }
    if (strcmp(argv[1], "--list") == 0) {
        pcdf_tool_list(stdout, commands, NCOMMANDS);
        return PCDF_TOOL_GOOD;
    }
    const struct pcdf_tool_command *command = find(argv[1]);
    if (!command)
        return unknown(argv[1]);
    pcdf_tool_page(stdout, command);
    return PCDF_TOOL_GOOD;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* What rank 0 answers without a command's work. */
static int answer(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    (void)ranks;
    if (argc < 2) {
        pcdf_tool_overview(stderr, commands, NCOMMANDS);
        return PCDF_TOOL_UNUSABLE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("parcdf " PARCDF_VERSION);
        return PCDF_TOOL_GOOD;
    }
    if (strcmp(argv[1], "help") == 0 || asks_for_help(argv[1]))
        return help(argc - 1, argv + 1);
    return find(argv[1]) ? help(2, argv) : unknown(argv[1]);
}

/* `parcdf name --help`, but not `parcdf name -h FILE`: dump and its like have a -h of their own. */
static bool wants_answer(int argc, char **argv)
{
    if (argc < 2 || !find(argv[1]))
        return true;
    return argc > 2 && (strcmp(argv[2], "--help") == 0 || (argc == 3 && asks_for_help(argv[2])));
}

/* The ranks start, rank 0 or all of them work, and they end. */
static int work(int argc, char **argv, const struct pcdf_tool_alias *as)
{
    struct pcdf_tool_ranks ranks;

    if (!pcdf_tool_ranks_begin(&ranks, as->needs_mpi))
        return pcdf_tool_unusable(NULL, "MPI does not start here");
    if (as->name && !pcdf_tool_ranks_are_whole(&ranks))
        return pcdf_tool_ranks_end_all(&ranks, PCDF_TOOL_UNUSABLE);
    int status = as->is_parallel || ranks.rank == 0 ? as->run(&ranks, argc, argv) : PCDF_TOOL_GOOD;
    /* A verdict that did not reach its reader (full disk, closed pipe) is none. */
    if (fflush(stdout) != 0 || ferror(stdout))
        status = pcdf_tool_unusable(NULL, "standard output cannot be written");
    return pcdf_tool_ranks_end_all(&ranks, status);
}

/* "scheme:..." */
static bool may_be_url(const char *word)
{
    word += strspn(word, " \t");
    size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-");
    return n > 0 && word[n] == ':';
}

/* Passwords and signatures in URLs are for the server alone: no sentence has them. Names stay hidden to the
 * end of the program. */
static void hide_secrets(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *value = argv[i][0] == '-' ? strchr(argv[i], '=') : NULL, *told; /* --option=URL */
        if (!may_be_url(value ? value + 1 : argv[i]))
            continue;
        const char *name = pcdf_url_hide(value ? value + 1 : argv[i], &told);
        if (!told)
            continue;
        size_t n = value ? (size_t)(value + 1 - argv[i]) : 0, room = n + strlen(name) + 1;
        char *word = pcdf_malloc(room);
        if (word)
            snprintf(word, room, "%.*s%s", (int)n, argv[i], name);
        argv[i] = word ? word : told;
        if (word)
            pcdf_free(told); /* not pcdf_url_forget: the name is in use */
    }
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *called = slash ? slash + 1 : argc > 0 ? argv[0] : "";

    hide_secrets(argc, argv);
    for (int i = 0; i < NALIASES; i++)
        if (strcmp(called, aliases[i].name) == 0)
            return work(argc, argv, &aliases[i]);
    if (wants_answer(argc, argv))
        return work(argc, argv, &(struct pcdf_tool_alias){ .run = answer });
    const struct pcdf_tool_command *command = find(argv[1]);
    return work(
        argc - 1, argv + 1,
        &(struct pcdf_tool_alias){ command->name, command->is_parallel, command->needs_mpi, command->run });
}
