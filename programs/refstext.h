#ifndef PCDF_REFSTEXT_H
#define PCDF_REFSTEXT_H
/* Attributes, types and values in the words of Zarr, version 2. */

#include "meta.h"
#include "tooljson.h"

/* The attribute that says the types of others, as NCZarr of version 2 has it; xarray hides it. */
#define PCDF_REFS_TYPES "_NCZARR_ATTR"

/* All of a variable's (NULL: of the file's) except the one named `but`, and the types that JSON does not
 * tell. Text ends where its last bytes that are not NUL do; one number stands alone, several in a list. A
 * float becomes the double that it is: readers calculate with that. */
void pcdf_refs_attributes(struct pcdf_json *json, const struct pcdf_meta *meta, const struct pcdf_var *var,
                          const char *but);

/* The key fill_value: null where the file does not say what stands for a missing value, then every value
 * counts. Characters are in base64. */
void pcdf_refs_fill_value(struct pcdf_json *json, const struct pcdf_var *var);
/* Its value: one of the type in external form. */
void pcdf_refs_fill(struct pcdf_json *json, nc_type type, const unsigned char *fill);

const char *pcdf_refs_dtype(nc_type type);

#endif
