#ifndef PCDF_MEANINGNUMBER_H
#define PCDF_MEANINGNUMBER_H
/* Numbers of attributes, and the same numbers in the type of a variable. Pure. */

#include "meta.h"

/* A number exactly: x + rest. rest: what a double cannot hold of an integer of 64 bits. */
struct pcdf_meaning_number {
    double x, rest;
};
struct pcdf_meaning_number pcdf_meaning_number_of(nc_type type, const unsigned char *bytes);
/* Is a less than b? false where one is NaN. */
bool pcdf_meaning_is_less(struct pcdf_meaning_number a, struct pcdf_meaning_number b);

/* A number of another type, in external form both: as an integer it must be the same number; as a float or
 * double it becomes the nearest one, as in netCDF-C. false: the type has no such number, or one of them is
 * text. */
bool pcdf_meaning_convert(nc_type from, const unsigned char *bytes, nc_type type, unsigned char to[8]);

/* Number i of a numeric attribute that has n of them; false: there is none, or it is not finite. */
bool pcdf_meaning_real(const struct pcdf_atts *atts, const char *name, int64_t i, int64_t n, double *to);
#endif
