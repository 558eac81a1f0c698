/* See infostrip.h. */
#include "infostrip.h"

#include <string.h>

/* Backgrounds that dark text is read on, neighbours unlike each other: numbers of the 256 colours. */
static const unsigned char backgrounds[PCDF_STRIP_COLOURS] = { 110, 179, 108, 174, 146, 186, 73, 180 };

void pcdf_strip_begin(struct pcdf_strip *strip, int width, int64_t total, char letter)
{
    *strip = (struct pcdf_strip){ .width = width < PCDF_STRIP_WIDEST ? width : PCDF_STRIP_WIDEST,
                                  .total = total > 0 ? (double)total : 1 };
    memset(strip->letters, letter, sizeof strip->letters);
    memset(strip->colours, PCDF_STRIP_PLAIN, sizeof strip->colours);
}

void pcdf_strip_add(struct pcdf_strip *strip, int64_t begin, int64_t end, char letter, int colour)
{
    double from = (double)begin / strip->total * strip->width, to = (double)end / strip->total * strip->width;

    for (int c = from > 0 ? (int)from : 0; c < strip->width && c < to; c++) {
        double share = (to < c + 1 ? to : c + 1) - (from > c ? from : c);
        if (strip->letters[c] == letter) {
            strip->shares[c] += share;
        } else if (share > strip->shares[c]) {
            strip->shares[c] = share;
            strip->letters[c] = letter;
            strip->colours[c] = (signed char)colour;
        }
    }
}

bool pcdf_strip_has(const struct pcdf_strip *strip, char letter)
{
    return memchr(strip->letters, letter, (size_t)strip->width) != NULL;
}

static void begin_colour(FILE *to, int colour)
{
    if (colour >= 0)
        fprintf(to, "\033[48;5;%d;38;5;16m", backgrounds[colour % PCDF_STRIP_COLOURS]);
    else if (colour == PCDF_STRIP_GREY)
        fputs("\033[48;5;250;38;5;16m", to);
    else if (colour == PCDF_STRIP_DARK)
        fputs("\033[48;5;60;38;5;231m", to);
}

void pcdf_strip_print(const struct pcdf_strip *strip, FILE *to, bool has_colours, bool utf8)
{
    int now = PCDF_STRIP_PLAIN;

    fputs(utf8 ? "▕" : "|", to);
    for (int c = 0; c < strip->width; c++) {
        if (has_colours && strip->colours[c] != now) {
            fputs(now != PCDF_STRIP_PLAIN ? "\033[0m" : "", to);
            begin_colour(to, strip->colours[c]);
            now = strip->colours[c];
        }
        fputc(strip->letters[c], to);
    }
    fputs(has_colours && now != PCDF_STRIP_PLAIN ? "\033[0m" : "", to);
    fputs(utf8 ? "▏\n" : "|\n", to);
}

void pcdf_strip_letter(FILE *to, char letter, int colour, bool has_colours)
{
    if (has_colours && colour != PCDF_STRIP_PLAIN) {
        begin_colour(to, colour);
        fputc(letter, to);
        fputs("\033[0m", to);
    } else {
        fputc(letter, to);
    }
}

void pcdf_strip_ink(FILE *to, int colour)
{
    if (colour >= 0)
        fprintf(to, "\033[38;5;%dm", backgrounds[colour % PCDF_STRIP_COLOURS]);
}
