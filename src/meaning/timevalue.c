/* See timevalue.h. */
#include "timevalue.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "numbers.h"

enum { DAY = PCDF_CALENDAR_DAY };

struct place { /* on the line of time: the number of a day, a second of it */
    int64_t day;
    double second;
};

static bool is_near(double days)
{
    return fabs(days) < PCDF_CALENDAR_FAR * 365.0;
}

/* The seconds of a place may be more than a day has, or negative. */
static struct place normal(struct place p)
{
    double days = floor(p.second / DAY);

    p.day += (int64_t)days;
    p.second -= days * DAY;
    if (p.second >= DAY) /* it was a negative number next to 0 */
        p = (struct place){ p.day + 1, 0 };
    return p;
}

static struct place place_of(enum pcdf_calendar calendar, const struct pcdf_instant *t, double zone)
{
    return normal(
        (struct place){ pcdf_calendar_number(calendar, t->year, t->month, t->day), t->second - zone });
}

static double seconds_between(struct place from, struct place to)
{
    return (double)(to.day - from.day) * DAY + (to.second - from.second);
}

/* ---- units of seconds */

/* So many units behind the base. Whole days are split off as integers, so nothing of a large number is lost.
 */
static bool add_units(const struct pcdf_time *time, double value, struct place *p)
{
    int64_t common = pcdf_common_divisor(time->times, time->parts * DAY), days = time->times / common;
    double each = (double)(time->parts * DAY / common); /* so many units are `days` whole days */
    double whole = floor(value), rest = fmod(whole, each), turns = (whole - rest) / each;
    double seconds =
        (rest * (double)time->times + (value - whole) * (double)time->times) / (double)time->parts;

    if (!is_near(turns * (double)days + seconds / DAY))
        return false;
    *p = place_of(time->calendar, &time->base, time->zone);
    p->day += (int64_t)turns * days;
    p->second += seconds;
    return true;
}

/* ---- units of months */

/* Whole months behind the base: the same day and clock, or the last day of a month that has no such day. */
static struct place after_months(const struct pcdf_time *time, int64_t months)
{
    struct pcdf_instant t = time->base;
    int64_t at = t.year * 12 + t.month - 1 + months;

    t.year = at >= 0 ? at / 12 : -((11 - at) / 12);
    t.month = (int)(at - t.year * 12) + 1;
    int last = pcdf_calendar_last(time->calendar, t.year, t.month);
    t.day = t.day < last ? t.day : last;
    if (!pcdf_calendar_has(time->calendar, t.year, t.month, t.day))
        t.day = 15; /* of October 1582 */
    return place_of(time->calendar, &t, time->zone);
}

/* A fraction is that part of the way from one whole month to the next one, also before the base. CDO does
 * so; so 0.5 is the middle of a month if the base is its first day, and 15 days in the calendar 360_day
 * (cftime). length: of that month, in seconds. */
static bool add_months(const struct pcdf_time *time, double months, struct place *p, double *length)
{
    double whole = floor(months);

    if (!is_near(months * 30))
        return false;
    *p = after_months(time, (int64_t)whole);
    *length = seconds_between(*p, after_months(time, (int64_t)whole + 1));
    p->second += (months - whole) * *length;
    return true;
}

/* ---- the precision of a value */

/* Half of the last place; of a double four times that, since values come of sums. What is just between two
 * floats becomes the even one (IEEE 754), so the odd one stands for less than half of its last place. */
static double precision_of(double value, bool is_float)
{
    int exponent = 0;
    if (value == 0)
        return 0;
    (void)frexp(value, &exponent);
    double half = ldexp(1, exponent - (is_float ? 25 : 52));
    bool is_odd = is_float && fmod(value / half, 4) != 0;
    return is_odd ? half * (1 - 1e-9) : half;
}

/* The roundest second within the precision. A whole minute stays if the step is shorter than the last place
 * and so has no number for each of its multiples, or if it is just between two numbers. Fractions of seconds
 * are rounded by the last place alone. */
