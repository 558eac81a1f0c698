#ifndef PCDF_INFOMEANING_H
#define PCDF_INFOMEANING_H
/* What the numbers of a file mean, as its attributes say it by the conventions of netCDF and CF: titles,
 * units, ranges of values, dates. */

#include "toolfile.h"
#include "meaningtext.h"

enum { PCDF_INFO_DATE = 64 };

enum pcdf_info_source {
    PCDF_INFO_UNKNOWN,
    PCDF_INFO_VALID,  /* attributes valid_range, valid_min and valid_max: which values are allowed */
    PCDF_INFO_ACTUAL, /* attribute actual_range: which values there are */
    PCDF_INFO_READ    /* the values were read */
};

struct pcdf_info_range {
    enum pcdf_info_source source;
    double least, greatest; /* unpacked, with scale_factor and add_offset */
};

/* The coordinate variable of a dimension: its first and last value. */
struct pcdf_info_coordinate {
    int varid; /* -1: the dimension has none */
    bool has_values, is_time;
    double first, last;
    char units[PCDF_MEANING_TEXT], calendar[PCDF_MEANING_TEXT];
    char first_date[PCDF_INFO_DATE], last_date[PCDF_INFO_DATE]; /* where is_time */
    char why[200]; /* not "": they are times, and this is why they have no dates */
};

/* long_name, else standard_name. */
bool pcdf_info_description(const struct pcdf_var *var, char text[PCDF_MEANING_TEXT]);

/* What the attributes say of a variable's values. */
struct pcdf_info_range pcdf_info_range_of(const struct pcdf_var *var);
/* Reads all values of a variable; those that are a fill or missing value, NaN or infinite do not count.
 * Source UNKNOWN where no value is left, and for text. An exit status. */
int pcdf_info_range_read(struct pcdf_tool_dataset *ds, int varid, struct pcdf_info_range *range);

/* Reads two values at most. None of a file that is shorter than its header says. An exit status. */
int pcdf_info_coordinate_read(struct pcdf_tool_dataset *ds, int dimid, struct pcdf_info_coordinate *c);
#endif
