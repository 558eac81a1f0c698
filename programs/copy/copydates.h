#ifndef PCDF_COPYDATES_H
#define PCDF_COPYDATES_H
/* Dates as users write them: 2001, 2001-03, 2001-03-15, 2001-03-15T06:30. A part of one stands for all
 * instants that begin so: 2001-03 is the whole month, in any calendar. Pure. */

#include "calendar.h"

struct pcdf_copy_date {
    int parts; /* how many of the six are given */
    int64_t year;
    int month, day, hour, minute;
    double second;
};

/* The date that `text` begins with; gives what follows, or NULL: it is none. A year has four digits, or a
 * month behind it; so 100 and 2001.0 are numbers. */
const char *pcdf_copy_date_parse(const char *text, struct pcdf_copy_date *date);
/* Below 0: the instant is before all that the date stands for; above 0: behind; 0: among it. */
int pcdf_copy_date_compare(const struct pcdf_instant *instant, const struct pcdf_copy_date *date);
/* The first instant that it stands for. */
struct pcdf_instant pcdf_copy_date_first(const struct pcdf_copy_date *date);
#endif
