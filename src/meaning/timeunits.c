/* See timeunits.h. */
#include "timeunits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- units */

enum { DAY = PCDF_CALENDAR_DAY, THOUSAND = 1000, MILLION = 1000000, BILLION = 1000000000 };

static const struct unit {
    const char *name;
    int64_t times, parts; /* seconds */
    int months;
    bool is_exact; /* in this case alone: Ms are not ms (UDUNITS) */
} units_of_time[] = {
    /* CF 1.11, 4.4: day (d), hour (hr, h), minute (min), second (sec, s), and plurals; cftime: mins, hrs */
    { "second", 1, 1, 0, false },
    { "sec", 1, 1, 0, false },
    { "s", 1, 1, 0, false },
    { "minute", 60, 1, 0, false },
    { "min", 60, 1, 0, false },
    { "hour", 3600, 1, 0, false },
    { "hr", 3600, 1, 0, false },
    { "h", 3600, 1, 0, false },
    { "day", DAY, 1, 0, false },
    { "d", DAY, 1, 0, false },
    /* CF 3.1, table of prefixes, and UDUNITS */
    { "millisecond", 1, THOUSAND, 0, false },
    { "millisec", 1, THOUSAND, 0, false },
    { "msec", 1, THOUSAND, 0, true },
    { "ms", 1, THOUSAND, 0, true },
    { "microsecond", 1, MILLION, 0, false },
    { "microsec", 1, MILLION, 0, false },
    { "usec", 1, MILLION, 0, true },
    { "us", 1, MILLION, 0, true },
    { "\xc2\xb5s", 1, MILLION, 0, true }, /* the micro sign, */
    { "\xce\xbcs", 1, MILLION, 0, true }, /* and the Greek letter */
    { "nanosecond", 1, BILLION, 0, false },
    { "nanosec", 1, BILLION, 0, false },
    { "nsec", 1, BILLION, 0, true },
    { "ns", 1, BILLION, 0, true },
    /* UDUNITS, its file of common units */
    { "week", INT64_C(7) * DAY, 1, 0, false },
    { "fortnight", INT64_C(14) * DAY, 1, 0, false },
    { "common_year", INT64_C(365) * DAY, 1, 0, false },
    { "leap_year", INT64_C(366) * DAY, 1, 0, false },
    { "julian_year", INT64_C(31557600), 1, 0, false },
    { "gregorian_year", INT64_C(31556952), 1, 0, false },
    /* Months and years of the calendar, as ncdump and CDO read them: those of UDUNITS have 30.4 and 365.24
     * days in any calendar, which no program that writes them means. cdtime (ncdump) has the short ones. */
    { "month", 0, 1, 1, false },
    { "mo", 0, 1, 1, false },
    { "season", 0, 1, 3, false },
    { "year", 0, 1, 12, false },
    { "yr", 0, 1, 12, false },
    { "mn", 60, 1, 0, false },
    { "dy", DAY, 1, 0, false },
    { "wk", INT64_C(7) * DAY, 1, 0, false },
};

/* Exactly, or with the s of a plural, which no unit of one letter has. */
static bool is_named(const struct unit *unit, const char *word, size_t n)
{
    size_t length = strlen(unit->name);
    bool is_plural = length > 1 && n == length + 1 && (word[n - 1] == 's' || word[n - 1] == 'S');

    if (n != length && !is_plural)
        return false;
    return unit->is_exact ? memcmp(word, unit->name, length) == 0
                          : strncasecmp(word, unit->name, length) == 0;
}

static const struct unit *find_unit(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof units_of_time / sizeof *units_of_time; i++)
        if (is_named(&units_of_time[i], word, n))
            return &units_of_time[i];
    return NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "6 hours", "0.5 days", "1e3 s". What cannot be a number of units is left where it is. */
static const char *take_factor(const char *at, double *factor)
{
    bool is_number = is_digit(*at) || (*at == '.' && is_digit(at[1]));
    char *end;

    *factor = 1;
    if (!is_number || (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')))
        return at;
    double number = strtod(at, &end);
    if (number == 0)
        return at;
    *factor = number;
    return skip_blanks(end);
}

/* The word between unit and date (UDUNITS: since, after, from, ref, @; in any case); what follows, or NULL.
 */
static const char *take_since(const char *at)
{
    static const char *const words[] = { "since", "after", "from", "ref" };

    if (*at == '@')
        return at + 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncasecmp(at, words[i], n) == 0 && (!at[n] || is_blank(at[n]) || strchr("+-0123456789", at[n])))
            return at + n;
    }
    return NULL;
}

