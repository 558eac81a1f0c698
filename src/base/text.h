#ifndef PCDF_TEXT_H
#define PCDF_TEXT_H
/* Names: what may be defined (reference 4.13, SPEC: "Note on names") and their NFC form. No memory is taken.
 */

#include <stdbool.h>
#include <stddef.h>
#include "codes.h"

struct pcdf_name {    /* the NFC form of a name that somebody gave */
    const char *text; /* the name itself, which must stay, or `room`: do not copy this struct */
    size_t length;
    char room[NC_MAX_NAME + 1];
};

/* Checks a name for a new definition. Errors in this order: NC_EBADNAME (NULL or empty), NC_EMAXNAME (over
 * 256 bytes as given), NC_EBADNAME (not UTF-8, bad first character, '/', control character, trailing space),
 * NC_EMAXNAME (its NFC form is longer than 256 bytes: the file would be refused). */
int pcdf_name_define(const char *name, struct pcdf_name *nfc);

/* For a look-up: only NC_EBADNAME (NULL or empty) and NC_EMAXNAME are errors; a name that is not UTF-8, or
 * too long in NFC, is given back as it is, since files may hold such names. */
int pcdf_name_lookup(const char *name, struct pcdf_name *nfc);

/* Is it UTF-8? For texts of any length that are no names. */
bool pcdf_text_is_utf8(const char *text);
#endif
