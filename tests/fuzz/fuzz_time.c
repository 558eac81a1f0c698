/* Fuzz target for units of time and calendars: 16 bytes are two values, what follows is units, a newline, a
 * calendar. Any text is read, or refused; instants have fields within their limits; a later value is no
 * earlier instant; the value of an instant is the one that it came from; text of a date, as the date of other
 * units, is the same instant. */
#include <inttypes.h>
#include <math.h>
#include "fuzz.h"
#include "tooltime.h"

enum { ROOM = 64, COMMON_YEARS = 9999 };
#define SOON (0.01 / 3600) /* hours: instants are a thousandth of a second late, and doubles */

static int order(const struct pcdf_instant *a, const struct pcdf_instant *b)
{
    if (a->year != b->year)
        return a->year < b->year ? -1 : 1;
    if (a->month != b->month)
        return a->month < b->month ? -1 : 1;
    if (a->day != b->day)
        return a->day < b->day ? -1 : 1;
    return a->hour < b->hour ? -1 : a->hour > b->hour;
}

static void check_fields(const struct pcdf_instant *t)
{
    DEMAND(t->month >= 1 && t->month <= 12 && t->day >= 1 && t->day <= 31);
    DEMAND(t->hour >= 0 && t->hour < 24);
}

/* Of fractions of months nothing is left but the first of their month, also where the base is another day. */
static bool is_ordered(const struct pcdf_tool_time *time)
{
    return time->months == 0 || (time->base.day == 1 && time->base.hour == 0);
}

static bool is_common(const struct pcdf_instant *t)
{
    return t->year >= -COMMON_YEARS && t->year <= COMMON_YEARS;
}

/* 5 to 14 October 1582 are no days of the mixed calendar. */
static bool is_day(const struct pcdf_tool_time *time)
{
    const struct pcdf_instant *b = &time->base;
    return time->calendar != PCDF_CALENDAR_MIXED || b->year != 1582 || b->month != 10 || b->day < 5 ||
           b->day > 14;
}

static void check_value(const struct pcdf_tool_time *time, double value, const struct pcdf_instant *t)
{
    double back = pcdf_tool_time_value(time, t), hours = (back - value) * time->hours / time->parts;
    bool is_exact = time->months == 0 && is_common(t) && is_common(&time->base) && is_day(time);
    DEMAND(isfinite(back));
    if (is_exact && fabs(hours) >= SOON)
        fprintf(stderr, "%.17g becomes %.17g\n", value, back);
    DEMAND(!is_exact || fabs(hours) < SOON);
}

static void check_text(const struct pcdf_tool_time *time, double value, const struct pcdf_instant *t,
                       const char *calendar)
{
    struct pcdf_tool_time again;
    struct pcdf_instant other;
    char text[ROOM], units[ROOM + 32];
    memset(text, 'x', sizeof text);
    size_t n = pcdf_tool_time_text(time, value, 'T', text);
    DEMAND(n > 0 && n < ROOM && text[n] == '\0' && strlen(text) == n);
    if (time->calendar == PCDF_CALENDAR_NONE || !is_common(t) || !is_common(&time->base) ||
        time->months != 0 || !is_day(time))
        return;
    if (time->calendar == PCDF_CALENDAR_MIXED && strncmp(text, "1582-10-05", 10) == 0)
        return; /* the day that is 1582-10-15, too: as ncdump prints it */
    snprintf(units, sizeof units, "hours since %s", text);
    DEMAND(pcdf_tool_time_parse(&again, units, calendar));
    DEMAND(pcdf_tool_time_instant(&again, 0, &other));
    double hours = pcdf_tool_time_value(&again, &other) - pcdf_tool_time_value(&again, t);
    if (fabs(hours) >= SOON)
        fprintf(stderr, "%s: %" PRId64 "-%d-%d %.17g, %.17g hours\n", text, t->year, t->month, t->day,
                t->hour, hours);
    DEMAND(fabs(hours) < SOON);
}

static void check(const struct pcdf_tool_time *time, double a, double b, const char *calendar)
{
    struct pcdf_instant s, t;
    bool has_s = pcdf_tool_time_instant(time, a, &s), has_t = pcdf_tool_time_instant(time, b, &t);
    char text[ROOM];
    if (has_s) {
        check_fields(&s);
        check_value(time, a, &s);
        if (pcdf_tool_time_text(time, a, ' ', text) > 0)
            check_text(time, a, &s, calendar);
    }
    if (has_t)
        check_fields(&t);
    if (has_s && has_t && is_ordered(time))
        DEMAND(a < b ? order(&s, &t) <= 0 : a > b ? order(&s, &t) >= 0 : order(&s, &t) == 0);
    DEMAND(isfinite(a) || !has_s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char units[512] = "", calendar[64] = "";
    double a, b;
    struct pcdf_tool_time time;
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
    if (pcdf_tool_time_parse(&time, units, calendar)) {
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
    "366_day", "all_leap", "julian", "standard", "proleptic_gregorian", "gregorian", "none", "1900-2-31", "1-1-1", "0", "-", ":", "59.9999994"
};
/* clang-format on */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    if (seed % 2 || n < 16)
        return LLVMFuzzerMutate(bytes, n, most);
    return 16 + fuzz_add_word(bytes + 16, n - 16, most - 16, seed / 2, words, sizeof words / sizeof words[0]);
}
