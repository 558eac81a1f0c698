/* Dates: see tooltime.h. */
#include "tooltime.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { BASE_YEAR = 1970, FAR_YEAR = 100000000 };

static const struct pcdf_instant last_julian = { 1582, 10, 5, 0 }, first_gregorian = { 1582, 10, 15, 0 };

static bool has_leap_day(int64_t year, enum pcdf_calendar calendar)
{
    if (calendar == PCDF_CALENDAR_366)
        return true;
    if (calendar == PCDF_CALENDAR_365 || year % 4 != 0)
        return false;
    return calendar == PCDF_CALENDAR_JULIAN || year % 100 != 0 || year % 400 == 0;
}

static int days_in_month(int64_t year, int month, enum pcdf_calendar calendar)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    if (calendar == PCDF_CALENDAR_360)
        return 30;
    return days[month - 1] + (month == 2 && has_leap_day(year, calendar));
}

/* Leap days of the years before `year`, counted from year 0; years before it count negative. */
static int64_t leap_days_before(int64_t year, enum pcdf_calendar calendar)
{
    if (calendar == PCDF_CALENDAR_366)
        return year;
    if (calendar == PCDF_CALENDAR_365 || calendar == PCDF_CALENDAR_360)
        return 0;
    int64_t last = year - 1; /* floors, so that negative years work alike */
    int64_t by4 = last >= 0 ? last / 4 + 1 : -((-last - 1) / 4);
    if (calendar == PCDF_CALENDAR_JULIAN)
        return by4;
    int64_t by100 = last >= 0 ? last / 100 + 1 : -((-last - 1) / 100);
    int64_t by400 = last >= 0 ? last / 400 + 1 : -((-last - 1) / 400);
    return by4 - by100 + by400;
}

static int64_t days_before_year(int64_t year, enum pcdf_calendar calendar)
{
    return year * (calendar == PCDF_CALENDAR_360 ? 360 : 365) + leap_days_before(year, calendar);
}

/* Hours from the start of the base year. */
static double hours_of(const struct pcdf_instant *t, enum pcdf_calendar calendar)
{
    int64_t days = days_before_year(t->year, calendar) - days_before_year(BASE_YEAR, calendar) + t->day - 1;

    for (int month = 1; month < t->month; month++)
        days += days_in_month(t->year, month, calendar);
    return (double)days * 24.0 + t->hour;
}

static struct pcdf_instant instant_of(double hours, enum pcdf_calendar calendar)
{
    double whole = floor(hours / 24.0);
    struct pcdf_instant t = { .month = 1, .hour = hours - whole * 24.0 };

    if (t.hour >= 24.0) { /* rounded up */
        whole += 1;
        t.hour -= 24.0;
    }
    int64_t day = (int64_t)whole + days_before_year(BASE_YEAR, calendar);
    t.year = (int64_t)floor((double)day / (day < 0 ? 360.0 : 366.0)) - 1;
    while (days_before_year(t.year + 1, calendar) <= day) {
        int64_t years = (day - days_before_year(t.year + 1, calendar)) / 366;
        t.year += years > 0 ? years : 1;
    }
    day -= days_before_year(t.year, calendar);
    for (int length; (length = days_in_month(t.year, t.month, calendar)) <= day; t.month++)
        day -= length;
    t.day = (int)day + 1;
    return t;
}

static struct pcdf_instant add_hours(const struct pcdf_instant *t, double hours, enum pcdf_calendar calendar)
{
    return instant_of(hours_of(t, calendar) + hours, calendar);
}

/* In the mixed calendar ncdump goes by way of hours from 1979 on, which rounds once more. */
static double hours_since_1979(const struct pcdf_instant *t, enum pcdf_calendar calendar)
{
    return hours_of(t, calendar) - hours_of(&(struct pcdf_instant){ 1979, 1, 1, 0 }, calendar);
}

static struct pcdf_instant add_since_1979(const struct pcdf_instant *t, double hours,
                                          enum pcdf_calendar calendar)
{
    double sum = hours_since_1979(t, calendar) + hours;
    return instant_of(sum + hours_of(&(struct pcdf_instant){ 1979, 1, 1, 0 }, calendar), calendar);
}

static bool is_before(const struct pcdf_instant *a, const struct pcdf_instant *b)
{
    if (a->year != b->year)
        return a->year < b->year;
    if (a->month != b->month)
        return a->month < b->month;
    return a->day != b->day ? a->day < b->day : a->hour < b->hour;
}

