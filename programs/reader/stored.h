#ifndef PCDF_STORED_H
#define PCDF_STORED_H
/* Stored numbers become values, as meaningvalues.h says: those that stand for none become NaN, packed ones
 * are unpacked. Pure. */

#include "meaningvalues.h"

struct pcdf_stored_form {
    nc_type type;  /* as which they are read */
    bool has_rest; /* 64-bit integers: a value is x + rest */
    bool unpacks;
    struct pcdf_meaning meaning;
};

/* keeps_packed: numbers as they are stored, but for those that stand for none. */
void pcdf_stored_of(struct pcdf_stored_form *values, const struct pcdf_var *var, bool keeps_packed);
/* n stored numbers -> x, and rest where has_rest; rest: room for n in any case. n: an int's at most. Unpacked
 * ones are not rounded to their type: sums want them as they are. */
void pcdf_stored_decode(const struct pcdf_stored_form *values, const unsigned char *bytes, int64_t n,
                        double *x, double *rest);
#endif
