#ifndef PCDF_LIKENESS_H
#define PCDF_LIKENESS_H
/* Of names that there are, the one that was probably meant by a name that there is not. Local. */

#include <stdbool.h>
#include <stddef.h>

struct pcdf_likeness {
    const char *word; /* which there is not */
    const char *best; /* the nearest name so far; NULL: none is near */
    int least;        /* changes that make a name too far */
};

enum { PCDF_LIKE_HINT = 300 };

struct pcdf_likeness pcdf_like(const char *word);
/* A name that there is; it stays the caller's. true: it is the nearest so far. */
bool pcdf_like_offer(struct pcdf_likeness *likeness, const char *name);
/* "; did you mean NAME?", or "". Returns `hint`. */
const char *pcdf_like_hint(const struct pcdf_likeness *likeness, char hint[PCDF_LIKE_HINT]);
#endif
