#ifndef PCDF_TIMEVALUE_H
#define PCDF_TIMEVALUE_H
/* Values of time (timeunits.h) become instants and dates, and instants values. Pure. */

#include "timeunits.h"

/* A value stands for all that its type rounds to it, so it is the roundest instant among these: a whole day,
 * or else hour, minute, second. Half of the last place of a float of days may be three minutes. In doubles,
 * it is what lies within 1e-8 of a unit, a millisecond at most, since they come of sums and of texts.
 * false: it is not finite, or lies too far away. time: of kind DATES. */
bool pcdf_time_instant(const struct pcdf_time *time, double value, struct pcdf_instant *instant);
/* The value of an instant. */
double pcdf_time_value(const struct pcdf_time *time, const struct pcdf_instant *instant);
/* Is a value of one the same instant as this value of the other? What cannot be read is the same if it is
 * written in the same way. */
bool pcdf_time_is_same(const struct pcdf_time *a, const struct pcdf_time *b);
/* Do units and calendar give the values of two variables the same meaning, whether they are times or not?
 * NULL: they do; else the attribute that does not. */
const char *pcdf_time_differs(const struct pcdf_meta *a, int vara, const struct pcdf_meta *b, int varb);

/* The number x of one unit is x * times / by + plus of another; a unit of that is so many seconds. false: of
 * these calendars or units it cannot be told. */
struct pcdf_time_change {
    double times, by, plus, seconds;
};
bool pcdf_time_change(const struct pcdf_time *from, const struct pcdf_time *to,
                      struct pcdf_time_change *change);

/* The date of a value, without quotes, in `to` (64 bytes), as ncdump -t writes it; 0: it has none. */
size_t pcdf_time_text(const struct pcdf_time *time, double value, char separator, char *to);
#endif
