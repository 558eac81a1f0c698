#ifndef PCDF_MEANINGTYPES_H
#define PCDF_MEANINGTYPES_H
/* Types of attributes, where they are written without: in the JSON of Zarr and of references. Who wrote them
 * may say their types beside them, as NCZarr does (`_nczarr_attr`: {"types": ...}). Pure. */

#include "meta.h"

/* Would a reader of JSON give the attribute another type than it has? Then its type has to be told. var NULL:
 * it is a global one. */
bool pcdf_meaning_is_type_lost(const struct pcdf_att *att, const struct pcdf_var *var);
#endif
