#ifndef PCDF_MEANINGTEXT_H
#define PCDF_MEANINGTEXT_H
/* Texts in attributes. A classic file keeps a text with its length, and programs fill that length in three
 * ways: exactly (NUG), with blanks behind it (Fortran), with a NUL at its end (C programs that write
 * strlen + 1). What means something is the text without these. Pure. */

#include "meta.h"

enum { PCDF_MEANING_TEXT = 256 };

/* What has a meaning of a text attribute: up to its first NUL, without blanks at both ends. It points
 * into the attribute. Length 0: it is no text, or an empty one. */
struct pcdf_meaning_slice {
    const char *text;
    size_t length;
};
struct pcdf_meaning_slice pcdf_meaning_slice_of(const struct pcdf_att *att);
/* Are they the same text? false for attributes that are not text. */
bool pcdf_meaning_same_text(const struct pcdf_att *a, const struct pcdf_att *b);

/* The attribute of that name, or NULL. */
const struct pcdf_att *pcdf_meaning_att(const struct pcdf_atts *atts, const char *name);
/* The first line of a text attribute; false, and "", where there is none. What is longer than `text` is cut:
 * lists of names are for pcdf_meaning_word. */
bool pcdf_meaning_text(const struct pcdf_atts *atts, const char *name, char text[PCDF_MEANING_TEXT]);

/* The next word of a list such as the one in `coordinates`: words have white space between them. Cuts it
 * from `rest`; length 0: there is none. */
struct pcdf_meaning_slice pcdf_meaning_word(struct pcdf_meaning_slice *rest);
/* Is `word` one of the words of the attribute? */
bool pcdf_meaning_has_word(const struct pcdf_atts *atts, const char *name, const char *word);
#endif