/* The day after 1582-10-04 of the Julian calendar is 1582-10-15 of the Gregorian one. */
static struct pcdf_instant add_mixed(const struct pcdf_instant *t, double hours)
{
    if (is_before(t, &last_julian)) {
        double left =
            hours_since_1979(&last_julian, PCDF_CALENDAR_JULIAN) - hours_since_1979(t, PCDF_CALENDAR_JULIAN);
        return hours <= left ? add_since_1979(t, hours, PCDF_CALENDAR_JULIAN)
                             : add_since_1979(&first_gregorian, hours - left, PCDF_CALENDAR_GREGORIAN);
    }
    double left = hours_since_1979(&first_gregorian, PCDF_CALENDAR_GREGORIAN) -
                  hours_since_1979(t, PCDF_CALENDAR_GREGORIAN);
    return hours > left ? add_since_1979(t, hours, PCDF_CALENDAR_GREGORIAN)
                        : add_since_1979(&last_julian, hours - left, PCDF_CALENDAR_JULIAN);
}

/* Whole months; of a fraction nothing is left but the first of its month. */
static struct pcdf_instant add_months(const struct pcdf_instant *t, double months)
{
    if (months == 0)
        return *t;
    int64_t at = t->year * 12 + t->month - 1 + (int64_t)months;
    int64_t year = at >= 0 ? at / 12 : -((11 - at) / 12);
    return (struct pcdf_instant){ year, (int)(at - year * 12) + 1, 1, 0 };
}

/* --- units ------------------------------------------------------------------------------------------------
 */

static bool take_unit(struct pcdf_tool_time *time, const char *word)
{
    static const struct {
        const char *name; /* as a prefix where it has three letters or more */
        double hours, parts, months;
    } units[] = { { "sec", 1, 3600, 0 }, { "s", 1, 3600, 0 },  { "min", 1, 60, 0 },  { "mn", 1, 60, 0 },
                  { "hour", 1, 1, 0 },   { "hr", 1, 1, 0 },    { "day", 24, 1, 0 },  { "dy", 24, 1, 0 },
                  { "week", 168, 1, 0 }, { "wk", 168, 1, 0 },  { "month", 0, 1, 1 }, { "mo", 0, 1, 1 },
                  { "season", 0, 1, 3 }, { "year", 0, 1, 12 }, { "yr", 0, 1, 12 } };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].name);
        if (strncasecmp(word, units[i].name, n) != 0 || (n < 3 && word[n]))
            continue;
        time->hours = units[i].hours;
        time->parts = units[i].parts;
        time->months = units[i].months;
        return true;
    }
    return false;
}

static void take_base(struct pcdf_instant *base, const char *date, const char *clock)
{
    int64_t year = 0;
    int month = 1, day = 1, hour = 0, minute = 0;
    double second = 0;

    if (sscanf(date, "%15" SCNd64 "-%9d-%9d", &year, &month, &day) < 1)
        month = day = 1;
    if (sscanf(clock, "%9d:%9d:%lf", &hour, &minute, &second) < 1)
        hour = minute = 0;
    bool is_day = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    bool is_clock = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
    *base = (struct pcdf_instant){ year, is_day ? month : 1, is_day ? day : 1, 0 };
    if (is_clock)
        base->hour =
            fmin(hour + minute / 60.0 + second / 3600.0, nextafter(24, 0)); /* not rounded up to 24 */
    if (base->year > FAR_YEAR || base->year < -FAR_YEAR)
        base->year = 0;
}

bool pcdf_tool_calendar_find(const char *name, enum pcdf_calendar *calendar)
{
    static const struct {
        const char *name;
        enum pcdf_calendar calendar;
    } known[] = { { "", PCDF_CALENDAR_MIXED },          { "standard", PCDF_CALENDAR_MIXED },
                  { "gregorian", PCDF_CALENDAR_MIXED }, { "proleptic_gregorian", PCDF_CALENDAR_GREGORIAN },
                  { "noleap", PCDF_CALENDAR_365 },      { "no_leap", PCDF_CALENDAR_365 },
                  { "365_day", PCDF_CALENDAR_365 },     { "allleap", PCDF_CALENDAR_366 },
                  { "all_leap", PCDF_CALENDAR_366 },    { "366_day", PCDF_CALENDAR_366 },
                  { "360_day", PCDF_CALENDAR_360 },     { "julian", PCDF_CALENDAR_JULIAN },
                  { "none", PCDF_CALENDAR_NONE } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(name, known[i].name) == 0) {
            *calendar = known[i].calendar;
            return true;
        }
    return false;
}

bool pcdf_tool_time_parse(struct pcdf_tool_time *time, const char *units, const char *calendar)
{
    char word[64], date[64] = "", clock[64] = "";

    *time = (struct pcdf_tool_time){ .calendar = PCDF_CALENDAR_MIXED };
    (void)pcdf_tool_calendar_find(calendar, &time->calendar);
    if (sscanf(units, "%63s since %63s %63s", word, date, clock) < 2 || !take_unit(time, word))
        return false;
    char *between = strchr(date, 'T'); /* 2000-01-01T06:00:00 */
    if (between) {
        *between = '\0';
        take_base(&time->base, date, between + 1);
    } else {
        take_base(&time->base, date, clock);
    }
    return true;
}

/* --- text -------------------------------------------------------------------------------------------------
 */

