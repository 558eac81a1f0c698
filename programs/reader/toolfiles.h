#ifndef PCDF_TOOLFILES_H
#define PCDF_TOOLFILES_H
/* The files that a command reads, by number. Each is opened once where there is room: a few are open at a
 * time, those used last. One that is opened again must have the definitions that it had, and as many records.
 * All local. */

#include "toolfile.h"

enum { PCDF_TOOL_FILES_OPEN = 1024 };

struct pcdf_tool_known { /* of a file that was opened once */
    bool is_known;
    bool read_behind; /* values that it does not have were asked for, and that was said */
    uint32_t sum;     /* pcdf_tool_dataset_sum */
    int64_t stamp;    /* pcdf_tool_stamp */
    int place;        /* among those that are open; -1: it is not */
};

struct pcdf_tool_opened {
    int number;
    int64_t used, bytes; /* bytes: of memory, about */
    struct pcdf_tool_dataset ds;
};

struct pcdf_tool_files {
    int n;
    const char *const *paths;
    bool with_values; /* as pcdf_tool_dataset_open */
    bool is_quiet;    /* what has no place in the classic model is said of the first file alone */
    bool looks_again; /* a file that was written to is opened anew, since its definitions may be others */
    bool refuses;     /* a file that was written to is an error, as soon as it is opened again or closed */
    const char *text; /* what is said of a file that is another one when it is opened again; NULL: its own */
    int room, images; /* how many may be open; if one has a cache (another format, a far file) */
    struct pcdf_tool_known *x;
    struct pcdf_tool_opened *open[PCDF_TOOL_FILES_OPEN];
    int nopen, last; /* last: the number of the file that is read; -1: none */
    int changed;     /* that of a file that is refused; -1: none */
    int64_t bytes, clock;
};

/* The paths must stay. Says that memory is lacking; then there is nothing to end. */
int pcdf_tool_files_begin(struct pcdf_tool_files *files, int n, const char *const *paths, int images);
/* What others know of a file is true on this rank. */
void pcdf_tool_files_know(struct pcdf_tool_files *files, int number, uint32_t sum, int64_t stamp);
/* UNUSABLE: a file that is refused, which is said here. */
int pcdf_tool_files_end(struct pcdf_tool_files *files);
/* The file of that number, opened if it is not; it stays while others are asked for, `images` of them with it
 * at least. An exit status, as pcdf_tool_dataset_open. */
int pcdf_tool_files_get(struct pcdf_tool_files *files, int number, struct pcdf_tool_dataset **ds);
/* Were values asked for that a file does not have? */
bool pcdf_tool_files_read_behind(const struct pcdf_tool_files *files);
/* None is read for some time: what its values are read through is freed, and the next get looks at its file
 * as at any other. */
void pcdf_tool_files_rest(struct pcdf_tool_files *files);
/* By the limit of the process, and by memory: how many files with such headers may be open, at least 16. */
int pcdf_tool_files_most(int64_t header_size);
#endif
