#ifndef PCDF_TOOLNEWFILE_H
#define PCDF_TOOLNEWFILE_H
/* A new file of the library that all ranks write; and what it would be, for --dry-run and --json. */

#include "meta.h"
#include "toolputs.h"

struct pcdf_tool_newfile {
    const char *path;
    bool replace;                 /* an existing file may be replaced, when the new one is whole */
    const struct pcdf_meta *meta; /* definitions, the same on all ranks */
    int format;                   /* of toolkind.h; 0: as the version of meta says */
    int64_t deflate;              /* netCDF-4: the level; 0: not compressed */
};

/* Puts the values of this rank's share; says what is wrong. It may contain collectives behind a
 * pcdf_tool_puts_finish_all. Each value has to be written. */
typedef int pcdf_tool_write_all(void *context, struct pcdf_tool_puts *puts);

/* Collective. The file gets its name when `write_all` was good on all ranks and all of it is on the storage.
 * Says what is wrong; the status of all ranks. */
int pcdf_tool_newfile_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_tool_newfile *file,
                          pcdf_tool_write_all *write_all, void *context);

struct pcdf_tool_account { /* of a command that makes a file */
    const struct pcdf_tool_newfile *file;
    int64_t bytes_read;
    double seconds; /* below 0: nothing was done */
};
/* On standard output: variables with their shapes, and bytes; in words, and as a JSON object. */
void pcdf_tool_account_print(const struct pcdf_tool_account *account);
void pcdf_tool_account_json(const struct pcdf_tool_account *account);
#endif