struct words { /* "6 hours since 2000-01-01" */
    double factor;
    const char *all; /* "6 hours" */
    size_t length;
    const char *unit; /* in it */
    const char *date;
};

/* Does the unit end here? Units of others say "from" and "ref" as well ("W m-2 from below"), so these count
 * behind a single word alone. */
static bool is_end_of_unit(const struct words *w, const char *at)
{
    bool is_word = at == w->all || is_blank(at[-1]);
    size_t n = strcspn(w->unit, " \t\n\v\f\r");

    if (*at == '@')
        return true;
    return is_word && (strncasecmp(at, "since", 5) == 0 || skip_blanks(w->unit + n) == at);
}

static bool split(const char *units, struct words *w)
{
    const char *behind = NULL, *at;

    w->all = skip_blanks(units);
    w->unit = take_factor(w->all, &w->factor);
    for (at = w->unit; *at; at++)
        if (is_end_of_unit(w, at) && (behind = take_since(at)))
            break;
    w->date = behind ? skip_blanks(behind) : NULL;
    w->length = (size_t)(at - w->all);
    while (w->length > 0 && is_blank(w->all[w->length - 1]))
        w->length--;
    return behind;
}

bool pcdf_time_is_since(const char *units)
{
    struct words w;
    return split(units, &w);
}

/* ---- the reference date: CF 4.4.2, and the grammar of UDUNITS ("Unit Syntax", Timestamp) */

static size_t count_digits(const char *at)
{
    return strspn(at, "0123456789");
}

/* The number that n digits are. */
static int number_of(const char *at, size_t n)
{
    int x = 0;
    while (n-- > 0)
        x = x * 10 + (*at++ - '0');
    return x;
}

/* One or two digits, behind `mark`. NULL: they are not there. */
static const char *take_part(const char *at, char mark, int *to)
{
    size_t n = *at == mark ? count_digits(at + 1) : 0;
    if (n < 1 || n > 2)
        return NULL;
    *to = number_of(at + 1, n);
    return at + 1 + n;
}

/* 2000-1-1, 2000-01; packed: 20000101, 200001, 2000. */
static const char *take_date(const char *at, struct pcdf_instant *base)
{
    bool is_negative = *at == '-', has_sign = is_negative || *at == '+';
    size_t n = count_digits(at += has_sign);

    *base = (struct pcdf_instant){ .month = 1, .day = 1 };
    if (n < 1 || n > 9)
        return NULL;
    if (at[n] == '-') {
        base->year = is_negative ? -number_of(at, n) : number_of(at, n);
        at = take_part(at + n, '-', &base->month);
        if (at && *at == '-')
            at = take_part(at, '-', &base->day);
        return at;
    }
    if (has_sign || (n != 4 && n != 6 && n != 8))
        return NULL;
    base->year = number_of(at, 4);
    if (n > 4)
        base->month = number_of(at + 4, 2);
    if (n > 6)
        base->day = number_of(at + 6, 2);
    return at + n;
}

/* The fraction of a second; what follows. */
static const char *take_fraction(const char *at, double *to)
{
    size_t n = *at == '.' ? count_digits(at + 1) : 0;
    char text[24];

    if (*at != '.')
        return at;
    snprintf(text, sizeof text, "0.%.*s", (int)(n < 15 ? n : 15), at + 1);
    *to = strtod(text, NULL);
    return at + 1 + n;
}

/* 6, 06, 6:30, 06:30:15.25; packed: 0630, 063015. */
static const char *take_clock(const char *at, double *second)
{
    int part[3] = { 0 };
    double fraction = 0;
    size_t n = count_digits(at);

    if (n == 4 || n == 6) {
        for (size_t i = 0; i < n / 2; i++)
            part[i] = number_of(at + 2 * i, 2);
        at = n == 6 ? take_fraction(at + n, &fraction) : at + n;
    } else {
        if (n < 1 || n > 2)
            return NULL;
        part[0] = number_of(at, n);
        at += n;
        if (*at == ':' && (at = take_part(at, ':', &part[1])) && *at == ':' &&
            (at = take_part(at, ':', &part[2])))
            at = take_fraction(at, &fraction);
    }
    if (!at || part[0] > 23 || part[1] > 59 || part[2] > 59)
        return NULL;
    *second = part[0] * 3600 + part[1] * 60 + part[2] + fraction;
    return at;
}

