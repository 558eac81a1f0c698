#ifndef PCDF_DUMP_H
#define PCDF_DUMP_H
/* A file as text: what `parcdf dump` and the programs it answers for share. */

#include "cdlvalue.h"
#include "dumpout.h"
#include "timevalue.h"
#include "toolslice.h"

/* Programs print CDL alike, but not quite: ncmpidump is an early ncdump. */
enum pcdf_dump_dialect { PCDF_DUMP_AS_NCDUMP, PCDF_DUMP_AS_NCMPIDUMP };
enum pcdf_dump_notes { PCDF_DUMP_NO_NOTES, PCDF_DUMP_BRIEF, PCDF_DUMP_FULL };

struct pcdf_option;

struct pcdf_dump_options {
    const char *path, *name;  /* name: of the netcdf line; NULL: from the path */
    const char *const *paths; /* several files as one (toolseries.h), path is the first; NULL: one */
    int npaths;
    const char *along;     /* joins them; NULL: to be found */
    const char *variables; /* -v: a list of slices; NULL: all */
    enum pcdf_dump_dialect dialect;
    enum pcdf_dump_notes notes; /* where the values of a row stand, as comments */
    bool is_fortran;            /* these count from 1, the fastest dimension first */
    bool header_only, coordinates, kind, cdf_version, specials, times, json;
    bool takes_short;                         /* a file that ends before its values do is good, too */
    bool has_float_digits, has_double_digits; /* given, so that C_format does not count */
    int float_digits, double_digits, line_length;
    char date_separator;
};

struct pcdf_dump {
    const struct pcdf_dump_options *options;
    struct pcdf_tool_dataset ds;
    struct pcdf_tool_slice *slices; /* in the order of the variables in the file; the chosen ones */
    int nslices;
    struct pcdf_dump_out *out;
    unsigned char *values; /* a piece of a row */
    int64_t *index;        /* for the most dimensions of any variable */
};

enum { PCDF_DUMP_PIECE = 64 * 1024 }; /* bytes of it */

/* Prints the file on standard output as the options say; gives an exit status of parcdf. */
int pcdf_dump_run(const struct pcdf_dump_options *options);
/* The CDL of the header, up to the data section; the data section; both as JSON. A failure was said. */
void pcdf_dump_header(struct pcdf_dump *dump);
int pcdf_dump_data(struct pcdf_dump *dump);
int pcdf_dump_json(struct pcdf_dump *dump);

/* Its units of time, where dates were asked for and it has any. */
enum pcdf_time_kind pcdf_dump_time_of(const struct pcdf_dump *dump, int varid, struct pcdf_time *time);

/* The options that no program has by default. */
struct pcdf_dump_options pcdf_dump_defaults(void);
/* Of options that have a meaning of their own (options.h): -p; -b and -f, with enum pcdf_dump_notes in the
 * row; -l; -t and -i, with the separator in the row. A wrong value was said. */
const char *pcdf_dump_take_digits(void *options, const struct pcdf_option *row, const char *text);
const char *pcdf_dump_take_notes(void *options, const struct pcdf_option *row, const char *text);
const char *pcdf_dump_take_length(void *options, const struct pcdf_option *row, const char *text);
const char *pcdf_dump_take_times(void *options, const struct pcdf_option *row, const char *none);
/* The file, of several the first one in their order. */
const char *pcdf_dump_path(const struct pcdf_dump *dump);
/* What the file's name says it is called: without folders and what follows the last dot. For `room` bytes. */
void pcdf_dump_title(const char *path, char *title, size_t room);
/* As ncmpidump calls it: "CDF-2 (large file)". */
const char *pcdf_dump_format_name(enum pcdf_version version);
/* A number as the dialect has it; is_typed: as in attributes. */
size_t pcdf_dump_number(const struct pcdf_dump *dump, const struct pcdf_value *value, bool is_typed,
                        char *to);
/* The text attribute `name` of a variable into room, cut to it; false: there is none. */
bool pcdf_dump_text_attribute(const struct pcdf_var *var, const char *name, char *text, size_t room);
#endif
