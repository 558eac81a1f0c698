#ifndef PCDF_MEANINGATTS_H
#define PCDF_MEANINGATTS_H
/* Which attributes tell about the numbers of their variable, and what. Pure. */

#include <stdbool.h>

enum pcdf_meaning_tells {
    /* Gives numbers their meaning: variables may be put together if it means the same (meaningsame.h,
     * timevalue.h). */
    PCDF_MEANING_GIVES = 1,
    /* Holds for numbers as they are stored, not for others of the same variable: unpacked, of another type.
     */
    PCDF_MEANING_OF_STORED = 2,
    /* Its numbers are stored ones, and have the type of the variable (NUG Appendix A; CF 1.11 2.5.1, 3.5). */
    PCDF_MEANING_HAS_TYPE = 4,
    /* Tells which values there are, so it is wrong for others. */
    PCDF_MEANING_OF_VALUES = 8
};

/* Does the attribute tell `what`, or one of several, joined by |? */
bool pcdf_meaning_tells(const char *attribute, int what);
#endif