/* Z, UTC, GMT; +02, +2, +02:00, +2:00, +0200, -330, and the same without a sign. It stands behind a clock. */
static const char *take_zone(const char *at, double *zone)
{
    static const char *const names[] = { "Z", "UTC", "GMT" };
    int hour, minute = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(at, names[i], strlen(names[i])) == 0)
            return at + strlen(names[i]);
    bool is_west = *at == '-';
    at += is_west || *at == '+';
    size_t n = count_digits(at);
    if (n < 1 || n > 4)
        return NULL;
    size_t of_hour = n <= 2 ? n : n - 2;
    hour = number_of(at, of_hour);
    if (n > 2)
        minute = number_of(at + of_hour, 2);
    at += n;
    if (n <= 2 && *at == ':')
        at = take_part(at, ':', &minute);
    if (!at || hour > 23 || minute > 59)
        return NULL;
    *zone = (is_west ? -1 : 1) * (hour * 3600 + minute * 60);
    return at;
}

/* "T06:30", " 06:30", "_06:30" (WRF), each perhaps with a zone; "Z". false: this is something else. */
static bool take_time_of_day(const char *at, struct pcdf_time *time)
{
    bool has_mark = (*at == 'T' || *at == 't' || *at == '_') && is_digit(at[1]);
    const char *next = has_mark ? at + 1 : skip_blanks(at);

    if (is_digit(*next)) {
        if (next == at)
            return false;
        at = take_clock(next, &time->base.second);
        if (!at)
            return false;
        next = skip_blanks(at);
    } else if (*next == '+' || *next == '-') {
        return false; /* UDUNITS takes "2000-01-01 +02:00" for a clock, cftime for a zone */
    }
    if (*next)
        next = take_zone(next, &time->zone);
    return next && !*skip_blanks(next);
}

static bool is_told(struct pcdf_time *time, const char *form, const char *text)
{
    snprintf(time->why, sizeof time->why, form, text);
    return false;
}

/* A day that the calendar has. */
static bool is_valid(struct pcdf_time *time)
{
    const struct pcdf_instant *b = &time->base;
    const char *name = pcdf_calendar_name(time->calendar);

    if (b->year > PCDF_CALENDAR_FAR || b->year < -PCDF_CALENDAR_FAR)
        return is_told(time, "its reference date lies too far away%s", "");
    if (b->year < pcdf_calendar_first_year(time->calendar))
        return is_told(time, "the calendar %s has no years before year 0", name);
    if (pcdf_calendar_has(time->calendar, b->year, b->month, b->day))
        return true;
    snprintf(time->why, sizeof time->why, "the calendar %s has no day %.4" PRId64 "-%02d-%02d", name, b->year,
             b->month, b->day);
    return false;
}

static bool take_base(struct pcdf_time *time, const char *date)
{
    const char *behind = take_date(date, &time->base);

    if (!behind || !take_time_of_day(behind, time))
        return is_told(time, "the reference date '%.100s' cannot be read", date);
    return is_valid(time);
}

/* ---- all of it */

/* The number before the unit, as a fraction of a power of 10. false: it has too many digits for one. */
static bool is_fraction(double factor, int64_t *times, int64_t *by)
{
    const double most = 100.0 * BILLION;

    for (*by = 1; *by <= BILLION && factor * (double)*by <= most; *by *= 10) {
        double whole = rint(factor * (double)*by);
        *times = (int64_t)whole;
        if (whole / (double)*by == factor)
            return true;
    }
    return false;
}

/* Why the unit, with the number before it, has no length that can be counted in. NULL: it is taken. */
static const char *take_length(struct pcdf_time *time, const struct unit *unit, double factor)
{
    const double longest = unit && unit->months ? 12.0 * PCDF_CALENDAR_FAR / unit->months : 0x1p40;
    const int64_t most_times = INT64_C(1) << 53, most_parts = INT64_C(100) * BILLION; /* times DAY: 2^53 */
    int64_t times, by;

    if (!unit)
        return "is not known";
    if (factor * (unit->months ? 1 : (double)unit->times / (double)unit->parts) > longest)
        return "is too long";
    if (!is_fraction(factor, &times, &by))
        return "has too many digits";
    if (times * unit->months % by != 0)
        return "is no whole number of months";
    if (times * unit->times > most_times || by > most_parts / unit->parts)
        return "has too many digits";
    time->times = unit->months ? 0 : times * unit->times;
    time->parts = unit->months ? 1 : by * unit->parts;
    time->months = (int)(times * unit->months / by);
    return NULL;
}