static double rounded(double second, double last_place, double unit)
{
    static const double steps[] = { DAY, DAY / 2, DAY / 4, DAY / 8, 3600, 1800, 900, 300, 60, 10, 1 },
                        parts[] = { 10, 100, 1000, 10000, 100000, 1000000 };
    double within = fmax(last_place, fmin(0.001, unit * 1e-8));
    bool is_minute = fmod(second, 60) == 0;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double round = rint(second / steps[i]) * steps[i], off = fabs(round - second);
        if (is_minute && (steps[i] < 2 * within || off == within))
            return second;
        if (off <= within)
            return round;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double round = rint(second * parts[i]) / parts[i];
        if (fabs(round - second) <= last_place)
            return round;
    }
    return second;
}

static bool place_at(const struct pcdf_time *time, double value, struct place *p)
{
    double unit = (double)time->times / (double)time->parts, length;

    if (!isfinite(value) || time->kind != PCDF_TIME_DATES)
        return false;
    if (time->months == 0) {
        if (!add_units(time, value, p))
            return false;
    } else if (add_months(time, value * time->months, p, &length)) {
        unit = length * time->months;
    } else {
        return false;
    }
    *p = normal(*p);
    p->second = rounded(p->second, precision_of(value, time->is_float) * unit, unit);
    *p = normal(*p);
    return p->day >= pcdf_calendar_number(time->calendar, pcdf_calendar_first_year(time->calendar), 1, 1);
}

/* ---- instants */

static struct pcdf_instant instant_of(enum pcdf_calendar calendar, struct place p)
{
    struct pcdf_instant t = { .second = p.second };
    pcdf_calendar_date(calendar, p.day, &t);
    return t;
}

bool pcdf_time_instant(const struct pcdf_time *time, double value, struct pcdf_instant *t)
{
    struct place p;

    if (!place_at(time, value, &p))
        return false;
    *t = instant_of(time->calendar, p);
    return true;
}

/* Months are counted up to the last whole one that is not behind the instant. */
static double months_until(const struct pcdf_time *time, const struct pcdf_instant *t)
{
    struct place at = place_of(time->calendar, t, 0);
    int64_t months = (t->year - time->base.year) * 12 + (t->month - time->base.month) + 1;

    while (seconds_between(after_months(time, months), at) < 0)
        months--;
    struct place from = after_months(time, months), to = after_months(time, months + 1);
    return (double)months + seconds_between(from, at) / seconds_between(from, to);
}

double pcdf_time_value(const struct pcdf_time *time, const struct pcdf_instant *t)
{
    if (time->months != 0)
        return months_until(time, t) / time->months;
    struct place base = place_of(time->calendar, &time->base, time->zone);
    return seconds_between(base, place_of(time->calendar, t, 0)) * (double)time->parts / (double)time->times;
}

/* ---- other units */

/* Is the way from one to the other so many months, from any value on? */
static bool are_months_apart(const struct pcdf_time *a, const struct pcdf_time *b)
{
    const struct pcdf_instant *x = &a->base, *y = &b->base;
    bool is_one = x->year == y->year && x->month == y->month;

    return a->months != 0 && b->months != 0 && x->day == y->day && x->second == y->second &&
           a->zone == b->zone && (is_one || x->day <= 28);
}

static void change_months(const struct pcdf_time *from, const struct pcdf_time *to,
                          struct pcdf_time_change *change)
{
    int64_t plus = (from->base.year - to->base.year) * 12 + (from->base.month - to->base.month);

    *change = (struct pcdf_time_change){ .times = from->months,
                                         .by = to->months,
                                         .plus = (double)plus / to->months,
                                         .seconds = 30.0 * DAY * to->months };
}

