/* The program `parcdf`: one command a file, one row a command. */
#include "tool.h"

#include <stdarg.h>
#include <string.h>
#include <utf8proc.h>

#ifndef PARCDF_VERSION
#define PARCDF_VERSION "unversioned"
#endif

static const struct pcdf_tool_command *const commands[] = { &pcdf_tool_check, &pcdf_tool_offsets,
                                                            &pcdf_tool_hints, &pcdf_tool_repair };
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

int pcdf_tool_misused(const struct pcdf_tool_command *command, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "parcdf %s: ", command->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nusage: parcdf %s %s\n", command->name, command->usage);
    return PCDF_TOOL_UNUSABLE;
}

/* Bytes of the printable UTF-8 character at the start of `text`, 0 when there is none. */
static int printable(const char *text)
{
    utf8proc_int32_t point;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &point);

    if (length <= 0 || point < 0x20 || (point >= 0x7F && point < 0xA0) || point == '\\')
        return 0;
    utf8proc_category_t category = utf8proc_category(point);
    bool hidden = category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_ZL ||
                  category == UTF8PROC_CATEGORY_ZP || category == UTF8PROC_CATEGORY_CN;
    return hidden ? 0 : (int)length;
}

void pcdf_tool_print(FILE *to, const char *text)
{
    while (*text) {
        int length = printable(text);
        if (length > 0)
            fwrite(text, 1, (size_t)length, to);
        else
            fprintf(to, "\\x%02X", (unsigned char)*text);
        text += length > 0 ? length : 1;
    }
}

static const struct pcdf_tool_command *find(const char *name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_overview(FILE *to)
{
    fputs("usage: parcdf COMMAND [ARGUMENT...]\n"
          "       parcdf help [COMMAND]\n"
          "       parcdf --version\n\n"
          "Works on netCDF classic files (CDF-1, CDF-2, CDF-5).\n\n",
          to);
    for (int i = 0; i < NCOMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
}

static int unknown(const char *name)
{
    fputs("parcdf: unknown command '", stderr);
    pcdf_tool_print(stderr, name);
    fputs("'\n", stderr);
    print_overview(stderr);
    return PCDF_TOOL_UNUSABLE;
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stdout);
        return PCDF_TOOL_GOOD;
    }
    const struct pcdf_tool_command *command = find(argv[1]);
    if (!command)
        return unknown(argv[1]);
    printf("usage: parcdf %s %s\n\n%s", command->name, command->usage, command->help);
    return PCDF_TOOL_GOOD;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return PCDF_TOOL_UNUSABLE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("parcdf " PARCDF_VERSION);
        return PCDF_TOOL_GOOD;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc - 1, argv + 1);
    const struct pcdf_tool_command *command = find(argv[1]);
    return command ? command->run(argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *called = slash ? slash + 1 : argc > 0 ? argv[0] : "";
    int status = strcmp(called, "ncoffsets") == 0 ? pcdf_tool_ncoffsets(argc, argv) : run(argc, argv);

    /* A verdict that did not reach its reader (full disk, closed pipe) is none. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("parcdf: standard output cannot be written\n", stderr);
        return PCDF_TOOL_UNUSABLE;
    }
    return status;
}
