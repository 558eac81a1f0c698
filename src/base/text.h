#ifndef PCDF_TEXT_H
#define PCDF_TEXT_H
/* Names: what may be defined (reference 4.13, SPEC: "Note on names") and their NFC form. */

#include <stddef.h>

/* Checks a name for a new definition and gives its NFC form (allocated, the caller frees).
 * Errors in this order: NC_EBADNAME (NULL or empty), NC_EMAXNAME (over 256 bytes as given), NC_EBADNAME
 * (not UTF-8, bad first character, '/', control character, trailing space), NC_EMAXNAME (its NFC form
 * is longer than 256 bytes: the file would be refused), NC_ENOMEM. */
int pcdf_name_define(const char *name, char **nfc);

/* The NFC form for a look-up: only NC_EBADNAME (NULL or empty) and NC_EMAXNAME are errors; a name that is not
 * UTF-8 is given back as it is, since files may hold such names. */
int pcdf_name_lookup(const char *name, char **nfc);
#endif
