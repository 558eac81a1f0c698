/* See calcoptions.h. */
#include "calcoptions.h"
#include "alloc.h"
#include "options.h"
#include "status.h"
#include "toolmemory.h"

#include <string.h>

static const struct pcdf_option rows[] = {
    { "-f, --file PROGRAM", "read the program from a file; then it is no argument",
      PCDF_WORD(struct pcdf_calc_options, file) },
    { "--all", "OUT has all variables of the first file, too", PCDF_FLAG(struct pcdf_calc_options, has_all) },
    { "-k KIND", "classic, 64-bit-offset, cdf5 (default), netcdf4 or netcdf4-classic",
      PCDF_FORMAT(struct pcdf_calc_options, format) },
    { "--deflate N", "netCDF-4: compress with zlib, level 1 to 9",
      PCDF_NUMBER(struct pcdf_calc_options, deflate, 1, 9, "--deflate takes a level from 1 to 9, not %") },
    { "--memory SIZE", "memory for values on each rank",
      PCDF_MEMORY(struct pcdf_calc_options, memory, "--memory takes a size, not %") },
    { "-O, --replace", "replace OUT if it exists", PCDF_FLAG(struct pcdf_calc_options, replace) },
    { "-n, --dry-run", "print what OUT would be, and how many bytes are read",
      PCDF_FLAG(struct pcdf_calc_options, dry_run) },
    { "--json", "print what was done", PCDF_FLAG(struct pcdf_calc_options, json) },
    { "-a", NULL, PCDF_FLAG(struct pcdf_calc_options, has_all) },
    { "--kind KIND", NULL, PCDF_FORMAT(struct pcdf_calc_options, format) },
    { 0 }
};
const struct pcdf_options pcdf_calc_table = { .rows = rows,
                                              .column = 23,
                                              .lacking = "an argument is needed by option %" };

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
                return pcdf_options_wrong("two files have the name %", o->names[i]);
    return NULL;
}

const char *pcdf_calc_read_options(struct pcdf_calc_options *o, int argc, char **argv)
{
    struct pcdf_arguments rest;

    *o = (struct pcdf_calc_options){ .format = 5, .memory = PCDF_TOOL_MEMORY };
    pcdf_tool_history_keep(&o->history, argc, argv);
    const char *what = pcdf_options_read(&pcdf_calc_table, o, argc, argv, &rest);
    if (what)
        return what;
    if (rest.n < (o->file ? 2 : 3))
        return o->file ? "a file and the name of the new one are needed"
                       : "a program, a file and the name of the new one are needed";
    o->to = rest.x[--rest.n];
    if (!o->file) {
        o->program = *rest.x++;
        rest.n--;
    }
    o->nfrom = rest.n;
    return name_inputs(o, rest.x);
}
