/* Fuzz target for units of time and calendars: 16 bytes are two values, what follows is units, a newline, a
 * calendar. Any text is read, or refused with a reason; instants have fields within their limits, of days
 * that the calendar has; a later value is no earlier instant; the value of an instant is the one that it came
 * from, up to the precision of values; text of a date, as the date of other units, is the same instant. */
#include <math.h>
#include "fuzz.h"
#include "timevalue.h"

enum { ROOM = 64, COMMON_YEARS = 9999 };

/* Seconds within which a value is rounded to a rounder instant: see timevalue.h. */
static double precision(const struct pcdf_time *time, double value)
{
    double unit = time->months ? 2678400.0 * time->months : (double)time->times / (double)time->parts;
    return 0.0011 + fabs(value) * unit * 4e-15;
}

static void check_fields(const struct pcdf_time *time, const struct pcdf_instant *t)
{
    DEMAND(pcdf_calendar_has(time->calendar, t->year, t->month, t->day));
    DEMAND(t->second >= 0 && t->second < PCDF_CALENDAR_DAY);
}

static bool is_common(const struct pcdf_instant *t)
{
    return t->year >= -COMMON_YEARS && t->year <= COMMON_YEARS;
}

static double seconds_of(const struct pcdf_time *time, const struct pcdf_instant *t)
{
    return (double)pcdf_calendar_number(time->calendar, t->year, t->month, t->day) * PCDF_CALENDAR_DAY +
           t->second;
}

static void check_value(const struct pcdf_time *time, double value, const struct pcdf_instant *t)
{
    struct pcdf_instant again;
    double back = pcdf_time_value(time, t);
    DEMAND(isfinite(back));
    if (!is_common(t) || !is_common(&time->base))
        return;
    DEMAND(pcdf_time_instant(time, back, &again));
    double off = fabs(seconds_of(time, t) - seconds_of(time, &again));
    if (off > precision(time, value))
        fprintf(stderr, "%.17g becomes %.17g\n", value, back);
    DEMAND(off <= precision(time, value));
}

static void check_text(const struct pcdf_time *time, double value, const struct pcdf_instant *t,
                       const char *calendar)
{
    struct pcdf_time again;
    struct pcdf_instant other;
    char text[ROOM], units[ROOM + 32];
    memset(text, 'x', sizeof text);
    size_t n = pcdf_time_text(time, value, 'T', text);
    DEMAND(n > 0 && n < ROOM && text[n] == '\0' && strlen(text) == n);
    if (t->year < 0 || t->year > COMMON_YEARS)
        return;
    snprintf(units, sizeof units, "hours since %s", text);
    DEMAND(pcdf_time_read(&again, units, calendar) == PCDF_TIME_DATES);
    DEMAND(pcdf_time_instant(&again, 0, &other));
    DEMAND(fabs(seconds_of(time, t) - seconds_of(time, &other)) <= precision(&again, 0));
}

static void check(const struct pcdf_time *time, double a, double b, const char *calendar)
{
    struct pcdf_instant s, t;
    bool has_s = pcdf_time_instant(time, a, &s), has_t = pcdf_time_instant(time, b, &t);
    if (has_s) {
        check_fields(time, &s);
        check_value(time, a, &s);
        check_text(time, a, &s, calendar);
    }
    if (has_t)
        check_fields(time, &t);
    if (has_s && has_t && a < b)
        DEMAND(seconds_of(time, &s) <= seconds_of(time, &t) + precision(time, fmax(fabs(a), fabs(b))));
    DEMAND(isfinite(a) || !has_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char units[512] = "", calendar[64] = "";
    double a, b;
    struct pcdf_time time;
    if (n < 2 * sizeof a)
        return 0;
    memcpy(&a, bytes, sizeof a);
    memcpy(&b, bytes + sizeof a, sizeof b);
    const uint8_t *text = bytes + 2 * sizeof a, *end = memchr(text, '\n', n - 2 * sizeof a);
    size_t length = n - 2 * sizeof a, first = end ? (size_t)(end - text) : length;
    memcpy(units, text, first < sizeof units ? first : sizeof units - 1);
    length -= end ? first + 1 : first;
    if (end)
        memcpy(calendar, end + 1, length < sizeof calendar ? length : sizeof calendar - 1);
    enum pcdf_time_kind kind = pcdf_time_read(&time, units, calendar);
    DEMAND((kind == PCDF_TIME_UNREADABLE) == (*time.why != '\0'));
    if (kind == PCDF_TIME_DATES) {
        check(&time, a, b, calendar);
        check(&time, round(a / 1e300 * 1e4) / 4, b / a, calendar); /* values as files have them */
        check(&time, (double)(int16_t)(bytes[0] << 8 | bytes[1]) * 40, bytes[2] / 8.0, calendar);
    }
    return 0;
}

/* clang-format off */
static const char *const words[] = {
    "days", "hours", "seconds", "minutes", "months", "years", "weeks", "seasons", " since ", "2000-01-01", "1582-10-04", "1582-10-15", "1582-10-10",
    "-4713-11-24", "0000-02-29", "9999-12-31", "100000000-1-1", "T06:30", " 23:59:59.9999999", " 12", "T24:00", "\n", "noleap", "360_day", "365_day",
    "366_day", "all_leap", "julian", "standard", "proleptic_gregorian", "gregorian", "none", "1900-2-31", "1-1-1", "0", "-", ":", "59.9999994", "20000101T060000Z",
    " +02:00", "-0330", " UTC", "Z", "ms", "6 hours", "0.5 ", "1e3 ", "@", "after", "2000-01", "utc"
};
/* clang-format on */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    if (seed % 2 || n < 16)
        return LLVMFuzzerMutate(bytes, n, most);
    return 16 + fuzz_add_word(bytes + 16, n - 16, most - 16, seed / 2, words, sizeof words / sizeof words[0]);
}