static bool take_unit(struct pcdf_time *time, const struct words *w)
{
    const char *end = w->all + w->length;
    const struct unit *unit = w->unit < end ? find_unit(w->unit, (size_t)(end - w->unit)) : NULL;
    const char *why = take_length(time, unit, w->factor);

    if (why)
        snprintf(time->why, sizeof time->why, "the unit '%.*s' %s", (int)(w->length < 60 ? w->length : 60),
                 w->all, why);
    return !why;
}

static bool take_calendar(struct pcdf_time *time, const char *calendar)
{
    const char *why = pcdf_calendar_find(calendar, &time->calendar);

    if (why)
        snprintf(time->why, sizeof time->why, "no dates are known of the calendar %.80s: %s", calendar, why);
    return !why;
}

enum pcdf_time_kind pcdf_time_read(struct pcdf_time *time, const char *units, const char *calendar)
{
    struct words w;

    *time = (struct pcdf_time){ .kind = PCDF_TIME_NONE, .times = 1, .parts = 1 };
    snprintf(time->units, sizeof time->units, "%s", units);
    snprintf(time->named, sizeof time->named, "%s", calendar);
    if (!split(units, &w))
        return time->kind;
    bool is_known = take_unit(time, &w) && take_calendar(time, calendar) && take_base(time, w.date);
    time->kind = is_known ? PCDF_TIME_DATES : PCDF_TIME_UNREADABLE;
    return time->kind;
}

/* Bounds of times have two vertices, as the last dimension (CF 7.1). */
static bool may_be_bounds(const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    return var->ndims > 0 && meta->dims[var->dimids[var->ndims - 1]].length == 2;
}

/* The variable that names this one as its bounds; -1: none does. */
static int bounded_by(const struct pcdf_meta *meta, int varid)
{
    const char *name = meta->vars[varid].name;

    for (int i = 0; i < meta->nvars && may_be_bounds(meta, &meta->vars[varid]); i++)
        if (pcdf_meaning_has_word(&meta->vars[i].atts, "bounds", name) ||
            pcdf_meaning_has_word(&meta->vars[i].atts, "climatology", name))
            return i;
    return -1;
}

/* An attribute of the variable, or else of that whose bounds it is. */
static bool inherited(const struct pcdf_meta *meta, int varid, const char *name, char text[PCDF_MEANING_TEXT])
{
    if (pcdf_meaning_text(&meta->vars[varid].atts, name, text))
        return true;
    int of = bounded_by(meta, varid);
    return of >= 0 && pcdf_meaning_text(&meta->vars[of].atts, name, text);
}

/* Have its values, unpacked perhaps, the precision of a float? */
static bool is_float(const struct pcdf_var *var)
{
    static const char *const names[] = { "scale_factor", "add_offset" };
    bool is = var->type == NC_FLOAT;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct pcdf_att *att = pcdf_meaning_att(&var->atts, names[i]);
        is = is || (att && att->type == NC_FLOAT && var->type != NC_DOUBLE);
    }
    return is;
}

enum pcdf_time_kind pcdf_time_of(struct pcdf_time *time, const struct pcdf_meta *meta, int varid)
{
    char units[PCDF_MEANING_TEXT], calendar[PCDF_MEANING_TEXT];
    bool is_text = varid < 0 || meta->vars[varid].type == NC_CHAR;

    *time = (struct pcdf_time){ .kind = PCDF_TIME_NONE };
    if (is_text || !inherited(meta, varid, "units", units))
        return time->kind;
    if (!pcdf_time_is_since(units)) { /* needs no calendar */
        snprintf(time->units, sizeof time->units, "%s", units);
        return time->kind;
    }
    bool has_calendar = inherited(meta, varid, "calendar", calendar);
    if (!has_calendar && pcdf_meaning_att(&meta->vars[varid].atts, "month_lengths"))
        snprintf(calendar, sizeof calendar, "%s", "of month_lengths"); /* CF: a calendar of its own */
    pcdf_time_read(time, units, calendar);
    time->is_float = is_float(&meta->vars[varid]);
    return time->kind;
}