bool pcdf_time_change(const struct pcdf_time *from, const struct pcdf_time *to,
                      struct pcdf_time_change *change)
{
    if (from->kind != PCDF_TIME_DATES || to->kind != PCDF_TIME_DATES || from->calendar != to->calendar)
        return false;
    if (from->months != 0 || to->months != 0) {
        if (!are_months_apart(from, to))
            return false;
        change_months(from, to, change);
        return true;
    }
    struct place a = place_of(from->calendar, &from->base, from->zone),
                 b = place_of(to->calendar, &to->base, to->zone);
    *change = (struct pcdf_time_change){
        .times = (double)from->times * (double)to->parts,
        .by = (double)from->parts * (double)to->times,
        .plus = seconds_between(b, a) * (double)to->parts / (double)to->times,
        .seconds = (double)to->times / (double)to->parts,
    };
    return true;
}

bool pcdf_time_is_same(const struct pcdf_time *a, const struct pcdf_time *b)
{
    struct pcdf_time_change change;

    if (a->kind == PCDF_TIME_UNREADABLE && b->kind == PCDF_TIME_UNREADABLE)
        return strcmp(a->units, b->units) == 0 && strcasecmp(a->named, b->named) == 0;
    if (!pcdf_time_change(a, b, &change))
        return false;
    return change.times == change.by && change.plus == 0;
}

/* Lacks one of the variables the attribute, or has another text there? */
static bool is_other_text(const struct pcdf_var *a, const struct pcdf_var *b, const char *name)
{
    char x[PCDF_MEANING_TEXT], y[PCDF_MEANING_TEXT];
    bool has_x = pcdf_meaning_text(&a->atts, name, x), has_y = pcdf_meaning_text(&b->atts, name, y);

    return has_x != has_y || strcmp(x, y) != 0;
}

const char *pcdf_time_differs(const struct pcdf_meta *a, int vara, const struct pcdf_meta *b, int varb)
{
    const struct pcdf_var *x = &a->vars[vara], *y = &b->vars[varb];
    struct pcdf_time s, t;
    bool has_s = pcdf_time_of(&s, a, vara) != PCDF_TIME_NONE,
         has_t = pcdf_time_of(&t, b, varb) != PCDF_TIME_NONE;

    if (has_s && has_t) {
        bool is_calendar = s.calendar != t.calendar || strcmp(s.units, t.units) == 0;
        return pcdf_time_is_same(&s, &t) ? NULL : is_calendar ? "calendar" : "units";
    }
    if (is_other_text(x, y, "units"))
        return "units";
    return is_other_text(x, y, "calendar") ? "calendar" : NULL;
}

/* ---- text */

/* As ncdump: what is 0 at the end is left out. */
static int put_clock(char *to, size_t room, int64_t millionths, char separator)
{
    int64_t seconds = millionths / 1000000;
    int hour = (int)(seconds / 3600), minute = (int)(seconds / 60 % 60), second = (int)(seconds % 60);

    if (millionths % 1000000 != 0)
        return snprintf(to, room, "%c%02d:%02d:%d.%06d", separator, hour, minute, second,
                        (int)(millionths % 1000000));
    if (second != 0)
        return snprintf(to, room, "%c%02d:%02d:%02d", separator, hour, minute, second);
    if (minute != 0)
        return snprintf(to, room, "%c%02d:%02d", separator, hour, minute);
    return hour != 0 ? snprintf(to, room, "%c%02d", separator, hour) : 0;
}

size_t pcdf_time_text(const struct pcdf_time *time, double value, char separator, char *to)
{
    enum { ROOM = 64 };
    const int64_t day = INT64_C(1000000) * DAY;
    struct place p;

    if (!place_at(time, value, &p))
        return 0;
    int64_t millionths = (int64_t)rint(p.second * 1e6);
    if (millionths >= day) {
        p.day++;
        millionths -= day;
    }
    struct pcdf_instant t = instant_of(time->calendar, p);
    int n = snprintf(to, ROOM, "%.4" PRId64 "-%02d-%02d", t.year, t.month, t.day);
    return (size_t)(n + put_clock(to + n, ROOM - (size_t)n, millionths, separator));
}
