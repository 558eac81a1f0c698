#ifndef PCDF_TOOL_H
#define PCDF_TOOL_H
/* What the commands of the `parcdf` program share. They read files with pread; MPI starts in `repair`,
 * and in `check --data` under mpiexec. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "findings.h"

/* Exit statuses, the same in all commands. */
enum pcdf_tool_exit { PCDF_TOOL_GOOD = 0, PCDF_TOOL_BAD = 1, PCDF_TOOL_UNUSABLE = 2 };

struct pcdf_tool_command {
    const char *name, *usage, *summary; /* usage: after "parcdf name " */
    const char *help;                   /* what `parcdf help name` prints after the usage */
    int (*run)(int argc, char **argv);  /* argv[0] is the command's name; gives an exit status */
};
extern const struct pcdf_tool_command pcdf_tool_check, pcdf_tool_offsets, pcdf_tool_hints, pcdf_tool_repair;

/* The ranks that `parcdf check --data` was started on; one, without MPI, where no mpiexec did. */
struct pcdf_tool_team {
    bool has_mpi;
    int rank, size;
};
void pcdf_tool_team_begin(struct pcdf_tool_team *team);
/* Collective: the exit status of rank 0, on all. */
int pcdf_tool_team_end_all(struct pcdf_tool_team *team, int status);
/* Collective: the data of a file against the checksums beside it; rank 0 prints and has the verdict.
 * PCDF_TOOL_UNUSABLE: there is none, the reason goes to standard error. max: as for findings, -1 all. */
int pcdf_tool_check_data_all(const struct pcdf_tool_team *team, const char *path, bool quiet, int64_t max);

/* The program when it is called ncoffsets (peeroffsets.c). */
int pcdf_tool_ncoffsets(int argc, char **argv);

/* Says on standard error what was wrong with the arguments, and gives PCDF_TOOL_UNUSABLE. */
int pcdf_tool_misused(const struct pcdf_tool_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints text from a file so that it can harm neither a terminal nor a parser: control characters,
 * backslashes and bytes that are not UTF-8 become \xHH. */
void pcdf_tool_print(FILE *to, const char *text);

struct pcdf_tool_file { /* a file whose first bytes are in memory */
    const char *path;
    int fd;
    int64_t size;
    unsigned char *bytes;
    size_t n;
};

/* Opens a regular file and reads its first chunk. On failure says so on standard error and gives
 * PCDF_TOOL_UNUSABLE; then there is nothing to close. */
int pcdf_tool_open(struct pcdf_tool_file *file, const char *path);
/* Reads on until `need` bytes, at least, are in memory. */
int pcdf_tool_read(struct pcdf_tool_file *file, int64_t need);
/* Reads on until the header is complete and decodes it. On failure says so on standard error, gives
 * PCDF_TOOL_BAD for a file that breaks the format, and leaves nothing to free in the two. */
int pcdf_tool_decode(struct pcdf_tool_file *file, struct pcdf_meta *meta, struct pcdf_layout *layout);
/* The variable of that name as a user writes it, in whatever Unicode form; -1: none. */
int pcdf_tool_find_variable(const struct pcdf_meta *meta, const char *name);
void pcdf_tool_close(struct pcdf_tool_file *file);
#endif
