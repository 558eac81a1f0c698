#ifndef PCDF_MEANINGVALUES_H
#define PCDF_MEANINGVALUES_H
/* What the stored numbers of a variable stand for: which of them are missing, with or without a sign, how
 * they are packed. The rules, each with where it is written:
 *
 * - _Unsigned: "true", "false" in any case: integers are read without, or with, a sign (NUG Appendix B).
 * - Limits of a byte: up to 128 to 255 without negative ones, or 0b, -1b: it is read without a sign
 *   (CF 1.11 2.2).
 * - scale_factor, add_offset: one number each: value = stored * scale + offset (CF 1.11 8.1).
 * - _FillValue: stored numbers equal to it are missing; without one that the variable's type has, the fill
 *   value of the type is it, but not of one byte (NUG Appendix B).
 * - missing_value: one or several stored numbers that are missing, too (CF 1.11 2.5.1).
 * - valid_range, or valid_min, valid_max: what lies outside is missing (NUG Appendix B).
 * - The same, packed: each limit is of unpacked values if it has the wider type of scale_factor and
 *   add_offset, which is wider than the variable's, or is real where the variable is an integer; else of
 *   stored ones (NUG).
 * - actual_range: says what there is; nothing is missing for it (CF 1.11 2.5.1).
 *
 * An attribute of another type than the variable counts as the number of the variable's type that it is
 * (meaningnumber.h), or of that as which the numbers are read. If there is none, no number equals it, and as
 * a limit it is compared as it is. Texts are no numbers. That a fill value without limits implies one (NUG)
 * is not applied: netCDF4-python, xarray, NCO and CDO do not. tests/tools/meaningrows.py has a row for each
 * case.
 *
 * Pure. */

#include "meaningnumber.h"

struct pcdf_meaning_packing {
    nc_type type; /* as which the stored numbers are read */
    bool is_packed;
    bool is_float; /* values are floats: scale_factor and add_offset are */
    double scale, offset;
};

/* One of the two: each is what its own attribute is. */
struct pcdf_meaning_limit {
    bool is_there;
    bool is_of_values; /* of unpacked ones */
    bool is_float;     /* these are compared as floats */
    struct pcdf_meaning_number number;
};

enum { PCDF_MEANING_MISSING = 8 };

/* Of a variable of numbers; one of text has no missing values and no limits. */
struct pcdf_meaning {
    struct pcdf_meaning_packing packing;
    nc_type stored;                                           /* of the variable */
    int nmissing;                                             /* different ones */
    struct pcdf_meaning_number missing[PCDF_MEANING_MISSING]; /* _FillValue, missing_value; not NaN */
    bool has_nan;                                             /* NaN stands for none, too */
    const struct pcdf_att *more; /* not NULL: there was no room for all of missing_value, which is this. The
                                    variable keeps it */
    struct pcdf_meaning_limit least, most;
};

struct pcdf_meaning pcdf_meaning_of(const struct pcdf_var *var);
/* Stored numbers as they are: of their own type, not packed, without limits; some are missing, though. */
struct pcdf_meaning pcdf_meaning_of_stored(const struct pcdf_var *var);
struct pcdf_meaning_packing pcdf_meaning_packing_of(const struct pcdf_var *var);
double pcdf_meaning_unpack(const struct pcdf_meaning_packing *packing, double stored);
/* n values that were unpacked become numbers of their type: floats, where is_float (CF 1.11 8.1). */
void pcdf_meaning_round(const struct pcdf_meaning_packing *packing, int64_t n, double *values);

/* Is this stored number, in external form, a value? NaN is none. */
bool pcdf_meaning_is_value(const struct pcdf_meaning *m, const unsigned char *bytes);
/* Its value, unpacked; NaN where it is missing. */
double pcdf_meaning_value(const struct pcdf_meaning *m, const unsigned char *bytes);
/* n stored numbers, x + rest (rest NULL: they have none): x of those that are missing becomes `mark`. */
void pcdf_meaning_screen(const struct pcdf_meaning *m, int64_t n, double *x, const double *rest, double mark);
bool pcdf_meaning_has_limits(const struct pcdf_meaning *m);
/* Are there more rules than one or two numbers to compare with? */
bool pcdf_meaning_is_long(const struct pcdf_meaning *m);

/* _FillValue as the variable stores it, in external form: the first of its numbers that the variable's type
 * has; of text, if it is one letter. false: there is none. */
bool pcdf_meaning_own_fill(const struct pcdf_var *var, unsigned char fill[8]);
/* The fill value of a variable, in external form: this, or the default of its type. The library stores it
 * where nobody put a value, or one that does not fit. */
void pcdf_meaning_fill(const struct pcdf_var *var, unsigned char fill[8]);
/* What results store where a value is missing, in external form: _FillValue, or missing_value where there is
 * no other, or the default of the type. */
void pcdf_meaning_missing(const struct pcdf_var *var, unsigned char missing[8]);
/* false: all numbers of the type are values, as of one byte without attributes. */
bool pcdf_meaning_has_missing(const struct pcdf_var *var);
/* The limits as unpacked values; false: there is not one below and one above, or nothing is between them. */
bool pcdf_meaning_valid_range(const struct pcdf_meaning *m, double *least, double *most);
/* actual_range, which is of unpacked values. */
bool pcdf_meaning_actual_range(const struct pcdf_var *var, double *least, double *most);
#endif
