#ifndef PCDF_CDLVALUE_H
#define PCDF_CDLVALUE_H
/* Values of a file -> the text that CDL has for them. */

#include "value.h"

enum { PCDF_VALUE_ROOM = 1024 }; /* for any value, through any format that pcdf_value_format_fits accepts */

/* Equal as ncdump's fill values are: reals but for the last bit of their type, NaN to NaN. */
bool pcdf_value_equals(const struct pcdf_value *value, const struct pcdf_value *fill);

/* All: the bytes written to `to`, without a NUL. */
size_t pcdf_value_integer(char *to, int64_t value);
size_t pcdf_value_natural(char *to, uint64_t value);
/* A finite number as printf's %.*g prints it; digits: 1 to 30. */
size_t pcdf_value_real(char *to, double value, int digits);
/* As values stand in a data section: reals with so many digits; NaN and infinities have names. */
size_t pcdf_value_text(char *to, const struct pcdf_value *value, int digits);
/* As values stand in an attribute, where the text tells the type: 1b, 1s, 1.f, 1LL. */
size_t pcdf_value_typed(char *to, const struct pcdf_value *value, int digits);

/* Is this a printf format of exactly one conversion that a value of the type can have, and nothing that
 * reads or writes beyond it? */
bool pcdf_value_format_fits(const char *format, nc_type type);
size_t pcdf_value_formatted(char *to, const struct pcdf_value *value, const char *format);
#endif
