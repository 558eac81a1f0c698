/* See calendar.h. */
#include "calendar.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* ---- names */

#define LEAP_SECONDS "leap seconds are not counted here"

static const struct {
    const char *name;
    enum pcdf_calendar calendar;
    const char *why; /* its dates are not known */
} names[] = {
    /* CF 1.11, 4.4.1; the first name of each is the one that sentences have */
    { "standard", PCDF_CALENDAR_MIXED, NULL },
    { "gregorian", PCDF_CALENDAR_MIXED, NULL },
    { "proleptic_gregorian", PCDF_CALENDAR_GREGORIAN, NULL },
    { "julian", PCDF_CALENDAR_JULIAN, NULL },
    { "noleap", PCDF_CALENDAR_365, NULL },
    { "365_day", PCDF_CALENDAR_365, NULL },
    { "all_leap", PCDF_CALENDAR_366, NULL },
    { "366_day", PCDF_CALENDAR_366, NULL },
    { "360_day", PCDF_CALENDAR_360, NULL },
    { "none", PCDF_CALENDAR_365, "all its times are of one day of the year" }, /* its example 4.5 */
    /* CF 1.12, 4.4.3 */
    { "utc", PCDF_CALENDAR_GREGORIAN, LEAP_SECONDS },
    { "tai", PCDF_CALENDAR_GREGORIAN, LEAP_SECONDS },
    /* what cdtime (ncdump) and CDO read as well */
    { "no_leap", PCDF_CALENDAR_365, NULL },
    { "365_days", PCDF_CALENDAR_365, NULL },
    { "365days", PCDF_CALENDAR_365, NULL },
    { "allleap", PCDF_CALENDAR_366, NULL },
    { "366_days", PCDF_CALENDAR_366, NULL },
    { "366days", PCDF_CALENDAR_366, NULL },
    { "360_days", PCDF_CALENDAR_360, NULL },
    { "360days", PCDF_CALENDAR_360, NULL },
    { "360", PCDF_CALENDAR_360, NULL },
    /* CF 4.4.3: the default */
    { "", PCDF_CALENDAR_MIXED, NULL },
};

const char *pcdf_calendar_find(const char *name, enum pcdf_calendar *calendar)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i].name) == 0) {
            *calendar = names[i].calendar;
            return names[i].why;
        }
    return "it is none that CF names";
}

const char *pcdf_calendar_name(enum pcdf_calendar calendar)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].calendar == calendar)
            return names[i].name;
    return "";
}

/* ---- days */

int64_t pcdf_calendar_first_year(enum pcdf_calendar calendar)
{
    bool is_historical = calendar == PCDF_CALENDAR_MIXED || calendar == PCDF_CALENDAR_JULIAN;
    return is_historical ? 0 : -PCDF_CALENDAR_FAR;
}

static bool is_before_gregorian(int64_t year, int month, int day)
{
    return year != 1582 ? year < 1582 : month != 10 ? month < 10 : day < 15;
}

static bool has_leap_day(enum pcdf_calendar calendar, int64_t year)
{
    if (calendar == PCDF_CALENDAR_366)
        return true;
    if (calendar == PCDF_CALENDAR_365 || calendar == PCDF_CALENDAR_360)
        return false;
    bool is_julian = calendar == PCDF_CALENDAR_JULIAN || (calendar == PCDF_CALENDAR_MIXED && year <= 1582);
    return year % 4 == 0 && (is_julian || year % 100 != 0 || year % 400 == 0);
}

int pcdf_calendar_last(enum pcdf_calendar calendar, int64_t year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    if (calendar == PCDF_CALENDAR_360)
        return 30;
    return days[month - 1] + (month == 2 && has_leap_day(calendar, year));
}

bool pcdf_calendar_has(enum pcdf_calendar calendar, int64_t year, int month, int day)
{
    if (month < 1 || month > 12 || day < 1 || day > pcdf_calendar_last(calendar, year, month))
        return false;
    return calendar != PCDF_CALENDAR_MIXED || year != 1582 || month != 10 || day < 5 || day > 14;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Leap days of the years before `year`, counted from year 0; those of years before it count negative. */
static int64_t leap_days_before(enum pcdf_calendar calendar, int64_t year)
{
    int64_t last = year - 1;

    if (calendar == PCDF_CALENDAR_366)
        return year;
    if (!has_leap_day(calendar, 4)) /* it has none at all */
        return 0;
    int64_t by4 = floor_divide(last, 4) + 1;
    if (calendar == PCDF_CALENDAR_JULIAN)
        return by4;
    return by4 - (floor_divide(last, 100) + 1) + floor_divide(last, 400) + 1;
}

static int64_t days_before_year(enum pcdf_calendar calendar, int64_t year)
{
    return year * (calendar == PCDF_CALENDAR_360 ? 360 : 365) + leap_days_before(calendar, year);
}

/* In a calendar of one rule. */
static int64_t plain_number(enum pcdf_calendar calendar, int64_t year, int month, int day)
{
    int64_t days = days_before_year(calendar, year) + day - 1;

    for (int m = 1; m < month; m++)
        days += pcdf_calendar_last(calendar, year, m);
    return days;
}

static void plain_date(enum pcdf_calendar calendar, int64_t number, struct pcdf_instant *date)
{
    int64_t year = floor_divide(number, number < 0 ? 360 : 366) - 1; /* not behind it */

    while (days_before_year(calendar, year + 1) <= number) {
        int64_t years = (number - days_before_year(calendar, year + 1)) / 366;
        year += years > 0 ? years : 1;
    }
    number -= days_before_year(calendar, year);
    date->year = year;
    date->month = 1;
    for (int length; (length = pcdf_calendar_last(calendar, year, date->month)) <= number; date->month++)
        number -= length;
    date->day = (int)number + 1;
}

/* What is to be added to numbers of the Julian calendar: its 1582-10-05 would be 1582-10-15 of the other. */
static int64_t julian_shift(void)
{
    return plain_number(PCDF_CALENDAR_GREGORIAN, 1582, 10, 15) -
           plain_number(PCDF_CALENDAR_JULIAN, 1582, 10, 5);
}

int64_t pcdf_calendar_number(enum pcdf_calendar calendar, int64_t year, int month, int day)
{
    if (calendar != PCDF_CALENDAR_MIXED)
        return plain_number(calendar, year, month, day);
    return is_before_gregorian(year, month, day)
               ? plain_number(PCDF_CALENDAR_JULIAN, year, month, day) + julian_shift()
               : plain_number(PCDF_CALENDAR_GREGORIAN, year, month, day);
}

void pcdf_calendar_date(enum pcdf_calendar calendar, int64_t number, struct pcdf_instant *date)
{
    if (calendar != PCDF_CALENDAR_MIXED)
        plain_date(calendar, number, date);
    else if (number < plain_number(PCDF_CALENDAR_GREGORIAN, 1582, 10, 15))
        plain_date(PCDF_CALENDAR_JULIAN, number - julian_shift(), date);
    else
        plain_date(PCDF_CALENDAR_GREGORIAN, number, date);
}
