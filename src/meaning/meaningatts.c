/* See meaningatts.h. */
#include "meaningatts.h"

#include <stddef.h>
#include <string.h>

bool pcdf_meaning_tells(const char *attribute, int what)
{
    enum { GIVES = PCDF_MEANING_GIVES, STORED = PCDF_MEANING_OF_STORED, TYPE = PCDF_MEANING_HAS_TYPE };
    static const struct {
        const char *name;
        int tells;
    } rows[] = {
        { "units", GIVES },
        { "calendar", GIVES },
        { "scale_factor", GIVES | STORED },
        { "add_offset", GIVES | STORED },
        { "_Unsigned", GIVES | STORED },
        { "_FillValue", GIVES | STORED | TYPE },
        { "missing_value", GIVES | STORED | TYPE },
        { "valid_range", GIVES | STORED | TYPE },
        { "valid_min", GIVES | STORED | TYPE },
        { "valid_max", GIVES | STORED | TYPE },
        { "flag_values", STORED | TYPE },
        { "flag_masks", STORED | TYPE },
        { "flag_meanings", STORED },
        { "actual_range", PCDF_MEANING_OF_VALUES },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(attribute, rows[i].name) == 0)
            return (rows[i].tells & what) != 0;
    return false;
}
