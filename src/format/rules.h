#ifndef PCDF_RULES_H
#define PCDF_RULES_H
/* What each CDF version allows. The order of errors is the public API's (reference 4.5); each function checks
 * the part named and keeps a sentence. */

#include "meta.h"

/* def_dim after the name checks: NC_EDIMSIZE, NC_EUNLIMIT, NC_EMAXDIMS, NC_ENAMEINUSE. */
int pcdf_rules_new_dim(const struct pcdf_meta *meta, const char *name, int64_t length);
/* def_var after the name checks: NC_EBADTYPE, NC_ESTRICTCDF2, NC_EINVAL (ndims < 0), NC_EMAXVARS,
 * NC_ENAMEINUSE, NC_EINVAL (dimids NULL), NC_EBADDIM, NC_EUNLIMPOS, NC_EVARSIZE. */
int pcdf_rules_new_var(const struct pcdf_meta *meta, const char *name, nc_type type, int ndims,
                       const int *dimids);
/* NC_EBADTYPE, NC_ESTRICTCDF2. */
int pcdf_rules_type(const struct pcdf_meta *meta, nc_type type);
/* Sizes of all variables together, at enddef and open: NC_EVARSIZE (SPEC and reference 4.9: too large
 * variables). */
int pcdf_rules_sizes(const struct pcdf_meta *meta);
/* The most records, and the longest dimension: 2^31-1, or 2^63-1. */
int64_t pcdf_rules_max_count(enum pcdf_version version);
#endif
