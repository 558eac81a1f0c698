#ifndef PCDF_MEANINGSAME_H
#define PCDF_MEANINGSAME_H
/* Do the stored numbers of two variables of one type mean the same? Then they may be put together under the
 * attributes of either. Attributes may differ in type and spelling. Units and calendars are timevalue's.
 * Pure. */

#include "meta.h"

/* The name of an attribute that gives them another meaning; NULL: they mean the same. */
const char *pcdf_meaning_differs(const struct pcdf_var *a, const struct pcdf_var *b);
#endif
