#ifndef PCDF_REFSTEXT_H
#define PCDF_REFSTEXT_H
/* Attributes, types and values in the words of Zarr, version 2. */

#include "meta.h"
#include "tooljson.h"

/* All of a list except the one named `but`. Text ends where its last bytes that are not NUL do; one number
 * stands alone, several in a list. A float becomes the double that it is: readers calculate with that. */
void pcdf_refs_attributes(struct pcdf_json *json, const struct pcdf_atts *atts, const char *but);

/* The key fill_value: null where the file does not say what stands for a missing value, then every value
 * counts. Characters are in base64. */
void pcdf_refs_fill_value(struct pcdf_json *json, const struct pcdf_var *var);
/* Its value: one of the type in external form. */
void pcdf_refs_fill(struct pcdf_json *json, nc_type type, const unsigned char *fill);

const char *pcdf_refs_dtype(nc_type type);

#endif
