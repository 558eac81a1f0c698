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

const char *pcdf_refs_dtype(nc_type type);

/* The text of a group of n bytes, from 1 to 3. */
void pcdf_refs_base64(const unsigned char *b, int64_t n, char out[5]);
#endif
