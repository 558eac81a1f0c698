#ifndef PCDF_TOOLMEANING_H
#define PCDF_TOOLMEANING_H
/* What numbers mean, by the attributes of their variable. Pure. */

#include "meaningtext.h"

/* Number i of a numeric attribute that has n of them; false: there is none, or it is not finite. */
bool pcdf_tool_att_number(const struct pcdf_atts *atts, const char *name, int64_t i, int64_t n, double *to);

/* What stands for no value, in external form: _FillValue, or the type's; NULL: types of one byte have none,
 * since all 256 are in use. */
const unsigned char *pcdf_tool_fill(const struct pcdf_var *var);

/* How they are packed: a value is the stored number times scale_factor, plus add_offset (CF 8.1); `_Unsigned`
 * says that integers are meant without, or with, a sign (NUG). */
struct pcdf_tool_packing {
    nc_type type; /* as which the stored numbers are read: of the variable, or without a sign */
    bool is_packed;
    bool is_float; /* values are floats: scale_factor and add_offset are */
    double scale, offset;
};

struct pcdf_tool_packing pcdf_tool_packing_of(const struct pcdf_var *var);
double pcdf_tool_unpack(const struct pcdf_tool_packing *packing, double stored);
#endif
