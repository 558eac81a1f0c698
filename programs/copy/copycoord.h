#ifndef PCDF_COPYCOORD_H
#define PCDF_COPYCOORD_H
/* Variables of one dimension as coordinates: numbers, or instants of time. Local. */

#include "toolfile.h"
#include "meaningvalues.h"
#include "timevalue.h"

struct pcdf_copy_coord {
    int varid, dimid;
    nc_type type;
    int64_t width; /* characters of a date; 0: values are numbers */
    struct pcdf_meaning meaning;
    bool is_longitude, has_time;
    struct pcdf_time time; /* has_time: of dates */
};
enum { PCDF_COPY_COORD_TEXT = 80 };

/* A numeric variable of one dimension; or one of characters of two, whose rows are dates
 * ("2001-01-31_06:00:00"). false: the variable is neither. */
bool pcdf_copy_coord_of(const struct pcdf_meta *meta, int varid, struct pcdf_copy_coord *coord);
/* That of the record dimension: of its name, or else the first with units of time, or with dates. */
bool pcdf_copy_coord_of_records(const struct pcdf_meta *meta, struct pcdf_copy_coord *coord);

/* n values from number `first` on, unpacked; NaN: there is none. Dates as numbers that rise with them. Says
 * what is wrong, UNUSABLE. */
int pcdf_copy_coord_read(const struct pcdf_copy_coord *coord, struct pcdf_tool_dataset *ds, int64_t first,
                         int64_t n, double *values);
/* The instant of a value; false: it has none. */
bool pcdf_copy_coord_instant(const struct pcdf_copy_coord *coord, double value, struct pcdf_instant *instant);
/* The number that stands for an instant where values are dates. */
double pcdf_copy_coord_number(const struct pcdf_instant *instant);
/* As people read it: a date, or the shortest number that is this one. */
void pcdf_copy_coord_text(const struct pcdf_copy_coord *coord, double value, char text[PCDF_COPY_COORD_TEXT]);
#endif
