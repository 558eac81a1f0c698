#ifndef PCDF_TOOLTIME_H
#define PCDF_TOOLTIME_H
/* "days since 1850-01-01" and a calendar -> dates. As ncdump -t computes them, to the last digit of the
 * seconds: instants are hours from a base year, in doubles. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_calendar {
    PCDF_CALENDAR_MIXED, /* standard, gregorian: Julian before 1582-10-15 */
    PCDF_CALENDAR_GREGORIAN,
    PCDF_CALENDAR_JULIAN,
    PCDF_CALENDAR_365,
    PCDF_CALENDAR_366,
    PCDF_CALENDAR_360,
    PCDF_CALENDAR_NONE /* no years: a month and a day */
};

struct pcdf_instant {
    int64_t year;
    int month, day; /* from 1 */
    double hour;
};

struct pcdf_tool_time {
    enum pcdf_calendar calendar;
    double hours, parts, months; /* a unit is hours / parts, or months, where that is not 0 */
    struct pcdf_instant base;
};

/* The calendar of that name, of CF; "": the standard one. false: it is not known. */
bool pcdf_tool_calendar_find(const char *name, enum pcdf_calendar *calendar);
/* false: these are no units of time. An unknown calendar is the mixed one; a date that cannot be read is that
 * part of it which can. */
bool pcdf_tool_time_parse(struct pcdf_tool_time *time, const char *units, const char *calendar);
/* The instant of a value; what lies within a thousandth of a second before a whole one is that one, since
 * hours are binary fractions of days. false: it is not finite, or lies too far away. */
bool pcdf_tool_time_instant(const struct pcdf_tool_time *time, double value, struct pcdf_instant *instant);
/* The value of an instant: what lies between whole months, where they are the unit, counts as part of one. */
double pcdf_tool_time_value(const struct pcdf_tool_time *time, const struct pcdf_instant *instant);
/* The number x of one unit is x * times / by + plus of another; a unit of that is so many seconds. false: of
 * these calendars or units it cannot be told. */
struct pcdf_tool_time_change {
    double times, by, plus, seconds;
};
bool pcdf_tool_time_change(const struct pcdf_tool_time *from, const struct pcdf_tool_time *to,
                           struct pcdf_tool_time_change *change);
/* The date of a finite value, without quotes, in `to` (64 bytes); 0: it lies too far away for one. */
size_t pcdf_tool_time_text(const struct pcdf_tool_time *time, double value, char separator, char *to);
#endif
