#ifndef PCDF_SETWORDS_H
#define PCDF_SETWORDS_H
/* The value of hint pcdf_set: "DIR/NAME files=3 keep=2". A word ends where the next one begins, so values and
 * DIR/NAME may have blanks, but not before letters that end with =. Local. */

#include <stdbool.h>
#include "hints.h"

struct pcdf_setwords {
    char set[PCDF_HINT_TEXT_MAX]; /* DIR/NAME; empty: there is none */
    char match[PCDF_HINT_TEXT_MAX], step[PCDF_HINT_TEXT_MAX], job[PCDF_HINT_TEXT_MAX];
    int64_t files, keep;
};
/* A number that is none is told, and is 0. A word that is not known is told, and has no effect. */
void pcdf_setwords_read(const struct pcdf_hints *hints, struct pcdf_setwords *words);
#endif
