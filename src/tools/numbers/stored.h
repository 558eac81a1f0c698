#ifndef PCDF_STORED_H
#define PCDF_STORED_H
/* Stored numbers become values, as the attributes of their variable say (CF 2.5, 8.1; NUG): those that stand
 * for none become NaN, packed ones are unpacked. Pure. */

#include "meta.h"
#include "toolmeaning.h"

enum { PCDF_STORED_HOLES = 32 };

struct pcdf_stored_form {
    nc_type type;  /* as which they are read */
    bool has_rest; /* 64-bit integers: a value is x + rest */
    struct pcdf_tool_packing packing;
    int nholes;
    double holes[PCDF_STORED_HOLES], hole_rests[PCDF_STORED_HOLES]; /* _FillValue, missing_value */
    bool has_least, has_most;
    double least, most; /* valid_min, valid_max, valid_range: of stored numbers */
    bool are_of_values; /* ... or of unpacked ones: they are real, and packed are integers (NUG) */
};

/* keeps_packed: numbers as they are stored, but for those that stand for none. */
void pcdf_stored_of(struct pcdf_stored_form *values, const struct pcdf_var *var, bool keeps_packed);
/* n stored numbers -> x, and rest where has_rest; rest: room for n in any case. n: an int's at most. */
void pcdf_stored_decode(const struct pcdf_stored_form *values, const unsigned char *bytes, int64_t n,
                        double *x, double *rest);
#endif
