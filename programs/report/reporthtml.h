#ifndef PCDF_REPORTHTML_H
#define PCDF_REPORTHTML_H
/* One page of HTML that needs nothing else: its style stands in it, it has no script, and it asks no network
 * for anything. Text from files is escaped by who writes it here. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void pcdf_html_begin(FILE *f, const char *title, const char *subtitle);
void pcdf_html_end(FILE *f);

void pcdf_html_text(FILE *f, const char *text); /* escaped; what is not UTF-8 becomes U+FFFD */
/* A sentence of ours with words of others: all of it is escaped. */
void pcdf_html_format(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

void pcdf_html_section(FILE *f, const char *title, const char *about); /* about: may be NULL */
void pcdf_html_section_end(FILE *f);
void pcdf_html_tile(FILE *f, const char *label, const char *value, const char *more);

/* "1.5 MiB", "12.3 ms", "1,234" in room. */
enum { PCDF_HTML_ROOM = 40 };
const char *pcdf_html_bytes(char room[PCDF_HTML_ROOM], double bytes);
const char *pcdf_html_seconds(char room[PCDF_HTML_ROOM], double seconds);
const char *pcdf_html_count(char room[PCDF_HTML_ROOM], double count);

/* Tables: a row of heads separated by '|'; a leading '#' makes a column of numbers. */
void pcdf_html_table(FILE *f, const char *heads);
void pcdf_html_table_end(FILE *f);
void pcdf_html_row_none(FILE *f, int columns); /* of a table that would have no row */
void pcdf_html_row(FILE *f);
void pcdf_html_row_end(FILE *f);
void pcdf_html_cell(FILE *f, const char *text);
void pcdf_html_cell_more(FILE *f, const char *text, const char *more); /* what it means, below */
/* A number: what is shown, and its exact value for who reads the page by program. */
void pcdf_html_cell_number(FILE *f, const char *shown, double value);
void pcdf_html_cell_bytes(FILE *f, double bytes);
void pcdf_html_cell_seconds(FILE *f, double seconds);
void pcdf_html_cell_count(FILE *f, double count);
/* A bar of `share` of the cell (0 to 1), in one of the colours k0, k1, ... of the style. */
enum { PCDF_HTML_QUEUE = 7, PCDF_HTML_WAIT = 8 };
void pcdf_html_cell_bar(FILE *f, double share, int colour);
#endif
