#ifndef PCDF_TOOLCELL_H
#define PCDF_TOOLCELL_H
/* What tables and pictures are made of: cells of text of a given width, sizes in words, little bars. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PCDF_TOOL_BYTES_ROOM = 32 };

/* Columns of the terminal behind `to`, or environment COLUMNS, or 80; 40 at least. */
int pcdf_tool_columns(FILE *to);
/* Lines of it, or 24. */
int pcdf_tool_lines(FILE *to);
/* Does the locale of the environment (LC_ALL, LC_CTYPE, LANG) write UTF-8? */
bool pcdf_tool_has_utf8(void);

/* Columns that pcdf_tool_print takes for the text. */
int pcdf_tool_width(const char *text);
/* The text, as pcdf_tool_print has it, in `width` columns: cut, with a sign of that at the end, or followed
 * by spaces. pad false: without these. Gives the columns taken. */
int pcdf_tool_cell(FILE *to, const char *text, int width, bool pad);

/* A number in at most `width` columns, with up to six digits, fewer where that is narrow; is_integer: all its
 * digits where they fit. */
void pcdf_tool_fit(double number, bool is_integer, int width, char *room, size_t size);
/* "17 bytes", "3.1 KiB", "1.2 TiB" */
const char *pcdf_tool_bytes_text(int64_t bytes, char room[PCDF_TOOL_BYTES_ROOM]);

/* A bar of `width` columns, `share` (0 to 1) of it full, to an eighth of a column in UTF-8; what is more than
 * nothing is seen. `pad`: the empty part as spaces. */
void pcdf_tool_bar(FILE *to, double share, int width, bool utf8, bool pad);
/* One column whose height is `share`: a histogram's bin. Nothing at all is a space. */
void pcdf_tool_column(FILE *to, double share, bool utf8);
#endif
