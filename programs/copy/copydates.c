/* See copydates.h. */
#include "copydates.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two digits, and no third behind them; NULL: there are none. */
static const char *two_digits(const char *at, int *to)
{
    if (!isdigit((unsigned char)at[0]) || !isdigit((unsigned char)at[1]) || isdigit((unsigned char)at[2]))
        return NULL;
    *to = (at[0] - '0') * 10 + at[1] - '0';
    return at + 2;
}

/* ":30" may be minutes, or the end of a range: that one is a year, longer or with a month behind it. */
static const char *clock_part(const char *at, int *to)
{
    const char *end = *at == ':' ? two_digits(at + 1, to) : NULL;
    return end && *end != '-' ? end : NULL;
}

static const char *parse_clock(const char *at, struct pcdf_copy_date *d)
{
    int second;
    const char *end = two_digits(at + 1, &d->hour);

    if (!end)
        return at;
    d->parts = 4;
    at = end;
    if (!(end = clock_part(at, &d->minute)))
        return at;
    d->parts = 5;
    at = end;
    if (!(end = clock_part(at, &second)))
        return at;
    d->parts = 6;
    char *behind;
    d->second = strtod(at + 1, &behind);
    return behind;
}

static const char *parse_month_and_day(const char *at, struct pcdf_copy_date *d)
{
    char *end;

    d->month = (int)strtol(at + 1, &end, 10);
    d->parts = 2;
    if (*end == '-' && isdigit((unsigned char)end[1])) {
        d->day = (int)strtol(end + 1, &end, 10);
        d->parts = 3;
    }
    return d->parts == 3 && *end && strchr("T_ ", *end) ? parse_clock(end, d) : end;
}

static bool is_one(const struct pcdf_copy_date *d)
{
    return d->month >= 1 && d->month <= 12 && d->day >= 1 && d->day <= 31 && d->hour < 24 && d->minute < 60 &&
           d->second < 60 && d->year > -100000000 && d->year < 100000000;
}

const char *pcdf_copy_date_parse(const char *text, struct pcdf_copy_date *date)
{
    struct pcdf_copy_date d = { .parts = 1, .month = 1, .day = 1 };
    const char *at = text + (*text == '-' || *text == '+');
    size_t digits = strspn(at, "0123456789");
    bool has_month = digits > 0 && at[digits] == '-' && isdigit((unsigned char)at[digits + 1]);

    if (!has_month && (digits != 4 || !strchr(",:~", at[4])))
        return NULL;
    d.year = strtoll(text, NULL, 10);
    at += digits;
    if (has_month)
        at = parse_month_and_day(at, &d);
    at += *at == 'Z';
    if (!is_one(&d))
        return NULL;
    *date = d;
    return at;
}

int pcdf_copy_date_compare(const struct pcdf_instant *t, const struct pcdf_copy_date *d)
{
    double hour = floor(t->second / 3600), minute = floor((t->second - hour * 3600) / 60);
    double second = t->second - hour * 3600 - minute * 60;
    bool is_whole = d->second == floor(d->second); /* then it stands for all of the second */
    const double is[] = { (double)t->year, t->month,
                          t->day,          hour,
                          minute,          is_whole ? floor(second) : round(second * 1e6) / 1e6 };
    const double given[] = { (double)d->year, d->month, d->day, d->hour, d->minute, d->second };

    for (int i = 0; i < d->parts; i++)
        if (is[i] != given[i])
            return is[i] < given[i] ? -1 : 1;
    return 0;
}

struct pcdf_instant pcdf_copy_date_first(const struct pcdf_copy_date *d)
{
    return (struct pcdf_instant){ d->year, d->month, d->day, d->hour * 3600 + d->minute * 60 + d->second };
}
