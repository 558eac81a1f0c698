#ifndef PCDF_INFOSTRIP_H
#define PCDF_INFOSTRIP_H
/* A span of bytes as one line, to scale: each column shows what most of its bytes are. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    PCDF_STRIP_WIDEST = 400,
    PCDF_STRIP_COLOURS = 8,
    PCDF_STRIP_GREY = -1,
    PCDF_STRIP_PLAIN = -2,
    PCDF_STRIP_DARK = -3
};

struct pcdf_strip {
    int width;
    double total; /* bytes of all */
    char letters[PCDF_STRIP_WIDEST];
    signed char colours[PCDF_STRIP_WIDEST]; /* 0 to PCDF_STRIP_COLOURS - 1, or one of the others */
    double shares[PCDF_STRIP_WIDEST];       /* of the column's bytes, of the letter that it has */
};

void pcdf_strip_begin(struct pcdf_strip *strip, int width, int64_t total, char letter);
/* A span: in the order of begins, or in any other; the larger share of a column wins. */
void pcdf_strip_add(struct pcdf_strip *strip, int64_t begin, int64_t end, char letter, int colour);
bool pcdf_strip_has(const struct pcdf_strip *strip, char letter);
void pcdf_strip_print(const struct pcdf_strip *strip, FILE *to, bool has_colours, bool utf8);
/* A letter as it stands in strips. */
void pcdf_strip_letter(FILE *to, char letter, int colour, bool has_colours);
/* From here on text has the colour that spans of it have as their background. */
void pcdf_strip_ink(FILE *to, int colour);
#endif