/* Is it less before the next day than is printed? */
static bool is_at_end(double hours)
{
    return round(hours * 3600) >= 86400 && 86400 - hours * 3600 < 5e-7;
}

/* What differs from whole seconds by less than is printed comes from binary fractions of hours. */
static size_t put_clock(char *to, size_t room, double hours, char separator)
{
    double seconds = round(hours * 3600);
    int whole = (int)seconds, hour = whole / 3600, minute = whole / 60 % 60;
    double second = whole % 60;

    if (fabs(hours * 3600 - seconds) >= 5e-7) {
        hour = (int)hours;
        minute = (int)(60.0 * (hours - hour));
        second = 60.0 * (60.0 * (hours - hour) - minute);
    }
    int n = 0;

    if (is_at_end(hours)) { /* months keep the hour of their base */
        hour = 23;
        minute = 59;
        second = 59.999999;
    }
    if (second != (int)second)
        n = snprintf(to, room, "%c%02d:%02d:%f", separator, hour, minute, second);
    else if (second != 0)
        n = snprintf(to, room, "%c%02d:%02d:%02d", separator, hour, minute, (int)second);
    else if (minute != 0)
        n = snprintf(to, room, "%c%02d:%02d", separator, hour, minute);
    else if (hour != 0)
        n = snprintf(to, room, "%c%02d", separator, hour);
    return n > 0 ? (size_t)n : 0;
}

static bool is_near(double hours)
{
    return fabs(hours) < FAR_YEAR * 8760.0;
}

/* false: too far away. hours, months: since the base. */
static bool instant_at(const struct pcdf_tool_time *time, double hours, double months, struct pcdf_instant *t)
{
    if (!is_near(hours) || !(fabs(months) <= FAR_YEAR))
        return false;
    if (time->months != 0)
        *t = add_months(&time->base, months);
    else if (time->calendar == PCDF_CALENDAR_MIXED)
        *t = add_mixed(&time->base, hours);
    else
        *t = add_hours(&time->base, hours,
                       time->calendar == PCDF_CALENDAR_NONE ? PCDF_CALENDAR_365 : time->calendar);
    return true;
}

bool pcdf_tool_time_instant(const struct pcdf_tool_time *time, double value, struct pcdf_instant *t)
{
    const double little = 0.001 / 3600;
    return instant_at(time, value * time->hours / time->parts + little, value * time->months, t);
}

/* Hours since the base year. In the mixed calendar 1582-10-05 of the Julian one is 1582-10-15 of the other.
 */
static double absolute_hours(const struct pcdf_instant *t, enum pcdf_calendar calendar)
{
    if (calendar == PCDF_CALENDAR_NONE)
        return hours_of(t, PCDF_CALENDAR_365);
    if (calendar != PCDF_CALENDAR_MIXED)
        return hours_of(t, calendar);
    double shift =
        hours_of(&first_gregorian, PCDF_CALENDAR_GREGORIAN) - hours_of(&last_julian, PCDF_CALENDAR_JULIAN);
    return is_before(t, &first_gregorian) ? hours_of(t, PCDF_CALENDAR_JULIAN) + shift
                                          : hours_of(t, PCDF_CALENDAR_GREGORIAN);
}

double pcdf_tool_time_value(const struct pcdf_tool_time *time, const struct pcdf_instant *t)
{
    const struct pcdf_instant *base = &time->base;
    if (time->months == 0)
        return (absolute_hours(t, time->calendar) - absolute_hours(base, time->calendar)) / time->hours *
               time->parts;
    double months = (double)(t->year - base->year) * 12 + (t->month - base->month);
    return (months + (t->day - base->day) / 31.0 + (t->hour - base->hour) / 744) / time->months;
}

bool pcdf_tool_time_change(const struct pcdf_tool_time *from, const struct pcdf_tool_time *to,
                           struct pcdf_tool_time_change *change)
{
    if (from->calendar != to->calendar || from->months != 0 || to->months != 0)
        return false;
    *change = (struct pcdf_tool_time_change){ .times = from->hours * to->parts,
                                              .by = from->parts * to->hours,
                                              .plus = pcdf_tool_time_value(to, &from->base),
                                              .seconds = to->hours * 3600 / to->parts };
    return true;
}

size_t pcdf_tool_time_text(const struct pcdf_tool_time *time, double value, char separator, char *to)
{
    enum { ROOM = 64 };
    struct pcdf_instant t;
    int n;

    double hours = value * time->hours / time->parts, months = value * time->months;
    if (!instant_at(time, hours, months, &t))
        return 0;
    if (is_at_end(t.hour))
        (void)instant_at(time, hours + 1e-6 / 3600, months, &t);
    if (time->calendar == PCDF_CALENDAR_NONE)
        n = snprintf(to, ROOM, "%02d-%02d", t.month, t.day);
    else
        n = snprintf(to, ROOM, "%.4" PRId64 "-%02d-%02d", t.year, t.month, t.day);
    return (size_t)n + put_clock(to + n, ROOM - (size_t)n, t.hour, separator);
}
