#ifndef PCDF_CALENDAR_H
#define PCDF_CALENDAR_H
/* Calendars (CF 4.4.3): their names, their days as numbers, their dates. Pure. */

#include <stdbool.h>
#include <stdint.h>

enum pcdf_calendar {
    PCDF_CALENDAR_MIXED, /* standard: Julian up to 1582-10-04, Gregorian from the next day, 1582-10-15, on */
    PCDF_CALENDAR_GREGORIAN,
    PCDF_CALENDAR_JULIAN,
    PCDF_CALENDAR_365,
    PCDF_CALENDAR_366,
    PCDF_CALENDAR_360
};

struct pcdf_instant {
    int64_t year;   /* the year before year 1 is year 0 in all calendars */
    int month, day; /* from 1 */
    double second;  /* of the day: below 86400 */
};

enum { PCDF_CALENDAR_DAY = 86400 /* seconds */, PCDF_CALENDAR_FAR = 100000000 /* years */ };

/* The calendar of that name, in any case; "" is the standard one, since CF has it as default. NULL: it is
 * found. Otherwise why its dates are not known; the text says more where the name alone does not. */
const char *pcdf_calendar_find(const char *name, enum pcdf_calendar *calendar);
/* Its first name in CF. */
const char *pcdf_calendar_name(enum pcdf_calendar calendar);

/* Before it, the calendar has no dates. CF 4.4.3: years before year 0 are invalid in the two historical
 * calendars; programs differ by one in what they take them for. */
int64_t pcdf_calendar_first_year(enum pcdf_calendar calendar);
/* Does the calendar have this day? Month and day may be any numbers. */
bool pcdf_calendar_has(enum pcdf_calendar calendar, int64_t year, int month, int day);
/* The last day of a month. */
int pcdf_calendar_last(enum pcdf_calendar calendar, int64_t year, int month);
/* The number of a day that the calendar has; the next day has the next number. Years within +-FAR. */
int64_t pcdf_calendar_number(enum pcdf_calendar calendar, int64_t year, int month, int day);
/* Year, month and day of such a number. */
void pcdf_calendar_date(enum pcdf_calendar calendar, int64_t number, struct pcdf_instant *date);
#endif
