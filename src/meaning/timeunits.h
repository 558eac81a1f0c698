#ifndef PCDF_TIMEUNITS_H
#define PCDF_TIMEUNITS_H
/* What "days since 1850-01-01 06:00 +02:00" and a calendar say: units, reference date, time zone. The one
 * owner of the meaning of times, with timevalue.h. What cannot be read is never guessed. Pure. */

#include "calendar.h"
#include "meaningtext.h"

enum pcdf_time_kind {
    PCDF_TIME_NONE,      /* these are no times since a date */
    PCDF_TIME_DATES,     /* values are dates */
    PCDF_TIME_UNREADABLE /* they are times, of an unknown calendar or since a date that cannot be read */
};

struct pcdf_time {
    enum pcdf_time_kind kind;
    enum pcdf_calendar calendar;
    int64_t times, parts;     /* a unit is times / parts seconds ... */
    int months;               /* ... or so many months of the calendar, where this is not 0 */
    struct pcdf_instant base; /* the reference date, by the clock of its time zone */
    double zone;              /* seconds by which that clock is ahead of UTC */
    bool is_float;            /* values have the precision of a float */
    char units[PCDF_MEANING_TEXT], named[PCDF_MEANING_TEXT]; /* as units and calendar are written */
    char why[200];                                           /* UNREADABLE: a part of a sentence */
};

/* What units and calendar say. Gives the kind. calendar "": the standard one. */
enum pcdf_time_kind pcdf_time_read(struct pcdf_time *time, const char *units, const char *calendar);
/* What the attributes of a variable say. Bounds without `units` or `calendar` have those of the variable that
 * names them (CF 7.1). Text variables are no times. */
enum pcdf_time_kind pcdf_time_of(struct pcdf_time *time, const struct pcdf_meta *meta, int varid);
/* Is it the text of a unit of time, " since " and something else? Only that counts from an instant. */
bool pcdf_time_is_since(const char *units);
#endif
